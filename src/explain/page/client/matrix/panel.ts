// One cell in full: its value, which layer sets it and where, what it overrides, and which builds share it.
import type { ComparedCell, ComparedGroup, ComparedRow } from "../../../../comparison.ts";
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
      ? [element("p", { class: "nothing" }, "This build does not have the target.")]
      : valueParts(group, rank, build, sheet)),
    othersOf(decoded, rank, sheet),
  ];
}

function valueParts(group: ComparedGroup, rank: number, build: number, sheet: Sheet): Child[] {
  const cell = group.cells.find(({ builds }) => builds.includes(build));
  const total = group.cells.reduce((sum, { builds }) => sum + builds.length, 0);
  return [
    element("p", { class: "what" }, rankBadge(rank), " ", element("b", { class: "text" }, textOf(group))),
    ...(cell === undefined ? [] : originParts(cell, group)),
    element("h3", {}, `${count(total, "build")} with this value`),
    ...group.cells.map((each) => sharedBy(each, group.cells.length > 1, sheet)),
  ];
}

function textOf({ text, secret, unset }: ComparedGroup): string {
  if (unset === true) return "not set";
  return text ?? (secret === true ? "(secret)" : '""');
}

/** The winner, and what it overrides, highest first. */
function originParts({ by, at, over = [] }: ComparedCell, group: ComparedGroup): Child[] {
  if (group.unset === true && by === undefined) return [element("p", {}, "No layer sets this path.")];
  const owner = by === undefined ? {} : { name: by };
  const chain = over.map((value) => {
    const note = noteOf(group, value);
    return element(
      "li",
      { class: "over" },
      element("div", {}, "over ", element("del", { class: "text" }, contentOf(value, { query: "" }))),
      element("div", {}, `of ${value.by}`, note === "" ? "" : ` (${note})`),
      placed(placeText(value.at, { name: value.by }), ""),
    );
  });
  return [
    element("p", { class: "winner" }, "set by ", element("b", {}, by ?? "an unknown layer")),
    placed(placeText(at, owner), ""),
    chain.length === 0
      ? undefined
      : element("ul", { class: "chain", "aria-label": "What it overrides, highest first" }, ...chain),
  ];
}

function sharedBy({ builds, by, at }: ComparedCell, isOneOfSeveral: boolean, sheet: Sheet): HTMLElement {
  const items = builds.map((build) => element("li", {}, sheet.builds[build] ?? ""));
  const origin = [by ?? "", placeText(at, by === undefined ? {} : { name: by })].filter(
    (part) => part !== "",
  );
  return element(
    "div",
    { class: "shared" },
    isOneOfSeveral && origin.length > 0 ? element("p", { class: "note" }, origin.join(" · ")) : undefined,
    element("ul", { class: "builds" }, ...items),
  );
}

function othersOf({ groups }: ComparedRow, rank: number, sheet: Sheet): Child {
  if (groups.length < 2) return undefined;
  const items = groups.map((group, at) => {
    const builds = group.cells.flatMap((cell) => cell.builds);
    const who = builds.length === 1 ? (sheet.builds[builds[0] ?? 0] ?? "") : count(builds.length, "build");
    const attributes: Record<string, string> = at === rank ? { "aria-current": "true" } : {};
    return element(
      "li",
      attributes,
      rankBadge(at),
      " ",
      element("span", { class: "text" }, textOf(group)),
      element("span", { class: "note" }, ` ${who}`),
    );
  });
  const details = element(
    "details",
    {},
    element("summary", {}, `All ${count(groups.length, "value")} of this path`),
    element("ul", { class: "groups" }, ...items),
  );
  details.open = groups.length <= 12;
  return details;
}
