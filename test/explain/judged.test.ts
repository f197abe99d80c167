// Settings judge what sources find as they judge layers of a list: schemas, protected paths and list rules.
import fc from "fast-check";
import { expect, test } from "vitest";
import { folding, supplied, unsupplied } from "../../src/core/index.ts";
import type { Diagnostic } from "../../src/diagnostic.ts";
import {
  explaining,
  fileDocument,
  listedDocument,
  mergingFiles,
  type OverChart,
  type SourceTarget,
  type StackDocument,
  unseenDocument,
  verifying,
  verifyingFiles,
} from "../../src/explain/index.ts";
import { defaultSettings, readSettings, type Settings } from "../../src/settings/index.ts";
import { wings } from "../../src/wings.ts";
import { document, textOf } from "../support/json-values.ts";

const none = Buffer.from("kind: List\nitems: []\n", "utf8");
const numRuns = Number(process.env["VALUEFOLD_RUNS"] ?? 150);
const judging = ["schema", "protected-path", "rule-mismatch", "rule-unmet", "unmatched-selector"];

function settings(own: Partial<Settings>): { readonly settings: Settings } {
  return { settings: { ...defaultSettings, ...own } };
}

function found(targets: readonly SourceTarget[], own: Partial<Settings>): readonly Diagnostic[] {
  const call = { input: none, settings: settings(own), targets, strict: false, unfolded: true };
  return unsupplied(verifying(call)).diagnostics.filter(({ code }) => judging.includes(code));
}

function file(name: string, text: string): StackDocument {
  return fileDocument(Buffer.from(text, "utf8"), { name, why: "file", state: "folded" }).document;
}

function inline(text: string): StackDocument {
  const at = { of: "file", file: "app.yaml", line: 9, column: 5 } as const;
  const values = [{ path: ["image"], text, at }];
  return listedDocument({ at, isSecret: false, values }, { why: "own", state: "folded" });
}

function application(name: string, ...stacks: readonly (readonly StackDocument[])[]): SourceTarget {
  return { kind: "Application", name, stacks: stacks.map((documents) => ({ documents })) };
}

const integer = { schemas: [{ schema: { properties: { a: { type: "integer" } } } }] };
const shared = file("values.yaml", "a: x\n");

test("what is wrong in a file that two targets have is said once, with its place", () => {
  const all = found([application("one", [shared]), application("two", [shared])], integer);
  expect(all).toMatchObject([{ code: "schema", at: { text: "values.yaml", isFile: true, line: 1 } }]);
});

test("a rule for another target judges nothing, and one without a target is reported", () => {
  const rule = { schema: { required: ["b"] }, values: "final" as const };
  const named = { schemas: [{ ...rule, targets: [{ kind: "Application" as const, name: "two" }] }] };
  expect(found([application("one", [shared])], named)).toMatchObject([{ code: "unmatched-selector" }]);
  expect(found([application("two", [shared])], named)).toMatchObject([
    { code: "schema", hint: expect.stringContaining("a layer of `Application/two`") },
  ]);
});

test("each stack of a target is judged by itself", () => {
  const target = application("one", [file("a.yaml", "a: 1\n")], [file("b.yaml", "a: x\n")]);
  expect(found([target], integer)).toMatchObject([{ at: { text: "b.yaml" } }]);
});

test("below a layer that only the cluster has, an error is a warning", () => {
  const late = unseenDocument({ kind: "Secret", name: "late", why: "reference", state: "late" });
  expect(found([application("one", [shared, late])], integer)).toMatchObject([
    { severity: "warning", message: expect.stringContaining("unless `Secret/late` changes it") },
  ]);
});

test("values of a Secret have neither keys nor columns", () => {
  const at = { of: "file", file: "app.yaml", line: 9, column: 77 } as const;
  const secret = listedDocument(
    { at, isSecret: true, values: [{ path: ["canary-key"], text: "canary-value", at }] },
    { why: "own", state: "folded" },
  );
  const all = found([application("one", [secret])], {
    protect: [{ path: "canary-key", only: [{ kind: "ConfigMap", name: "x" }] }],
    schemas: [{ schema: { additionalProperties: { type: "integer" } } }],
  });
  expect(all.map(({ code }) => code)).toEqual(["protected-path", "schema"]);
  expect(JSON.stringify(all[1])).not.toContain("canary");
  expect(JSON.stringify(all)).not.toContain("canary-value");
});

