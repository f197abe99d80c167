// The final values of a stack as YAML, to read and to copy. On the left of each line the letter of the layer that sets it.
import type { ExplainedLayer, ExplainedStack, LayerState } from "../../../explanation.ts";
import { type Line, linesBy } from "../../lines.ts";
import type { LookById } from "./badge.ts";
import { copied } from "./copy.ts";
import { button, type Child, element, marked } from "./dom.ts";
import { spread } from "./spread.ts";
import { nameOf, placeText } from "./words.ts";

export interface YamlView {
  readonly lookOf: LookById;
  /** In lower case; empty for none. */
  readonly query: string;
}

export function finalYaml({ layers, values }: ExplainedStack, view: YamlView): Child[] {
  const byId = new Map(layers.map((layer) => [layer.id, layer]));
  const lines = linesBy(spread, values);
  const code = element("pre", { class: "yaml" }, ...lines.map((line) => yamlLine(line, byId, view)));
  const text = lines.map((line) => `${line.text}\n`).join("");
  return [copyLine(text, code), ...missingNote(layers), code];
}

/** The letter is no text: lines that are selected by hand are YAML alone. */
function yamlLine(
  { text, value, rest = value }: Line,
  layers: ReadonlyMap<string, ExplainedLayer>,
  { lookOf, query }: YamlView,
): HTMLElement {
  const line = element("span", { class: "line" }, marked(`${text}\n`, query));
  // What does not fit goes on below the text, not below the letters.
  line.style.setProperty("--indent", `${text.length - text.trimStart().length + 2}ch`);
  if (rest === undefined) return line;
  const { by, at } = rest;
  const layer = layers.get(by);
  line.classList.add(...lookOf(by).split(" "));
  line.title = [by, layer && nameOf(layer), placeText(at, layer)].filter(Boolean).join(" · ");
  line.dataset["layer"] = by;
  if (value !== undefined) line.dataset["by"] = by;
  return line;
}

const unknownStates: ReadonlySet<LayerState> = new Set(["late", "unseen", "sealed", "unreadable"]);

/** Values of layers that are not in the list cannot be here. */
function missingNote(layers: readonly ExplainedLayer[]): HTMLElement[] {
  const letters = new Map<string, string[]>();
  for (const layer of layers)
    if (unknownStates.has(layer.state) || (layer.setsPath !== undefined && layer.sets === undefined))
      letters.set(nameOf(layer), [...(letters.get(nameOf(layer)) ?? []), layer.id]);
  if (letters.size === 0) return [];
  const names = [...letters].map(([name, ids]) => `${name} (${ids.join(", ")})`).join(", ");
  return [element("p", { class: "shown" }, `Not in it, because their values are not known here: ${names}`)];
}

function copyLine(text: string, code: HTMLElement): HTMLElement {
  const status = element("span", { class: "note", role: "status" });
  const copy = async (): Promise<void> => {
    status.textContent = (await copied(text, code)) ? "Copied" : "Selected: press Ctrl+C to copy";
  };
  return element(
    "p",
    { class: "copying" },
    button("Copy YAML", () => void copy(), { class: "copy" }),
    " ",
    status,
  );
}
