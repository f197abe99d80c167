// Of a key that a chart does not read: which one may be meant.
import { isSwapped, slipOf } from "../../diagnostic.ts";
import type { ChartFile, UnreadPath } from "../../explain/index.ts";
import { renderTemplates } from "../../engine/index.ts";
import { allCharts, type Chart } from "./chart.ts";
import { type KnownPath, knownIn, type TemplateRead } from "./known-keys.ts";

/** Its templates are read in a thread, which takes much memory: once for each chart. */
export async function knownKeys(chart: Chart): Promise<KnownPath> {
  return knownIn(chart, await readsOf(chart));
}

/** What the templates of each chart read. */
async function readsOf(chart: Chart): Promise<ReadonlyMap<Chart, readonly TemplateRead[]>> {
  const charts = allCharts(chart);
  const own = charts.map((each) => each.templates().filter(isTemplate));
  const files = new Map(own.flat().map(({ name, bytes }) => [name, Buffer.from(bytes).toString("utf8")]));
  const templates = own.map((all) => ({
    file: chart.shown,
    text: JSON.stringify(all.map(({ name }) => name)),
    values: "{}",
  }));
  const rendered = await renderTemplates({
    task: "reads",
    includes: new Map(),
    functions: new Map([["files", files]]),
    templates,
  });
  return new Map(
    charts.map((each, index) => {
      const answer = rendered[index];
      const isRead = answer !== undefined && "text" in answer;
      return [each, isRead ? (JSON.parse(answer.text) as readonly TemplateRead[]) : []];
    }),
  );
}

function isTemplate({ name }: ChartFile): boolean {
  return /\.(?:ya?ml|tpl|txt|json)$/.test(name);
}

/** Where a path that the chart does not read leaves what is known of it, and what may be meant. */
export function unreadPath(known: KnownPath, path: readonly string[]): UnreadPath {
  const end = endOf(path, known);
  if (end === undefined) return { path };
  const shown = path.slice(0, end.length);
  const near = nearOf(shown.at(-1) ?? "", end.known);
  if (near === undefined) return { path: shown };
  const found = [...shown.slice(0, -1), near, ...path.slice(end.length)];
  const isKnown = endOf(found, known) === undefined;
  return {
    path: shown,
    near: { key: near, at: end.known.children.get(near)?.at, ...(isKnown && { path: found }) },
  };
}

/** How many keys a path has where one is not known, and what is known above it; undefined if all are known. */
function endOf(
  path: readonly string[],
  known: KnownPath,
): { readonly length: number; readonly known: KnownPath } | undefined {
  let at = known;
  for (const [index, key] of path.entries()) {
    const next = at.children.get(key) ?? at.children.get("*");
    if (next === undefined) return { length: index + 1, known: at };
    at = next;
  }
  return undefined;
}

/** The same key in another spelling, or one that differs in a letter or two; of a short one two may be swapped, or one missing. */
function nearOf(key: string, { children }: KnownPath): string | undefined {
  const others = [...children.keys()].filter((each) => each !== "*");
  return (
    others.find((each) => plainly(each) === plainly(key)) ??
    slipOf(key, others) ??
    others.find((each) => isSwapped(key, each) || lacksLetter(key, each))
  );
}

/** `tg` is `tag` without a letter. */
function lacksLetter(key: string, other: string): boolean {
  const isLetterLess = (letter: string, at: number): boolean =>
    /[a-z]/i.test(letter) && other.slice(0, at) + other.slice(at + 1) === key;
  return key.length > 1 && Array.from(other).some(isLetterLess);
}

function plainly(key: string): string {
  return key.toLowerCase().replaceAll(/[-_.]/g, "");
}
