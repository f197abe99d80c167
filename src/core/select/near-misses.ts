// References that the list nearly answers: the name is that of an item but for kustomize's hash, the namespace or a letter
// or two; or the item is there and lacks the key. The cluster binds such a layer at best, and probably never.
import { type Diagnostic, slipOf, Suggestions } from "../../diagnostic.ts";
import { hashless, objectId, objectKey, objectText } from "../../object-id.ts";
import {
  type HeldTexts,
  isLayerKind,
  type OwnReferences,
  type Reference,
  type Target,
} from "../../layers/index.ts";
import { factsOf } from "../../kinds.ts";
import { Mark, type Item, refOf, placeOf } from "../../krm/index.ts";
import { hashedFrom, type NameIndex } from "./names.ts";

/** What near misses are looked for in. */
interface MissSurroundings {
  readonly items: readonly Item[];
  readonly names: NameIndex;
  readonly holdings: HeldTexts;
  /** The references of all targets. */
  readonly own: ReadonlyMap<Target, Pick<OwnReferences, "references">>;
}

export class NearMisses {
  private readonly around: MissSurroundings;
  private readonly suggestions = new Suggestions();
  private byPlainName: ReadonlyMap<string, Item> | undefined;
  private used: ReadonlySet<Item> | undefined;

  constructor(around: MissSurroundings) {
    this.around = around;
  }

  /** The warning for a reference that the list nearly answers. */
  of(target: Target, reference: Reference): Diagnostic | undefined {
    const [item] = this.around.names.find(reference, target);
    if (item === undefined) return this.ofMissing(target, reference);
    const key = requiredKey(target, reference);
    return key === undefined ? undefined : this.ofKey(target, reference, item, key);
  }

  private ofMissing(target: Target, reference: Reference): Diagnostic | undefined {
    const hashed = this.hashed(target, reference);
    const hint = hashed === undefined ? this.nearHint(target, reference) : hashedCure(hashed);
    return hint === undefined ? undefined : { ...notInList(target, reference), hint };
  }

  /** An item that lacks the key: Flux would wait for it. */
  private ofKey(target: Target, reference: Reference, item: Item, key: string): Diagnostic | undefined {
    const { holdings } = this.around;
    if (holdings.isSealed(item, key) || !holdings.lacks(item, key)) return undefined;
    return {
      ...notInList(target, reference),
      message: `\`${objectText(item)}\` has no key \`${key}\``,
      hint: keysHint(holdings.keysOf(item)),
    };
  }

  private hashed(target: Target, { kind, name, namespace }: Reference): Item | undefined {
    this.byPlainName ??= indexOf(this.around.items);
    const found = this.byPlainName.get(objectKey({ kind, name, namespace: namespace ?? target.namespace }));
    return found ?? (this.suggestions.isSpent ? undefined : hashedFrom(this.around.items, kind, name));
  }

  private nearHint(target: Target, { kind, name, namespace, optional }: Reference): string | undefined {
    // An optional item may be missing.
    if (optional === true) return undefined;
    const { items, names } = this.around;
    const namesake = names.named(kind, name).find((item) => item.name === name && !this.isUsed(item));
    if (namesake !== undefined)
      return `the list has \`${objectText(namesake)}\`: correct the namespace of one`;
    const home = namespace ?? target.namespace;
    const isFree = (item: Item): boolean =>
      item.kind === kind && item.namespace === home && !item.annotations.has(Mark.into) && !this.isUsed(item);
    // A generated name has a hash, and is meant without it.
    const near = this.suggestions.nearest(
      name,
      () => items.filter(isFree).map((item) => hashless(item.name)),
      slipOf,
    );
    return near === undefined ? undefined : `did you mean \`${near}\`?`;
  }

  /** True for an item that a target references: it is not what another reference means. */
  private isUsed(item: Item): boolean {
    this.used ??= new Set(
      [...this.around.own].flatMap(([target, { references }]) =>
        references.flatMap((reference) => this.around.names.find(reference, target)),
      ),
    );
    return this.used.has(item);
  }
}

/** The data key that a consumer waits for. */
function requiredKey({ kind }: Target, { key, optional }: Reference): string | undefined {
  const facts = factsOf(kind);
  return facts?.waitsForKey === true && optional !== true ? (key ?? facts.dataKey) : undefined;
}

function indexOf(items: readonly Item[]): ReadonlyMap<string, Item> {
  const hashed = items.filter(({ kind, name }) => isLayerKind(kind) && hashless(name) !== name);
  return new Map(hashed.map((item) => [objectKey({ ...objectId(item), name: hashless(item.name) }), item]));
}

/** A reference that nothing in the list answers. */
export function notInList(target: Target, { kind, name, slot, index, node }: Reference): Diagnostic {
  const field = `spec.${slot}${index === undefined ? "" : `[${index}]`}`;
  return {
    code: "unresolved-reference",
    severity: "warning",
    item: refOf(target),
    at: { ...placeOf(target), ...(node === undefined ? {} : { offset: node.offset }) },
    field,
    message: `\`${field}\` names \`${kind}/${name}\`, which is not in the list`,
  };
}

function keysHint(keys: readonly string[]): string {
  if (keys.length === 0) return "it has no keys at all";
  return `it has ${keys.map((key) => `\`${key}\``).join(", ")}: set \`valuesKey\``;
}

function hashedCure(hashed: Item): string {
  return `the list has \`${objectText(hashed)}\`: kustomize added a hash and did not follow this reference. Save the output of \`valuefold print name-reference\` and list that file under \`configurations\`, or set \`disableNameSuffixHash\``;
}
