// Marks in a template's own text, which is read by Go's lexical rules. Nothing is run. Each line that begins with text gets a mark, right before its first visible character: text is written as it is,
// and no action trims more or less because of a mark. So the engine's output without the marks is what it would have
// written, and the marks say which line of the template a line came from.
import { createHash } from "node:crypto";
import type { TemplateFault } from "./need.ts";

/** From `{{` to the end of `}}`. */
interface Action {
  readonly start: number;
  readonly end: number;
}

/** The actions of a template, in order; the rest of it is text that is written as it is. */
function* actionsIn(text: string): Generator<Action> {
  for (let start = text.indexOf("{{"); start >= 0;) {
    const comment = /^\{\{(?:-\s)?\s*\/\*/.exec(text.slice(start, start + 64));
    const end = comment === null ? actionEnd(text, start + 2) : commentEnd(text, start + comment[0].length);
    yield { start, end };
    start = text.indexOf("{{", end);
  }
}

const token =
  /"(?:[^"\\\n]|\\.)*"?|`[^`]*`?|'(?:[^'\\\n]|\\.)*'?|\}\}|[.$]?[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z_.]*|[^]/g;

function commentEnd(text: string, from: number): number {
  const end = text.indexOf("*/", from);
  return end < 0 ? text.length : actionEnd(text, end + 2);
}

function actionEnd(text: string, from: number): number {
  const tokens = new RegExp(token);
  tokens.lastIndex = from;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text))
    if (found[0] === "}}") return tokens.lastIndex;
  return text.length;
}

/** Lines of a rendered text (1-based) → lines of its template. */
export type TemplateLines = ReadonlyMap<number, number>;

/** A rendered text without its marks, and the lines that they name. */
export interface Unmarked {
  readonly text: string;
  readonly lines: TemplateLines;
}

/** Short: every line has a mark. */
const signLength = 12;

/** Marks of one render: their sign follows from all that comes into its texts, so nothing that comes into them holds it. */
export class TemplateMarks {
  private readonly start: string;
  private readonly all: RegExp;
  private readonly leading: RegExp;

  /** @param texts templates, values and includes */
  constructor(texts: Iterable<string>) {
    const hash = createHash("sha256");
    for (const text of texts) hash.update(`${text.length}\n${text}`);
    this.start = `\u0001${hash.digest("base64url").slice(0, signLength)}:`;
    this.all = new RegExp(`${this.start}(\\d+)\u0002`, "g");
    this.leading = new RegExp(`^(?:[ \\t]|${this.start}\\d+\u0002)*`);
  }

  /** A template with marks. */
  marked(text: string): string {
    const actions = [...actionsIn(text)];
    let result = "";
    let at = 0;
    let action = 0;
    for (const [index, line] of text.split("\n").entries()) {
      const indent = /^[ \t\r]*/.exec(line)?.[0].length ?? 0;
      while (action < actions.length && (actions[action]?.end ?? 0) <= at) action++;
      const isText = at + indent < (actions[action]?.start ?? text.length);
      const isMarked = isText && indent < line.length;
      result += isMarked ? line.slice(0, indent) + this.markOf(index + 1) + line.slice(indent) : line;
      at += line.length + 1;
      if (at <= text.length) result += "\n";
    }
    return result;
  }

  /** The last mark before the first visible character of a line gives its origin. */
  unmarked(text: string): Unmarked {
    const lines = new Map<number, number>();
    if (!text.includes(this.start)) return { text, lines };
    const plain = text.split("\n").map((line, index) => {
      const [lead = ""] = this.leading.exec(line) ?? [];
      const from = [...lead.matchAll(this.all)].at(-1)?.[1];
      if (from !== undefined) lines.set(index + 1, Number(from));
      return line.replaceAll(this.all, "");
    });
    return { text: plain.join("\n"), lines };
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
