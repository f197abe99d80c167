// Elements cloned between brackets that span lines: the list says what it should, and comments stay with their elements.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { folded, repeatIn } from "../support/repeat-texts.ts";

/** An element that is cloned: its index, and the names of its clones. */
type Change = readonly [at: number, ...names: string[]];

const head = "apiVersion: a/v1\nkind: Foo\nmetadata: {name: f}\nspec:\n";

/** The list once its elements are cloned, each by a Repeat of its own. */
function cloned(text: string, changes: readonly Change[]): string {
  const repeats = changes.map(([at, ...names], index) =>
    repeatIn(
      `{${names.map((name) => `${name}: {}`).join(", ")}}`,
      `{kind: Foo, name: f, path: "spec.l[${at}]", set: "{name}"}`,
    ).replace("name: r}", `name: r${index}}`),
  );
  const output = folded([...repeats, head + text.replaceAll(/^(?=.)/gm, "  ")].join("---\n"));
  expect(output.startsWith(head)).toBe(true);
  return output.slice(head.length).replaceAll(/^ {2}/gm, "");
}

const list = `l: [ # opens
  # above a
  a, # behind a
  b, c, # behind c
  # above d
  d # behind d
  , # of d, too
  ü # behind ü
  # foot
] # behind all
`;

const shown: [string, Change[], string][] = [
  ["the first goes", [[0]], list.replace("\n  # above a\n  a, # behind a", "")],
  ["one goes whose line is another's, too", [[1]], list.replace("\n  b,", "\n ")],
  ["two go that are side by side", [[3], [4]], list.replace(/,( # behind c)[^]*(?=\n {2}# foot)/, "$1")],
  ["two come in the place of one", [[3, "x", "z"]], list.replace("\n  d", "\n  x, z")],
  ["the last is cloned", [[4, "x", "z"]], list.replace("ü #", "x, z #")],
  ["all go", [[0], [1], [2], [3], [4]], "l: [ # opens\n  # foot\n] # behind all\n"],
];

describe("in a list with comments", () => {
  test.for(shown)("%s", ([, changes, expected]) => {
    expect(cloned(list, changes)).toBe(expected);
  });
});

test.for<[string, Change[], string]>([
  ["[a, b, ]", [[0], [1]], "[ ]"],
  ["[a, b,]", [[1]], "[a,]"],
  ["[a, b]", [[0]], "[b]"],
  ["[a,b]", [[0, "x", "z"]], "[x, z,b]"],
])("commas of %s", ([before, changes, after]) => {
  expect(cloned(`l: ${before}\n`, changes)).toBe(`l: ${after}\n`);
});

/** How an element is written in its list. */
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
    text += `e${index}`;
    if (behind === "none") text += `${hasComma ? "," : ""}${newline ? "\n  " : " "}`;
    else if (behind === "comma first") text += `${hasComma ? "," : ""} # behind e${index}\n  `;
    else text += ` # behind e${index}\n  ${hasComma ? ", " : ""}`;
  }
  return `${text}${foot ? "\n  # foot\n" : ""}]\n`;
}

const arbitraryChanges = fc.uniqueArray(
  fc.record({ at: fc.nat(4), names: fc.uniqueArray(fc.constantFrom("x", "y", "z"), { maxLength: 2 }) }),
  { minLength: 1, maxLength: 3, selector: ({ at }) => at },
);

test("any change of any list leaves what it does not name, with its comments", { tags: "law" }, () => {
  const property = fc.property(arbitraryList, arbitraryChanges, (drawn, all) => {
    const names = drawn.elements.map((_, index) => `e${index}`);
    const changes = all.flatMap(({ at, names: own }): Change[] => (at < names.length ? [[at, ...own]] : []));
    fc.pre(changes.length > 0);
    const before = textOf(drawn);
    const after = cloned(before, changes);
    const expected = names.flatMap((name, index) => {
      const [, ...own] = changes.find(([at]) => at === index) ?? [index, name];
      return own;
    });
    expect((parse(after) as { l: string[] }).l).toEqual(expected);
    for (const name of names.filter((each) => expected.includes(each))) {
      if (before.includes(`# above ${name}\n`))
        expect(after).toMatch(new RegExp(`# above ${name} *\\n *${name}`));
      if (before.includes(`# behind ${name}\n`))
        expect(after).toMatch(new RegExp(`${name},? # behind ${name} *\\n`));
    }
    for (const kept of ["# opens", "# foot"]) expect(after.includes(kept)).toBe(before.includes(kept));
  });
  fc.assert(property, { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 150) });
});
