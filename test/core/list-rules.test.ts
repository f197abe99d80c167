// Lists, mappings and nulls by rule (setting `merge`): held to a model over plain values, and to the laws of merging.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { MergeRule } from "../../src/merge/rules.ts";
import { renderAnnotated } from "../../src/explain/annotate.ts";
import type { Explanation } from "../../src/explanation.ts";
import { unsupplied } from "../../src/core/fold.ts";
import { finalValues } from "../../src/explain/final-values.ts";
import { verify } from "../../src/explain/verify.ts";
import { explainText, manifestsOf } from "../support/explain.ts";
import { foldText } from "../support/fold.ts";
import {
  arbitraryDice,
  arbitraryLayer,
  arbitraryRepeats,
  everyRule,
  everyRulePlainly,
  textOf,
} from "../support/generate-lists.ts";
import { mergeTexts } from "../support/layers.ts";
import { mergePlain, type Plain } from "../support/list-model.ts";

const numRuns = Number(process.env["VALUEFOLD_RUNS"] ?? 300);
const options = { numRuns };

function meaning(text: string): Plain {
  return (parse(text, { version: "1.1", merge: true }) ?? {}) as Plain;
}

const arbitraryLayers = fc.array(fc.tuple(arbitraryLayer, arbitraryDice), { minLength: 1, maxLength: 4 });

function merged(texts: readonly string[], rules: readonly MergeRule[] = everyRule): string {
  return mergeTexts(texts, undefined, rules).text;
}

describe("a merge by rules", { tags: "law" }, () => {
  test("means what the model says", () => {
    fc.assert(
      fc.property(arbitraryLayers, (layers) => {
        const expected = layers.reduce<Plain>(
          (base, [values]) => mergePlain(base, values, everyRulePlainly) ?? {},
          {},
        );
        expect(meaning(merged(layers.map(([values, dice]) => textOf(values, dice))))).toEqual(expected);
      }),
      options,
    );
  });

  test("is written so that reading it and writing it again gives the same bytes", () => {
    fc.assert(
      fc.property(arbitraryLayers, (layers) => {
        const text = merged(layers.map(([values, dice]) => textOf(values, dice)));
        expect(merged([text])).toBe(text);
        expect(merged([text], [])).toBe(text);
      }),
      options,
    );
  });
});

describe("what an adversary found", () => {
  test.for([
    ['["k": 1, b: 2, ? "q", key:\n  v]', "[z]", [{ k: 1 }, { b: 2 }, { q: null }, { key: "v" }, "z"]],
    ["[{a: 1}, {}]", "[z]", [{ a: 1 }, {}, "z"]],
    ["[[1, {a: 1}], x]", "[z]", [[1, { a: 1 }], "x", "z"]],
  ] as const)("single pairs and the like are opened with what they are: %s", ([base, over, expected]) => {
    const text = merged([`a: ${base}\n`, `a: ${over}\n`], [{ path: "a", list: "append" }]);
    expect(meaning(text)).toEqual({ a: expected });
  });

  test("an element of a set is taken away wherever it stands", () => {
    const rules: MergeRule[] = [{ path: "s", list: "set" }];
    expect(meaning(merged(["s: [a, b, a]", "s: [{$patch: delete, $value: a}]"], rules))).toEqual({
      s: ["b"],
    });
  });

  test("many wildcards in a path cost no more than few", () => {
    const path = `${"**.*.".repeat(20)}x`;
    const nested = `${Array.from({ length: 150 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")}\n${" ".repeat(150)}x: [1]\n`;
    const text = merged([nested, nested], [{ path, list: "append" }]);
    expect(text.match(/- 1/g)).toHaveLength(2);
  });

  test("many rules find their own places", () => {
    const keys = Array.from({ length: 300 }, (_, index) => `l${index}`);
    const rules = keys.map((key): MergeRule => ({ path: `**.${key}`, list: "append" }));
    const values = JSON.stringify({ in: Object.fromEntries(keys.map((key) => [key, [1]])) });
    const doubled = { in: Object.fromEntries(keys.map((key) => [key, [1, 1]])) };
    expect(meaning(merged([values, values], rules))).toEqual(doubled);
  });
});

