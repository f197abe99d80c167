// `values` has what an entry of `valuesFrom` sets by its `targetPath`. Flux' own code is asked in test/real/flux-oracle.test.ts.
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Diagnostic } from "../../src/diagnostic.ts";
import { unsupplied } from "../../src/core/fold.ts";
import { finalValues } from "../../src/explain/final-values.ts";
import { explainText, meaning } from "../support/explain.ts";

const items = [
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: o}\ndata: {values.yaml: "list: [{x: 1}, {x: 2, y: 3}]\\nm: {z: 1}\\n"}\n`,
  `apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: o}\nstringData: {pw: c4n4ry, two: "x,c4n4ry"}\n`,
];

/** @param value of the key `v` of the ConfigMap `b` */
function valuesOf(
  value: string,
  entries: readonly string[],
  { inline = "{}", secrets = false } = {},
): {
  readonly input: string;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly codes: readonly string[];
  readonly said: string;
} {
  const b = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: o}\ndata: {v: ${JSON.stringify(value)}}\n`;
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: o}\nspec:\n  valuesFrom:\n  - {kind: ConfigMap, name: a}\n${entries.map((each) => `  - ${each}\n`).join("")}  values: ${inline}\n`;
  const input = Buffer.from([...items, b, release].join("---\n"), "utf8");
  const { output, diagnostics } = unsupplied(
    finalValues({ input, form: "stream", target: "HelmRelease/shop", secrets }),
  );
  const text = Buffer.concat(output).toString("utf8");
  const codes = diagnostics.map(({ code }) => code);
  return { input: input.toString("utf8"), text, diagnostics, codes, said: JSON.stringify(diagnostics) };
}

/** What `explain` says of the release, put together again. */
function explainedValues(input: string): unknown {
  const { explanation } = explainText(input);
  const root: Record<string, unknown> = {};
  for (const { path, text, mapping } of explanation?.targets[0]?.stacks[0]?.values ?? []) {
    if (mapping === true) continue;
    let at = root;
    for (const key of path.slice(0, -1)) at = (at[key] ??= {}) as typeof at;
    at[path.at(-1) ?? ""] = parse(text ?? "", { version: "1.1" });
  }
  return root;
}

test.for([
  [
    "a key",
    "9",
    "m.y",
    "{kind: ConfigMap, name: b, valuesKey: v, targetPath: m.y}",
    /m:\n {2}z: 1\n {2}"y": 9\n/,
  ],
  [
    "an element of a list",
    "9",
    "list",
    "{kind: ConfigMap, name: b, valuesKey: v, targetPath: 'list[1].x'}",
    /list: \[\{"?x"?: 1\}, \{"?x"?: 9, "?y"?: 3\}\]/,
  ],
  ["a text in quotes", "'9'", "m.y", "{kind: ConfigMap, name: b, valuesKey: v, targetPath: m.y}", /"y": "9"/],
  [
    "a literal text",
    "a,b={c}",
    "t",
    "{kind: ConfigMap, name: b, valuesKey: v, targetPath: t, literal: true}",
    /t: "a,b=\{c\}"/,
  ],
] as const)("%s is set", ([, value, , entry, expected]) => {
  const { text, codes } = valuesOf(value, [entry]);
  expect(codes).toEqual([]);
  expect(text).toMatch(expected);
});

test("inline values are over it", () => {
  const entry = "{kind: ConfigMap, name: b, valuesKey: v, targetPath: m.y}";
  expect(valuesOf("9", [entry], { inline: "{m: {y: 1}}" }).text).toContain("y: 1");
});

// Flux copies no mapping that only inline values have: the value is set in them.
test.for([
  ["in a mapping that only inline values have", "{k: {y: 1}}", "k.y", 'y": 9'],
  ["in a list of inline values", "{k: [1, 2]}", "k[1]", "k: [1, 9]"],
  ["not where a list in a new list grows", "{z: 1}", "k[0][1]", "k: [[null, 9]]"],
  ["not past the end of their list", "{k: [1, 2]}", "k[2]", "k: [1, 2]"],
  ["not where a layer has the mapping, too", "{m: {y: 1}}", "m.y", "y: 1"],
] as const)("inline values are changed %s", ([, inline, path, expected]) => {
  const entry = `{kind: ConfigMap, name: b, valuesKey: v, targetPath: '${path}'}`;
  const { text, codes, input } = valuesOf("9", [entry], { inline });
  expect([codes, text]).toEqual([[], expect.stringContaining(expected)]);
  expect(explainedValues(input)).toEqual(meaning(text));
});

test.for([
  ["one after the other in one list", "{k: [{x: 1}]}", ["k[0].x", "k[0].y", "k[1].z"]],
  ["in a mapping that the first one makes shared", "{k: {y: 1}}", ["k.y", "k.y", "m.y"]],
  ["below a layer that comes later", "{k: {y: 1}, m: {z: 2}}", ["k.y", "m.z", "list[0].x"]],
] as const)("explain has what values has, where several are set %s", ([, inline, paths]) => {
  const layer = "{kind: ConfigMap, name: a}";
  const entries = paths.map((path) => `{kind: ConfigMap, name: b, valuesKey: v, targetPath: '${path}'}`);
  for (const all of [entries, [...entries, layer], [entries[0] ?? "", layer, ...entries.slice(1)]]) {
    const { text, codes, input } = valuesOf("9", all, { inline });
    expect(codes).toEqual([]);
    expect(explainedValues(input)).toEqual(meaning(text));
  }
});

test("what Helm refuses is an error, and there is no output", () => {
  const entry = "{kind: ConfigMap, name: b, valuesKey: v, targetPath: list.x}";
  expect(valuesOf("9", [entry])).toMatchObject({ text: "", codes: ["not-built"] });
});

test.for([
  ["a comma", "k1,k2", "t", "", true],
  ["a comma in quotes", "'k1,k2'", "t", "", true],
  ["a comma behind a backslash", String.raw`k1\,k2`, "list.x", "", false],
  ["a comma of a literal text", "k1,k2", "list.x", ", literal: true", false],
  ["another reason", "9", "list.x", "", false],
] as const)(
  "the entry that Helm refuses is named, and the cure of a comma: %s",
  ([, value, path, more, isCured]) => {
    const own = "{kind: ConfigMap, name: b, valuesKey: v, targetPath: m.y, literal: true}";
    const entry = `{kind: ConfigMap, name: b, valuesKey: v, targetPath: ${path}${more}}`;
    const { text, diagnostics, input } = valuesOf(value, [own, entry]);
    expect(text).toBe("");
    expect(diagnostics).toMatchObject([{ code: "not-built", field: "spec.valuesFrom[2]" }]);
    const [{ at, hint = "" } = {}] = diagnostics;
    expect(input.slice(at?.offset).startsWith(entry)).toBe(true);
    expect(hint.includes("`literal: true`")).toBe(isCured);
  },
);

test("whether the value of a Secret has a comma is not said", () => {
  const said = ["pw", "two"].map((key) => {
    const entry = `{kind: Secret, name: s, valuesKey: ${key}, targetPath: list.x}`;
    return valuesOf("", [entry], { secrets: true }).diagnostics.map(({ hint }) => hint);
  });
  expect(said[0]).toEqual([expect.stringContaining("comma")]);
  expect(said[1]?.[0]).toBe(said[0]?.[0]);
});

test("the value of a Secret is there only where it is asked for", () => {
  const entry = "{kind: Secret, name: s, valuesKey: pw, targetPath: m.pw}";
  const { text, codes, said } = valuesOf("9", [entry]);
  expect(codes).toEqual(["values-missing"]);
  expect(text + said).not.toContain("c4n4ry");
  expect(valuesOf("9", [entry], { secrets: true }).text).toContain(`pw: "c4n4ry"`);
});

test("what Helm says of a Secret's value does not quote it", () => {
  const entry = "{kind: Secret, name: s, valuesKey: two, targetPath: m.pw}";
  const { text, codes, said } = valuesOf("9", [entry], { secrets: true });
  expect([text, codes]).toEqual(["", ["not-built"]]);
  expect(said).not.toContain("c4n4ry");
});

/** A release with a Secret below a value at a path, and inline values. */
function releaseOver(path: string, value: string, inline = "{}"): string {
  const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: sec}\nstringData: {values.yaml: "users: [{name: c4n4ry}, {name: c4n4ry}]\\nm: {pw: c4n4ry}\\n'': {m: c4n4ry}\\n"}\n`;
  const one = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {values.yaml: ${JSON.stringify(value)}}\n`;
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop}\nspec:\n  valuesFrom: [{kind: Secret, name: sec}, {kind: ConfigMap, name: one, targetPath: '${path}'}]\n  values: ${inline}\n`;
  return [secret, one, release].join("---\n");
}

