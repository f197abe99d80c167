// Names and values come from outside: what they may do to a terminal, a log or a comment is spelled out.
//
// Expressions are made in functions: a start that prints nothing would spend half a millisecond on them.

/** A text of one line: none of its control characters reaches a terminal or starts a line of its own. */
export function legible(line: string): string {
  // Nearly every line is.
  if (/^[\x20-\x7e]*$/.test(line)) return line;
  // Control characters, line separators, and all that is invisible or turns the direction of text.
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, spelledOut);
}

/** Of one text so many characters are printed: a path or a URL of a stranger may have any length. */
const mostCharacters = 2000;

/** Its start and its end, if it is very long. */
export function shortened(text: string): string {
  if (text.length <= mostCharacters) return text;
  const half = mostCharacters / 2;
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}

/** A colour or weight (SGR) of a terminal: what paints lines has them. */
const paint = String.raw`\u001b\[[\d;]*m`;

/** Whole lines for people: a runner of workflows takes none of them for a command. */
export function legibleText(text: string): string {
  if (text === "") return "";
  const painted = new RegExp(`(${paint})`);
  const startOfCommand = new RegExp(`^((?:\\s|${paint})*):(?=:)`);
  return text
    .split("\n")
    .map((line) => {
      const parts = line.split(painted).map((part, index) => (index % 2 === 1 ? part : legible(part)));
      return withoutCommand(parts.join(""), startOfCommand);
    })
    .join("\n");
}

/** GitHub reads `::` at the start of a line, and `##[` in any place; Azure reads `##vso[`. */
function withoutCommand(line: string, startOfCommand: RegExp): string {
  return line
    .replace(startOfCommand, (_, start: string) => start + spelledOut(":"))
    .replaceAll(/#(?=#(?:vso)?\[)/g, spelledOut);
}

function spelledOut(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
