// What Helm's own code decides about a chart: which subcharts there are, and that it is given no value.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { useEngine } from "../../src/engine/index.ts";
import { RecordedEngine } from "../support/shared-engine.ts";
import { worldOf } from "../support/world.ts";

const engine = new RecordedEngine();
beforeAll(() => useEngine(engine.program));
beforeEach(() => engine.forget());
afterAll(() => useEngine(undefined));

type Files = Readonly<Record<string, string>>;

async function ran(files: Files, ...words: readonly string[]): Promise<{ text: string; messages: string }> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-deployed-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const { output, messages } = await runCommand(words, worldOf("", { directory: folder }));
  return { text: Buffer.concat(output).toString("utf8"), messages };
}

const chart = (name: string, dependencies = ""): string =>
  `apiVersion: v2\nname: ${name}\nversion: 1.2.0\n${dependencies}`;

test("Helm is given keys, booleans and nulls, and no other value", async () => {
  const files = {
    "shop/Chart.yaml": chart("shop"),
    "shop/values.yaml": "a: c4n4ry-default\nlist: [c4n4ry-element]\nnumber: 471147\n",
    "prod.yaml": "a: c4n4ry-given\nmany: {b: c4n4ry-block}\n",
  };
  const { text } = await ran(files, "explain", "--chart", "shop", "prod.yaml");
  expect(text).toContain("c4n4ry-given");
  expect(engine.operations()).toEqual(["chart"]);
  expect(engine.text()).toContain('"number"');
  expect(engine.text()).not.toMatch(/c4n4ry|471147/);
});

test("of values files with the same keys Helm is asked once", async () => {
  const files = {
    ".git/config": "",
    "charts/shop/Chart.yaml": chart("shop"),
    "charts/shop/values.yaml": "once: {a: 1, b: null}\n",
    "charts/shop/values-eu.yaml": "once: {a: 2}\n",
    "charts/shop/values-us.yaml": "once: {a: 3}\n",
    "charts/shop/values-de.yaml": "once: {c: 3}\n",
  };
  const { text } = await ran(files, "compare", "shop@*", ".");
  expect(text).toMatch(/ 2 +shop@eu .*\n +3 +shop@us/);
  expect(engine.operations()).toEqual(["chart", "chart"]);
});

test("without a chart nothing is asked", async () => {
  await ran({ "base.yaml": "a: 1\n", "prod.yaml": "a: 2\n" }, "explain", "base.yaml", "prod.yaml");
  expect(engine.operations()).toEqual([]);
});

const twice: Files = {
  "shop/Chart.yaml": chart(
    "shop",
    "dependencies: [{name: red, version: 1.x.x, alias: a}, {name: red, version: ^1.0.0, alias: b}]\n",
  ),
  "shop/charts/red/Chart.yaml": chart("red", "dependencies: [{name: green, version: 1.2.0, alias: leaf}]\n"),
  "shop/charts/red/charts/green/Chart.yaml": chart("green"),
  "shop/charts/red/charts/green/values.yaml": "x: 1\n",
  "prod.yaml": "more: 1\n",
};

test.for([
  ["3", "green"],
  ["4", "leaf"],
] as const)("an alias below two aliases is that of Helm %s", async ([helm, second]) => {
  const { text } = await ran(twice, "values", "--helm", helm, "--chart", "shop", "prod.yaml");
  expect(text).toContain("a:\n  leaf:\n    x: 1\n");
  expect(text).toContain(`b:\n  ${second}:\n    x: 1\n`);
});

test.for([
  ["an empty list", "dependencies: []\n", false],
  ["no list", "", true],
] as const)("below a chart with %s of dependencies", async ([, list, isDeployed]) => {
  const files = {
    "shop/Chart.yaml": chart("shop", list),
    "shop/charts/db/Chart.yaml": chart(
      "db",
      "dependencies: [{name: q, version: '*', condition: q.enabled}]\n",
    ),
    "shop/charts/db/values.yaml": "q: {enabled: false}\n",
    "shop/charts/db/charts/q/Chart.yaml": chart("q"),
    "shop/charts/db/charts/q/values.yaml": "z: 1\n",
    "prod.yaml": "more: 1\n",
  };
  const { text } = await ran(files, "values", "--chart", "shop", "prod.yaml");
  expect(text.includes("z: 1")).toBe(isDeployed);
});

test("an empty mapping among a parent's globals is over a scalar of a subchart, and each layer keeps its name", async () => {
  const files = {
    "shop/Chart.yaml": chart("shop"),
    "shop/values.yaml": "global: {a: {}}\nown: 1\n",
    "shop/charts/db/Chart.yaml": chart("db"),
    "shop/charts/db/values.yaml": "global: {a: 5}\nsize: 2\n",
    "prod.yaml": "own: 3\n",
  };
  const { text } = await ran(files, "explain", "--chart", "shop", "prod.yaml");
  expect(text).toMatch(/own: 3 +C prod.yaml:1:6\n {2}over 1 +B shop\/values.yaml:2:6\n/);
  expect(text).toMatch(/size: 2 +A shop\/charts\/db\/values.yaml:2:7\n/);
  const values = await ran(files, "values", "--chart", "shop", "prod.yaml");
  expect(values.text).toContain("global:\n    a: {}\n");
});

test("a null among a parent's globals removes what a subchart has there, with both lines", async () => {
  const files = {
    "shop/Chart.yaml": chart("shop"),
    "shop/charts/db/Chart.yaml": chart("db"),
    "shop/charts/db/values.yaml": "global: {a: 5}\n",
    "prod.yaml": "global: {a: null}\n",
  };
  const { text } = await ran(files, "explain", "--chart", "shop", "prod.yaml");
  expect(text).toContain("db.global.a  removed by prod.yaml:1:13  was 5  shop/charts/db/values.yaml:1:13\n");
});

test("a key that starts with a zero byte is refused", async () => {
  const files = { "shop/Chart.yaml": chart("shop"), "prod.yaml": '"\\0a": 1\n' };
  const { messages } = await ran(files, "explain", "--chart", "shop", "prod.yaml");
  expect(messages).toContain("a key of the values starts with a zero byte");
});
