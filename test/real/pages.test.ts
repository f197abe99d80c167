// Sessions on pages that need kustomize: what they say is what the real programs print.
import { expect, test } from "vitest";
import { answered, hasSessions, pages } from "../support/page-sessions.ts";

test.for(pages.filter((page) => hasSessions(page, true)))("%s prints what it says", async (page) => {
  await expect(answered(page, true)).toMatchFileSnapshot(new URL(`../../${page}`, import.meta.url).pathname);
});
