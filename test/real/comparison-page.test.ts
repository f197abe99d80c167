// The page of a comparison in a real browser: what it shows and finds, that the keyboard is enough, that it is fast, and
// that nothing in it acts.
import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Comparison } from "../../src/comparison.ts";
import { comparisonPage } from "../../src/explain/page/write.ts";
import { bigComparison, hostileComparison, smallComparison } from "../support/comparisons.ts";
import { median, pageWorld, painted, searchTimes, tooWide } from "./page-world.ts";

const { fileOf, open } = pageWorld();

function show(comparison: Comparison, hash = "", options: BrowserContextOptions = {}): Promise<Page> {
  return open(fileOf(comparisonPage(comparison)) + hash, options);
}

const paths = (page: Page): Promise<string[]> => page.locator(".compared .key").allTextContents();

test("what a screen reader gets", async () => {
  const page = await show(smallComparison);
  await page.getByText("2 things could not be compared").click();
  await expect(await page.locator("body").ariaSnapshot()).toMatchFileSnapshot("comparison.aria.txt");
});

test("targets without a difference are not listed, and builds without a target are", async () => {
  const page = await show(smallComparison);
  expect(await page.locator(".list .title").allTextContents()).toEqual([
    "App/org/shop",
    "HelmRelease/flux/monitoring",
    "App/cart",
  ]);
  await page.getByRole("link", { name: "App/cart" }).click();
  expect(await page.locator("main").innerText()).toMatch(
    /not in 1 build\s+0 paths; 7 more have one value in all builds/,
  );
  expect(await page.title()).toBe("App/cart · valuefold compare");
});

test("an address names a target and a path, and leads to it", async () => {
  const page = await show(smallComparison, "#App/org/shop/ConfigMap/annotations.example%2Eorg%2Fowner");
  expect(await page.locator(".here .key").textContent()).toBe('annotations["example.org/owner"]');
  const [file = ""] = page.url().split("#");
  for (const key of await page.locator(".compared .key").all()) {
    const hash = (await key.getAttribute("href")) ?? "";
    await page.goto(file + hash);
    expect(await page.locator(".here .key").getAttribute("href")).toBe(hash);
  }
  await page.goto(`${file}#App/org/shop/ConfigMap/gone`);
  expect(await page.locator(".nothing").textContent()).toContain("no value at the address");
});

test("a search finds paths, values, layers and files, and builds where they differ from most", async () => {
  const page = await show(smallComparison);
  const found = async (query: string): Promise<string[]> => {
    await page.getByRole("searchbox").fill(query);
    return paths(page);
  };
  expect(await found("RePlicas")).toEqual(["controller.replicas"]);
  expect(await page.locator(".compared mark").allTextContents()).toEqual(["replicas"]);
  expect(await page.getByRole("status").textContent()).toBe("1 path; 1 target");
  expect(await found("1.26")).toEqual(["image.tag"]);
  expect(await found("secret/web/us")).toEqual(["database.password"]);
  expect(await found("prod/values.yaml")).toEqual(["image.tag", "controller.replicas"]);
  expect(await found("clusters/us-2")).toEqual(["controller.replicas", "database.password"]);
  expect(await found("clusters/staging")).toEqual(["controller.replicas"]);
  expect(await page.locator(".list a:visible .hits").allTextContents()).toEqual(["1"]);
  await page.keyboard.press("Escape");
  expect(await paths(page)).toHaveLength(5);
});

test("a page with nothing in it says so", async () => {
  const page = await show({ ...smallComparison, targets: [] });
  expect(await page.locator("main").innerText()).toMatch(
    /2 things could not be compared\s+No value differs in what could be compared\./,
  );
});

test("hostile values are text: nothing of them runs", async () => {
  const page = await show(hostileComparison);
  const [file = ""] = page.url().split("#");
  const hashes = await page.evaluate("[...document.querySelectorAll('.list a')].map((each) => each.hash)");
  for (const hash of hashes as string[]) await page.goto(file + hash);
  for (const query of ["e", "__proto__", "<"]) await page.getByRole("searchbox").fill(query);
  expect(await page.evaluate("[globalThis.hit, document.querySelectorAll('img, iframe').length]")).toEqual([
    undefined,
    0,
  ]);
  expect(await page.evaluate("document.querySelectorAll('script').length")).toBe(2);
});

describe.for(["light", "dark"] as const)("in a %s scheme", (colorScheme) => {
  test.for([360, 1200])("axe finds nothing to complain of at %d pixels", async (width) => {
    const viewport = { width, height: 1400 };
    const page = await show(smallComparison, "#App/org/shop/ConfigMap/image.tag", {
      colorScheme,
      bypassCSP: true,
      viewport,
    });
    await page.getByText("2 things could not be compared").click();
    await page.evaluate(axe.source);
    for (const value of ["", "1"]) {
      await page.getByRole("searchbox").fill(value);
      const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  });
});

test.for([320, 360, 768, 1280])("%i pixels are wide enough", async (width) => {
  const fleet = bigComparison({ builds: 40, targets: 1, rows: 30 });
  for (const comparison of [smallComparison, hostileComparison, fleet]) {
    const page = await show(comparison, "", { viewport: { width, height: 600 } });
    expect(await page.evaluate(tooWide)).toEqual([]);
  }
});

test("paths are there 200 at a time, and values and builds of one when they are asked for", async () => {
  const page = await show(bigComparison({ builds: 300, targets: 1, rows: 450 }));
  expect(await paths(page)).toHaveLength(200);
  await page.getByRole("button", { name: "Show 200 more of 250 paths" }).click();
  await page.getByRole("button", { name: "Show 50 more of 50 paths" }).click();
  expect(await paths(page)).toHaveLength(450);
  expect(await page.getByRole("button", { name: /paths$/ }).isVisible()).toBe(false);
  const body = page.locator(".compared tbody").nth(9);
  expect(await body.locator("tr").count()).toBe(9);
  await body.getByRole("button", { name: "Show 292 more" }).click();
  expect(await body.locator("tr").count()).toBe(300);
  const builds = page.locator(".compared summary").first();
  await builds.click();
  await expect.poll(() => page.locator(".compared details[open] .build").count()).toBeGreaterThan(8);
});

test("a fleet of 300 builds is there at once, and found at once", async () => {
  const page = await show(bigComparison({ builds: 300, targets: 20, rows: 100 }));
  const shown = Math.round((await page.evaluate(painted)) as number);
  const times = await searchTimes(page, ["t", "ta", "tag", "c-299", "regions/", "nowhere", ""]);
  console.log(JSON.stringify({ shown, searches: times }));
  // The goals are 1,000 and 100 ms. A busy machine takes several times as long: only what is quite another order fails.
  expect(shown).toBeLessThan(15_000);
  expect(median(times)).toBeLessThan(3000);
});
