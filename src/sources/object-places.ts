// Where objects and their parts are written: in a file, by the documents of a build, or by the lines of a template.
import type { Item } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";
import type { Chain, FilePlaces } from "../explain/index.ts";
import type { Place } from "../explanation.ts";
import { partOf } from "./kustomize/documents.ts";
import { objectKey } from "../object-id.ts";
import type { PlacedPart } from "./placed.ts";

/** The places of objects of one file or build. */
export interface ObjectPlaces extends FilePlaces {
  /** Its place is absent where the source has it, or where documents of a build have. */
  partAt(item: Item, path: readonly string[], own: Node): PlacedPart;
  /** The data keys of a ConfigMap with values of a Secret. */
  takenKeys(item: Item): readonly string[];
  /** Undefined where one document has the whole object. */
  chainAt(item: Item, path: readonly string[], values: Node): Chain | undefined;
}

/** The file or the build that an object is from. */
export type PlacesOf = (item: Item) => ObjectPlaces | undefined;

/** Objects that a file has as they are. */
export function placesInFile(placeAt: (offset: number) => Place): ObjectPlaces {
  return {
    findItem: (item) => placeAt(item.read().offset ?? item.start),
    findText: () => undefined,
    partAt: (_item, _path, node) => ({ at: placeAt(node.offset), source: partOf(node, placeAt) }),
    takenKeys: () => [],
    chainAt: () => undefined,
  };
}

/** Where nothing is asked for its place. */
export const placesNowhere: ObjectPlaces = {
  ...placesInFile(() => ({ of: "text" })),
  partAt: () => ({}),
};

/** An object that both have is looked up in the first. @param more by the keys of objects */
export function withPlaces(first: PlacesOf | undefined, more: ReadonlyMap<string, ObjectPlaces>): PlacesOf {
  return (item) => {
    const own = first?.(item);
    return own?.findItem(item) === undefined ? (more.get(objectKey(item)) ?? own) : own;
  };
}
