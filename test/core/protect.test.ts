// Paths that only some layers may set: who breaks that, held to a model that looks at plain objects.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verify } from "../../src/explain/verify.ts";
import { cpuClock } from "../support/cpu.ts";
import { foldText } from "../support/fold.ts";
import { explainText } from "../support/explain.ts";

interface Given {
  readonly priority: number;
  readonly values: object;
}

function listOf(layers: readonly Given[]): string {
  const items = layers.map(
    ({ priority, values }, index) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l${index}, namespace: org, annotations: {valuefold.dev/into: HelmRelease/shop, valuefold.dev/priority: "${priority}"}}\ndata: {values.yaml: ${JSON.stringify(JSON.stringify(values))}}\n`,
  );
  const release =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {}\n";
  return [...items, release].join("---\n");
}

function configOf(...protect: readonly object[]): string {
  return `{apiVersion: valuefold.dev/v1alpha1, kind: ValueFold, spec: {protect: ${JSON.stringify(protect)}}}`;
}

/** Names of layers that break a rule. */
function brokenBy(layers: readonly Given[], ...protect: readonly object[]): (string | undefined)[] {
  const { diagnostics } = foldText(listOf(layers), configOf(...protect));
  expect(
    diagnostics.map(({ code }) => code).filter((code) => code !== "fold-summary" && code !== "tie"),
  ).toEqual(diagnostics.filter(({ code }) => code === "protected-path").map(() => "protected-path"));
  return diagnostics.filter(({ code }) => code === "protected-path").map(({ item }) => item?.name);
}

test("a mapping over a null above the path brings back what the null removed", () => {
  const layers = [
    { priority: 10, values: { image: null, port: 1 } },
    { priority: 60, values: { image: {}, port: { a: 1 } } },
  ];
  expect(brokenBy(layers, { path: "image.registry", above: 50 })).toEqual(["l1"]);
  // Nothing comes back where a number was: the layer sets another key only.
  expect(brokenBy(layers, { path: "port.b", above: 50 })).toEqual([]);
  expect(brokenBy(layers, { path: "port.a", above: 50 })).toEqual(["l1"]);
  expect(brokenBy(layers, { path: "other.b", above: 50 })).toEqual([]);
});

const low = { priority: 10, values: { image: { registry: "a", tag: "1" }, list: [1, 2] } };

test.for([
  ["the path itself", { image: { registry: "b" } }, "image.registry", true],
  ["another path", { image: { tag: "2" } }, "image.registry", false],
  ["a part of it", { image: { tag: "2" } }, "image", true],
  ["the same value", { image: { registry: "a" } }, "image.registry", false],
  ["the same list", { list: [1, 2] }, "list", false],
  ["another list", { list: [2, 1] }, "list", true],
  ["text in place of a number", { list: ["1", "2"] }, "list", true],
  ["a null above it", { image: null }, "image.registry", true],
  ["a text above it", { image: "a" }, "image.registry", true],
  ["an empty mapping at it", { image: {} }, "image", false],
  ["an empty mapping where nothing is", { probe: {} }, "probe", true],
  ["something new", { probe: { path: "/" } }, "probe", true],
  ["a wildcard", { image: { tag: "2" } }, "*.tag", true],
  ["any depth", { a: { b: { tag: "2" } } }, "**.tag", true],
  ["an atom that a wildcard might stand under", { replicas: 2 }, "**.tag", false],
  ["an atom over what a wildcard finds", { image: 2 }, "**.tag", true],
  ["a key with dots", { "a.b/c": 1 }, '["a.b/c"]', true],
  ["another key, over a text", { image: { tag: { major: 2 } } }, "image.tag.minor", false],
  ["another key, over a list", { list: { a: 1 } }, "list.b", false],
  ["the path itself, over a text", { image: { tag: { minor: 2 } } }, "image.tag.minor", true],
  ["a mapping without keys over a text", { image: { tag: {} } }, "image.tag.minor", false],
] as const)("%s", ([, values, path, isBroken]) => {
  const layers = [low, { priority: 60, values }];
  expect(brokenBy(layers, { path, above: 50 })).toEqual(isBroken ? ["l1"] : []);
  expect(brokenBy(layers, { path, above: 60 })).toEqual([]);
  const only = [{ kind: "ConfigMap", name: "l0" }];
  expect(brokenBy(layers, { path, only })).toEqual(isBroken ? ["l1"] : []);
  expect(brokenBy(layers, { path, only: [...only, { kind: "ConfigMap", name: "l1" }] })).toEqual([]);
  expect(brokenBy(layers, { path, above: 50, targets: [{ kind: "App" }] })).toEqual([]);
  expect(brokenBy(layers, { path, only: [{ kind: "ConfigMap", name: "l0", namespace: "other" }] })).toContain(
    brokenBy(layers, { path, above: 5 })[0],
  );
});

/** A model of merging and of rules over plain objects. */
type Plain = { readonly [key: string]: Plain } | number | null;

const isObject = (value: Plain | undefined): value is { readonly [key: string]: Plain } =>
  typeof value === "object" && value !== null;

function at(value: Plain | undefined, path: readonly string[]): Plain | undefined {
  return path.reduce<Plain | undefined>((each, key) => (isObject(each) ? each[key] : undefined), value);
}

function mergePlain(base: Plain | undefined, over: Plain): Plain {
  if (!isObject(over)) return over;
  const known = isObject(base) ? base : {};
  const merged = Object.entries(over).map(([key, value]) => [key, mergePlain(known[key], value)] as const);
  return { ...known, ...Object.fromEntries(merged) };
}

/** Whether a layer sets the path, a part of it, an atom above it, or a mapping over a null above it. */
function bearsOn(path: readonly string[], layer: Plain, lower: readonly Plain[]): boolean {
  const base = lower.reduce<Plain>((below, each) => mergePlain(below, each), {});
  return path.some((_, index) => {
    const above = path.slice(0, index + 1);
    const value = at(layer, above);
    if (above.length === path.length || !isObject(value)) return value !== undefined;
    return at(base, above) === null;
  });
}

const leaf = fc.oneof(fc.integer({ min: 0, max: 1 }), fc.constant(null));
const tree = fc.letrec<{ node: Plain }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    leaf,
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("node"), { maxKeys: 3 }),
  ),
})).node;
const values = fc.dictionary(fc.constantFrom("a", "b", "c"), tree, { minKeys: 1, maxKeys: 3 });

test("where no rule is broken, nobody but the allowed layers has a say at the path", { tags: "law" }, () => {
  const runs = { sound: 0, broken: 0 };
  fc.assert(
    fc.property(
      fc.array(values, { minLength: 2, maxLength: 4 }),
      fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 2 }),
      fc.integer({ min: 0, max: 3 }),
      (all, path, bound) => {
        const layers = all.map((each, index) => ({ priority: 10 + index, values: each }));
        const broken = brokenBy(layers, { path: path.join("."), above: 10 + bound });
        if (broken.length > 0) runs.broken++;
        else runs.sound++;
        for (const name of broken) {
          const index = Number(name?.slice(1));
          expect(index).toBeGreaterThan(bound);
          expect(bearsOn(path, all[index] ?? {}, all.slice(0, index)), name).toBe(true);
        }
        if (broken.length > 0) return;
        const merged = (which: readonly Plain[]): Plain =>
          which.reduce((base, each) => mergePlain(base, each), {});
        // An atom above the path, which an allowed layer set, may give way to a mapping: then nothing is at the path.
        expect(at(merged(all), path)).toEqual(at(merged(all.slice(0, bound + 1)), path));
      },
    ),
    { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 600) },
  );
  expect(Math.min(runs.sound, runs.broken)).toBeGreaterThan(100);
});

describe("what is said", () => {
  const layers = [low, { priority: 60, values: { image: { registry: "b" } } }];
  const config = configOf({ path: "image.registry", above: 50 });

  test("it names the layer and what that overrides, and how to mend it; nothing is written", async () => {
    const { exitCode, output, messages } = foldText(listOf(layers), config);
    expect([exitCode, output]).toEqual([1, ""]);
    await expect(messages).toMatchFileSnapshot(new URL("protect.txt", import.meta.url).pathname);
  });

  test("verify says the same of a list that is not folded", () => {
    const found = verify({
      input: Buffer.from(listOf(layers)),
      config: Buffer.from(config),
      strict: false,
      unfolded: true,
    });
    expect([found.exitCode, found.diagnostics.map(({ code }) => code)]).toEqual([1, ["protected-path"]]);
  });

  test("verify of what was folded earlier tells that nobody can know", () => {
    const { output } = foldText(listOf(layers));
    const found = verify({ input: Buffer.from(output), config: Buffer.from(config), strict: false });
    expect(found.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["protected-path", "warning"],
    ]);
  });

  test("explain tells who may set a value", () => {
    const { explanation } = explainText(listOf(layers), config);
    const all = explanation?.targets[0]?.stacks[0]?.values ?? [];
    expect(
      all.filter((each) => each.protected !== undefined).map((each) => [each.path, each.protected]),
    ).toEqual([[["image", "registry"], "layers up to priority 50"]]);
  });

  test.for(["a", "hunter2"])("values of a Secret are neither told nor compared: %s", (registry) => {
    const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: org, annotations: {valuefold.dev/into: HelmRelease/shop, valuefold.dev/priority: "70"}}\nstringData: {values.yaml: "image: {registry: ${registry}}"}\n---\n`;
    const { messages, diagnostics } = foldText(
      secret + listOf([low]),
      configOf({ path: "image", above: 50 }),
    );
    expect(diagnostics.map(({ code, item }) => [code, item?.name])).toEqual([["protected-path", "s"]]);
    expect(messages).not.toMatch(/hunter2|registry/);
  });

  test("what an open layer overrides in a Secret is not told to be there", () => {
    const secret =
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: org, annotations: {valuefold.dev/into: HelmRelease/shop, valuefold.dev/priority: "9"}}\nstringData: {values.yaml: "image: {hunter2key: 1}"}\n---\n';
    const over = [{ priority: 60, values: { image: {} } }];
    const { diagnostics } = foldText(secret + listOf(over), configOf({ path: "image", above: 50 }));
    const found = diagnostics.filter(({ code }) => code === "protected-path");
    expect(found.map(({ item, also }) => [item?.name, also?.map(({ line }) => line)])).toEqual([
      ["l0", [undefined]],
    ]);
  });

  test("values of the target itself lie over all layers", () => {
    const inline = listOf([low]).replace("spec: {}", "spec: {values: {image: {registry: mine}}}");
    const { diagnostics } = foldText(inline, configOf({ path: "image", above: 50 }));
    expect(diagnostics.map(({ code, item }) => [code, item?.kind])).toEqual([
      ["protected-path", "HelmRelease"],
    ]);
    const allowed = configOf({
      path: "image",
      only: [
        { kind: "HelmRelease", name: "shop" },
        { kind: "ConfigMap", name: "l0" },
      ],
    });
    expect(foldText(inline, allowed).exitCode).toBe(0);
  });

  test("what only the cluster reads is told as information", () => {
    const late = listOf(layers).replace("spec: {}", "spec: {valuesFrom: [{kind: ConfigMap, name: late}]}");
    const { diagnostics } = foldText(late, configOf({ path: "image", above: 20 }));
    expect(diagnostics.filter(({ severity }) => severity === "info").map(({ code }) => code)).toContain(
      "protected-path",
    );
  });
});

