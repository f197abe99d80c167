// Rules for lists, mappings and nulls against the consumers' own code. What they compute from the output is what they
// compute from layers that hold, where a rule holds, what it makes of the layers so far. And lists by key are the API
// server's own.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import type { MergeRule } from "../../src/merge/rules.ts";
import { expanded } from "../support/expanded.ts";
import type { ClusterObject } from "../support/app-list.ts";
import { foldText } from "../support/fold.ts";
import { arbitraryDice, arbitraryLayer, everyRulePlainly, textOf } from "../support/generate-lists.ts";
import { type HelmWorld, worldOfStream } from "../support/helm-list.ts";
import { mergeTexts } from "../support/layers.ts";
import { canonical, type Plain } from "../support/list-model.ts";
import type { World } from "./app-world.ts";
import { Oracle } from "./oracle.ts";

const tools = new URL(".tools/", import.meta.url).pathname;
const flux = new Oracle<HelmWorld, { readonly error?: string }>(`${tools}flux-oracle`);
const operator = new Oracle<World, { readonly error?: string }>(`${tools}app-oracle`);
const server = new Oracle<
  { base: Plain; override: Plain },
  { readonly merged: Plain; readonly error?: string }
>(`${tools}list-oracle`);
afterAll(() => {
  for (const oracle of [flux, operator, server]) oracle.close();
});

const numRuns = Number(process.env["VALUEFOLD_ORACLE_RUNS"] ?? 800);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20261122);

interface Given {
  readonly values: Plain;
  readonly dice: readonly number[];
  /** In the list, of a Secret, or bound by the cluster only. */
  readonly state: "here" | "secret" | "late";
}

/** Values that no rule says anything of, or that a rule leaves alone. */
const beside = fc.record(
  { plain: fc.array(fc.nat(3), { maxLength: 2 }), other: fc.nat(3), nest: fc.record({ y: fc.nat(3) }) },
  { requiredKeys: [] },
) as fc.Arbitrary<Plain>;

/** Some layers side by side with lists under rules, and others around them. */
const arbitraryStack = fc
  .tuple(
    fc.array(fc.tuple(beside, arbitraryDice, fc.constantFrom("here", "late", "secret")), { maxLength: 2 }),
    fc.array(fc.tuple(arbitraryLayer, arbitraryDice), { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(beside, arbitraryDice, fc.constantFrom("late", "secret")), { maxLength: 2 }),
  )
  .map(([below, run, above]): Given[] => [
    ...below.map(([values, dice, state]) => ({ values, dice, state: state })),
    ...run.map(([values, dice]) => ({ values, dice, state: "here" as const })),
    ...above.map(([values, dice, state]) => ({ values, dice, state: state as Given["state"] })),
  ]);

const arbitraryRules = fc.subarray([...everyRulePlainly], { minLength: 1 });

function configOf(rules: readonly MergeRule[]): string {
  return `{apiVersion: valuefold.dev/v1alpha1, kind: ValueFold, spec: {app: {unseen: []}, layers: keep, merge: ${JSON.stringify(rules)}}}`;
}

function objectText(text: string, index: number, { state }: Given, key: string): string {
  const [kind, data] = state === "secret" ? ["Secret", "stringData"] : ["ConfigMap", "data"];
  return `apiVersion: v1\nkind: ${kind}\nmetadata: {name: l${index}, namespace: org}\n${data}: {${key}: ${JSON.stringify(text)}}\n`;
}

/** Texts of layers, runs of ConfigMaps and of Secrets expanded by the rules. */
function expandedTexts(stack: readonly Given[], rules: readonly MergeRule[]): string[] {
  const runs: Given[][] = [];
  for (const each of stack) {
    const open = runs.at(-1);
    const isAlike = open?.[0]?.state === each.state && each.state !== "late";
    if (isAlike) open.push(each);
    else runs.push([each]);
  }
  return runs
    .flatMap((run) => {
      const values = run.map((each) => each.values);
      return run[0]?.state === "late" ? values : expanded(values, rules);
    })
    .map((values) => JSON.stringify(values));
}

const counts = { folded: 0, apart: 0 };

/** What is folded, unless a rule's values lie apart; and the cluster's objects before and after. */
function foldedWith(
  target: (names: readonly Given[]) => string,
  stack: readonly Given[],
  rules: readonly MergeRule[],
  key: string,
): { readonly before: string; readonly after: string } | undefined {
  const texts = stack.map(({ values, dice }) => textOf(values, dice));
  const objects = stack.map((each, index) => objectText(texts[index] ?? "", index, each, key));
  const late = objects.filter((_, index) => stack[index]?.state === "late");
  const here = objects.filter((_, index) => stack[index]?.state !== "late");
  const { exitCode, output, diagnostics } = foldText([target(stack), ...here].join("---\n"), configOf(rules));
  if (exitCode !== 0) {
    expect(
      new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code)),
    ).toEqual(new Set(["rule-apart"]));
    counts.apart++;
    return undefined;
  }
  expect(foldText(output, configOf(rules)).output).toBe(output);
  counts.folded++;
  const before = expandedTexts(stack, rules).map((text, index) =>
    objectText(text, index, stack[index] as Given, key),
  );
  return { before: [target(stack), ...before].join("---\n"), after: [output, ...late].join("---\n") };
}

