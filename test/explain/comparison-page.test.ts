// The page of a comparison as text: what goes in comes out again, nothing in it acts, and it stays small.
import { expect, test } from "vitest";
import { comparisonPage, pageOf } from "../../src/explain/page/write.ts";
import { bigComparison, hostileComparison, smallComparison } from "../support/comparisons.ts";
import { small } from "../support/explanations.ts";
import { dataForm, dataOf, dataText } from "../support/page-data.ts";

test.for([
  ["small", smallComparison],
  ["hostile", hostileComparison],
  ["without targets", { ...smallComparison, targets: [] }],
  ["large", bigComparison({ builds: 40, targets: 4, rows: 30 })],
] as const)("what is %s comes out as it went in", ([, comparison]) => {
  expect(dataOf(comparisonPage(comparison)).shown).toEqual(comparison);
});

test("what is in values is in the data only, and cannot leave it", () => {
  const page = comparisonPage(hostileComparison);
  expect(dataText(page)).toContain("javascript:globalThis.hit=1");
  expect(page.replace(dataForm, "")).toBe(comparisonPage(smallComparison).replace(dataForm, ""));
});

test("both pages have one script", () => {
  const rest = (page: string): string => page.replace(dataForm, "").replace(/<title>.*<\/title>/, "");
  expect(rest(comparisonPage(smallComparison))).toBe(rest(pageOf(small)));
});

test(
  "600,000 cells of a fleet are at most 2.5 MB, and at most 14 MB if every build sets every value",
  { tags: "law" },
  () => {
    const sizeOf = (isWorst: boolean): number =>
      Buffer.byteLength(comparisonPage(bigComparison({ builds: 300, targets: 20, rows: 100, isWorst })));
    const [fleet, worst] = [sizeOf(false), sizeOf(true)];
    const nothing = Buffer.byteLength(comparisonPage({ ...smallComparison, targets: [] }));
    console.log(
      `page of 300 builds × 20 targets × 100 rows: ${fleet / 1e6} MB, at worst ${worst / 1e6} MB; of nothing: ${nothing} bytes`,
    );
    expect(fleet).toBeLessThanOrEqual(2.5e6);
    expect(worst).toBeLessThanOrEqual(14e6);
  },
);
