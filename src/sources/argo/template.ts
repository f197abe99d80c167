// The texts of an ApplicationSet, filled with parameters: by Go's templates or by plain names in `{{ }}`. Texts of many
// fillings are rendered at once.
import { renderTemplates } from "../../engine/index.ts";
import type { Place } from "../../explanation.ts";
import type { SourceText } from "../kustomize/marks.ts";
import { hide, isHidden, opened, type Placed, type PlacedMembers, placedText } from "../placed.ts";
import { goText, type SetParameters, variablesIn } from "./parameters-of-sets.ts";
import { isFields } from "../plain.ts";

/** How a set fills its texts. */
export interface TemplateForm {
  readonly isGo: boolean;
  /** `goTemplateOptions` */
  readonly options: readonly string[];
}

export interface TemplatedField {
  readonly field: Placed;
  readonly parameters: SetParameters;
}

/** Why a text cannot be filled: in words, with its place. */
export interface FillFault {
  readonly fault: string;
  readonly at: Place | undefined;
}

/** The fields with all of their texts filled, in order. @param isLenient true for a text that stays as it is if a name is missing */
export async function filled(
  fillings: readonly TemplatedField[],
  form: TemplateForm,
  isLenient: IsLenient = () => false,
): Promise<readonly (Placed | FillFault)[]> {
  const all = fillings.map((each) => ({ ...each, values: JSON.stringify(each.parameters.values) }));
  const answers = form.isGo ? await engineAnswers(all, form, isLenient) : new Map<string, FilledText>();
  return all.map(({ field, parameters, values }) => {
    const fill = (text: string, isKept: boolean): FilledText => {
      if (!form.isGo) return { text: plainly(text, parameters) };
      return simply(text, parameters) ?? answers.get(keyOf(text, values, isKept)) ?? unanswered;
    };
    return new Filler(fill, parameters, isLenient).fill(field, []);
  });
}

type IsLenient = (path: readonly string[]) => boolean;

const unanswered = { fault: "it was not rendered", isMissing: false };

function keyOf(text: string, values: string, isKept: boolean): string {
  return [text, values, isKept].join("\u0000");
}

interface AskedTemplate {
  readonly text: string;
  readonly values: string;
}

/** What Go's engine makes of texts. Where a missing name leaves a text as it is, it is an error to the engine. */
async function engineAnswers(
  fillings: readonly (TemplatedField & { readonly values: string })[],
  { options }: TemplateForm,
  isLenient: IsLenient,
): Promise<ReadonlyMap<string, FilledText>> {
  const asked = [false, true].map(() => new Map<string, AskedTemplate>());
  for (const { field, parameters, values } of fillings)
    for (const { text, path } of textsIn(field))
      if (simply(text, parameters) === undefined) {
        const isKept = isLenient(path);
        asked[Number(isKept)]?.set(keyOf(text, values, isKept), { text, values });
      }
  const strict = [...options.filter((each) => !each.startsWith("missingkey=")), "missingkey=error"];
  const answers = await Promise.all([
    answersFor(asked[0] ?? new Map(), options),
    answersFor(asked[1] ?? new Map(), strict),
  ]);
  return new Map(answers.flatMap((each) => [...each]));
}

async function answersFor(
  asked: ReadonlyMap<string, AskedTemplate>,
  options: readonly string[],
): Promise<ReadonlyMap<string, FilledText>> {
  if (asked.size === 0) return new Map();
  const templates = [...asked.values()].map((each) => ({ ...each, file: "" }));
  const rendered = await renderTemplates({ includes: new Map(), task: "applicationset", options, templates });
  return new Map([...asked.keys()].map((key, index) => [key, answerOf(rendered[index])]));
}

type FilledText = { readonly text: string } | { readonly fault: string; readonly isMissing: boolean };
type RenderedTemplate = Awaited<ReturnType<typeof renderTemplates>>[number];

function answerOf(rendered: RenderedTemplate | undefined): FilledText {
  if (rendered === undefined) return unanswered;
  if ("text" in rendered) return rendered;
  const { what, name } = rendered.fault;
  const words = faultWords[what];
  return { fault: name === undefined ? words : `${words}: \`${name}\``, isMissing: what === "missing-key" };
}

export const faultWords: Readonly<
  Record<Extract<RenderedTemplate, { fault: unknown }>["fault"]["what"], string>
> = {
  parse: "the Go template is not valid",
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
function simply(text: string, { values }: SetParameters): FilledText | undefined {
  let isSimple = true;
  const made = withTags(text, (_, inside) => {
    const [, path] = /^ *((?:\.[A-Za-z_]\w*)+) *$/.exec(inside) ?? [];
    const value = path?.split(".").slice(1).reduce<unknown>(memberOf, values);
    isSimple &&= typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return goText(value);
  });
  return isSimple && !made.includes("{{") ? { text: made } : undefined;
}

/** A text with something else for each `{{ }}`. A pattern would look for the end of each `{{` again. */
function withTags(text: string, made: (whole: string, inside: string) => string): string {
  let result = "";
  let at = 0;
  for (;;) {
    const start = text.indexOf("{{", at);
    const end = start < 0 ? -1 : text.indexOf("}}", start + 2);
    if (end < 0) return result + text.slice(at);
    result += text.slice(at, start) + made(text.slice(start, end + 2), text.slice(start + 2, end));
    at = end + 2;
  }
}

function memberOf(value: unknown, key: string): unknown {
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Names that no parameter has stay as they are. */
function plainly(text: string, { values }: SetParameters): string {
  return withTags(text, (whole, tag) => {
    const value = values[tag.trim()];
    return typeof value === "string" ? value : whole;
  });
}

function isTemplate(text: string): boolean {
  return text.includes("{{");
}

/** The texts of a field that are templates, with their paths. */
function textsIn(
  field: Placed,
  path: readonly string[] = [],
): readonly { text: string; path: readonly string[] }[] {
  const { value } = opened(field);
  if (typeof value === "string") return isTemplate(value) ? [{ text: value, path }] : [];
  if (Array.isArray(value))
    return (value as readonly Placed[]).flatMap((each, index) => textsIn(each, [...path, String(index)]));
  if (!(value instanceof Map)) return [];
  return [...(value as PlacedMembers)].flatMap(([key, each]) => [
    ...(isTemplate(key) ? [{ text: key, path: [] }] : []),
    ...textsIn(each, [...path, key]),
  ]);
}

class Filler {
  private readonly answer: (text: string, isKept: boolean) => FilledText;
  private readonly parameters: SetParameters;
  private readonly isLenient: IsLenient;

  constructor(answer: Filler["answer"], parameters: SetParameters, isLenient: IsLenient) {
    this.answer = answer;
    this.parameters = parameters;
    this.isLenient = isLenient;
  }

  fill(field: Placed, path: readonly string[]): Placed | FillFault {
    if (isHidden(field)) {
      const made = this.fill(opened(field), path);
      return "fault" in made ? made : hide(made);
    }
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
      const name = isTemplate(key) ? this.answer(key, false) : { text: key };
      if ("fault" in name) return { fault: name.fault, at: each.at };
      const own = this.fill(each, [...path, key]);
      if ("fault" in own) return own;
      made.set(name.text, own);
    }
    return { ...field, value: made };
  }

  private fillText(field: Placed, text: string, path: readonly string[]): Placed | FillFault {
    const isKept = this.isLenient(path);
    const answer = this.answer(text, isKept);
    if ("fault" in answer && answer.isMissing && isKept) return field;
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
