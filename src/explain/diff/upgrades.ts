// Charts of another version as text: what breaks, what is dead, what changes though the user does nothing, what is new.
import type { ChartUpgrade, ReachedField, UpgradedTarget, UpgradeFinding } from "../../difference.ts";
import { count } from "../../core/index.ts";
import { pathText } from "../../merge/index.ts";
import { type Cell, columns } from "../columns.ts";
import { cutAround } from "../cut-around.ts";
import { placeText } from "../places.ts";

/** A line: what happens, to which value, of which text to which, where it is set, and what is said of it. */
export interface UpgradeRow {
  readonly what: string;
  readonly path: string;
  /** Of a default alone: `1 → 2`. */
  readonly values: string;
  readonly place: string;
  readonly about: string;
}

/** So many of a kind are shown, unless the user wants all. */
const fewRows = 10;

export function titleOfUpgrade(upgrade: ChartUpgrade): string {
  return `${stepOf(upgrade)}, in ${namesOf(upgrade.targets, upgrade.targets)}`;
}

/** `chart shop 1.2.0 → 2.0.0`; the version before is empty where none is named. */
export function stepOf({ chart, from, to }: Pick<ChartUpgrade, "chart" | "from" | "to">): string {
  return `chart ${from === "" ? chart : `${chart} ${from}`} → ${to}`;
}

const fewNames = 8;

