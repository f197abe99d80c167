// What the library reads and a Go reader refuses or reads differently, found row by row.
import type { ReadFault } from "./fault.ts";
import { resolveKey, resolveValue } from "./resolve.ts";
import { keyBodyOf } from "./scalar.ts";
import { type Document, fieldCount, Kind } from "./tape.ts";
import { Node } from "./node.ts";

export function foreignFaults(doc: Document): ReadFault[] {
  const faults: ReadFault[] = [];
  for (let row = 0; row < doc.rows.length / fieldCount; row++) {
    const node = new Node(doc, row);
    const parent = node.parent;
    const between = parent !== undefined && parent.isFlow;
    const found = [propertyFault(node), tagFault(node), ...textFaults(node, between)];
    if (between) found.push(colonFault(node), tabFault(node));
    else found.push(indicatorFault(node));
    for (const one of found.filter((each) => each !== undefined)) faults.push(one);
  }
  return faults;
}

/** Go reads anchors of letters, digits, `-` and `_`, and takes commas, brackets and quotes into a tag. */
function propertyFault(node: Node): ReadFault | undefined {
  const [entry, keyStart] = [node.entryStart, node.keyStart];
  const [start, body, end] = [node.start, node.body, node.end];
  const inKey = entry >= 0 && keyStart >= 0 ? oddProperty(node, entry, keyBodyOf(node)) : undefined;
  return inKey ?? oddProperty(node, start, node.kind === Kind.alias ? end : body);
}

