// Folds → items. A folded item has the labels all its layers share and no annotation of theirs but Flux'
// own marks. One that is there from an earlier run keeps its place and whatever else was put on it.
import { Mark, fluxMarks } from "../wire/annotation-names.ts";
import { reveal } from "../layer/guarded.ts";
import { isText } from "../layer/held.ts";
import type { Holdings } from "../layer/holdings.ts";
import { annotationsOf, labelOf, labelsOf } from "../layer/metadata.ts";
import { isComponent } from "../front/all.ts";
import type { Fold, Layer, Stack } from "../model.ts";
import { type Fates, recordOf } from "../refold/record.ts";
import { isFromKpt } from "../wire/comments.ts";
import type { Edit, Envelope, Embedding } from "../wire/envelope.ts";
import type { Item } from "../wire/item.ts";
import { type NewItem, renderItem } from "../wire/render.ts";

export interface Emitted {
  readonly edits: readonly Edit[];
  /** The folded item of an earlier run that it goes on with. */
  readonly again: Item | undefined;
}

/** How a folded item is put into the list. */
export interface Placing {
  /** Folded items of an earlier run that were taken apart: one of the same name is set to what it should be now. */
  readonly earlier: readonly Item[];
  readonly dataKey: string;
  /** Before the target, or instead of an item that goes. */
  readonly position: "before" | "instead";
  readonly holdings: Holdings;
  readonly fates: Fates;
}

/** The edits that put a folded item into the list, or set one of an earlier run to what it should be. */
export function emitFold({ embeddings }: Envelope, fold: Fold, placing: Placing): Emitted {
  const { stack, kind, name, namespace } = fold;
  const again = placing.earlier.find(
    (item) => item.kind === kind && item.name === name && item.namespace === namespace,
  );
  const beside = besideOf(stack);
  const embedding = embeddings.get(again ?? beside);
  if (embedding === undefined) return { edits: [], again };
  if (again !== undefined) return { edits: emitAgain(fold, placing, again, embedding), again };
  const item = itemOf(fold, placing, placeInPackage(fold, beside));
  if (placing.position === "instead") return { edits: [replacing(beside, item, embedding)], again };
  const { start } = beside;
  return { edits: [{ start, end: start, text: renderItem(item, embedding, "before") }], again };
}

/** The item a folded one stands before. */
function besideOf({ target, beside }: Stack): Item {
  const found = beside ?? (isComponent(target) ? undefined : target);
  if (found === undefined) throw new Error("a component's folded item needs one to stand before");
  return found;
}

/** An item in the place of another one. */
export function replacing({ bytes, start, end }: Item, item: NewItem, embedding: Embedding): Edit {
  const text = renderItem(item, embedding, "instead");
  // At the end of the input the line feed stays: it may be the last of a value.
  const keepsEnd = end === bytes.length || bytes[end - 1] === 0x0a || text[text.length - 1] !== 0x0a;
  return { start, end, text: keepsEnd ? text : text.subarray(0, -1) };
}

/** kpt writes a new item where this annotation says: next to its target, in the same package. */
function placeInPackage({ kind, name }: Fold, beside: Item): Map<string, string> {
  const path = beside.annotations.get(Mark.path);
  if (path === undefined || !isFromKpt(beside)) return new Map();
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return new Map([[Mark.path, `${folder}${kind.toLowerCase()}_${name}.yaml`]]);
}

/** No edit if it is that already. */
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

function itemOf(fold: Fold, { dataKey, fates }: Placing, foreign: ReadonlyMap<string, string>): NewItem {
  const [bottom] = fold.layers as [Layer];
  // What is sealed here is for Flux to decrypt, whatever was to be done with the layers.
  const kept = fluxMarks.filter((mark) => fold.sops === undefined || mark !== Mark.decrypt);
  const marks = kept.flatMap((mark) => {
    const value = bottom.item.annotations.get(mark);
    return value === undefined ? [] : [[mark, value] as const];
  });
  const annotations = new Map([...foreign, [Mark.foldedFrom, recordOf(fold, fates)], ...marks]);
  const { kind, name, namespace, text, unencoded, sops } = fold;
  return {
    kind,
    name,
    namespace,
    labels: sharedLabels(fold),
    annotations,
    dataKey,
    text: reveal(text, { kind }),
    unencoded,
    ...(sops === undefined ? {} : { sops }),
  };
}

/** Labels that all layers share; and Flux' watch label if any layer has it. */
function sharedLabels({ layers, stack, sops }: Fold): Map<string, string> {
  const [first, ...rest] = layers.map(({ item }) => item);
  const labels = new Map(first === undefined ? [] : labelsOf(first));
  for (const [key, value] of labels)
    // What a fold makes of rendered items is not the render's own.
    if (key.startsWith(Mark.owner) || !rest.every((item) => labelsOf(item).get(key) === value))
      labels.delete(key);
  const watch = layers.map(({ item }) => labelOf(item, Mark.watch)).find((value) => value !== undefined);
  if (watch !== undefined) labels.set(Mark.watch, watch);
  for (const label of stack.layerLabels ?? []) labels.delete(label);
  if (sops !== undefined) labels.delete(Mark.decrypt);
  return labels;
}
