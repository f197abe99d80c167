// Names and values come from outside: what they may do to a terminal, a log or a comment is spelled out.

/** Control characters, line separators, and all that is invisible or turns the direction of text. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text of one line: none of its control characters reaches a terminal or starts a line of its own. */
export function legible(line: string): string {
  // Nearly every line is.
  return /^[\x20-\x7e]*$/.test(line) ? line : line.replaceAll(hidden, spelledOut);
}

/** A colour or weight (SGR) of a terminal: what paints lines has them. */
const paint = String.raw`\u001b\[[\d;]*m`;
const painted = new RegExp(`(${paint})`);
const startOfCommand = new RegExp(`^((?:\\s|${paint})*):(?=:)`);

/** Whole lines for people: a runner of workflows takes none of them for a command. */
export function legibleText(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      withoutCommand(
        line
          .split(painted)
          .map((part, index) => (index % 2 === 1 ? part : legible(part)))
          .join(""),
      ),
    )
    .join("\n");
}

/** GitHub reads `::` at the start of a line, and `##[` in any place; Azure reads `##vso[`. */
function withoutCommand(line: string): string {
  return line
    .replace(startOfCommand, (_, start: string) => start + spelledOut(":"))
    .replaceAll(/#(?=#(?:vso)?\[)/g, spelledOut);
}

function spelledOut(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
