// An object as messages name it, as a key, and as a word of a user.
import { expect, test } from "vitest";
import { isNamedAs, objectId, objectKey, objectText, parseObject, withKind } from "../src/object-id.ts";

const target = { kind: "ConfigMap", namespace: "demo", name: "shop-config-gg4mgtdc4k" };

test.for([
  ["its name", "shop-config-gg4mgtdc4k", true],
  ["its name before the hash", "shop-config", true],
  ["its kind and that name", "ConfigMap/shop-config", true],
  ["its kind, namespace and that name", "ConfigMap/demo/shop-config", true],
  ["another namespace", "ConfigMap/other/shop-config", false],
  ["no namespace", "ConfigMap//shop-config", false],
  ["a part of its name", "shop", false],
  ["no kind", "/shop-config", false],
  ["too many parts", "ConfigMap/demo/more/shop-config", false],
  ["its kind in another case", "configMap/shop-config", true],
  ["the short name of its kind", "cm/demo/shop-config", true],
  ["the plural of its kind", "configmaps/shop-config", false],
  ["another kind", "secret/shop-config", false],
] as const)("%s", ([, text, isMeant]) => {
  expect(isNamedAs(target, text)).toBe(isMeant);
});

test.for(["App/web/shop", "App/shop", "App//shop", "shop", "", "/shop", "App/a/b/shop"])(
  "a text that is read is the same: `%s`",
  (text) => {
    expect(objectText(parseObject(text))).toBe(text);
  },
);

test("a namespace that is not known is no part of a text, and an empty one of a key", () => {
  const object = { kind: "App", namespace: undefined, name: "shop" };
  expect(objectText(object)).toBe("App/shop");
  expect(objectKey(object)).toBe("App//shop");
  expect(objectKey({ kind: "App", name: "shop" })).toBe(objectKey({ ...object, namespace: "" }));
  expect(Object.keys(objectId({ ...object, name: "shop" }))).toEqual(["kind", "name"]);
});

test.for([
  ["app/web/shop", "App/web/shop"],
  ["cm/shop", "ConfigMap/shop"],
  ["app", "app"],
  ["other/shop", "other/shop"],
] as const)("the word of a kind becomes its name: %s", ([text, named]) => {
  expect(withKind(text, [{ kind: "App" }, { kind: "ConfigMap" }])).toBe(named);
});
