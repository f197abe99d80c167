// The flat dotted keys of overrides, and where two of them contradict each other.
import type { Diagnostic } from "../../../diagnostic.ts";
import { objectText } from "../../../object-id.ts";
import { type HeldTexts, isText } from "../../../layers/index.ts";
import { type Item, type Named, refOf } from "../../../krm/index.ts";
import type { Flat, Override } from "./overrides.ts";

/** The flat keys of an override, in the order they are written. An unreadable value is a fault. */
export function flatOf(item: Item, target: Named, holdings: HeldTexts, diagnostics: Diagnostic[]): Flat[] {
  return holdings.keysOf(item).flatMap((key) => {
    const text = holdings.textOf(item, key);
    if (isText(text) && text.isUtf8())
      return [{ key, path: key.split("."), holdsVariable: text.holdsVariable() }];
    diagnostics.push({
      code: "layer-unreadable",
      severity: "error",
      item: refOf(item),
      at: { text: `${objectText(item)} ${key}`, role: `layer of ${objectText(target)}` },
      message: "expected a string as the value of the data key",
      hint: "correct the value: a string, or base64 of it in `data` of a Secret",
    });
    return [];
  });
}

interface Crossing {
  readonly next: Map<string, Crossing>;
  isEnd: boolean;
}

function crossing(): Crossing {
  return { next: new Map(), isEnd: false };
}

/** Paths, with a check whether another path equals, extends or shortens one. */
export class Paths {
  private readonly root = crossing();

  add(path: readonly string[]): void {
    let at = this.root;
    for (const part of path) {
      let inner = at.next.get(part);
      if (inner === undefined) at.next.set(part, (inner = crossing()));
      at = inner;
    }
    at.isEnd = true;
  }

  overlap(path: readonly string[]): boolean {
    let at = this.root;
    for (const part of path) {
      if (at.isEnd) return true;
      const inner = at.next.get(part);
      if (inner === undefined) return false;
      at = inner;
    }
    return true;
  }
}

/** A key that is a leaf here and a parent there: within one scope Kyma takes one of them at random. */
export function scopeFaults(layers: readonly Override[], target: Named): Diagnostic[] {
  return [true, false].flatMap((isCommon) => {
    const all = layers
      .filter((layer) => layer.isCommon === isCommon)
      .flatMap(({ item, flat }) => flat.map((one) => ({ item, ...one })));
    const leaves = new Map(all.map((one) => [one.key, one]));
    return [...leaves.values()].flatMap((deep) => {
      const parents = deep.path.slice(1).map((_, length) => deep.path.slice(0, length + 1).join("."));
      const leaf = parents.map((key) => leaves.get(key)).find((found) => found !== undefined);
      return leaf === undefined ? [] : [conflict(leaf, deep, target)];
    });
  });
}

interface PlacedKey extends Flat {
  readonly item: Item;
}

function conflict(leaf: PlacedKey, deep: PlacedKey, target: Named): Diagnostic {
  const role = `layer of ${objectText(target)}`;
  return {
    code: "dotted-key-conflict",
    severity: "error",
    item: refOf(deep.item),
    at: { text: `${objectText(deep.item)} ${deep.key}`, role },
    also: [{ text: `${objectText(leaf.item)} ${leaf.key}`, role }],
    message: `\`${leaf.key}\` is a value, and \`${deep.key}\` needs a mapping there`,
    hint: "drop one of the two: Kyma would take either, at random",
  };
}
