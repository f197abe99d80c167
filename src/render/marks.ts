// Where the lines of a rendered template came from. Each line that begins with text gets a mark, right before its first
// visible character: text is written as it stands, and no action trims more or less because of a mark. What the engine
// writes, less the marks, is what it would have written.
import { createHash } from "node:crypto";
import { actionsIn } from "./include-calls.ts";
import type { TemplateFault } from "./template-need.ts";

/** Lines of a rendered text (1-based) → lines of its template. */
export type TemplateLines = ReadonlyMap<number, number>;

/** A rendered text less its marks, and what they tell. */
export interface Unmarked {
  readonly text: string;
  readonly lines: TemplateLines;
}

/** Short: a mark stands in every line. */
const signLength = 12;

/** Marks of one render: their sign follows from all that comes into its texts, so nothing that comes into them holds it. */
export class Marks {
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

  /** Of a line the last mark before its first visible character tells. */
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
