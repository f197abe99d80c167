// A comparison of builds: each cell is what the build itself has, and what is equal everywhere has no row.
import fc from "fast-check";
import { parse as parseWith } from "valibot";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ComparisonSchema } from "../../scripts/explanation-source.ts";
import type { ComparedRow, Comparison } from "../../src/comparison.ts";
import { unsupplied } from "../../src/core/fold.ts";
import { Comparing, type ComparedPart } from "../../src/explain/compare/compare.ts";
import { comparisonCsv, comparisonMarkdown } from "../../src/explain/compare/tables.ts";
import { renderComparison } from "../../src/explain/compare/view.ts";
import { finalValues } from "../../src/explain/final-values.ts";
import { explanationOf } from "../support/explain.ts";

// prettier-ignore
const leaf = fc.constantFrom("1", "1.0", "2", "x", '"x"', '"x y"', "[1, 2]", "[1, 0x2]", "{}", "null", "~", "true");
const layer = fc.dictionary(
  fc.constantFrom("a", "b", "c"),
  fc.oneof(leaf, fc.dictionary(fc.constantFrom("k", "l"), leaf, { maxKeys: 2 })),
  { maxKeys: 3 },
);
const anyBuild = fc.record({ base: layer, own: layer, hasSecond: fc.boolean() });

type Layer = typeof layer extends fc.Arbitrary<infer T> ? T : never;

function textOf(values: Layer): string {
  const lines = Object.entries(values).map(([key, value]) => {
    if (typeof value === "string") return `    ${key}: ${value}\n`;
    const inner = Object.entries(value).map(([name, text]) => `${name}: ${text}`);
    return `    ${key}: {${inner.join(", ")}}\n`;
  });
  return lines.length === 0 ? "    {}\n" : lines.join("");
}