const only = (kind: "ConfigMap" | "Application", name: string): Partial<Settings> => ({
  protect: [{ path: "image", only: [{ kind, name }] }],
});

test("a chart's default is no fault; a file and own values are, unless they are allowed", () => {
  const defaults = fileDocument(Buffer.from("image: a\n"), { name: "c", why: "chart", state: "folded" });
  const target = application("one", [defaults.document, file("base.yaml", "image: b\n"), inline("c")]);
  expect(found([application("one", [defaults.document])], only("ConfigMap", "x"))).toEqual([]);
  expect(found([target], only("ConfigMap", "base.yaml"))).toMatchObject([
    { at: { text: "app.yaml", line: 9 } },
  ]);
  expect(found([target], only("Application", "one"))).toMatchObject([{ at: { text: "base.yaml", line: 1 } }]);
  expect(found([target], only("ConfigMap", "x"))).toHaveLength(2);
});

const rules: Partial<Settings> = {
  merge: [
    { path: "a", key: "id" },
    { path: "b.*", list: "append" },
  ],
  protect: [{ path: "c.a", only: [{ kind: "ConfigMap", name: "1" }] }],
  schemas: [
    { schema: { properties: { b: { type: "object" }, c: { properties: { b: { type: "integer" } } } } } },
  ],
};

function ofFiles(texts: readonly string[]): readonly Diagnostic[] {
  const files = texts.map((text, index) => ({ name: String(index), bytes: Buffer.from(text, "utf8") }));
  return unsupplied(verifyingFiles({ files, settings: settings(rules) })).diagnostics;
}

function ofLayers(texts: readonly string[]): readonly Diagnostic[] {
  const names = texts.map((_, index) => String(index));
  const release = {
    apiVersion: "helm.toolkit.fluxcd.io/v2",
    kind: "HelmRelease",
    metadata: { name: "shop" },
    spec: { valuesFrom: names.map((name) => ({ kind: "ConfigMap", name })) },
  };
  const layers = texts.map((text, index) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: String(index),
      annotations: { "kustomize.toolkit.fluxcd.io/substitute": "disabled" },
    },
    data: { "values.yaml": text },
  }));
  const input = Buffer.from([release, ...layers].map((each) => JSON.stringify(each)).join("\n---\n"));
  const call = { input, settings: settings(rules), strict: false, unfolded: true };
  return unsupplied(verifying(call)).diagnostics;
}

function brief(all: readonly Diagnostic[]): readonly unknown[] {
  return all
    .filter(({ code }) => judging.includes(code))
    .map(({ code, severity, message, at }) => [code, severity, message, at?.line, at?.column])
    .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

test("files are judged as the layers of a HelmRelease are", { tags: "law" }, () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(document, { minLength: 2, maxLength: 4 }), (documents) => {
      const texts = documents.map(textOf);
      const files = brief(ofFiles(texts));
      for (const each of files) seen.add((each as readonly string[])[0] ?? "");
      expect(files).toEqual(brief(ofLayers(texts)));
    }),
    { numRuns },
  );
  expect([...seen].toSorted()).toEqual(judging.toSorted());
});

const base = { protect: [{ path: "res", only: [{ kind: "ConfigMap" as const, name: "x" }] }] };

function overDefaults(...given: readonly StackDocument[]): SourceTarget {
  const chart = fileDocument(Buffer.from("res: {cpu: one}\n"), {
    name: "chart",
    why: "chart",
    state: "folded",
  });
  // What it removes of the chart is in no document: Helm has the rest.
  return { kind: "Application", name: "one", stacks: [{ documents: [chart.document], given }] };
}

