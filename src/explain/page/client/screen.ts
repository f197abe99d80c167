// What is on the screen, and what changes it: the address, the search, a layer shown alone, keys.
import { element, link, note, nothing } from "./dom.ts";
import { LinkList } from "./list.ts";
import { lightUp } from "./lit.ts";
import type { Options } from "./options.ts";
import { type Route, Routes } from "./routes.ts";
import type { SearchResult, Subject } from "./subject.ts";
import { count } from "./words.ts";

export class Screen {
  private readonly subject: Subject;
  private readonly routes: Routes;
  /** Each is made when it is first shown. */
  private readonly lists: LinkList[] = [];
  private readonly tabs: readonly HTMLElement[];
  private readonly search = element("input", {
    type: "search",
    id: "search",
    autocomplete: "off",
    spellcheck: "false",
  });
  private readonly status = element("p", { role: "status" });
  private readonly side = element("div", { class: "side" });
  private readonly main = element("main", { tabindex: "-1" });
  private route: Route;
  private query = "";
  private found: SearchResult | undefined;
  private isolated: string | undefined;
  private options: Options = { tab: "values", isOverriddenOnly: false };
  private readonly collapsed = new Set<string>();

  constructor(subject: Subject) {
    this.subject = subject;
    this.routes = new Routes(subject);
    this.tabs = subject.lists.map(({ name, all }) =>
      link(all[0]?.address ?? "", { class: "tab" }, name, note(` ${all.length}`)),
    );
    this.route = this.routes.of(location.hash);
  }

  start(): void {
    this.search.placeholder = this.subject.hint;
    const label = element("label", { for: "search" }, "Search ", element("kbd", {}, "/"));
    const tabs = element("div", { class: "tabs" }, ...this.tabs);
    const header = element(
      "header",
      {},
      element("strong", {}, this.subject.name),
      label,
      this.search,
      this.status,
    );
    document.body.append(
      header,
      element(
        "nav",
        { "aria-label": this.subject.lists.map(({ name }) => name).join(" and ") },
        tabs,
        this.side,
      ),
      this.main,
    );
    this.search.addEventListener("input", () => this.searchFor(this.search.value));
    addEventListener("hashchange", () => {
      this.main.scrollTo(0, 0);
      this.go();
    });
    addEventListener("keydown", (event) => this.press(event));
    lightUp(this.main);
    this.go();
  }

  /** Follows the address. */
  private go(): void {
    this.route = this.routes.of(location.hash);
    this.isolated = undefined;
    if (this.route.value !== undefined) this.openFor(this.route.value);
    const hadFocus = this.main.contains(document.activeElement);
    this.show();
    // What had the focus is gone: from the whole view, keys scroll on.
    if (hadFocus) this.main.focus({ preventScroll: true });
    if (this.route.value !== undefined) this.goToValue();
  }

  /** Shows the value at an address, whatever was chosen before. */
  private openFor(address: string): void {
    this.options = { ...this.options, tab: "values" };
    for (const each of this.collapsed) if (address.startsWith(`${each}.`)) this.collapsed.delete(each);
  }

  private goToValue(): void {
    // A value that the search hides was asked for by its address all the same.
    if (this.options.isOverriddenOnly && this.here() === null)
      this.choose({ ...this.options, isOverriddenOnly: false });
    if (this.query !== "" && this.here() === null) this.clearSearch();
    const here = this.here();
    if (here === null) this.main.prepend(nothing("This target has no value at the address that was opened."));
    here?.scrollIntoView({ block: "center" });
    here?.focus({ preventScroll: true });
  }

  private here(): HTMLElement | null {
    return this.main.querySelector<HTMLElement>(".here");
  }

  private searchFor(text: string): void {
    this.query = text.trim().toLowerCase();
    this.found = this.query === "" ? undefined : this.subject.find(this.query);
    this.show();
  }

  private clearSearch(): void {
    this.search.value = "";
    this.searchFor("");
  }

  private isolate(id: string | undefined): void {
    this.isolated = id === this.isolated ? undefined : id;
    this.show();
    const pressed = this.main.querySelector<HTMLElement>("[aria-pressed=true]") ?? this.main;
    pressed.focus({ preventScroll: true });
  }

  private choose(next: Options): void {
    const isOtherTab = next.tab !== this.options.tab;
    const focused = isOtherTab ? `tab-${next.tab}` : document.activeElement?.id;
    this.options = next;
    this.show();
    if (focused !== undefined && focused !== "") document.querySelector<HTMLElement>(`#${focused}`)?.focus();
  }

  private collapseAll(isCollapsed: boolean): void {
    for (const each of this.main.querySelectorAll<HTMLElement>(`.toggle[aria-expanded="${isCollapsed}"]`))
      each.click();
  }

  private show(): void {
    const { list: number, listed } = this.route;
    const list = this.listOf(number);
    for (const [at, tab] of this.tabs.entries()) {
      if (at === number) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    }
    const shown = list.filter(this.query, this.found?.hits);
    if (this.side.firstChild !== list.list) this.side.replaceChildren(list.list);
    list.select(listed);
    this.status.textContent = this.statusOf(shown);
    this.main.replaceChildren(...this.content().filter((child) => child !== undefined));
    document.title = `${listed?.title ?? "Nothing"} · ${this.subject.name}`;
  }

  private listOf(number: number): LinkList {
    return (this.lists[number] ??= new LinkList(this.subject.lists[number]?.all ?? []));
  }

  private statusOf(shown: number): string {
    if (this.found === undefined) return "";
    const noun = this.subject.lists[this.route.list]?.noun ?? "";
    return `${count(this.found.total, this.subject.noun)}; ${count(shown, noun)}`;
  }

  private content() {
    const { listed, value = "" } = this.route;
    if (this.subject.lists[0]?.all.length === 0) return this.subject.empty();
    if (listed === undefined)
      return [nothing("Nothing in this page has the address that it was opened with.")];
    const { query, isolated, options, collapsed } = this;
    return this.subject.show(listed, {
      query,
      here: value,
      isolated,
      isolate: (id) => this.isolate(id),
      options,
      choose: (next) => this.choose(next),
      collapsed,
      collapseAll: (isCollapsed) => this.collapseAll(isCollapsed),
    });
  }

  private press(event: KeyboardEvent): void {
    const isTyping = event.target === this.search;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !isTyping) this.search.select();
    else if (event.key === "Escape" && this.query !== "") this.clearSearch();
    else if (event.key === "Escape" && this.isolated !== undefined) this.isolate(undefined);
    else if (!this.stepBy(event.key, isTyping)) return;
    event.preventDefault();
  }

  /** Arrows go through the list, from the search into it, and back. */
  private stepBy(key: string, isTyping: boolean): boolean {
    const isInList = this.side.contains(document.activeElement);
    if (!isInList && !isTyping) return false;
    const list = this.listOf(this.route.list);
    if (key === "ArrowDown") return list.step(1);
    if (key !== "ArrowUp" || isTyping) return false;
    if (!list.step(-1)) this.search.focus();
    return true;
  }
}
