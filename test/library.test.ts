// The library as programs import it: by its name, built.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compare, diff, entries, explain, fold, foldSync, merge, verify, version } from "valuefold";
import type { SettingsInput, TargetSelector } from "valuefold";
import type { InferInput } from "valibot";
import { jsonSchema } from "../scripts/schema-source.ts";
import manifest from "../package.json" with { type: "json" };
import type { Settings } from "../src/settings/settings.ts";

const input = readFileSync(new URL("core/cases/config-and-user-config/input.yaml", import.meta.url), "utf8");
const output = readFileSync(
  new URL("core/cases/config-and-user-config/output.yaml", import.meta.url),
  "utf8",
);

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/** Paths of all settings; of the elements of lists together. */
function settingsIn({ properties, items }: Shape, path = ""): string[] {
  if (items !== undefined) return settingsIn(items, `${path}[]`);
  if (properties === undefined) return [path];
  return Object.entries(properties)
    .flatMap(([key, inner]) => settingsIn(inner, `${path}.${key}`))
    .toSorted();
}

const leaves = /\.(?:labels|schema)$|\.merge\[\]\.key$/;

function keysOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value) && !leaves.test(path))
    return [...new Set(value.flatMap((each) => keysOf(each, `${path}[]`)))].toSorted();
  if (typeof value !== "object" || value === null || leaves.test(path)) return [path];
  return [
    ...new Set(Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${path}.${key}`))),
  ].toSorted();
}

const twin = { name: "a.yaml", text: "" };

/** What a caller in JavaScript may give. */
function wrongly(value: unknown): never {
  return value as never;
}

const layersOfConfigMap = readFileSync(
  new URL("core/cases/configmap-format-told/input.yaml", import.meta.url),
  "utf8",
);

const sealed = `apiVersion: v1
kind: Secret
metadata: {name: a, namespace: org}
stringData: {values.yaml: "ENC[AES256_GCM,data:x]"}
sops: {mac: "ENC[AES256_GCM,data:m]"}
---
apiVersion: v1
kind: Secret
metadata: {name: b, namespace: org}
stringData: {values.yaml: "x: c4n4ryMarker"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: org}
spec: {valuesFrom: [{kind: Secret, name: a}, {kind: Secret, name: b}]}
`;

describe("fold", () => {
  test("gives what the command line gives", async () => {
    const outcome = await fold({ input });
    expect(outcome).toEqual({ ...foldSync({ input }), ok: true, exitCode: 0, messages: "" });
    expect(Buffer.from(outcome.output).toString("utf8")).toBe(output);
  });

  test("takes settings as an object, or as the text of a function config", () => {
    const config = "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {layers: prune}\n";
    const [told, read] = [foldSync({ input, settings: { layers: "prune" } }), foldSync({ input, config })];
    expect(told).toEqual(read);
    expect(told.output).not.toEqual(foldSync({ input }).output);
  });

  test("refuses settings that are none, and says which", () => {
    const settings = { layer: "prune" } as object;
    const { ok, exitCode, diagnostics } = foldSync({ input, settings });
    expect([ok, exitCode, diagnostics[0]?.code]).toEqual([false, 3, "unknown-setting"]);
    expect(diagnostics[0]?.hint).toContain("`layers`");
  });

  test("settings as an object are those of the schema", () => {
    const same = (settings: SettingsInput): InferInput<typeof Settings> => settings;
    const back = (settings: InferInput<typeof Settings>): SettingsInput => settings;
    expect(back(same({ layers: "local" }))).toEqual({ layers: "local" });
    // A literal: the compiler refuses what the type does not have, and the schema lists what the literal must have.
    const selector: TargetSelector = { kind: "App", name: "a", namespace: "b", labels: { c: "d" } };
    const targets = [selector];
    const all: SettingsInput = {
      targets,
      app: { unseen: [0] },
      layers: "local",
      nameReference: [
        {
          kind: "ConfigMap",
          version: "v1",
          fieldSpecs: [{ path: "spec/a", group: "g", version: "v1", kind: "K", create: false }],
        },
      ],
      onTie: "error",
      merge: [
        { path: "env", key: "name", mapping: "replace", null: "drop", targets },
        { path: "args", list: "append" },
      ],
      protect: [{ path: "a", above: 50, only: [{ kind: "App", name: "a", namespace: "b" }], targets }],
      schemas: [
        {
          targets,
          key: "k",
          from: { kind: "ConfigMap", name: "n", namespace: "b", key: "k" },
          values: "final",
        },
        { schema: {} },
        { file: "schema.json" },
      ],
      output: { name: "{name}-x", hashSuffix: true },
      verify: {
        only: false,
        strict: true,
        unfolded: true,
        lints: {
          "idle-layer": "off",
          "idle-value": "off",
          "equals-default": "off",
          "hidden-override": "error",
          "mapping-replaced": false,
          "list-replaced": "off",
          "listed-twice": "off",
          "unmatched-selector": "off",
          "unresolved-reference": "warning",
          "folded-edited": "off",
          "unused-values": "off",
          "patch-without-target": "warning",
          "unknown-key": "warning",
          "unread-key": "error",
          "too-large-to-apply": "off",
          tie: "off",
        },
      },
      sops: { seal: { age: ["age1x"], pgp: ["AB"] }, mac: "strict", allowPlaintext: true, keys: "keys" },
    };
    // Those of a checkout are no settings of a fold.
    const schema = settingsIn(JSON.parse(jsonSchema()).properties.spec as Shape);
    expect(keysOf(all)).toEqual(schema.filter((each) => !each.startsWith(".checkout.")));
    expect(foldSync({ input, settings: { ...all, schemas: undefined } }).exitCode).toBeLessThan(3);
  });

  test.for([
    [() => foldSync(wrongly(undefined)), "`request`: expected an object, got undefined"],
    [() => foldSync(wrongly("a: 1")), "`request`: expected an object, got string"],
    [() => foldSync(wrongly({})), "`input`: expected text or bytes, got undefined"],
    [() => foldSync(wrongly({ input: null })), "`input`: expected text or bytes, got null"],
    [() => foldSync(wrongly({ input: [1] })), "`input`: expected text or bytes, got a list"],
    [() => foldSync(wrongly({ input, config: 5 })), "`config`: expected text or bytes, got number"],
    [() => foldSync(wrongly({ input, previous: {} })), "`previous`: expected text or bytes, got object"],
    [() => foldSync(wrongly({ input, form: "list" })), '`form`: expected "stream" or "resource-list"'],
    [() => verify(wrongly(null)), "`request`: expected an object, got null"],
    [() => verify(wrongly({ input, strict: "yes" })), "`strict`: expected boolean, got string"],
    [() => verify(wrongly({ input, unfolded: 1 })), "`unfolded`: expected boolean, got number"],
    [() => explain(wrongly({ input, target: 1 })), "`target`: expected string, got number"],
    [() => explain(wrongly({ input, path: [] })), "`path`: expected string, got a list"],
    [() => merge(wrongly({})), "`files`: expected a list, got undefined"],
    [() => merge({ files: [wrongly({ name: 1, text: "" })] }), "`files[].name`: expected string, got number"],
    [
      () => merge({ files: [wrongly({ name: "a" })] }),
      "`files[].text`: expected text or bytes, got undefined",
    ],
    [() => merge({ files: [twin, twin] }), "`files`: `a.yaml` is named twice"],
    [() => merge(wrongly({ files: [], json: 1 })), "`json`: expected boolean, got number"],
    [() => explain(wrongly({ files: [twin], path: 1 })), "`path`: expected string, got number"],
    [() => compare(wrongly({})), "`builds`: expected a list, got object"],
    [
      () => compare([wrongly({ name: "a", explanation: {} })]),
      "`builds[].explanation`: expected an explanation",
    ],
    [() => compare([], { path: "a[" }), "`path`: `a[` is not a path"],
    [() => diff(wrongly(undefined), wrongly({})), "`before`: expected an object, got undefined"],
    [() => diff(wrongly({ kind: "Explanation" }), wrongly({})), "`before`: expected an explanation"],
  ] as const)("a wrong argument is a TypeError: %#", ([call, message]) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });

  test("values files merge, by rules, too; what is wrong names the file", () => {
    const files = [
      { name: "base.yaml", text: "env: [{name: A, value: 1}]\nreplicas: 1\n" },
      { name: "prod.yaml", text: Buffer.from("env: [{name: B, value: 2}]\nreplicas: 5 # many\n") },
    ];
    const settings = { merge: [{ path: "env", key: "name" }] };
    expect(Buffer.from(merge({ files }).output).toString("utf8")).toBe(
      "env: [{name: B, value: 2}]\nreplicas: 5 # many\n",
    );
    const merged = merge({ files, settings, json: true });
    expect(JSON.parse(Buffer.from(merged.output).toString("utf8"))).toEqual({
      env: [
        { name: "A", value: 1 },
        { name: "B", value: 2 },
      ],
      replicas: 5,
    });
    const config =
      "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {merge: [{path: env, list: append}]}\n";
    expect(Buffer.from(merge({ files, config }).output).toString("utf8")).toContain("A");
    const broken = merge({ files: [...files, { name: "bad.yaml", text: "a: [" }] });
    expect([broken.ok, broken.output.length]).toEqual([false, 0]);
    expect(broken.messages).toContain("at    bad.yaml:");
    expect(merge({ files, settings: wrongly({ merges: [] }) }).exitCode).toBe(3);
  });

  test("values files are explained and compared", () => {
    const explained = (replicas: string): NonNullable<ReturnType<typeof explain>["explanation"]> => {
      const files = [
        { name: "base.yaml", text: "replicas: 1\nlog: info\n" },
        { name: "prod.yaml", text: `replicas: ${replicas}\n` },
      ];
      const { ok, explanation } = explain({ files });
      if (!ok || explanation === undefined) throw new Error("not explained");
      return explanation;
    };
    expect(explained("5").targets[0]?.stacks[0]?.values[0]).toEqual({
      path: ["replicas"],
      by: "B",
      text: "5",
      at: { of: "file", file: "prod.yaml", line: 1, column: 11 },
      over: [
        {
          by: "A",
          text: "1",
          at: { of: "file", file: "base.yaml", line: 1, column: 11 },
          effect: "replaced",
        },
      ],
    });
    const builds = ["2", "5", "5"].map((replicas, index) => ({
      name: `c${index}`,
      explanation: explained(replicas),
    }));
    const { targets } = compare(builds);
    expect(targets).toMatchObject([{ equal: 1, rows: [{ path: ["replicas"] }] }]);
    expect(targets[0]?.rows[0]?.groups.map(({ text, cells }) => [text, cells[0]?.builds])).toEqual([
      ["5", [1, 2]],
      ["2", [0]],
    ]);
    expect(compare(builds, { path: "log", all: true }).targets[0]?.rows).toHaveLength(1);
  });

  test("a wrong argument of `fold` rejects; wrong settings are an outcome", async () => {
    await expect(fold(wrongly(null))).rejects.toThrow("`request`: expected an object, got null");
    await expect(fold({ input }, wrongly(null))).rejects.toThrow("`options`: expected an object, got null");
    await expect(fold({ input }, wrongly({ env: 1 }))).rejects.toThrow("`env`: expected an object");
    for (const settings of ["x", 5, [], { merge: null }])
      expect(foldSync({ input, settings: wrongly(settings) }).exitCode).toBe(3);
  });

  test.for(["", "a: [", "\0", "kind: ResourceList\n", "apiVersion: v1\nkind: List\nitems: 5\n"])(
    "never throws on %j",
    (text) => {
      expect(foldSync({ input: text }).exitCode).toBeLessThan(2);
      expect(foldSync({ input: text, form: "resource-list" }).exitCode).toBe(1);
      expect(verify({ input: text }).exitCode).toBeLessThan(2);
      expect(explain({ input: text }).explanation?.targets ?? []).toEqual([]);
    },
  );

  test("without another program a sealed layer is a fault, where it would fold", () => {
    const settings = { sops: { seal: { age: ["age1x"] } } };
    const { exitCode, messages, diagnostics } = foldSync({ input: sealed, settings });
    expect([exitCode, diagnostics.map(({ code }) => code)]).toEqual([1, ["sealed-layer"]]);
    expect(messages).toContain("`fold`");
    expect(foldSync({ input: sealed }).exitCode).toBe(0);
  });
});

test("what a part reads, the library may write: both guard texts in one way", () => {
  const config = "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {verify: {only: true}}\n";
  const { exitCode, diagnostics } = foldSync({ input: layersOfConfigMap, config });
  expect([exitCode, diagnostics.map(({ code }) => code)]).toEqual([1, ["layer-left"]]);
});

test("verify finds what was left, and writes nothing", () => {
  const left =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l, annotations: {valuefold.dev/into: App/x}}\ndata: {values: 'a: 1'}\n";
  const { ok, output: written, diagnostics } = verify({ input: left });
  expect([ok, written.length, diagnostics.map(({ code }) => code)]).toEqual([false, 0, ["layer-left"]]);
  expect(version).toBe(manifest.version);
});

describe("explain and diff", () => {
  test("tell where a value comes from, and what changes", () => {
    const { ok, explanation } = explain({ input, settings: { app: { unseen: [] } } });
    expect(ok).toBe(true);
    const [target] = explanation?.targets ?? [];
    const values = target?.stacks.flatMap((stack) => stack.values) ?? [];
    expect(values.length).toBeGreaterThan(1);
    expect(values.some(({ over }) => over.length > 0)).toBe(true);
    const added =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more, namespace: org-demo, annotations: {valuefold.dev/into: App/*}}\ndata: {values: 'added: 1'}\n";
    const other = explain({ input: `${input}---\n${added}` });
    if (explanation === undefined || other.explanation === undefined) throw new Error("nothing is explained");
    expect(diff(explanation, explanation).changed).toBe(0);
    expect(diff(explanation, other.explanation).changed).toBe(1);
  });

  test("a target that is not there, and a path that nothing sets, are faults", () => {
    expect(explain({ input, target: "App/nobody" }).diagnostics.map(({ code }) => code)).toContain(
      "no-target",
    );
    expect(explain({ input, path: "no.such" }).diagnostics.map(({ code }) => code)).toContain("no-value");
    expect(explain({ input, path: "a[" }).ok).toBe(false);
  });

  test("secrets are compared, and never told", () => {
    const one = sealed.split("---\n").slice(1).join("---\n");
    const before = explain({ input: one }).explanation;
    const after = explain({ input: one.replace("c4n4ryMarker", "c4n4ryOther") }).explanation;
    if (before === undefined || after === undefined) throw new Error("nothing is explained");
    const found = diff(before, after);
    expect(found.changed).toBe(1);
    expect(JSON.stringify([before, after, found])).not.toContain("c4n4ry");
  });
});

describe("entries", () => {
  const directory = new URL("../examples/argo-cd-applications", import.meta.url).pathname;
  const repositories = { "https://git.example/shop/deploy.git": directory };

  test("are what the command line finds; each explains its own targets, with files", async () => {
    const all = await entries(directory, { repositories });
    expect(all.map(({ name, kind }) => [name, kind])).toContainEqual(["apps", "Argo CD"]);
    const found = await all[0]?.explain({ target: "shop-prod-us", path: "replicas" });
    expect(found?.ok).toBe(true);
    const [target] = found?.explanation?.targets ?? [];
    expect(target?.stacks[0]?.values[0]?.at).toMatchObject({ file: "envs/prod-us.yaml", line: 1 });
  });

  test("one without what is asked for says so", async () => {
    const [entry] = await entries(directory, { repositories });
    const { ok, diagnostics } = (await entry?.explain({ target: "nothing" })) ?? {};
    expect([ok, diagnostics?.map(({ code }) => code)]).toEqual([false, ["no-target"]]);
  });

  test.for([
    [["no/such/directory"], /no directory/],
    [[5], /`directory`: expected string/],
    [[directory, { repositories: 1 }], /`repositories`: expected an object/],
    [[directory, { env: 1 }], /`env`: expected an object/],
    [[directory, { clusters: [] }], /`clusters`: expected string/],
  ] as const)("of wrong arguments: %s", async ([args, message]) => {
    const [where, options] = args;
    await expect(entries(wrongly(where), wrongly(options))).rejects.toThrow(message);
  });
});
