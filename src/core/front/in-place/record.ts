// Which data keys of a target contain a fold, recorded on the target where the output becomes
// the next input (kpt): only the record separates its layers from a base of its own.
import { Mark, isFromKpt, type Item } from "../../../krm/index.ts";
import { type HeldTexts, isText, type Layer } from "../../../layers/index.ts";

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
 * Keys that an earlier run folded, if their layers are still there to be folded again. That run did not prune them,
 * whatever this run does. Elsewhere a target with a record was rendered by kpt first, and is a base.
 */
export function rememberedKeys(target: Item): readonly string[] {
  return isFromKpt(target) ? [...foldedKeysOf(target).keys()] : [];
}

/**
 * True if a target records its folds and their layers are there. Outside kpt they may be missing: kustomize drops
 * marked layers, all or none of them.
 */
export function isFoldedAgain(target: Item, layers: readonly Layer[]): boolean {
  const isMarked = ({ item }: Layer): boolean => item.annotations.get(Mark.localConfig) === "true";
  return target.annotations.has(Mark.foldedKeys) && (isFromKpt(target) || layers.some(isMarked));
}

/** Whether a key contains a fold, an edited fold, or the target's own value. */
export function keyState(target: Item, key: string, holdings: HeldTexts): "folded" | "edited" | "own" {
  const digest = foldedKeysOf(target).get(key);
  if (digest === undefined) return "own";
  const text = holdings.textOf(target, key);
  return isText(text) && text.digest() === digest ? "folded" : "edited";
}
