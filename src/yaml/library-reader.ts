// Bytes → document, by the `yaml` library: whatever YAML allows. The bytes are decoded as latin1, so that its offsets are
// byte offsets; the failsafe schema leaves every scalar alone. The library's own messages are never
// used: they may quote the text, and the text may be secret.
import { Composer, type CST, type Document as LibraryDocument, Parser, type YAMLParseError } from "yaml";
import { endlessAliases } from "./aliases.ts";
import { TapeBuilder } from "./build.ts";
import { maxDepth, type ReadFault } from "./fault.ts";
import { lexemesOf } from "./lexemes.ts";
import { likelyMistake } from "./mistakes.ts";
import type { Document, Region } from "./tape.ts";

/** Reads the first YAML document of a region. Never throws on any input; says where reading failed. */
export function readByLibrary(bytes: Buffer, { start, end, blank = 0 }: Region): Document | ReadFault {
  const text = " ".repeat(blank) + bytes.toString("latin1", start + blank, end);
  const first = firstDocument(text);
  if ("code" in first) return { ...first, offset: start + (first.offset ?? 0) };
  if (first.end < text.length && !/[\r\n]/.test(text[first.end - 1] ?? "\n"))
    return { code: "syntax", message: "a document marker must start its line", offset: start + first.end };
  const deep = tooDeep(first.tokens);
  if (deep !== undefined) {
    return { code: "too-deep", message: `nested deeper than ${maxDepth} levels`, offset: start + deep };
  }
  const composed = compose(first.tokens, text.length);
  const error = composed.errors.find((each) => !isSpurious(each, text));
  if (error !== undefined) return faultOf(error, text, start);
  const builder = new TapeBuilder(bytes, start, start + first.end);
  const fault = builder.addRoot(composed, first.tokens);
  if (fault !== undefined) return fault;
  const { markers, followed } = first;
  const doc = builder.finish({ start, end: start + first.end, markers, followed });
  return endlessAliases(doc) ?? doc;
}

interface FirstDocument {
  readonly tokens: CST.Token[];
  readonly end: number;
  readonly markers: readonly (readonly [number, number])[];
  readonly followed: boolean;
}

/** Tokens of the first document only: what follows is ignored by every consumer, even if broken. */
function firstDocument(text: string): FirstDocument | ReadFault {
  const tokens: CST.Token[] = [];
  const markers: [number, number][] = [];
  let seen = false;
  for (const token of boundedTokens(text)) {
    if ("code" in token) return token;
    // Each further error takes a kilobyte, and only the first is reported.
    if (token.type === "error")
      return { tokens: [...tokens, token], end: text.length, markers, followed: false };
    if (token.type === "doc-end" || (token.type === "document" && seen)) {
      const rest = text.slice(token.offset);
      return { tokens, end: token.offset, markers, followed: hasContent(rest) };
    }
    if (token.type === "document") seen = true;
    tokens.push(token);
    for (const one of markersOf(token)) markers.push(one);
  }
  return { tokens, end: text.length, markers, followed: false };
}

/** Words, spaces and indicators of the library's lexer; each takes up to a kilobyte of memory. */
const maxLexemes = 150_000;

function* boundedTokens(text: string): Generator<CST.Token | ReadFault> {
  const parser = new Parser();
  let count = 0;
  for (const lexeme of lexemesOf(text)) {
    yield* parser.next(lexeme);
    if (++count > maxLexemes) {
      const message = `more than ${maxLexemes} tokens, in YAML with anchors, tags, tabs or the like`;
      return yield { code: "expansion-bound", message, offset: 0 };
    }
  }
  yield* parser.end();
}

