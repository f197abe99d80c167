// Values as lines of YAML: keys nested, short values on the line of their key, long lists and texts below it.
import type { ExplainedValue } from "../explanation.ts";
import {
  childrenOf,
  isFault,
  isLiteralSafe,
  isSequence,
  Kind,
  kindOf,
  type Node,
  quote,
  readDocument,
  scalarText,
} from "../core/index.ts";
import { oneLine } from "./one-line.ts";

/** A line of a view: of a value the first one, or one that only continues it or leads to it. */
export interface Line {
  readonly text: string;
  /** The value that begins here. */
  readonly value?: ExplainedValue;
  readonly depth: number;
}

export const hidden = "(secret)";

/** How long a list may be on one line. */
const longest = 60;
const step = "  ";

export function linesOf(values: readonly ExplainedValue[]): Line[] {
  const lines: Line[] = [];
  let open: readonly string[] = [];
  for (const value of values) {
    const { path, elements } = value;
    const isElement = (depth: number): boolean => elements?.includes(depth) === true;
    if (path.length === 0) {
      const [first = "", ...rest] = valueLines(value.text ?? hidden);
      lines.push(
        { text: first, value, depth: 0 },
        ...rest.map((text) => ({ text: text === "" ? "" : step + text, depth: 1 })),
      );
      continue;
    }
    const shared = path.findIndex((key, index) => open[index] !== key);
    const indent = new Indent();
    for (let depth = Math.max(0, shared); depth < path.length - 1; depth++) {
      const key = path[depth] ?? "";
      if (isElement(depth)) indent.dash(depth);
      else lines.push({ text: `${indent.at(depth)}${quote(key)}:`, depth });
    }
    const depth = path.length - 1;
    const key = path[depth] ?? "";
    const [first = "", ...rest] = value.mapping === true ? [""] : valueLines(value.text ?? hidden);
    if (isElement(depth)) indent.dash(depth);
    const head = isElement(depth) ? indent.at(depth + 1).trimEnd() : `${indent.at(depth)}${quote(key)}:`;
    lines.push({ text: first === "" ? head : `${head} ${first}`, value, depth });
    for (const text of rest) lines.push({ text: text === "" ? "" : step.repeat(depth + 1) + text, depth });
    open = value.mapping === true ? path : path.slice(0, -1);
  }
  return lines;
}

/** The text before a key: the first key of a list element has a dash there. */
class Indent {
  private dashAt: number | undefined;

  dash(depth: number): void {
    this.dashAt = depth;
  }

  at(depth: number): string {
    const { dashAt } = this;
    this.dashAt = undefined;
    return dashAt === undefined
      ? step.repeat(depth)
      : `${step.repeat(dashAt)}- ${step.repeat(depth - dashAt - 1)}`;
  }
}

/** The value on the line of its key, or from that line on. */
function valueLines(text: string): string[] {
  if (text.startsWith("[") && text.length > longest) return listLines(text) ?? [text];
  return text.startsWith('"') && text.includes("\\n") ? (blockLines(text) ?? [text]) : [text];
}

function listLines(text: string): string[] | undefined {
  const list = read(text);
  if (list === undefined || !isSequence(list)) return undefined;
  return ["", ...childrenOf(list).map((child) => `- ${oneLine(child)}`)];
}

function blockLines(text: string): string[] | undefined {
  const scalar = read(text);
  if (scalar === undefined || kindOf(scalar) !== Kind.double) return undefined;
  const content = scalarText(scalar);
  if (!isLiteralSafe(content) || /^\s|\n\n$/.test(content)) return undefined;
  const ended = content.endsWith("\n");
  return [ended ? "|" : "|-", ...(ended ? content.slice(0, -1) : content).split("\n")];
}

function read(text: string): Node | undefined {
  const doc = readDocument(Buffer.from(`${text}\n`, "utf8"));
  return isFault(doc) ? undefined : { doc, row: 0 };
}
