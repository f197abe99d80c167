// Lines moved sideways as a whole: the only thing ever done to copied text.

/** Moves whole lines by a number of columns. */
export function shiftLines(lines: string, by: number): string {
  return by === 0 || lines === "" ? lines : shiftRest(`\n${lines}`, by, 0).slice(1);
}

/** Moves all lines but the first, which stands behind its key. Content never goes below column `least`. */
export function shiftRest(text: string, by: number, least: number): string {
  if (!text.includes("\n")) return text;
  const [first = "", ...rest] = text.split("\n");
  return [first, ...rest.map((line) => shiftLine(line, by, least))].join("\n");
}

function shiftLine(line: string, by: number, least: number): string {
  const content = line.trimStart();
  const spaces = /^ */.exec(line)?.[0].length ?? 0;
  if (line === "") return line;
  const column = Math.max(content === "" || content.startsWith("#") ? 0 : least, spaces + by, 0);
  return pad(column) + line.slice(spaces);
}

export function pad(column: number): string {
  return pads[column] ?? " ".repeat(column);
}

const pads = Array.from({ length: 64 }, (_, column) => " ".repeat(column));

/** Moves an entry's own comments; none stays deeper than the entry, where a block scalar above would take it for content. */
export function shiftLead(lines: string, by: number, column: number): string {
  return lines.replaceAll(/^( *)(?=#)/gm, (spaces) => pad(Math.min(column, Math.max(0, spaces.length + by))));
}

/** Without blank lines at the end, and without spaces on those between: nothing here is content. */
export function withoutBlankEnd(lines: string): string {
  return withoutBlanks(lines).replace(/\n+$/, "\n").replace(/^\n$/, "");
}

/** Spaces on otherwise blank lines could be taken for content of a block scalar above. */
export function withoutBlanks(lines: string): string {
  return lines.replaceAll(/^[ \t]+$/gm, "");
}
