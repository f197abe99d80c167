// The page in a real browser: what it shows, that it answers to keys and addresses, and that nothing in it acts.
import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { ExplainedLayer, ExplainedTarget, Explanation } from "../../src/explanation.ts";
import { pageOf } from "../../src/explain/page/write.ts";
import { bigExplanation, hostile, small } from "../support/explanations.ts";
import { median, pageWorld, painted, searchTimes, tooWide } from "./page-world.ts";

const { faults, fileOf, open } = pageWorld();

function show(explanation: Explanation, hash = "", options: BrowserContextOptions = {}): Promise<Page> {
  return open(fileOf(pageOf(explanation)) + hash, options);
}

const template = "https://git.example/shop/blob/main/{file}#L{line}";

/** The same with links to all files but those that are cut off. */
function showLinked(explanation: Explanation, hash = "", options: BrowserContextOptions = {}): Promise<Page> {
  const pathOf = (file: string): string | undefined => (file.startsWith("regions/") ? undefined : file);
  return open(fileOf(pageOf(explanation, { template, pathOf })) + hash, options);
}

const valuesOf = (page: Page) => page.getByRole("region", { name: "ConfigMap stack" }).locator(".values");

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

test.for([[1280], [1440]])(
  "in a window of %d a value far down is in sight when its address is opened",
  async ([width = 0]) => {
    const page = await show(
      bigExplanation(2, 200),
      "#App/org-1/app1-1/ConfigMap/app1.component9.group2.setting4",
      { viewport: { width, height: 720 } },
    );
    await expect.poll(() => page.locator(".here b").textContent()).not.toBe("");
    const { y } = (await page.locator(".here").boundingBox()) ?? { y: 0 };
    expect(y).toBeGreaterThan(100);
    expect(y).toBeLessThan(700);
  },
);

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
        expect(await page.locator(".here .key").first().getAttribute("href")).toBe(each);
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
    fileOf(pageOf(small).replace('"valuefold explain"', '"valuefold explains"'), "changed.html"),
    {},
    false,
  );
  expect(await page.locator("h1").count()).toBe(0);
  expect(faults.splice(0).join()).toMatch(/Content Security Policy/);
});

describe.for(["light", "dark"] as const)("in a %s scheme", (colorScheme) => {
  const plain = async (): Promise<void> => {};
  test.for([
    ["a target", "", plain],
    ["another", "#HelmRelease/flux/monitoring", plain],
    ["a value", "#App/org/shop/ConfigMap/logLevel", plain],
    ["a layer", "#layer:ConfigMap/org/shop-base/values.yaml", plain],
    [
      "the final YAML",
      "",
      async (page) => {
        await page.getByRole("tab", { name: "Final YAML" }).click();
        await page.locator(".line[data-layer=B]").first().hover();
      },
    ],
    ["collapsed keys", "", (page) => page.getByRole("button", { name: "Collapse all" }).click()],
    ["overridden values only", "", (page) => page.getByRole("button", { name: "Overridden only" }).click()],
    ["a layer that is lit up", "", (page) => page.getByRole("button", { name: "shop-base" }).hover()],
  ] as const satisfies readonly (readonly [string, string, (page: Page) => Promise<void>])[])(
    "axe finds nothing to complain of: %s",
    async ([, hash, act]) => {
      const page = await showLinked(small, hash, {
        colorScheme,
        bypassCSP: true,
        viewport: { width: 1200, height: 2000 },
      });
      await page.getByRole("searchbox").fill("s");
      await act(page);
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    },
  );
});

describe.for([320, 360, 768, 1200, 1920])("%i pixels are wide enough", (width) => {
  test.for([
    ["small", small],
    ["hostile", hostile],
    ["large", bigExplanation(2, 200)],
  ] as const)("%s", async ([, explanation]) => {
    const page = await showLinked(explanation, "", { viewport: { width, height: 700 } });
    const hashes = await hashesOf(page, ".list a, .elsewhere");
    const [file = ""] = page.url().split("#");
    for (const hash of hashes.slice(0, 20)) {
      await page.goto(file + hash);
      expect([hash, await page.evaluate(tooWide)]).toEqual([hash, []]);
      const yaml = page.getByRole("tab", { name: "Final YAML" });
      if ((await yaml.count()) === 0) continue;
      await yaml.click();
      expect([hash, "yaml", await page.evaluate(tooWide)]).toEqual([hash, "yaml", []]);
      await page.getByRole("tab", { name: "Values" }).click();
    }
  });
});

