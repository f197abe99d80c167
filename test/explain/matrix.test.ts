// The page of a comparison as text: what goes in comes out again, nothing in it acts, and it stays small.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Comparison } from "../../src/comparison.ts";
import { decodeRow, MatrixTables } from "../../src/explain/page/matrix/decode.ts";
import type { EncodedMatrix, EncodedTable } from "../../src/explain/page/matrix/encoded.ts";
import { comparisonPage } from "../../src/explain/page/write.ts";
import { bigComparison, hostileComparison, smallComparison } from "../support/comparisons.ts";

const dataForm = /<script type="application\/json" id="comparison">([^<]*)<\/script>/;

function read(page: string): Comparison {
  const encoded = JSON.parse(dataForm.exec(page)?.[1] ?? "") as EncodedMatrix;
  const tables = new MatrixTables(encoded);
  const readTable = (table: EncodedTable): Comparison["targets"][number] => {
    const { elements: _, ...target } = table;
    return { ...target, rows: target.rows.map((_row, at) => decodeRow(table, at, tables)) };
  };
  const { builds, unread, targets } = encoded;
  return { kind: "Comparison", version: 1, builds, targets: targets.map(readTable), unread };
}

test.for([
  ["small", smallComparison],
  ["hostile", hostileComparison],
  ["without targets", { ...smallComparison, targets: [] }],
  ["large", bigComparison({ builds: 40, targets: 4, rows: 30 })],
  [
    "large, with a value of its own in every build",
    bigComparison({ builds: 40, targets: 2, rows: 10, isWorst: true }),
  ],
] as const)("what is %s comes out as it went in", ([, comparison]) => {
  expect(read(comparisonPage(comparison))).toEqual(comparison);
});

test("what is in values is in the data only, and cannot leave it", () => {
  const page = comparisonPage(hostileComparison);
  const data = dataForm.exec(page)?.[1] ?? "";
  expect(data).not.toMatch(/[<\u2028\u2029]/);
  expect(data).toContain("javascript:globalThis.hit=1");
  expect(page.replace(dataForm, "")).toBe(comparisonPage(smallComparison).replace(dataForm, ""));
});

test("its policy names its one script and its one style, and allows nothing else", () => {
  const page = comparisonPage(smallComparison);
  const hash = (form: RegExp): string => {
    const all = [...page.matchAll(form)];
    expect(all).toHaveLength(1);
    return `'sha256-${createHash("sha256")
      .update(all[0]?.[1] ?? "")
      .digest("base64")}'`;
  };
  expect(/Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]).toBe(
    `default-src 'none'; script-src ${hash(/<script>(.+?)<\/script>/gs)}; style-src ${hash(/<style>(.+?)<\/style>/gs)}; ` +
      "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  expect(page).not.toMatch(/https?:|\bsrc=|<link|@import|url\(/);
});

test("the script holds how paths are written, and nothing else of the core", () => {
  const script = /<script>(.+?)<\/script>/s.exec(comparisonPage(smallComparison))?.[1] ?? "";
  expect(script).not.toMatch(/Buffer|node:/);
  expect(script.length).toBeLessThan(40_000);
});

test("600,000 cells of a fleet are at most 2 MB, and at most 8 MB if every build sets every value", () => {
  const sizeOf = (isWorst: boolean): number =>
    Buffer.byteLength(comparisonPage(bigComparison({ builds: 300, targets: 20, rows: 100, isWorst })));
  const [fleet, worst] = [sizeOf(false), sizeOf(true)];
  const nothing = Buffer.byteLength(comparisonPage({ ...smallComparison, targets: [] }));
  console.log(
    `page of 300 builds × 20 targets × 100 rows: ${fleet / 1e6} MB, at worst ${worst / 1e6} MB; of nothing: ${nothing} bytes`,
  );
  expect(fleet).toBeLessThanOrEqual(2e6);
  expect(worst).toBeLessThanOrEqual(8e6);
});
