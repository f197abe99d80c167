// Bare values files: the winner of a value is the file without which it is another, and what is merged is what a HelmRelease
// with the same layers would get.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { renderAnnotated } from "../../src/explain/annotate.ts";
import type { Explained } from "../../src/explain/explain.ts";
import { contentsOf, explainingFiles, mergingFiles } from "../../src/explain/values-files.ts";
import { unsupplied } from "../../src/core/fold.ts";
import { generatedDocument, Random } from "../support/nasty-yaml.ts";
import { counted } from "../fuzz/tally.ts";
import { messagesOf } from "../support/fold.ts";

interface File {
  readonly name: string;
  readonly bytes: Uint8Array;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const leaf = fc.constantFrom<Json>(1, 2, "x", "y", true, null, [], [1, { a: 1 }], {});
const values = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.dictionary(fc.constantFrom("a", "b", "c", "d.e"), tie("tree"), { maxKeys: 3 }),
  ),
})).tree;
const document = fc.dictionary(fc.constantFrom("a", "b", "c"), values, { maxKeys: 3 });
const stacks = fc.array(document, { minLength: 1, maxLength: 5 });

function filesOf(documents: readonly Json[]): File[] {
  return documents.map((each, index) => ({
    name: `values-${index}.yaml`,
    bytes: Buffer.from(JSON.stringify(each), "utf8"),
  }));
}

function merged(files: readonly File[]): Json {
  const outcome = unsupplied(mergingFiles({ files, json: true }));
  const { output } = outcome;
  if (output.length === 0) throw new Error(messagesOf(outcome));
  return JSON.parse(Buffer.concat(output).toString("utf8")) as Json;
}

function explained(files: readonly File[]): Explained {
  return unsupplied(explainingFiles({ files }));
}

/** The rule of Helm's `-f`, in few words. */
function naive(documents: readonly Json[]): Json {
  return documents.reduce((below, above) => over(below, above));
}

function over(below: Json, above: Json): Json {
  if (!isMapping(below) || !isMapping(above)) return above;
  const result: Record<string, Json> = { ...below };
  for (const [key, value] of Object.entries(above))
    result[key] = key in below ? over(below[key] as Json, value) : value;
  return result;
}

function isMapping(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function at(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const key of path) found = isMapping(found) && key in found ? found[key] : undefined;
  return found;
}

test("what is merged follows Helm's rule", { tags: "law" }, () => {
  fc.assert(
    fc.property(stacks, (documents) => {
      expect(merged(filesOf(documents))).toEqual(naive(documents));
    }),
    { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 150) },
  );
});

test("without its winner a value is another one, or the same from the next file", () => {
  fc.assert(
    fc.property(stacks, (documents) => {
      const files = filesOf(documents);
      const { explanation } = explained(files);
      for (const { layers, values: found } of explanation?.targets[0]?.stacks ?? []) {
        const numbers = new Map(
          layers.map(({ id, name }) => [id, files.findIndex((file) => file.name === name)]),
        );
        for (const { path, by, over: below, mapping } of found) {
          if (mapping === true) continue;
          const winner = numbers.get(by) ?? -1;
          expect(at(documents[winner] as Json, path)).toEqual(at(naive(documents), path));
          const rest = naive([{}, ...documents.filter((_, index) => index !== winner)]);
          const next = below[0] === undefined ? undefined : numbers.get(below[0].by);
          // What the next file says there shows through, unless a file between them replaced a mapping above it.
          if (below[0]?.mapping !== true && next !== undefined)
            expect(at(rest, path)).toEqual(at(documents[next] as Json, path));
        }
      }
    }),
    { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 150) },
  );
});

test("any document merges with itself to itself", { tags: "law" }, () => {
  const random = new Random(20_261_123);
  let count = 0;
  for (let round = 0; round < 300; round++) {
    const { bytes } = generatedDocument(random.below(1_000_000_000));
    const one = { name: "a.yaml", bytes };
    if (unsupplied(mergingFiles({ files: [one], json: false })).exitCode !== 0) continue;
    count++;
    expect(merged([one, { name: "b.yaml", bytes }])).toEqual(merged([one]));
  }
  expect(count).toBeGreaterThan(50);
});

describe("the annotated values read back as what they are", () => {
  const again = (file: File): void => {
    const { explanation } = explained([file]);
    const bytes = Buffer.from(explanation === undefined ? "" : renderAnnotated(explanation), "utf8");
    expect(merged([{ name: "again.yaml", bytes }])).toEqual(merged([file]));
  };

  test("in generated documents", { tags: "law" }, () => {
    const first = Number(process.env["VALUEFOLD_SEED"] ?? 20_261_123);
    const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 100) * 2;
    const documents = Array.from({ length: runs }, (_, index) => generatedDocument(first + index).bytes);
    // A key that is as long as keys may be is too long between quotes.
    const files = documents
      .filter((bytes) => !bytes.includes("k".repeat(900)) && !bytes.includes("<<"))
      .map((bytes) => ({ name: "a.yaml", bytes }))
      .filter((file) => unsupplied(mergingFiles({ files: [file], json: false })).exitCode === 0);
    for (const file of files) again(file);
    counted(files.length);
    expect(files.length).toBeGreaterThan(runs / 10);
  });

  test.for([
    "a?b",
    "?x",
    "-1",
    "-1.5",
    "-x",
    ":x",

    "a:b",
    "x\u00a0",
    "x\u3000",
    "x\ufeff",
    "http://x/y?z=1",
  ])("%j in a list", (text) =>
    again({ name: "a.yaml", bytes: Buffer.from(`list:\n  - ${text}\n  - z\nplain: ${text}\n`, "utf8") }),
  );
});

test.for([
  ["a: 1\n", "values"],
  ["kind: x\na: 1\n", "values"],
  ["# nothing\n", undefined],
  ["", undefined],
  ["apiVersion: v1\nkind: ConfigMap\n", "manifests"],
  ["a: 1\n---\napiVersion: v1\nkind: ConfigMap\n", "manifests"],
  ['{"apiVersion": "v1", "kind": "ConfigMap"}', "manifests"],
  ["extraObjects:\n- apiVersion: v1\n  kind: ConfigMap\n", "values"],
  ["apiVersion: v1\nkind: [\n", "manifests"],
] as const)("%j holds %s", ([text, expected]) => {
  expect(contentsOf(Buffer.from(text, "utf8"))).toBe(expected);
});

test("numbers keep their digits in JSON", () => {
  const text =
    "a: 12345678901234567890\nb: 0.1\nc: 1_000\nd: 0x1F\ne: 1.50\nf: .inf\ng: on\nh: 9223372036854775807\n";
  const { output } = unsupplied(
    mergingFiles({ files: [{ name: "a.yaml", bytes: Buffer.from(text) }], json: true }),
  );
  const json = Buffer.concat(output).toString("utf8");
  expect(json).toContain('"a": 12345678901234567890');
  expect(json).toContain('"h": 9223372036854775807');
  expect(parse(json)).toMatchObject({ b: 0.1, c: 1000, d: 31, e: 1.5, f: ".inf", g: true });
});