test("a value and its origin are within one look, and on two lines where there is no room", async () => {
  const gaps = `[...document.querySelectorAll(".won")].map((row) => {
    const range = document.createRange();
    range.selectNodeContents(row.querySelector(".text"));
    const [text, origin] = [range.getBoundingClientRect(), row.querySelector(".badge").getBoundingClientRect()];
    return [Math.round(origin.left - text.right), origin.top > text.bottom - 8];
  })`;
  const wide = await show(small, "", { viewport: { width: 1920, height: 2000 } });
  for (const [gap, isBelow] of (await wide.evaluate(gaps)) as [number, boolean][]) {
    expect(gap).toBeLessThan(400);
    expect(isBelow).toBe(false);
  }
  const narrow = await show(small, "", { viewport: { width: 360, height: 2000 } });
  for (const [, isBelow] of (await narrow.evaluate(gaps)) as [number, boolean][]) expect(isBelow).toBe(true);
});

test("what a value overrides is beside it in a wide window, and below it in others", async () => {
  const tops = `(() => {
    const over = document.querySelector(".chain .over");
    const own = over.closest(".chain").querySelector(".won");
    return [own.getBoundingClientRect().top, over.getBoundingClientRect().top];
  })()`;
  for (const [width, isBeside] of [
    [1440, true],
    [1280, false],
    [360, false],
  ] as const) {
    const page = await show(small, "", { viewport: { width, height: 900 } });
    const [own = 0, over = 0] = (await page.evaluate(tops)) as number[];
    expect(Math.abs(own - over) < 3).toBe(isBeside);
  }
});

test("targets of several builds are below their name, one build a line", async () => {
  const [target] = small.targets;
  if (target === undefined) throw new Error("no target");
  const targets = ["eu", "us"].map((build) => ({ ...target, build }));
  const page = await show({ ...small, targets: [...targets, ...small.targets.slice(1)] });
  const group = page.locator(".list .group");
  expect(await group.textContent()).toBe("App/org/shopeuus");
  await page.getByRole("link", { name: "us: App/org/shop" }).click();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("us: App/org/shop");
  await page.getByRole("searchbox").fill("helmrelease/flux");
  expect(await page.locator(".list .group").isVisible()).toBe(false);
});

test("a layer has one colour in all targets, whatever its letter", async () => {
  const layer = (id: string, name: string, priority: number): ExplainedLayer => ({
    id,
    kind: "ConfigMap",
    name,
    priority,
    why: "annotation",
    state: "folded",
    sets: 1,
  });
  const target = (name: string, layers: ExplainedLayer[]): ExplainedTarget => ({
    kind: "App",
    name,
    stacks: [
      {
        layers,
        runs: [],
        splits: [],
        values: layers.map(({ id }) => ({ path: [id], by: id, text: "1", over: [] })),
      },
    ],
  });
  const page = await show({
    ...small,
    targets: [
      target("shop", [layer("A", "shop-stage-prod", 60), layer("B", "shop-region-east", 70)]),
      target("web", [
        layer("A", "web-extra", 55),
        layer("B", "web-stage-dev", 60),
        layer("C", "web-region-west", 70),
      ]),
    ],
  });
  const looks = `Object.fromEntries([...document.querySelectorAll(".layers tbody tr")].map((row) => {
    const colourOf = (each) => getComputedStyle(each).backgroundColor;
    const { layer } = row.dataset;
    const letter = document.querySelector('.won[data-layer="' + layer + '"] .badge');
    return [row.querySelector(".name").textContent.split("-")[1], [colourOf(row.querySelector(".badge")), colourOf(letter)]];
  }))`;
  const shop = (await page.evaluate(looks)) as Record<string, string[]>;
  await page.getByRole("link", { name: "App/web" }).click();
  const web = (await page.evaluate(looks)) as Record<string, string[]>;
  expect(web).toEqual({ ...shop, extra: web["extra"] });
  expect(new Set(Object.values(web).flat()).size).toBe(3);
});

