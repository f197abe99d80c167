// The page in a real browser: what it shows, that it answers to keys and addresses, and that nothing in it acts.
import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Explanation } from "../../src/explanation.ts";
import { pageOf } from "../../src/explain/page/write.ts";
import { bigExplanation, hostile, small } from "../support/explanations.ts";
import { median, pageWorld, painted } from "./page-world.ts";

const { faults, fileOf, open } = pageWorld();

function show(explanation: Explanation, hash = "", options: BrowserContextOptions = {}): Promise<Page> {
  return open(fileOf(pageOf(explanation)) + hash, options);
}

function hashesOf(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("${selector}")].map((each) => each.hash)`);
}

const focused = "document.activeElement.textContent || document.activeElement.id";

test("what a screen reader is told", async () => {
  const page = await show(small);
  await expect(await page.locator("body").ariaSnapshot()).toMatchFileSnapshot("page-target.aria.txt");
  await page.goto(`${page.url()}#layer:ConfigMap/org/shop-base/values.yaml`);
  await expect(await page.locator("body").ariaSnapshot()).toMatchFileSnapshot("page-layer.aria.txt");
});

test("a link in the list shows its target, and the way back leads back", async () => {
  const page = await show(small);
  expect(await page.locator("h1").textContent()).toBe("App/org/shop");
  await page.getByRole("link", { name: "HelmRelease/flux/monitoring" }).click();
  expect(await page.locator("h1").textContent()).toBe("HelmRelease/flux/monitoring");
  expect(await page.locator(".list [aria-current=page]").textContent()).toBe("HelmRelease/flux/monitoring");
  expect(page.url()).toMatch(/#HelmRelease\/flux\/monitoring$/);
  await page.goBack();
  expect(await page.locator("h1").textContent()).toBe("App/org/shop");
  expect(await page.title()).toBe("App/org/shop · valuefold explain");
});

test("layers stand highest first, and a Secret's values are never with a ConfigMap's", async () => {
  const page = await show(small);
  const letters = page.locator(".layers").first().locator("tbody th .badge");
  expect(await letters.allTextContents()).toEqual(["C", "B", "A", "D"]);
  const secrets = page.getByRole("region", { name: "Secret stack" });
  expect(await secrets.locator(".text").allTextContents()).toEqual(["(secret)", "(secret)", "(secret)"]);
  expect(await page.getByRole("region", { name: "ConfigMap stack" }).getByText("(secret)").count()).toBe(0);
});

test("a search counts, marks and shows what holds it", async () => {
  const page = await show(small);
  await page.getByRole("searchbox").fill("Replicas");
  expect(await page.getByRole("status").textContent()).toBe("2 values; 2 targets");
  expect(await page.locator(".list a:visible").allTextContents()).toEqual([
    "App/org/shop1",
    "HelmRelease/flux/monitoring1",
  ]);
  expect(await page.locator(".values mark").allTextContents()).toEqual(["replicas"]);
  expect(await page.locator(".values .row:not(.over) .place").allTextContents()).toEqual([
    "regions/east.yaml:9:15",
  ]);
  const found = async (query: string): Promise<string[]> => {
    await page.getByRole("searchbox").fill(query);
    return page.locator(".list a:visible .hits").allTextContents();
  };
  expect(await found("resources.requests.mem")).toEqual(["1"]);
  expect(await found("10.0.0.0/8")).toEqual(["1"]);
  expect(await found("shop-credentials")).toEqual(["2"]);
  expect(await found("base/values.yaml")).toEqual(["10", "1"]);
  expect(await found("nowhere")).toEqual([]);
  expect(await found("empty")).toEqual([""]);
  await page.keyboard.press("Escape");
  expect(await page.locator(".list a:visible").count()).toBe(4);
  expect(await page.locator("mark").count()).toBe(0);
});

test("a click on a layer shows its values alone, another click or Escape all again", async () => {
  const page = await show(small);
  const values = page.getByRole("region", { name: "ConfigMap stack" }).locator(".values b");
  const all = await values.count();
  await page.getByRole("button", { name: "shop-region-east" }).click();
  expect(await values.allTextContents()).toEqual([
    "5",
    "[10.1.0.0/16, 192.0.2.0/24]",
    "(mapping)",
    "shop.east.example.org",
  ]);
  expect(await page.evaluate(focused)).toBe("Cshop-region-east");
  await page.getByRole("button", { name: "shop-region-east" }).click();
  expect(await values.count()).toBe(all);
  await page.getByRole("button", { name: "shop-stage-prod" }).click();
  await page.keyboard.press("Escape");
  expect(await values.count()).toBe(all);
});

test("a layer tells what it changes in all targets, and leads to each", async () => {
  const page = await show(small);
  await page.getByRole("link", { name: "shop-base: what it changes in 2 targets" }).click();
  expect(await page.locator("h1").textContent()).toBe("ConfigMap/org/shop-base");
  const replicas = page.locator(".effects > li").filter({ hasText: "controller.replicas: 1" });
  expect(await replicas.locator(".met").allTextContents()).toEqual([
    "wins in HelmRelease/flux/monitoring",
    "overridden in App/org/shop by 5 of shop-region-east",
  ]);
  await replicas.getByRole("link", { name: "App/org/shop" }).click();
  expect(await page.locator(".here b").textContent()).toBe("5");
  await page.getByRole("link", { name: /^Layers/ }).click();
  expect(await page.locator(".list li:visible").count()).toBe(13);
});

test("what a layer does in many targets is listed when somebody asks", async () => {
  const page = await show(bigExplanation(100, 3), "#layer:ConfigMap/org/app1-base/values.yaml");
  const [summary, items] = [page.locator(".met summary").first(), page.locator(".met").first().locator("li")];
  expect(await summary.textContent()).toBe("overridden in 5 targets, by region1, region21, region41, …");
  expect(await items.count()).toBe(0);
  await summary.click();
  await expect.poll(() => items.count()).toBe(5);
  expect(await items.last().textContent()).toMatch(
    /^App\/org-31\/app1-81 by \S+ \d+" of region81$|^App\/org-31\/app1-81 by \S+ of region81$/,
  );
});

test("an address leads to its value, and one of nothing says so", async () => {
  const page = await show(small, "#App/org/shop/Secret/database.password");
  await expect.poll(() => page.locator(".here .key").textContent()).toBe("password");
  expect(
    await page.evaluate("document.querySelector('.here').getBoundingClientRect().bottom <= innerHeight"),
  ).toBe(true);
  expect(await page.evaluate(focused)).toContain("password");
  const [file = ""] = page.url().split("#");
  await page.goto(`${file}#App/org/shop/ConfigMap/annotations.example%2Eorg%2Fowner`);
  expect(await page.locator(".here b").textContent()).toBe("team-shop");
  await page.getByRole("searchbox").fill("replicas");
  await page.goto(`${file}#App/org/shop/ConfigMap/logLevel`);
  expect(await page.locator(".here b").textContent()).toBe("info");
  await page.goto(`${file}#App/org/shop/ConfigMap/no.such`);
  expect(await page.locator(".nothing").textContent()).toContain("no value at the address");
  await page.goto(`${file}#App/org/gone`);
  expect(await page.locator(".nothing").textContent()).toContain("Nothing in this page");
});

test("a value far down is in sight when its address is opened", async () => {
  const page = await show(
    bigExplanation(2, 200),
    "#App/org-1/app1-1/ConfigMap/app1.component9.group2.setting4",
  );
  await expect.poll(() => page.locator(".here b").textContent()).not.toBe("");
  const { y } = (await page.locator(".here").boundingBox()) ?? { y: 0 };
  expect(y).toBeGreaterThan(100);
  expect(y).toBeLessThan(700);
});

test("every link leads where it says, whatever the names", async () => {
  for (const explanation of [small, hostile]) {
    const page = await show(explanation);
    const [file = ""] = page.url().split("#");
    const targets = await page.evaluate(
      "[...document.querySelectorAll('.list a')].map((each) => [each.hash, each.querySelector('.title').textContent])",
    );
    for (const [hash, title] of targets as [string, string][]) {
      await page.goto(file + hash);
      expect(await page.locator("h1").textContent()).toBe(title);
      const keys = await hashesOf(page, ".values a");
      for (const each of keys) {
        await page.goto(file + each);
        expect(await page.locator(".here").count()).toBe(1);
        expect(await page.locator(".here > .row .key").first().getAttribute("href")).toBe(each);
      }
    }
  }
});

test("the keyboard is enough", async () => {
  const page = await show(small);
  await page.keyboard.press("/");
  expect(await page.evaluate(focused)).toBe("search");
  await page.keyboard.type("replicas/");
  expect(await page.getByRole("searchbox").inputValue()).toBe("replicas/");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(focused)).toBe("App/org/shop");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("h1").textContent()).toBe("HelmRelease/flux/monitoring");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  expect(await page.evaluate(focused)).toBe("search");
});

