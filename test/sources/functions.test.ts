// Directories of functions that lead to each other.
import { expect, test } from "vitest";
import { withTree } from "../../src/sources/disk.ts";
import { functionsIn, readTree } from "../../src/sources/kustomize/tree.ts";
import { MemoryTree } from "../../src/sources/tree.ts";

test("a function that many paths lead to is read once", async () => {
  const depth = 24;
  const both = (index: number): string => `resources: [../a${index}, ../b${index}]\n`;
  const folders = Array.from({ length: depth }, (_, index) =>
    ["a", "b"].map((name) => [`${name}${index}/kustomization.yaml`, both(index + 1)] as const),
  ).flat();
  const files: [string, string][] = [
    ["kustomization.yaml", "transformers: [a0]\n"],
    ...folders.map(([name, text]): [string, string] => [name, text]),
    ...["a", "b"].map((name): [string, string] => [
      `${name}${depth}/kustomization.yaml`,
      "resources: [../t.yaml]\n",
    ]),
    ["t.yaml", "apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}\nprefix: x-\n"],
  ];
  const memory = new Map(
    files.map(([name, text]) => [name, { content: () => Buffer.from(text), isLink: false }] as const),
  );
  const found = await withTree(
    "made",
    (at) => new MemoryTree(at, memory),
    (at) => Promise.resolve(functionsIn(readTree(at))),
  );
  expect(found.map(({ kind }) => kind)).toEqual(["PrefixTransformer", "PrefixTransformer"]);
});
