// The answer to "where does this value come from?": targets, their stacks, the layers in them, and every value with what
// it overrides. Text, JSON, the page and `diff` are views of it. Complete in itself: nothing here needs another file.

export interface Explanation {
  readonly kind: "Explanation";
  /** Of this form: fields are added to it, never taken away or renamed. */
  readonly version: 1;
  readonly targets: readonly ExplainedTarget[];
  /** Objects that the charts of these targets make, where they are asked for. The targets have the values that these name. */
  readonly manifests?: readonly ExplainedManifest[];
}

/** An object that a chart makes. */
export interface ExplainedManifest {
  /** Which of the builds its target is in, where there are several. */
  readonly build?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Whose chart makes it. */
  readonly target: {
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
    /** The source that it is the chart of, where the target has several: `spec.sources[0]`. */
    readonly source?: string;
  };
  /** Its template. */
  readonly at: Place;
  /** The values because of which it exists. */
  readonly exists: readonly ManifestValue[];
  /** Scalars, and empty mappings and lists, in their order: all, or those that are asked for. */
  readonly fields: readonly ManifestField[];
}

/** A field of an object that a chart makes. */
export interface ManifestField {
  /** Keys from the top; an element of a list is `[0]`. */
  readonly path: readonly string[];
  /** Which of these are elements of lists, by their place in the path; absent where none is. */
  readonly elements?: readonly number[];
  /** One line of YAML; absent where something of a Secret may be in it. */
  readonly text?: string;
  /** The line of the template, or of what it includes; of what sets the field in its place, where there is such a thing. */
  readonly at?: Place;
  /** Where that is included, the outermost first. */
  readonly through?: readonly Place[];
  /** The action that writes it, or the nearest condition around its text; absent for a text that is always written. */
  readonly action?: string;
  /** What it is made of besides values: `release name`, `chart version`, `random`. */
  readonly of?: readonly string[];
  /** None where it is constant. */
  readonly values: readonly ManifestValue[];
  /** What sets it over the chart, or removes it: a patch, or another field of a kustomization. */
  readonly by?: "patch" | "kustomization";
  /** True where it is removed: the object does not have it. */
  readonly removed?: boolean;
  /** What the chart has there. */
  readonly over?: Pick<ManifestField, "text" | "at" | "action">;
}

export interface ManifestValue {
  /** As the target's values have it; an element of a list there is `[0]`. */
  readonly path: readonly string[];
  /**
   * `carries`: the value is in the field. `derived`: the field changes with it. `exists`: the field is there or not by it.
   * `absent`: the field is not there, but with another value. Each was tried with other values. `reads`: the template reads it there, and it could not be tried.
   */
  readonly how: "carries" | "derived" | "exists" | "absent" | "reads";
}

/** What receives values, in the order of the list. */
export interface ExplainedTarget {
  /** Which of the builds it is in, where there are several. */
  readonly build?: string;
  /** `Values` for bare values files. */
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly at?: Place;
  /** The file with the settings that its build folds with, where the command line names none. */
  readonly settings?: string;
  /** Of what it is a clone, where a Repeat made it. */
  readonly clone?: ExplainedClone;
  /** A stack per object that the consumer computes: of an App one of ConfigMaps and one of Secrets. */
  readonly stacks: readonly ExplainedStack[];
}

export interface ExplainedClone {
  /** Name of the Repeat. */
  readonly repeat: string;
  /** `Kind/name`, as the Repeat spells it. */
  readonly template: string;
  readonly instance: string;
  /** One of those under `each`. */
  readonly item?: string;
}

export interface ExplainedStack {
  /** Of what it is made: absent where it mixes both. */
  readonly kind?: "ConfigMap" | "Secret";
  /** The target's own data key that takes the result. */
  readonly key?: string;
  /** The source that it is the values of, where the target has several: `spec.sources[0]`. */
  readonly source?: string;
  /** The chart of that source, if no other source of the target has it. */
  readonly chart?: string;
  /** All places of the stack, lowest first. */
  readonly layers: readonly ExplainedLayer[];
  readonly runs: readonly ExplainedRun[];
  /** Where folding stops between two layers, and why. */
  readonly splits: readonly ExplainedSplit[];
  /** In the order they are written; a list is one value, and so is an empty mapping. */
  readonly values: readonly ExplainedValue[];
  /** What a patch of kustomize takes away of what the target or a lower patch sets: it is not among the values. */
  readonly removed?: readonly RemovedValue[];
}

export interface RemovedValue {
  readonly path: readonly string[];
  /** Where it is taken away. */
  readonly at: Place;
  /** Absent for the value of a Secret. */
  readonly text?: string;
  /** Where it is set. */
  readonly was: Place;
}

/** Why a layer is in the stack. */
export type LayerReason =
  /** The target references it; `slot` says where. */
  | "reference"
  /** It names the target itself, by annotation. */
  | "annotation"
  /** It names the target by labels (Kyma). */
  | "label"
  /** Values that the target holds itself. */
  | "own"
  /** A patch of kustomize, or another part of its build, sets them in the target. */
  | "patch"
  /** What the Catalog of an App binds. */
  | "catalog"
  /** What the platform may bind without a reference. */
  | "platform"
  /** It is a values file: the order of the files is their order. */
  | "file"
  /** Parameters of a target set them one by one, as `helm --set` does. */
  | "parameter"
  /** They are the chart's defaults. */
  | "chart";

