// Folded runs → the App's own references. What the App should say is worked out in full and compared
// with what it says: where they agree, not a byte is touched. A folded layer stands where one of
// its run stood: in `userConfig` if the run holds it, else in `config`, else in an extraConfig (docs/concepts.md, Order).
import type { Diagnostic } from "../../diagnostic.ts";
import type { Fold, Layer, LayerKind, Reference, Stack } from "../../model.ts";
import { addEntry, type Fields, removeEntries, replaceText, setFields } from "../../wire/edit.ts";
import { type ListItem, nestedFields, setList } from "../../wire/list-edit.ts";
import type { Edit } from "../../wire/envelope.ts";
import { childOf, isNode, type Item, listAt, refOf, textAt } from "../../wire/item.ts";
import { quote } from "../../yaml/quote.ts";
import { childrenOf, isMapping, type Node } from "../../yaml/tape.ts";
import type { Collected } from "../front-end.ts";
import { aliasFault, isPlainList, noList, specOf } from "../spec.ts";
import { placeOf } from "../../wire/place.ts";

const slotKeys: { readonly [kind in LayerKind]: string } = { ConfigMap: "configMap", Secret: "secret" };

/** A reference the App should hold. */
interface Wish {
  readonly slot: string;
  readonly kind: LayerKind;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly priority: number;
  /** True of a fold whose top layer is annotated: it has no entry to stand in. */
  readonly annotated?: boolean;
  /** The entry it stands in now. */
  readonly node: Node | undefined;
  /** What it is for, where its place in the stack counts: a fold of now, or the entry of an earlier one. */
  readonly fold?: Fold;
  readonly reference?: Reference;
}

export function rewrite(
  target: Item,
  { references, stacks }: Collected,
  folds: readonly Fold[],
): readonly Edit[] | Diagnostic {
  const root = target.read();
  const spec = specOf(target);
  if (spec === undefined || !isNode(root)) return [];
  if (root.doc.targets.size > 0) return aliasFault(target);
  const wishes = wishesOf(target, references, folds);
  if ("code" in wishes) return wishes;
  const listed = wishes.filter(({ slot }) => slot === "extraConfigs");
  const list = childOf(spec, "extraConfigs");
  if (list !== undefined && listed.length > 0 && !isPlainList(list)) return noList(target, "extraConfigs");
  const slots = ["config", "userConfig"].flatMap((slot) =>
    slotEdits(
      spec,
      slot,
      wishes.filter((wish) => wish.slot === slot),
    ),
  );
  return [...slots, ...listEdits(spec, listed, target, stacks)];
}

/** References in order, those of a run replaced by one to its fold; folds without an entry at the end of the list. */
function wishesOf(
  target: Item,
  references: readonly Reference[],
  folds: readonly Fold[],
): Wish[] | Diagnostic {
  const gone = new Set(folds.flatMap(({ layers }) => layers.flatMap(({ reference }) => reference ?? [])));
  const entries = folds.map((fold) => [entryFor(fold), fold] as const);
  const byEntry = new Map(entries);
  const wishes = references.flatMap((reference): Wish[] => {
    const fold = byEntry.get(reference);
    if (fold !== undefined) return [{ ...reference, name: fold.name, fold }];
    return gone.has(reference) ? [] : [{ ...reference, reference }];
  });
  const entryless = entries.flatMap(([entry, fold]) =>
    entry === undefined ? newWish(fold, target, references) : [],
  );
  if (entryless.some(({ namespace }) => namespace === undefined)) return noNamespace(target);
  return [...wishes, ...entryless.toSorted((a, b) => a.priority - b.priority)];
}

/** Where no wish is placed by its height. */
function ground(): number {
  return 0;
}

/** Where each wish lies in its stack. */
function heightsIn(stacks: readonly Stack[]): (wish: Wish) => number {
  const places = new Map<Layer, number>();
  for (const { entries } of stacks)
    for (const entry of entries) if ("layer" in entry) places.set(entry.layer, places.size);
  const byReference = new Map([...places].map(([{ reference }, height]) => [reference, height]));
  return ({ fold, reference }) =>
    (fold === undefined ? byReference.get(reference) : places.get(fold.layers.at(-1) as Layer)) ?? -1;
}

function entryFor({ layers }: Fold): Reference | undefined {
  const references = layers.flatMap(({ reference }) => reference ?? []);
  const slot = (name: string): Reference | undefined =>
    references.findLast((reference) => reference.slot === name);
  return slot("userConfig") ?? slot("config") ?? layers.at(-1)?.reference;
}

/** A new entry at the priority of the run's top layer, which no entry of the App names. */
function newWish(fold: Fold, target: Item, references: readonly Reference[]): Wish {
  const { layers, kind, name, namespace } = fold;
  const top = layers.at(-1) as Layer;
  const told = layers.findLast(({ reference }) => reference?.namespace !== undefined)?.reference?.namespace;
  const known = told ?? namespace ?? target.namespace ?? references[0]?.namespace;
  return {
    slot: "extraConfigs",
    kind,
    name,
    namespace: known,
    priority: top.priority,
    annotated: true,
    node: undefined,
    fold,
  };
}

