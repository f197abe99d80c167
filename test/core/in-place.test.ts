// ConfigMap and Secret targets: laws over random layers, against a plain model. YAML and JSON merge deep,
// text is replaced whole, what no layer names stays byte for byte, and folding again changes nothing.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { foldText } from "../support/fold.ts";
import { arbitraryText } from "../support/generate-values.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const numRuns = Number(process.env["VALUEFOLD_RUNS"] ?? 150);

const keys = fc.constantFrom("a", "b", "on", "x-y", "q r", "ü", "__proto__x", "toString");
const { tree } = fc.letrec<{ tree: { [key: string]: Json }; value: Json }>((tie) => ({
  tree: fc.dictionary(keys, tie("value"), { maxKeys: 4 }),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, false, 0, 1.5, -3, "", "text", 'say "x"\n', "${v}", "\u2028", []),
    fc.array(fc.constantFrom<Json>(1, "x", null, { a: 1 }), { maxLength: 3 }),
    tie("tree"),
    tie("tree"),
  ),
}));
const jsonText = fc
  .tuple(tree, fc.constantFrom(undefined, 2, 4, "\t"), fc.boolean())
  .map(([value, indent, ended]) => JSON.stringify(value, null, indent) + (ended ? "\n" : ""));

function merge(base: Json, override: Json): Json {
  if (!isTree(base) || !isTree(override)) return override;
  const result = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(override)) {
    const below = result.get(key);
    result.set(key, below === undefined ? value : merge(below, value));
  }
  return Object.fromEntries(result);
}