/** What becomes of a layer. */
export type LayerState =
  /** It goes into a folded item; or it is read from files, and merged by whoever deploys them. */
  | "folded"
  /** It stays a layer of its own, and its consumer merges it. */
  | "apart"
  /** It is not in the list: the cluster binds it. */
  | "late"
  /** Its values are unknown. */
  | "unseen"
  /** It is sealed, and was not opened. */
  | "sealed"
  /** It is in the list, and cannot be read. */
  | "unreadable";

export interface ExplainedLayer {
  /** A letter, once per target. What holds no known values has one, too. */
  readonly id: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Its data key. */
  readonly key?: string;
  /** Absent for what is above all layers. */
  readonly priority?: number;
  /** True if neither annotation nor entry names its priority. */
  readonly isDefaultPriority?: boolean;
  readonly why: LayerReason;
  /** The field of the target that names it: `spec.extraConfigs[2]`. */
  readonly slot?: string;
  readonly state: LayerState;
  /** The data key that is asked for, where the object is in the list and does not have it. */
  readonly lacks?: string;
  /** The label or annotation by which the cluster may hold another text of the object than the list. */
  readonly mark?: string;
  /** True for what only a Secret may hold: its values have no text. */
  readonly secret?: boolean;
  /** The one value that it sets, by Flux' `targetPath`. Without `sets` that value is not known here. */
  readonly setsPath?: string;
  /** True for a text that is no mapping: it overrides everything below it. */
  readonly whole?: boolean;
  /** What an earlier run folded into it, lowest first: those layers are gone. */
  readonly foldedFrom?: readonly string[];
  readonly at?: Place;
  /** Places of texts that kustomize replaced by this one under the same data key, highest first. */
  readonly replaces?: readonly Place[];
  /** How many values it sets; absent where they are not known. */
  readonly sets?: number;
  /** How many of these a higher layer overrides. */
  readonly overridden?: number;
}

export interface ExplainedRun {
  /** Ids, lowest first. */
  readonly layers: readonly string[];
  /** The folded item, or the target itself. */
  readonly into: string;
}

export interface ExplainedSplit {
  /** Ids of the two layers it is between. */
  readonly below: string;
  readonly above: string;
  readonly reason: string;
  readonly cure: string;
}

export interface ExplainedValue {
  /** Keys from the top. An element of a list that a rule made is `[name=LOG]` or, without a key, `[0]`. */
  readonly path: readonly string[];
  /** Which of these are elements of lists, by their place in the path; absent where none is. */
  readonly elements?: readonly number[];
  /** Id of the layer that sets it. */
  readonly by: string;
  /** One line of YAML; absent for values of Secrets, and for mappings that are listed value by value. */
  readonly text?: string;
  readonly at?: Place;
  /** True for a mapping that took the place of something else, and for a list that a rule made; its own values follow. */
  readonly mapping?: boolean;
  /** How the list merges, in words, where the setting `merge` has a rule for it. */
  readonly rule?: string;
  /** Who alone may set it, in words, where the setting `protect` says so. */
  readonly protected?: string;
  /** What schemas say of it, where the setting `schemas` names some for the target. */
  readonly schema?: readonly ExplainedSchema[];
  /** Places of values that it overrides in the files that its layer was rendered from, highest first. Their texts are not known. */
  readonly rendered?: readonly Place[];
  /** The comment above the chart's default. */
  readonly comment?: string;
  /** The variables that Flux replaces in it, here or only in the cluster. */
  readonly variables?: readonly Variable[];
  /** What it overrides, highest first. */
  readonly over: readonly OverriddenValue[];
}

export interface Variable {
  readonly name: string;
  /** Where its value is set; of one that no object here sets, the Kustomization of Flux. */
  readonly at: Place;
  /** Why its value is not known here, in words: it stays as it is written. */
  readonly stays?: string;
}

/** What a schema says of a path, whatever the value is; what holds under a condition only is left out. */
export interface ExplainedSchema {
  /** Which schema, as messages name it. */
  readonly from: string;
  /** "integer", "string or null". */
  readonly type?: string;
  readonly required?: true;
  /** The first line of its description, or its title. */
  readonly description?: string;
}

export interface OverriddenValue {
  readonly by: string;
  readonly text?: string;
  readonly at?: Place;
  /** `same`: the two are equal, so the override changes nothing. `nulled`: a `null` takes it away. */
  readonly effect: "replaced" | "nulled" | "same";
  /** True for a mapping. */
  readonly mapping?: boolean;
}

/** The place of something: 1-based line and column (in bytes) of a file, or of a layer's text. */
export interface Place {
  readonly of: "file" | "text";
  /** The file, if the orchestrator gives it; perhaps without a line. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The dotted key of a Kyma override. */
  readonly key?: string;
}
