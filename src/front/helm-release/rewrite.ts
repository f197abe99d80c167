// Folded runs → the HelmRelease's own valuesFrom: what the list should hold, in stack order, set against
// what it holds. Entries that stay keep every byte; a fold takes an entry of its run where that says no more
// than a kind and a name.
import type { Diagnostic } from "../../diagnostic.ts";
import type { Fold, Reference, StackEntry } from "../../model.ts";
import { type Fields, replaceText } from "../../wire/edit.ts";
import { type ListItem, nestedFields, setList } from "../../wire/list-edit.ts";
import type { Edit } from "../../wire/envelope.ts";
import { childOf, isNode, type Item, listAt, textAt } from "../../wire/item.ts";
import { quote } from "../../yaml/quote.ts";
import { keyText } from "../../yaml/scalar.ts";
import { childrenOf, isMapping, type Node } from "../../yaml/tape.ts";
import type { Collected } from "../front-end.ts";
import { aliasFault, isPlainList, noList, specOf } from "../spec.ts";

const slot = "valuesFrom";

/** An entry the list should hold. */
type Wish = { readonly fold: Fold } | { readonly reference: Reference };

export function rewrite(
  target: Item,
  { stacks }: Collected,
  folds: readonly Fold[],
): readonly Edit[] | Diagnostic {
  const root = target.read();
  const spec = specOf(target);
  if (spec === undefined || !isNode(root)) return [];
  if (root.doc.targets.size > 0) return aliasFault(target);
  const wishes = wishesOf(
    stacks.flatMap(({ entries }) => entries),
    folds,
  );
  const list = childOf(spec, slot);
  if (list !== undefined && !isPlainList(list)) return noList(target, slot);
  if (list === undefined) return wishes.length === 0 ? [] : [nestedFields(spec, slot, wishes.map(fieldsOf))];
  return setList(list, itemsOf(wishes, listAt(spec, slot)));
}

/** The entries of the stack in order, each run of a fold replaced by one. */
function wishesOf(entries: readonly StackEntry[], folds: readonly Fold[]): Wish[] {
  const placed = new Set<Fold>();
  return entries.flatMap((entry): Wish[] => {
    const fold = folds.find(({ layers }) => "layer" in entry && layers.includes(entry.layer));
    if (fold !== undefined) return placed.has(fold) ? [] : (placed.add(fold), [{ fold }]);
    const reference = "layer" in entry ? entry.layer.reference : entry.barrier.reference;
    return reference === undefined ? [] : [{ reference }];
  });
}

function itemsOf(wishes: readonly Wish[], present: readonly Node[]): ListItem[] {
  const free = new Set(present);
  const take = (fits: (node: Node) => boolean): Node | undefined => {
    const found = [...free].find(fits);
    if (found !== undefined) free.delete(found);
    return found;
  };
  // Entries that stay are nobody else's, wherever they stand.
  const kept = wishes.map((wish) => take((node) => isEntryOf(wish, node)));
  return wishes.map((wish, index): ListItem => {
    const node = kept[index];
    if (node !== undefined) return { node, edits: [] };
    const reused = take((entry) => isReusable(wish, entry));
    const name = reused === undefined ? undefined : childOf(reused, "name");
    if (!("fold" in wish) || reused === undefined || name === undefined) return { fields: fieldsOf(wish) };
    return { node: reused, edits: [replaceText(name, wish.fold.name)] };
  });
}

/** True if a present entry says what is wished already. */
function isEntryOf(wish: Wish, node: Node): boolean {
  if ("reference" in wish && wish.reference.node !== undefined) return wish.reference.node.row === node.row;
  const words = wordsOf(wish);
  return keysOf(node).length === words.length && words.every(([key, word]) => textAt(node, key) === word);
}

/** An entry of the run that names its kind and name and no more. */
function isReusable(wish: Wish, node: Node): boolean {
  if (!("fold" in wish) || keysOf(node).some((key) => key !== "kind" && key !== "name")) return false;
  return wish.fold.layers.some(({ reference }) => reference?.node?.row === node.row);
}

function keysOf(node: Node): string[] {
  return isMapping(node) ? childrenOf(node).map(keyText) : [];
}

/** What the entry says: keys and their plain text. */
function wordsOf(wish: Wish): Fields {
  if ("fold" in wish)
    return [
      ["kind", wish.fold.kind],
      ["name", wish.fold.name],
    ];
  const { kind, name, key, optional } = wish.reference;
  return [
    ["kind", kind],
    ["name", name],
    ...(key === undefined ? [] : [["valuesKey", key] as const]),
    ...(optional === true ? [["optional", "true"] as const] : []),
  ];
}

function fieldsOf(wish: Wish): Fields {
  return wordsOf(wish).map(([key, word]) => [key, key === "optional" ? word : quote(word)]);
}
