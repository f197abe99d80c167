// The form an explanation has inside the page: every text, path and layer is there once, and values are rows of numbers.
// The page writes it, its script reads it; both are of one build, so it has no version.
import type { Noted } from "../notes.ts";
import type { ExplainedLayer, ExplainedStack, ExplainedTarget, Place } from "../../explanation.ts";

export interface EncodedPage {
  /** Keys and values, each once. */
  readonly strings: readonly string[];
  /** Per path two numbers: the path above it, and its last key. Path 0 has no keys, and is not written. */
  readonly paths: string;
  readonly grounds: readonly Ground[];
  readonly layers: readonly LayerForm[];
  readonly targets: readonly EncodedTarget[];
  /** Where files can be looked at, if the user says so. */
  readonly sources?: EncodedSources;
}

export interface EncodedSources {
  /** `https://git.example/shop/blob/main/{file}#L{line}` */
  readonly template: string;
  /** Files that have a link, as places name them, and as the template takes them where that differs. */
  readonly files: readonly (readonly [file: string, path?: string])[];
}

/** What many places have in common. */
export type Ground = Omit<Place, "line" | "column">;

/** What a layer is in every target; its letter and its counts are the target's. */
export type LayerForm = Omit<ExplainedLayer, "id" | "sets" | "overridden">;

export type EncodedLayer = readonly [
  form: number,
  id: string,
  sets: number | null,
  overridden: number | null,
];

export interface EncodedStack extends Omit<ExplainedStack, "layers" | "values"> {
  readonly layers: readonly EncodedLayer[];
  /** Rows: each value, followed by what it overrides. */
  readonly rows: string;
  /** What settings demand of values, by their number; few have any. */
  readonly notes?: readonly (readonly [value: number, noted: Noted])[];
}

export interface EncodedTarget extends Omit<ExplainedTarget, "stacks"> {
  readonly stacks: readonly EncodedStack[];
}
