// Which data keys of a target hold what was folded into them, kept on the target where the output becomes
// the next input (kpt): only so can its layers be told from a base of its own.
import { Mark } from "../../wire/annotation-names.ts";
import { Guarded } from "../../layer/guarded.ts";
import type { Holdings } from "../../layer/holdings.ts";
import type { Item } from "../../wire/item.ts";

/** Digests of the texts, by key. */
export function foldedKeysOf(target: Item): ReadonlyMap<string, string> {
  try {
    const found: unknown = JSON.parse(target.annotations.get(Mark.foldedKeys) ?? "{}");
    const entries = typeof found === "object" && found !== null ? Object.entries(found) : [];
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return new Map();
  }
}

/** Whether a key holds what was folded, that and a later edit, or what is the target's own. */
export function keyState(target: Item, key: string, holdings: Holdings): "folded" | "edited" | "own" {
  const digest = foldedKeysOf(target).get(key);
  if (digest === undefined) return "own";
  const text = holdings.textOf(target, key);
  const present = text instanceof Guarded ? text : new Guarded(new Uint8Array(), false);
  return present.digest() === digest ? "folded" : "edited";
}