function releaseOf(stack: readonly Given[]): string {
  const entries = stack.map(
    ({ state }, index) => `{kind: ${state === "secret" ? "Secret" : "ConfigMap"}, name: l${index}}`,
  );
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {valuesFrom: [${entries.join(", ")}]}\n`;
}

test(`Flux and Helm compute the same from the output as from layers expanded by the rules (${numRuns} cases)`, async () => {
  Object.assign(counts, { folded: 0, apart: 0 });
  await fc.assert(
    fc.asyncProperty(arbitraryStack, arbitraryRules, async (stack, rules) => {
      const both = foldedWith(releaseOf, stack, rules, "values.yaml");
      if (both === undefined) return;
      const before = await flux.ask(worldOfStream(both.before));
      expect(before.error).toBeUndefined();
      expect(await flux.ask(worldOfStream(both.after))).toEqual(before);
    }),
    { numRuns, seed },
  );
  console.log(JSON.stringify(counts));
  expect(counts.folded).toBeGreaterThan(numRuns / 2);
});

function appOf(stack: readonly Given[]): string {
  const entries = stack.map(
    ({ state }, index) =>
      `{kind: ${state === "secret" ? "secret" : "configMap"}, name: l${index}, namespace: org, priority: ${index + 2}}`,
  );
  return `apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec: {name: shop, namespace: shop, catalog: some, extraConfigs: [${entries.join(", ")}]}\n`;
}

function worldOfApp(stream: string): World {
  const items = stream.split(/^---\n/m).map((text) => parse(text) as ClusterObject);
  const ofKind = (kind: string): ClusterObject[] => items.filter((item) => item.kind === kind);
  const catalog = { metadata: { name: "some", namespace: "default" }, spec: { config: null } };
  return {
    app: ofKind("App")[0] as World["app"],
    catalog,
    configMaps: ofKind("ConfigMap"),
    secrets: ofKind("Secret"),
  };
}

test(`app-operator computes the same from the output as from layers expanded by the rules (${numRuns} cases)`, async () => {
  Object.assign(counts, { folded: 0, apart: 0 });
  await fc.assert(
    fc.asyncProperty(arbitraryStack, arbitraryRules, async (stack, rules) => {
      const both = foldedWith(appOf, stack, rules, "values");
      if (both === undefined) return;
      const before = await operator.ask(worldOfApp(both.before));
      expect(before.error).toBeUndefined();
      expect(await operator.ask(worldOfApp(both.after))).toEqual(before);
    }),
    { numRuns, seed },
  );
  console.log(JSON.stringify(counts));
  expect(counts.folded).toBeGreaterThan(numRuns / 2);
});

const atom = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("x", "y"), fc.boolean());
const field = fc.oneof(
  atom,
  fc.dictionary(fc.constantFrom("p", "q"), atom, { maxKeys: 2 }),
  fc.array(atom, { maxLength: 2 }),
);
const listOf = (keys: fc.Arbitrary<object>): fc.Arbitrary<object[]> =>
  fc
    .uniqueArray(fc.tuple(keys, fc.dictionary(fc.constantFrom("v", "w"), field, { maxKeys: 2 })), {
      selector: ([key]) => JSON.stringify(key),
      maxLength: 5,
    })
    .map((elements) => elements.map(([key, fields]) => ({ ...key, ...fields })));
const document = fc.record(
  {
    env: listOf(fc.record({ name: fc.constantFrom("a", "b", "c", "d") })),
    ports: listOf(fc.record({ port: fc.integer({ min: 1, max: 3 }), proto: fc.constantFrom("TCP", "UDP") })),
    set: fc.uniqueArray(atom, { maxLength: 4 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Plain>;

/** The order of a merged list is ours to say: the server mixes both orders. */
function unordered(value: Plain): string {
  return canonical(
    Object.fromEntries(
      Object.entries(value as { [key: string]: Plain }).map(([key, list]) => [
        key,
        Array.isArray(list) ? list.map(canonical).toSorted() : list,
      ]),
    ),
  );
}

test(`lists by key and sets merge as the API server merges them (${numRuns} cases)`, async () => {
  const rules: MergeRule[] = [
    { path: "env", key: "name" },
    { path: "ports", key: ["port", "proto"] },
    { path: "set", list: "set" },
  ];
  await fc.assert(
    fc.asyncProperty(document, document, arbitraryDice, async (base, override, dice) => {
      const { merged, error } = await server.ask({ base, override });
      expect(error).toBeUndefined();
      const ours = mergeTexts([textOf(base, dice), textOf(override, dice)], undefined, rules);
      expect(unordered((parse(ours.text, { version: "1.1" }) ?? {}) as Plain)).toBe(unordered(merged ?? {}));
    }),
    { numRuns, seed },
  );
});
