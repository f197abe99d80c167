// A path below a value: there is an answer only where the value has something there, or hides it.
import fc from "fast-check";
import { expect, test } from "vitest";
import { pathText } from "../../src/merge/index.ts";
import { explainText } from "../support/explain.ts";

/** @param texts values of layers, lowest first */
function asked(path: string, texts: readonly string[]): ReturnType<typeof explainText> {
  const layers = texts.map(
    (text, index) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l${index}}\ndata: {values.yaml: ${JSON.stringify(text)}}\n`,
  );
  const names = texts.map((_, index) => `{kind: ConfigMap, name: l${index}}`).join(", ");
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop}\nspec: {valuesFrom: [${names}]}\n`;
  return explainText([...layers, release].join("---\n"), undefined, { path });
}

const hosts = 'hosts: [{host: a, paths: [{path: /}]}, {host: b}]\nport: 1\nname: ${x}\nlist: ["${x}"]\n';

test.for([
  ["an element", "hosts[1]", "hosts"],
  ["a key of an element", "hosts[0].host", "hosts"],
  ["a list in an element", "hosts[0].paths[0].path", "hosts"],
  ["an element by its key", "hosts[host=b].host", "hosts"],
  ["any element that has the key", "hosts[*].paths", "hosts"],
  ["what a variable may be", "name.first", "name"],
  ["what a variable in a list may be", "list[0].first", "list"],
] as const)("%s is at %s", ([, path, key]) => {
  const { explanation, outcome } = asked(path, [hosts]);
  expect(outcome.exitCode).toBe(0);
  expect(explanation?.targets[0]?.stacks[0]?.values.map((each) => each.path)).toEqual([[key]]);
});

test.for([
  [
    "an index beyond the list",
    "hosts[5].host",
    "`hosts` is a list of 2 elements",
    "ask for `hosts` to see all of it",
  ],
  [
    "a misspelt key of an element",
    "hosts[0].hoost",
    "`hosts[0]` has no such key",
    "did you mean `hosts[0].host`?",
  ],
  [
    "a misspelt key above others",
    "hosts[0].pahts[0].path",
    "`hosts[0]` has no such key",
    "did you mean `hosts[0].paths[0].path`?",
  ],
  [
    "an index beyond a list in a list",
    "hosts[0].paths[1]",
    "`hosts[0].paths` is a list of 1 element",
    "ask for `hosts` to",
  ],
  ["an element that no key names", "hosts[host=c]", "`hosts` is a list of 2 elements", "ask for `hosts` to"],
  ["a key that no element has", "hosts[*].zzzzz", "`hosts[0]` has no such key", "ask for `hosts` to"],
  ["a key of a list", "hosts.host", "`hosts` is a list of 2 elements", "ask for `hosts` to"],
  ["a key below a number", "port.name", "`port` has nothing below it", "ask for `port` to"],
  [
    "a key below an element's text",
    "hosts[1].host.x",
    "`hosts[1].host` has nothing below it",
    "ask for `hosts` to",
  ],
  ["an index below any key", "hosts[0].*[4]", "`hosts[0].host` has nothing below it", "ask for `hosts` to"],
] as const)("%s is not there: %s", ([, path, reason, hint]) => {
  const { explanation, outcome } = asked(path, [hosts]);
  expect([explanation, outcome.exitCode]).toEqual([undefined, 1]);
  expect(outcome.diagnostics).toMatchObject([
    { code: "no-value", reason, hint: expect.stringContaining(hint) },
  ]);
});

test.for([
  ["a shorter list hides an element", ["a: [1, 2, 3]", "a: [1]"], "a[2]"],
  ["a number hides a mapping", ["a: {b: 1}", "a: 2"], "a.b"],
  ["a null hides what is not known here", ["a: null"], "a.b"],
] as const)("%s", ([, texts, path]) => {
  const { explanation } = asked(path, texts);
  expect(explanation?.targets[0]?.stacks[0]?.values.map((each) => each.path)).toEqual([["a"]]);
});

test("nothing of a Secret is said", () => {
  const secret =
    'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {values.yaml: "a: [{b: canary}]"}\n---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop}\nspec: {valuesFrom: [{kind: Secret, name: s}]}\n';
  for (const path of ["a[0].b", "a[7].b", "a[0].zz"]) {
    const { explanation, outcome } = explainText(secret, undefined, { path });
    expect([outcome.exitCode, explanation?.targets.length]).toEqual([0, 1]);
  }
});

type Plain = number | readonly Plain[] | { readonly [key: string]: Plain };
const trees = fc.letrec<{ node: Plain }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    fc.nat(9),
    fc.array(tie("node"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b.c", "0", "[0]x"), tie("node"), { maxKeys: 3 }),
  ),
})).node;

/** The paths of all that a value has. */
function pathsIn(value: Plain, at: string): readonly string[] {
  if (typeof value === "number") return [at];
  const inside = Array.isArray(value)
    ? value.flatMap((each: Plain, index) => pathsIn(each, `${at}[${index}]`))
    : Object.entries(value).flatMap(([key, each]) => pathsIn(each, at + pathText(["a", key]).slice(1)));
  return [at, ...inside];
}

test(
  "each path of a random value has an answer, and none that goes on where the value ends",
  { tags: "law" },
  () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const text = JSON.stringify({ top: tree });
        for (const path of pathsIn(tree, "top")) {
          expect(asked(path, [text]).outcome.exitCode, path).toBe(0);
          expect(asked(`${path}.zz`, [text]).outcome.exitCode, path).toBe(1);
          expect(asked(`${path}[3]`, [text]).outcome.exitCode, path).toBe(1);
        }
      }),
      { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 100) },
    );
  },
);
