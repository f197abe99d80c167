// Finding items by name. A name matches an item's current name, else one of its previous ones:
// kustomize renames items before it fixes references, so an overlay sees old names in its targets.
import { isLayerItem, isLayerKind } from "../../layers/index.ts";
import { Mark, type Item, type Named } from "../../krm/index.ts";
import { hashless, type ObjectId, parseObject } from "../../object-id.ts";

/** What a reference asks for. */
export interface Wanted<K extends string = string> {
  readonly kind: K;
  readonly name: string;
  /** Absent where it is the target's own. */
  readonly namespace?: string | undefined;
}

/** Items by kind, any of their names, and namespace. */
export class NameIndex {
  private readonly byKind = new Map<string, Map<string, Namesakes>>();

  constructor(items: readonly Item[]) {
    for (const item of items) {
      if (isLayerKind(item.kind) && !isLayerItem(item)) continue;
      this.add(item, item.name, item.namespace);
      for (const { name, namespace } of previousIds(item)) {
        this.add(item, name, item.namespace);
        this.add(item, name, namespace);
      }
    }
  }

  /** All items of a kind that have or had a name. */
  named<K extends string>(kind: K, name: string): readonly (Item & { readonly kind: K })[] {
    return ofKind(this.byKind.get(kind)?.get(name)?.all, kind);
  }

  /** Those of them that are, or once were, in a namespace. */
  within<K extends string>(
    kind: K,
    name: string,
    namespace: string | undefined,
  ): readonly (Item & { readonly kind: K })[] {
    return ofKind(this.byKind.get(kind)?.get(name)?.within(namespace), kind);
  }

  /** All items a target's reference may mean; more than one is ambiguous. */
  find<K extends string>(wanted: Wanted<K>, target: Named): readonly (Item & { readonly kind: K })[] {
    const namespace = wanted.namespace ?? target.namespace;
    const there = this.within(wanted.kind, wanted.name, namespace);
    const homeless = target.namespace === undefined && namespace !== undefined;
    const candidates = homeless
      ? [...this.within(wanted.kind, wanted.name, undefined), ...there].toSorted((a, b) => a.index - b.index)
      : there;
    const [only, second] = candidates;
    if (only === undefined) return [];
    if (second === undefined) return matchesNamespace(only, wanted, target) ? candidates : [];
    const matching = candidates.filter((item) => matchesNamespace(item, wanted, target));
    return likeliest(matching, wanted.name, target);
  }

  private add(item: Item, name: string, namespace: string | undefined): void {
    let names = this.byKind.get(item.kind);
    if (names === undefined) this.byKind.set(item.kind, (names = new Map()));
    const known = names.get(name);
    if (known === undefined) names.set(name, new Namesakes(item, namespace));
    else known.add(item, namespace);
  }
}

/** Items that share a kind and a name. Nearly all names are those of one item, in one namespace. */
class Namesakes {
  readonly all: Item[];
  private readonly namespace: string | undefined;
  private byNamespace: Map<string | undefined, Item[]> | undefined;

  constructor(item: Item, namespace: string | undefined) {
    this.all = [item];
    this.namespace = namespace;
  }

  within(namespace: string | undefined): readonly Item[] | undefined {
    if (this.byNamespace !== undefined) return this.byNamespace.get(namespace);
    return namespace === this.namespace ? this.all : undefined;
  }

  add(item: Item, namespace: string | undefined): void {
    const isAnother = this.all.at(-1) !== item;
    if (!isAnother && this.byNamespace === undefined && namespace === this.namespace) return;
    this.byNamespace ??= new Map([[this.namespace, [...this.all]]]);
    if (isAnother) this.all.push(item);
    const there = this.byNamespace.get(namespace);
    if (there === undefined) this.byNamespace.set(namespace, [item]);
    else if (there.at(-1) !== item) there.push(item);
  }
}

function ofKind<K extends string>(
  items: readonly Item[] | undefined,
  kind: K,
): readonly (Item & { readonly kind: K })[] {
  return items !== undefined && isAllOf(items, kind) ? items : [];
}

function isAllOf<K extends string>(
  items: readonly Item[],
  kind: K,
): items is readonly (Item & { readonly kind: K })[] {
  for (const item of items) if (item.kind !== kind) return false;
  return true;
}

/** An item without namespace matches only a target without one. */
function matchesNamespace(item: Item, wanted: Wanted, target: Named): boolean {
  if (item.namespace === undefined) return target.namespace === undefined;
  const namespace = wanted.namespace ?? target.namespace;
  if (item.namespace === namespace) return true;
  return previousIds(item).some(
    (id) => id.name === wanted.name && id.namespace === namespace && id.namespace !== undefined,
  );
}

/** From items that have or had a name: those that have it now, and from these the one of the same origin as `neighbour`. */
export function likeliest<I extends Item>(items: readonly I[], name: string, neighbour: Named): readonly I[] {
  const current = items.filter((item) => item.name === name);
  return nearestTo(neighbour, current.length > 0 ? current : items);
}

/** Of several matches, those that kustomize gave the target's own prefixes, or that lie in its directory. */
function nearestTo<I extends Item>(target: Named, items: readonly I[]): readonly I[] {
  if (items.length < 2) return items;
  const same = items.filter((item) => companyOf(item) === companyOf(target));
  return same.length === 1 ? same : items;
}

function companyOf({ annotations }: Named): string {
  if (annotations.has(Mark.kustomizeId)) {
    return JSON.stringify([annotations.get(Mark.prefixes) ?? "", annotations.get(Mark.suffixes) ?? ""]);
  }
  const path = annotations.get(Mark.path) ?? annotations.get(Mark.legacyPath) ?? "";
  return path.slice(0, path.lastIndexOf("/") + 1);
}

const noIds: readonly ObjectId[] = [];

/** The ids kustomize remembers; it writes `default` for "no namespace". */
function previousIds({ annotations, kind }: Named): readonly ObjectId[] {
  if (!annotations.has(Mark.previousNames)) return noIds;
  const listed = (mark: string): string[] => annotations.get(mark)?.split(",") ?? [];
  const namespaces = listed(Mark.previousNamespaces);
  const kinds = listed(Mark.previousKinds);
  return listed(Mark.previousNames)
    .map((name, index) => ({ kind: kinds[index] ?? kind, name, namespace: namespaces[index] }))
    .filter((id) => id.kind === kind);
}

/** True for the target that a record names: its name may be a previous one. */
export function isRecordedTarget(target: Named, { target: text }: { readonly target: string }): boolean {
  const { kind, name } = parseObject(text);
  return kind === target.kind && hasName(target, name);
}

/** True if `name` is the item's current or a previous one. */
export function hasName(item: Named, name: string): boolean {
  return item.name === name || previousIds(item).some((id) => id.name === name);
}

export function previousNamesOf(item: Named): string[] {
  return previousIds(item).map(({ name }) => name);
}

/** The item's name and its previous ones, each once. */
export function allNamesOf(item: Named): string[] {
  return [...new Set([item.name, ...previousNamesOf(item)])];
}

/** The item that has this name with kustomize's hash after it. */
export function hashedFrom<I extends Named>(items: readonly I[], kind: string, name: string): I | undefined {
  const isHashed = (full: string): boolean => {
    const plain = hashless(full);
    return plain !== full && (plain === name || plain.endsWith(`-${name}`));
  };
  return items.find((item) => item.kind === kind && isHashed(item.name));
}
