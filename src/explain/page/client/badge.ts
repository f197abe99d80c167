// A layer's letter in its colour. The letter says which layer of the target it is; the colour is the same in all targets.
import { element } from "./dom.ts";

/** The class that gives a layer of the target its colour, by the layer's letter. */
export type LookById = (id: string) => string;

export function badge(id: string, look: string): HTMLElement {
  return element("span", { class: `badge ${look}` }, id);
}