test("a page, or a target, with nothing in it says so", async () => {
  const page = await show({ ...small, targets: [] });
  expect(await page.getByRole("main").textContent()).toBe("There are no targets: nothing receives values.");
  const other = await show(small, "#App/org/empty");
  expect(await other.getByRole("main").textContent()).toContain("No values are known in this stack.");
});

test("hostile values are text: nothing of them runs, in any view", async () => {
  const page = await show(hostile);
  const [file = ""] = page.url().split("#");
  const hashes = await hashesOf(page, ".list a, .tab, .elsewhere");
  await page.getByRole("searchbox").fill("e");
  for (const hash of hashes) await page.goto(file + hash);
  expect(await page.evaluate("[globalThis.hit, document.querySelectorAll('img, iframe').length]")).toEqual([
    undefined,
    0,
  ]);
  expect(await page.evaluate("document.querySelectorAll('script').length")).toBe(2);
});

test("a changed script does not run", async () => {
  const page = await open(
    fileOf(pageOf(small).replace('valuefold explain")', 'valuefold explains")'), "changed.html"),
  );
  expect(await page.locator("h1").count()).toBe(0);
  expect(faults.splice(0).join()).toMatch(/Content Security Policy/);
});

describe.for(["light", "dark"] as const)("in a %s scheme", (colorScheme) => {
  test.for([
    "",
    "#HelmRelease/flux/monitoring",
    "#App/org/shop/ConfigMap/logLevel",
    "#layer:ConfigMap/org/shop-base/values.yaml",
  ])("axe finds nothing to complain of at `%s`", async (hash) => {
    const page = await show(small, hash, {
      colorScheme,
      bypassCSP: true,
      viewport: { width: 1200, height: 2000 },
    });
    await page.getByRole("searchbox").fill("s");
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });
});

