// Folded runs → the HelmRelease's own valuesFrom: the wanted list, in stack order, compared with the
// present one. Entries that stay keep every byte; a fold takes an entry of its run if that has only
// a kind and a name.
import type { Diagnostic } from "../../../diagnostic.ts";
import type { Fold, Reference, StackEntry } from "../../../layers/index.ts";
import {
  type NewFields,
  replaceText,
  type ListItem,
  nestedFields,
  setList,
  type TextEdit,
  isNode,
  type Item,
} from "../../../krm/index.ts";
import { quote, type Node } from "../../../yaml/index.ts";
import type { Collected } from "../front-end.ts";
import { aliasFault, isPlainList, noList, specOf } from "../spec.ts";

const slot = "valuesFrom";

/** An entry the list should have. */
type WantedEntry = { readonly fold: Fold } | { readonly reference: Reference };

export function rewrite(
  target: Item,
  { stacks }: Collected,
  folds: readonly Fold[],
): readonly TextEdit[] | Diagnostic {
  const root = target.read();
  const spec = specOf(target);
  if (spec === undefined || !isNode(root)) return [];
  if (root.doc.targets.size > 0) return aliasFault(target);
  const allWanted = wantedOf(
    stacks.flatMap(({ entries }) => entries),
    folds,
  );
  const list = spec.get(slot);
  if (list !== undefined && !isPlainList(list)) return noList(target, slot);
  if (list === undefined)
    return allWanted.length === 0 ? [] : [nestedFields(spec, slot, allWanted.map(fieldsOf))];
  return setList(list, itemsOf(allWanted, spec.list(slot)));
}

/** The entries of the stack in order, each run of a fold replaced by one. */
function wantedOf(entries: readonly StackEntry[], folds: readonly Fold[]): WantedEntry[] {
  const placed = new Set<Fold>();
  return entries.flatMap((entry): WantedEntry[] => {
    const fold = folds.find(({ layers }) => "layer" in entry && layers.includes(entry.layer));
    if (fold !== undefined) return placed.has(fold) ? [] : (placed.add(fold), [{ fold }]);
    const reference = "layer" in entry ? entry.layer.reference : entry.barrier.reference;
    return reference === undefined ? [] : [{ reference }];
  });
}

function itemsOf(allWanted: readonly WantedEntry[], present: readonly Node[]): ListItem[] {
  const free = new Set(present);
  const take = (fits: (node: Node) => boolean): Node | undefined => {
    const found = [...free].find(fits);
    if (found !== undefined) free.delete(found);
    return found;
  };
  // Entries that stay are taken first, wherever they are.
  const kept = allWanted.map((wanted) => take((node) => isEntryOf(wanted, node)));
  return allWanted.map((wanted, index): ListItem => {
    const node = kept[index];
    if (node !== undefined) return { node, edits: [] };
    const reused = take((entry) => isReusable(wanted, entry));
    const name = reused?.get("name");
    if (!("fold" in wanted) || reused === undefined || name === undefined)
      return { fields: fieldsOf(wanted) };
    return { node: reused, edits: [replaceText(name, wanted.fold.name)] };
  });
}

/** True if a present entry already equals the wanted one. */
function isEntryOf(wanted: WantedEntry, node: Node): boolean {
  if ("reference" in wanted && wanted.reference.node !== undefined)
    return wanted.reference.node.row === node.row;
  const fields = plainFieldsOf(wanted);
  return keysOf(node).length === fields.length && fields.every(([key, word]) => node.textAt(key) === word);
}

/** An entry of the run with only kind and name. */
function isReusable(wanted: WantedEntry, node: Node): boolean {
  if (!("fold" in wanted) || keysOf(node).some((key) => key !== "kind" && key !== "name")) return false;
  return wanted.fold.layers.some(({ reference }) => reference?.node?.row === node.row);
}

function keysOf(node: Node): string[] {
  return node.isMapping ? node.children().map((each) => each.keyText) : [];
}

/** The keys of the entry and their plain text. */
function plainFieldsOf(wanted: WantedEntry): NewFields {
  if ("fold" in wanted)
    return [
      ["kind", wanted.fold.kind],
      ["name", wanted.fold.name],
    ];
  const { kind, name, key, optional } = wanted.reference;
  return [
    ["kind", kind],
    ["name", name],
    ...(key === undefined ? [] : [["valuesKey", key] as const]),
    ...(optional === true ? [["optional", "true"] as const] : []),
  ];
}

function fieldsOf(wanted: WantedEntry): NewFields {
  return plainFieldsOf(wanted).map(([key, word]) => [key, key === "optional" ? word : quote(word)]);
}
