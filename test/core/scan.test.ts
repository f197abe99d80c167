// Items are found and glanced at in one pass that skips what is deep. Held against a slow one that looks at every line,
// and against a glance at each item alone.
import fc from "fast-check";
import { expect, test } from "vitest";
import { peek } from "../../src/krm/peek.ts";
import { scanList, type Span } from "../../src/krm/scan.ts";

/** Lines that mean something to a scan, and some that only look so. */
const lines = [
  "- apiVersion: v1",
  "  kind: ConfigMap",
  "- kind: Secret",
  "  metadata:",
  "    name: a",
  "    namespace: org",
  "    annotations:",
  "      valuefold.dev/into: App/a",
  "      other: |",
  "        text",
  "    labels: {a: b}",
  "  data:",
  "    values: |",
  "      a: 1",
  "      - b",
  "  list:",
  "  - x",
  "-",
  "  apiVersion: v1",
  "- - nested",
  " odd: column",
  "",
  "   ",
  "# comment",
  "  # comment",
  "      # text or comment",
  "results: []",
  "functionConfig:",
  "  spec: {}",
  "-no item",
  "\ttab",
  "  \ttab",
  "\r",
  "---",
  "...",
];

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n";

const wholes = [
  "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a",
  "-\n  apiVersion: v1\n  kind: Secret\n  metadata:\n    annotations:\n      a: b\n    name: b",
  "-   kind: App\n    metadata:\n      name: c\n    apiVersion: v1\n    spec:\n      a: |\n        - b",
];

const listText = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...wholes) },
        { weight: 2, arbitrary: fc.constantFrom(...lines) },
      ),
      { maxLength: 12 },
    ),
    fc.constantFrom("", " ", "  "),
    fc.constantFrom("", "\n", "\n\n"),
  )
  .map(([body, indent, end]) => {
    // Keys of the list, markers and some comments stay at its own column.
    const all = body.join("\n").replaceAll(/^(?=[- ]|# comment$)/gm, indent);
    return `${head}${all}${end}`;
  });

interface Slow {
  readonly keys: string[];
  readonly starts: number[];
  column: number;
  listEnd: number | undefined;
}

function takeKey(keys: string[], line: string): boolean {
  const [, key = ""] = /^([A-Za-z][A-Za-z0-9]*):(?: |$)/.exec(line) ?? [];
  const isNew = key !== "" && !line.includes("\r") && !keys.includes(key);
  keys.push(key);
  return isNew;
}

/** False where a scan must leave the list to the reader. */
function takeSlowly(slow: Slow, line: string, at: number): boolean {
  const { keys, starts, column } = slow;
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  const rest = line.slice(indent);
  if (rest.startsWith("\t") && indent <= Math.max(column, 0)) return false;
  if (/^(?:$|#|\r)/.test(rest)) return true;
  const inItems = keys.at(-1) === "items";
  const isDash = /^-(?: |$)/.test(rest);
  if (isDash && inItems && (column < 0 || indent === column)) {
    slow.column = indent;
    starts.push(at + indent);
    return true;
  }
  if (indent > 0 || isDash) return keys.length > 0 && (!inItems || (starts.length > 0 && indent > column));
  if (inItems) slow.listEnd = at;
  return takeKey(keys, line);
}

/** Where items lie, by a look at every line. */
function slowly(text: string): readonly Span[] | undefined {
  const slow: Slow = { keys: [], starts: [], column: -1, listEnd: undefined };
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    if (!takeSlowly(slow, line.replace(/\n$/, ""), at)) return undefined;
    at += line.length;
  }
  const { starts, column, listEnd = text.length } = slow;
  return starts.map((start, index) => ({ start, end: (starts[index + 1] ?? listEnd + column) - column }));
}

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 5000);

test("items lie where a look at every line finds them", { tags: "law" }, () => {
  let found = 0;
  let refused = 0;
  fc.assert(
    fc.property(listText, (text) => {
      const bytes = Buffer.from(text);
      const scan = scanList(bytes, { start: 0, end: bytes.length });
      const items = scan?.items.map(({ start, end }) => ({ start, end }));
      expect(items).toEqual(slowly(text));
      if (items === undefined) refused++;
      else found += items.length;
    }),
    { numRuns: runs },
  );
  expect(found).toBeGreaterThan(runs / 10);
  expect(refused).toBeGreaterThan(runs / 10);
});

test("what a pass sees of an item, a glance at it alone sees as well", () => {
  let seen = 0;
  let unseen = 0;
  fc.assert(
    fc.property(listText, (text) => {
      const bytes = Buffer.from(text);
      const scan = scanList(bytes, { start: 0, end: bytes.length });
      for (const item of scan?.items ?? []) {
        const blank = (scan?.column ?? 0) + 1;
        const region = { start: item.start - blank + 1, end: item.end, blank };
        expect(peek(bytes, region, item.column)?.head).toEqual(item.head);
        if (item.head === undefined) unseen++;
        else seen++;
      }
    }),
    { numRuns: runs },
  );
  expect(seen).toBeGreaterThan(runs / 400);
  expect(unseen).toBeGreaterThan(runs / 40);
});
