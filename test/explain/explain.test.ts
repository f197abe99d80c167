// What `explain` says against what removing layers proves: a value is its layer's if it is another without it.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ExplainedStack, ExplainedTarget, ExplainedValue } from "../../src/explanation.ts";
import { renderAnnotated } from "../../src/explain/annotate.ts";
import { itemsOf } from "../support/app-list.ts";
import { explanationOf, explainText, manifestsOf, meaning, valuesOfLayer } from "../support/explain.ts";
import { arbitraryApp } from "../support/generate-app.ts";
import { arbitraryHelmRelease } from "../support/generate-helm.ts";
import { arbitraryText } from "../support/generate-values.ts";
import { helmItems } from "../support/helm-list.ts";

const numRuns = Number(process.env["VALUEFOLD_RUNS"] ?? 100);

type Json = { [key: string]: unknown };

const isMapping = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The merge in its plainest form. */
function merged(texts: readonly unknown[]): unknown {
  return texts.reduce((base, over) => {
    if (!isMapping(base) || !isMapping(over)) return structuredClone(over);
    const result: Json = { ...base };
    for (const [key, value] of Object.entries(over))
      result[key] = Object.hasOwn(base, key) ? merged([base[key], value]) : structuredClone(value);
    return result;
  }, {} as unknown);
}

const absent = Symbol("absent");

function at(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (!isMapping(found) || !Object.hasOwn(found, key)) return absent;
    found = found[key];
  }
  return found;
}

