// One target in all builds: each path that differs, its values with the most common one first, and for each value the
// builds that have it, which layer sets it there, and what that overrides.
import type {
  ComparedCell,
  ComparedGroup,
  ComparedRow,
  ComparedTarget,
  Comparison,
} from "../../../comparison.ts";
import type { Place } from "../../../explanation.ts";
import { pathText } from "../../../merge/index.ts";
import { stackAddress, valueAddress } from "./addresses.ts";
import { button, type Child, element, link, marked, note, placed } from "./dom.ts";
import type { ListedSubject } from "./subject.ts";
import { contentOf, hereAttributes, noteOf } from "./values-tree.ts";
import { count, placeText } from "./words.ts";

/** A target in the list. */
export interface ComparedChapter extends ListedSubject {
  readonly target: ComparedTarget;
}

interface TableView {
  readonly comparison: Comparison;
  readonly rows: readonly ComparedRow[];
  readonly query: string;
  readonly here: string;
}

interface RowView extends TableView {
  readonly address: string;
}

/** Paths that are shown at once; the next ones on a click. */
const paths = 200;
/** Lines of a path, and builds of a line: the others on a click. */
const few = 8;

const columns = ["Path", "Value", "Builds", "From"];

export function comparisonView({ title, address, target }: ComparedChapter, view: TableView): Child[] {
  const { builds } = view.comparison;
  const { equal, absentIn = [], rows } = target;
  const absent = absentIn.map((build) => builds[build] ?? "");
  const shown = view.rows.length === rows.length ? "" : `${view.rows.length} of `;
  // With --all they are among the rows.
  const hasEqual = rows.some(({ groups }) => groups.length === 1);
  const more = equal === 0 || hasEqual ? "" : `; ${equal} more have one value in all builds`;
  return [
    element("h1", {}, questionAbout(title, builds)),
    ...unreadParts(view.comparison),
    absent.length === 0 ? undefined : listed(`not in ${count(absent.length, "build")}`, absent),
    element("p", { class: "shown" }, `${shown}${count(rows.length, "path")}${more}`),
    ...tableOf({ ...view, address }),
  ];
}

/** `What differs in HelmRelease/shop/web between eu and us?` */
function questionAbout(title: string, builds: readonly string[]): string {
  const last = builds.at(-1) ?? "";
  const names =
    builds.length > 3 ? count(builds.length, "build") : `${builds.slice(0, -1).join(", ")} and ${last}`;
  return `What differs in ${title} between ${names}?`;
}

/** What a page must not pass over: where it is, nothing is known. */
export function unreadParts({ unread }: Comparison): Child[] {
  return unread.length === 0
    ? []
    : [listed(`${count(unread.length, "thing")} could not be compared`, unread)];
}

function listed(title: string, names: readonly string[]): HTMLElement {
  const items = names.map((name) => element("li", {}, name));
  return element("details", {}, element("summary", {}, title), element("ul", {}, ...items));
}

function tableOf(view: RowView): Child[] {
  const { rows, here } = view;
  if (rows.length === 0) return [];
  const head = columns.map((name) =>
    element("th", { scope: "col", class: `cell-${name.toLowerCase()}` }, name),
  );
  const table = element(
    "table",
    { class: "layers compared", "aria-label": "Paths and their values" },
    element("thead", {}, element("tr", {}, ...head)),
  );
  const more = button("", () => show(shown + paths));
  let shown = 0;
  const show = (end: number): void => {
    table.append(...rows.slice(shown, end).map((row) => rowBody(row, view)));
    shown = Math.min(end, rows.length);
    more.hidden = shown === rows.length;
    more.textContent = `Show ${Math.min(paths, rows.length - shown)} more of ${count(rows.length - shown, "path")}`;
  };
  const wanted = rows.findIndex((row) => addressOf(row, view) === here);
  show(Math.max(paths, Math.ceil((wanted + 1) / paths) * paths));
  return [table, more];
}

