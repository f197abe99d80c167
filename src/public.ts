// The types of the library, complete in themselves: nothing here needs another package to be read.
import type { Diagnostic, ItemRef } from "./diagnostic.ts";
import type { Explanation } from "./explanation.ts";
import type { SettingsInput } from "./settings-input.ts";

export type * from "./difference.ts";
export type * from "./explanation.ts";
export type * from "./settings-input.ts";

export type { Diagnostic, ItemRef, Position } from "./diagnostic.ts";

export interface FoldRequest {
  /** A YAML stream, or a ResourceList in YAML or JSON. Text counts as UTF-8. */
  input: string | Uint8Array;
  /** Default `stream`. */
  form?: "stream" | "resource-list" | undefined;
  /** Settings as an object. They win over `config` and over a resource list's own function config. */
  settings?: SettingsInput | undefined;
  /** Text of a function config. */
  config?: string | Uint8Array | undefined;
  /** An earlier output: sealed Secrets keep their bytes where nothing that goes into them has changed. */
  previous?: string | Uint8Array | undefined;
}

export interface ExplainRequest extends Omit<FoldRequest, "previous"> {
  /** `Kind/name` or `Kind/namespace/name`; all targets without one. */
  target?: string | undefined;
  /** Which values: `controller.replicas`, `annotations["a.b/c"]`, `**.tag`. */
  path?: string | undefined;
}

export interface ExplainOutcome {
  /** True if nothing is an error. */
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Absent where the input cannot be read, or nothing in it is meant. */
  readonly explanation?: Explanation;
}

export interface VerifyRequest extends Omit<FoldRequest, "form" | "previous"> {
  /** Unresolved references fail, too. */
  strict?: boolean | undefined;
  /** The stream is not folded yet: layers that wait for the fold are no fault. */
  unfolded?: boolean | undefined;
}

export interface FoldOutcome {
  /** True if nothing is an error. */
  readonly ok: boolean;
  /** 0 ok, 1 faults, 3 invalid settings: the command line's exit status. */
  readonly exitCode: 0 | 1 | 3;
  /** What the command line writes to stdout. Empty where a stream is refused; a refused resource list comes back with `results`. */
  readonly output: Uint8Array;
  /** What it writes to stderr. */
  readonly messages: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface PlannedLayer {
  readonly item: ItemRef;
  /** The data key; absent where the item has no data. */
  readonly key?: string;
  readonly priority: number;
  /** True for a layer that names its target itself; false for one that the target names. */
  readonly annotated: boolean;
}

/** The place of a value: one of the fold's layers, and line and column of that layer's text (1-based, in bytes). */
export interface ValuePlace {
  /** Index into the fold's `layers`. */
  readonly layer: number;
  readonly line?: number;
  readonly column?: number;
}

export interface ValueOrigin extends ValuePlace {
  /** Keys from the top; a list is one value. */
  readonly path: readonly string[];
  /** Lower layers of the fold that set the same path, lowest first. */
  readonly overrode: readonly ValuePlace[];
}

export interface PlannedFold {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  readonly namespace?: string;
  /** Lowest first. */
  readonly layers: readonly PlannedLayer[];
  readonly origins: readonly ValueOrigin[];
}

export interface PlannedTarget {
  readonly target: ItemRef;
  readonly folds: readonly PlannedFold[];
}

export interface FoldPlan {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Every selected target, also one for which nothing folds. */
  readonly targets: readonly PlannedTarget[];
}
