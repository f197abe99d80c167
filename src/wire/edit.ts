// Splices into an item's own text: take an entry out, put another value in its place, add one at the
// end. Works in block and in bracket style; what is not named stays byte for byte.
import { extentOf, textOf } from "../layout.ts";
import { childrenOf, Field, field, isFlow, isMapping, isSequence, Kind, kindOf, type Node, parentOf } from "../yaml/tape.ts";
import type { Edit } from "./envelope.ts";

/** A new entry: nested keys and scalars that are already quoted, in order. */
export type Fields = readonly (readonly [key: string, value: string])[];

/** Puts a scalar in the place of another value on the same line. */
export function replaceScalar(node: Node, text: string): Edit {
  const [start, end] = [field(node, Field.start), field(node, Field.end)];
  const absent = kindOf(node) === Kind.empty && start === end;
  return { start, end, text: absent ? ` ${text}` : text };
}

/** Takes entries out of one mapping; an emptied mapping goes as a whole, up to `stop`. */
export function removeEntries(entries: readonly Node[], stop: Node): Edit[] {
  const [first] = entries;
  const parent = first === undefined ? undefined : parentOf(first);
  if (parent === undefined) return [];
  const kept = [...childrenOf(parent)].filter((child) => !entries.some(({ row }) => row === child.row));
  if (kept.length === 0 && parent.row !== stop.row) return removeEntries([parent], stop);
  if (isFlow(parent)) return [rebuild(parent, kept, [])];
  return entries.map((entry) => ({ start: extentOf(entry).comments, end: extentOf(entry).end, text: "" }));
}

/** Changes a list of mappings: takes entries out, adds new ones at its end. An emptied list stays as `[]`. */
export function changeList(list: Node, removed: readonly Node[], added: readonly Fields[]): Edit[] {
  if (removed.length === 0 && added.length === 0) return [];
  const kept = [...childrenOf(list)].filter((child) => !removed.some(({ row }) => row === child.row));
  if (isSequence(list) && isFlow(list) && kept.length > 0) return [rebuild(list, kept, added.map(inBrackets))];
  if (!isSequence(list) || kept.length === 0) return [replaceList(list, added)];
  const column = field(kept[0] as Node, Field.column);
  const end = extentOf([...childrenOf(list)].at(-1) as Node).end;
  const cuts = removed.map((entry) => ({ start: extentOf(entry).comments, end: extentOf(entry).end, text: "" }));
  const glue = textOf(list.doc)[end - 1] === "\n" ? "" : "\n";
  return added.length === 0 ? cuts : [...cuts, { start: end, end, text: glue + added.map((fields) => inBlock(fields, column)).join("") }];
}

/** Adds an entry to the end of a mapping. */
export function addEntry(mapping: Node, key: string, items: readonly Fields[]): Edit {
  const last = [...childrenOf(mapping)].at(-1);
  if (isFlow(mapping) || last === undefined) {
    const end = field(mapping, Field.end) - 1;
    return { start: end, end, text: `${last === undefined ? "" : ", "}"${key}": [${items.map(inBrackets).join(", ")}]` };
  }
  const column = field(last, Field.column);
  const { end } = extentOf(last);
  const glue = textOf(mapping.doc)[end - 1] === "\n" ? "" : "\n";
  const lines = items.map((fields) => inBlock(fields, column)).join("");
  return { start: end, end, text: `${glue}${" ".repeat(column)}${key}:\n${lines}` };
}

/** The whole value of a key anew: `[]`, or block items where the key stands in block style. */
function replaceList(list: Node, added: readonly Fields[]): Edit {
  const end = field(list, Field.end);
  const parent = parentOf(list);
  const start = field(list, Field.keyEnd);
  if (added.length === 0 || (parent !== undefined && isFlow(parent))) return { start, end, text: `: [${added.map(inBrackets).join(", ")}]` };
  const text = added.map((fields) => inBlock(fields, field(list, Field.column))).join("");
  return { start, end, text: `:\n${text.slice(0, -1)}` };
}

function rebuild(collection: Node, kept: readonly Node[], added: readonly string[]): Edit {
  const text = textOf(collection.doc);
  const parts = kept.map((child) => text.slice(field(child, Field.entry), field(child, Field.end)));
  const inner = [...parts.map((part) => Buffer.from(part, "latin1").toString("utf8")), ...added].join(", ");
  const [open, close] = isMapping(collection) ? "{}" : "[]";
  return { start: field(collection, Field.body), end: field(collection, Field.end), text: `${open}${inner}${close}` };
}

function inBrackets(fields: Fields): string {
  return `{${fields.map(([key, value]) => `"${key}": ${/^[0-9]+$/.test(value) || value.startsWith('"') ? value : `"${value}"`}`).join(", ")}}`;
}

function inBlock(fields: Fields, column: number): string {
  const pad = " ".repeat(column);
  return fields.map(([key, value], index) => `${pad}${index === 0 ? "- " : "  "}${key}: ${value}\n`).join("");
}
