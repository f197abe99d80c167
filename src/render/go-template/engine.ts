// Go templates, rendered by Go's own text/template and sprig (gotemplate/ at the root), in a thread of their own. A template
// that takes too long, or too much, ends with its thread; the rest of the batch continues in another one.
import { readFileSync } from "node:fs";
import type { Rendered, Template, TemplateBatch, TemplateFault } from "../need.ts";
import { engineFile } from "./built.ts";
import { type CutReason, type ThreadLimits, runThread } from "./thread.ts";

/** A batch of another task than a render's. */
export interface Batch extends TemplateBatch {
  /** `applicationset` for the functions of Argo CD's ApplicationSets, `reads` for what templates read of a chart's values. */
  readonly task?: "applicationset" | "reads";
  /** Of Go's text/template, for the task `applicationset`. */
  readonly options?: readonly string[];
}

const usualLimits: ThreadLimits = { startMs: 60_000, templateMs: 10_000 };

/** How many templates of a batch may end their thread; after that, the rest of the batch is not rendered. */
const maxCuts = 4;

/** One result for each template, in order. Rejects only if the engine cannot be started; no message holds a value. */
export async function renderTemplates(batch: Batch, limits = usualLimits): Promise<readonly Rendered[]> {
  const { templates } = batch;
  if (templates.length === 0) return [];
  const given = { engine: readFileSync(engineFile()), opening: openingOf(batch) };
  const rendered: Rendered[] = [];
  for (let cuts = 0; rendered.length < templates.length; cuts++) {
    if (cuts === maxCuts) return [...rendered, ...templates.slice(rendered.length).map(unreached)];
    const onAnswer = (line: string): void => {
      rendered.push(readAnswer(line, templates[rendered.length]));
    };
    const rest = templates.slice(rendered.length).map(({ text, values }) => ({ text, values }));
    const cut = await runThread({ ...given, templates: rest }, limits, onAnswer);
    if (cut === "no-start") throw new Error("the engine of Go templates could not be started");
    if (cut !== undefined) rendered.push(cutOf(cut, templates[rendered.length]));
  }
  return rendered;
}

function openingOf({ includes, functions = new Map(), task, options = [] }: Batch): object {
  const all = new Map([...(task === undefined ? [["include", includes] as const] : []), ...functions]);
  const texts = [...all].map(([name, own]) => [name, Object.fromEntries(own)]);
  return { task: task ?? "", options, includes: Object.fromEntries(texts) };
}

/** As the engine writes it. */
interface Answer {
  readonly text?: string;
  readonly fault?: Omit<TemplateFault, "file"> & { readonly include?: string };
}

function readAnswer(line: string, template: Template | undefined): Rendered {
  const { text, fault } = JSON.parse(line) as Answer;
  if (fault === undefined) return { text: text ?? "" };
  const { include, ...rest } = fault;
  return { fault: { ...rest, file: include ?? template?.file ?? "" } };
}

function cutOf(what: Exclude<CutReason, "no-start">, template: Template | undefined): Rendered {
  return { fault: { what, file: template?.file ?? "" } };
}

function unreached(template: Template): Rendered {
  return cutOf("too-long", template);
}