test.for([
  ["more than one value, one in a list", "a.b", "1,users[1].x=2"],
  ["what Helm refuses", "q", "1,m.pw[0]=2"],
  ["a path that begins with nothing", ".m", "1"],
  ["a list's length", "users.length", "1"],
  ["an element of a list", "users[3]", "zz"],
] as const)("no value of a Secret below a path is shown: %s", ([, path, value]) => {
  const { explanation, outcome } = explainText(releaseOver(path, value));
  expect(JSON.stringify([explanation, outcome.diagnostics])).not.toContain("c4n4ry");
});

test.for([
  ["__proto__.schema", 1],
  ["toString.x", 0],
  ["constructor.x", 0],
] as const)("a path %s changes no other object", ([path, status]) => {
  const { outcome } = explainText(releaseOver(path, "1"));
  expect(outcome.exitCode).toBe(status);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect("schema" in {}).toBe(false);
});

test("what is set in inline values is not called overridden by them", () => {
  const input = releaseOver("own.a", "2", "{own: {a: 1}}");
  const { explanation, outcome } = explainText(input);
  expect(outcome.diagnostics).toEqual([]);
  const { values = [], layers = [] } = explanation?.targets[0]?.stacks[0] ?? {};
  const set = layers.find(({ setsPath }) => setsPath === "own.a");
  expect(values.find(({ path }) => path.join(".") === "own.a")).toMatchObject({ by: set?.id });
});

test("variables of a release that are not in its values are not its values", () => {
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, labels: {env: "\${ENV}"}}\nspec:\n  interval: "\${INTERVAL}"\n  values: {own: {a: 1}}\n`;
  const asked = { form: "stream", target: "HelmRelease/shop", secrets: false } as const;
  const { diagnostics } = unsupplied(finalValues({ ...asked, input: Buffer.from(release) }));
  expect(diagnostics).toEqual([]);
});

test("a variable in a value at a path is named", () => {
  expect(valuesOf("${TP}", ["{kind: ConfigMap, name: b, valuesKey: v, targetPath: z}"]).said).toContain(
    "`${TP}`",
  );
});