/** Values of one list under one rule: a law says what merging them in some order gives. */
describe("laws", { tags: "law" }, () => {
  const rule = (merging: Partial<MergeRule>): MergeRule[] => [{ path: "l", ...merging }];
  const over = (rules: readonly MergeRule[], ...lists: readonly string[]): string => merged(lists, rules);
  const plainLists = fc.array(fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom("x", "y")), {
    maxLength: 4,
  });
  const sets = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 4 });
  const keyed = fc
    .uniqueArray(
      fc.tuple(
        fc.constantFrom("a", "b", "c", "d"),
        fc.dictionary(fc.constantFrom("v", "w"), fc.integer(), { maxKeys: 2 }),
      ),
      {
        selector: ([name]) => name,
        maxLength: 4,
      },
    )
    .map((elements) => elements.map(([name, fields]) => ({ name, ...fields })));
  const doc = (list: fc.Arbitrary<unknown[]>): fc.Arbitrary<string> => list.map((l) => JSON.stringify({ l }));

  test.for([
    ["append", plainLists, { list: "append" }],
    ["prepend", plainLists, { list: "prepend" }],
    ["set", sets, { list: "set" }],
    ["key", keyed, { key: "name" }],
  ] as const)("%s is associative", ([, lists, merging]) => {
    const rules = rule(merging);
    fc.assert(
      fc.property(doc(lists), doc(lists), doc(lists), (a, b, c) => {
        expect(meaning(over(rules, over(rules, a, b), c))).toEqual(
          meaning(over(rules, a, over(rules, b, c))),
        );
      }),
      options,
    );
  });

  test.for([
    ["set", sets, { list: "set" }],
    ["key", keyed, { key: "name" }],
  ] as const)("%s changes nothing where its layers go over it once more", ([, lists, merging]) => {
    const rules = rule(merging);
    fc.assert(
      fc.property(doc(lists), doc(lists), doc(lists), (a, b, c) => {
        const once = over(rules, a, b, c);
        expect(meaning(over(rules, once, b, c))).toEqual(meaning(once));
      }),
      options,
    );
  });

  test("a rule that never matches changes no byte", () => {
    fc.assert(
      fc.property(arbitraryLayers, (layers) => {
        const texts = layers.map(([values, dice]) => textOf(values, dice));
        expect(merged(texts, [{ path: "nowhere.*", key: "name", null: "drop" }])).toBe(merged(texts, []));
      }),
      options,
    );
  });
});

