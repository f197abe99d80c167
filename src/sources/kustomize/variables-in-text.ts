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
  let before: Node | undefined;
  return ({ doc, row }) => {
    before ??= rootOfText(text);
    if (before === undefined || before.doc.rows.length !== doc.rows.length) return [];
    const names = scalarsIn(new Node(before.doc, row)).flatMap((each) => namesIn(each.text));
    return distinct(names, (name) => name).flatMap((name) => byName.get(name) ?? []);
  };
}

/**
 * A text whose variables are replaced, in the places of the text before that: line by line, if both have as many. A
 * column is known as far as the line is the same.
 */
export function filledText(before: SourceText, bytes: Uint8Array, asked: readonly Variable[]): SourceText {
  const [own, filled] = [linesIn(before.bytes), linesIn(bytes)];
  const byName = new Map(asked.map((each) => [each.name, each]));
  const placed = lineIndex(bytes);
  return {
    bytes,
    placeAt: (offset) => {
      const { line, column } = placed(offset);
      const { start, text } = own[line - 1] ?? { start: 0, text: "" };
      const isSame = text.startsWith(filled[line - 1]?.text.slice(0, column - 1) ?? "");
      const place = before.placeAt(start + (isSame ? column - 1 : 0));
      const { file = "", line: known } = place;
      if (own.length !== filled.length || known === undefined) return { of: "file", file };
      return isSame ? place : { of: "file", file, line: known };
    },
    variablesAt: (offset) =>
      namesIn(own[placed(offset).line - 1]?.text ?? "").flatMap((name) => byName.get(name) ?? []),
  };
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
