// The texts of an ApplicationSet, filled with parameters: by Go's templates or by plain names in `{{ }}`. Texts of many
// fillings are rendered at once.
import { renderTemplates } from "../../render/index.ts";
import type { Place } from "../../explanation.ts";
import type { SourceText } from "../kustomize/marks.ts";
import { type Placed, type PlacedMembers, placedText } from "../placed.ts";
import { goText, type SetParameters, variablesIn } from "./parameters-of-sets.ts";

/** How a set fills its texts. */
export interface TemplateForm {
  readonly isGo: boolean;
  /** `goTemplateOptions` */
  readonly options: readonly string[];
}

export interface Filling {
  readonly field: Placed;
  readonly parameters: SetParameters;
}

/** Why a text cannot be filled: in words, with its place. */
export interface FillFault {
  readonly fault: string;
  readonly at: Place | undefined;
}

/** The fields with all of their texts filled, in order. @param isLenient true for a field that stays as it is if a name is missing */
export async function filled(
  fillings: readonly Filling[],
  form: TemplateForm,
  isLenient: (path: readonly string[]) => boolean = () => false,
): Promise<readonly (Placed | FillFault)[]> {
  const texts = new Map<string, { readonly text: string; readonly values: string }>();
  const keyOf = (text: string, values: string): string => `${text}\u0000${values}`;
  const all = fillings.map(({ field, parameters }) => ({
    field,
    parameters,
    values: JSON.stringify(parameters.values),
  }));
  for (const { field, parameters, values } of form.isGo ? all : [])
    for (const text of textsIn(field))
      if (simply(text, parameters) === undefined) texts.set(keyOf(text, values), { text, values });
  const rendered = await renderedTexts([...texts.values()], form);
  const results = new Map([...texts.keys()].map((key, index) => [key, rendered[index]]));
  return all.map(({ field, parameters, values }) => {
    const fill = (text: string): Answer =>
      form.isGo
        ? (simply(text, parameters) ?? answerOf(results.get(keyOf(text, values))))
        : { text: plainly(text, parameters) };
    return new Filler(fill, parameters, isLenient).fill(field, []);
  });
}

type Answer = { readonly text: string } | { readonly fault: string; readonly isMissing: boolean };
type Rendered = Awaited<ReturnType<typeof renderTemplates>>[number];

async function renderedTexts(
  texts: readonly { readonly text: string; readonly values: string }[],
  { options }: TemplateForm,
): Promise<readonly Rendered[]> {
  if (texts.length === 0) return [];
  const templates = texts.map((each) => ({ ...each, file: "" }));
  return renderTemplates({ includes: new Map(), task: "applicationset", options, templates });
}

function answerOf(rendered: Rendered | undefined): Answer {
  if (rendered === undefined) return { fault: "it was not rendered", isMissing: false };
  if ("text" in rendered) return rendered;
  const { what, name } = rendered.fault;
  const words = faultWords[what];
  return { fault: name === undefined ? words : `${words}: \`${name}\``, isMissing: what === "missing-key" };
}

const faultWords: Readonly<Record<Extract<Rendered, { fault: unknown }>["fault"]["what"], string>> = {
  parse: "the template is not one of Go's",
  "missing-key": "no parameter has this name",
  function: "there is no such function",
  impure: "what this function gives is known in the cluster only",
  include: "there is no such template",
  type: "a value has another type than the template expects",
  "too-long": "the template takes too long",
  "too-large": "the result is too large",
  failed: "the template fails",
};

/** A text with nothing but names in it, all of which parameters have: the engine, which is slow to start, would print the same. */
function simply(text: string, { values }: SetParameters): Answer | undefined {
  let isSimple = true;
  const made = text.replaceAll(/\{\{([^]*?)\}\}/g, (_, inside: string) => {
    const [, path] = /^ *((?:\.[A-Za-z_]\w*)+) *$/.exec(inside) ?? [];
    const value = path?.split(".").slice(1).reduce<unknown>(memberOf, values);
    isSimple &&= typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return goText(value);
  });
  return isSimple && !made.includes("{{") ? { text: made } : undefined;
}