describe("folded again", { tags: "law" }, () => {
  const config = (merge: readonly object[]): string =>
    `{apiVersion: valuefold.dev/v1alpha1, kind: ValueFold, spec: {app: {unseen: []}, merge: ${JSON.stringify(merge)}}}`;
  const rules = everyRule;

  /** An App that references every layer. */
  function listOf(texts: readonly string[]): string {
    const items = texts.map(
      (text, index) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l${index}, namespace: org}\ndata: {values: ${JSON.stringify(text)}}\n`,
    );
    const entries = texts.map(
      (_, index) => `{kind: configMap, name: l${index}, namespace: org, priority: ${index + 2}}`,
    );
    return [
      `apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec: {name: shop, extraConfigs: [${entries.join(", ")}]}\n`,
      ...items,
    ].join("---\n");
  }

  /** A HelmRelease that references every layer, and between two pieces one that only the cluster binds. */
  function releaseOf(pieces: readonly (readonly string[])[]): string {
    const named = pieces.map((texts, piece) =>
      texts.map((text, index) => ({ name: `l${piece}-${index}`, text })),
    );
    const references = named.flatMap((layers, piece) => [
      ...(piece === 0 ? [] : [`{kind: ConfigMap, name: late${piece}}`]),
      ...layers.map(({ name }) => `{kind: ConfigMap, name: ${name}}`),
    ]);
    const items = named
      .flat()
      .map(
        ({ name, text }) =>
          `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org}\ndata: {values.yaml: ${JSON.stringify(text)}}\n`,
      );
    return [
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {valuesFrom: [${references.join(", ")}]}\n`,
      ...items,
    ].join("---\n");
  }

  /** The texts of each run, and those that stay apart. */
  function piecesOf(
    { targets }: Explanation,
    texts: readonly string[],
  ): { readonly own: string[]; readonly folds: boolean }[] {
    const [stack] = targets[0]?.stacks ?? [];
    const layers = (stack?.layers ?? []).filter(({ state }) => state !== "late");
    const pieces = new Map<string, { readonly own: string[]; readonly folds: boolean }>();
    for (const [index, { id }] of layers.entries()) {
      const run = stack?.runs.find((each) => each.layers.includes(id));
      const piece = pieces.get(run?.into ?? id) ?? { own: [], folds: run !== undefined };
      piece.own.push(texts[index] ?? "");
      pieces.set(run?.into ?? id, piece);
    }
    return [...pieces.values()];
  }

  /** An overlay's layer. */
  function annotated(text: string): string {
    return `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: over, namespace: org, annotations: {valuefold.dev/into: App/shop, valuefold.dev/priority: "140"}}\ndata: {values: ${JSON.stringify(text)}}\n`;
  }

  const arbitraryTexts = arbitraryLayers.map((layers) =>
    layers.map(([values, dice]) => textOf(values, dice)),
  );
  const runs = { ...options, numRuns: Math.ceil(numRuns / 4) };

  test("a list stays as it is, with the rules and without them", () => {
    fc.assert(
      fc.property(arbitraryTexts, (texts) => {
        const first = foldText(listOf(texts), config(rules));
        fc.pre(first.exitCode === 0);
        expect(foldText(first.output, config(rules)).output).toBe(first.output);
        expect(foldText(first.output, config([])).output).toBe(first.output);
      }),
      runs,
    );
  });

  test("what is explained is what is folded, and so are the final values", () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryTexts, arbitraryRepeats), (texts) => {
        const list = listOf(texts);
        const { exitCode, output } = foldText(list, config(rules));
        fc.pre(exitCode === 0 && output.includes("folded-from"));
        const folded = manifestsOf(output).find(({ metadata }) => metadata.name === "shop-folded");
        const expected = meaning(folded?.data?.["values"] ?? "");
        const { explanation } = explainText(list, config(rules));
        expect(meaning(renderAnnotated(explanation as Explanation))).toEqual(expected);
        const final = unsupplied(
          finalValues({
            input: Buffer.from(list, "utf8"),
            form: "stream",
            config: Buffer.from(config(rules), "utf8"),
            target: "App/shop",
            secrets: false,
          }),
        );
        expect(meaning(Buffer.concat(final.output).toString("utf8"))).toEqual(expected);
      }),
      runs,
    );
  });

  test("what is explained of layers that do not fold into one is what their consumer makes of the pieces", () => {
    let apart = 0;
    fc.assert(
      fc.property(fc.array(arbitraryTexts, { minLength: 2, maxLength: 3 }), (texts) => {
        const { explanation, outcome } = explainText(releaseOf(texts), config(rules));
        const faults = outcome.diagnostics.filter(({ severity }) => severity === "error");
        fc.pre(faults.every(({ code }) => code === "rule-apart"));
        apart += faults.length;
        const pieces = piecesOf(explanation as Explanation, texts.flat());
        const each = pieces.map(({ own, folds }) => merged(own, folds ? rules : []));
        expect(meaning(renderAnnotated(explanation as Explanation))).toEqual(meaning(merged(each, [])));
      }),
      runs,
    );
    expect(apart).toBeGreaterThan(0);
  });

  test("a mapping that is left empty is told once", () => {
    const list = listOf(["nest: null", "nest: {gone: null}"]);
    const { explanation } = explainText(list, config(rules));
    expect(meaning(renderAnnotated(explanation as Explanation))).toEqual({ nest: {} });
  });

  test("an overlay without the rules merges by those of its base", () => {
    fc.assert(
      fc.property(arbitraryTexts, arbitraryLayer, (texts, values) => {
        const base = foldText(listOf(texts), config(rules));
        const over = annotated(JSON.stringify(values));
        // Without a fold nobody remembers.
        fc.pre(base.exitCode === 0 && base.output.includes("folded-from"));
        const apart = foldText(base.output + over, config([]));
        const together = foldText(listOf(texts) + over, config(rules));
        expect(apart.exitCode).toBe(together.exitCode);
        if (apart.exitCode === 0) expect(apart.output).toBe(together.output);
      }),
      runs,
    );
  });

  test.for([
    '{"path":"env","key":[]}',
    '{"path":"env","key":1}',
    '{"path":"env","key":null}',
    '{"path":"env","list":"sett"}',
    '{"path":"env[","list":"set"}',
    '{"path":"","list":"set"}',
    '{"path":"env","mapping":"zap"}',
    '{"path":"env","null":7}',
    '{"path":"env","other":1}',
    "7",
  ])("a record with a rule that nobody wrote is none: %s", (rule) => {
    const base = foldText(listOf(["env: [1]", "env: [2]"]), config([{ path: "env", list: "append" }])).output;
    const forged = base.replace(/"rules":\[[^\]]*\]/, `"rules":[${rule}]`);
    const { exitCode, diagnostics } = foldText(forged, config([]));
    expect([exitCode, diagnostics.map(({ code }) => code)]).toEqual([1, ["folded-edited"]]);
  });

  test.for([
    ["lim: ${L}", "lim: {a: 1}", "lim: {a: 1}"],
    ["lim: {a: 1}", "lim: ${L}", "lim: ${L}"],
  ] as const)("a mapping that replaces needs no split from a variable: %s, %s", ([base, over, expected]) => {
    const folded = foldText(listOf([base, over]), config([{ path: "lim", mapping: "replace" }]));
    expect(folded.output).toContain(`\n  values: |\n    ${expected}\n`);
    expect(folded.messages).toBe("");
  });

  test("where something below may show through, it is refused", () => {
    const late = listOf(["lim: ${L}", "lim: {a: 1}"]).replace(
      "extraConfigs: [",
      "extraConfigs: [{kind: configMap, name: late, namespace: org, priority: 1}, ",
    );
    const { diagnostics } = foldText(late, config([{ path: "lim", mapping: "replace" }]));
    expect(diagnostics.map(({ code }) => code)).toEqual(["rule-apart"]);
  });

  test("an empty list in between hides no list below it", () => {
    const release =
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {valuesFrom: [{kind: ConfigMap, name: a}, {kind: ConfigMap, name: b}, {kind: ConfigMap, name: late}, {kind: ConfigMap, name: c}]}\n";
    const layer = (name: string, text: string): string =>
      `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org}\ndata: {values.yaml: "${text}"}\n`;
    const input = release + layer("a", "env: [1]") + layer("b", "env: []") + layer("c", "env: []");
    const { diagnostics } = foldText(input, config([{ path: "env", list: "append" }]));
    expect(diagnostics.map(({ code }) => code)).toEqual(["rule-apart"]);
    const alone = input.replace("env: [1]", "env: []");
    expect(foldText(alone, config([{ path: "env", list: "append" }])).exitCode).toBe(0);
  });

  test("a dropped null reaches what another piece holds, whatever its own piece held above that", () => {
    const input = listOf(["nest: {gone: x}", "nest: {gone: {}}", "nest: {gone: null}"]).replace(
      "extraConfigs: [",
      "extraConfigs: [{kind: configMap, name: late, namespace: org, priority: 1}, ",
    );
    const { diagnostics } = foldText(input, config([{ path: "nest.gone", null: "drop" }]));
    expect(diagnostics.map(({ code }) => code)).toEqual(["rule-apart"]);
  });

  test("a variable meets no mapping in an element", () => {
    const texts = ["env:\n- name: A\n  v: ${V}", "env: [{name: A, v: {a: 1}}]"];
    for (const both of [texts, texts.toReversed()]) {
      const { diagnostics } = foldText(listOf(both), config([{ path: "env", key: "name" }]));
      expect(diagnostics.map(({ code }) => code)).toEqual(["rule-mismatch"]);
    }
  });

  test.for([
    "[{name: A, $patch: delete}]",
    "[{name: A, $patch: replace, v: 2}]",
    "[{$patch: replace}, {name: B}]",
  ])("a directive in one of two layers of one priority is a tie: %s", (list) => {
    const two = ["env: [{name: A, v: 1}]", `env: ${list}`].map((text, index) =>
      annotated(text).replace("name: over", `name: over${index}`),
    );
    const target =
      "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec: {name: shop}\n";
    const { diagnostics } = foldText(target + two.join(""), config([{ path: "env", key: "name" }]));
    expect(diagnostics.map(({ code }) => code)).toContain("tie");
  });

  test("verify tells what lies apart, also of what was folded", () => {
    const own = config([{ path: "env", key: "name" }]);
    const release =
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec:\n  valuesFrom: [{kind: ConfigMap, name: a}, {kind: ConfigMap, name: b}]\n";
    const layer = (name: string): string =>
      `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org}\ndata: {values.yaml: "env: [{name: ${name}}]"}\n`;
    const { output } = foldText(release + layer("a") + layer("b"), own);
    const patched = output.replace("  valuesFrom:", "  values: {env: [{name: c}]}\n  valuesFrom:");
    const request = { input: Buffer.from(patched, "utf8"), form: "stream" as const };
    for (const settings of [own, config([])]) {
      const found = verify({ ...request, strict: false, config: Buffer.from(settings, "utf8") });
      expect(
        found.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code),
      ).toEqual(["rule-apart"]);
    }
  });

  test("what an earlier fold merged by is told where it still holds, and can be taken back", () => {
    const base = foldText(listOf(["env: [1]", "env: [2]"]), config([{ path: "env", list: "append" }])).output;
    const kept = foldText(base, config([]));
    expect(kept.diagnostics.filter(({ code }) => code === "rule-kept")).toEqual([
      {
        code: "rule-kept",
        severity: "info",
        message: "the rule `env` (append) of an earlier fold still applies to one target",
        hint: "set it in `merge`, or revoke it there: `{path: env, list: replace}`",
      },
    ]);
    const back = foldText(base, config([{ path: "env", list: "replace" }]));
    expect(back.diagnostics.map(({ code }) => code)).toEqual(["fold-summary"]);
    expect(back.output).toContain("\n  values: |\n    env: [2]\n");
  });
});
