// The rows of Flux' own behaviour that concern folding (fluxcd/pkg chartutil, measured), and what is made of
// each: which entries the list holds afterwards, and what the folded ones say.
import { parse } from "yaml";

interface RowEntry {
  readonly kind?: "ConfigMap" | "Secret";
  readonly name: string;
  /** Undefined: the object is not in the list. */
  readonly text?: string;
  /** Data key of the object; `values.yaml` if absent. */
  readonly key?: string;
  readonly valuesKey?: string;
  readonly targetPath?: string;
  readonly optional?: true;
  readonly literal?: true;
}

export interface FluxRow {
  readonly row: string;
  readonly says: string;
  readonly entries: readonly RowEntry[];
  readonly inline?: object;
  /** Names in the list afterwards. */
  readonly list: readonly string[];
  /** Texts of folded items, by name. */
  readonly folded?: { readonly [name: string]: string };
  /** Fault code, where the row is an error. */
  readonly fault?: string;
  /** True where Flux refuses the input itself. */
  readonly refused?: true;
}

const a = (text: string): RowEntry => ({ name: "a", text });
const b = (text: string): RowEntry => ({ name: "b", text });
const c = (text: string): RowEntry => ({ name: "c", text });
const one = ["shop-folded"];
const into = (text: string): NonNullable<FluxRow["folded"]> => ({ "shop-folded": text });

