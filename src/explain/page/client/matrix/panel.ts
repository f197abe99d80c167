// One cell in full: its value, which layer sets it and where, what it overrides, and which builds share it.
import type { ComparedCell, ComparedGroup, ComparedRow } from "../../../../comparison.ts";
import type { Place } from "../../../../explanation.ts";
import { type Child, element, placed } from "../dom.ts";
import { contentOf, noteOf } from "../values-tree.ts";
import { count, placeText } from "../words.ts";
import { rankBadge } from "./cells.ts";
import type { Sheet } from "./sheet.ts";

export function panelContent(sheet: Sheet, row: number, build: number): Child[] {
  const decoded = sheet.decoded(row);
  const { table = 0, text = "" } = sheet.rows[row] ?? {};
  const rank = decoded.groups.findIndex(({ cells }) => cells.some(({ builds }) => builds.includes(build)));
  const group = decoded.groups[rank];
  const title = [sheet.tables[table]?.title ?? "", decoded.stack ?? ""]
    .filter((part) => part !== "")
    .join(" · ");
  return [
    element("p", { class: "place" }, title),
    element("h2", {}, text === "" ? "everything" : text),
    element("p", { class: "shown" }, `in ${sheet.builds[build] ?? ""}`),
    ...(group === undefined
      ? [element("p", { class: "nothing" }, missingText(sheet.isAbsent(row, build)))]
      : valueParts(group, rank, build, sheet)),
    othersOf(decoded, rank, sheet),
  ];
}

function missingText(isAbsent: boolean): string {
  return isAbsent ? "This build does not have the target." : "This build could not be compared.";
}

function valueParts(group: ComparedGroup, rank: number, build: number, sheet: Sheet): Child[] {
  const cell = group.cells.find(({ builds }) => builds.includes(build));
  const total = group.cells.reduce((sum, { builds }) => sum + builds.length, 0);
  return [
    element("p", { class: "what" }, rankBadge(rank), " ", element("b", { class: "text" }, textOf(group))),
    ...(cell === undefined ? [] : originParts(cell, group)),
    element("h3", {}, `${count(total, "build")} with this value`),
    ...sharedParts(group, sheet),
  ];
}

function textOf({ text, secret, unset }: ComparedGroup): string {
  if (unset === true) return "not set";
  return text ?? (secret === true ? "(secret)" : '""');
}

/** The winner, and what it overrides, highest first. */
function originParts({ by, at, over = [] }: ComparedCell, group: ComparedGroup): Child[] {
  if (group.unset === true && by === undefined) return [element("p", {}, "No layer sets this path.")];
  const chain = over.map((value) => {
    const note = noteOf(group, value);
    const text = element("del", { class: "text" }, contentOf(value, { query: "" }));
    const what = element("div", {}, "over ", text, note === "" ? "" : ` (${note})`);
    return element("li", { class: "over" }, what, ...originOf(value, "of"));
  });
  const label = "What it overrides, highest first";
  return [
    ...originOf({ by, at }, "set by"),
    chain.length === 0 ? undefined : element("ul", { class: "chain", "aria-label": label }, ...chain),
  ];
}

/** A layer and its place; the place alone if it starts with the layer, as that of a values file does. */
function originOf({ by, at }: Origin, verb: string): Child[] {
  const place = placeText(at, by === undefined ? {} : { name: by });
  if (by === undefined)
    return [place === "" ? element("p", {}, `${verb} an unknown layer`) : placed(place, "")];
  if (place.startsWith(by)) return [element("p", {}, `${verb} `, element("b", {}, place))];
  return [element("p", {}, `${verb} `, element("b", {}, by)), placed(place, "")];
}

type Origin = { readonly by: string | undefined; readonly at?: Place | undefined };

/** Builds of a group by origin: what lies below does not part them. */
function sharedParts({ cells }: ComparedGroup, sheet: Sheet): Child[] {
  const origins = new Map<string, { readonly origin: Child[]; readonly builds: number[] }>();
  for (const { by, at, builds } of cells) {
    const key = JSON.stringify([by, at]);
    const found = origins.get(key) ?? { origin: originOf({ by, at }, "set by"), builds: [] };
    origins.set(key, found);
    found.builds.push(...builds);
  }
  return [...origins.values()].flatMap(({ origin, builds }) => {
    const items = builds
      .toSorted((a, b) => a - b)
      .map((build) => element("li", {}, sheet.builds[build] ?? ""));
    const head = origins.size === 1 ? undefined : element("div", { class: "origin" }, ...origin);
    return [head, element("ul", { class: "builds" }, ...items)];
  });
}

/** More values than these are listed on a click: there may be one for each build. */
const few = 12;

function othersOf({ groups }: ComparedRow, rank: number, sheet: Sheet): Child {
  if (groups.length < 2) return undefined;
  const list = element("ul", { class: "groups" });
  const fill = (): void =>
    list.append(...groups.map((group, at) => groupItem(group, at, at === rank, sheet)));
  const summary = element("summary", {}, `All ${count(groups.length, "value")} of this path`);
  const details = element("details", {}, summary, list);
  details.open = groups.length <= few;
  if (details.open) fill();
  else details.addEventListener("toggle", fill, { once: true });
  return details;
}

function groupItem(group: ComparedGroup, at: number, isCurrent: boolean, sheet: Sheet): HTMLElement {
  const builds = group.cells.flatMap((cell) => cell.builds);
  const who = builds.length === 1 ? (sheet.builds[builds[0] ?? 0] ?? "") : count(builds.length, "build");
  return element(
    "li",
    isCurrent ? { "aria-current": "true" } : {},
    rankBadge(at),
    " ",
    element("span", { class: "text" }, textOf(group)),
    element("span", { class: "note" }, ` ${who}`),
  );
}
