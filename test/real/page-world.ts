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
  readonly open: (url: string, options?: BrowserContextOptions) => Promise<Page>;
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
  const open = async (url: string, options: BrowserContextOptions = {}): Promise<Page> => {
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