test("the final YAML is copied with the keyboard, and by the old way where there is no clipboard", async () => {
  for (const isOld of [false, true]) {
    const page = await show(small, "", { permissions: ["clipboard-read", "clipboard-write"] });
    if (isOld)
      await page.evaluate("Object.defineProperty(navigator.clipboard, 'writeText', { value: undefined })");
    await page.getByRole("tab", { name: "Values" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Final YAML");
    expect(await page.evaluate(focused)).toBe("Final YAML");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(focused)).toBe("Copy YAML");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.locator("[role=tabpanel] [role=status]").first().textContent())
      .toBe("Copied");
    const text = (await page.evaluate("navigator.clipboard.readText()")) as string;
    expect(parse(text)).toEqual({
      controller: {
        replicas: 5,
        image: { repository: "registry.example.org/shop", tag: "4.2.1" },
        resources: { requests: { cpu: "100m", memory: "512Mi" } },
        service: { allowedRanges: ["10.1.0.0/16", "192.0.2.0/24"] },
        metrics: null,
      },
      logLevel: "info",
      annotations: { "example.org/owner": "team-shop" },
      ingress: { host: "shop.east.example.org" },
    });
    await page.getByRole("button", { name: "Copy YAML" }).last().click();
    await expect
      .poll(() => page.locator("[role=tabpanel] [role=status]").last().textContent())
      .toBe("Copied");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      "database:\n  password: (secret)\n  user: (secret)\n",
    );
  }
});

test("a line of the final YAML has the letter of its layer, which is not copied with it", async () => {
  const page = await show(small, "#HelmRelease/flux/monitoring");
  await page.getByRole("tab", { name: "Final YAML" }).click();
  expect(
    await page.evaluate(
      "[...document.querySelectorAll('.line')].map((each) => each.dataset.by ?? '-').join('')",
    ),
  ).toBe("-G-AC");
  expect(await page.getByText("Not in it").textContent()).toBe(
    "Not in it, because their values are not known here: cluster-settings (B), monitoring-tokens (D), broken (E)",
  );
  expect(
    await page.evaluate(
      "(getSelection().selectAllChildren(document.querySelector('.yaml')), `${getSelection()}`)",
    ),
  ).toBe("alertmanager:\n  retention: 240h\ncontroller:\n  replicas: 1\ngrafana: {}");
  await page.getByRole("link", { name: "App/org/empty" }).click();
  expect(await page.locator(".nothing").textContent()).toBe("No values are known in this stack.");
});

