// A kind that the program does not read: all that reading it takes. What a Shelf stocks are values.
import type { Item } from "../../src/krm/index.ts";
import { objectId } from "../../src/object-id.ts";
import { mappingDocuments } from "../../src/sources/helm/inline-values.ts";
import { fieldIn } from "../../src/sources/placed.ts";
import { type FoundObjects, placedObject } from "../../src/sources/placed-object.ts";
import type { ReadKinds } from "../../src/sources/read-kinds.ts";
import { itemsIn } from "../../src/sources/items.ts";

const path = ["spec", "stock"];

export const shelfKind: ReadKinds = {
  kinds: ["Shelf"],
  fields: ["spec.stock"],
  isTarget,
  targets: (objects) => Promise.resolve({ targets: objects.flatMap(shelvesIn), faults: [] }),
};

function isTarget({ apiVersion, kind }: Item): boolean {
  return apiVersion === "shops.example/v1" && kind === "Shelf";
}

function shelvesIn({ bytes, placesOf }: FoundObjects) {
  return itemsIn(bytes)
    .filter(isTarget)
    .flatMap((item) => placedObject(item, placesOf(item)) ?? [])
    .map(({ spec, at, chainOf, ...shelf }) => {
      const stock = fieldIn(spec, "stock");
      const documents = stock === undefined ? [] : mappingDocuments(stock, path.join("."), chainOf?.(path));
      return { ...objectId(shelf), ...(at && { at }), stacks: [{ documents }] };
    });
}
