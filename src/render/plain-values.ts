// Values without comments, as templates read them and patches change them: mappings, lists and scalars, and for each the
// place that set it.
import { doubleQuote, isLiteralSafe, type Node, quote } from "../yaml/index.ts";
import { headOfTree, itemsOf, membersOf, scalarSource, type Tree } from "../merge/index.ts";
import type { LinePlace } from "./origins.ts";

export type Value = Mapping | List | PlacedScalar;

interface PlacedValue {
  place: LinePlace | undefined;
  /** True if all lines of the value have this place. */
  isWhole?: boolean;
}

export interface Mapping extends PlacedValue {
  readonly type: "mapping";
  readonly members: Map<string, Value>;
}

export interface List extends PlacedValue {
  readonly type: "list";
  readonly items: Value[];
}

interface PlacedScalar extends PlacedValue {
  readonly type: "scalar";
  /** Absent for a null that no file holds. */
  readonly node: Node | undefined;
}

export function nothing(place?: LinePlace): Value {
  return { type: "scalar", place, node: undefined };
}

/** @param placeOf of an entry or element */
export function plain(tree: Tree, placeOf: (head: Node) => LinePlace | undefined = () => undefined): Value {
  const head = headOfTree(tree);
  const place = placeOf(head);
  const entries = membersOf(tree)?.values();
  if (entries !== undefined) {
    const members = entries.map((each) => [headOfTree(each).key, plain(each, placeOf)] as const);
    return { type: "mapping", place, members: new Map(members) };
  }
  const items = itemsOf(tree)?.map((item) => plain(item, placeOf));
  return items === undefined ? { type: "scalar", place, node: head.value } : { type: "list", place, items };
}

/** A copy of its own: what is done to one leaves the other alone. */
export function copied(value: Value): Value {
  if (value.type === "scalar") return { ...value };
  if (value.type === "list") return { ...value, items: value.items.map(copied) };
  return { ...value, members: new Map([...value.members].map(([key, inner]) => [key, copied(inner)])) };
}

function innerOf(value: Value): readonly Value[] {
  if (value.type === "scalar") return [];
  return value.type === "list" ? value.items : [...value.members.values()];
}

/** How many values there are in a value, itself included. */
export function sizeOf(value: Value): number {
  return innerOf(value).reduce((sum, inner) => sum + sizeOf(inner), 1);
}

/** How deep mappings and lists are nested, itself included. */
export function depthOf(value: Value): number {
  if (value.type === "scalar") return 0;
  return 1 + innerOf(value).reduce((most, inner) => Math.max(most, depthOf(inner)), 0);
}

/** Called with a number as JSON spells it, or undefined for one that JSON does not have, and the keys down to it. */
type OnNumber = (number: string | undefined, path: readonly string[]) => void;

/**
 * JSON text: numbers by what they are. Without `onNumber` keys are in order, so that equal values have one text; with it they
 * are as they are written, and numbers are reported in that order.
 */
export function jsonOf(value: Value, onNumber?: OnNumber, path: readonly string[] = []): string {
  if (value.type === "scalar") return jsonOfScalar(value.node, (number) => onNumber?.(number, path));
  const inner = (each: Value, key: string): string =>
    jsonOf(each, onNumber, onNumber === undefined ? path : [...path, key]);
  if (value.type === "list")
    return `[${value.items.map((item, index) => inner(item, String(index))).join(",")}]`;
  const members = [...value.members];
  const entries = onNumber === undefined ? members.toSorted(([a], [b]) => (a < b ? -1 : 1)) : members;
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${inner(each, key)}`).join(",")}}`;
}

function jsonOfScalar(node: Node | undefined, onNumber: (number: string | undefined) => void): string {
  if (node === undefined) return "null";
  const { type, text } = node.resolved();
  if (type === "null") return "null";
  if (type === "bool") return text;
  if (type === "string" || type === "merge") return JSON.stringify(node.text);
  const number = type === "int" || type === "big" ? text : floatOf(node.text);
  onNumber(number);
  return number ?? node.text;
}

/** Undefined for infinity and what is no number. */
function floatOf(text: string): string | undefined {
  const number = Number(text.replaceAll("_", ""));
  if (!Number.isFinite(number)) return undefined;
  if (Object.is(number, -0)) return "-0";
  return Number.isInteger(number) && Math.abs(number) < 1e21 ? String(number) : JSON.stringify(number);
}

export interface PlacedLine {
  readonly text: string;
  readonly place: LinePlace | undefined;
}

/** A mapping's entries as lines of block style. @param whole the place of all of them */
export function linesOf({ members }: Mapping, whole?: LinePlace): PlacedLine[] {
  return [...members].flatMap(([key, value]) => headed(`${quote(key)}:`, value, whole));
}

/** @param head `key:` or `-` */
function headed(head: string, value: Value, above: LinePlace | undefined): PlacedLine[] {
  const place = above ?? value.place;
  const whole = value.isWhole === true ? place : above;
  if (value.type === "scalar") {
    const [first = "", ...rest] = textLines(value.node);
    return [{ text: `${head} ${first}`, place }, ...rest.map((text) => indented({ text, place }))];
  }
  const isMapping = value.type === "mapping";
  const lines = isMapping ? linesOf(value, whole) : value.items.flatMap((item) => headed("-", item, whole));
  const [first, ...rest] = lines;
  if (first === undefined) return [{ text: `${head} ${isMapping ? "{}" : "[]"}`, place }];
  // The first key of a mapping in a list is on the line of its dash; a list in a list is not.
  if (head === "-" && isMapping) return [{ ...first, text: `- ${first.text}` }, ...rest.map(indented)];
  return [{ text: head, place }, ...lines.map(indented)];
}

function indented({ text, place }: PlacedLine): PlacedLine {
  return { text: text === "" ? "" : `  ${text}`, place };
}

/** A scalar as its file spells it: on one line, or as the lines of a block. */
function textLines(node: Node | undefined): readonly string[] {
  if (node === undefined || node.resolved().type === "null") return ["null"];
  // Texts of documents have a letter for each byte.
  const source = Buffer.from(scalarSource(node), "latin1").toString("utf8");
  if (source !== "" && !source.includes("\n")) return [source];
  const text = node.text;
  const isBlock = text.includes("\n") && isLiteralSafe(text) && !/^\s|\n\n$/.test(text);
  if (!isBlock) return [doubleQuote(text)];
  return [text.endsWith("\n") ? "|" : "|-", ...text.replace(/\n$/, "").split("\n")];
}
