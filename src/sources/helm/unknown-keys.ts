// Keys of given values that no default and no template of a chart knows: nothing reads them. What cannot be known counts as known.
import { type Diagnostic, isSwapped, slipOf } from "../../diagnostic.ts";
import { type NearPath, positionOf, type StackDocument } from "../../explain/index.ts";
import { renderTemplates } from "../../render/index.ts";
import type { Chart, ChartFile } from "./chart.ts";
import { type KnownPath, knownIn, type TemplateRead } from "./known-keys.ts";
import { leavesIn, treeOf } from "./value-tree.ts";

/** @param given the documents over the chart */
export function unknownKeys(
  chart: Chart,
  known: KnownPath,
  given: readonly StackDocument[],
): readonly Diagnostic[] {
  return given.flatMap((document, number) => unknownIn(document, number, { chart, known }));
}

/** Its templates are read in a thread, which takes much memory: once for each chart. */
export async function knownKeys(chart: Chart): Promise<KnownPath> {
  return knownIn(chart, await readsOf(chart));
}

/** What the templates of each chart read. */
async function readsOf(chart: Chart): Promise<ReadonlyMap<Chart, readonly TemplateRead[]>> {
  const charts = allOf(chart);
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
      // Without an answer everything may be read.
      const all: readonly TemplateRead[] = isRead
        ? (JSON.parse(answer.text) as readonly TemplateRead[])
        : [{ path: [], whole: true, file: "", line: 0 }];
      return [each, all];
    }),
  );
}

function allOf(chart: Chart): readonly Chart[] {
  return [chart, ...chart.subcharts.flatMap(allOf)];
}

function isTemplate({ name }: ChartFile): boolean {
  return /\.(?:ya?ml|tpl|txt|json)$/.test(name);
}

interface Checking {
  readonly chart: Chart;
  readonly known: KnownPath;
}

function unknownIn(document: StackDocument, number: number, { chart, known }: Checking): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  // Places in a Secret would show how long its values are.
  if (document.isSecret) return [];
  for (const { path, leaf, written } of leavesIn(treeOf(document, number))) {
    const end = endOf(path, known);
    const at = leaf?.value.at ?? written?.at ?? document.at();
    if (end === undefined) continue;
    const shown = path.slice(0, end.length).join(".");
    const [key = ""] = path.slice(end.length - 1);
    const near = nearOf(key, end.known);
    const hint =
      near === undefined
        ? "remove it, or correct it"
        : `it reads \`${near}\`${end.known.children.get(near)?.at === undefined ? "" : `, ${end.known.children.get(near)?.at}`}`;
    if (!found.has(shown))
      found.set(shown, {
        code: near === undefined ? "unread-key" : "unknown-key",
        severity: "warning",
        message: `the chart \`${chart.name}\` reads no \`${shown}\``,
        hint,
        ...(at && { at: positionOf(at) }),
      });
  }
  return [...found.values()];
}

/** Where a path leaves what is known: how many keys it has there, and what is known above; undefined if it does not. */
function endOf(
  path: readonly string[],
  known: KnownPath,
): { readonly length: number; readonly known: KnownPath } | undefined {
  let at = known;
  for (const [index, key] of path.entries()) {
    // Nothing is known of what is in it: a mapping that the user fills.
    if (!at.isClosed && (at.isOpen || at.children.size === 0)) return undefined;
    const next = at.children.get(key) ?? at.children.get("*");
    if (next === undefined) return { length: index + 1, known: at };
    at = next;
  }
  return undefined;
}

/** A path that the chart knows in place of one that it does not; the keys behind the one that is meant stay. */
export function nearPath(known: KnownPath, path: readonly string[]): NearPath | undefined {
  const end = endOf(path, known);
  if (end === undefined) return undefined;
  const start = path.slice(0, end.length - 1);
  const near = nearOf(path[end.length - 1] ?? "", end.known);
  if (near === undefined) return undefined;
  const found = [...start, near, ...path.slice(end.length)];
  return endOf(found, known) === undefined
    ? { path: found, at: end.known.children.get(near)?.at }
    : undefined;
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
