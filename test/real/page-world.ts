// A real browser for tests of pages: everything it complains of is a fault of the test that caused it.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

interface PageWorld {
  /** What the browser complained of in this test; a test that expects some takes them out. */
  readonly faults: string[];
  readonly fileOf: (text: string, name?: string) => string;
  /** @param isStarted false for a page of which the script does not run */
  readonly open: (url: string, options?: BrowserContextOptions, isStarted?: boolean) => Promise<Page>;
}

/** Starts one browser for the tests of a file. */
export function pageWorld(): PageWorld {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-page-"));
  const faults: string[] = [];
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(faults.splice(0)).toEqual([]);
  });
  const fileOf = (text: string, name = "page.html"): string => {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name)).href;
  };
  /** Every request but the first, and those to the server that answered it, is a fault, too. */
  const open = async (url: string, options: BrowserContextOptions = {}, isStarted = true): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1200, height: 760 }, ...options });
    const page = await context.newPage();
    page.on("console", (message) => faults.push(`console: ${message.text()}`));
    page.on("pageerror", ({ message }) => faults.push(`error: ${message}`));
    const isOwn = (other: string): boolean =>
      /^https?:/.test(url)
        ? new URL(other).origin === new URL(url).origin
        : other === url.replace(/#.*/s, "");
    page.on("request", (request) => {
      if (!isOwn(request.url())) faults.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    // The script unpacks the data after the page is loaded.
    if (isStarted && (await page.locator("#data").count()) > 0)
      await page.locator("main").waitFor({ state: "attached" });
    return page;
  };
  return { faults, fileOf, open };
}

/** In the page: when it was first painted. */
export const painted = `new Promise((done) => new PerformanceObserver((all) => {
  for (const { name, startTime } of all.getEntries()) if (name === "first-contentful-paint") done(startTime);
}).observe({ type: "paint", buffered: true }))`;

export function median(times: readonly number[]): number {
  return Math.round(times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0);
}

/** What is wider than what it is in, or ends right of the window. */
export const tooWide = `[...document.querySelectorAll("html, body, body *")].filter((each) => {
  const { right, width } = each.getBoundingClientRect();
  return width > 0 && (right > innerWidth + 0.5 || (each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1));
}).map((each) => each.tagName + "." + each.className)`;

/** The main thread's own time for each search and the frame after it, in ms: what others do on the machine is not in it. */
export async function searchTimes(page: Page, queries: readonly string[]): Promise<number[]> {
  await page.waitForSelector("#search");
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const taken = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
  };
  const times: number[] = [];
  for (const query of queries) {
    const before = await taken();
    await page.evaluate(`new Promise((done) => {
      const input = document.querySelector("#search");
      input.value = ${JSON.stringify(query)};
      input.dispatchEvent(new Event("input"));
      requestAnimationFrame(() => setTimeout(done));
    })`);
    times.push(Math.round((await taken()) - before));
  }
  return times;
}
