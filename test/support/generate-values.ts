// Random values texts: nested mappings over few keys, so that layers meet, in many spellings and styles.
import fc from "fast-check";

type Value = string | readonly Entry[];
interface Entry {
  readonly key: string;
  readonly value: Value;
  readonly flow: boolean;
  readonly comment: string;
  /** A line of spaces above it. */
  readonly blank: string | undefined;
  /** Lines below its own that are deeper than it. */
  readonly deeper: readonly string[];
}

const keys = ["a", "a", "b", "b", "c", "d", "on", "x-y", "010", '"q r"', "ü"];
const plain = [
  "1",
  "0",
  "-2.5",
  "true",
  "no",
  '"x"',
  "'it''s'",
  "plain text",
  '""',
  "0x1F",
  "1e3",
  '"null"',
  "12345678901",
  "2001-12-14",
  '"tab\\t"',
];
const nulls = ["null", "~", ""];
const sequences = ["[]", "[1, 2]", "[{a: 1}, x]"];

/** @param variables plain `${…}` scalars to mix in */
function arbitraryValue(variables: readonly string[], depth = 3): fc.Arbitrary<readonly Entry[]> {
  const { mapping } = fc.letrec<{ mapping: readonly Entry[]; value: Value }>((tie) => ({
    mapping: fc.uniqueArray(arbitraryEntry(tie("value")), {
      selector: ({ key }) => key,
      maxLength: 4,
      minLength: 1,
    }),
    value: fc.oneof(
      { maxDepth: depth, depthIdentifier: "values" },
      { arbitrary: fc.constantFrom(...plain), weight: 3 },
      { arbitrary: fc.constantFrom(...nulls), weight: 2 },
      { arbitrary: fc.constantFrom(...sequences), weight: 2 },
      { arbitrary: fc.constant("{}"), weight: 2 },
      ...(variables.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...variables), weight: 1 }]),
      { arbitrary: tie("mapping"), weight: 4 },
    ),
  }));
  return mapping;
}

function arbitraryEntry(value: fc.Arbitrary<Value>): fc.Arbitrary<Entry> {
  return fc.record({
    key: fc.constantFrom(...keys),
    value,
    flow: fc.boolean().map((flow) => flow),
    comment: fc.constantFrom("", "", "", " # note", "# above"),
    blank: fc.constantFrom(undefined, undefined, undefined, "", "   "),
    deeper: fc.constantFrom(
      [],
      [],
      [],
      [],
      ["# deeper"],
      [" ", "# deeper"],
      ["   ", "# deeper", "", " # more"],
    ),
  });
}

const comments = ["# head\n\n", "# own\n", ""];

/** Text of a values document in one of many layouts; now and then empty. */
export function arbitraryText(variables: readonly string[] = []): fc.Arbitrary<string> {
  const layout = fc.record({
    step: fc.constantFrom(2, 2, 4, 3),
    indent: fc.constantFrom(0, 0, 0, 2),
    head: fc.constantFrom(...comments),
    foot: fc.constantFrom("", "", "# foot\n", "  \n # foot\n"),
    ended: fc.constantFrom(true, true, true, false),
  });
  const text = fc
    .tuple(arbitraryValue(variables), layout)
    .map(([entries, { step, indent, head, foot, ended }]) => {
      const body =
        head + blockLines(entries, indent, step).join("\n") + (ended || foot !== "" ? "\n" : "") + foot;
      return body;
    });
  return fc.oneof(
    { arbitrary: text, weight: 30 },
    { arbitrary: fc.constantFrom("", "{}\n", "# nothing\n", "null\n"), weight: 1 },
  );
}

function blockLines(entries: readonly Entry[], column: number, step: number): string[] {
  const pad = " ".repeat(column);
  return entries.flatMap(({ key, value, flow, comment, blank, deeper }) => {
    const above = comment.startsWith("#") ? [`${pad}${comment}`] : [];
    const behind = comment.startsWith(" ") ? comment : "";
    const lead = [...(blank === undefined ? [] : [blank]), ...above];
    const below = deeper.map((line) => (line.includes("#") ? `${pad} ${line}` : line));
    if (typeof value === "string")
      return [...lead, `${pad}${key}:${value === "" ? "" : ` ${value}`}${behind}`, ...below];
    const inFlow = flow && !hasVariable(value);
    if (inFlow) return [...lead, `${pad}${key}: ${flowText(value)}${behind}`, ...below];
    return [...lead, `${pad}${key}:${behind}`, ...blockLines(value, column + step, step)];
  });
}

function hasVariable(value: Value): boolean {
  if (typeof value === "string") return value.includes("${");
  return value.some(({ value: inner }) => hasVariable(inner));
}

function flowText(value: Value): string {
  if (typeof value === "string") return value;
  return `{${value.map(({ key, value: inner }) => `${key}: ${flowText(inner)}`).join(", ")}}`;
}