function oddProperty({ doc }: Node, from: number, to: number): ReadFault | undefined {
  if (from === to) return undefined;
  const source = doc.bytes.toString("latin1", from, to);
  const found = [...source.matchAll(/(?<=^|\s)(?:#.*|![^\s]*|[&*][\w-]*[^\w\s-])/g)];
  const odd = found.find(([text]) => /^[&*]|^!.*#/.test(text));
  if (odd !== undefined) return fault(odd[0].startsWith("!") ? tagClause : anchorClause, from + odd.index);
  const last = found.at(-1);
  const isOpen = last?.[0].startsWith("!") === true && last.index + last[0].length === source.length;
  const isFollowed = isOpen && to < doc.end && !isSpace(doc.bytes[to]);
  return isFollowed ? fault(tagClause, from + last.index) : undefined;
}

const anchorClause = "an anchor is a word of letters, digits, `-` and `_`";
const tagClause = "a tag needs a space after it";

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x09;
}

function tagFault(node: Node): ReadFault | undefined {
  const { keyStart, start, body } = node;
  const message = "the tag does not fit its text";
  if (keyStart >= 0 && resolveKey(node) === undefined) return fault(message, keyStart);
  const isTagged = start !== body && node.isScalar;
  return isTagged && resolveValue(node) === undefined ? fault(message, start) : undefined;
}

function textFaults(node: Node, between: boolean): (ReadFault | undefined)[] {
  const key = [node.keyKind, keyBodyOf(node), node.keyEnd] as const;
  const value = [node.kind, node.body, node.end] as const;
  return [key, value].map(([kind, from, to]) => {
    if (kind === Kind.double) return unclosed(node, from, to, doubleEnd) ?? escapeFault(node, from, to);
    if (kind === Kind.single) return unclosed(node, from, to, singleEnd);
    return between && kind === Kind.plain ? unquoted(node, from, to) : undefined;
  });
}

const doubleEnd = /(?<!\\)(?:\\\\)*"$/;
const singleEnd = /(?<!')(?:'')*'$/;

/** If the next line is too far left, the library ends quoted text there, even if its last quote is an escaped one. */
function unclosed({ doc }: Node, from: number, to: number, ending: RegExp): ReadFault | undefined {
  const source = doc.bytes.toString("latin1", from + 1, to);
  return ending.test(source) ? undefined : fault("quoted text that does not end in its quote", from);
}

/** JSON escapes a slash, and writes a character beyond U+FFFF as two surrogates; go-yaml knows neither. */
function escapeFault({ doc }: Node, from: number, to: number): ReadFault | undefined {
  const source = doc.bytes.toString("latin1", from, to);
  if (!source.includes("\\")) return undefined;
  for (const { 1: slash, 2: surrogate, index } of source.matchAll(escapes)) {
    if (slash !== undefined) return fault("the escape `\\/`, which Go does not know", from + index);
    if (surrogate !== undefined)
      return {
        ...fault("the escape of half a character, which Go refuses", from + index),
        hint: surrogateHint,
      };
  }
  return undefined;
}

const escapes = /\\(?:(\/)|(u[dD][89a-fA-F][0-9a-fA-F]{2}|U0000[dD][89a-fA-F][0-9a-fA-F]{2})|[^])/g;
const surrogateHint = "write the character itself, or its escape by `\\U` and eight digits";

/** Where a block's indicator ends in a tab: Go reads no tab where a key may begin. */
function indicatorFault(node: Node): ReadFault | undefined {
  const { bytes, end } = node.doc;
  const entry = node.entryStart;
  if (entry < 0 || (bytes[entry] !== dash && bytes[entry] !== questionMark)) return undefined;
  const hasIndicator = bytes[entry] === dash || node.keyStart > entry;
  const colon = bytes[entry] === dash ? -1 : colonAfter(node);
  for (const at of hasIndicator ? [entry, colon] : []) {
    let next = at + 1;
    while (next < end && bytes[next] === 0x20) next++;
    if (at >= 0 && bytes[next] === tab)
      return fault("a tab after `-`, `?` or `:` at the start of a line", next);
  }
  return undefined;
}

/** The colon of a key that has a `?`, on a line of its own. */
function colonAfter(node: Node): number {
  const { bytes, end } = node.doc;
  const after = bytes.indexOf(lineFeed, node.keyEnd);
  const found =
    after < 0 ? null : /^(?:[ \t]*(?:#[^\n]*)?\n)* *:/.exec(bytes.toString("latin1", after + 1, end));
  return found === null ? -1 : after + found[0].length;
}

/** In plain text between brackets Go takes any `?` for the mark of a key, and also a `:` at its start. */
function unquoted({ doc }: Node, from: number, to: number): ReadFault | undefined {
  const isColon = from < to && doc.bytes[from] === 0x3a;
  const found = isColon ? 0 : doc.bytes.subarray(from, to).indexOf(0x3f);
  const got = isColon ? "that starts with `:`" : "that holds a `?`";
  return found < 0 ? undefined : fault(`between brackets text ${got} needs quotes`, from + found);
}

/** After plain text Go reads a colon as text unless a space follows. */
function colonFault(node: Node): ReadFault | undefined {
  const { bytes } = node.doc;
  if (node.keyKind !== Kind.plain || node.keyStart < node.entryStart) return undefined;
  let at = node.keyEnd;
  while (bytes[at] === 0x20) at++;
  const isGlued = bytes[at] === 0x3a && ",[]{}".includes(String.fromCharCode(bytes[at + 1] ?? 0));
  return isGlued ? fault("between brackets a `:` needs a space after it", at) : undefined;
}

/** After plain text a tab at the start of a line must be right of the block that the brackets are in. */
function tabFault(node: Node): ReadFault | undefined {
  const { bytes, end: limit } = node.doc;
  const ends = [
    node.keyKind === Kind.plain ? [keyBodyOf(node), node.keyEnd] : undefined,
    node.kind === Kind.plain ? [node.body, node.end] : undefined,
  ];
  for (const [from = 0, to = 0] of ends.filter((each) => each !== undefined)) {
    let end = to;
    while (end < limit && isSpace(bytes[end])) end++;
    if (!bytes.subarray(from, end).includes(tab)) continue;
    const column = blockColumn(node);
    for (let at = bytes.indexOf(lineFeed, from); at >= 0 && at < end; at = bytes.indexOf(lineFeed, at + 1)) {
      let first = at + 1;
      while (bytes[first] === 0x20) first++;
      if (bytes[first] === tab && first - at - 1 <= column) return fault("a tab cannot indent", first);
    }
  }
  return undefined;
}

const tab = 0x09;
const dash = 0x2d;
const questionMark = 0x3f;
const lineFeed = 0x0a;

/** The column of the block entry that brackets are in; -1 for brackets at the root. */
function blockColumn(node: Node): number {
  let at: Node | undefined = node;
  for (let parent = at.parent; parent !== undefined; at = parent, parent = at.parent)
    if (!parent.isFlow) return at.column;
  return -1;
}

function fault(message: string, offset: number): ReadFault {
  return { code: "syntax", message, offset };
}
