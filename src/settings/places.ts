// The place of a setting in its function config: by its path, or by the nearest parent that is there.
import type { Position } from "../diagnostic.ts";
import { lineAndColumn, type Node } from "../yaml/index.ts";

export type FieldStep = string | number;

/** An entry of a function config, as messages place it. */
export function placeOfEntry(entry: Node): Position {
  const own = entry.entryStart;
  const offset = own < 0 ? entry.start : own;
  return { text: "function config", ...lineAndColumn(entry.doc.bytes, offset) };
}

/** @param from what the path begins in */
export function placeOfSetting(from: Node, path: readonly FieldStep[]): Position {
  let found = from;
  for (const step of path) {
    const next = childAt(found.value, step);
    if (next === undefined) break;
    found = next;
  }
  return placeOfEntry(found);
}

function childAt(value: Node, step: FieldStep): Node | undefined {
  if (value.isMapping) return value.children().find((child) => child.keyText === String(step));
  return value.isSequence ? value.children()[Number(step)] : undefined;
}

/** Of a ConfigMap's data the key that holds the setting, whole or in part. */
export function placeOfKey(data: Node, path: readonly FieldStep[]): Position {
  const keys = new Map(data.value.children().map((child) => [child.keyText, child]));
  for (let length = path.length; length > 0; length--) {
    const found = keys.get(path.slice(0, length).join("."));
    if (found !== undefined) return placeOfEntry(found);
  }
  return placeOfEntry(data);
}
