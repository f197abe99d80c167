// Scalars decoded here mean what the `yaml` library makes of them.
import { Node } from "../../src/yaml/index.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { readDocument } from "../../src/yaml/read.ts";
import { scalarBytes } from "../../src/yaml/scalar.ts";

const numRuns = Number(process.env["VALUEFOLD_RUNS"] ?? 1000);

/** Pieces of double-quoted text: every escape, and what only looks like one. */
const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...["0", "a", "b", "e", "f", "n", "r", "t", "v", "N", "_", "L", "P", " ", '"', "/", "\\", "\t"].map(
        (each) => `\\${each}`,
      ),
    ),
    fc.integer({ min: 0, max: 0xff }).map((code) => `\\x${code.toString(16).padStart(2, "0")}`),
    fc.integer({ min: 0, max: 0xd7ff }).map((code) => `\\u${code.toString(16).padStart(4, "0")}`),
    fc.integer({ min: 0xe000, max: 0x10_ffff }).map((code) => `\\U${code.toString(16).padStart(8, "0")}`),
    fc.constantFrom("a", " ", "é", "#", ": ", "'", "$", "x41", "\\ud83d\\ude00"),
  ),
);

/** A block scalar: indicators, lines of all sorts, blank ones among them. */
const block = fc
  .tuple(
    fc.constantFrom("|", "|-", "|+"),
    fc.array(fc.constantFrom("a", "  b: 1", "", "# c", "é", "- x", "\t", "$"), {
      minLength: 1,
      maxLength: 8,
    }),
    fc.constantFrom("", "after: 1\n"),
  )
  .filter(([, [first = ""]]) => /^[a-zé#$-]/.test(first))
  .map(
    ([header, lines, rest]) =>
      `k: ${header}\n${lines.map((line) => (line === "" ? "\n" : `  ${line}\n`)).join("")}${rest}`,
  );

function compare(source: string): void {
  const bytes = Buffer.from(source, "utf8");
  const doc = readDocument(bytes);
  if (!("rows" in doc)) throw new Error(`refused: ${JSON.stringify(source)}`);
  const [node] = new Node(doc).children();
  const expected: unknown = parseDocument(source, { schema: "failsafe", logLevel: "silent" }).get("k");
  if (node === undefined) throw new Error("no value");
  expect(node.text).toBe(expected);
  expect(scalarBytes(node).toString("utf8")).toBe(expected);
}

test("double-quoted text", () => {
  fc.assert(
    fc.property(pieces, (parts) => compare(`k: "${parts.join("")}"\n`)),
    { numRuns },
  );
});

test("literal blocks", () => {
  fc.assert(
    fc.property(block, (source) => compare(source)),
    { numRuns },
  );
});

test.for([
  ["|2", "  a\nb\n \n"],
  ["|2-", "  a\nb\n "],
  [">2", "  a\nb\n \n"],
  [">-2", "  a\nb\n "],
] as const)(
  "%s: lines of spaces behind a deeper first line are text, which the library drops",
  ([header, text]) => {
    const doc = readDocument(Buffer.from(`k: ${header}\n    a\n  b\n   \n`));
    if (!("rows" in doc)) throw new Error("refused");
    const [node] = new Node(doc).children();
    expect(node === undefined ? undefined : node.text).toBe(text);
  },
);
