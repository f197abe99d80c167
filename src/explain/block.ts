// Values as lines of YAML: keys nested, short values on the line of their key, long lists and texts below it.
import type { ExplainedValue } from "../explanation.ts";
import { isLiteralSafe, Kind } from "../yaml/index.ts";
import { type Line, linesBy } from "./lines.ts";
import { nodeOfLine, oneLine } from "./one-line.ts";

export { hidden, type Line } from "./lines.ts";

/** How long a list may be on one line. */
const longest = 60;

export function linesOf(values: readonly ExplainedValue[]): Line[] {
  return linesBy(valueLines, values);
}

/** The value on the line of its key, or from that line on. */
function valueLines(text: string): string[] {
  if (text.startsWith("[") && text.length > longest) return listLines(text) ?? [text];
  return text.startsWith('"') && text.includes("\\n") ? (blockLines(text) ?? [text]) : [text];
}

function listLines(text: string): string[] | undefined {
  const list = nodeOfLine(text);
  if (list === undefined || !list.isSequence) return undefined;
  return ["", ...list.children().map((child) => `- ${oneLine(child)}`)];
}

function blockLines(text: string): string[] | undefined {
  const scalar = nodeOfLine(text);
  if (scalar === undefined || scalar.kind !== Kind.double) return undefined;
  const content = scalar.text;
  if (!isLiteralSafe(content) || /^\s|\n\n$/.test(content)) return undefined;
  const ended = content.endsWith("\n");
  return [ended ? "|" : "|-", ...(ended ? content.slice(0, -1) : content).split("\n")];
}

/** The lines of a text in double quotes that has several. */
export function textLinesOf(text: string): readonly string[] | undefined {
  if (!(text.startsWith('"') && text.includes("\\n"))) return undefined;
  const scalar = nodeOfLine(text);
  return scalar?.kind === Kind.double ? scalar.text.split("\n") : undefined;
}