/** A list with one HelmRelease that references what is given. */
function released(items: string, valuesFrom: string): string {
  return `${items}---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {valuesFrom: [${valuesFrom}]}\n`;
}

function map(name: string, data: string, annotations = ""): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org${annotations}}\ndata: ${data}\n`;
}

describe("ways around it", () => {
  const rule = { path: "image.registry", only: [{ kind: "ConfigMap", name: "platform" }] };
  const bad = JSON.stringify("image: {registry: bad}\n");

  function severities(list: string, protect: object = rule): string[] {
    const { diagnostics } = foldText(list, configOf(protect));
    return diagnostics.filter(({ code }) => code === "protected-path").map(({ severity }) => severity);
  }

  test.for([
    ["image.registry", ["error"]],
    ["image", ["error"]],
    ["image.registry.host", ["error"]],
    ["image.tag", []],
    ["list[0]", ["warning"]],
  ] as const)("targetPath: %s", ([path, expected]) => {
    const entry = `{kind: ConfigMap, name: r, valuesKey: reg, targetPath: "${path}"}`;
    expect(severities(released(map("r", "{reg: bad}"), entry))).toEqual(expected);
  });

  test("a layer that cannot be read", () => {
    const twice = map("e", JSON.stringify({ "values.yaml": '1: x\n"1": y\nimage: {registry: bad}\n' }));
    expect(severities(released(twice, "{kind: ConfigMap, name: e}"))).toEqual(["error"]);
  });

  test("a layer that says it is sealed", () => {
    const sealed = map(
      "e",
      JSON.stringify({ "values.yaml": "image: {registry: bad}\nsops:\n  mac: ENC[x]\n  version: 3.8.1\n" }),
    );
    expect(severities(released(sealed, "{kind: ConfigMap, name: e}"))).toEqual(["warning"]);
  });

  test("a file that is replaced whole", () => {
    const platform = map("platform", `{values.yaml: ${JSON.stringify("image: {registry: good}\n")}}`);
    const evil = map(
      "evil",
      `{values.yaml: ${bad}}`,
      ", annotations: {valuefold.dev/into: ConfigMap/platform, valuefold.dev/format: text}",
    );
    expect(severities(released(`${platform}---\n${evil}`, "{kind: ConfigMap, name: platform}"))).toEqual([
      "error",
    ]);
  });

  test("a record that somebody wrote", () => {
    const forged = `, annotations: {valuefold.dev/folded-from: '{"target":"x","digest":"x","layers":[]}'}`;
    const list = released(map("evil", `{values.yaml: ${bad}}`, forged), "{kind: ConfigMap, name: evil}");
    expect(severities(list)).toEqual(["error"]);
  });

  test("a folded item that was edited", () => {
    const layers = [1, 2].map((tag) => ({
      priority: 10 * tag,
      values: { image: { registry: "good", tag } },
    }));
    const { output } = foldText(listOf(layers));
    const both = { path: "image.registry", only: ["l0", "l1"].map((name) => ({ kind: "ConfigMap", name })) };
    expect(severities(output, both)).toEqual([]);
    expect(severities(output.replace("good", "bad"), both)).toEqual(["error"]);
  });

  test("the hash that kustomize gives a generated name is no other name", () => {
    const own = map("platform-5h2m9k4b7c", `{values.yaml: ${bad}}`);
    expect(severities(released(own, "{kind: ConfigMap, name: platform-5h2m9k4b7c}"))).toEqual([]);
  });

  test("many layers of many keys, under a rule for any depth", { tags: "law" }, () => {
    const keys = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${index}`, index]));
    const layers = Array.from({ length: 50 }, (_, index) => ({ priority: 10 + index, values: keys }));
    const elapsed = cpuClock();
    expect(brokenBy(layers, { path: "**.**.tag", above: 1 })).toEqual([]);
    expect(elapsed()).toBeLessThan(60);
  });
});

test.for([
  [{ path: "a[0]", above: 1 }, "protect[0].path"],
  [{ path: "a" }, "protect[0]"],
  [{ path: "a", above: 151 }, "protect[0].above"],
] as const)("%j is no rule", ([rule, field]) => {
  const { exitCode, diagnostics } = foldText(listOf([low]), configOf(rule));
  expect([exitCode, diagnostics.map((each) => each.field)]).toEqual([3, [`spec.${field}`]]);
});