/** The builds, where there are several; else names alone, if no two of all are alike. */
function namesOf(some: readonly UpgradedTarget[], all: readonly UpgradedTarget[]): string {
  const own = ({ target }: UpgradedTarget): string => target.slice(target.lastIndexOf("/") + 1);
  const isAlone = new Set(all.map(own)).size === all.length && all.length > 1;
  const names = [...new Set(some.map((each) => each.build ?? (isAlone ? own(each) : each.target)))];
  const rest = names.length - fewNames;
  return [...names.slice(0, fewNames), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

/** @param width of the terminal, if the text goes there */
export function upgradeLines(
  upgrade: ChartUpgrade,
  isVerbose: boolean,
  width: number | undefined,
): readonly string[] {
  const cells = rowsOf(upgrade, isVerbose).map(({ what, path, values, place, about }, index, all): Cell[] => [
    { text: `  ${what.padEnd(wordWidth)}` },
    { text: path },
    values === "" ? { text: place, holds: "place" } : { text: values, holds: "value" },
    // What is said of all defaults is said of the first.
    { text: values !== "" && about === all[index - 1]?.about ? "" : about },
  ]);
  const lines = columns(cells, { most: widestCell, width });
  return [titleOfUpgrade(upgrade), ...uncomparedLines(upgrade), ...lines, ...closingOf(upgrade)];
}

/** `versions`. */
const wordWidth = 8;
const widestCell = 56;

function uncomparedLines({ notCompared, targets }: ChartUpgrade): readonly string[] {
  return notCompared.flatMap(({ reason, commands, in: some }) => {
    const where = some.length === targets.length ? "" : `, in ${namesOf(some, targets)}`;
    return [`  not compared: ${reason}${where}`, ...commands.map((each) => `    ${each}`)];
  });
}

/** In the order of their weight. */
export function rowsOf({ findings, targets }: ChartUpgrade, isVerbose: boolean): readonly UpgradeRow[] {
  const rowOf = (finding: UpgradeFinding): UpgradeRow => rowIn(finding, targets);
  const shown = ["breaks", "dead", "changed", "default"] as const;
  const most = isVerbose ? Number.POSITIVE_INFINITY : fewRows;
  const rows = shown.flatMap((what) => {
    const all = findings.filter((each) => each.what === what);
    const rest = all.length - most;
    const more = { what, path: `${rest} more`, values: "", place: "", about: "all with -v" };
    return [...all.slice(0, most).map(rowOf), ...(rest > 0 ? [more] : [])];
  });
  const quiet = ["required", "untried", "dead-before"] as const;
  const others = quiet.flatMap((what) => {
    const all = findings.filter((each) => each.what === what);
    if (isVerbose) return all.map(rowOf);
    return all.length === 0 ? [] : [countedRow(what, all)];
  });
  return [...rows, ...others];
}

const words = {
  breaks: "breaks",
  dead: "dead",
  changed: "changed",
  default: "default",
  required: "new",
  untried: "unknown",
  "dead-before": "unread",
} as const;

const abouts = {
  required: ["required key", "the schema requires it now"],
  untried: ["value", "no render says what it does"],
  "dead-before": ["value", "nothing read it before, either"],
} as const;

function countedRow(what: keyof typeof abouts, all: readonly UpgradeFinding[]): UpgradeRow {
  const [name, about] = abouts[what];
  const paths = all.slice(0, 3).map(({ path }) => pathText(path));
  const listed = [...paths, ...(all.length > 3 ? ["…"] : [])].join(", ");
  const path = count(all.length, name);
  return { what: words[what], path, values: "", place: "", about: `${about}: ${listed}` };
}

function rowIn(finding: UpgradeFinding, targets: readonly UpgradedTarget[]): UpgradeRow {
  const { what, path, at, from, to, in: some } = finding;
  const isEverywhere = some === undefined || some.length === targets.length;
  const where = isEverywhere ? "" : `, in ${namesOf(some, targets)}`;
  const places = new Set((some ?? []).map((each) => JSON.stringify(each.at)));
  const more = places.size > 1 ? ` and ${count(places.size - 1, "other place")}` : "";
  return {
    what: words[what],
    path: path.length === 0 ? "(chart)" : pathText(path),
    values: what === "default" ? cutAround([from ?? "(unset)", to ?? "(unset)"]).join(" → ") : "",
    place: at === undefined ? "" : `${placeText(at, "")}${more}`,
    about: `${aboutOf(finding)}${where}`,
  };
}

function aboutOf({
  what,
  was,
  is,
  reason = "",
  tried,
  near,
  lost = [],
  gained = [],
}: UpgradeFinding): string {
  switch (what) {
    case "breaks":
      return `${was === undefined ? "" : `its default was a ${was}, is a ${is}; `}the render fails: ${reason}`;
    case "dead": {
      const instead = near === undefined ? "" : `; the chart reads ${pathText(near.path)}`;
      return `${tried === true ? "nothing changes without it now" : "nothing reads it now"}${instead}`;
    }
    case "changed":
      return changedText(lost, gained);
    case "default":
      return "you rely on it: it is set nowhere";
    case "required":
    case "untried":
    case "dead-before":
      return abouts[what][1];
  }
}

/** What is in a field as another text is in both lists. */
function changedText(lost: readonly ReachedField[], gained: readonly ReachedField[]): string {
  const [old, now] = [lost, gained].map((all) => new Set(all.map(fieldText)));
  const both = [...(old ?? [])].filter((each) => now?.has(each));
  const parts = [
    ["makes something else of", both],
    ["is no more in", [...(old ?? [])].filter((each) => !both.includes(each))],
    ["is now in", [...(now ?? [])].filter((each) => !both.includes(each))],
  ] as const;
  return parts.flatMap(([verb, all]) => (all.length === 0 ? [] : [`${verb} ${fewOf(all)}`])).join("; ");
}

function fewOf(all: readonly string[]): string {
  const [first = ""] = all;
  return all.length < 2 ? first : `${first} and ${count(all.length - 1, "other field")}`;
}

function fieldText({ kind, name, path }: ReachedField): string {
  return `${kind}/${name}${path.length === 0 ? "" : ` ${path.join(".").replaceAll(".[", "[")}`}`;
}

function closingOf(upgrade: ChartUpgrade): readonly string[] {
  const { versions } = upgrade;
  const shown = versions.map(({ of, from = "(unset)", to = "(unset)" }) => `${of} ${from} → ${to}`);
  const own = shown.length === 0 ? [] : [`  versions  ${shown.join(", ")}`];
  return [...own, ...(isJudged(upgrade) ? [`  same      ${sameText(upgrade)}`] : [])];
}

export function sameText({ same, sameDefaults }: ChartUpgrade): string {
  const defaults = `${count(sameDefaults, "default")} that you do not use, or by which nothing changes`;
  return `${count(same, "value")} of yours${sameDefaults === 0 ? "" : `; ${defaults}`}`;
}

/** False where no target was compared to the end: then it is not known how many values are the same. */
export function isJudged({ notCompared, targets }: ChartUpgrade): boolean {
  return notCompared.flatMap((each) => each.in).length < targets.length;
}

/** What is wrong with upgrades, in a few words. */
export function upgradeTotals(upgrades: readonly ChartUpgrade[]): string {
  const all = upgrades.flatMap(({ findings }) => findings).filter(({ path }) => path.length > 0);
  const [breaks, dead] = (["breaks", "dead"] as const).map((what) =>
    all.filter((each) => each.what === what),
  );
  const parts = [
    ...(breaks?.length
      ? [`${count(breaks.length, "value")} ${breaks.length === 1 ? "breaks" : "break"} it`]
      : []),
    ...(dead?.length ? [`${count(dead.length, "value")} ${dead.length === 1 ? "is" : "are"} dead`] : []),
  ];
  return [count(upgrades.length, "chart upgrade"), ...parts].join(", ");
}
