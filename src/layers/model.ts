// The words of docs/concepts.md as types: what targets, layers and stacks are, whatever front end made them.
import type { Diagnostic } from "../diagnostic.ts";
import type { GuardedText } from "./guarded.ts";
import type { MergeRule, Rules } from "../merge/index.ts";
import type { Item, Named } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";

export type LayerKind = "ConfigMap" | "Secret";

/** An item that can be a layer. */
export type LayerItem = Item & { readonly kind: LayerKind };

/** A target without an item, such as a Kyma component: consumers name its folded items. */
export interface Component extends Named {
  readonly withoutItem: true;
  /** Its layers and those it shares with others, in item order. */
  readonly layers: readonly LayerItem[];
  /** True if components that no selector asked for need the shared ones, too. */
  readonly shares: boolean;
}

/** What receives values. */
export type Target = Item | Component;

/**
 * A target's own mention of a layer: `{kind: ConfigMap, name: base, slot: extraConfigs, index: 0, priority: 25}` for
 *
 * ```yaml
 * kind: App
 * spec:
 *   extraConfigs:
 *     - {kind: configMap, name: base, priority: 25}
 * ```
 */
export interface Reference {
  readonly kind: LayerKind;
  readonly name: string;
  /** Absent where the target leaves it out. */
  readonly namespace: string | undefined;
  /** `config`, `userConfig`, `extraConfigs`: the front end's own place names. */
  readonly slot: string;
  /** Position in the slot, if the slot is a list. */
  readonly index: number | undefined;
  readonly priority: number;
  /** The entry in the target that is this reference; absent if a fold replaced it and it was restored. */
  readonly node: Node | undefined;
  /** The data key it names, if any. */
  readonly key?: string;
  /** True if its consumer goes on without it. */
  readonly optional?: boolean;
  /** Where only entries of one kind and priority have an order: the one below it, as `Kind/namespace/name`. */
  readonly after?: string | undefined;
  /** The entry of any kind and priority in front of it in the same list, and its name. */
  readonly behind?: { readonly entry: Reference; readonly name: () => string } | undefined;
}

/** The references of a target in the input, and their faults. */
export interface OwnReferences {
  readonly references: readonly Reference[];
  readonly diagnostics: readonly Diagnostic[];
}

/** How the text of a data key is read, merged and written. Without one, as values for Helm. */
export type Format = "yaml" | "json" | "text";

/**
 * One values document with a priority: one data key of one ConfigMap or Secret. A target references it, or it is annotated:
 *
 * ```yaml
 * kind: ConfigMap
 * metadata:
 *   annotations: {valuefold.dev/into: App/shop, valuefold.dev/priority: "75"}
 * data:
 *   values: |
 *     replicas: 3
 * ```
 */
export interface Layer {
  readonly item: LayerItem;
  readonly priority: number;
  /** Which data key; undefined where the consumer takes the only one. */
  readonly key: string | undefined;
  /** Absent for a layer known by annotation only. */
  readonly reference: Reference | undefined;
  /** Data keys that are paths with dots: their nested values are the layer's values. */
  readonly dotted?: readonly string[];
  readonly format?: Format;
  /** Layers of different scopes differ in more than their priority. */
  readonly scope?: string;
  /** True if other targets that are not folded here use it, too. */
  readonly shared?: boolean;
  /** True if it was valuefold that marked it `local-config`. */
  readonly markedByUs?: boolean;
  /** True for an annotated layer that an earlier run folded, next to folds that stay. */
  readonly foldedBefore?: boolean;
  /** Its place among all annotated layers in the records of the target's earlier folds, lowest first. */
  readonly earlierPlace?: number;
  /** True for a folded item with layers that are in the list: folding it again would lose that record. */
  readonly containsListedLayers?: boolean;
}

/** A place in a stack that nothing can be folded across. */
export interface Barrier {
  readonly why: "late-bound" | "no-key" | "exempt" | "unseen" | "reserved" | "ambiguous" | "target-path";
  readonly priority: number;
  /** The label or annotation by which the cluster may hold another text of the object. */
  readonly mark?: string;
  /** What the reference names, if that is in the list. */
  readonly item?: LayerItem;
  /** The target's mention of it, if any. */
  readonly reference?: Reference;
  /** Raised only where the stack would fold. */
  readonly fault?: Diagnostic;
}

export type StackEntry = { readonly layer: Layer } | { readonly barrier: Barrier };

