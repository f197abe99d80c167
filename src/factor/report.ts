// What `factor` prints: how many lines there are before and after, what each option would save, and what to look at.
import { count } from "../core/index.ts";
import { ruleText } from "../merge/index.ts";
import type { Factored, FactoredFile } from "./factor.ts";
import { type MajorityValue, majorityValues, lostComments } from "./findings.ts";
import { baseName, contentLines, layersBelow, linesOf, middleName, settingsName } from "./outputs.ts";
import type { Variant } from "./variants.ts";

export interface ReportRequest {
  readonly sources: readonly FactoredFile[];
  readonly made: Factored;
  /** What else could be done; empty once files are written. */
  readonly variants: readonly Variant[];
  /** Whether values and comments are listed, or only counted. */
  readonly isFull: boolean;
}

/** Files that a line names. */
const mostNames = 3;

export function reportOf(request: ReportRequest): string {
  const { sources, made, variants } = request;
  const before = sources.reduce((sum, { bytes }) => sum + contentLines(bytes), 0);
  const rows = [
    [before, "as they are"] as const,
    [linesOf(made), "as a base and layers"] as const,
    ...variants.map((each) => [linesOf(each.made), `with ${each.flags}${noteOn(each.made)}`] as const),
  ];
  const table = rows.map(([lines, what]) => [shown(lines), (lines / Math.max(1, before)).toFixed(2), what]);
  return `${count(sources.length, "file")}, lines without comments\n${aligned(table)}\n${layerLines(request)}${notes(request)}`;
}

/** What rules for lists cost. */
function noteOn({ listKeys, reordered }: Factored): string {
  if (listKeys.length === 0) return "";
  const order = reordered === 0 ? "" : `, ${count(reordered, "list")} in another order`;
  return ` (${count(listKeys.length, "rule")}${order})`;
}

function layerLines({ sources, made }: ReportRequest): string {
  const layer = (name: string, text: Uint8Array, what: string): string[] => [
    name,
    shown(contentLines(text)),
    what,
  ];
  const rows = [
    layer(baseName, made.base.text, ""),
    ...made.middles.map(({ text, files }, index) =>
      layer(middleName(index), text, `for ${count(files.length, "file")}`),
    ),
    ...made.own.map(({ text }, file) => {
      const now = sources[file] === undefined ? "" : `of ${shown(contentLines(sources[file].bytes))}`;
      const below = layersBelow(made, file)
        .slice(1)
        .map((name) => `, over ${name}`);
      return layer(sources[file]?.name ?? "", text, now + below.join(""));
    }),
  ];
  return made.base.part === undefined && made.middles.length === 0 ? "nothing is shared\n" : aligned(rows);
}

function notes({ sources, made, variants, isFull }: ReportRequest): string {
  const rules = [...variants.map((each) => each.made), made].toSorted(
    (a, b) => b.listKeys.length - a.listKeys.length,
  )[0];
  const values = majorityValues(made);
  const comments = lostComments(sources, made);
  const middles = variants.find((each) => each.made.middles.length > 0)?.made ?? made;
  return [
    variants.length === 0 || middles === made ? "" : middleLines(middles, sources),
    listKeyLines(rules ?? made, made.listKeys.length > 0),
    made.reordered === 0 ? "" : `${count(made.reordered, "list")} come back in another order\n`,
    counted(values, "value", `of ${baseName} that some files override`, isFull, (each) =>
      valueLine(each, sources.length),
    ),
    counted(comments, "comment", "that no layer has", isFull, (place) => place),
  ].join("");
}

function middleLines({ middles }: Factored, sources: readonly FactoredFile[]): string {
  const rows = middles.map(({ text, files }, index) => {
    const names = files.map((file) => sources[file]?.name ?? "");
    const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
    return [
      middleName(index),
      shown(contentLines(text)),
      `for ${names.slice(0, mostNames).join(", ")}${more}`,
    ];
  });
  return `layers that --middle would add\n${aligned(rows)}`;
}

function listKeyLines({ listKeys }: Factored, isTaken: boolean): string {
  if (listKeys.length === 0) return "";
  const head = isTaken
    ? `${settingsName} has ${count(listKeys.length, "rule")} for lists: only valuefold merges these layers, Helm alone does not\n`
    : "rules for lists that save lines; with them only valuefold merges the layers, Helm alone does not\n";
  const rows = listKeys.map(({ rule, saved }) => [
    rule.path,
    ruleText(rule),
    saved > 0 ? `saves ${shown(saved)}` : "",
  ]);
  return head + aligned(rows);
}

function valueLine({ path, holders }: MajorityValue, files: number): string {
  return `${path}  ${holders} of ${files}`;
}

function counted<T>(
  found: readonly T[],
  what: string,
  where: string,
  isFull: boolean,
  lineOf: (one: T) => string,
): string {
  if (found.length === 0) return "";
  const head = `${count(found.length, what)} ${where}`;
  return isFull ? `${head}:\n${found.map((one) => `  ${lineOf(one)}\n`).join("")}` : `${head} (--list)\n`;
}

/** Columns; those of numbers end in line. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  const cell = (text: string, column: number): string =>
    /^[\d,.]+$/.test(text) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
  return rows
    .map((row) => `  ${row.map(cell).join("  ")}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}

/** 11,884 */
function shown(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
