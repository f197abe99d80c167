// Where valuefold renders otherwise than konfigure: each line of the list in docs/render.md by its name, with a tree that
// shows what konfigure does, and what valuefold does. A line without a tree, or a tree without a line, fails.
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { type Both, RenderWorld, type Tree } from "./render-world.ts";

const world = new RenderWorld();
afterAll(() => world.close());

type Texts = Readonly<Record<string, string>>;
const same = { merge: { strategy: "SameTypeFromCurrentLayer" } };

/** Layers `a` and `b`, with whatever files there are. */
function treeOf(files: Texts, over: { readonly [layer: string]: object } = {}, more: object = {}): Tree {
  const layerOf = (id: string): object => ({
    id,
    path: { directory: id },
    values: { configMap: { name: "config.yaml" }, secret: { name: "secret-config.yaml" } },
    templates: {
      configMap: { name: "values.yaml", values: same },
      secret: { name: "secret.yaml", values: same },
    },
    patches: { configMap: { name: "patch.yaml" } },
    ...over[id],
  });
  return {
    files,
    schema: { variables: [{ name: "app" }], layers: ["a", "b"].map(layerOf), ...more },
    variables: { app: "one" },
  };
}

function templates(configMap: object): object {
  const { values = same } = configMap as { values?: object };
  return {
    templates: { configMap: { name: "values.yaml", ...configMap, values }, secret: { values: same } },
  };
}

interface Difference {
  readonly tree: Tree;
  /** What konfigure's answer holds, or begins with. */
  readonly konfigure: string;
  readonly ours: string;
  /** Warnings that ours tells besides. */
  readonly told?: string;
}

const twoPaths = { path: { directory: "<< app >>/<< ap >>" } };

const differences: { readonly [row: string]: Difference } = {
  "unknown variable": {
    tree: treeOf({ "a/values.yaml": "x: 1\n" }, { b: twoPaths }),
    konfigure: '{"x":1}',
    ours: "error[unknown-variable]",
  },
  "a path that leads up": {
    tree: treeOf({ "c/values.yaml": "x: 1\n", "a/kept": "" }, { a: { path: { directory: "a/../c" } } }),
    konfigure: '{"x":1}',
    ours: "error[file-refused]",
  },
  "values without a template": {
    tree: treeOf({ "a/config.yaml": "x: 1\n" }),
    konfigure: "null",
    ours: "null",
    told: "warning idle-values",
  },
  "CustomOrder without options": {
    tree: treeOf({}, { a: templates({ values: { merge: { strategy: "CustomOrder" } } }) }),
    konfigure: "panic",
    ours: "error[invalid-schema]",
  },
  "CustomOrder of an unknown layer": {
    tree: treeOf(
      {},
      {
        a: templates({
          values: {
            merge: { strategy: "CustomOrder", options: { order: [{ layerId: "c", type: "ConfigMap" }] } },
          },
        }),
      },
    ),
    konfigure: "null",
    ours: "error[invalid-schema]",
  },
  "two layers of one id": {
    tree: treeOf({ "a/values.yaml": "x: 1\n", "b/values.yaml": "w: 2\n" }, { b: { id: "a" } }),
    konfigure: '{"w":2}',
    ours: "error[invalid-schema]",
  },
  "an unknown field of the schema": {
    tree: treeOf({ "a/values.yaml": "x: 1\n" }, { a: { valeus: {} } }),
    konfigure: '{"x":1}',
    ours: "error[invalid-schema]",
  },
  "whole numbers above 2^53": {
    tree: treeOf({ "a/config.yaml": "x: 9007199254740993\n", "a/values.yaml": "x: {{ .x | toJson }}\n" }),
    konfigure: '{"x":9007199254740992}',
    ours: '{"x":9007199254740992}',
    told: "warning large-number",
  },
  "impure functions": {
    tree: treeOf({ "a/values.yaml": 'x: {{ env "HOME" | quote }}\n' }),
    konfigure: '{"x":"/',
    ours: "error[template-failed]",
  },
  "an include that leads up": {
    tree: treeOf(
      { "a/values.yaml": '{{ include "../b/x" . }}\n', "inc/kept": "", "b/x.yaml": "x: 1\n" },
      {},
      {
        includes: [
          { id: "i", function: { name: "include" }, path: { directory: "inc" }, extension: ".yaml" },
        ],
      },
    ),
    konfigure: '{"x":1}',
    ours: "error[template-failed]",
  },
  "secret values in a template of a ConfigMap": {
    tree: treeOf(
      { "a/secret-config.yaml": "x: canary\n", "a/values.yaml": "x: {{ .x }}\n" },
      { a: templates({ values: { merge: { strategy: "SecretsInLayerOrder" } } }) },
    ),
    konfigure: '{"x":"canary"}',
    ours: "error[secret-into-configmap]",
  },
  "`replace` of what is not there": {
    tree: treeOf({ "a/values.yaml": "x: 1\n", "b/patch.yaml": "- {op: replace, path: /y, value: 2}\n" }),
    konfigure: '{"x":1,"y":2}',
    ours: '{"x":1,"y":2}',
    told: "warning patch-lenient",
  },
  "`copy` of what is not there": {
    tree: treeOf({ "a/values.yaml": "x: 1\n", "b/patch.yaml": "- {op: copy, from: /z, path: /y}\n" }),
    konfigure: '{"x":1,"y":null}',
    ours: '{"x":1,"y":null}',
    told: "warning patch-lenient",
  },
  "a patch of an empty document": {
    tree: treeOf({ "a/patch.yaml": "- {op: add, path: /y, value: 2}\n" }),
    konfigure: "panic",
    ours: "error[patch-failed]",
  },
  "a pointer without its first `/`": {
    tree: treeOf({ "a/values.yaml": "x: 1\n", "a/patch.yaml": "- {op: add, path: z/y, value: 2}\n" }),
    konfigure: '{"x":1,"y":2}',
    ours: "error[patch-failed]",
  },
  "a layer that is `null`": {
    tree: treeOf({ "a/values.yaml": "x: 1\n", "b/values.yaml": "null\n" }),
    konfigure: "null",
    ours: "null",
    told: "warning values-wiped",
  },
  "a list or text at the top": {
    tree: treeOf({ "a/values.yaml": "x: 1\n", "b/values.yaml": "[1]\n" }),
    konfigure: "[1]",
    ours: "error[not-a-mapping]",
  },
  "brackets that go on at the first column": {
    tree: treeOf({ "a/values.yaml": "x: [a\nb]\n" }),
    konfigure: '{"x":["a b"]}',
    ours: "error[layer-unreadable]",
  },
  "a block of text at the end": {
    tree: treeOf({ "a/values.yaml": "x: |\n  one\n" }),
    konfigure: '{"x":"one"}',
    ours: '{"x":"one\\n"}',
  },
};