export const fluxRows: readonly FluxRow[] = [
  {
    row: "F1",
    says: "a later layer wins, the rest stays",
    entries: [a("a: 1\nb: 1\n"), b("a: 2\n")],
    list: one,
    folded: into("a: 2\nb: 1\n"),
  },
  {
    row: "F2",
    says: "inline values lie on top and are not folded",
    entries: [a("a: 1\nb: 1\n"), b("a: 2\n")],
    inline: { a: 9 },
    list: one,
    folded: into("a: 2\nb: 1\n"),
  },
  {
    row: "F3",
    says: "mappings unite",
    entries: [a("m: {x: 1}\n"), b("m: {w: 2}\n")],
    inline: { m: { z: 3 } },
    list: one,
    folded: into("m:\n  x: 1\n  w: 2\n"),
  },
  {
    row: "F4",
    says: "a scalar over a mapping wins",
    entries: [a("a: {b: 1}\n"), b("a: 5\n")],
    list: one,
    folded: into("a: 5\n"),
  },
  {
    row: "F4 reverse",
    says: "a mapping over a scalar wins, as nothing lies below",
    entries: [a("a: 5\n"), b("a: {b: 1}\n")],
    list: one,
    folded: into("a: {b: 1}\n"),
  },
  {
    row: "F5",
    says: "a sequence replaces, an empty mapping does nothing",
    entries: [a("l: [1, 2]\nm: {b: 1}\n"), b("l: [3]\nm: {}\n")],
    list: one,
    folded: into("l: [3]\nm: {b: 1}\n"),
  },
  {
    row: "F6",
    says: "null is kept, for Helm to drop a default by",
    entries: [a("a: 1\nm: {x: 1}\n"), b("a: null\nm: {x: null}\n")],
    list: one,
    folded: into("a: null\nm:\n  x: null\n"),
  },
  {
    row: "F7",
    says: "null in the middle wipes what earlier layers said; nothing lies below, so it may fold",
    entries: [a("m: {x: 1}\n"), b("m: null\n"), c("m: {w: 2}\n")],
    list: one,
    folded: into("m: {w: 2}\n"),
  },
  {
    row: "F7 above what is bound late",
    says: "unless something unknown lies below: then the run ends there",
    entries: [{ name: "gone", optional: true }, a("m: null\n"), b("m: {w: 2}\n")],
    list: ["gone", "a", "b"],
  },
  {
    row: "F8",
    says: "inline null stays inline",
    entries: [a("a: 1\n"), b("b: 1\n")],
    inline: { a: null },
    list: one,
    folded: into("a: 1\nb: 1\n"),
  },
  {
    row: "F9",
    says: "only list order counts between kinds; another kind ends a run",
    entries: [a("k: cm\n"), { kind: "Secret", name: "s", text: "k: sec\n" }],
    list: ["a", "s"],
  },
  {
    row: "F9 reverse",
    says: "the same the other way round",
    entries: [{ kind: "Secret", name: "s", text: "k: sec\n" }, a("k: cm\n"), b("j: cm\n")],
    list: ["s", "shop-folded"],
    folded: into("k: cm\nj: cm\n"),
  },
  {
    row: "F10",
    says: "empty text is an empty document",
    entries: [a(""), b("a: 1\n")],
    list: one,
    folded: into("a: 1\n"),
  },
  {
    row: "F10 two documents",
    says: "only the first document counts (a warning)",
    entries: [a("a: 1\n---\nb: 1\n"), b("c: 1\n")],
    list: one,
    folded: into("a: 1\nc: 1\n"),
  },
  {
    row: "F11",
    says: "a target path ends the run, whatever wins there",
    entries: [a("a: 1\n"), b("b: 1\n"), { ...c("TP"), targetPath: "a" }],
    inline: { a: "inline" },
    list: ["shop-folded", "c"],
    folded: into("a: 1\nb: 1\n"),
  },
  {
    row: "F12",
    says: "a target path alone is left alone",
    entries: [{ ...c("TP"), targetPath: "m.a" }],
    inline: { m: { a: "inline" } },
    list: ["c"],
  },
  {
    row: "F13",
    says: "an earlier layer below a target path stays below it",
    entries: [a("m: {z: 1}\n"), b("y: 1\n"), { ...c("TP"), targetPath: "m.a" }],
    inline: { m: { a: "inline" } },
    list: ["shop-folded", "c"],
    folded: into("m: {z: 1}\ny: 1\n"),
  },
  {
    row: "F14",
    says: "a later layer above a target path stays above it",
    entries: [{ ...c("TP"), targetPath: "m.a" }, a("m: {a: later}\n"), b("x: 1\n")],
    list: ["c", "shop-folded"],
    folded: into("m: {a: later}\nx: 1\n"),
  },
  {
    row: "F15",
    says: "a list set by index lies below the layers above it",
    entries: [{ ...c("value"), targetPath: "n.c[0]" }, a("n: {c: [q]}\n"), b("x: 1\n")],
    inline: { n: { c: ["list", "item"] } },
    list: ["c", "shop-folded"],
    folded: into("n: {c: [q]}\nx: 1\n"),
  },
  {
    row: "F22",
    says: "data at a target path may inject other keys, so nothing folds across it",
    entries: [a("inj: 0\n"), { ...c("x,inj=1"), targetPath: "p" }, b("y: 1\n")],
    list: ["a", "c", "b"],
  },
  {
    row: "F25",
    says: "what Flux refuses at a target path it refuses afterwards",
    entries: [a("a: 5\n"), b("b: 1\n"), { ...c("x"), targetPath: "a.b" }],
    list: ["shop-folded", "c"],
    folded: into("a: 5\nb: 1\n"),
    refused: true,
  },
  {
    row: "F26",
    says: "a literal at a target path ends the run, too",
    entries: [a("a: 1\n"), b("b: 1\n"), { ...c("x,y={1}\n"), targetPath: "t", literal: true }],
    list: ["shop-folded", "c"],
    folded: into("a: 1\nb: 1\n"),
  },
  {
    row: "F27",
    says: "`literal` without a target path means nothing, and folds",
    entries: [{ ...a("a: 1\n"), literal: true }, b("b: 1\n")],
    list: one,
    folded: into("a: 1\nb: 1\n"),
  },
  {
    row: "F28",
    says: "a missing object is bound late",
    entries: [a("a: 1\n"), { kind: "Secret", name: "gone" }, b("b: 1\n")],
    list: ["a", "gone", "b"],
    refused: true,
  },
  {
    row: "F29",
    says: "a missing object is bound late even if optional: the cluster may have it",
    entries: [a("a: 1\n"), { name: "gone", optional: true }, b("b: 1\n")],
    list: ["a", "gone", "b"],
  },
  {
    row: "F31",
    says: "a missing key is bound late",
    entries: [a("a: 1\n"), { ...c("c: 1\n"), key: "other" }, b("b: 1\n")],
    list: ["a", "c", "b"],
    refused: true,
  },
  {
    row: "F31 optional",
    says: "a missing key of an optional entry is an empty layer",
    entries: [a("a: 1\n"), { ...c("c: 1\n"), key: "other", optional: true }, b("b: 1\n")],
    list: one,
    folded: into("a: 1\nb: 1\n"),
  },
  {
    row: "F32",
    says: "broken YAML is a fault with line and column, optional or not",
    entries: [{ ...a("a: [1\n"), optional: true }, b("b: 1\n")],
    list: [],
    fault: "layer-unreadable",
    refused: true,
  },
  {
    row: "F33",
    says: "a scalar at the top is a fault",
    entries: [a("text\n"), b("b: 1\n")],
    list: [],
    fault: "not-a-mapping",
    refused: true,
  },
  {
    row: "F33 alone",
    says: "but only where it would be folded",
    entries: [a("text\n")],
    list: ["a"],
    refused: true,
  },
  {
    row: "twelve",
    says: "twelve references, in order",
    entries: Array.from({ length: 12 }, (_, i) => ({ name: `n${i}`, text: `k${i}: ${i}\nlast: ${i}\n` })),
    list: one,
    folded: into(
      `k0: 0\nlast: 11\n${Array.from({ length: 11 }, (_, i) => `k${i + 1}: ${i + 1}\n`).join("")}`,
    ),
  },
  {
    row: "CM, Secret, CM",
    says: "the null of the Secret must not meet the mapping above it early",
    entries: [
      a("m: {x: 1}\n"),
      b("y: 1\n"),
      { kind: "Secret", name: "s", text: "m: null\n" },
      c("m: {z: 1}\n"),
      { name: "d", text: "v: 1\n" },
    ],
    list: ["shop-folded-2", "s", "shop-folded"],
    folded: { "shop-folded-2": "m: {x: 1}\ny: 1\n", "shop-folded": "m: {z: 1}\nv: 1\n" },
  },
  {
    row: "split across kinds",
    says: "a scalar under a mapping ends a run where another kind below holds a mapping",
    entries: [{ kind: "Secret", name: "s", text: "m: {x: 1}\n" }, a("m: 5\n"), b("m: {z: 1}\n")],
    list: ["s", "a", "b"],
  },
  {
    row: "no split across kinds",
    says: "and does not where it holds none",
    entries: [{ kind: "Secret", name: "s", text: "n: {x: 1}\n" }, a("m: 5\n"), b("m: {z: 1}\n")],
    list: ["s", "shop-folded"],
    folded: into("m: {z: 1}\n"),
  },
];

