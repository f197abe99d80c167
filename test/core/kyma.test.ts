// Kyma overrides: kyma-operator's measured behaviour, row by row, with what we do about it; and any set of
// overrides against a plain model of Kyma's order.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { foldText } from "../support/fold.ts";

interface Override {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  readonly component?: string;
  readonly order?: number;
  readonly data: { readonly [key: string]: string };
}

const config = "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {targets: [{kind: Kyma}]}\n";

function streamOf(overrides: readonly Override[]): string {
  return overrides
    .map(({ kind, name, component, order, data }) => {
      const labels = {
        installer: "overrides",
        ...(component === undefined ? {} : { component }),
        ...(order === undefined ? {} : { "install-order": String(order) }),
      };
      const metadata = { name, namespace: "kyma-installer", labels };
      const part = kind === "Secret" ? "stringData" : "data";
      return `apiVersion: v1\nkind: ${kind}\nmetadata: ${JSON.stringify(metadata)}\n${part}: ${JSON.stringify(data)}\n`;
    })
    .join("---\n");
}

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: object };
  readonly data?: { readonly [key: string]: string };
  readonly stringData?: { readonly [key: string]: string };
}

function foldOverrides(overrides: readonly Override[]): { items: Item[]; codes: string[]; output: string } {
  const { output, diagnostics } = foldText(streamOf(overrides), config);
  const items = output === "" ? [] : output.split(/^---\n/m).map((text) => parse(text) as Item);
  return { items, codes: diagnostics.map(({ code }) => code), output };
}

/** Nested values of a component, as Helm gets them: the Secret's over the ConfigMap's. */
function valuesOf(items: readonly Item[], name: string): unknown {
  const text = (kind: string): string => {
    const found = items.find((item) => item.kind === kind && item.metadata.name === `${name}-folded`);
    const value = found?.data?.["values.yaml"] ?? "";
    if (found?.stringData !== undefined) return found.stringData["values.yaml"] ?? "";
    return kind === "Secret" ? Buffer.from(value, "base64").toString("utf8") : value;
  };
  return mergeMaps((parse(text("ConfigMap")) ?? {}) as Tree, (parse(text("Secret")) ?? {}) as Tree);
}

interface Tree {
  [key: string]: Tree | string | boolean;
}

function mergeMaps(base: Tree, override: Tree): Tree {
  const result: Tree = { ...base };
  for (const [key, value] of Object.entries(override)) {
    const below = result[key];
    const both = typeof value === "object" && typeof below === "object";
    result[key] = both ? mergeMaps(below, value) : value;
  }
  return result;
}

function common(data: { readonly [key: string]: string }, more: Partial<Override> = {}): Override {
  return { kind: "ConfigMap", name: "common", data, ...more };
}

function nested(data: { readonly [key: string]: string }): unknown {
  return valuesOf(foldOverrides([common(data)]).items, "overrides");
}

