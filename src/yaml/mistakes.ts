// A text that is not YAML → the mistake that it most likely is, where it is. Readers report where they stop, which is often a line
// later, or the end of the file. Only our own words are in a fault: the text may be secret.
import type { ReadFault } from "./fault.ts";

type Mistake = Pick<ReadFault, "message" | "hint"> & { readonly offset: number };

interface TextLine {
  readonly start: number;
  readonly text: string;
}

/** @param at where the reader stops, in characters of the text; undefined where no mistake is known */
export function likelyMistake(text: string, at: number): Mistake | undefined {
  const [line, above] = linesUpTo(text, at);
  if (line === undefined) return undefined;
  const below = lineBelow(text, line);
  return (
    conflictIn(text) ??
    spaceMissing(line) ??
    (above && spaceMissing(above)) ??
    openQuote(text, at) ??
    bracketInString(text, at) ??
    openBracket(text, at, line) ??
    (above && tooDeep(line, above)) ??
    (below && tooDeep(below, line)) ??
    keyMissing(line) ??
    secondValue(line)
  );
}

/** The line of a place, and those above it that are not blank: the nearest first. */
function linesUpTo(text: string, at: number): readonly TextLine[] {
  const lines: TextLine[] = [];
  const end = text.indexOf("\n", Math.min(at, text.length - 1));
  let stop = end < 0 ? text.length : end;
  while (stop > 0 && lines.length < 2) {
    const start = text.lastIndexOf("\n", stop - 1) + 1;
    const own = text.slice(start, stop);
    if (/^\s*[^\s#]/.test(own)) lines.push({ start, text: own });
    stop = start - 1;
  }
  return lines;
}

function lineBelow(text: string, { start, text: own }: TextLine): TextLine | undefined {
  const from = start + own.length + 1;
  const [next] = text.slice(from).split("\n", 1);
  return next === undefined ? undefined : { start: from, text: next };
}

function conflictIn(text: string): Mistake | undefined {
  const found = /^(?:<{7}|>{7}) /m.exec(text);
  if (found === null) return undefined;
  return {
    message: "a merge conflict is in the file",
    hint: "keep one side, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
    offset: found.index,
  };
}

/** A text without a key, `replicaCount:5`: the cure; undefined where none is known. */
export function cureOfScalar(text: string): string | undefined {
  const found = spaceMissing({ start: 0, text: text.split("\n", 1)[0] ?? "" });
  return found && `${found.message}: ${found.hint}`;
}

/** `replicaCount:5`, and `-b` below `- a`. */
function spaceMissing({ start, text }: TextLine): Mistake | undefined {
  const [, before] = /^(\s*(?:- +)*(?:[\w./-]+|"[^"]*"|'[^']*'):)[^\s:/][^:]*(?::\S[^:]*)*$/.exec(text) ?? [];
  if (before !== undefined)
    return {
      message: "a space is missing after `:`",
      hint: "write `key: value`",
      offset: start + before.length,
    };
  const [, dash] = /^(\s*-)[A-Za-z"'[{][^:]*$/.exec(text) ?? [];
  return dash === undefined
    ? undefined
    : { message: "a space is missing after `-`", hint: "write `- element`", offset: start + dash.length };
}

/** The reader stops at the end of the text, or below it. */
function openQuote(text: string, at: number): Mistake | undefined {
  if (at < text.length && text[at] !== "\n") return undefined;
  const begun = [...text.slice(0, at).matchAll(/^(?:.*?[:,[{-][ \t]+|[ \t]*)(["'])/gm)].findLast(
    ({ 0: head, 1: quote = "", index }) => {
      const [rest = ""] = text.slice(index + head.length).split("\n", 1);
      return !rest.replaceAll(/\\./g, "").includes(quote);
    },
  );
  if (begun === undefined) return undefined;
  const offset = begun.index + begun[0].length - 1;
  // A later one may be its own.
  const isAlone = !text.includes(text[offset] ?? "", offset + 1);
  return {
    message: `the quote that begins here is not closed${isAlone ? "" : ", or a line of its text is not deeper than the key"}`,
    hint: "close it, or indent the other lines of its text deeper than the key",
    offset,
  };
}

/** `[a, b[0]]` and `path: [a-z]+`: the reader stops at the bracket, or after the one that closes. */
function bracketInString(text: string, at: number): Mistake | undefined {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const before = text.slice(start, at);
  const [inside] = /[[{]/.test(text[at] ?? "") ? (/[^\s,[\]{}"'][^,[\]{}"']*$/.exec(before) ?? []) : [];
  const hint = "put the string in quotes";
  if (inside !== undefined)
    return { message: "a string with a bracket in it has no quotes", hint, offset: at - inside.length };
  const [, head] = /^(\s*(?:- +)*(?:[^\s"'[{#][^:]*: +)?)[[{][^"'#]*[\]}][ \t]*$/.exec(before) ?? [];
  return head === undefined || !/[^\s#]/.test(text[at] ?? "")
    ? undefined
    : { message: "text follows the closing bracket of this value", hint, offset: start + head.length };
}

/** Of a bracket that is open at a place: it has no end, or what is inside of it is not indented. */
function openBracket(text: string, at: number, { start, text: own }: TextLine): Mistake | undefined {
  // At the end of the text, the bracket may be in its last line.
  const from = text.slice(at).trim() === "" ? text.length : start;
  const begun = [...text.slice(0, from).matchAll(/^(?:.*?[:-][ \t]+|[ \t]*)([[{])/gm)].at(-1);
  if (begun === undefined) return undefined;
  const offset = begun.index + begun[0].length - 1;
  const isOpenAt = (end: number): boolean => {
    const inside = text.slice(offset, end).replaceAll(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#.*/g, "");
    return (inside.match(/[[{]/g)?.length ?? 0) > (inside.match(/[\]}]/g)?.length ?? 0);
  };
  if (!isOpenAt(from)) return undefined;
  return isOpenAt(text.length)
    ? {
        message: "the bracket that begins here is not closed",
        hint: "close it, or put quotes around a string that begins with a bracket",
        offset,
      }
    : {
        message: "a line inside of brackets is not deeper than their key",
        hint: "indent it",
        offset: start + indentOf(own),
      };
}

/** A key below a line that has a value already. */
function tooDeep(line: TextLine, above: TextLine): Mistake | undefined {
  const [own, upper] = [indentOf(line.text), keyColumnOf(above.text)];
  return own > upper &&
    /^\s*(?:- +)*[^\s"'[{#][^:]*: +[^\s|>&!#]/.test(above.text) &&
    /^\s*\S+:(?: |$)/.test(line.text)
    ? {
        message: "this line is deeper than the key above it, which has a value",
        hint: "indent both alike",
        offset: line.start + own,
      }
    : undefined;
}

function keyMissing({ start, text }: TextLine): Mistake | undefined {
  const offset = start + indentOf(text);
  if (/^\s*- /.test(text))
    return {
      message: "`-` begins an element of a list where a key is expected",
      hint: "indent the list below its key",
      offset,
    };
  return /^\s*[\w./-]+ *$/.test(text)
    ? { message: "a `:` is missing on this line", hint: "write `key: value`", offset }
    : undefined;
}

/** `key: a: b`. */
function secondValue({ start, text }: TextLine): Mistake | undefined {
  const [, first] = /^(\s*(?:- +)*[\w./-]+: +)[^\s"'[{#][^"'#]*: /.exec(text) ?? [];
  return first === undefined
    ? undefined
    : {
        message: "a second `: ` is on this line",
        hint: "put quotes around a value that has `: ` in it",
        offset: start + first.length,
      };
}

/** Where the key of a line is, after the dashes of the lists that begin there. */
function keyColumnOf(text: string): number {
  return /^\s*(?:- +)*/.exec(text)?.[0].length ?? 0;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