/** A data key of the target itself that takes the result. */
interface Destination {
  readonly item: LayerItem;
  readonly key: string;
  readonly format: Format;
}

interface LikelyBelow {
  readonly layers: readonly Layer[];
  /** What would be found before it: `Catalog/default/shop`. */
  readonly unless: string;
}

/** The ordered layers of one target, lowest first. */
export interface Stack {
  readonly target: Target;
  /** Layers below the stack that are never part of a run: known layers, or anything at all. */
  readonly below: readonly Layer[] | "unknown";
  /** With an unknown `below`: what the list has, unless the cluster has something that is found before it. */
  readonly likely?: LikelyBelow;
  readonly entries: readonly StackEntry[];
  /** True if the consumer reads its layers in the target's own namespace only. */
  readonly atHome?: boolean;
  /** Where the result goes; absent if it becomes an item of its own. */
  readonly into?: Destination;
  /** True if it must fold into one: its consumer would not merge a second part. */
  readonly whole?: boolean;
  /** The item that a folded one is placed before, if the target is not an item. */
  readonly placedBefore?: Item;
  /** Labels that make an item a layer: a folded one must not have them. */
  readonly layerLabels?: readonly string[];
  /** Merge rules by path; absent if all values merge as in Helm. */
  readonly rules?: StackRules;
}

/** The rules for a target: those of earlier folds, then those of the settings. */
export interface StackRules {
  readonly at: Rules;
  readonly all: readonly MergeRule[];
  /** Those of earlier folds that the settings do not mention. */
  readonly kept: readonly MergeRule[];
}

/** Adjacent layers that fold into one. */
export interface Run {
  readonly stack: Stack;
  readonly kind: LayerKind;
  readonly layers: readonly Layer[];
  /** The merged values as text. */
  readonly text: GuardedText;
  /** True if a Secret's text must stay text (`stringData`), because Flux substitutes variables in it. */
  readonly unencoded: boolean;
  /** True if it must stay encoded, because Flux must not substitute what looks like a variable. */
  readonly literal: boolean;
  /** The SOPS metadata of a sealed text, for the item. */
  readonly sops?: object;
  /** Digest of the inputs of a sealed text. */
  readonly inputs?: string | undefined;
}

/** Two layers of a stack, one above the other, between which a run ended. */
export interface RunEnd {
  readonly stack: Stack;
  readonly below: Layer;
  readonly above: Layer;
  readonly reason: Reason;
}

/** Why two layers do not fold, and the cure. Clauses: names and paths, never a value. */
export interface Reason {
  readonly why: string;
  readonly cure: string;
}

/**
 * The record of one layer in a folded item: a reference it replaced, or a layer annotated into the target.
 *
 * ```yaml
 * valuefold.dev/folded-from: '{"v":2,"target":"App/shop","digest":"…","layers":[
 *   {"kind":"ConfigMap","name":"base","priority":25,"slot":"extraConfigs"},
 *   {"kind":"ConfigMap","name":"prod","priority":75,"local":true}]}'
 * ```
 */
export interface RecordedLayer {
  readonly kind: LayerKind;
  readonly name: string;
  readonly namespace?: string;
  readonly key?: string;
  readonly priority: number;
  readonly optional?: boolean;
  /** Absent for an annotated layer. */
  readonly slot?: string;
  /** The entry that was below it in its list, unless that is the layer recorded before it: `Kind/namespace/name`. */
  readonly after?: string;
  /** Without such a one, in a fold that took a slot: the next entry in front of it that does not fold. */
  readonly behind?: string;
  /** Whether valuefold marked it `local-config`; absent in older records. */
  readonly local?: boolean;
  /** True if it was removed once it was folded: a later item with its name is another one. */
  readonly gone?: boolean;
}

/** A folded item of an earlier run: its layers, and whether they replace it again. */
export interface Restoration {
  readonly item: Item;
  /** All its layers, lowest first. */
  readonly recorded: readonly RecordedLayer[];
  /** Those that are restored: annotated ones that are in the list, and every reference. */
  readonly layers: readonly RecordedLayer[];
  /** True if it stays as a layer like any other, because its own layers are gone. */
  readonly stays: boolean;
  /** The merge rules of the fold. */
  readonly rules: readonly MergeRule[];
}

/** A run with the name it will have. */
export interface Fold extends Run {
  readonly name: string;
  /** The namespace of its layers, or of the target. */
  readonly namespace: string | undefined;
}