test("360 pixels are wide enough", async () => {
  for (const explanation of [small, hostile]) {
    const page = await show(explanation, "", { viewport: { width: 360, height: 700 } });
    const hashes = await hashesOf(page, ".list a, .elsewhere");
    const [file = ""] = page.url().split("#");
    for (const hash of hashes) {
      await page.goto(file + hash);
      expect([hash, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([hash, 360]);
    }
  }
});

const searched = (query: string): string => `new Promise((done) => {
  const input = document.querySelector("#search");
  const start = performance.now();
  input.value = ${JSON.stringify(query)};
  input.dispatchEvent(new Event("input"));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})`;

test("a thousand targets of 200 values in three layers are there at once, and found at once", async () => {
  const big = fileOf(pageOf(bigExplanation(1000, 200)), "big.html");
  const blank = fileOf("<!doctype html><title>blank</title>blank", "blank.html");
  const timesOf = async (url: string): Promise<number[]> => {
    const times: number[] = [];
    for (let run = 0; run < 5; run++) {
      const page = await open(url);
      times.push((await page.evaluate(painted)) as number);
      await page.context().close();
    }
    return times;
  };
  const shown = median(await timesOf(big)) - median(await timesOf(blank));
  const page = await open(big);
  const times: number[] = [];
  for (const query of [
    "t",
    "te",
    "text-4",
    "text-42",
    "text-421",
    "setting3",
    "region77",
    "stage1.yaml",
    "nowhere",
    "",
  ])
    times.push((await page.evaluate(searched(query))) as number);
  const nodes = (await page.evaluate("document.querySelectorAll('*').length")) as number;
  console.log(JSON.stringify({ shown, searches: times.map(Math.round), search: median(times), nodes }));
  // The goals are 400 and 60 ms, on a machine that does nothing else.
  expect(shown).toBeLessThan(2000);
  expect(median(times)).toBeLessThan(300);
});

test("the picture in the docs can be drawn; VALUEFOLD_SCREENSHOT=1 draws it anew", async () => {
  const page = await show(small, "", { colorScheme: "light" });
  const isWanted = process.env["VALUEFOLD_SCREENSHOT"] === "1";
  const path = new URL("../../docs/explain.png", import.meta.url).pathname;
  const picture = await page.screenshot(isWanted ? { path } : {});
  expect(picture.length).toBeGreaterThan(50_000);
  expect(picture.length).toBeLessThan(150_000);
});
