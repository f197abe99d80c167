// The list at the left: all targets, or all layers, as links. All of them are there, so that the browser's own search finds them.
import { element, link } from "./dom.ts";
import type { Role } from "./roles.ts";
import { isUsualKey } from "./words.ts";

export interface Listed {
  readonly title: string;
  readonly key?: string;
  readonly address: string;
  readonly role?: Role;
}

export class LinkList {
  readonly list: HTMLElement;
  private readonly links: readonly HTMLAnchorElement[];
  private readonly lower: readonly string[];
  private current = -1;

  constructor(all: readonly Listed[]) {
    this.lower = all.map(({ title }) => title.toLowerCase());
    this.links = all.map(({ title, key, address, role }) =>
      link(
        address,
        {},
        role && element("span", { class: `swatch ${role.look}`, title: role.word }),
        element("span", { class: "title" }, title),
        isUsualKey(key) ? undefined : element("span", { class: "note" }, key),
        element("span", { class: "hits" }),
      ),
    );
    this.list = element("ul", { class: "list" }, ...this.links.map((each) => element("li", {}, each)));
  }

  /** Shows the links with hits or with the query in their name; all without a query. Returns their count. */
  filter(query: string, hits?: Uint32Array): number {
    let shown = 0;
    for (const [index, each] of this.links.entries()) {
      const count = hits?.[index] ?? 0;
      const isShown = query === "" || count > 0 || (this.lower[index] ?? "").includes(query);
      if (isShown) shown++;
      const item = each.parentElement;
      if (item !== null && item.hidden === isShown) item.hidden = !isShown;
      const label = count === 0 ? "" : count.toLocaleString("en");
      const badge = each.lastElementChild;
      if (badge !== null && badge.textContent !== label) badge.textContent = label;
    }
    return shown;
  }

  select(index: number): void {
    this.links[this.current]?.removeAttribute("aria-current");
    this.links[index]?.setAttribute("aria-current", "page");
    // The first one is in sight when the page opens, and asking would cost a layout.
    const isFirst = this.current === -1 && index === 0;
    if (this.current !== index && !isFirst) this.links[index]?.scrollIntoView({ block: "nearest" });
    this.current = index;
  }

  /** Moves the focus by a step among what is shown; from elsewhere to the first. False if there is no such link. */
  step(by: 1 | -1): boolean {
    const shown = this.links.filter((each) => each.parentElement?.hidden === false);
    const at = shown.findIndex((each) => each === document.activeElement);
    const next = shown[at === -1 ? 0 : at + by];
    next?.focus();
    return next !== undefined;
  }
}