describe("rows", () => {
  test("K1: dotted keys nest", () => {
    expect(nested({ "a.b.c": "first", "a.b.d": "second" })).toEqual({
      a: { b: { c: "first", d: "second" } },
    });
  });

  test("K2: only the exact words true and false become booleans", () => {
    const data = {
      a: "true",
      b: "false",
      c: "1",
      d: "1.5",
      e: "null",
      f: "True",
      g: "",
      h: " true",
      i: "true\n",
    };
    expect(nested(data)).toEqual({ ...data, a: true, b: false });
  });

  test("K3: a key that is a leaf and a parent is an error, where Kyma takes either at random", () => {
    const { codes, output } = foldOverrides([common({ "a.b": "scalar", "a.b.c": "deep" })]);
    expect([codes, output]).toEqual([["dotted-key-conflict"], ""]);
  });

  test("K3: in two items of one scope, too", () => {
    const two = [common({ "a.b": "scalar" }), common({ "a.b.c": "deep" }, { name: "more", order: 5 })];
    expect(foldOverrides(two).codes).toEqual(["dotted-key-conflict"]);
  });

  test("K4: of one flat key the later wins: here by install-order, then name, and a tie is told", () => {
    const first = common({ k: "first" }, { name: "a" });
    const later = common({ k: "later" }, { name: "b" });
    const tied = foldOverrides([later, first]);
    expect([valuesOf(tied.items, "overrides"), tied.codes]).toEqual([
      { k: "later" },
      ["tie", "fold-summary"],
    ]);
    const ordered = foldOverrides([{ ...first, order: 3 }, later]);
    expect([valuesOf(ordered.items, "overrides"), ordered.codes]).toEqual([{ k: "first" }, ["fold-summary"]]);
  });

  test("K5: of one scope and order the Secret wins", () => {
    const both = [common({ k: "s" }, { kind: "Secret" }), common({ k: "cm" })];
    expect(valuesOf(foldOverrides(both).items, "overrides")).toEqual({ k: "s" });
  });

  test("K5, and on purpose not Kyma's: install-order counts before the kind, as the proposal has it", () => {
    const both = [common({ k: "s" }, { kind: "Secret" }), common({ k: "cm" }, { order: 10 })];
    const { items } = foldOverrides(both);
    expect(valuesOf(items, "overrides")).toEqual({ k: "cm" });
    const secret = items.find(({ kind }) => kind === "Secret")?.data?.["values.yaml"] ?? "";
    expect(Buffer.from(secret, "base64").toString("utf8")).toBe("{}\n");
  });

  test("K6: a component's own value wins over the common one, whatever the kind and order", () => {
    const overrides = [
      common({ "a.b": "secret", x: "1" }, { kind: "Secret", order: 90 }),
      common({ "a.b": "own", "a.c": "own" }, { component: "istio", name: "istio" }),
    ];
    const { items } = foldOverrides(overrides);
    expect(valuesOf(items, "istio")).toEqual({ a: { b: "own", c: "own" }, x: "1" });
    expect(valuesOf(items, "overrides")).toEqual({ a: { b: "secret" }, x: "1" });
  });

  test("K6: across scopes a mapping replaces a leaf, and a leaf a mapping", () => {
    const overrides = [
      common({ a: "leaf", "b.c": "deep" }),
      common({ "a.x": "deep", b: "leaf" }, { component: "istio", name: "istio" }),
    ];
    expect(valuesOf(foldOverrides(overrides).items, "istio")).toEqual({ a: { x: "deep" }, b: "leaf" });
  });

  test("K7: a dot cannot be escaped", () => {
    expect(nested({ "a\\.b": "x" })).toEqual({ "a\\": { b: "x" } });
  });

  test("K8: there are no lists", () => {
    expect(nested({ "l[0]": "x", "m.0": "y" })).toEqual({ "l[0]": "x", m: { "0": "y" } });
  });

  test("K9: text that looks like a list or mapping stays text", () => {
    expect(nested({ a: "[1,2]", b: "{x: 1}" })).toEqual({ a: "[1,2]", b: "{x: 1}" });
  });

  test("K10: text of several lines is a literal block", () => {
    const { items } = foldOverrides([common({ a: "300\n400\n500\n" })]);
    expect(items[0]?.data?.["values.yaml"]).toBe("a: |\n  300\n  400\n  500\n");
  });

  test("K11: empty parts are empty keys", () => {
    expect(nested({ ".a": "1", "b.": "2", "c..d": "3" })).toEqual({
      "": { a: "1" },
      b: { "": "2" },
      c: { "": { d: "3" } },
    });
    expect(nested({ "": "x" })).toEqual({ "": "x" });
  });

  test("K12, K13: what is merged is nested text only; a sequence, a null or {} cannot be written", () => {
    expect(nested({ a: "null", b: "[]", c: "{}" })).toEqual({ a: "null", b: "[]", c: "{}" });
  });

  test("labels: an install-order that is no number is an error; folded items are no overrides", () => {
    const wrong = streamOf([common({ a: "1" })]).replace('"overrides"', '"overrides","install-order":"-1"');
    expect(foldText(wrong, config).diagnostics.map(({ code }) => code)).toEqual(["invalid-priority"]);
    expect(foldOverrides([common({ a: "1" })]).items[0]?.metadata.labels).toBeUndefined();
  });

  test("nothing happens unless a selector names the kind", () => {
    const input = streamOf([common({ a: "1" })]);
    expect(foldText(input).output).toBe(input);
    const other = config.replace("{kind: Kyma}", "{kind: Kyma, name: istio}");
    expect(foldText(input, other).output).toBe(input);
  });
});

