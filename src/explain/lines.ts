// Values as lines of YAML, without a reader of YAML: the page's script has none. How a value continues below its key is
// the caller's choice.
import { quote } from "../yaml/index.ts";
import type { ExplainedValue } from "../explanation.ts";

/** A line of a view: of a value the first one, or one that only continues it or leads to it. */
export interface Line {
  readonly text: string;
  /** The value that begins here. */
  readonly value?: ExplainedValue;
  /** The value that it continues. */
  readonly rest?: ExplainedValue;
  readonly depth: number;
}

export const hidden = "(secret)";

const step = "  ";

/** @param spread a value's text as the line of its key, and lines below it */
export function linesBy(
  spread: (text: string) => readonly string[],
  values: readonly ExplainedValue[],
): Line[] {
  const lines: Line[] = [];
  let open: readonly string[] = [];
  for (const value of values) {
    const { path, elements } = value;
    const isElement = (depth: number): boolean => elements?.includes(depth) === true;
    if (path.length === 0) {
      const [first = "", ...rest] = spread(value.text ?? hidden);
      lines.push(
        { text: first, value, depth: 0 },
        ...rest.map((text) => ({ text: text === "" ? "" : step + text, rest: value, depth: 1 })),
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
    const [first = "", ...rest] = value.mapping === true ? [""] : spread(value.text ?? hidden);
    if (isElement(depth)) indent.dash(depth);
    const head = isElement(depth) ? indent.at(depth + 1).trimEnd() : `${indent.at(depth)}${quote(key)}:`;
    lines.push({ text: first === "" ? head : `${head} ${first}`, value, depth });
    for (const text of rest)
      lines.push({ text: text === "" ? "" : step.repeat(depth + 1) + text, rest: value, depth });
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
