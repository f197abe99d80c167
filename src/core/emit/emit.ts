// Folds → items. A folded item has the labels all its layers share and none of their annotations but Flux' own
// marks. An existing one of an earlier run keeps its place and everything else that was added to it.
import {
  Mark,
  offMarks,
  isFromKpt,
  type TextEdit,
  type Envelope,
  type Embedding,
  type Item,
  atItem,
  type NewItem,
  renderItem,
} from "../../krm/index.ts";
import {
  withText,
  isText,
  type Holdings,
  annotationsOf,
  labelOf,
  labelsOf,
  firstWave,
  marksInEffect,
  type Fold,
  type Stack,
} from "../../layers/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { isComponent } from "../front/all.ts";
import { type DisposedLayers, recordOf } from "../refold/record.ts";

/** Marks of a folded item that follow from its layers. */
const ownMarks: readonly string[] = offMarks;

/** The API server's bound on all annotations of an object. */
const mostAnnotationBytes = 256 * 1024;

export interface Emitted {
  readonly edits: readonly TextEdit[];
  /** A folded item that the API server would refuse, because of its record. */
  readonly fault?: Diagnostic | undefined;
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
  /** Of the same target. */
  readonly folds: readonly Fold[];
  /** Under kpt the files of the package, those of new items included. */
  readonly filesInUse: Set<string>;
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
  const item = itemOf(fold, placing, placeInPackage(fold, next, placing.filesInUse));
  const fault = boundFault(item, next);
  if (placing.position === "instead") return { edits: [replacing(next, item, embedding)], again, fault };
  const { start } = next;
  return { edits: [{ start, end: start, text: renderItem(item, embedding, "before") }], again, fault };
}

function boundFault({ kind, name, annotations }: NewItem, target: Item): Diagnostic | undefined {
  let characters = 0;
  for (const [key, text] of annotations) characters += key.length + text.length;
  // Nearly always there are few, and they are not counted as bytes: none has more than three.
  if (3 * characters <= mostAnnotationBytes) return undefined;
  let bytes = 0;
  for (const [key, text] of annotations) bytes += Buffer.byteLength(key) + Buffer.byteLength(text);
  if (bytes <= mostAnnotationBytes) return undefined;
  return {
    code: "fold-too-large",
    severity: "error",
    ...atItem(target),
    message: `the record of \`${kind}/${name}\` would have ${bytes} bytes`,
    reason: "the API server takes at most 256 KiB of annotations",
    hint: "merge some of the layers into one: the record names each of them",
  };
}

/** The item that a folded one is placed before. */
function itemAfter({ target, placedBefore }: Stack): Item {
  const found = placedBefore ?? (isComponent(target) ? undefined : target);
  if (found === undefined) throw new Error("a component's folded item needs an item to be placed before");
  return found;
}

/** Replaces one item by another. */
export function replacing({ bytes, start, end }: Item, item: NewItem, embedding: Embedding): TextEdit {
  const text = renderItem(item, embedding, "instead");
  // At the end of the input the line feed stays: it may be the last of a value.
  const keepsEnd = end === bytes.length || bytes[end - 1] === 0x0a || text[text.length - 1] !== 0x0a;
  return { start, end, text: keepsEnd ? text : text.subarray(0, -1) };
}

/** The annotation by which kpt places a new item: next to its target, in the same package. */
function placeInPackage(
  { kind, name, namespace }: Fold,
  next: Item,
  filesInUse: Set<string>,
): Map<string, string> {
  const path = next.annotations.get(Mark.path);
  if (path === undefined || !isFromKpt(next)) return new Map();
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const fileFor = (words: readonly string[]): string => `${folder}${words.join("_")}.yaml`;
  const plain = fileFor([kind.toLowerCase(), name]);
  // An item of the same name in another namespace may have the file: kpt takes no second one there.
  const file = filesInUse.has(plain) ? fileFor([kind.toLowerCase(), namespace ?? "", name]) : plain;
  filesInUse.add(file);
  return new Map([[Mark.path, file]]);
}

/** No edit if nothing differs. */
function emitAgain(fold: Fold, placing: Placing, item: Item, embedding: Embedding): TextEdit[] {
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
    [...annotationsOf(item)].filter(([key]) => key !== Mark.foldedFrom && !ownMarks.includes(key)),
  );
}

export function sameEntries(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

function itemOf(
  fold: Fold,
  { dataKey, disposed, folds }: Placing,
  foreign: ReadonlyMap<string, string>,
): NewItem {
  const labels = sharedLabels(fold);
  const record = [Mark.foldedFrom, recordOf(fold, disposed, folds)] as const;
  const annotations = new Map([...foreign, record, ...marksOf(fold, labels)]);
  const { kind, name, namespace, text, unencoded, sops } = fold;
  const item = { kind, name, namespace, labels, annotations, dataKey, unencoded };
  return withText(sops === undefined ? item : { sops, ...item }, text);
}

/** What Flux leaves out for all layers, unless a label says it; and the first wave in which a layer or the target is applied. */
function marksOf({ layers, stack, sops }: Fold, labels: ReadonlyMap<string, string>): [string, string][] {
  const items = layers.map(({ item }) => item);
  const [bottom] = items as [Item];
  // Flux must decrypt an item that is sealed here, whatever it did with the layers.
  const off = marksInEffect(bottom).filter((mark) => sops === undefined || mark !== Mark.decrypt);
  const marks = off.filter((mark) => labels.get(mark) !== "disabled").map((mark) => [mark, "disabled"]);
  const wave = firstWave(isComponent(stack.target) ? items : [...items, stack.target]);
  return [...marks, ...(wave === undefined ? [] : [[Mark.syncWave, wave]])] as [string, string][];
}

/** Labels that all layers share; and Flux' watch label if any layer has it. */
function sharedLabels({ layers, stack, sops }: Fold): Map<string, string> {
  const [first, ...rest] = layers.map(({ item }) => item);
  if (!layers.some(({ item }) => item.labelled)) return new Map();
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
