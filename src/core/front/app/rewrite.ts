// Folded runs → the App's own references. The wanted references are worked out in full and compared
// with the present ones: where they agree, no byte changes. A folded layer takes the place of one of
// its run: in `userConfig` if the run holds it, else in `config`, else in an extraConfig (docs/folding.md (Output)).
import type { Diagnostic } from "../../../diagnostic.ts";
import type { Fold, Layer, LayerKind, Reference, Stack } from "../../../layers/index.ts";
import {
  addEntry,
  addScalarsTo,
  type NewFields,
  flowText,
  removeEntries,
  replaceText,
  replaceValue,
  setFields,
  type ListItem,
  nestedFields,
  setList,
  type TextEdit,
  isNode,
  type Item,
  atItem,
} from "../../../krm/index.ts";
import { quote, type Node } from "../../../yaml/index.ts";
import type { Collected } from "../front-end.ts";
import { appKind } from "../../../kinds.ts";
import { aliasFault, isPlainList, noList, specOf } from "../spec.ts";

const layerKinds = ["ConfigMap", "Secret"] as const;
const slotKeys: { readonly [kind in LayerKind]: string } = { ConfigMap: "configMap", Secret: "secret" };

/** A reference the App should have. */
interface WantedReference {
  readonly slot: string;
  readonly kind: LayerKind;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly priority: number;
  /** True for a fold with an annotated top layer: it has no entry to replace. */
  readonly annotated?: boolean;
  /** Its present entry. */
  readonly node: Node | undefined;
  /** The present or earlier fold that it references, if its place in the stack matters. */
  readonly fold?: Fold;
  readonly reference?: Reference;
}

export function rewrite(
  target: Item,
  { references, stacks }: Collected,
  folds: readonly Fold[],
): readonly TextEdit[] | Diagnostic {
  const root = target.read();
  const spec = specOf(target);
  if (spec === undefined || !isNode(root)) return [];
  if (root.doc.targets.size > 0) return aliasFault(target);
  const allWanted = wantedOf(target, references, folds);
  if ("code" in allWanted) return allWanted;
  const listed = allWanted.filter(({ slot }) => slot === "extraConfigs");
  const list = spec.get("extraConfigs");
  if (list !== undefined && listed.length > 0 && !isPlainList(list)) return noList(target, "extraConfigs");
  const editsOf = (slot: string): readonly TextEdit[] =>
    slotEdits(spec, slot, onePerKind(allWanted.filter((wanted) => wanted.slot === slot)));
  return [...editsOf("config"), ...editsOf("userConfig"), ...listEdits(spec, listed, target, stacks)];
}

/** References in order, with those of a run replaced by one to its fold; folds without an entry at the end of the list. */
function wantedOf(
  target: Item,
  references: readonly Reference[],
  folds: readonly Fold[],
): WantedReference[] | Diagnostic {
  const gone = new Set(folds.flatMap(({ layers }) => layers.map(({ reference }) => reference)));
  const byEntry = new Map(folds.map((fold) => [entryFor(fold), fold]));
  const allWanted = references
    .filter((reference) => byEntry.has(reference) || !gone.has(reference))
    .map((reference): WantedReference => {
      const fold = byEntry.get(reference);
      return fold === undefined ? { reference, ...reference } : { fold, ...reference, name: fold.name };
    });
  const entryless = folds
    .filter((fold) => entryFor(fold) === undefined)
    .map((fold) => newReference(fold, target, references));
  if (entryless.some(({ namespace }) => namespace === undefined)) return noNamespace(target);
  return [...allWanted, ...entryless.toSorted((a, b) => a.priority - b.priority)];
}

/** The height if no reference is placed by height. */
function noHeight(): number {
  return 0;
}

/** The height of each reference in its stack. */
function heightsIn(stacks: readonly Stack[]): (wanted: WantedReference) => number {
  const places = new Map<Layer, number>();
  for (const { entries } of stacks)
    for (const entry of entries) if ("layer" in entry) places.set(entry.layer, places.size);
  const byReference = new Map([...places].map(([{ reference }, height]) => [reference, height]));
  return ({ fold, reference }) =>
    (fold === undefined ? byReference.get(reference) : places.get(fold.layers.at(-1) as Layer)) ?? -1;
}

function entryFor({ layers }: Fold): Reference | undefined {
  const slot = (name: string): Reference | undefined =>
    layers.findLast(({ reference }) => reference?.slot === name)?.reference;
  return slot("userConfig") ?? slot("config") ?? layers.at(-1)?.reference;
}

