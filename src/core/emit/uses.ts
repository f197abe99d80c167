// Which other items in the list reference a layer: they name it in a reference field, with its kind and in its
// namespace. Only items that contain the name are walked.
import { type LayerItem, isLayerItem } from "../../layers/index.ts";
import { type Envelope, isNode, type Item, type Span, spanOf } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";
import { findMentions } from "./mentions.ts";
import type { NameReferences } from "./name-references.ts";
import { kindsNamedAt, type FieldPlace, eachScalar } from "./reference-fields.ts";
import { Spans } from "./spans.ts";

/** A field of an item that names a layer. */
export interface Use {
  readonly item: Item;
  /** As messages spell it: `spec.volumes[0].configMap.name`. */
  readonly field: string;
}

/** A name in a reference field. */
interface UseNames extends Use {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly kinds: readonly string[];
  readonly span: Span;
}

export interface Search {
  /** Present and former names of each layer. */
  readonly namesOf: (layer: Item) => readonly string[];
  /** Parts of the input without references. */
  readonly released: Spans<Span>;
  /** True for a span in a reference that has the name of an item and means another. */
  readonly namesAnother: (span: Span, layer: Item) => boolean;
  /** Reference fields from the user's settings. */
  readonly nameReferences: NameReferences;
}

/** The first use of each layer by another item. */
export function findUses(
  { bytes, items }: Envelope,
  layers: readonly LayerItem[],
  search: Search,
): ReadonlyMap<Item, Use> {
  if (layers.length === 0) return new Map();
  const byName = new Map<string, LayerItem[]>();
  for (const layer of layers)
    for (const name of search.namesOf(layer)) byName.set(name, [...(byName.get(name) ?? []), layer]);
  const uses = new Map<Item, Use>();
  const naming = itemsNaming(bytes, items, layers, [...byName.keys()], search.released);
  for (const found of naming.flatMap((item) => namingsIn(item, byName, search)))
    for (const layer of byName.get(found.name) ?? [])
      if (!uses.has(layer) && means(found, layer, search)) uses.set(layer, found);
  return uses;
}

/** Items that contain one of the names outside of released parts; a ConfigMap or Secret references nothing. */
function itemsNaming(
  bytes: Uint8Array,
  items: readonly Item[],
  layers: readonly LayerItem[],
  names: readonly string[],
  released: Spans<Span>,
): Item[] {
  const spelled = layers.flatMap(({ namespace, name }) =>
    namespace === undefined ? [] : `${namespace}/${name}`,
  );
  const mentions = findMentions(bytes, [...names, ...spelled]);
  const places = [...mentions.values()].flat().filter((span) => released.around(span) === undefined);
  const around = new Spans(items);
  const found = new Set(places.flatMap((span) => around.around(span) ?? []));
  return items.filter((item) => found.has(item) && !isLayerItem(item));
}

function means(naming: UseNames, layer: LayerItem, { namesAnother }: Search): boolean {
  const { item, kinds, namespace, span } = naming;
  if (item === layer || !kinds.includes(layer.kind) || namesAnother(span, layer)) return false;
  // An item without a namespace gets one later.
  return namespace === undefined || layer.namespace === undefined || namespace === layer.namespace;
}

function namingsIn(item: Item, byName: ReadonlyMap<string, unknown>, search: Search): UseNames[] {
  const root = item.read();
  if (!isNode(root)) return [];
  const found: UseNames[] = [];
  eachScalar(root, item, (node, place, path) => {
    const naming = namingAt(node, path, place, search);
    if (naming !== undefined && byName.has(naming.name)) found.push(naming);
  });
  return found;
}

function namingAt(value: Node, path: string, place: FieldPlace, search: Search): UseNames | undefined {
  const { item, mapping } = place;
  const span = spanOf(value);
  if (span.start === span.end || search.released.around(span) !== undefined) return undefined;
  const configured = search.nameReferences.kindsAt(place);
  const kinds = configured.length > 0 ? configured : kindsNamedAt(place);
  if (kinds.length === 0) return undefined;
  const parts = value.text.split("/");
  const [name = "", spelled] = parts.toReversed();
  const namespace = spelled ?? (mapping.textAt("namespace") || item.namespace);
  return { item, field: path, name, namespace, kinds, span };
}
