// Which data keys of a target hold what was folded into them, kept on the target where the output becomes
// the next input (kpt): only so can its layers be told from a base of its own.
import { Mark } from "../../wire/annotation-names.ts";
import { type Held, isText } from "../../layer/held.ts";
import type { Layer } from "../../model.ts";
import { isFromKpt } from "../../wire/comments.ts";
import type { Item } from "../../wire/item.ts";

/** Digests of the texts, by key. */
function foldedKeysOf(target: Item): ReadonlyMap<string, string> {
  try {
    const found: unknown = JSON.parse(target.annotations.get(Mark.foldedKeys) ?? "{}");
    const entries = typeof found === "object" && found !== null ? Object.entries(found) : [];
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return new Map();
  }
}

/**
 * Keys that an earlier run says it folded, where its layers are still there to be folded again. It did not prune them,
 * whatever this run does. Elsewhere a target with a record was rendered by kpt first, and is a base.
 */
export function rememberedKeys(target: Item): readonly string[] {
  return isFromKpt(target) ? [...foldedKeysOf(target).keys()] : [];
}

/**
 * Whether a target tells what was folded into it, and those layers are there. Outside kpt they may not be: kustomize drops
 * what is marked, all of it or nothing.
 */
export function isFoldedAnew(target: Item, layers: readonly Layer[]): boolean {
  const isMarked = ({ item }: Layer): boolean => item.annotations.get(Mark.localConfig) === "true";
  return target.annotations.has(Mark.foldedKeys) && (isFromKpt(target) || layers.some(isMarked));
}

/** Whether a key holds what was folded, that and a later edit, or what is the target's own. */
export function keyState(target: Item, key: string, holdings: Held): "folded" | "edited" | "own" {
  const digest = foldedKeysOf(target).get(key);
  if (digest === undefined) return "own";
  const text = holdings.textOf(target, key);
  return isText(text) && text.digest() === digest ? "folded" : "edited";
}
