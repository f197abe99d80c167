// A file over layers that do not change: what they say already goes. The merge of what is left over them is the same.
import type { Part, Parts } from "./part.ts";

/** What a value says that is not in the value below it; undefined if that is nothing. */
export function lessBelow(lower: Part, upper: Part, parts: Parts): Part | undefined {
  if (lower.id === upper.id) return undefined;
  if (lower.members === undefined || upper.members === undefined) return upper;
  const kept = new Map<string, Part>();
  for (const [key, member] of upper.members) {
    const found = lower.members.get(key);
    const left = found === undefined ? member : lessBelow(found, member, parts);
    if (left !== undefined) kept.set(key, left);
  }
  return parts.left(upper, kept);
}
