// Laws, as properties over generated values and lists. VALUEFOLD_RUNS sets how many cases each takes.
// @module-tag law
import deepmerge from "deepmerge";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isScalar, parse, parseDocument, visit } from "yaml";
import { app } from "../../src/core/front/app/app.ts";
import { leafOf, membersOf, type Tree } from "../../src/merge/tree.ts";
import { mergeAll, mergeTrees } from "../../src/merge/merge-all.ts";
import { writeValues } from "../../src/merge/write.ts";
import { readValues } from "../../src/layers/values.ts";
import { NameIndex } from "../../src/core/select/names.ts";
import { parseFunctionConfig } from "../../src/settings/function-config.ts";
import { selectTargets } from "../../src/core/select/targets.ts";
import { Holdings } from "../../src/layers/holdings.ts";
import { LayerReader } from "../../src/layers/layers.ts";
import type { Layer } from "../../src/layers/model.ts";
import { decodeResourceList } from "../../src/krm/decode.ts";
import type { Item } from "../../src/krm/item.ts";
import { lineAndColumn } from "../../src/yaml/tape.ts";
import type { Node } from "../../src/yaml/node.ts";
import { configOf, itemsOf, listOf } from "../support/app-list.ts";
import { foldText, itemsOnly } from "../support/fold.ts";
import { arbitraryApp } from "../support/generate-app.ts";
import { arbitraryText } from "../support/generate-values.ts";
import { mergeTexts } from "../support/layers.ts";
import { naiveOrder } from "../support/naive-order.ts";

const numRuns = Number(process.env["VALUEFOLD_RUNS"] ?? 300);
const options = { numRuns };

const arbitraryTexts = fc.array(arbitraryText(["${v}"]), { minLength: 1, maxLength: 4 });

/** As a consumer reads it, near enough: YAML 1.1, no numbers beyond doubles. */
function meaning(text: string): unknown {
  return parse(text, { version: "1.1", merge: true, uniqueKeys: false, logLevel: "silent" }) ?? {};
}

describe("merge", () => {
  test("means what deepmerge with whole lists means", () => {
    fc.assert(
      fc.property(arbitraryTexts, (texts) => {
        const overwrite = { arrayMerge: (_: unknown[], source: unknown[]): unknown[] => source };
        const expected = texts
          .map((text) => meaning(text) as object)
          .reduce((base, override) => deepmerge(base, override, overwrite), {});
        expect(meaning(mergeTexts(texts).text)).toEqual(expected);
      }),
      options,
    );
  });

  test("one merged stack over another means what their texts mean, and comes out as readable", () => {
    fc.assert(
      fc.property(arbitraryTexts, arbitraryTexts, (lower, upper) => {
        const rootsOf = (texts: readonly string[]): Node[] =>
          texts.flatMap((text) => readValues(Buffer.from(text, "utf8")).root ?? []);
        const whole = mergeTrees(mergeAll(rootsOf(lower)), mergeAll(rootsOf(upper)));
        const text = Buffer.from(writeValues(whole)).toString("utf8");
        const texts = [mergeTexts(lower).text, mergeTexts(upper).text];
        expect(meaning(text)).toEqual(meaning(mergeTexts(texts).text));
        expect(mergeTexts([text]).text).toBe(text);
      }),
      options,
    );
  });

  test("an empty document is neutral on both sides", () => {
    fc.assert(
      fc.property(
        arbitraryText(),
        fc.constantFrom("", "# only a comment\n", "null\n", "~"),
        (text, empty) => {
          const alone = mergeTexts([text]).text;
          expect(mergeTexts([empty, text]).text).toBe(alone);
          expect(mergeTexts([text, empty]).text).toBe(alone);
        },
      ),
      options,
    );
  });

  test("merging a document over itself changes no meaning", () => {
    fc.assert(
      fc.property(arbitraryText(), (text) => {
        expect(meaning(mergeTexts([text, text]).text)).toEqual(meaning(text));
      }),
      options,
    );
  });

  test("base keys keep their order, new keys follow in the override's", () => {
    fc.assert(
      fc.property(arbitraryText(), arbitraryText(), (base, override) => {
        const { layers, tree } = mergeTexts([base, override]);
        const [lower = [], upper = []] = layers.map(({ root }) =>
          root === undefined ? [] : [...(membersOf(leafOf(root)) ?? new Map<string, unknown>()).keys()],
        );
        const merged = tree === undefined ? [] : [...(membersOf(tree) ?? new Map<string, unknown>()).keys()];
        expect(merged).toEqual([...lower, ...upper.filter((key) => !lower.includes(key))]);
      }),
      options,
    );
  });

  test("reading its text and writing it again gives the same bytes", () => {
    fc.assert(
      fc.property(arbitraryTexts, (texts) => {
        const { text } = mergeTexts(texts);
        expect(mergeTexts([text]).text).toBe(text);
        expect(text).toMatch(/[^\n]\n$|^(?:[\s\S]*\n)$/);
      }),
      options,
    );
  });

  test("provenance is sound: the layer holds that very value at that line and column", () => {
    fc.assert(
      fc.property(arbitraryTexts, (texts) => {
        const { tree, layers } = mergeTexts(texts);
        for (const leaf of tree === undefined ? [] : leavesOf(tree)) {
          const layer = layers.find(({ root }) => root?.doc === leaf.doc);
          const text = Buffer.from(layer?.text ?? []).toString("utf8");
          expect(scalarAt(text, lineAndColumn(leaf.doc.bytes, leaf.body))).toContain(leaf.text);
        }
      }),
      options,
    );
  });
});