function addressOf({ stack, path }: ComparedRow, { address }: RowView): string {
  return valueAddress(stackAddress(address, stack === undefined ? {} : { kind: stack }), path);
}

/** A path, with a line for each of its values and origins. */
function rowBody(row: ComparedRow, view: RowView): HTMLElement {
  const { stack, path, groups } = row;
  const address = addressOf(row, view);
  const body = element("tbody", address === view.here ? hereAttributes : {});
  const name = link(
    address,
    { class: "key", title: "Link to this path" },
    marked(pathText(path) || "everything", view.query),
  );
  const head = element(
    "th",
    { scope: "rowgroup" },
    name,
    stack === undefined ? undefined : note(` ${stack}`),
  );
  const cells = groups.flatMap((group) =>
    group.cells.map((cell, at): SharedOrigin => ({ cell, group, isFirst: at === 0 })),
  );
  const rows = cells.slice(0, few).map((each) => originRow(each, view));
  const others = cells.slice(few);
  if (others.length > 0) rows.push(moreRow(others, head, view));
  const first = rows[0] ?? element("tr");
  first.prepend(head);
  head.rowSpan = rows.length;
  body.append(first, ...rows.slice(1));
  return body;
}

/** The last row of a path with many values, which gives way to the others. */
function moreRow(others: readonly SharedOrigin[], head: HTMLTableCellElement, view: RowView): HTMLElement {
  const row = element("tr");
  const show = (): void => {
    head.rowSpan += others.length - 1;
    row.replaceWith(...others.map((each) => originRow(each, view)));
  };
  row.append(element("td", { colspan: "3" }, button(`Show ${others.length} more`, show)));
  return row;
}

/** Builds that have a value from one place. */
interface SharedOrigin {
  readonly cell: ComparedCell;
  readonly group: ComparedGroup;
  /** True if it is the first of its value, which is named once. */
  readonly isFirst: boolean;
}

function originRow({ cell, group, isFirst }: SharedOrigin, view: RowView): HTMLElement {
  const text = element("b", { class: "text" }, marked(textOf(group), view.query));
  const value = isFirst ? [text] : [];
  return element(
    "tr",
    {},
    element("td", {}, ...value),
    element("td", {}, ...buildNames(cell, view)),
    element("td", {}, ...originParts(cell, group, view)),
  );
}

function textOf({ text, secret, unset }: ComparedGroup): string {
  if (unset === true) return "not set";
  return text ?? (secret === true ? "(secret)" : '""');
}

function buildNames({ builds }: ComparedCell, { comparison, query }: RowView): Child[] {
  const names = builds.map((build) => comparison.builds[build] ?? "");
  const lines = (some: readonly string[]) =>
    some.map((name) => element("div", { class: "build" }, marked(name, query)));
  if (names.length <= few) return lines(names);
  const details = element("details", {}, element("summary", {}, count(names.length, "build")));
  details.addEventListener("toggle", () => details.append(...lines(names)), { once: true });
  return [details];
}

/** The layer that sets it and its place, and what that overrides. */
function originParts({ by, at, over = [] }: ComparedCell, group: ComparedGroup, { query }: RowView): Child[] {
  const overridden = over.map((each) => {
    const remark = noteOf(group, each);
    const text = element("del", { class: "text" }, contentOf(each, { query }));
    const what = element("span", { class: "what" }, "over ", text, note(remark === "" ? " " : ` ${remark} `));
    return element("div", { class: "over" }, what, ...placeParts(each.by, each.at, query));
  });
  return [...placeParts(by, at, query), ...overridden];
}

/** The place alone if it starts with the layer, as that of a values file does. */
function placeParts(by: string | undefined, at: Place | undefined, query: string): Child[] {
  const place = placeText(at, by === undefined ? {} : { name: by });
  const name =
    by === undefined || place.startsWith(by) ? undefined : element("span", {}, marked(by, query), " ");
  return [name, place === "" ? undefined : placed(place, query)];
}