function isTree(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Layer {
  readonly text: string;
  readonly priority: number;
}

const styles = ["block", "quoted", "flow"] as const;

function streamOf(
  kind: string,
  key: string,
  base: string | undefined,
  layers: readonly Layer[],
  style: (typeof styles)[number],
): string {
  const part = kind === "Secret" ? "stringData" : "data";
  const datum = (text: string): string => {
    if (style === "flow")
      return `${part}: {"other": "0755", ${JSON.stringify(key)}: ${JSON.stringify(text)}}\n`;
    const literal = `|2-\n${text
      .split("\n")
      .map((line) => (line === "" ? "" : `    ${line}`))
      .join("\n")}\n`;
    const plain =
      style === "block" && text !== "" && !/^\s|\n\n|\n$|[\u2028\t]/.test(text)
        ? literal
        : `${JSON.stringify(text)}\n`;
    return `${part}:\n  other: "0755" # stays\n  ${key}: ${plain}`;
  };
  const target = `apiVersion: v1\nkind: ${kind}\nmetadata: {name: app, namespace: org}\n${base === undefined ? "" : datum(base)}`;
  const over = layers.map(
    ({ text, priority }, index) =>
      `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: layer${index}\n  namespace: org\n  annotations:\n    valuefold.dev/into: ${kind}/app\n    valuefold.dev/priority: "${priority}"\n${part}:\n  ${key}: ${JSON.stringify(text)}\n`,
  );
  return [target, ...over].join("---\n");
}

function asList(stream: string): string {
  const items = stream.split(/^---\n/m).map((item) => `- ${item.trimEnd().split("\n").join("\n  ")}\n`);
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join("")}`;
}

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: { readonly [key: string]: string };
  readonly stringData?: { readonly [key: string]: string };
}

function valueIn(output: string, key: string): string {
  const target = output.split(/^---\n/m).map((text) => parse(text) as Item)[0];
  const encoded = target?.kind === "Secret" ? target.data?.[key] : undefined;
  if (encoded !== undefined) return Buffer.from(encoded, "base64").toString("utf8");
  return (target?.stringData ?? target?.data)?.[key] ?? "";
}

/** A YAML text as nested mappings of the very spellings in it. */
function spelled(text: string): Json {
  return parse(text, { schema: "failsafe" }) as Json;
}

function yamlIn(list: string): string {
  const { items } = parse(list) as { items: Item[] };
  return items[0]?.data?.["app.yaml"] ?? "";
}

const priorities = fc.uniqueArray(fc.integer({ min: 1, max: 150 }), { minLength: 3, maxLength: 3 });

describe("laws", { tags: "law" }, () => {
  test("JSON merges as its values do, keeps the base's layout, and folds to itself", () => {
    fc.assert(
      fc.property(
        fc.option(jsonText, { nil: undefined }),
        fc.array(jsonText, { minLength: 1, maxLength: 3 }),
        priorities,
        fc.constantFrom(...styles),
        fc.constantFrom("ConfigMap", "Secret"),
        (base, texts, order, style, kind) => {
          const layers = texts.map((text, index) => ({ text, priority: order[index] ?? 1 }));
          const input = streamOf(kind, "a.json", base, layers, style);
          const { output, exitCode, messages } = foldText(input);
          expect([exitCode, messages]).toEqual([0, ""]);
          const sorted = layers.toSorted((a, b) => a.priority - b.priority).map(({ text }) => text);
          const all = (base === undefined ? sorted : [base, ...sorted]).map(
            (text) => JSON.parse(text) as Json,
          );
          const folded = valueIn(output, "a.json");
          expect(JSON.parse(folded)).toEqual(all.reduce(merge));
          const lowest = all.findIndex((value) => isTree(value) && Object.keys(value).length > 0);
          const text = (base === undefined ? sorted : [base, ...sorted])[lowest];
          if (text !== undefined && !text.trimEnd().includes("\n"))
            expect(folded.trimEnd()).not.toContain("\n");
          const list = foldText(asList(input)).output;
          expect(foldText(list).output).toBe(list);
        },
      ),
      { numRuns },
    );
  });

  test("YAML folds to itself, in lists; what no layer names stays as it is", () => {
    fc.assert(
      fc.property(
        arbitraryText(),
        fc.array(arbitraryText(), { minLength: 1, maxLength: 3 }),
        priorities,
        fc.constantFrom(...styles),
        (base, texts, order, style) => {
          const layers = texts.map((text, index) => ({ text, priority: order[index] ?? 1 }));
          const list = asList(streamOf("ConfigMap", "app.yaml", base, layers, style));
          const once = foldText(list);
          expect(once.exitCode).toBe(0);
          expect(once.output).toContain(style === "flow" ? '"other": "0755"' : 'other: "0755" # stays\n');
          expect(foldText(once.output).output).toBe(once.output);
          const sorted = layers.toSorted((a, b) => a.priority - b.priority).map(({ text }) => text);
          const trees = [base, ...sorted].map(spelled).filter(isTree);
          const folded = spelled(yamlIn(once.output));
          // An empty document that nothing goes into stays as it is.
          expect(isTree(folded) ? folded : {}).toEqual(trees.reduce(merge, {}));
        },
      ),
      { numRuns },
    );
  });

  test("any text replaces any other whole, byte for byte", () => {
    const text = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(
        fc.option(text, { nil: undefined }),
        text,
        fc.constantFrom(...styles),
        (base, over, style) => {
          const input = streamOf("ConfigMap", "a.properties", base, [{ text: over, priority: 50 }], style);
          const { output } = foldText(input);
          expect(valueIn(output, "a.properties")).toBe(over);
        },
      ),
      { numRuns },
    );
  });

  test("lines of text, with blank ones and spaces anywhere, too", () => {
    const line = fc.constantFrom("", " ", "x", "  y", "# z", "\tt", "- a", "k: v", "--- ", "...");
    const lines = fc.array(line, { maxLength: 6 }).map((all) => all.join("\n"));
    fc.assert(
      fc.property(lines, lines, fc.constantFrom(...styles), (base, over, style) => {
        const input = streamOf("Secret", "notes", base, [{ text: over, priority: 50 }], style);
        expect(valueIn(foldText(input).output, "notes")).toBe(over);
      }),
      { numRuns },
    );
  });
});

describe("the API server's bound holds for all data of a target together", () => {
  const half = "y".repeat(700_000);
  const layer =
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: l\n  namespace: org\n  annotations: {valuefold.dev/into: ConfigMap/app}\n";
  const fold = (data: string, over: string): readonly unknown[] => {
    const target = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app, namespace: org}\n${data}`;
    const { exitCode, diagnostics } = foldText(`${target}---\n${layer}${over}`);
    return [exitCode, ...diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code)];
  };
  const binary = Buffer.from(half).toString("base64");

  test.for([
    ["another key", `data:\n  a.yaml: 'x: ${half}'\n`, `data:\n  b.yaml: 'x: ${half}'\n`],
    ["a text", `data: {a: ${half}}\n`, `data:\n  b.yaml: 'x: ${half}'\n`],
    ["two layers' keys", "", `data:\n  a.yaml: 'x: ${half}'\n  b.yaml: 'x: ${half}'\n`],
    ["binary data", `binaryData: {a: ${binary}}\n`, `data:\n  b.yaml: 'x: ${half}'\n`],
  ])("%s", ([, data, over]) => {
    expect(fold(data as string, over as string)).toEqual([1, "not-exact"]);
  });

  test.for([
    ["a key that takes the other's place", `data:\n  a: ${half}\n`, `data:\n  a: x${half}\n`],
    [
      "binary data of that many bytes, not characters",
      `binaryData: {a: ${binary}}\n`,
      `data: {b: ${half.slice(500_000)}}\n`,
    ],
    [
      "a target that is too large anyway, and grows no further",
      `data: {a: ${half}, b: ${half}}\n`,
      "data: {a: x}\n",
    ],
  ])("kept: %s", ([, data, over]) => {
    expect(fold(data as string, over as string)).toEqual([0]);
  });
});