const parts = fc.constantFrom("a", "b", "c");
const flatKey = fc.array(parts, { minLength: 1, maxLength: 3 }).map((each) => each.join("."));
const text = fc.constantFrom(
  "true",
  "false",
  "x",
  "1",
  "",
  "two\nlines\n",
  'say "x": #1',
  "${v}",
  " lead",
  "~",
);
const anOverride: fc.Arbitrary<Omit<Override, "name">> = fc.record(
  {
    kind: fc.constantFrom("ConfigMap", "Secret"),
    component: fc.constantFrom("istio", "istio", "ory"),
    order: fc.constantFrom(0, 5, 5, 10),
    data: fc.dictionary(flatKey, text, { minKeys: 1, maxKeys: 4 }),
  },
  { requiredKeys: ["kind", "data"] },
);

/** Kyma's own way: flat sets joined in order within a scope, nested, and the component's put over the common. */
function model(overrides: readonly Override[], component: string | undefined): Tree {
  const rank = ({ kind, order = 0, name }: Override): [number, number, string] => [
    order,
    kind === "Secret" ? 1 : 0,
    name,
  ];
  const sorted = overrides.toSorted((x, y) => {
    const [a, b] = [rank(x), rank(y)];
    return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : 1);
  });
  const scope = (of: string | undefined): Tree => {
    const flat = Object.assign(
      {},
      ...sorted.filter((each) => each.component === of).map(({ data }) => data),
    ) as Override["data"];
    const root: Tree = {};
    for (const [key, value] of Object.entries(flat)) {
      const path = key.split(".");
      const last = path.pop() as string;
      let at = root;
      for (const part of path) at = (at[part] ??= {}) as Tree;
      at[last] = value === "true" ? true : value === "false" ? false : value;
    }
    return root;
  };
  return component === undefined ? scope(undefined) : mergeMaps(scope(undefined), scope(component));
}

function conflicts(overrides: readonly Override[]): boolean {
  return ["istio", "ory", undefined].some((component) => {
    const keys = overrides
      .filter((each) => each.component === component)
      .flatMap(({ data }) => Object.keys(data));
    return keys.some((key) => keys.some((other) => other.startsWith(`${key}.`)));
  });
}

test("any overrides come out as Kyma would join them", { tags: "law" }, () => {
  let folded = 0;
  const numRuns = Number(process.env["VALUEFOLD_RUNS"] ?? 300);
  fc.assert(
    fc.property(fc.array(anOverride, { minLength: 1, maxLength: 5 }), (some) => {
      const overrides = some.map((each, index) => ({ ...each, name: `o${index}` }));
      const { items, codes, output } = foldOverrides(overrides);
      if (conflicts(overrides)) {
        expect(codes).toContain("dotted-key-conflict");
        return;
      }
      const components = new Set(overrides.map(({ component }) => component));
      for (const component of components) {
        expect(valuesOf(items, component ?? "overrides")).toEqual(model(overrides, component));
        folded++;
      }
      expect(foldText(output, config).output).toBe(output);
    }),
    { numRuns },
  );
  expect(folded).toBeGreaterThan(numRuns / 8);
});