test("a key collapses the values below it, for as long as the page is open", async () => {
  const page = await show(small);
  const image = valuesOf(page).getByRole("button", { name: "image:" });
  const tag = valuesOf(page).locator(".key").filter({ hasText: /^tag$/ });
  await image.click();
  expect(await image.getAttribute("aria-expanded")).toBe("false");
  expect(await image.getAttribute("data-size")).toBe("2 values");
  expect(await tag.isVisible()).toBe(false);
  await page.getByRole("link", { name: "App/org/empty" }).click();
  await page.getByRole("link", { name: "App/org/shop", exact: true }).click();
  expect(await tag.isVisible()).toBe(false);
  await page.getByRole("searchbox").fill("tag");
  expect(await tag.isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  expect(await tag.isVisible()).toBe(false);
  // The browser's own search opens it.
  await page.evaluate("document.querySelector('[hidden]').dispatchEvent(new Event('beforematch'))");
  expect(await tag.isVisible()).toBe(true);
  await page.getByRole("button", { name: "Collapse all" }).press("Enter");
  expect(await valuesOf(page).locator(".text:visible").allTextContents()).toEqual([
    "info",
    "info",
    "(mapping)",
    "false",
  ]);
  await page.getByRole("button", { name: "values of ingress" }).press(" ");
  expect(await valuesOf(page).getByText("host").isVisible()).toBe(true);
  await page.getByRole("button", { name: "Expand all" }).click();
  const count = await valuesOf(page).locator(".text").count();
  await expect.poll(() => valuesOf(page).locator(".text:visible").count()).toBe(count);
});

test("only values that override another, on request", async () => {
  const page = await show(small);
  const only = page.getByRole("button", { name: "Overridden only" });
  await only.press("Enter");
  expect(await valuesOf(page).locator(".won .key").allTextContents()).toEqual([
    "replicas",
    "memory",
    "allowedRanges",
    "metrics",
    "logLevel",
    "ingress",
  ]);
  expect(await page.evaluate(focused)).toBe("Overridden only");
  expect(await only.getAttribute("aria-pressed")).toBe("true");
  const shown = page.getByRole("region", { name: "ConfigMap stack" }).locator(".shown");
  expect(await shown.textContent()).toBe("6 of 11 values that override another");
  await page.getByRole("searchbox").fill("replicas");
  expect(await shown.textContent()).toBe("1 of 11 values that override another with “replicas”");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "shop-region-east" }).click();
  expect(await valuesOf(page).locator(".won .key").allTextContents()).toEqual([
    "replicas",
    "allowedRanges",
    "ingress",
  ]);
  await only.click();
  expect(await valuesOf(page).locator(".won .key").count()).toBe(4);
});

test("a rendered value has places that it overrides, and no text of them", async () => {
  const [shop] = small.targets;
  const rendered = { of: "file", file: "default/values.yaml", line: 3 } as const;
  const target = {
    ...shop,
    stacks: shop?.stacks.map((stack) => ({
      ...stack,
      values: stack.values.map((value) =>
        value.path.at(-1) === "tag" ? { ...value, rendered: [rendered] } : value,
      ),
    })),
  } as ExplainedTarget;
  const page = await showLinked({ ...small, targets: [target] });
  await page.getByRole("button", { name: "Overridden only" }).click();
  const tag = valuesOf(page).getByRole("listitem").filter({ hasText: /^tag/ });
  expect(await tag.locator(".over").textContent()).toBe("over a value of its renderAdefault/values.yaml:3");
});

test("a layer under the pointer or with the focus lights up its values", async () => {
  const page = await show(small);
  const lit = async (): Promise<string[]> =>
    (await page.evaluate(
      "[...document.querySelectorAll('.row.lit')].map((row) => row.querySelector('.text').textContent)",
    )) as string[];
  await page.getByRole("button", { name: "shop-stage-prod" }).hover();
  const stage = ["3", "512Mi", "null", "info"];
  expect(await lit()).toEqual(stage);
  await page.locator(".won .badge").first().hover();
  expect(await lit()).toEqual(["5", "[10.1.0.0/16, 192.0.2.0/24]", "(mapping)", "shop.east.example.org"]);
  await page.locator("h1").hover();
  expect(await lit()).toEqual([]);
  await page.getByRole("button", { name: "shop-stage-prod" }).focus();
  expect(await lit()).toEqual(stage);
  await page.getByRole("searchbox").focus();
  expect(await lit()).toEqual([]);
});

test("a patch is a layer, and what it removes is listed; both lead to its lines", async () => {
  const at = (file: string, line: number) => ({ of: "file", file, line, column: 1 }) as const;
  const [base, patch] = [at("base/release.yaml", 4), at("prod/patch.yaml", 7)];
  const page = await showLinked({
    kind: "Explanation",
    version: 1,
    targets: [
      {
        kind: "HelmRelease",
        name: "shop",
        stacks: [
          {
            layers: [
              { id: "A", why: "own", slot: "spec.values", state: "apart", sets: 1, overridden: 1, at: base },
              {
                id: "B",
                why: "patch",
                slot: "spec.values",
                state: "apart",
                sets: 1,
                at: patch,
                replaces: [base],
              },
            ],
            runs: [],
            splits: [],
            values: [
              {
                path: ["replicas"],
                by: "B",
                text: "3",
                at: patch,
                over: [{ by: "A", text: "1", at: base, effect: "replaced" }],
              },
            ],
            removed: [{ path: ["debug"], at: patch, text: "true", was: base }],
          },
        ],
      },
    ],
  });
  expect(await page.locator(".layers").textContent()).toContain("a patch");
  expect(await page.locator(".layers").textContent()).toContain("replaces the text in base/release.yaml:4:1");
  const removed = page.getByRole("list", { name: "removed values" });
  expect(await removed.textContent()).toBe(
    "debug removed by prod/patch.yaml:7:1 was true base/release.yaml:4:1",
  );
  expect(await removed.locator("a.place").first().getAttribute("href")).toBe(
    "https://git.example/shop/blob/main/prod/patch.yaml#L7",
  );
});

