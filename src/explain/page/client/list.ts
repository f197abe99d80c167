// The list at the left: all targets, or all layers, as links. All of them are there, so that the browser's own search finds them.
import { element, link, note } from "./dom.ts";
import type { ListedSubject } from "./subject.ts";
import { isUsualKey } from "./words.ts";

export class LinkList {
  readonly list: HTMLElement;
  private readonly links: ReadonlyMap<ListedSubject, HTMLAnchorElement>;
  private current: ListedSubject | undefined;

  constructor(all: readonly ListedSubject[]) {
    const groups = [...groupsOf(all).values()];
    this.links = new Map(groups.flat().map((listed) => [listed, linkTo(listed)]));
    this.current = all[0];
    this.list = element("ul", { class: "list" }, ...groups.flatMap((group) => this.itemsOf(group)));
  }

  private itemsOf(group: readonly ListedSubject[]): HTMLElement[] {
    const name = group[0]?.within?.name;
    const items = group.map((listed) => element("li", {}, this.links.get(listed)));
    return name === undefined
      ? items
      : [element("li", { class: "group" }, element("span", {}, name), element("ul", {}, ...items))];
  }

  /** Shows the links with hits or with the query in their name; all without a query. Returns their count. */
  filter(query: string, hits?: ReadonlyMap<ListedSubject, number>): number {
    let shown = 0;
    for (const [listed, each] of this.links) {
      const count = hits?.get(listed) ?? 0;
      const isShown = query === "" || count > 0 || listed.title.toLowerCase().includes(query);
      if (isShown) shown++;
      const item = each.parentElement;
      if (item !== null && item.hidden === isShown) item.hidden = !isShown;
      const label = count === 0 ? "" : count.toLocaleString("en");
      const badge = each.lastElementChild;
      if (badge !== null && badge.textContent !== label) badge.textContent = label;
    }
    for (const group of this.list.querySelectorAll<HTMLElement>(".group"))
      group.hidden = group.querySelector("li:not([hidden])") === null;
    return shown;
  }

  select(listed: ListedSubject | undefined): void {
    for (const each of this.list.querySelectorAll("[aria-current]")) each.removeAttribute("aria-current");
    const found = listed && this.links.get(listed);
    found?.setAttribute("aria-current", "page");
    // The first one is in sight when the page opens, and asking would cost a layout.
    if (this.current !== listed) found?.scrollIntoView({ block: "nearest" });
    this.current = listed;
  }

  /** Moves the focus by a step among what is shown; from elsewhere to the first. False if there is no such link. */
  step(by: 1 | -1): boolean {
    const shown = [...this.links.values()].filter((each) => each.parentElement?.hidden === false);
    const at = shown.findIndex((each) => each === document.activeElement);
    const next = shown[at === -1 ? 0 : at + by];
    next?.focus();
    return next !== undefined;
  }
}

/** Those of one group are together; one without a group is a group of its own. */
function groupsOf(all: readonly ListedSubject[]): ReadonlyMap<unknown, readonly ListedSubject[]> {
  const groups = new Map<unknown, ListedSubject[]>();
  for (const listed of all) {
    const key = listed.within?.name ?? listed;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [listed]);
    else known.push(listed);
  }
  return groups;
}

function linkTo({ title, within, key, address, look }: ListedSubject): HTMLAnchorElement {
  return link(
    address,
    within === undefined ? {} : { "aria-label": title },
    look === undefined ? undefined : element("span", { class: `swatch ${look}` }),
    element("span", { class: "title" }, within?.as ?? title),
    isUsualKey(key) ? undefined : note(key ?? ""),
    element("span", { class: "hits" }),
  );
}