/** The row as a stream: objects first, then the release. */
export function rowStream({ entries, inline }: FluxRow): string {
  const objects = entries.flatMap(({ kind = "ConfigMap", name, text, key = "values.yaml" }) =>
    text === undefined
      ? []
      : [
          `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: org}\n${kind === "Secret" ? "stringData" : "data"}:\n  ${key}: ${JSON.stringify(text)}\n`,
        ],
  );
  const list = entries.map(({ kind = "ConfigMap", name, valuesKey, targetPath, optional, literal }) =>
    JSON.stringify({ kind, name, valuesKey, targetPath, optional, literal }),
  );
  const values = inline === undefined ? "" : `  values: ${JSON.stringify(inline)}\n`;
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec:\n  valuesFrom:\n${list.map((entry) => `  - ${entry}\n`).join("")}${values}`;
  return [...objects, release].join("---\n");
}

interface Folded {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: object };
  readonly data?: { readonly [key: string]: string };
  readonly spec?: { readonly valuesFrom?: readonly { readonly name: string }[] };
}

/** What a stream says after folding: names in the list, texts of folded items. */
export function readFolded(stream: string): { list: string[]; folded: { [name: string]: string } } {
  const items = stream.split(/^---\n/m).map((text) => parse(text) as Folded);
  const release = items.find(({ kind }) => kind === "HelmRelease");
  const folded = items.filter(({ metadata }) => metadata.name.startsWith("shop-folded"));
  return {
    list: (release?.spec?.valuesFrom ?? []).map(({ name }) => name),
    folded: Object.fromEntries(
      folded.map(({ metadata, data }) => [metadata.name, data?.["values.yaml"] ?? ""]),
    ),
  };
}
