// Values while a patch works on them: plain mappings, lists and scalars, and for each the place that set it. Comments are
// not kept.
import {
  childrenOf,
  doubleQuote,
  headOfTree,
  isLiteralSafe,
  isSequence,
  leafOf,
  membersOf,
  type Node,
  quote,
  resolveScalar,
  scalarSource,
  scalarText,
  textOfKey,
  type Tree,
  valueOf,
} from "../core/index.ts";
import { jsonNumber } from "./json-values.ts";
import type { LinePlace } from "./origins.ts";

export type Value = Mapping | List | Scalar;

interface Placed {
  place: LinePlace | undefined;
  /** The operation that moved it, or changed it in a list: it has all lines of the value. */
  patched?: LinePlace | undefined;
}

export interface Mapping extends Placed {
  readonly type: "mapping";
  readonly members: Map<string, Value>;
  /** How deep mappings and lists are nested, itself included; more, if something was taken out. */
  depth: number;
}

export interface List extends Placed {
  readonly type: "list";
  readonly items: Value[];
  depth: number;
}

interface Scalar extends Placed {
  readonly type: "scalar";
  readonly depth: 0;
  /** As YAML spells it: on one line, or as the lines of a block. */
  readonly lines: readonly string[];
  /** One text for equal values. */
  readonly json: string;
}

export function nothing(place?: LinePlace): Value {
  return { type: "scalar", place, depth: 0, lines: ["null"], json: "null" };
}

/** @param placeOf of an entry or element */
export function plain(tree: Tree, placeOf: (head: Node) => LinePlace | undefined): Value {
  const head = headOfTree(tree);
  const place = placeOf(head);
  const members = membersOf(tree);
  if (members !== undefined) {
    const entries = members
      .values()
      .map((each) => [textOfKey(headOfTree(each)), plain(each, placeOf)] as const);
    return mapping(place, new Map(entries));
  }
  const node = valueOf(head);
  if (isSequence(node)) {
    const items = childrenOf(node).map((item) => plain(leafOf(item), placeOf));
    return list(place, items);
  }
  return { type: "scalar", place, depth: 0, lines: linesOfScalar(node), json: jsonOfScalar(node) };
}

function mapping(place: Placed["place"], members: Map<string, Value>): Mapping {
  return { type: "mapping", place, members, depth: 1 + deepest([...members.values()]) };
}

function list(place: Placed["place"], items: Value[]): List {
  return { type: "list", place, items, depth: 1 + deepest(items) };
}

function deepest(values: readonly Value[]): number {
  return values.reduce((most, { depth }) => Math.max(most, depth), 0);
}

function jsonOfScalar(node: Node): string {
  const { type, text } = resolveScalar(node);
  if (type === "null") return "null";
  if (type === "bool") return text;
  if (type === "string" || type === "merge") return JSON.stringify(scalarText(node));
  return jsonNumber(node) ?? scalarText(node);
}

function linesOfScalar(node: Node): readonly string[] {
  const source = utf8(scalarSource(node));
  const { type } = resolveScalar(node);
  if (type === "null") return ["null"];
  if (source !== "" && !source.includes("\n")) return [source];
  const text = scalarText(node);
  const isBlock = text.includes("\n") && isLiteralSafe(text) && !/^\s|\n\n$/.test(text);
  if (!isBlock) return [doubleQuote(text)];
  return [text.endsWith("\n") ? "|" : "|-", ...text.replace(/\n$/, "").split("\n")];
}

/** Texts of documents have a letter for each byte. */
function utf8(latin: string): string {
  return Buffer.from(latin, "latin1").toString("utf8");
}

/** A copy of its own: what is done to one leaves the other alone. */
export function copied(value: Value, place: LinePlace): Value {
  if (value.type === "scalar") return { ...value, place, patched: undefined };
  if (value.type === "list")
    return list(
      place,
      value.items.map((item) => copied(item, place)),
    );
  return mapping(place, new Map([...value.members].map(([key, inner]) => [key, copied(inner, place)])));
}

/** One text for equal values: keys in order, numbers by what they are. */
export function canonical(value: Value): string {
  if (value.type === "scalar") return value.json;
  if (value.type === "list") return `[${value.items.map(canonical).join(",")}]`;
  const entries = [...value.members].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}

function innerOf(value: Value): readonly Value[] {
  if (value.type === "scalar") return [];
  return value.type === "list" ? value.items : [...value.members.values()];
}

/** How many values there are in a value, itself included. */
export function sizeOf(value: Value): number {
  return innerOf(value).reduce((sum, inner) => sum + sizeOf(inner), 1);
}

/** Corrects depths from which something was taken out. */
export function measure(value: Value): void {
  if (value.type === "scalar") return;
  const inner = innerOf(value);
  for (const each of inner) measure(each);
  value.depth = 1 + deepest(inner);
}

export interface Line {
  readonly text: string;
  readonly place: LinePlace | undefined;
}

/** A mapping's entries as lines of block style. */
export function linesOf({ members }: Mapping): Line[] {
  return [...members].flatMap(([key, value]) => headed(`${quote(key)}:`, value));
}

/** @param head `key:` or `-` */
function headed(head: string, value: Value): Line[] {
  if (value.patched !== undefined) {
    const { patched: place, ...rest } = value;
    return headed(head, rest).map(({ text }) => ({ text, place }));
  }
  const { place } = value;
  if (value.type === "scalar") {
    const [first = "", ...rest] = value.lines;
    return [{ text: `${head} ${first}`, place }, ...rest.map((text) => indented({ text, place }))];
  }
  if (innerOf(value).length === 0) return [{ text: `${head} ${value.type === "list" ? "[]" : "{}"}`, place }];
  const lines = value.type === "list" ? value.items.flatMap((item) => headed("-", item)) : linesOf(value);
  const [first, ...rest] = lines;
  // The first key of a mapping in a list is on the line of its dash; a list in a list is not.
  if (head === "-" && value.type === "mapping" && first !== undefined)
    return [{ ...first, text: `- ${first.text}` }, ...rest.map(indented)];
  return [{ text: head, place }, ...lines.map(indented)];
}

function indented({ text, place }: Line): Line {
  return { text: text === "" ? "" : `  ${text}`, place };
}