function leaves(value: unknown, path: readonly string[] = []): string[] {
  if (!isMapping(value)) return [JSON.stringify(path)];
  const entries = Object.entries(value);
  if (entries.length === 0 && path.length > 0) return [JSON.stringify(path)];
  return entries.flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

/** How many of a stack were looked at, and how many of its values override something. */
const seen = { stacks: 0, values: 0, chains: 0, mappings: 0, same: 0, nulled: 0, paths: 0 };

/** Proves all that a stack says; nothing where a layer of it cannot be read alone. */
function prove(stack: ExplainedStack, target: ExplainedTarget, input: string): void {
  const manifests = manifestsOf(input);
  const layers = stack.layers
    .filter(({ sets }) => sets !== undefined)
    .map((layer) => ({
      id: layer.id,
      setsPath: layer.setsPath,
      values: valuesOfLayer(layer, manifests, target),
    }));
  // What it sets depends on the layers below it.
  if (layers.some(({ setsPath, values }) => setsPath !== undefined && values === undefined)) return;
  seen.paths += layers.filter(({ setsPath }) => setsPath !== undefined).length;
  const without = (ids: readonly string[]): unknown =>
    merged(layers.filter(({ id }) => !ids.includes(id)).map(({ values }) => values));
  const whole = without([]);
  const own = stack.values.filter(({ mapping }) => mapping !== true);
  expect(own.map(({ path }) => JSON.stringify(path)).toSorted()).toEqual(leaves(whole).toSorted());
  for (const value of stack.values) {
    if (value.mapping === true)
      proveMapping(
        value,
        layers.map(({ id }) => id),
        without,
      );
    else
      proveChain(
        value,
        layers.map(({ id }) => id),
        without,
      );
  }
  seen.stacks += stack.values.length > 0 ? 1 : 0;
}

type Without = (ids: readonly string[]) => unknown;

function proveChain(value: ExplainedValue, ids: readonly string[], without: Without): void {
  const { path, over } = value;
  seen.values++;
  if (over.length > 0) seen.chains++;
  const chain = [value, ...over];
  for (const [index, { by, text }] of chain.entries()) {
    const gone = chain.slice(0, index).map((each) => each.by);
    const found = at(without(gone), path);
    expect(found, `${path.join(".")} without ${gone.join()}`).not.toBe(absent);
    const isWhole = index === 0 || !isMapping(found) || Object.keys(found).length === 0;
    if (text !== undefined && isWhole) expect(found).toEqual(meaningOf(text));
    if (text !== undefined && !isWhole) expect(isMapping(meaningOf(text))).toBe(true);
    expect(ids).toContain(by);
  }
  expect(at(without(chain.map(({ by }) => by)), path)).toBe(absent);
  const here = at(without([]), path);
  for (const id of ids.filter((each) => chain.every(({ by }) => by !== each))) {
    const found = at(without([id]), path);
    // Without what hides it from a level above, a lower mapping may show in an empty one.
    if (isMapping(here)) expect(isMapping(found)).toBe(true);
    else expect(found, `${path.join(".")} without ${id}`).toEqual(here);
  }
  for (const { effect, text } of over) {
    if (text === undefined) continue;
    seen.same += effect === "same" ? 1 : 0;
    seen.nulled += effect === "nulled" ? 1 : 0;
    if (effect === "same") expect(meaningOf(text)).toEqual(here);
    if (effect === "nulled") expect(here).toBe(null);
  }
}

function proveMapping({ path, over }: ExplainedValue, ids: readonly string[], without: Without): void {
  seen.mappings++;
  const [first] = over;
  const below = over.map(({ by }) => by);
  expect(isMapping(at(without([]), path))).toBe(true);
  // Of what lies below alone, the highest is seen.
  const alone = at(without(ids.filter((id) => !below.includes(id))), path);
  expect(alone).not.toBe(absent);
  if (first?.text !== undefined && first.mapping !== true) expect(alone).toEqual(meaningOf(first.text));
}

function meaningOf(text: string): unknown {
  return (meaning(`value: ${text}`) as Json)["value"] ?? null;
}

function proveAll(input: string, config?: string): void {
  const { explanation, outcome } = explainText(input, config);
  // What is wrong with a layer is told, and its values are nobody's to merge.
  if (explanation === undefined || outcome.exitCode !== 0) return;
  for (const target of explanation.targets) for (const stack of target.stacks) prove(stack, target, input);
}

const layerTexts = fc.array(arbitraryText(), { minLength: 2, maxLength: 5 });

function configMap(name: string, text: string, annotations: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org${annotations}}\ndata: {values: ${JSON.stringify(text)}}\n`;
}

describe("every winner and every chain is proved by removing layers", { tags: "law" }, () => {
  test("App", () => {
    const property = fc.property(arbitraryApp, (one) => proveAll(itemsOf(one).join("---\n")));
    fc.assert(property, { numRuns });
  });

  test("HelmRelease", () => {
    const property = fc.property(arbitraryHelmRelease, (one) => proveAll(helmItems(one).join("---\n")));
    fc.assert(property, { numRuns });
  });

  test("ConfigMap in place", () => {
    // In a file the keys are as they are spelled: those that YAML 1.1 takes for something else are left out.
    const texts = layerTexts.map((all) => all.map((text) => text.replaceAll(/\b(?:010|on):/g, "k:")));
    const property = fc.property(texts, ([base = "", ...rest]) => {
      const layers = rest.map((text, index) =>
        configMap(
          `l${index}`,
          text,
          `, annotations: {valuefold.dev/into: ConfigMap/base, valuefold.dev/priority: "${60 + index}"}`,
        ),
      );
      proveAll([configMap("base", base, ""), ...layers].join("---\n"));
    });
    fc.assert(property, { numRuns });
  });

  test("Kyma", () => {
    const word = fc.constantFrom("a", "b", "c", "d");
    const key = fc.array(word, { minLength: 1, maxLength: 3 }).map((path) => path.join("."));
    const override = fc.record({
      keys: fc.dictionary(key, fc.constantFrom("true", "text", "5"), { minKeys: 1, maxKeys: 3 }),
      isCommon: fc.boolean(),
      kind: fc.constantFrom("ConfigMap", "ConfigMap", "Secret"),
    });
    const property = fc.property(fc.array(override, { minLength: 1, maxLength: 4 }), (overrides) => {
      const items = overrides.map(({ keys, isCommon, kind }, index) => {
        const component = isCommon ? "" : ", component: core";
        const part = kind === "Secret" ? "stringData" : "data";
        return `apiVersion: v1\nkind: ${kind}\nmetadata: {name: o${index}, namespace: org, labels: {installer: overrides${component}}}\n${part}: ${JSON.stringify(keys)}\n`;
      });
      proveKyma(items.join("---\n"));
    });
    fc.assert(property, { numRuns });
  });

  test("and all of it occurs", () => {
    expect(seen.stacks).toBeGreaterThan(numRuns);
    expect(seen.values).toBeGreaterThan(numRuns * 10);
    expect(seen.chains).toBeGreaterThan(numRuns * 3);
    for (const count of [seen.mappings, seen.same, seen.nulled]) expect(count).toBeGreaterThan(numRuns / 10);
    expect(seen.paths).toBeGreaterThan(numRuns / 100);
  });
});

const kyma = "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {targets: [{kind: Kyma}]}\n";

/** Kyma leaves out of one stack what the other overrides, so a layer may set less than it holds: no more than that is proved. */
function proveKyma(input: string): void {
  const { explanation, outcome } = explainText(input, kyma);
  if (explanation === undefined || outcome.exitCode !== 0) return;
  const stacks = explanation.targets.flatMap((target) => target.stacks.map((stack) => ({ target, stack })));
  if (!input.includes("kind: Secret")) for (const { target, stack } of stacks) prove(stack, target, input);
  for (const { stack } of stacks)
    for (const { by, path, at: place } of stack.values) {
      expect(stack.layers.map(({ id }) => id)).toContain(by);
      expect(`${path.join(".")}.`.startsWith(`${place?.key ?? "?"}.`)).toBe(true);
    }
}

test("the annotated values read back as what they are", { tags: "law" }, () => {
  const property = fc.property(layerTexts, (texts) => {
    const layers = texts.map((text, index) =>
      configMap(
        `l${index}`,
        text,
        `, annotations: {valuefold.dev/into: App/shop, valuefold.dev/priority: "${60 + index}"}`,
      ),
    );
    const app =
      "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec: {}\n";
    const input = [...layers, app].join("---\n");
    const { explanation, outcome } = explainText(input);
    if (explanation === undefined || outcome.exitCode !== 0) return;
    expect(meaning(renderAnnotated(explanation))).toEqual(merged(texts.map(meaning)));
  });
  fc.assert(property, { numRuns });
});

test("an explanation is the same each time", { tags: "law" }, () => {
  fc.assert(
    fc.property(arbitraryApp, (one) => {
      const input = itemsOf(one).join("---\n");
      if (explainText(input).outcome.exitCode !== 0) return;
      expect(explanationOf(input)).toEqual(explanationOf(input));
    }),
    { numRuns: 50 },
  );
});

test("an element of a list may have more keys than a call takes arguments", { tags: "law" }, () => {
  const keys = Array.from({ length: 150_000 }, (_, index) => `k${index.toString(36)}`);
  const layer = (name: string, priority: number, text: string): string =>
    configMap(
      name,
      text,
      `, annotations: {valuefold.dev/into: App/shop, valuefold.dev/priority: "${priority}"}`,
    );
  const stream = [
    layer("low", 10, `list: [{name: one,${keys.join(",")}}]\n`),
    layer("high", 20, "list: [{name: one, k0: 2}]\n"),
    "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec: {}\n",
  ].join("---\n");
  const config = JSON.stringify({
    apiVersion: "valuefold.dev/v1alpha1",
    kind: "ValueFold",
    spec: { merge: [{ path: "list", key: "name" }] },
  });
  const { explanation } = explainText(stream, config);
  expect(explanation?.targets[0]?.stacks[0]?.values.length).toBeGreaterThan(150_000);
});
