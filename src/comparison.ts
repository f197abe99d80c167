// The values of many builds side by side: for each path which builds have which value, and where it comes from. Text, CSV,
// Markdown, JSON and the page are views of it. Complete in itself.
import type { OverriddenValue, Place } from "./explanation.ts";

/**
 * Several builds: directories, stacks of values files, or git revisions of them.
 *
 * ```yaml
 * kind: Comparison
 * version: 1
 * builds: [clusters/eu-1, clusters/eu-2, clusters/us-1]
 * targets:
 *   - { kind: App, name: shop, equal: 12, rows: [] }
 * unread: []
 * ```
 */
export interface Comparison {
  readonly kind: "Comparison";
  /** Of this form: fields are added to it, never taken away or renamed. */
  readonly version: 1;
  /** Their names, as they were given. Numbers of builds are indexes of this list. */
  readonly builds: readonly string[];
  readonly targets: readonly ComparedTarget[];
  /** What could not be compared, in words: builds that failed, layers that are sealed or cannot be read. */
  readonly unread: readonly string[];
}

/** Targets of one kind and name in all builds. */
export interface ComparedTarget {
  readonly kind: string;
  /** Absent where builds differ in it. */
  readonly namespace?: string;
  readonly name: string;
  /** Builds without this target. */
  readonly absentIn?: readonly number[];
  /** How many paths have one value in all builds that have the target: they have no row, unless all are asked for. */
  readonly equal: number;
  /** One for each path whose values differ, in the order of the values. */
  readonly rows: readonly ComparedRow[];
}

export interface ComparedRow {
  /** The stack, where a target has several: the kind of its layers, the target's own data key, or the chart of its source. */
  readonly stack?: string;
  readonly path: readonly string[];
  /** Which of these are elements of lists. */
  readonly elements?: readonly number[];
  /** Builds with equal values, most builds first. A build that cannot be read is in none. */
  readonly groups: readonly ComparedGroup[];
}

/** Builds that have one value at a path. */
export interface ComparedGroup {
  /** One line of YAML; absent for values of Secrets, and where the path is not set. */
  readonly text?: string;
  readonly secret?: true;
  /** The target is there, and nothing sets the path. */
  readonly unset?: true;
  /** One for each origin of the value, most builds first. */
  readonly cells: readonly ComparedCell[];
}

/** Where builds of a group have their value from. */
export interface ComparedCell {
  /** Numbers of builds, ascending. */
  readonly builds: readonly number[];
  /** Name of the layer that sets it: `ConfigMap/web/prod`, or a file. */
  readonly by?: string;
  readonly at?: Place;
  /** What it overrides, highest first; `by` is a layer's name here. */
  readonly over?: readonly OverriddenValue[];
}
