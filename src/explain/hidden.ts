// What values of Secrets are, for comparison only: a digest, and no part of an explanation, so no view of one can show it.
import { guard, type GuardedText } from "../layers/index.ts";
import { isNode, type Item } from "../krm/index.ts";
import type { ExplainedLayer } from "../explanation.ts";
import { oneLine } from "./one-line.ts";

const texts = new WeakMap<object, GuardedText>();

/** Keeps the text of a secret value with it. */
export function remember(value: object, text: GuardedText): void {
  texts.set(value, text);
}

/** Keeps with a layer what it holds, where its values are not known: a text that changed is not an equal one. */
export function rememberHeld(layer: object, item: Item): void {
  const root = item.read();
  if (!isNode(root)) return;
  const parts = ["data", "stringData", "sops"].flatMap((field) => root.get(field) ?? []);
  remember(layer, guard(Buffer.from(parts.map(oneLine).join("\n"), "utf8"), true));
}

/** The digest of what a layer holds; undefined where that is not in the list. */
export function heldBy(layer: object): string | undefined {
  return texts.get(layer)?.digest();
}

/** A layer that only the cluster has: its values are the same on both sides only if all of this is. */
export interface UnseenLayer {
  readonly name: string;
  readonly identity: string;
  /** The names of all layers, lowest first, and how many of them override it. */
  readonly among: readonly string[];
  readonly above: number;
}

/** @param names by the ids of layers, lowest first */
export function unseenIn(
  layers: readonly ExplainedLayer[],
  names: ReadonlyMap<string, string>,
): UnseenLayer[] {
  const named = layers.map((layer) => names.get(layer.id) ?? layer.id);
  return layers.flatMap((layer, index) => {
    const { state, key = "", mark = "" } = layer;
    const name = named[index] ?? "";
    const identity = JSON.stringify([name, key, mark, heldBy(layer) ?? ""]);
    const above = named.length - index - 1;
    return state === "late" || state === "unseen" ? [{ name, identity, among: named, above }] : [];
  });
}

/** The names of those that are on one side only, in another place, or with another text. */
export function unseenChanges(old: readonly UnseenLayer[], now: readonly UnseenLayer[]): readonly string[] {
  const changed = (some: readonly UnseenLayer[], others: readonly UnseenLayer[]): string[] =>
    some
      .filter((own) => {
        const other = others.find(({ identity }) => identity === own.identity);
        return other === undefined || sharedAbove(own, other) !== sharedAbove(other, own);
      })
      .map(({ name }) => name);
  return [...new Set([...changed(old, now), ...changed(now, old)])];
}

/** The layers above it that the other side has, too. */
function sharedAbove({ among, above }: UnseenLayer, other: UnseenLayer): string {
  const names = among.slice(among.length - above).filter((name) => other.among.includes(name));
  return names.toSorted().join("\n");
}

/** A text that may be compared; a digest of one that is secret, which no output shows. */
export interface Comparable {
  readonly text: string;
  readonly isSecret: boolean;
}

export function comparable(value: { readonly text?: string }): Comparable {
  const secret = texts.get(value);
  if (secret === undefined) return { text: value.text ?? "", isSecret: false };
  return { text: secret.digest(), isSecret: true };
}
