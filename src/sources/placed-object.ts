// An object with all that is in its `spec`, and where each part is written: in a file, or by the documents of a build.
import type { Item } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";
import type { Chain } from "../explain/index.ts";
import type { Place } from "../explanation.ts";
import type { BuildPlaces } from "./joined-places.ts";
import { partOf } from "./kustomize/documents.ts";
import { memberOf, type SourceText } from "./kustomize/marks.ts";
import { type NodePlaces, type Placed, placed } from "./placed.ts";
import type { ObjectId } from "../object-id.ts";
import { rootOf, specOf } from "./items.ts";

export interface PlacedObject extends ObjectId {
  readonly at: Place | undefined;
  readonly spec: Placed;
  /** The documents that set what is at a path, where a build made it of several. */
  readonly chainOf?: (path: readonly string[]) => Chain | undefined;
}

/** Where the parts of an item are. */
export interface ItemPlaces {
  readonly item: Place | undefined;
  readonly nodes: NodePlaces;
  readonly chainOf?: (path: readonly string[]) => Chain | undefined;
}

/** Objects with what says where they are. */
export interface FoundObjects {
  readonly bytes: Uint8Array;
  readonly placesOf: (item: Item) => ItemPlaces;
}

/** Where nothing is asked for its place. */
export const placesNowhere: ItemPlaces = {
  item: undefined,
  nodes: { placeAt: () => undefined, sourceOf: () => undefined },
};

/** An item that a file has as it is. */
export function placesInFile(item: Item, placeAt: (offset: number) => Place): ItemPlaces {
  const root = item.read();
  const nodes: NodePlaces = {
    placeAt: (node) => placeAt(node.offset),
    sourceOf: (node): SourceText => partOf(node, placeAt),
  };
  return { item: placeAt(root.offset ?? item.start), nodes };
}

/** Undefined for one without a `spec`, or one that cannot be read. */
export function placedObject(item: Item, { item: at, nodes, chainOf }: ItemPlaces): PlacedObject | undefined {
  const spec = specOf(item);
  if (spec === undefined) return undefined;
  return {
    kind: item.kind,
    name: item.name,
    namespace: rootOf(item)?.get("metadata")?.textAt("namespace"),
    at,
    spec: placed(spec, nodes, ["spec"]),
    ...(chainOf === undefined ? {} : { chainOf }),
  };
}

export function placesInBuild(item: Item, build: BuildPlaces): ItemPlaces {
  const at = build.findItem(item);
  return {
    item: at,
    nodes: {
      placeAt: (node, path) =>
        build.sourceOf(item, path, node)?.placeAt(0) ?? weakPlace(item, path, node, build),
      sourceOf: (node, path) => build.sourceOf(item, path, node),
      isSecretAt: (node, path) => build.isSecretAt(item, path, node),
    },
    chainOf: (path) => chainIn(item, path, build),
  };
}

/** A document of which no line is known, or the kustomization. Of a mapping with values of several documents, none. */
function weakPlace(item: Item, path: readonly string[], node: Node, build: BuildPlaces): Place | undefined {
  const places = build
    .chainAt(item, path, node)
    .documents.flatMap(({ values }) => values.map(({ at }) => at));
  const [first] = places;
  return first !== undefined && places.every(({ file }) => file === first.file) ? first : undefined;
}

function chainIn(item: Item, path: readonly string[], build: BuildPlaces): Chain | undefined {
  const node = path.reduce<Node | undefined>((at, key) => at && memberOf(at.value, key), rootOf(item));
  return node && build.chainAt(item, path, node);
}