function memberOf(value: unknown, key: string): unknown {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** Names that no parameter has stay as they are. */
function plainly(text: string, { values }: SetParameters): string {
  return text.replaceAll(/\{\{([^]*?)\}\}/g, (whole, tag: string) => {
    const value = values[tag.trim()];
    return typeof value === "string" ? value : whole;
  });
}

function isTemplate(text: string): boolean {
  return text.includes("{{");
}

function textsIn(field: Placed): readonly string[] {
  if (typeof field.value === "string") return isTemplate(field.value) ? [field.value] : [];
  if (Array.isArray(field.value)) return (field.value as readonly Placed[]).flatMap(textsIn);
  if (!(field.value instanceof Map)) return [];
  return [...(field.value as PlacedMembers)].flatMap(([key, each]) => [
    ...(isTemplate(key) ? [key] : []),
    ...textsIn(each),
  ]);
}

class Filler {
  private readonly answer: (text: string) => Answer;
  private readonly parameters: SetParameters;
  private readonly isLenient: (path: readonly string[]) => boolean;

  constructor(answer: (text: string) => Answer, parameters: SetParameters, isLenient: Filler["isLenient"]) {
    this.answer = answer;
    this.parameters = parameters;
    this.isLenient = isLenient;
  }

  fill(field: Placed, path: readonly string[]): Placed | FillFault {
    const { value } = field;
    if (typeof value === "string") return isTemplate(value) ? this.fillText(field, value, path) : field;
    if (Array.isArray(value)) {
      const elements = (value as readonly Placed[]).map((each, index) =>
        this.fill(each, [...path, String(index)]),
      );
      const fault = elements.find((each): each is FillFault => "fault" in each);
      return fault ?? { ...field, value: elements as readonly Placed[] };
    }
    return value instanceof Map ? this.fillMembers(field, value as PlacedMembers, path) : field;
  }

  private fillMembers(field: Placed, members: PlacedMembers, path: readonly string[]): Placed | FillFault {
    const made = new Map<string, Placed>();
    for (const [key, each] of members) {
      const name = isTemplate(key) ? this.answer(key) : { text: key };
      if ("fault" in name) return { fault: name.fault, at: each.at };
      const own = this.fill(each, [...path, key]);
      if ("fault" in own) return own;
      made.set(name.text, own);
    }
    return { ...field, value: made };
  }

  private fillText(field: Placed, text: string, path: readonly string[]): Placed | FillFault {
    const answer = this.answer(text);
    if ("fault" in answer && answer.isMissing && this.isLenient(path)) return field;
    if ("fault" in answer) return { fault: answer.fault, at: field.at };
    const { parameters } = this;
    const variables = [...(field.variables ?? []), ...variablesIn(text, parameters)];
    const lines = text.split("\n");
    const areLines = answer.text.split("\n").length === lines.length;
    const { source } = field;
    return placedText(answer.text, field, {
      ...(variables.length === 0 ? {} : { variables }),
      source: source && movedText(source, text, answer.text, areLines),
      ...(areLines ? { variablesAt: (line) => variablesIn(lines[line - 1] ?? "", parameters) } : {}),
    });
  }
}

/** A text that a template made: its lines are those of the template, if there are as many. */
function movedText(source: SourceText, template: string, made: string, areLines: boolean): SourceText {
  const bytes = Buffer.from(made, "utf8");
  const starts = lineStarts(template);
  const ends = lineStarts(made);
  const whole = source.placeAt(0);
  return {
    bytes,
    placeAt: (offset) => {
      if (!areLines) return withoutColumn(whole);
      const line = ends.findLastIndex((start) => start <= offset);
      return withoutColumn(source.placeAt(starts[line] ?? 0));
    },
  };
}

/** Columns of a text that was filled in are none of the file. */
function withoutColumn({ column: _column, ...place }: Place): Place {
  return place;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  const bytes = Buffer.from(text, "utf8");
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) starts.push(at + 1);
  return starts;
}
