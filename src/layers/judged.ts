// The documents of a stack as protected paths, schemas and paths of settings see them. A document may be a layer of a list, or
// a file: what judges it does not know which.
import type { ItemRef, Position } from "../diagnostic.ts";
import type { Named } from "../krm/index.ts";
import type { Rules } from "../merge/index.ts";
import type { Node } from "../yaml/index.ts";
import type { Barrier, Stack, Target } from "./model.ts";

/** The state of a layer, or of a barrier; a sealed file is never opened. */
export type UnknownValues = "sealed" | "sealed-file" | "unreadable" | "late" | Barrier["why"];

/** What sets values: a layer, or the target itself, with the priority. */
export interface LayerOwner {
  /** Absent for a file: settings call it a ConfigMap. */
  readonly kind?: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly priority: number;
}

export interface JudgedDocument {
  readonly root?: Node;
  /** A text that is not a mapping. */
  readonly whole?: string;
  /** True where messages name no key of it. */
  readonly isSecret: boolean;
  /** Absent where the input does not name it. */
  readonly owner?: LayerOwner;
  /** The layers that it was folded from, by a valid record. */
  readonly foldedFrom?: readonly LayerOwner[] | undefined;
  /** Why its values are not known. */
  readonly unknown?: UnknownValues;
  /** The one path that it sets, as the target writes it. */
  readonly targetPath?: string;
  /** True for values in a manifest, not in a text inside it: Flux prints them without quotes. */
  readonly isUnquoted?: boolean;
  /** The object, for those that are one. */
  readonly item?: ItemRef;
  /** The place of an entry; without one, that of the whole. */
  readonly positionAt: (entry?: Node) => Position;
}

/** Documents that their consumer merges, lowest first. */
export interface JudgedStack {
  readonly documents: readonly JudgedDocument[];
  /** Values below them that are not judged: a chart's defaults. */
  readonly below?: readonly JudgedDocument[];
  readonly rules?: Rules | undefined;
  /** The data key of the target that the stack goes into. */
  readonly into?: Stack["into"];
}

/** What settings demand something of. */
export interface JudgedTarget {
  /** For selectors. */
  readonly target: Target | Named;
  /** As messages name it. */
  readonly title: string;
  /** The object, for those that are one. */
  readonly item?: ItemRef;
  readonly at: Position;
  /** In the consumer's order: the values of a later stack are over those of an earlier one. */
  readonly stacks: readonly JudgedStack[];
}
