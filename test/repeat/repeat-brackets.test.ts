// Elements put between brackets that span lines: the list says what it should, and comments stay with their elements.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Splice, spliceAll } from "../../src/repeat/list-edits.ts";
import { isFault, readDocument } from "../../src/core/yaml/read.ts";
import { firstChildOf, type Node, valueOf } from "../../src/core/yaml/tape.ts";

function listIn(text: string): Node {
  const doc = readDocument(Buffer.from(text, "utf8"));
  const entry = isFault(doc) ? undefined : firstChildOf({ doc, row: 0 });
  if (entry === undefined) throw new Error("no list");
  return valueOf(entry);
}

type Change = Omit<Splice, "list" | "index">;

function spliced(text: string, changes: readonly Change[]): string {
  const list = listIn(text);
  const edits = spliceAll(changes.map((each, index) => ({ ...each, list, index })));
  const bytes = Buffer.from(text, "utf8");
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (made, { start, end, text: own }) =>
        Buffer.concat([made.subarray(0, start), Buffer.from(own as Uint8Array), made.subarray(end)]),
      bytes,
    )
    .toString("utf8");
}

const list = `l: [ # opens
  # above a
  {n: a}, # behind a
  {n: b}, {n: c}, # behind c
  # above d
  {n: d} # behind d
  , # of d, too
  {n: ü} # behind ü
  # foot
] # behind all
`;

const shown: [string, Change[], string][] = [
  [
    "the first goes",
    [{ at: 0, count: 1, texts: [] }],
    list.replace("\n  # above a\n  {n: a}, # behind a", ""),
  ],
  [
    "one goes whose line is another's, too",
    [{ at: 1, count: 1, texts: [] }],
    list.replace("\n  {n: b},", "\n "),
  ],
  [
    "two go that stand side by side",
    [{ at: 3, count: 2, texts: [] }],
    list.replace(/,( # behind c)[^]*(?=\n {2}# foot)/, "$1"),
  ],
  [
    "two come in the place of one",
    [{ at: 3, count: 1, texts: ["{n: x}", "{n: y}"] }],
    list.replace("{n: d}", "{n: x}, {n: y}"),
  ],
  [
    "one comes behind the last",
    [{ at: 5, count: 0, texts: ["{n: x}"] }],
    list.replace("{n: ü} # behind ü", "{n: ü}, # behind ü\n  {n: x}"),
  ],
  [
    "one comes before one with a comment",
    [{ at: 3, count: 0, texts: ["{n: x}"] }],
    list.replace("# behind c", "# behind c\n  {n: x},"),
  ],
  [
    "one comes before one without",
    [{ at: 2, count: 0, texts: ["{n: x}"] }],
    list.replace("{n: c}", "{n: x}, {n: c}"),
  ],
  ["all go", [{ at: 0, count: 5, texts: [] }], "l: [ # opens\n  # foot\n] # behind all\n"],
];

describe("in a list with comments", () => {
  test.for(shown)("%s", ([, changes, expected]) => {
    expect(spliced(list, changes)).toBe(expected);
  });
});

test.for<[string, Change[], string]>([
  ["[a, b, ]", [{ at: 0, count: 2, texts: [] }], "[ ]"],
  ["[a, b,]", [{ at: 1, count: 1, texts: [] }], "[a,]"],
  ["[a, b]", [{ at: 0, count: 1, texts: [] }], "[b]"],
  ["[a,b]", [{ at: 0, count: 1, texts: ["x", "y"] }], "[x, y,b]"],
  ["[a,]", [{ at: 1, count: 0, texts: ["x"] }], "[a, x,]"],
])("commas of %s", ([before, changes, after]) => {
  expect(spliced(`l: ${before}\n`, changes)).toBe(`l: ${after}\n`);
});

/** How an element stands in its list. */
const arbitraryLayout = fc.record({
  above: fc.boolean(),
  behind: fc.constantFrom("none", "none", "comma first", "comma last"),
  newline: fc.boolean(),
});

const arbitraryList = fc.record({
  elements: fc.array(arbitraryLayout, { minLength: 1, maxLength: 5 }),
  opens: fc.boolean(),
  foot: fc.boolean(),
  comma: fc.boolean(),
});

type DrawnList = typeof arbitraryList extends fc.Arbitrary<infer L> ? L : never;

function textOf({ elements, opens, foot, comma }: DrawnList): string {
  let text = opens ? "l: [ # opens\n  " : "l: [";
  for (const [index, { above, behind, newline }] of elements.entries()) {
    const hasComma = comma || index < elements.length - 1;
    if (above) text += `\n  # above e${index}\n  `;
    text += `{n: e${index}}`;
    if (behind === "none") text += `${hasComma ? "," : ""}${newline ? "\n  " : " "}`;
    else if (behind === "comma first") text += `${hasComma ? "," : ""} # behind e${index}\n  `;
    else text += ` # behind e${index}\n  ${hasComma ? ", " : ""}`;
  }
  return `${text}${foot ? "\n  # foot\n" : ""}]\n`;
}

const arbitraryChanges = fc.array(
  fc.record({ gap: fc.nat(2), count: fc.nat(2), texts: fc.array(fc.constant("{n: new}"), { maxLength: 2 }) }),
  { minLength: 1, maxLength: 3 },
);

test("any change of any list leaves what it does not name, with its comments", () => {
  const property = fc.property(arbitraryList, arbitraryChanges, (drawn, all) => {
    const names = drawn.elements.map((_, index) => `e${index}`);
    const changes: Change[] = [];
    let end = 0;
    for (const { gap, count, texts } of all) {
      const at = Math.min(end + gap, names.length);
      end = Math.min(at + count, names.length);
      changes.push({ at, count: end - at, texts });
    }
    const before = textOf(drawn);
    const after = spliced(before, changes);
    const expected = changes
      .toReversed()
      .reduce<string[]>(
        (left, { at, count, texts }) => left.toSpliced(at, count, ...texts.map(() => "new")),
        names,
      );
    expect(((parse(after) as { l: { n: string }[] }).l ?? []).map(({ n }) => n)).toEqual(expected);
    for (const name of names.filter((each) => expected.includes(each))) {
      if (before.includes(`# above ${name}\n`))
        expect(after).toMatch(new RegExp(`# above ${name} *\\n *\\{n: ${name}\\}`));
      if (before.includes(`# behind ${name}\n`))
        expect(after).toMatch(new RegExp(`\\{n: ${name}\\},? # behind ${name} *\\n`));
    }
    for (const kept of ["# opens", "# foot"]) expect(after.includes(kept)).toBe(before.includes(kept));
  });
  fc.assert(property, { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 1000) });
});
