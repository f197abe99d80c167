// The texts of a ResourceSet, filled with inputs by Go's templates. Each line of what is made has the place of the line of the
// template that it comes from.
import { renderTemplates, TemplateMarks } from "../../engine/index.ts";
import type { Place, Variable } from "../../explanation.ts";
import { distinct } from "../../grouped.ts";
import { lineIndex } from "../../yaml/index.ts";
import { faultWords } from "../argo/template.ts";
import type { SetParameters } from "../argo/parameters-of-sets.ts";
import { delimiters, hasAction, type SetLine } from "./set-texts.ts";

/** Lines of a template, and an input. */
export interface SetFilling {
  readonly lines: readonly SetLine[];
  readonly input: SetParameters;
}

/** Why a template makes nothing: in words, with its place. */
export interface UnmadeText {
  readonly fault: string;
  readonly at: Place | undefined;
  /** True for what the cluster knows, and nothing here. */
  readonly isUnknown: boolean;
}

/** So many are one question to the engine, which has a deadline. */
const mostAtOnce = 500;

export async function filled(fillings: readonly SetFilling[]): Promise<readonly (MadeText | UnmadeText)[]> {
  const texts = new Map(
    fillings.map(({ lines }) => [lines, `${lines.map(({ text }) => text).join("\n")}\n`]),
  );
  const values = new Map(fillings.map(({ input }) => [input, JSON.stringify(input.values)]));
  const marks = new TemplateMarks(new Set([...texts.values(), ...values.values()]), delimiters);
  const marked = new Map([...texts].map(([lines, text]) => [lines, marks.marked(text)]));
  const asked = fillings.filter(({ lines }) => hasAction(texts.get(lines) ?? ""));
  const answers = await rendered(
    asked.map(({ lines, input }) => ({
      file: "",
      text: marked.get(lines) ?? "",
      values: values.get(input) ?? "{}",
    })),
  );
  const byFilling = new Map(asked.map((each, index) => [each, answers[index]]));
  return fillings.map((filling) => {
    const answer = byFilling.get(filling);
    if (answer === undefined) return new MadeText(texts.get(filling.lines) ?? "", filling, (line) => line);
    if ("fault" in answer) return faultIn(answer.fault, filling);
    const { text, near } = marks.unmarked(answer.text);
    return new MadeText(text, filling, (line) => near.get(line) ?? 1);
  });
}

type Templates = Parameters<typeof renderTemplates>[0]["templates"];

async function rendered(templates: Templates): ReturnType<typeof renderTemplates> {
  const all: Awaited<ReturnType<typeof renderTemplates>>[number][] = [];
  for (let at = 0; at < templates.length; at += mostAtOnce) {
    const batch = templates.slice(at, at + mostAtOnce);
    all.push(...(await renderTemplates({ includes: new Map(), task: "resourceset", templates: batch })));
  }
  return all;
}

function faultIn(
  {
    what,
    name,
    line,
  }: { readonly what: keyof typeof faultWords; readonly name?: string; readonly line?: number },
  { lines }: SetFilling,
): UnmadeText {
  const isId = what === "missing-key" && name === "id";
  const isSlug = what === "failed" && name === "slugify";
  const words = what === "missing-key" ? "no input has this name" : faultWords[what];
  const named = name === undefined ? words : `${words}: \`${name}\``;
  const odd = isId
    ? "`inputs.id` is known in the cluster only"
    : "what `slugify` makes of it is not known here";
  return {
    fault: isId || isSlug ? odd : named,
    at: (lines[(line ?? 1) - 1] ?? lines[0])?.at,
    isUnknown: isId || isSlug || what === "impure",
  };
}

/** A text that was made. */
export class MadeText {
  readonly bytes: Buffer;
  private readonly filling: SetFilling;
  private readonly lineOf: (line: number) => number;
  private readonly positionOf: ReturnType<typeof lineIndex>;

  /** @param lineOf the line of the template for one of the text */
  constructor(text: string, filling: SetFilling, lineOf: (line: number) => number) {
    this.bytes = Buffer.from(text, "utf8");
    this.filling = filling;
    this.lineOf = lineOf;
    this.positionOf = lineIndex(this.bytes);
  }

  /** Where a value is written. Columns behind an action are those of no file. */
  placeAt(offset: number): Place {
    const { text, at, isText } = this.templateLine(offset);
    if (at === undefined) return { of: "text" };
    const { column, ...place } = at;
    if (column === undefined || hasAction(text)) return place;
    const indent = text.length - text.trimStart().length;
    return { ...place, column: isText ? column + this.positionOf(offset).column - 1 - indent : column };
  }

  /** The same with the column of the line's first character. */
  lineAt(offset: number): Place | undefined {
    return this.templateLine(offset).at;
  }

  /** The inputs that the line of the template names. */
  variablesAt(offset: number): readonly Variable[] {
    const { places } = this.filling.input;
    const names = [...this.templateLine(offset).text.matchAll(/\binputs((?:\.\w+)+)/g)];
    const found = names.flatMap(([, path = ""]): Variable[] => {
      const at = places.get(path.slice(1));
      return at === undefined ? [] : [{ name: `inputs${path}`, at }];
    });
    return distinct(found, ({ name }) => name);
  }

  private templateLine(offset: number): SetLine {
    const line = this.filling.lines[this.lineOf(this.positionOf(offset).line) - 1];
    return line ?? { text: "", at: undefined, isText: false };
  }
}
