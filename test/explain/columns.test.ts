// Tables in a terminal: what is too long for it is shortened, never words, and never where nothing says how wide it is.
import { expect, test } from "vitest";
import { columns, type Cell } from "../../src/explain/columns.ts";

const long = "apps/production/europe/shop/podinfo.yaml:7:19";
const row = (lead: string, value: string, place: string, label: string): Cell[] => [
  { text: `  ${lead}` },
  { text: value, holds: "value" },
  { text: place, holds: "place" },
  { text: label },
];
const table = [
  row("clusters/production", "5", long, "a patch"),
  row("over", "2", "apps/base/podinfo.yaml:14:19", "spec.values"),
];

test("without a width nothing is shortened", () => {
  expect(columns(table)).toEqual([
    `  clusters/production  5  ${long}  a patch`,
    "  over                 2  apps/base/podinfo.yaml:14:19                   spec.values",
  ]);
});

test("a path loses its middle: its file and line stay", () => {
  expect(columns(table, { width: 70 })).toEqual([
    "  clusters/production  5  apps/…/podinfo.yaml:7:19      a patch",
    "  over                 2  apps/base/podinfo.yaml:14:19  spec.values",
  ]);
  expect(columns(table, { width: 10 })).toEqual([
    "  clusters/production  5  …/podinfo.yaml:7:19   a patch",
    "  over                 2  …/podinfo.yaml:14:19  spec.values",
  ]);
});

test("a wide terminal changes nothing", () => {
  expect(columns(table, { width: 90 })).toEqual(columns(table));
});

test("a value loses its end, once paths are short", () => {
  const value = "a long text that is not of much use to a reader at first";
  expect(columns([row("x", value, long, "a patch")], { width: 60 })).toEqual([
    "  x  a long text that is not …  …/podinfo.yaml:7:19  a patch",
  ]);
  expect(columns([row("x", value, "a.yaml:1:1", "")], { width: 20 })).toEqual([
    "  x  a long text tha…  a.yaml:1:1",
  ]);
});

test("a value that is longer than its column is cut to what its own line has room for", () => {
  const value = "x".repeat(80);
  const [first = "", second] = columns([row("a", value, "a.yaml:1:1", ""), row("b", "1", "b.yaml:1:1", "")], {
    most: 40,
    width: 60,
  });
  expect(first).toHaveLength(60);
  expect(first).toMatch(/…  a\.yaml:1:1$/);
  expect(second).toBe("  b  1  b.yaml:1:1");
});

test("words, names and what only looks like a path stay", () => {
  const cells = [
    row("ConfigMap/shop/podinfo", "http://registry.example/x:80", "ConfigMap/shop/base", "x/y:1:1"),
  ];
  expect(columns(cells, { width: 90 })).toEqual(columns(cells));
  expect(columns(cells, { width: 1 })).toEqual([
    "  ConfigMap/shop/podinfo  http://registry…  ConfigMap/shop/base  x/y:1:1",
  ]);
});

test("the path of a layer stays between its letter and what it does", () => {
  const cells: Cell[][] = [[{ text: "a: 1" }, { text: `B ${long}  the same`, holds: "place" }]];
  expect(columns(cells, { width: 42 })).toEqual(["a: 1  B apps/…/podinfo.yaml:7:19  the same"]);
});

test("places and values that would look the same stay whole", () => {
  const cells = [
    row("production", "jdbc:postgresql:one", "apps/production/podinfo.yaml:7:19", "a patch"),
    row("over", "jdbc:postgresql:two", "apps/base/podinfo.yaml:7:19", "spec.values"),
  ];
  expect(columns(cells, { width: 30 })).toEqual(columns(cells));
});

test("a table of very many lines is laid out", { tags: "law" }, () => {
  const cells = Array.from({ length: 200_000 }, () => row("x", "1", long, ""));
  expect(columns(cells, { width: 40 })).toHaveLength(200_000);
});

test("a row that fits in no way shortens no other", () => {
  const rows = [
    row("default", '{"type":"ClusterIP"} → []', "", "it is set nowhere"),
    row("default", "1 → 2", "", "w".repeat(200)),
  ];
  expect(columns(rows, { width: 80 })[0]).toBe('  default  {"type":"ClusterIP"} → []  it is set nowhere');
});
