// The documentation site as `npm run site` builds it, in a real browser: links, phones, both themes, search.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressOf, checkedPages, groups } from "../../site/.vitepress/pages.ts";
import { pageWorld } from "./page-world.ts";

const root = new URL("../../", import.meta.url).pathname;
const built = join(root, "site/dist");
const repository = "https://github.com/valuefold/valuefold";
const types: { readonly [ending: string]: string } = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

const { open } = pageWorld();
let site = "";

const fileOf = (path: string): string => join(built, path.endsWith("/") ? `${path}index.html` : path);

const server = createServer(({ url = "" }, response) => {
  const file = fileOf(new URL(url, "http://site").pathname);
  const status = existsSync(file) ? 200 : 404;
  response.writeHead(status, { "content-type": types[extname(file)] ?? "application/octet-stream" });
  response.end(status === 200 ? readFileSync(file) : "");
});

beforeAll(async () => {
  // Not the whole of it: other tests run the program that it builds.
  execFileSync("npm", ["run", "site:pages"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

/** What is wrong with a link in the HTML of a page; an empty text if nothing is. */
function faultOf(link: string, page: string): string {
  const { origin, pathname, hash } = new URL(link, `http://site/${page}`);
  if (origin !== "http://site") {
    const [, path] = new RegExp(`^${repository}/(?:blob|edit|tree)/main/([^#]*)`).exec(link) ?? [];
    return path === undefined || existsSync(join(root, path)) ? "" : "no such file in the repository";
  }
  const file = fileOf(pathname);
  if (!existsSync(file)) return "no such file";
  const anchor = decodeURIComponent(hash.slice(1));
  return anchor === "" || readFileSync(file, "utf8").includes(` id="${anchor}"`) ? "" : "no such anchor";
}

test("no link, picture or anchor is dead", () => {
  const files = readdirSync(built, { recursive: true, encoding: "utf8" });
  const pages = files.filter((file) => file.endsWith(".html"));
  expect(pages.length).toBe(checkedPages().length + ["404", "explain", "compare"].length);
  const dead = pages.flatMap((page) => {
    const links = [...readFileSync(join(built, page), "utf8").matchAll(/\s(?:href|src)="([^"]*)"/g)];
    return links
      .map(([, link = ""]) => [page, link, faultOf(link.replaceAll("&amp;", "&"), page)])
      .filter(([, , fault]) => fault !== "");
  });
  expect(dead).toEqual([]);
});

test("a page in no group, in two, or missing is named", () => {
  const [start, ...others] = groups;
  const wrong = [{ text: "Start", pages: { "docs/gone.md": "Gone", "docs/flux.md": "Flux" } }, ...others];
  expect(start?.text).toBe("Start");
  expect(() => checkedPages(wrong)).toThrow(
    `site/.vitepress/pages.ts:
  docs/compared-with.md is in no group: add it to one
  docs/concepts.md is in no group: add it to one
  docs/install.md is in no group: add it to one
  docs/tutorial.md is in no group: add it to one
  README.md is in no group: add it to one
  docs/gone.md is in a group, and missing
  docs/flux.md is in two groups`,
  );
});

test("no page is wider than a phone", async () => {
  const page = await open(site, { viewport: { width: 360, height: 760 } });
  const wide: unknown[] = [];
  for (const each of checkedPages()) {
    await page.goto(site + addressOf(each));
    const width = await page.evaluate("document.documentElement.scrollWidth");
    if (width !== 360) wide.push([each, width]);
  }
  expect(wide).toEqual([]);
});

describe.for(["light", "dark"] as const)("in a %s scheme", (colorScheme) => {
  test.for([
    "/",
    "/docs/tutorial.html",
    "/docs/faults.html",
    "/docs/settings.html",
    "/docs/performance.html",
  ])("axe finds nothing in %s", async (path) => {
    const page = await open(site + path, { colorScheme });
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });
});

test("search finds a setting, and leads to its section", async () => {
  const page = await open(site);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill("nameReference");
  await page.locator('.result[href*="/docs/settings.html#"]').first().click();
  await page.waitForURL(/\/docs\/settings\.html#./);
  await expect.poll(() => page.locator("h1").textContent()).toContain("Settings");
});

test("links of README lead to pages of the site, and to the repository", async () => {
  const page = await open(site);
  const outside = page.locator(`.vp-doc a[href="${repository}/blob/main/ARCHITECTURE.md"]`);
  expect(await outside.count()).toBe(1);
  const edit = page.locator(".edit-link-button");
  expect(await edit.getAttribute("href")).toBe(`${repository}/edit/main/README.md`);
  const link = page.locator('.vp-doc a[href^="./docs/"]').first();
  const target = new URL((await link.getAttribute("href")) ?? "", site).href;
  await link.click();
  await expect.poll(() => page.url()).toBe(target);
  await expect.poll(() => page.locator("h1").textContent()).not.toMatch(/^valuefold\b/);
});

test("the live examples open from the sidebar", async () => {
  const page = await open(site);
  await page.getByRole("link", { name: "explain: two targets" }).click();
  await expect.poll(() => page.locator("h1").textContent()).toBe("HelmRelease/shop/shop");
  const place = page.locator("a.place").first();
  expect(await place.getAttribute("href")).toMatch(`${repository}/blob/main/examples/lists/base.yaml#L`);
  await page.goBack();
  await page.getByRole("link", { name: "compare: three builds" }).click();
  await expect.poll(() => page.getByText("replicaCount").count()).toBeGreaterThan(0);
});

test("the plot is the one in docs", async () => {
  const page = await open(`${site}/docs/performance.html`);
  const plot = (await page.locator('.vp-doc img[src$=".svg"]').getAttribute("src")) ?? "";
  expect(readFileSync(fileOf(plot), "utf8")).toBe(readFileSync(join(root, "docs/performance.svg"), "utf8"));
});
