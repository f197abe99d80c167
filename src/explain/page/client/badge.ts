// A layer's letter in the colour of its role. The letter says which layer it is; the colour is the same in all targets.
import { element } from "./dom.ts";
import type { Role } from "./roles.ts";

/** The role of a layer of the target. */
export type RoleOf = (id: string) => Role;

export function badge(id: string, look: string): HTMLElement {
  return element("span", { class: `badge ${look}` }, id);
}

/** The word for a role in its colour. */
export function roleMark({ word, look }: Role): HTMLElement {
  return element("span", { class: `role ${look}` }, word);
}
