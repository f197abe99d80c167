// Folds → items. A folded item has the labels all its layers share and none of their annotations but Flux' own
// marks. An existing one of an earlier run keeps its place and everything else that was added to it.
import { Mark, fluxMarks } from "../wire/annotation-names.ts";
import { withText } from "../layer/guarded.ts";
import { isText } from "../layer/held.ts";
import type { Holdings } from "../layer/holdings.ts";
import { annotationsOf, labelOf, labelsOf } from "../layer/metadata.ts";
import { isComponent } from "../front/all.ts";
import type { Fold, Layer, Stack } from "../model.ts";
import { type DisposedLayers, recordOf } from "../refold/record.ts";
import { isFromKpt } from "../wire/comments.ts";
import type { Edit, Envelope, Embedding } from "../wire/envelope.ts";
import type { Item } from "../wire/item.ts";
import { type NewItem, renderItem } from "../wire/render.ts";

export interface Emitted {
  readonly edits: readonly Edit[];
  /** The folded item of an earlier run that it updates. */
  readonly again: Item | undefined;
}

/** How a folded item is put into the list. */
export interface Placing {
  /** Folded items of an earlier run that were restored: one with the same name is updated. */
  readonly earlier: readonly Item[];
  readonly dataKey: string;
  /** Before the target, or instead of an item that is removed. */
  readonly position: "before" | "instead";
  readonly holdings: Holdings;
  readonly disposed: DisposedLayers;
}

/** The edits that add a folded item to the list, or update one of an earlier run. */
export function emitFold({ embeddings }: Envelope, fold: Fold, placing: Placing): Emitted {
  const { stack, kind, name, namespace } = fold;
  const again = placing.earlier.find(
    (item) => item.kind === kind && item.name === name && item.namespace === namespace,
  );
  const next = itemAfter(stack);
  const embedding = embeddings.get(again ?? next);
  if (embedding === undefined) return { edits: [], again };
  if (again !== undefined) return { edits: emitAgain(fold, placing, again, embedding), again };
  const item = itemOf(fold, placing, placeInPackage(fold, next));
  if (placing.position === "instead") return { edits: [replacing(next, item, embedding)], again };
  const { start } = next;
  return { edits: [{ start, end: start, text: renderItem(item, embedding, "before") }], again };
}

/** The item that a folded one is placed before. */
function itemAfter({ target, placedBefore }: Stack): Item {
  const found = placedBefore ?? (isComponent(target) ? undefined : target);
  if (found === undefined) throw new Error("a component's folded item needs an item to be placed before");
  return found;
}

/** Replaces one item by another. */
export function replacing({ bytes, start, end }: Item, item: NewItem, embedding: Embedding): Edit {
  const text = renderItem(item, embedding, "instead");
  // At the end of the input the line feed stays: it may be the last of a value.
  const keepsEnd = end === bytes.length || bytes[end - 1] === 0x0a || text[text.length - 1] !== 0x0a;
  return { start, end, text: keepsEnd ? text : text.subarray(0, -1) };
}

/** The annotation by which kpt places a new item: next to its target, in the same package. */
function placeInPackage({ kind, name }: Fold, next: Item): Map<string, string> {
  const path = next.annotations.get(Mark.path);
  if (path === undefined || !isFromKpt(next)) return new Map();
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return new Map([[Mark.path, `${folder}${kind.toLowerCase()}_${name}.yaml`]]);
}

/** No edit if nothing differs. */
function emitAgain(fold: Fold, placing: Placing, item: Item, embedding: Embedding): Edit[] {
  const { dataKey, holdings } = placing;
  const wanted = itemOf(fold, placing, foreignAnnotations(item));
  const present = holdings.textOf(item, dataKey);
  const sameText = isText(present) && present.equals(fold.text);
  const sameForm = fold.kind === "ConfigMap" || holdings.isEncoded(item, dataKey) !== fold.unencoded;
  const sameMarks =
    sameEntries(annotationsOf(item), wanted.annotations) && sameEntries(labelsOf(item), wanted.labels);
  if (sameText && sameForm && sameMarks) return [];
  return [replacing(item, wanted, embedding)];
}

function foreignAnnotations(item: Item): Map<string, string> {
  return new Map(
    [...annotationsOf(item)].filter(([key]) => key !== Mark.foldedFrom && !fluxMarks.includes(key)),
  );
}

export function sameEntries(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

function itemOf(fold: Fold, { dataKey, disposed }: Placing, foreign: ReadonlyMap<string, string>): NewItem {
  const [bottom] = fold.layers as [Layer];
  // Flux must decrypt an item that is sealed here, whatever it did with the layers.
  const kept = fluxMarks.filter((mark) => fold.sops === undefined || mark !== Mark.decrypt);
  const marks = kept.flatMap((mark) => {
    const value = bottom.item.annotations.get(mark);
    return value === undefined ? [] : [[mark, value] as const];
  });
  const annotations = new Map([...foreign, [Mark.foldedFrom, recordOf(fold, disposed)], ...marks]);
  const { kind, name, namespace, text, unencoded, sops } = fold;
  const item = { kind, name, namespace, labels: sharedLabels(fold), annotations, dataKey, unencoded };
  return withText(sops === undefined ? item : { ...item, sops }, text);
}

/** Labels that all layers share; and Flux' watch label if any layer has it. */
function sharedLabels({ layers, stack, sops }: Fold): Map<string, string> {
  const [first, ...rest] = layers.map(({ item }) => item);
  const labels = new Map(first === undefined ? [] : labelsOf(first));
  for (const [key, value] of labels)
    // A fold of rendered items does not belong to the render.
    if (key.startsWith(Mark.owner) || !rest.every((item) => labelsOf(item).get(key) === value))
      labels.delete(key);
  const watch = layers.map(({ item }) => labelOf(item, Mark.watch)).find((value) => value !== undefined);
  if (watch !== undefined) labels.set(Mark.watch, watch);
  for (const label of stack.layerLabels ?? []) labels.delete(label);
  if (sops !== undefined) labels.delete(Mark.decrypt);
  return labels;
}
