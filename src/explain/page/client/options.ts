// How a target is shown: by which tab, and whether only with values that override others. It holds while the page is open, for all
// targets, and is not part of an address.
import { button, element } from "./dom.ts";

type Tab = "values" | "yaml";

export interface Options {
  readonly tab: Tab;
  readonly isOverriddenOnly: boolean;
}

const tabs: Readonly<Record<Tab, string>> = { values: "Values", yaml: "Final YAML" };
const names = Object.keys(tabs) as Tab[];

/** The row of tabs, with what else there is to choose in the tab that is shown. */
export function optionBar(
  options: Options,
  choose: (next: Options) => void,
  collapseAll: (isCollapsed: boolean) => void,
): HTMLElement {
  const list = element("div", { role: "tablist", "aria-label": "Ways to show the target" });
  list.append(...names.map((tab) => tabButton(tab, options, choose)));
  list.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    // There are two.
    choose({ ...options, tab: options.tab === "values" ? "yaml" : "values" });
  });
  const bar = element("div", { class: "options" }, list);
  if (options.tab === "values") bar.append(...valueButtons(options, choose, collapseAll));
  return bar;
}

function tabButton(tab: Tab, options: Options, choose: (next: Options) => void): HTMLElement {
  const isSelected = tab === options.tab;
  return button(tabs[tab], () => choose({ ...options, tab }), {
    id: `tab-${tab}`,
    role: "tab",
    "aria-selected": `${isSelected}`,
    "aria-controls": "panel",
    tabindex: isSelected ? "0" : "-1",
  });
}

function valueButtons(
  options: Options,
  choose: (next: Options) => void,
  collapseAll: (isCollapsed: boolean) => void,
): HTMLElement[] {
  const { isOverriddenOnly } = options;
  const attributes = { id: "overridden-only", "aria-pressed": `${isOverriddenOnly}` };
  return [
    button("Overridden only", () => choose({ ...options, isOverriddenOnly: !isOverriddenOnly }), attributes),
    button("Collapse all", () => collapseAll(true)),
    button("Expand all", () => collapseAll(false)),
  ];
}

/** What the tab shows. */
export function tabPanel({ tab }: Options, ...sections: readonly HTMLElement[]): HTMLElement {
  const panel = element("div", { id: "panel", role: "tabpanel", "aria-labelledby": `tab-${tab}` });
  panel.append(...sections);
  return panel;
}