function hasContent(rest: string): boolean {
  return rest.split("\n").some((line) => /^(?!---\s*$|\.\.\.\s*$|\s*#|\s*$)/.test(line));
}

function markersOf(token: CST.Token): [number, number][] {
  if (token.type === "directive") return [[token.offset, token.offset + token.source.length]];
  if (token.type !== "document") return [];
  return token.start.filter((t) => t.type === "doc-start").map((t) => [t.offset, t.offset + t.source.length]);
}

/** Measured on tokens, without recursion: composing a deep document exhausts the stack beyond recovery. */
function tooDeep(tokens: readonly CST.Token[]): number | undefined {
  const open: [CST.Token, number][] = tokens.map((token) => [token, 0]);
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const [token, depth] = item;
    if (depth > maxDepth) return token.offset;
    if (token.type === "document" && token.value) open.push([token.value, depth]);
    if (!("items" in token)) continue;
    for (const child of token.items) {
      if (child.key) open.push([child.key, depth + 1]);
      if (child.value) open.push([child.value, depth + 1]);
    }
  }
  return undefined;
}

function compose(tokens: readonly CST.Token[], length: number): LibraryDocument.Parsed {
  const composer = new Composer({
    keepSourceTokens: true,
    prettyErrors: false,
    schema: "failsafe",
    uniqueKeys: false,
    logLevel: "silent",
  });
  const [document] = [...composer.compose(tokens, true, length)];
  return document as LibraryDocument.Parsed;
}

/** A comment that starts its line is separate from the text before it, whatever the library says between brackets. */
function isSpurious({ code, pos: [at, end] }: YAMLParseError, text: string): boolean {
  if (code === "KEY_OVER_1024_CHARS") return isShortKey(text, at, end);
  return code === "MISSING_CHAR" && text[at] === "#" && text[at - 1] === "\n";
}

/** The library counts a key from the end of an empty value before it, and in bytes. Go counts characters, from its line's text. */
function isShortKey(text: string, at: number, end: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", at) + 1, text.indexOf(":", end));
  return line.trimStart().replaceAll(/[\x80-\xbf]/g, "").length <= maxKeyLength;
}

const maxKeyLength = 1024;

/** What people mean by it where that is known; else the words for the library's code. */
function faultOf(error: YAMLParseError, text: string, start: number): ReadFault {
  const [at] = error.pos;
  const isKnown = error.message.startsWith("Block scalars") || !likelyMistakes.has(error.code);
  const likely = isKnown ? undefined : likelyMistake(text, at);
  const { offset, ...words } = likely ?? { message: clauseOf(error, text), offset: at };
  const hint = hints[error.code];
  return { code: "syntax", ...(hint !== undefined && { hint }), ...words, offset: start + offset };
}

/** The codes that say little of what is wrong. */
const likelyMistakes: ReadonlySet<string> = new Set([
  "BAD_INDENT",
  "BLOCK_AS_IMPLICIT_KEY",
  "IMPOSSIBLE",
  "MISSING_CHAR",
  "MULTILINE_IMPLICIT_KEY",
  "UNEXPECTED_TOKEN",
]);

function clauseOf({ code, message, pos: [at] }: YAMLParseError, text: string): string {
  if (code === "MISSING_CHAR" && message.startsWith("Block scalars"))
    return "a blank line at the start of a block scalar is deeper than its text: its header must state the column";
  const isAtLineEnd = at >= text.length || text[at] === "\n";
  if (code === "MISSING_CHAR" && isAtLineEnd)
    return "a quote is not closed, or the next line of its string is not deeper than the key";
  return clauses[code] ?? "not valid YAML";
}

/** Where the clause alone does not say what to do. */
const hints: Readonly<Record<string, string>> = {
  BAD_INDENT: "indent it like the lines around it",
  TAB_AS_INDENT: "indent with spaces",
};

const clauses: Readonly<Record<string, string>> = {
  ALIAS_PROPS: "an alias cannot have an anchor or a tag",
  BAD_ALIAS: "the alias is not valid, or names no anchor of this document",
  BAD_DIRECTIVE: "the directive is not valid",
  BAD_DQ_ESCAPE: "the double-quoted string has an escape that YAML does not know",
  BAD_INDENT: "the indentation of this line fits no line above it",
  BAD_PROP_ORDER: "anchors and tags must come before the indicator",
  BAD_SCALAR_START: "a string without quotes cannot start with this character",
  BLOCK_AS_IMPLICIT_KEY: "a nested mapping cannot be on the line of its key",
  BLOCK_IN_FLOW: "block style is not allowed inside brackets",
  DUPLICATE_KEY: "a key is set twice",
  IMPOSSIBLE: "not valid YAML",
  KEY_OVER_1024_CHARS: "the key is longer than 1024 characters",
  MISSING_CHAR: "a character is missing: a quote, bracket, comma, colon or space",
  MULTILINE_IMPLICIT_KEY: "a key must be on one line; is a `:` missing on the line above?",
  MULTIPLE_ANCHORS: "a node can have only one anchor",
  MULTIPLE_TAGS: "a node can have only one tag",
  NON_STRING_KEY: "the key is not a string",
  RESOURCE_EXHAUSTION: "nested too deep",
  TAB_AS_INDENT: "a tab cannot indent",
  TAG_RESOLVE_FAILED: "the tag does not fit",
  UNEXPECTED_TOKEN: "unexpected characters",
  BAD_COLLECTION_TYPE: "the tag does not fit the collection",
};