test("over a chart, what the user gives is judged: a null that removes a default, and no default", () => {
  expect(found([overDefaults(file("nul.yaml", "res: null\n"))], base)).toMatchObject([
    { code: "protected-path", at: { text: "nul.yaml", line: 1 } },
  ]);
  const schemas = [
    { schema: { properties: { res: { properties: { cpu: { type: "integer" as const } } } } } },
  ];
  expect(found([overDefaults(file("a.yaml", "a: 1\n"))], { schemas })).toEqual([]);
});

test("a patch of a target's own values is above all layers, and has the target's name", () => {
  const at = { of: "file", file: "patch.yaml", line: 3, column: 5 } as const;
  const values = [{ path: ["image"], text: "c", at }];
  const chain = { at, isPatch: true, isSecret: false, values };
  const target = application("one", [listedDocument(chain, { why: "patch", state: "folded" })]);
  expect(found([target], { protect: [{ path: "image", above: 80 }] })).toHaveLength(1);
  expect(found([target], only("Application", "one"))).toEqual([]);
});

test.for([
  ["CRLF", "# 1\r\n# 2\r\nimage:\r\n  tag: x\r\n"],
  ["CR", "# 1\r# 2\rimage:\r  tag: x\r"],
  ["a byte order mark", "\uFEFF# 1\n# 2\nimage:\n  tag: x\n"],
] as const)("lines of a file with %s are those of an editor", ([, text]) => {
  const files = [{ name: "a.yaml", bytes: Buffer.from(text, "utf8") }];
  const protect = [{ path: "image.tag", only: [{ kind: "ConfigMap" as const, name: "x" }] }];
  const { diagnostics } = unsupplied(verifyingFiles({ files, settings: settings({ protect }) }));
  expect(diagnostics).toMatchObject([{ at: { text: "a.yaml", line: 4, column: 3 } }]);
});

test("what is wrong with a schema is said of any target, and what is wrong with other objects is not", () => {
  const broken =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l, annotations: {valuefold.dev/into: App/gone}}\ndata: {values: 'a: ['}\n";
  const call = {
    input: Buffer.from(broken, "utf8"),
    form: "stream" as const,
    settings: settings({ schemas: [{ schema: { type: "strin" } }] }),
    targets: [application("one", [shared])],
  };
  const codesFor = (asked: object): readonly string[] =>
    unsupplied(explaining({ ...call, ...asked })).outcome.diagnostics.map(({ code }) => code);
  expect(codesFor({ path: "a" })).toEqual(["invalid-schema"]);
  expect(codesFor({ target: "one" })).toEqual(["invalid-schema"]);
  expect(codesFor({})).toContain("orphan-layer");
});

test("by list rules valuefold merges, and the result is over the chart", async () => {
  const files = ["l: [{id: a}]\n", "l: [{id: b}]\n"].map((text, index) => ({
    name: `${index}.yaml`,
    bytes: Buffer.from(text, "utf8"),
  }));
  const overChart = async (_: string, given: readonly StackDocument[]): Promise<OverChart> => {
    const chart = fileDocument(Buffer.from("d: 1\nl: []\n"), { name: "c", why: "chart", state: "folded" });
    return { documents: [chart.document, ...given], given, start: 1, faults: [] };
  };
  const merge = [{ path: "l", key: "id" }];
  const call = { files, overChart, settings: settings({ merge }), json: false };
  const { output } = await supplied(mergingFiles(call));
  const text = Buffer.concat(output).toString("utf8");
  expect(text).toBe("d: 1\nl:\n  - {id: a}\n  - {id: b}\n");
});

test("a fold says nothing of a schema for what it does not read", () => {
  const schemas = [{ schema: {}, targets: [{ kind: "HelmChart" as const, name: "traefik" }] }];
  const input = Buffer.from("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n");
  const { diagnostics } = unsupplied(
    folding({ input, form: "stream", settings: settings({ schemas }) }, wings),
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(["no-target"]);
});

test("labels select no kind that is only read", () => {
  const selector = { kind: "Application", labels: { team: "a" } };
  const outcome = readSettings({ protect: [{ path: "a", above: 1, targets: [selector] }] });
  expect(outcome).toMatchObject({
    faults: [{ message: expect.stringContaining("`labels` select no other") }],
  });
});
