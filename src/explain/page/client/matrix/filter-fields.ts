// The fields above the matrix, and what they ask for.
import { element } from "../dom.ts";
import type { Wanted } from "./filter.ts";
import type { Sheet } from "./sheet.ts";

const names = ["path", "value", "layer", "builds"] as const;

type Name = (typeof names)[number];

const placeholders: Readonly<Record<Name, string>> = {
  path: "image.tag or **.tag",
  value: "text of a value",
  layer: "the layer that sets it",
  builds: "eu-1, us-",
};

const labels: Readonly<Record<Name, string>> = {
  path: "Path",
  value: "Value",
  layer: "Layer",
  builds: "Builds",
};

/** More suggestions than these are a wall, and cost time. */
const most = 1000;

export class Filters {
  readonly form = element("form", { id: "filters", role: "search", "aria-label": "Filters" });
  /** Shows and hides the fields where there is little room. */
  readonly button = element(
    "button",
    { type: "button", class: "more", "aria-controls": "filters" },
    "Filters",
  );
  private readonly fields: ReadonlyMap<Name, HTMLInputElement>;
  private readonly differing = element("input", { type: "checkbox", id: "differing" });
  private readonly onChange: () => void;

  constructor(sheet: Sheet, onChange: () => void) {
    this.onChange = onChange;
    this.fields = new Map(names.map((name) => [name, field(name)]));
    for (const name of names) {
      const keys = name === "path" ? [" ", element("kbd", {}, "/")] : [];
      const label = element("label", { for: name }, labels[name], ...keys);
      this.form.append(element("div", { class: "field" }, label, this.field(name)));
    }
    this.form.append(suggestions("layers", layersIn(sheet)), suggestions("names", sheet.builds));
    if (sheet.tables.some(({ hasEqualRows }) => hasEqualRows) || sheet.builds.length > 2) this.addDiffering();
    this.field("layer").setAttribute("list", "layers");
    this.field("builds").setAttribute("list", "names");
    this.form.addEventListener("input", onChange);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.button.addEventListener("click", () => this.toggle());
    this.button.setAttribute("aria-expanded", "false");
  }

  wanted(): Wanted {
    const text = (name: Name): string => this.field(name).value.trim();
    return {
      path: text("path"),
      value: text("value").toLowerCase(),
      layer: text("layer").toLowerCase(),
      builds: text("builds").toLowerCase(),
      isDiffering: this.differing.checked,
    };
  }

  areSet(): boolean {
    return this.differing.checked || names.some((name) => this.field(name).value.trim() !== "");
  }

  clear(input: HTMLInputElement): void {
    input.value = "";
    this.onChange();
  }

  focus(): void {
    if (!this.form.classList.contains("open")) this.toggle();
    this.field("path").select();
  }

  markWrong(wrongAt: number | undefined): void {
    if (wrongAt === undefined) this.field("path").removeAttribute("aria-invalid");
    else this.field("path").setAttribute("aria-invalid", "true");
  }

  private toggle(): void {
    this.button.setAttribute("aria-expanded", `${this.form.classList.toggle("open")}`);
  }

  private addDiffering(): void {
    const label = element("label", { for: "differing" }, "only differing rows");
    this.form.append(element("div", { class: "field check" }, this.differing, label));
  }

  private field(name: Name): HTMLInputElement {
    const found = this.fields.get(name);
    if (found === undefined) throw new Error(`no field ${name}`);
    return found;
  }
}

function field(name: Name): HTMLInputElement {
  const input = element("input", { type: "search", id: name, autocomplete: "off", spellcheck: "false" });
  input.placeholder = placeholders[name];
  return input;
}

function suggestions(id: string, all: readonly string[]): HTMLElement {
  const options = all.slice(0, most).map((value) => element("option", { value }));
  return element("datalist", { id }, ...options);
}

function layersIn({ layers, strings }: Sheet): string[] {
  return [...new Set(layers)].flatMap((layer) => strings[layer - 1] ?? []).toSorted();
}
