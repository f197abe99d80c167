// Which variables of Flux a value in a text is made with, and where it is written. Flux replaces them in the text as a whole.
import type { Variable } from "../../explanation.ts";
import { lineIndex, Node } from "../../yaml/index.ts";
import { distinct } from "../../grouped.ts";
import { rootOfText } from "../plain.ts";
import { scalarsIn, type SourceText } from "./marks.ts";

/**
 * Nothing is said of a text that has other nodes once its variables are replaced.
 * @param text before that
 * @param asked the variables that the text as a whole asks for
 */
export function variablesInText(
  text: Uint8Array,
  asked: readonly Variable[],
): (value: Node) => readonly Variable[] {
  const byName = new Map(asked.map((each) => [each.name, each]));
  const { words, expressions } = withWords(Buffer.from(text).toString("utf8"));
  let before: Node | undefined;
  return ({ doc, row }) => {
    before ??= rootOfText(Buffer.from(words, "utf8"));
    if (before === undefined || before.doc.rows.length !== doc.rows.length) return [];
    const numbers = scalarsIn(new Node(before.doc, row)).flatMap((each) => [...each.text.matchAll(word)]);
    const names = numbers.flatMap(([, number]) => namesIn(expressions[Number(number)] ?? ""));
    return distinct(names, (name) => name).flatMap((name) => byName.get(name) ?? []);
  };
}

/** A word, with the number of its expression. */
const word = /vfv(\d+)v/g;
const mostNested = 10;

/**
 * A text with a word in place of each expression, the inner ones first: between brackets `${x}` would be a mapping. A text that has
 * such words itself stays as it is.
 */
function withWords(text: string): { readonly words: string; readonly expressions: readonly string[] } {
  const expressions: string[] = [];
  let words = text;
  for (let depth = 0; depth < mostNested && !text.includes("vfv"); depth++) {
    const count = expressions.length;
    words = words.replaceAll(/\$\$|\$\{[^{}\n]*\}/g, (expression) =>
      expression === "$$" ? expression : `vfv${expressions.push(expression) - 1}v`,
    );
    if (expressions.length === count) break;
  }
  return { words, expressions };
}

/**
 * A text whose variables are replaced, in the places of the text before that: line by line, if both have as many. A
 * column is known as far as the line is the same.
 */
export function filledText(before: SourceText, bytes: Uint8Array, asked: readonly Variable[]): SourceText {
  const own = linesIn(before.bytes);
  const isSame = isSameUpTo(before.bytes, bytes);
  const byName = new Map(asked.map((each) => [each.name, each]));
  const placed = lineIndex(bytes);
  const { file = "" } = before.placeAt(0);
  return {
    bytes,
    placeAt: (offset) => {
      const { line, column } = placed(offset);
      const hasColumn = isSame(line, column);
      if (hasColumn === undefined) return { of: "file", file };
      const place = before.placeAt((own[line - 1]?.start ?? 0) + (hasColumn ? column - 1 : 0));
      return hasColumn || place.line === undefined ? place : { of: "file", file, line: place.line };
    },
    variablesAt: (offset) =>
      namesOfLine(own[placed(offset).line - 1]?.text ?? "").flatMap((name) => byName.get(name) ?? []),
  };
}

/** Whether lines of a text are the same up to a column once variables are replaced; undefined if there are more or fewer. */
export function isSameUpTo(
  before: Uint8Array,
  after: Uint8Array,
): (line: number, column: number) => boolean | undefined {
  const [own, filled] = [linesIn(before), linesIn(after)];
  const isOther = own.some(({ text }, index) => !text.includes("$") && text !== filled[index]?.text);
  if (own.length !== filled.length || isOther) return () => undefined;
  const textAt = (lines: readonly StartedLine[], line: number): string => lines[line - 1]?.text ?? "";
  return (line, column) => textAt(own, line).startsWith(textAt(filled, line).slice(0, column - 1));
}

/** The names in a line that holds one value. A line with brackets may hold several; what a comment names is not used. */
function namesOfLine(text: string): readonly string[] {
  return /[[{#]/.test(withWords(text).words) ? [] : namesIn(text);
}

interface StartedLine {
  readonly start: number;
  readonly text: string;
}

function linesIn(bytes: Uint8Array): readonly StartedLine[] {
  const lines: StartedLine[] = [];
  let start = 0;
  for (const text of Buffer.from(bytes).toString("latin1").trimEnd().split("\n")) {
    lines.push({ start, text });
    start += text.length + 1;
  }
  return lines;
}

/** The names of expressions, less those in a default: it may not be used. `$$` is a dollar. */
function namesIn(text: string): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [part, name] of text.matchAll(/\$\$|\$\{#?([\p{L}\p{Nd}_]*)|\}/gu)) {
    if (part === "}") depth = Math.max(0, depth - 1);
    if (name === undefined) continue;
    if (depth === 0) names.push(name);
    depth++;
  }
  return names;
}
