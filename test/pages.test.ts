// What README and the pages of docs/ say that commands print is what they print. With `-u` the answers are written again. Those that
// need kustomize are run in test/real.
import { expect, test } from "vitest";
import { answered, hasSessions, homelessIn, pages, textOf } from "./support/page-sessions.ts";

test.for(pages)("%s: each session names its example", (page) => {
  expect(homelessIn(page)).toEqual([]);
});

test.for(pages.filter((page) => hasSessions(page, false)))("%s prints what it says", async (page) => {
  await expect(answered(page, false)).toMatchFileSnapshot(new URL(`../${page}`, import.meta.url).pathname);
});

/** Texts that are drawings, or what other programs print. */
const drawings: readonly string[] = [
  "docs/adopting.md",
  "docs/concepts.md",
  "docs/faults.md",
  "docs/flux-controller.md",
  "docs/flux.md",
  "docs/tutorial.md",
];

test("outputs are in sessions; only some pages have drawings", () => {
  expect(pages.filter((page) => /^```text$/m.test(textOf(page)) && !drawings.includes(page))).toEqual([]);
});
