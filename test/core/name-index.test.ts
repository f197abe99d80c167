// Items are found by any name they have or had, and by the namespaces they have or had it in.
import { expect, test } from "vitest";
import { isLayerItem } from "../../src/layers/held.ts";
import { NameIndex } from "../../src/core/select/names.ts";
import { settledIn } from "../../src/core/select/order.ts";
import { decodeStream } from "../../src/krm/decode.ts";
import type { Item } from "../../src/krm/item.ts";

function itemsOf(...items: readonly string[]): readonly Item[] {
  const envelope = decodeStream(Buffer.from(items.join("---\n")));
  if (!("items" in envelope)) throw new Error("not a stream");
  return envelope.items;
}

const indexOf = (...items: readonly string[]): NameIndex => new NameIndex(itemsOf(...items));

const map = (name: string, namespace: string, annotations = "{}"): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}, annotations: ${annotations}}\n`;

const placesOf = (items: readonly { name: string; namespace: string | undefined }[]): string[] =>
  items.map(({ name, namespace }) => `${namespace}/${name}`);

test("a name that one item has is found in its namespace only", () => {
  const names = indexOf(map("a", "one"));
  expect(placesOf(names.named("ConfigMap", "a"))).toEqual(["one/a"]);
  expect(placesOf(names.within("ConfigMap", "a", "one"))).toEqual(["one/a"]);
  expect(names.within("ConfigMap", "a", "two")).toEqual([]);
  expect(names.within("ConfigMap", "a", undefined)).toEqual([]);
  expect(names.named("Secret", "a")).toEqual([]);
});

test("namesakes are found together, and each in its namespace", () => {
  const names = indexOf(map("a", "one"), map("a", "two"), map("a", "two"));
  expect(placesOf(names.named("ConfigMap", "a"))).toEqual(["one/a", "two/a", "two/a"]);
  expect(placesOf(names.within("ConfigMap", "a", "one"))).toEqual(["one/a"]);
  expect(placesOf(names.within("ConfigMap", "a", "two"))).toEqual(["two/a", "two/a"]);
});

test("an item that was renamed is found once by each name, in each namespace it was in", () => {
  const was =
    "{internal.config.kubernetes.io/previousNames: 'a,a', internal.config.kubernetes.io/previousNamespaces: 'default,old', internal.config.kubernetes.io/previousKinds: 'ConfigMap,ConfigMap'}";
  const names = indexOf(map("prod-a", "new", was));
  expect(placesOf(names.named("ConfigMap", "a"))).toEqual(["new/prod-a"]);
  for (const namespace of ["new", "default", "old"])
    expect(placesOf(names.within("ConfigMap", "a", namespace))).toEqual(["new/prod-a"]);
  expect(names.within("ConfigMap", "a", "other")).toEqual([]);
  expect(placesOf(names.within("ConfigMap", "prod-a", "new"))).toEqual(["new/prod-a"]);
  expect(names.within("ConfigMap", "prod-a", "old")).toEqual([]);
});

test("an annotated layer is settled at the first place that a record tells of it, by any of its names", () => {
  const was =
    "{internal.config.kubernetes.io/previousNames: a, internal.config.kubernetes.io/previousNamespaces: one, internal.config.kubernetes.io/previousKinds: ConfigMap}";
  const items = itemsOf(map("prod-a", "one", was), map("b", "one"), map("b", "two"), map("new", "one"));
  const layers = items
    .filter(isLayerItem)
    .map((item) => ({ item, priority: 25, key: undefined, reference: undefined }));
  const recorded = ["b", "a", "b"].map((name) => ({
    kind: "ConfigMap" as const,
    name,
    namespace: "one",
    priority: 25,
  }));
  const [item] = items;
  if (item === undefined) throw new Error("no item");
  const restorations = [{ item, recorded, layers: recorded, stays: false, rules: [] }];
  expect(settledIn(layers, restorations).map(({ earlierPlace }) => earlierPlace)).toEqual([
    1,
    0,
    undefined,
    undefined,
  ]);
});