function* leavesOf(tree: Tree): Generator<Node> {
  const members = membersOf(tree);
  if (members !== undefined) for (const member of members.values()) yield* leavesOf(member);
  if (members !== undefined || tree.type !== "leaf") return;
  const value = tree.node.value;
  if (value.isSequence) for (const child of value.children()) yield* leavesOf(leafOf(child));
  else if (!value.isMapping) yield value;
}

/** Scalars that the `yaml` library finds at a line and column (in bytes): an empty one shares its place. */
function scalarAt(text: string, { line, column }: { line: number; column: number }): string[] {
  const lineStart =
    text
      .split("\n")
      .slice(0, line - 1)
      .join("\n").length + (line > 1 ? 1 : 0);
  const offset =
    lineStart +
    Buffer.from(text.slice(lineStart), "utf8")
      .subarray(0, column - 1)
      .toString("utf8").length;
  const found: string[] = [];
  visit(parseDocument(text, { schema: "failsafe", uniqueKeys: false, logLevel: "silent" }), {
    Scalar: (_, node) => {
      const [start, end] = node.range ?? [-1, -1];
      const sameBlank =
        start === end && /^[ \t]*(?:#.*)?$/.test(text.slice(offset, start).split("\n")[0] ?? "x");
      if (isScalar(node) && (start === offset || sameBlank)) found.push(String(node.value));
    },
  });
  return found;
}

describe("lists", () => {
  test("the order of an App's layers is the one of the proposal's six steps", () => {
    fc.assert(
      fc.property(arbitraryApp, (one) => {
        const envelope = decodeResourceList(Buffer.from(listOf(itemsOf(one), configOf(one))));
        if (!("items" in envelope)) throw new Error("unreadable");
        const parsed = parseFunctionConfig(envelope.functionConfig);
        if (!("settings" in parsed)) throw new Error("bad settings");
        const { items } = envelope;
        const { targets, annotated } = selectTargets(items, undefined, []);
        const [target] = targets;
        if (target === undefined) throw new Error("no target");
        const holdings = new Holdings();
        const around = {
          items,
          names: new NameIndex(items),
          settings: parsed.settings,
          holdings,
          isReadable: (layer: Layer) => new LayerReader(holdings).isReadable(layer),
          own: app.referencesOf(target),
          annotated: annotated.map(({ layer }) => layer),
          restorations: [],
          markedByUs: new Set<Item>(),
          containsListedLayers: new Set<Item>(),
          prunes: false,
        };
        for (const stack of app.collect(target, around).stacks) {
          const found = stack.entries.map((entry) =>
            "layer" in entry ? entry.layer.item.name : entry.barrier.why,
          );
          const kind = stack.entries.flatMap((entry) =>
            "layer" in entry ? entry.layer.item.kind : (entry.barrier.reference?.kind ?? []),
          )[0];
          const expected = naiveOrder(one, kind ?? "ConfigMap").map(({ label, why }) =>
            why === "reserved" || why === "late-bound" || why === "unseen" ? why : label,
          );
          expect(found).toEqual(expected);
        }
      }),
      options,
    );
  });

  test("folding what is folded changes nothing, in lists and in streams", () => {
    fc.assert(
      fc.property(arbitraryApp, (one) => {
        const list = foldText(listOf(itemsOf(one), configOf(one)));
        expect(list.exitCode).toBe(0);
        expect(itemsOnly(foldText(list.output).output)).toBe(itemsOnly(list.output));
        const config = configOf(one).replace("functionConfig:\n", "").replaceAll(/^ {2}/gm, "");
        const stream = foldText(itemsOf(one).join("---\n"), config);
        expect(stream.exitCode).toBe(0);
        expect(foldText(stream.output, config).output).toBe(stream.output);
      }),
      options,
    );
  });

  test("items that nobody asked to change leave byte for byte, in their order", () => {
    fc.assert(
      fc.property(arbitraryApp, fc.shuffledSubarray(strangers, { minLength: 1 }), (one, others) => {
        const mixed = itemsOf(one).flatMap((item, index) => [
          item,
          ...others.filter((_, at) => at % 3 === index % 3),
        ]);
        const input = listOf(mixed, configOf(one));
        const { output, exitCode } = foldText(input);
        expect(exitCode).toBe(0);
        expect(strangersIn(output)).toEqual(strangersIn(input));
      }),
      options,
    );
  });

  test("any bytes at all give a list, or a fault; never another end", () => {
    const pieces = fc.array(
      fc.constantFrom(
        "a",
        ":",
        " ",
        "\n",
        "- ",
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        "#",
        "&x ",
        "*x",
        "|",
        ">",
        "!!str ",
        "\t",
        "%",
        "---\n",
        "items:",
        "kind: ResourceList\n",
        "apiVersion: config.kubernetes.io/v1\n",
        "ü",
        "\u0000",
        "? ",
        "<<",
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join("");
        for (const input of [
          text,
          `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${text}`,
        ]) {
          const { exitCode, output } = foldText(input);
          expect([0, 1, 3]).toContain(exitCode);
          if (exitCode === 0) expect(output.length).toBeGreaterThan(0);
        }
      }),
      { ...options, numRuns: numRuns * 3 },
    );
  });
});

const strangers = [
  "apiVersion: apps/v1\nkind: Deployment # inline\nmetadata: {name: web}\nspec:\n    replicas: 0o3   # odd\n\n    text: |\n        kept\n          as it is\n",
  '# a comment first\nkind: Stranger\napiVersion: example.com/v1\nmetadata:\n  name: "x"\nspec: {a: 1E400, b: !!merge <<, c: &anchor 0755, d: *anchor}\n',
  "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: unrelated\n  annotations:\n    a: 'b'\ndata: {values: \"not: [valid\"}\n",
  "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: unrelated\ndata:\n  big: 12345678901234567890\n",
  '{"apiVersion": "v1", "kind": "Thing", "metadata": {"name": "json"}}\n',
];

function strangersIn(list: string): string[] {
  const known = strangers.map((text) => `- ${text.trimEnd().split("\n").join("\n  ")}\n`);
  const places = known.flatMap((text) =>
    [...list.matchAll(new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), "g"))].map(
      (match) => ({ at: match.index, text }),
    ),
  );
  return places.toSorted((a, b) => a.at - b.at).map(({ text }) => text);
}
