// A layer's letter in its colour. The letter says which layer it is; the colour only helps the eye.
import type { ExplainedTarget } from "../../../explanation.ts";
import { element } from "./dom.ts";

const hues = 8;

/** The class that gives a layer its colour. */
export type HueOf = (id: string) => string;

export function huesOf({ stacks }: ExplainedTarget): HueOf {
  const ids = stacks.flatMap(({ layers }) => layers.map(({ id }) => id));
  const places = new Map(ids.map((id, place) => [id, place % hues]));
  return (id) => `hue-${places.get(id) ?? 0}`;
}

export function badge(id: string, hueOf: HueOf): HTMLElement {
  return element("span", { class: `badge ${hueOf(id)}` }, id);
}
