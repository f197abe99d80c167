// Where the lines of a rendered template came from. Each line that begins with text gets a mark, right before its first
// visible character: text is written as it stands, and no action trims more or less because of a mark. What the engine
// writes, less the marks, is what it would have written.
import { actionsIn } from "./include-calls.ts";

/** Characters that YAML does not take, so nobody's text holds them. */
const before = "\u0001";
const after = "\u0002";

/** Lines of a rendered text (1-based) → lines of its template. */
export type TemplateLines = ReadonlyMap<number, number>;

/** False where marks could be mistaken for text. @param texts all that comes into a rendered text: templates, values, includes */
export function mayMark(texts: Iterable<string>): boolean {
  for (const text of texts) if (text.includes(before) || spelledMark.test(text)) return false;
  return true;
}

/** As Go and JSON escape it, or format a number as it. */
const spelledMark = /\\(?:x01|u0001|U00000001|001)|%[^%]?c/;

/** A template with marks. */
export function marked(text: string): string {
  const actions = [...actionsIn(text)];
  let result = "";
  let at = 0;
  let action = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const indent = /^[ \t\r]*/.exec(line)?.[0].length ?? 0;
    while (action < actions.length && (actions[action]?.end ?? 0) <= at) action++;
    const isText = at + indent < (actions[action]?.start ?? text.length);
    const isMarked = isText && indent < line.length;
    result += isMarked ? line.slice(0, indent) + markOf(index + 1) + line.slice(indent) : line;
    at += line.length + 1;
    if (at <= text.length) result += "\n";
  }
  return result;
}

function markOf(line: number): string {
  return `${before}${line}${after}`;
}

/** A rendered text less its marks, and what they tell: of a line the last mark before its first visible character. */
export function unmarked(text: string): { readonly text: string; readonly lines: TemplateLines } {
  const lines = new Map<number, number>();
  if (!text.includes(before)) return { text, lines };
  const plain = text.split("\n").map((line, index) => {
    const [lead = ""] = leading.exec(line) ?? [];
    const from = [...lead.matchAll(marks)].at(-1)?.[1];
    if (from !== undefined) lines.set(index + 1, Number(from));
    return line.replaceAll(marks, "");
  });
  return { text: plain.join("\n"), lines };
}

// oxlint-disable-next-line no-control-regex -- naming control characters is the point
const marks = /\u0001(\d+)\u0002/g;
// oxlint-disable-next-line no-control-regex -- naming control characters is the point
const leading = /^(?:[ \t]|\u0001\d+\u0002)*/;

/** A column of a marked line, as it is without the mark. */
export function columnWithout(text: string, line: number, column: number): number {
  const source = text.split("\n")[line - 1] ?? "";
  const start = source.indexOf(before);
  const width = start < 0 ? 0 : source.indexOf(after) + 1 - start;
  return width > 0 && column > start + width ? column - width : column;
}