function stream({ base, own, hasSecond }: { base: Layer; own: Layer; hasSecond: boolean }): string {
  const releases = hasSecond ? ["one", "two"] : ["one"];
  const layers = { base, own };
  return [
    ...releases.map(
      (name) =>
        `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: org}\nspec:\n  valuesFrom:\n  - {kind: ConfigMap, name: base}\n  - {kind: ConfigMap, name: own}\n`,
    ),
    ...Object.entries(layers).map(
      ([name, values]) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org}\ndata:\n  values.yaml: |\n${textOf(values)}`,
    ),
  ].join("---\n");
}

function compared(streams: readonly string[], options: ComparedPart = {}): Comparison {
  const comparing = new Comparing(options);
  for (const [index, text] of streams.entries()) comparing.add(`build-${index}`, explanationOf(text));
  return comparing.comparison();
}

function valuesOf(text: string, target: string): unknown {
  const request = { input: Buffer.from(text), form: "stream", target, secrets: true } as const;
  return parse(Buffer.concat(unsupplied(finalValues(request)).output).toString("utf8"));
}

/** What a build has at a row's path, as the row shows it. */
function shown({ groups }: ComparedRow, build: number): unknown {
  const group = groups.find(({ cells }) => cells.some(({ builds }) => builds.includes(build)));
  return group === undefined || group.unset === true ? undefined : parse(group.text ?? "");
}

function at(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], values);
}

function hasRows(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  );
}

test(
  "each cell is the build's own value, each build is in one group, and the rest is equal",
  { tags: "law" },
  () => {
    fc.assert(
      fc.property(fc.array(anyBuild, { minLength: 2, maxLength: 5 }), (builds) => {
        const streams = builds.map(stream);
        const all = compared(streams, { all: true });
        expect(parseWith(ComparisonSchema, structuredClone(all))).toEqual(all);
        for (const { name, absentIn = [], rows, equal } of all.targets) {
          const having = builds.flatMap((_, index) => (absentIn.includes(index) ? [] : [index]));
          expect(having).toEqual(
            builds.flatMap(({ hasSecond }, index) => (name === "one" || hasSecond ? [index] : [])),
          );
          const values = new Map(
            having.map((index) => [index, valuesOf(streams[index] ?? "", `HelmRelease/${name}`)]),
          );
          for (const row of rows) {
            const members = row.groups.flatMap(({ cells }) => cells.flatMap((cell) => cell.builds));
            expect(members.toSorted((a, b) => a - b)).toEqual(having);
            const texts = row.groups
              .flatMap(({ text }) => text ?? [])
              .map((text) => JSON.stringify(parse(text)));
            expect(new Set(texts).size).toBe(texts.length);
            const own = having.map((index) => [index, at(values.get(index), row.path)] as const);
            // A mapping has a row for each of its values.
            const leaves = own.filter(([, value]) => !hasRows(value));
            expect(leaves.map(([index]) => shown(row, index))).toEqual(leaves.map(([, value]) => value));
          }
          expect(rows.filter(({ groups }) => groups.length === 1)).toHaveLength(equal);
        }
        const differing = all.targets.flatMap(({ rows }) => rows.filter(({ groups }) => groups.length > 1));
        expect(compared(streams).targets.flatMap(({ rows }) => rows)).toEqual(differing);
      }),
      { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 50) },
    );
  },
);

function release(namespace: string, replicas: string, secret?: string): string {
  const creds =
    secret === undefined
      ? ""
      : `---\napiVersion: v1\nkind: Secret\nmetadata: {name: creds, namespace: ${namespace}}\nstringData: {values.yaml: "password: ${secret}"}\n`;
  const entry = secret === undefined ? "" : "  - {kind: Secret, name: creds}\n";
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: ${namespace}}\nspec:\n  valuesFrom:\n  - {kind: ConfigMap, name: base}\n${entry}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: ${namespace}}\ndata: {values.yaml: "replicas: ${replicas}"}\n${creds}`;
}

test("a target is the same in another namespace, where no build has two of its name", () => {
  const { targets } = compared([release("eu", "1"), release("us", "2")]);
  expect(targets).toMatchObject([{ kind: "HelmRelease", name: "shop", rows: [{ path: ["replicas"] }] }]);
  expect(targets[0]).not.toHaveProperty("namespace");
  const both = compared([release("eu", "1"), `${release("eu", "1")}---\n${release("us", "2")}`]);
  expect(both.targets.map(({ namespace, absentIn }) => [namespace, absentIn])).toEqual([
    ["eu", undefined],
    ["us", [0]],
  ]);
});

test("a secret value is in no view; other layers' secrets are never called equal", () => {
  const comparison = compared([
    release("eu", "1", "hunter2"),
    release("eu", "1", "hunter2"),
    release("eu", "1", "other"),
  ]);
  const [row] = comparison.targets[0]?.rows ?? [];
  expect(row?.groups.map(({ secret, cells }) => [secret, cells.map(({ builds }) => builds)])).toEqual([
    [true, [[0, 1]]],
    [true, [[2]]],
  ]);
  for (const text of [JSON.stringify(comparison), renderComparison(comparison), comparisonCsv(comparison)]) {
    expect(text).not.toMatch(/hunter2|other/);
    expect(text).not.toMatch(/[0-9a-f]{20}/);
  }
});

test("a layer that only the cluster has for some builds is not compared", () => {
  const releaseOf = (names: readonly string[]): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: ns}\nspec:\n  valuesFrom: [${names.map((name) => `{kind: ConfigMap, name: ${name}}`).join(", ")}]\n  values: {a: 1}\n`;
  const unread = (...builds: readonly (readonly string[])[]): readonly string[] => {
    const comparing = new Comparing();
    for (const [index, names] of builds.entries()) comparing.add(`${index}`, explanationOf(releaseOf(names)));
    return comparing.comparison().unread;
  };
  expect(unread(["x"], ["x"])).toEqual([]);
  expect(unread(["x"], [])).toEqual(["0: ConfigMap/ns/x"]);
  expect(unread(["x"], ["x"], ["y"])).toEqual([
    "0: ConfigMap/ns/x",
    "1: ConfigMap/ns/x",
    "2: ConfigMap/ns/y",
  ]);
  expect(unread(["x", "y"], ["y", "x"])).toHaveLength(4);
});

test("a target and a path narrow it down", () => {
  const streams = [
    stream({ base: { a: "1", b: "1" }, own: {}, hasSecond: true }),
    stream({ base: { a: "2", b: "2" }, own: {}, hasSecond: true }),
  ];
  const narrowed = compared(streams, { target: "HelmRelease/two", steps: [{ key: "a" }] });
  expect(narrowed.targets.map(({ name, rows }) => [name, rows.map(({ path }) => path)])).toEqual([
    ["two", [["a"]]],
  ]);
});

test("text that a spreadsheet would take for a formula does not begin a field of CSV", () => {
  const streams = ["=1+1", "-1", "-flag"].map((value) => release("eu", value));
  expect(
    comparisonCsv(compared(streams))
      .split("\r\n")
      .slice(1, 4)
      .map((line) => line.split(",")[4]),
  ).toEqual(["'=1+1", "-1", "'-flag"]);
});

/** As many builds as values, of one text each. */
function buildsOf(values: readonly string[]): Comparison {
  const comparing = new Comparing();
  for (const [index, value] of values.entries())
    comparing.add(
      `b|${index}`,
      explanationOf(stream({ base: { a: value } as Layer, own: {}, hasSecond: false })),
    );
  return comparing.comparison();
}

test("of the builds that differ from most three are named, with -v all; a bar in a name is no column", () => {
  const values = Array.from({ length: 12 }, (_, index) => (index < 5 ? "1" : "2"));
  const minority = ["b|0", "b|1", "b|2", "b|3", "b|4"];
  expect(renderComparison(buildsOf(values))).toMatch(/ 2 +7 builds\n +1 +b\|0, b\|1, b\|2 and 2 more /);
  expect(renderComparison(buildsOf(values), { isVerbose: true })).toMatch(
    /\n +1 +b\|0, b\|1, b\|2, b\|3, b\|4 /,
  );
  const markdown = comparisonMarkdown(buildsOf(values));
  expect(markdown).toContain(`| ${minority.join(", ").replaceAll("|", "\\|")} |`);
  for (const line of markdown.split("\n").filter((each) => each.startsWith("|")))
    expect(line.replaceAll("\\|", "").split("|")).toHaveLength(6);
  const many = Array.from({ length: 40 }, (_, index) => (index < 15 ? "1" : "2"));
  expect(comparisonMarkdown(buildsOf(many))).toContain("b\\|11 and 3 more");
});

test("long values are cut around what differs", () => {
  const list = (last: string, own: string): string =>
    `[${Array.from({ length: 60 }, (_, index) => (index === 40 ? own : `element ${index}`)).join(", ")}, ${last}]`;
  const text = (own: string): string =>
    JSON.stringify(
      Array.from({ length: 60 }, (_, index) => (index === 40 ? own : `line ${index}`)).join("\n"),
    );
  const long = (own: string): string => `"${"x".repeat(300)}${own}${"y".repeat(300)}"`;
  const shownOf = (...values: readonly string[]): readonly (string | undefined)[] =>
    [...comparisonMarkdown(buildsOf(values)).matchAll(/^\|[^|]*\| `(.*?)` \|/gm)].map(([, value]) => value);
  expect(shownOf(list("z", "a"), list("z", "b"), list("z", "b"))).toEqual(["[…, b, …]", "[…, a, …]"]);
  expect(shownOf(list("z", "a"), list("y", "b"))).toEqual(["[…, a, …, z]", "[…, b, …, y]"]);
  expect(shownOf(list("z", "a, c"), list("z", "a"))).toEqual(["[…, c, …]", "[…]"]);
  expect(shownOf(text("one"), text("two"))).toEqual(['"…one\\n…"', '"…two\\n…"']);
  expect(shownOf(long("1"), long("2"))).toEqual(
    ["1", "2"].map((own) => `…${"x".repeat(40)}${own}${"y".repeat(40)}…`),
  );
  expect(shownOf(list("z", long("1")), list("z", long("2")))).toEqual(
    ["1", "2"].map((own) => `…${"x".repeat(40)}${own}${"y".repeat(40)}…`),
  );
  expect(shownOf("1", list("z", "a"))[1]).toMatch(/^\[element 0, .*…$/);
});

test("targets are in the order of their names, and of each what differs most is first", () => {
  const comparing = new Comparing({ all: true });
  const builds: Layer[] = [
    { same: "1", some: "1", each: "1" },
    { same: "1", some: "1", each: "2" },
    { same: "1", some: "2", each: "x" },
  ];
  for (const [index, own] of builds.entries())
    comparing.add(`b${index}`, explanationOf(stream({ base: own, own: {}, hasSecond: true })));
  const { targets } = comparing.comparison();
  expect(targets.map(({ name }) => name)).toEqual(targets.map(({ name }) => name).toSorted());
  expect(targets[0]?.rows.map(({ path }) => path.join("."))).toEqual(["each", "some", "same"]);
});
