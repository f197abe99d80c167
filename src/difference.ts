// What changes between two explanations, as data: edits, and what each does to targets. Complete in itself.
import type { Place, Variable } from "./explanation.ts";

export interface Difference {
  readonly kind: "Difference";
  /** Of this form: fields are added to it, never taken away or renamed. */
  readonly version: 1;
  readonly edits: readonly Edit[];
  /** Targets that one side alone has. */
  readonly targets: readonly LoneTarget[];
  /** Objects of charts that are others now; absent where no chart is here, or none was rendered. */
  readonly manifests?: readonly ChangedManifest[];
  /** Charts that are of another version now, and what that does to values; absent where there are none. */
  readonly upgrades?: readonly ChartUpgrade[];
  /** How many builds were compared, where there are several. */
  readonly builds?: number;
  /** How many targets there are on both sides together, and how many of them have other values now. */
  readonly all: number;
  readonly changed: number;
  /** What could not be compared: layers that could not be read, and what was not built. */
  readonly unread: readonly string[];
}

/** One edit of a user: of a value in a layer, or of a stack. */
export interface Edit {
  readonly what:
    | "value"
    | "layer-added"
    | "layer-removed"
    /** Its values are known now, or are not any more: the cluster binds it, it is sealed, or cannot be read. */
    | "layer-known"
    | "layer-unknown"
    | "order";
  /** `Kind/namespace/name`, or what else holds the value. */
  readonly layer: string;
  /** True for a value that a chart has itself. */
  readonly default?: boolean;
  /** Of the value; absent for a whole layer. */
  readonly path?: readonly string[];
  /** One line of YAML; absent where there was none, and for secrets. Of another order, the priorities. */
  readonly was?: string;
  readonly is?: string;
  readonly secret?: boolean;
  /** Its place now; its last place, if it is gone. */
  readonly at?: Place;
  /** Variables in it: what changes may be their values. */
  readonly variables?: readonly Variable[];
  readonly effects: readonly Effect[];
}

/** What an edit does to one value of one target. */
export interface Effect {
  /** `Kind/namespace/name`. */
  readonly target: string;
  /** Which build it is in, where there are several. */
  readonly build?: string;
  readonly path: readonly string[];
  /** `hidden`: a higher layer sets the value. It keeps it as it is, unless it has a `from`, or a Secret has a part in it. */
  readonly what: "changes" | "hidden";
  readonly from?: string;
  readonly to?: string;
  readonly secret?: boolean;
  /** The layer that has the final value, and the place there. */
  readonly by?: string;
  readonly at?: Place;
}

export interface LoneTarget {
  readonly target: string;
  readonly build?: string;
  readonly what: "added" | "removed";
  /** How many values it has. */
  readonly values: number;
}

/** An object that a chart makes on one side alone, or with other fields. */
export interface ChangedManifest {
  /** Whose chart makes it. */
  readonly target: string;
  readonly build?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly what: "added" | "removed" | "changed";
  readonly fields: readonly ChangedField[];
}

export interface ChangedField {
  /** Keys from the top; an element of a list is `[0]`. */
  readonly path: readonly string[];
  /** One line of YAML. Absent where the field is absent, or may hold a value of a Secret. */
  readonly from?: string;
  readonly to?: string;
  readonly secret?: boolean;
}

/** A chart that targets have in another version. */
export interface ChartUpgrade {
  readonly chart: string;
  readonly from: string;
  readonly to: string;
  readonly targets: readonly UpgradedTarget[];
  /** Why it was not compared, for some targets or all. */
  readonly notCompared: readonly UncomparedUpgrade[];
  readonly findings: readonly UpgradeFinding[];
  /** Versions of what the chart installs: its own, and defaults that name images. */
  readonly versions: readonly ChangedVersion[];
  /** How many values of the user do what they did. */
  readonly same: number;
  /** How many defaults are others by which nothing changes. */
  readonly sameDefaults: number;
}

export interface UpgradedTarget {
  /** `Kind/namespace/name`. */
  readonly target: string;
  readonly build?: string;
}

export interface FindingIn extends UpgradedTarget {
  readonly at?: Place;
}

export interface UncomparedUpgrade {
  readonly reason: string;
  /** Commands that bring a chart that is not here. */
  readonly commands: readonly string[];
  readonly in: readonly UpgradedTarget[];
}

/** What the new version does to one value. */
export interface UpgradeFinding {
  /**
   * `breaks`: the chart does not render with it. `dead`: nothing reads it now; `dead-before`: nothing read it before, either.
   * `changed`: it is in other fields. `default`: it is a default that is not set, is another one, and changes objects. `required`: the schema requires it, and it is not set. `untried`: no render says what it does.
   */
  readonly what: "breaks" | "dead" | "dead-before" | "changed" | "default" | "required" | "untried";
  readonly path: readonly string[];
  /** Where the user sets it; of several places the first. */
  readonly at?: Place;
  /** Absent where it is the same in all targets, at the same place. */
  readonly in?: readonly FindingIn[];
  /** Helm's, of what breaks. */
  readonly reason?: string;
  /** What its default was and is, in one word. */
  readonly was?: string;
  readonly is?: string;
  /** True where only renders say that it is dead: the chart hands all values on. */
  readonly tried?: boolean;
  /** A path that the new chart reads, and the file of the chart that says so, perhaps with a line. */
  readonly near?: { readonly path: readonly string[]; readonly at?: string };
  /** Fields that it is in no more, and fields that it is in now. */
  readonly lost?: readonly ReachedField[];
  readonly gained?: readonly ReachedField[];
  /** One line of JSON. Absent for a default that is not set, and for one that may hold something of a Secret. */
  readonly from?: string;
  readonly to?: string;
}

export interface ReachedField {
  readonly kind: string;
  readonly name: string;
  /** Of an element of a list its name, `[web]`. None for the whole object. */
  readonly path: readonly string[];
}

export interface ChangedVersion {
  /** `app` for that of the chart; else the path of a default. */
  readonly of: string;
  readonly from?: string;
  readonly to?: string;
}
