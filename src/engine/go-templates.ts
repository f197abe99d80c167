// Go templates, rendered by Go's own text/template and sprig in the engine. A batch is one question; if the engine does not
// outlive it, each template is a question, so that the one at fault is known.
import { ask, type EngineCut } from "./ask.ts";

/** Templates that are rendered at once, so that the engine is loaded once. */
export interface TemplateBatch {
  /** Texts that `include` finds, by the name a template calls them. */
  readonly includes: ReadonlyMap<string, string>;
  /** Texts by function, then by name: a schema names functions; `includes` are those of `include`. */
  readonly functions?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly templates: readonly Template[];
}

interface Template {
  /** Its file, for messages. */
  readonly file: string;
  readonly text: string;
  /** What `.` is: JSON text of an object. Numbers become float64, as konfigure's do. */
  readonly values: string;
}

export type Rendered = { readonly text: string } | { readonly fault: TemplateFault };

/** Never holds a value: `what` is one of our own clauses; `name` is a key, function or include that the template spells out itself. */
export interface TemplateFault {
  readonly what:
    | "parse"
    | "missing-key"
    | "function"
    | "impure"
    | "include"
    | "type"
    | "too-long"
    | "too-large"
    | "failed";
  readonly file: string; // the template or the include
  readonly line?: number; // 1-based
  readonly column?: number;
  readonly name?: string;
}

/** A batch of another task than a render's. */
export interface Batch extends TemplateBatch {
  /**
   * `applicationset` for the functions of Argo CD's ApplicationSets, `resourceset` for those of flux-operator and its `<< >>`,
   * `reads` for what templates read of a chart's values.
   */
  readonly task?: "applicationset" | "resourceset" | "reads";
  /** Of Go's text/template, for the task `applicationset`. */
  readonly options?: readonly string[];
}

/** For a batch, and for each template on its own. */
const usualDeadlineMs = 10_000;

/** How many templates of a batch may end the engine; after that, the rest of the batch is not rendered. */
const maxCuts = 4;

/** One result for each template, in order. Rejects only if the engine cannot be started; no message holds a value. */
export async function renderTemplates(
  batch: Batch,
  deadlineMs = usualDeadlineMs,
): Promise<readonly Rendered[]> {
  const { templates } = batch;
  if (templates.length === 0) return [];
  const together = await rendered(batch, templates, deadlineMs);
  if (!("cut" in together)) return together;
  if (templates.length === 1) return templates.map((template) => cutOf(together.cut, template));
  return oneByOne(batch, deadlineMs);
}

async function oneByOne(batch: Batch, deadlineMs: number): Promise<readonly Rendered[]> {
  const all: Rendered[] = [];
  let cuts = 0;
  for (const template of batch.templates) {
    const own = cuts < maxCuts ? await rendered(batch, [template], deadlineMs) : unreached;
    if ("cut" in own) cuts++;
    all.push(...("cut" in own ? [cutOf(own.cut, template)] : own));
  }
  return all;
}

const unreached: EngineCut = { cut: "too-long" };

/** As the engine writes it. */
interface Answer {
  readonly text?: string;
  readonly fault?: Omit<TemplateFault, "file"> & { readonly include?: string };
}

async function rendered(
  { includes, functions = new Map(), task, options = [] }: Batch,
  templates: readonly Template[],
  deadlineMs: number,
): Promise<readonly Rendered[] | EngineCut> {
  const all = new Map([...(task === undefined ? [["include", includes] as const] : []), ...functions]);
  const answer = await ask(
    {
      op: task ?? "template",
      options,
      includes: Object.fromEntries([...all].map(([name, own]) => [name, Object.fromEntries(own)])),
      templates: templates.map(({ text, values }) => ({ text, values })),
    },
    deadlineMs,
  );
  if (answer.cut !== undefined) return answer;
  const answers = (answer["rendered"] ?? []) as readonly Answer[];
  return templates.map((template, index) => readAnswer(answers[index], template));
}

/** Without an answer the engine failed at all of them. */
function readAnswer(answer: Answer | undefined, template: Template): Rendered {
  if (answer === undefined) return cutOf("failed", template);
  const { text, fault } = answer;
  if (fault === undefined) return { text: text ?? "" };
  const { include, ...rest } = fault;
  return { fault: { ...rest, file: include ?? template.file } };
}

function cutOf(what: EngineCut["cut"], template: Template): Rendered {
  return { fault: { what, file: template.file } };
}