function listedRows(): string[] {
  const page = readFileSync(new URL("../../docs/render.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("\n## Differences\n");
  const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^- \*\*(.+?)\*\*: /gm)];
  return rows.map(([, row = ""]) => row);
}

/** Rows that other tests show: the last one of this file, and the cases of test/render. */
const withoutTree = [
  "an operation that lacks its `value`",
  "`22:` or `on:` in two layers",
  "keys and comments",
  "numbers, strings and nulls",
];

test("every line of the list has a tree, or is shown elsewhere", () => {
  expect(listedRows().filter((row) => !withoutTree.includes(row))).toEqual(Object.keys(differences));
  expect(withoutTree.filter((row) => !listedRows().includes(row))).toEqual([]);
});

function textOf(answer: Both["ours"]): string {
  return typeof answer === "string"
    ? answer.slice(answer.indexOf("error[") < 0 ? 0 : answer.indexOf("error["))
    : answer.configMap;
}

test.for(Object.entries(differences))("%s", async ([, { tree, konfigure, ours, told }]) => {
  const both = await world.render(tree);
  expect(textOf(both.konfigure).slice(0, konfigure.length)).toBe(konfigure);
  expect(textOf(both.ours).slice(0, ours.length)).toBe(ours);
  if (told !== undefined) expect(both.told).toContain(told);
});

test("`22:` and `on:` in two layers: konfigure picks one at random, valuefold merges", async () => {
  const files = { "a/values.yaml": "22: {x: 1}\non: {x: 1}\n", "b/values.yaml": "22: {w: 2}\non: {w: 2}\n" };
  const answers = await world.renderAll(Array.from({ length: 12 }, () => treeOf(files)));
  const all = answers.map(({ ours }) => textOf(ours));
  expect(new Set(all)).toEqual(new Set(['{"22":{"w":2,"x":1},"true":{"w":2,"x":1}}']));
  expect(new Set(answers.map(({ konfigure }) => textOf(konfigure))).size).toBeGreaterThan(1);
});
