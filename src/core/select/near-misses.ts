// References that the list nearly answers: the name is that of an item but for kustomize's hash, the namespace or a letter
// or two; or the item is there and lacks the key. The cluster binds such a layer at best, and probably never.
import { type Diagnostic, slipOf, Suggestions } from "../../diagnostic.ts";
import { type Held, isLayerKind } from "../layer/held.ts";
import type { Reference, Target } from "../model.ts";
import { Mark } from "../wire/annotation-names.ts";
import { describe, type Item, refOf } from "../wire/item.ts";
import { placeOf } from "../wire/place.ts";
import { startOf } from "../yaml/tape.ts";
import { hashedFrom, hashSuffix, type NameIndex } from "./names.ts";

/** What near misses are looked for in. */
export interface Surroundings {
  readonly items: readonly Item[];
  readonly names: NameIndex;
  readonly holdings: Held;
  /** Items that some reference names. Asked only of those that are nearly meant. */
  readonly isUsed: (item: Item) => boolean;
}

export class NearMisses {
  private readonly around: Surroundings;
  private readonly suggestions = new Suggestions();
  private byPlainName: ReadonlyMap<string, Item> | undefined;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** The warning for a reference that nothing in the list answers, if something nearly does. */
  ofMissing(target: Target, reference: Reference): Diagnostic | undefined {
    const hashed = this.hashed(target, reference);
    const hint = hashed === undefined ? this.nearHint(target, reference) : hashedCure(hashed);
    return hint === undefined ? undefined : { ...notInList(target, reference), hint };
  }

  /** The warning for a reference to an item that lacks the key: Flux would wait for it. */
  ofKey(target: Target, reference: Reference, item: Item, key: string): Diagnostic | undefined {
    const { holdings } = this.around;
    if (holdings.isSealed(item, key) || !holdings.lacks(item, key)) return undefined;
    return {
      ...notInList(target, reference),
      message: `\`${describe(item)}\` has no key \`${key}\``,
      hint: keysHint(holdings.keysOf(item)),
    };
  }

  private hashed(target: Target, { kind, name, namespace }: Reference): Item | undefined {
    this.byPlainName ??= indexOf(this.around.items);
    const found = this.byPlainName.get(idOf(kind, namespace ?? target.namespace, name));
    return found ?? (this.suggestions.isSpent ? undefined : hashedFrom(this.around.items, kind, name));
  }

  private nearHint(target: Target, { kind, name, namespace, optional }: Reference): string | undefined {
    // What need not be there says nothing by its absence.
    if (optional === true) return undefined;
    const { items, names, isUsed } = this.around;
    const namesake = names.named(kind, name).find((item) => item.name === name && !isUsed(item));
    if (namesake !== undefined) return `the list has \`${describe(namesake)}\`: correct the namespace of one`;
    const home = namespace ?? target.namespace;
    const isFree = (item: Item): boolean =>
      item.kind === kind && item.namespace === home && !item.annotations.has(Mark.into) && !isUsed(item);
    const near = this.suggestions.nearest(name, () => items.filter(isFree).map((item) => item.name), slipOf);
    return near === undefined ? undefined : `did you mean \`${near}\`?`;
  }
}

function indexOf(items: readonly Item[]): ReadonlyMap<string, Item> {
  const hashed = items.filter(({ kind, name }) => isLayerKind(kind) && hashSuffix.test(name));
  return new Map(
    hashed.map((item) => [idOf(item.kind, item.namespace, item.name.replace(hashSuffix, "")), item]),
  );
}

function idOf(kind: string, namespace: string | undefined, name: string): string {
  return `${kind}/${namespace ?? ""}/${name}`;
}

/** A reference that nothing in the list answers. */
export function notInList(target: Target, { kind, name, slot, index, node }: Reference): Diagnostic {
  const field = `spec.${slot}${index === undefined ? "" : `[${index}]`}`;
  return {
    code: "unresolved-reference",
    severity: "warning",
    item: refOf(target),
    at: { ...placeOf(target), ...(node === undefined ? {} : { offset: startOf(node) }) },
    field,
    message: `\`${field}\` names \`${kind}/${name}\`, which is not in the list`,
  };
}

function keysHint(keys: readonly string[]): string {
  if (keys.length === 0) return "it has no keys at all";
  return `it has ${keys.map((key) => `\`${key}\``).join(", ")}: set \`valuesKey\``;
}

function hashedCure(hashed: Item): string {
  return `the list has \`${describe(hashed)}\`: kustomize added a hash and did not follow this reference. Save the output of \`valuefold print name-reference\` and list that file under \`configurations\`, or set \`disableNameSuffixHash\``;
}
