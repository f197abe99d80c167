// A target by the name that a user types.
import { expect, test } from "vitest";
import { isNamedAs } from "../../src/core/index.ts";

const target = { kind: "ConfigMap", namespace: "demo", name: "shop-config-gg4mgtdc4k" };

test.for([
  ["its name", "shop-config-gg4mgtdc4k", true],
  ["its name before the hash", "shop-config", true],
  ["its kind and that name", "ConfigMap/shop-config", true],
  ["its kind, namespace and that name", "ConfigMap/demo/shop-config", true],
  ["another namespace", "ConfigMap/other/shop-config", false],
  ["a part of its name", "shop", false],
  ["its kind in another case", "configMap/shop-config", true],
  ["the short name of its kind", "cm/demo/shop-config", true],
  ["the plural of its kind", "configmaps/shop-config", false],
  ["another kind", "secret/shop-config", false],
] as const)("%s", ([, text, isMeant]) => {
  expect(isNamedAs(target, text)).toBe(isMeant);
});