test("a place leads to its line, unless its file has no link", async () => {
  const page = await showLinked(small);
  const links = await page.evaluate(
    "[...document.querySelectorAll('a.place')].map((each) => [each.textContent, each.href, each.target, each.rel])",
  );
  const about = ["_blank", "noopener noreferrer"];
  const start = "https://git.example/shop/blob/main";
  expect(links).toContainEqual(["apps/shop.yaml:1:1", `${start}/apps/shop.yaml#L1`, ...about]);
  expect(links).toContainEqual(["stages/prod.yaml:1:1", `${start}/stages/prod.yaml#L1`, ...about]);
  expect(links).toContainEqual(["stages/prod.yaml:12:17", `${start}/stages/prod.yaml#L12`, ...about]);
  expect(await page.getByText("regions/east.yaml:9:15").getAttribute("href")).toBeNull();
  const [file = ""] = page.url().split("#");
  await page.goto(`${file}#layer:ConfigMap/org/shop-base/values.yaml`);
  expect(await page.locator(".effects a.place").first().getAttribute("href")).toBe(
    `${start}/base/values.yaml#L9`,
  );
  const none = await show(small);
  expect(await none.locator("a.place").count()).toBe(0);
  const changed = await open(
    fileOf(
      pageOf(small, {
        template: template.replace("https://git", "javascript:alert(1)//git"),
        pathOf: (each) => each,
      }),
    ),
  );
  expect(await changed.locator("a.place").count()).toBe(0);
});

test("an address leads to its value whatever is chosen", async () => {
  const page = await show(small);
  const [file = ""] = page.url().split("#");
  const tag = `${file}#App/org/shop/ConfigMap/controller.image.tag`;
  const isThere = async (): Promise<void> => {
    await page.goto(tag);
    await expect.poll(() => page.locator(".here b").isVisible()).toBe(true);
    await page.goto(`${file}#App/org/shop`);
  };
  await page.getByRole("tab", { name: "Final YAML" }).click();
  await isThere();
  await page.getByRole("button", { name: "Collapse all" }).click();
  await isThere();
  await page.getByRole("button", { name: "Overridden only" }).click();
  await isThere();
  await page.getByRole("button", { name: "Overridden only" }).click();
  await page.getByRole("searchbox").fill("logLevel");
  await isThere();
});

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
  const times = await searchTimes(page, [
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
  ]);
  const nodes = (await page.evaluate("document.querySelectorAll('*').length")) as number;
  console.log(JSON.stringify({ shown, searches: times, search: median(times), nodes }));
  // The goals are 1,000 and 100 ms, on a machine that does nothing else.
  expect(shown).toBeLessThan(15_000);
  expect(median(times)).toBeLessThan(3000);
});

test("the picture in the docs can be drawn; VALUEFOLD_SCREENSHOT=1 draws it anew", async () => {
  const page = await show(small, "", { colorScheme: "light" });
  const isWanted = process.env["VALUEFOLD_SCREENSHOT"] === "1";
  const path = new URL("../../docs/explain.png", import.meta.url).pathname;
  const picture = await page.screenshot(isWanted ? { path } : {});
  expect(picture.length).toBeGreaterThan(50_000);
  expect(picture.length).toBeLessThan(150_000);
});
