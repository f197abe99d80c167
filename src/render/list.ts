// Rendered objects → the resource list of a function. If the output becomes the next input (kpt), an object of an earlier
// run keeps its place and what other tools put on it; one that another owner has is a conflict.
import type { Diagnostic } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import { annotationsOf, guard, Holdings, isLayerItem, isText, labelsOf } from "../layers/index.ts";
import {
  atItem,
  type TextEdit,
  encode,
  type Envelope,
  type Item,
  Mark,
  type NewItem,
  renderItem,
} from "../krm/index.ts";
import { replacing, sameEntries } from "../core/index.ts";
import { ownerLabels } from "./naming.ts";
import { conflict, type RenderedObject } from "./objects.ts";
import { type Owner, ownerText } from "./kinds.ts";
import type { Render } from "./read-settings.ts";

interface ListedObject {
  readonly object: RenderedObject;
  /** Its item of an earlier run. */
  readonly earlier: Item | undefined;
}

/** Items that would be overwritten although the render is not their owner. */
export function conflictsIn({ items }: Envelope, objects: readonly RenderedObject[]): Diagnostic[] {
  return placed(items, objects).flatMap(({ object: { item, instance }, earlier }) => {
    if (earlier === undefined || isOwn(earlier, item)) return [];
    return [conflict(objectText(item), instance, "an item of the list that is not its own")];
  });
}

/** What earlier renders of the same owners left, and this one does not render. kpt deletes nothing by itself. */
export function staleIn(
  { items }: Envelope,
  renders: readonly Render[],
  objects: readonly RenderedObject[],
): Diagnostic[] {
  const owners = renders.map(({ owner }) => ({ owner, labels: [...ownerLabels(owner)] }));
  const rendered = new Set(placed(items, objects).map(({ earlier }) => earlier));
  return items.filter(isLayerItem).flatMap((item) => {
    const present = labelsOf(item);
    const own = owners.find(({ labels }) => labels.every(([key, value]) => present.get(key) === value));
    return own === undefined || rendered.has(item) ? [] : [stale(item, own.owner)];
  });
}

function stale(item: Item, owner: Owner): Diagnostic {
  return {
    code: "render-stale",
    severity: "warning",
    message: `\`${objectText(item)}\` is of \`${ownerText(owner)}\`, which does not render it any more`,
    hint: "delete its file, or bring its app back into scope",
    ...atItem(item),
  };
}

/** The list with all objects in it. */
export function withObjects(
  envelope: Envelope,
  objects: readonly RenderedObject[],
  diagnostics: readonly Diagnostic[],
): readonly Uint8Array[] {
  const { items, embeddings } = envelope;
  const [first] = items;
  const embedding = first === undefined ? undefined : embeddings.get(first);
  if (first === undefined || embedding === undefined) return listOf(envelope, objects);
  const edits = placed(items, objects).flatMap(({ object: { item }, earlier }): TextEdit[] => {
    const there = earlier === undefined ? undefined : embeddings.get(earlier);
    if (earlier !== undefined && there !== undefined) {
      const wanted = withForeign(item, earlier);
      return isSame(wanted, earlier) ? [] : [replacing(earlier, wanted, there)];
    }
    return [{ start: first.start, end: first.start, text: renderItem(item, embedding, "before") }];
  });
  return encode(envelope, edits, diagnostics);
}

function placed(items: readonly Item[], objects: readonly RenderedObject[]): ListedObject[] {
  const byId = new Map(items.map((item) => [objectText(item), item]));
  return objects.map((object) => {
    return { object, earlier: byId.get(objectText(object.item)) };
  });
}

function isOwn(item: Item, { labels }: NewItem): boolean {
  const present = labelsOf(item);
  return [...labels].every(([key, value]) => !key.startsWith(Mark.owner) || present.get(key) === value);
}

/** Labels and annotations of other tools stay on an object. */
function withForeign(item: NewItem, earlier: Item): NewItem {
  return {
    ...item,
    labels: new Map([...labelsOf(earlier), ...item.labels]),
    annotations: new Map([...annotationsOf(earlier), ...item.annotations]),
  };
}

function isSame(wanted: NewItem, earlier: Item): boolean {
  const holdings = new Holdings();
  const present = holdings.textOf(earlier, wanted.dataKey);
  const isSameText = isText(present) && present.equals(guard(wanted.text, wanted.kind === "Secret"));
  return (
    isSameText &&
    holdings.keysOf(earlier).length === 1 &&
    sameEntries(labelsOf(earlier), wanted.labels) &&
    sameEntries(annotationsOf(earlier), wanted.annotations)
  );
}

/** A list of its own, for input without items. */
function listOf({ bytes }: Envelope, objects: readonly RenderedObject[]): readonly Uint8Array[] {
  const version = /config\.kubernetes\.io\/v1(?:alpha1|beta1)?/.exec(bytes.toString("latin1"))?.[0];
  const head = `apiVersion: ${version ?? "config.kubernetes.io/v1"}\nkind: ResourceList\nitems:\n`;
  const items = objects.map(({ item }) => renderItem(item, { type: "block", column: 0, list: 0 }, "instead"));
  return [Buffer.from(objects.length === 0 ? head.replace("items:", "items: []") : head, "utf8"), ...items];
}

/** The same as a stream of documents. */
export function streamOf(objects: readonly RenderedObject[]): readonly Uint8Array[] {
  const separator = Buffer.from("---\n", "utf8");
  const embedding = { type: "document", inline: false, separator: 0 } as const;
  return objects.flatMap(({ item }, index) => {
    const text = renderItem(item, embedding, "instead");
    return index === 0 ? [text] : [separator, text];
  });
}