/** A new entry at the priority of the run's top layer, which no entry of the App names. */
function newReference(fold: Fold, target: Item, references: readonly Reference[]): WantedReference {
  const { layers, kind, name, namespace } = fold;
  const top = layers.at(-1) as Layer;
  const written = layers.findLast(({ reference }) => reference?.namespace !== undefined)?.reference
    ?.namespace;
  const known = written ?? namespace ?? target.namespace ?? references[0]?.namespace;
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

/** A slot names one item of a kind, whatever the records of several folded items say. */
function onePerKind(allWanted: readonly WantedReference[]): readonly WantedReference[] {
  return [...new Map(allWanted.map((wanted) => [wanted.kind, wanted])).values()];
}

function slotEdits(spec: Node, slot: string, allWanted: readonly WantedReference[]): TextEdit[] {
  const config = spec.get(slot);
  if (config?.isMapping !== true || config.first === undefined) {
    if (allWanted.length === 0) return [];
    const whole = Object.fromEntries(allWanted.map((wanted) => [slotKeys[wanted.kind], slotFields(wanted)]));
    return [config === undefined ? addEntry(spec, slot, whole) : replaceValue(config, flowText(whole))];
  }
  const gone: Node[] = [];
  for (const kind of layerKinds) {
    const node = allWanted.some((wanted) => wanted.kind === kind) ? undefined : named(config, kind);
    if (node !== undefined) gone.push(node);
  }
  const [only] = allWanted;
  // The slot would be emptied and filled again: one kind replaces the other.
  if (only !== undefined && gone.length > 0 && gone.length === config.children().length)
    return [setFields(config, slotKeys[only.kind], slotFields(only))];
  const edits = removeEntries(gone, spec);
  for (const wanted of allWanted) {
    const node = config.get(slotKeys[wanted.kind]);
    if (node === undefined) edits.push(addEntry(config, slotKeys[wanted.kind], slotFields(wanted)));
    else edits.push(...entryEdits(node, wanted));
  }
  return edits;
}

/** The edits of an entry that is there: of one that Go wrote for "not set", too. */
function entryEdits(node: Node, wanted: WantedReference): TextEdit[] {
  if (!node.isMapping) return [replaceValue(node, flowText(slotFields(wanted)))];
  const edits: TextEdit[] = [];
  const absent: [key: string, text: string][] = [];
  for (const key of ["name", "namespace"] as const) {
    const [value, text] = [node.get(key), wanted[key]];
    if (text === undefined) continue;
    if (value === undefined) absent.push([key, quote(text)]);
    else edits.push(...setText(value, text));
  }
  if (absent.length === 0) return edits;
  const added = absent.map(([key, line]) => [key, { line, lines: [], quoted: flowText(line) }] as const);
  return [...edits, addScalarsTo(node, added)];
}

/** A slot's entry with a name; Go writes unset ones with an empty name, which stay. */
function named(config: Node, kind: LayerKind): Node | undefined {
  const node = config.get(slotKeys[kind]);
  return node !== undefined && node.textAt("name") ? node : undefined;
}

function slotFields({ name, namespace }: WantedReference): NewFields {
  return [
    ["name", quote(name)],
    ...(namespace === undefined ? [] : [["namespace", quote(namespace)] as const]),
  ];
}

function setName(entry: Node, name: string): TextEdit[] {
  const value = entry.get("name");
  return value === undefined ? [] : setText(value, name);
}

function setText(value: Node, text: string): TextEdit[] {
  const isSame = value.isScalar && !value.isNull && value.text === text;
  return isSame ? [] : [replaceText(value, text)];
}

function listEdits(
  spec: Node,
  allWanted: readonly WantedReference[],
  target: Item,
  stacks: readonly Stack[],
): TextEdit[] {
  const heightOf = allWanted.some(({ annotated }) => annotated === true) ? heightsIn(stacks) : noHeight;
  const list = spec.get("extraConfigs");
  const present = spec.list("extraConfigs");
  const free = new Set(present);
  const placed: PlacedEntry[] = [];
  for (const wanted of allWanted) {
    const node = present.find(
      (entry) =>
        free.has(entry) &&
        (wanted.node === undefined ? isEqual(entry, wanted, target) : entry.row === wanted.node.row),
    );
    const item: ListItem =
      node === undefined ? { fields: listFields(wanted) } : { node, edits: setName(node, wanted.name) };
    if (wanted.annotated === true) putIn(placed, { wanted, item }, node, heightOf);
    else placed.push({ wanted, item });
    if (node !== undefined) free.delete(node);
  }
  const items = placed.map(({ item }) => item);
  if (list === undefined)
    return items.length === 0 ? [] : [nestedFields(spec, "extraConfigs", allWanted.map(listFields))];
  return setList(list, items);
}

interface PlacedEntry {
  readonly wanted: WantedReference;
  readonly item: ListItem;
}

/** Puts a reference without an entry where it was, unless that would change its order among its kind and priority. */
function putIn(
  placed: PlacedEntry[],
  one: PlacedEntry,
  node: Node | undefined,
  heightOf: (wanted: WantedReference) => number,
): void {
  const { wanted } = one;
  const above = placed.findIndex(
    (other) => isLike(other.wanted, wanted) && heightOf(other.wanted) > heightOf(wanted),
  );
  const end = above < 0 ? placed.length : above;
  const below = placed.findLastIndex(
    (other, at) => at < end && isLike(other.wanted, wanted) && heightOf(other.wanted) < heightOf(wanted),
  );
  const present =
    node === undefined ? -1 : placed.findIndex(({ item }) => "node" in item && item.node.row > node.row);
  placed.splice(present > below && present <= end ? present : end, 0, one);
}

/** Only among these does the order of the list matter. */
function isLike(a: WantedReference, b: WantedReference): boolean {
  return a.kind === b.kind && a.priority === b.priority;
}

function isEqual(entry: Node, { kind, name, namespace, priority }: WantedReference, target: Item): boolean {
  const sameKind = (entry.textAt("kind") || "configMap") === slotKeys[kind];
  const sameNamespace = (entry.textAt("namespace") || target.namespace) === namespace;
  return (
    sameKind &&
    sameNamespace &&
    entry.textAt("name") === name &&
    Number(entry.textAt("priority") ?? appKind.references.listPriority) === priority
  );
}

function listFields(wanted: WantedReference): NewFields {
  return [["kind", slotKeys[wanted.kind]], ...slotFields(wanted), ["priority", String(wanted.priority)]];
}

function noNamespace(target: Item): Diagnostic {
  return {
    code: "no-namespace",
    severity: "error",
    ...atItem(target),
    message: "the namespace of the folded layer is unknown",
    reason: "an App names the namespace of each of its layers",
    hint: "give the App and its layers a namespace before they are folded",
  };
}
