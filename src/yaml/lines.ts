// Lines moved sideways as a whole: the only thing ever done to copied text.

/** Moves whole lines by a number of columns. */
export function shiftLines(lines: string, by: number): string {
  return by === 0 || lines === ""
    ? lines
    : moveRest(`\n${lines}`, (line) => shiftLine(line, by, 0, 0)).slice(1);
}

/** A part of a text, from an offset to another. */
export type TextSpan = readonly [start: number, end: number];

/**
 * Moves all lines but the first, which follows its key. Content never goes below column `least`. A comment may,
 * because at its place it could become content of a block scalar; but not to column 0 if it was deeper between brackets:
 * not every reader takes it there.
 */
export function shiftRest(
  text: string,
  by: number,
  least: number,
  { spans, texts }: BracketSpans = noBrackets,
): string {
  return moveRest(text, (line, at) => {
    const isIn = ([start, end]: TextSpan): boolean => start < at && at < end;
    if (!/^ *#/.test(line)) return shiftLine(line, by, least, 0);
    if (texts.some(isIn)) return shiftLine(line, by, least, least);
    return shiftLine(line, by, least, line.startsWith(" ") && spans.some(isIn) ? 1 : 0);
  });
}

/** Brackets that span lines, and quoted texts that do. */
export interface BracketSpans {
  readonly spans: readonly TextSpan[];
  readonly texts: readonly TextSpan[];
}

const noBrackets: BracketSpans = { spans: [], texts: [] };

/**
 * The same for text between brackets, where a comment is as deep as anything else. A blank line loses its spaces and
 * tabs: they mean nothing there, and once the brackets are opened Go refuses a tab left of the text.
 */
export function shiftFlow(text: string, by: number, least: number): string {
  return moveRest(text, (line) => (line.trim() === "" ? "" : shiftLine(line, by, least, least)));
}

/** @param move given a line and its offset */
function moveRest(text: string, move: (line: string, at: number) => string): string {
  if (!text.includes("\n")) return text;
  const [first = "", ...rest] = text.split("\n");
  let at = first.length + 1;
  const moved = rest.map((line) => {
    const result = move(line, at);
    at += line.length + 1;
    return result;
  });
  return [first, ...moved].join("\n");
}

/** @param leastOfComment the least column of a comment */
function shiftLine(line: string, by: number, least: number, leastOfComment: number): string {
  const content = line.trimStart();
  const spaces = /^ */.exec(line)?.[0].length ?? 0;
  if (line === "") return line;
  const bound = content === "" ? 0 : content.startsWith("#") ? leastOfComment : least;
  return pad(Math.max(bound, spaces + by)) + line.slice(spaces);
}

export function pad(column: number): string {
  return pads[column] ?? " ".repeat(column);
}

const pads = Array.from({ length: 64 }, (_, column) => " ".repeat(column));

/** Moves an entry's own comments; none stays deeper than the entry, where a block scalar above would take it for content. */
export function shiftLead(lines: string, by: number, column: number): string {
  return lines.replaceAll(/^( *)(?=#)/gm, (spaces) => pad(Math.min(column, Math.max(0, spaces.length + by))));
}

/** Without any of some characters at the end. A regular expression would look for the end at each of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Without blank lines at the end, and without spaces on those between: nothing here is content. */
export function withoutBlankEnd(lines: string): string {
  const text = withoutBlanks(lines);
  const content = withoutEnd(text, "\n");
  return content === "" || content === text ? content : `${content}\n`;
}

/** Spaces on otherwise blank lines could be taken for content of a block scalar above. */
export function withoutBlanks(lines: string): string {
  return lines.replaceAll(/^[ \t]+$/gm, "");
}
