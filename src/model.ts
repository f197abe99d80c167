// The words of SPEC section 1 as types: what targets, layers and stacks are, whatever front end made them.
import type { Diagnostic } from "./diagnostic.ts";
import type { Tree } from "./merge.ts";
import type { Item } from "./wire/item.ts";
import type { Node } from "./yaml/tape.ts";

export type LayerKind = "ConfigMap" | "Secret";

/** A target's own mention of a layer. */
export interface Reference {
  readonly kind: LayerKind;
  readonly name: string;
  /** Absent where the target leaves it out. */
  readonly namespace: string | undefined;
  /** `config`, `userConfig`, `extraConfigs`: the front end's own place names. */
  readonly slot: string;
  /** Position in the slot, if it is a list; of restored references, the one they had. */
  readonly index: number | undefined;
  readonly priority: number;
  /** The entry in the target that is this reference; absent if a fold replaced it and it was restored. */
  readonly node: Node | undefined;
}

/** One values document with a priority: one data key of one ConfigMap or Secret. */
export interface Layer {
  readonly item: Item;
  readonly kind: LayerKind;
  readonly priority: number;
  /** Which data key; undefined where the consumer takes the only one. */
  readonly key: string | undefined;
  /** Absent for a layer known by annotation only. */
  readonly reference: Reference | undefined;
}

/** A place in a stack that nothing can be folded across. */
interface Barrier {
  readonly why: "late-bound" | "unseen" | "sealed" | "reserved" | "ambiguous";
  readonly priority: number;
  /** Raised only where the stack would fold. */
  readonly fault?: Diagnostic;
}

export type StackEntry = { readonly layer: Layer } | { readonly barrier: Barrier };

/** The ordered layers of one target and kind, lowest first. */
export interface Stack {
  readonly target: Item;
  readonly kind: LayerKind;
  /** What lies below and is never part of a run: known layers, or anything at all. */
  readonly below: readonly Layer[] | "unknown";
  readonly entries: readonly StackEntry[];
}

/** Adjacent layers that fold into one. */
export interface Run {
  readonly stack: Stack;
  readonly layers: readonly Layer[];
  /** The merged values; undefined if all layers are empty. */
  readonly values: Tree | undefined;
  /** The values as text. */
  readonly text: Uint8Array;
  /** True if a Secret's text must stay text (`stringData`), because Flux fills in variables in it. */
  readonly unencoded: boolean;
}

/** What a folded item remembers of one layer: a reference it replaced, or a layer annotated into the target. */
export interface RecordedLayer {
  readonly kind: LayerKind;
  readonly name: string;
  readonly namespace?: string;
  readonly key?: string;
  readonly priority: number;
  /** Absent for an annotated layer. */
  readonly slot?: string;
  readonly index?: number;
}

/** A folded item of an earlier run: what it was folded from, and whether that takes its place again. */
export interface Restoration {
  readonly item: Item;
  /** All it was folded from, lowest first. */
  readonly recorded: readonly RecordedLayer[];
  /** Those of them that are in the list. */
  readonly layers: readonly RecordedLayer[];
  /** True if it stays as a layer like any other, because its own layers are gone. */
  readonly stays: boolean;
}

/** A run with the name it will have. */
export interface Fold extends Run {
  readonly name: string;
  /** That of its layers. */
  readonly namespace: string | undefined;
}
