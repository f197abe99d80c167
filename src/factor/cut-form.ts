// One cut, and how cuts are made.
import type { Rules } from "../merge/index.ts";
import { type Part, type Parts, sumOf } from "./part.ts";
import type { Pins } from "./pins.ts";

export interface Cut {
  /** Undefined where nothing is shared. */
  readonly base: Part | undefined;
  /** What is left of each value; undefined where the base says it all. */
  readonly rest: readonly (Part | undefined)[];
}

export interface CutOptions {
  readonly parts: Parts;
  /** What goes into the base: what most have, or only what all have. */
  readonly shared: "most" | "all";
  /** True if elements of a list may come back in another order. */
  readonly reorder: boolean;
  readonly pins: Pins;
  /** Called with how many lines a rule saves at a list; below 0 if it costs some. */
  readonly onRule?: (rules: Rules, saved: number) => void;
}

export function uncut(parts: readonly Part[]): Cut {
  return { base: undefined, rest: parts };
}

export function savedBy({ base, rest }: Cut, parts: readonly Part[]): number {
  return sumOf(parts) - sumOf(rest) - sumOf([base]);
}
