// An object with all that is in its `spec`, and where each part is written: in a file, or by the documents of a build.
import type { Item } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";
import type { Chain } from "../explain/index.ts";
import type { Place } from "../explanation.ts";
import type { ObjectId } from "../object-id.ts";
import { nodeIn, rootOf } from "./items.ts";
import type { ObjectPlaces } from "./object-places.ts";
import { type Placed, placed } from "./placed.ts";

export interface PlacedObject extends ObjectId {
  readonly at: Place | undefined;
  readonly spec: Placed;
  /** The documents that set what is at a path, where a build made it of several. */
  readonly chainOf?: (path: readonly string[]) => Chain | undefined;
}

/** Objects with what says where they are. */
export interface FoundObjects {
  readonly bytes: Uint8Array;
  readonly placesOf: (item: Item) => ObjectPlaces;
}

/** Undefined for one without a `spec`, or one that cannot be read. */
export function placedObject(item: Item, places: ObjectPlaces): PlacedObject | undefined {
  const spec = placedField(item, places, "spec");
  if (spec === undefined) return undefined;
  return {
    kind: item.kind,
    name: item.name,
    namespace: rootOf(item)?.get("metadata")?.textAt("namespace"),
    at: places.findItem(item),
    spec,
    chainOf: (path) => {
      const node = nodeIn(item, path);
      return node && places.chainAt(item, path, node);
    },
  };
}

/** What an object has at a path. */
export function placedField(
  item: Item,
  places: ObjectPlaces,
  ...path: readonly string[]
): Placed | undefined {
  const node = path.reduce<Node | undefined>((at, key) => at?.get(key), rootOf(item));
  return node && placed(node, (own, below) => partIn(item, below, own, places), path);
}

function partIn(item: Item, path: readonly string[], own: Node, places: ObjectPlaces) {
  const part = places.partAt(item, path, own);
  return { ...part, at: part.at ?? part.source?.placeAt(0) ?? weakPlace(item, path, own, places) };
}

/** A document of which no line is known, or the kustomization. Of a mapping with values of several documents, none. */
function weakPlace(item: Item, path: readonly string[], node: Node, places: ObjectPlaces): Place | undefined {
  const { documents = [] } = places.chainAt(item, path, node) ?? {};
  const all = documents.flatMap(({ values }) => values.map(({ at }) => at));
  const [first] = all;
  return first !== undefined && all.every(({ file }) => file === first.file) ? first : undefined;
}