function slotEdits(spec: Node, slot: string, wishes: readonly Wish[]): Edit[] {
  const config = childOf(spec, slot);
  if (config === undefined || !isMapping(config)) {
    return wishes.length === 0
      ? []
      : [
          addEntry(
            spec,
            slot,
            Object.fromEntries(wishes.map((wish) => [slotKeys[wish.kind], slotFields(wish)])),
          ),
        ];
  }
  const kinds = ["ConfigMap", "Secret"] as const;
  const gone = kinds
    .filter((kind) => !wishes.some((wish) => wish.kind === kind))
    .flatMap((kind) => named(config, kind) ?? []);
  const [only] = wishes;
  // A slot that would be emptied and filled again: one kind takes the other's place.
  if (only !== undefined && gone.length > 0 && gone.length === childrenOf(config).length)
    return [setFields(config, slotKeys[only.kind], slotFields(only))];
  const changed = wishes.flatMap((wish) => {
    const node = childOf(config, slotKeys[wish.kind]);
    if (node === undefined || !isMapping(node))
      return [addEntry(config, slotKeys[wish.kind], slotFields(wish))];
    const namespace = wish.namespace === undefined ? [] : setText(node, "namespace", wish.namespace);
    return [...setText(node, "name", wish.name), ...namespace];
  });
  return [...removeEntries(gone, spec), ...changed];
}

/** A slot's entry that names something; Go writes unset ones with an empty name, which stay. */
function named(config: Node, kind: LayerKind): Node | undefined {
  const node = childOf(config, slotKeys[kind]);
  return node !== undefined && textAt(node, "name") ? node : undefined;
}

function slotFields({ name, namespace }: Wish): Fields {
  return [
    ["name", quote(name)],
    ...(namespace === undefined ? [] : [["namespace", quote(namespace)] as const]),
  ];
}

function setText(node: Node, key: string, text: string): Edit[] {
  const value = childOf(node, key);
  return value === undefined || textAt(node, key) === text ? [] : [replaceText(value, text)];
}

function listEdits(spec: Node, wishes: readonly Wish[], target: Item, stacks: readonly Stack[]): Edit[] {
  const heightOf = wishes.some(({ annotated }) => annotated === true) ? heightsIn(stacks) : ground;
  const list = childOf(spec, "extraConfigs");
  const present = listAt(spec, "extraConfigs");
  const free = new Set(present);
  const placed: Placed[] = [];
  for (const wish of wishes) {
    const node = present.find(
      (entry) =>
        free.has(entry) &&
        (wish.node === undefined ? saysTheSame(entry, wish, target) : entry.row === wish.node.row),
    );
    const item: ListItem =
      node === undefined ? { fields: listFields(wish) } : { node, edits: setText(node, "name", wish.name) };
    if (wish.annotated === true) putIn(placed, { wish, item }, node, heightOf);
    else placed.push({ wish, item });
    if (node !== undefined) free.delete(node);
  }
  const items = placed.map(({ item }) => item);
  if (list === undefined)
    return items.length === 0 ? [] : [nestedFields(spec, "extraConfigs", wishes.map(listFields))];
  return setList(list, items);
}

interface Placed {
  readonly wish: Wish;
  readonly item: ListItem;
}

/** What has no entry of its own stays where it is, unless its like of lower or higher place would come to lie otherwise. */
function putIn(
  placed: Placed[],
  one: Placed,
  node: Node | undefined,
  heightOf: (wish: Wish) => number,
): void {
  const { wish } = one;
  const above = placed.findIndex(
    (other) => isLike(other.wish, wish) && heightOf(other.wish) > heightOf(wish),
  );
  const end = above < 0 ? placed.length : above;
  const below = placed.findLastIndex(
    (other, at) => at < end && isLike(other.wish, wish) && heightOf(other.wish) < heightOf(wish),
  );
  const present =
    node === undefined ? -1 : placed.findIndex(({ item }) => "node" in item && item.node.row > node.row);
  placed.splice(present > below && present <= end ? present : end, 0, one);
}

/** Only among these the order of the list says anything. */
function isLike(a: Wish, b: Wish): boolean {
  return a.kind === b.kind && a.priority === b.priority;
}

function saysTheSame(entry: Node, { kind, name, namespace, priority }: Wish, target: Item): boolean {
  const sameKind = (textAt(entry, "kind") || "configMap") === slotKeys[kind];
  const sameNamespace = (textAt(entry, "namespace") || target.namespace) === namespace;
  return (
    sameKind &&
    sameNamespace &&
    textAt(entry, "name") === name &&
    Number(textAt(entry, "priority") ?? 25) === priority
  );
}

function listFields(wish: Wish): Fields {
  return [["kind", slotKeys[wish.kind]], ...slotFields(wish), ["priority", String(wish.priority)]];
}

function noNamespace(target: Item): Diagnostic {
  return {
    code: "no-namespace",
    severity: "error",
    item: refOf(target),
    at: placeOf(target),
    message:
      "an App names the namespace of each of its layers, and nothing tells which one the folded layer will have",
    hint: "give the App and its layers a namespace before they are folded",
  };
}
