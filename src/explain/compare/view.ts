// A comparison as text: a path a paragraph, the value that most builds have first.
import type {
  ComparedCell,
  ComparedGroup,
  ComparedRow,
  ComparedTarget,
  Comparison,
} from "../../comparison.ts";
import { count } from "../../core/index.ts";
import { legible } from "../../report/index.ts";
import { pathText } from "../../merge/index.ts";
import { hidden } from "../block.ts";
import { type Cell, columns, type TableLayout } from "../columns.ts";
import { placeText } from "../places.ts";
import { titleOf } from "../titles.ts";
import type { ViewOptions } from "../view.ts";
import { sizeOf } from "./rows.ts";

/** How many builds are named, and the width of the terminal. */
interface ComparisonLook extends Pick<TableLayout, "width"> {
  readonly most: number;
}

/** Verbose: with the names of all builds, and nothing is shortened. */
export function renderComparison(
  comparison: Comparison,
  { isVerbose = false, width }: Pick<ViewOptions, "isVerbose" | "width"> = {},
): string {
  const view = { most: isVerbose ? Infinity : fewNames, width };
  const parts = comparison.targets.flatMap((target) => {
    const lines = targetLines(target, comparison.builds, view);
    return lines.length === 0 ? [] : [lines.map((line) => `${line}\n`).join("")];
  });
  const { unread } = comparison;
  const blind = unread.length === 0 ? [] : ["not compared:", ...unread.map((each) => `  ${legible(each)}`)];
  const closing = [foundIn(comparison), ...blind].map((line) => `${line}\n`).join("");
  return [...parts, closing].join(parts.length > 0 ? "\n" : "");
}

/** The last line, with what was not compared. */
export function totalOf(comparison: Comparison): string {
  const { unread } = comparison;
  const blind = unread.length === 0 ? "" : `; not compared: ${unread.join(", ")}`;
  return `${foundIn(comparison)}${blind}`;
}

/** `3 of 120 values differ in 40 builds`. */
function foundIn({ builds, targets }: Comparison): string {
  const differing = targets.reduce((sum, { rows }) => sum + rows.filter(differs).length, 0);
  const equal = targets.reduce((sum, each) => sum + each.equal, 0);
  const found =
    differing === 0
      ? "no value differs"
      : `${differing} of ${count(differing + equal, "value")} ${differing === 1 ? "differs" : "differ"}`;
  const lacking = targets.filter(({ absentIn = [] }) => absentIn.length > 0).length;
  const some = lacking === 0 ? "" : `, ${lacking} of them not in all builds`;
  return `${found} in ${count(builds.length, "build")}, ${count(targets.length, "target")}${some}`;
}

function differs({ groups }: ComparedRow): boolean {
  return groups.length > 1;
}

/** No value is written like these. */
export function valueText({ text, secret, unset }: ComparedGroup): string {
  return unset === true ? "(unset)" : secret === true ? hidden : (text ?? "");
}

/** `ConfigMap stack: image.tag`, where a target has several stacks. */
export function rowTitle({ stack, path }: ComparedRow): string {
  return stack === undefined ? pathText(path) : `${stack}: ${pathText(path)}`;
}

/** Where the value of a cell is; empty where nothing sets it. */
export function originText({ by, at }: ComparedCell): string {
  return by === undefined ? "" : placeText(at, by);
}

function targetLines(target: ComparedTarget, builds: readonly string[], view: ComparisonLook): string[] {
  const { absentIn = [], rows } = target;
  const { most, width } = view;
  if (rows.length === 0 && absentIn.length === 0) return [];
  const absent = absentIn.length === 0 ? [] : [legible(`  is not in ${namesOf(absentIn, builds, most)}`)];
  const cells = rows.flatMap((row) => {
    const named = buildsTexts(row.groups, builds, fewNames, most);
    return row.groups.map((group, index): Cell[] => [
      { text: `  ${index === 0 ? rowTitle(row) : ""}` },
      { text: valueText(group), holds: "value" },
      { text: named[index] ?? "" },
      { text: index === 0 && sizeOf(group) > fewNames ? "" : originsText(group), holds: "place" },
    ]);
  });
  return [legible(titleOf(target)), ...absent, ...columns(cells, { most: widestColumn, width })];
}

const widestColumn = 40;
const fewNames = 3;

/** The builds of each group. The value that most have may be of many; which ones differ from it is always said. */
export function buildsTexts(
  groups: readonly ComparedGroup[],
  builds: readonly string[],
  few: number,
  most = mostNames,
): readonly string[] {
  return groups.map(({ cells }, index) => {
    const numbers = cells.flatMap((cell) => cell.builds).toSorted((a, b) => a - b);
    return index === 0 && numbers.length > few
      ? count(numbers.length, "build")
      : namesOf(numbers, builds, most);
  });
}

const mostNames = 12;

/** One more than the bound takes no more room than its number. */
function namesOf(numbers: readonly number[], builds: readonly string[], bound: number): string {
  const most = numbers.length === bound + 1 ? numbers.length : bound;
  const names = numbers.slice(0, most).map((number) => builds[number] ?? "");
  const rest = numbers.length - most;
  return names.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function originsText({ cells }: ComparedGroup): string {
  const places = [...new Set(cells.map(originText))].filter((text) => text !== "");
  return places.length > 2 ? count(places.length, "place") : places.join(", ");
}
