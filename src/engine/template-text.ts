// Marks in a template's own text, which is read by Go's lexical rules. Nothing is run. Each line that begins with text gets a
// mark, right before its first visible character: text is written as it is, and no action trims more or less because of a mark.
// So the engine's output without the marks is what it would have written, and the marks say which line of the template a line
// came from.
import { createHash } from "node:crypto";
import type { TemplateFault } from "./go-templates.ts";

export interface Delimiters {
  readonly left: string;
  readonly right: string;
}

const braces: Delimiters = { left: "{{", right: "}}" };

/** From `{{` to the end of `}}`. */
interface Action {
  readonly start: number;
  readonly end: number;
}

/** The actions of a template, in order; the rest of it is text that is written as it is. */
function* actionsIn(text: string, { left, right }: Delimiters): Generator<Action> {
  for (let start = text.indexOf(left); start >= 0;) {
    const from = start + left.length;
    const comment = /^(?:-\s)?\s*\/\*/.exec(text.slice(from, from + 64));
    const open = comment === null ? from : commentEnd(text, from + comment[0].length);
    const end = actionEnd(text, open, right);
    yield { start, end };
    start = text.indexOf(left, end);
  }
}

const token =
  /"(?:[^"\\\n]|\\.)*"?|`[^`]*`?|'(?:[^'\\\n]|\\.)*'?|\}\}|>>|[.$]?[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z_.]*|[^]/g;

function commentEnd(text: string, from: number): number {
  const end = text.indexOf("*/", from);
  return end < 0 ? text.length : end + 2;
}

function actionEnd(text: string, from: number, right: string): number {
  const tokens = new RegExp(token);
  tokens.lastIndex = from;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text))
    if (found[0] === right) return tokens.lastIndex;
  return text.length;
}

/** Lines of a rendered text (1-based) → lines of its template. */
export type TemplateLines = ReadonlyMap<number, number>;

/** A rendered text without its marks, and the lines that they name. */
export interface Unmarked {
  readonly text: string;
  readonly lines: TemplateLines;
  /** For every line the one that was written last before it: an action may write several lines. */
  readonly near: TemplateLines;
}

/** Short: every line has a mark. */
const signLength = 12;

/** Marks of one render: their sign follows from all that comes into its texts, so nothing that comes into them holds it. */
export class TemplateMarks {
  private readonly start: string;
  private readonly all: RegExp;
  private readonly leading: RegExp;
  private readonly delimiters: Delimiters;

  /** @param texts templates, values and includes */
  constructor(texts: Iterable<string>, delimiters = braces) {
    const hash = createHash("sha256");
    for (const text of texts) hash.update(`${text.length}\n${text}`);
    this.start = `\u0001${hash.digest("base64url").slice(0, signLength)}:`;
    this.all = new RegExp(`${this.start}(\\d+)\u0002`, "g");
    this.leading = new RegExp(`^(?:[ \\t]|${this.start}\\d+\u0002)*`);
    this.delimiters = delimiters;
  }

  /** A template with marks. */
  marked(text: string): string {
    const actions = [...actionsIn(text, this.delimiters)];
    let result = "";
    let done = 0;
    let at = 0;
    let action = 0;
    for (const [index, line] of text.split("\n").entries()) {
      const first = at + (/^[ \t\r]*/.exec(line)?.[0].length ?? 0);
      while (action < actions.length && (actions[action]?.end ?? 0) <= at) action++;
      const start = actions[action]?.start ?? text.length;
      if (first <= start && first < at + line.length) {
        const place = first === start ? this.beforeAction(text, start) : first;
        result += text.slice(done, place) + this.markOf(index + 1);
        done = place;
      }
      at += line.length + 1;
    }
    return result + text.slice(done);
  }

  /** Where a mark changes nothing of what is trimmed. */
  private beforeAction(text: string, start: number): number {
    const isTrimming = /^-\s/.test(text.slice(start + this.delimiters.left.length, start + 4));
    return isTrimming ? text.slice(0, start).trimEnd().length : start;
  }

  /** The last mark before the first visible character of a line gives its origin. */
  unmarked(text: string): Unmarked {
    const [lines, near] = [new Map<number, number>(), new Map<number, number>()];
    let last = 1;
    const plain = text.split("\n").map((line, index) => {
      const [lead = ""] = this.leading.exec(line) ?? [];
      const from = [...lead.matchAll(this.all)].at(-1)?.[1];
      if (from !== undefined) lines.set(index + 1, Number(from));
      near.set(index + 1, Number(from ?? last));
      last = Number([...line.matchAll(this.all)].at(-1)?.[1] ?? last);
      return line.replaceAll(this.all, "");
    });
    return { text: plain.join("\n"), lines, near };
  }

  /** A fault of a marked template, with its column as it is without the mark. @param text without marks */
  placed(fault: TemplateFault, text: string): TemplateFault {
    const { line, column } = fault;
    if (line === undefined || column === undefined) return fault;
    const source = this.marked(text).split("\n")[line - 1] ?? "";
    const start = source.indexOf(this.start);
    const width = start < 0 ? 0 : this.markOf(line).length;
    return width > 0 && column > start + width ? { ...fault, column: column - width } : fault;
  }

  private markOf(line: number): string {
    return `${this.start}${line}\u0002`;
  }
}
