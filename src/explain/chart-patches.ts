// What changes the objects that a chart makes, before the cluster has them: a kustomization over them.
import type { ObjectId } from "../object-id.ts";
import type { Place } from "../explanation.ts";
import type { Node } from "../yaml/index.ts";

export interface ChartPatches {
  /** As messages name it. */
  readonly shown: string;
  /** Undefined where that is not known here. */
  readonly patched?: (made: HelmText) => Promise<PatchedChart | undefined>;
}

/** What `helm template` prints, and which lines it is from. */
export interface HelmText {
  readonly bytes: Uint8Array;
  readonly placeAt: (offset: number) => Place;
}

export interface PatchedChart {
  readonly objects: readonly PatchedObject[];
  /** True where something of a Secret may be in what changes them. */
  readonly isSecret: boolean;
  /** What takes away an object of the text, by its number there; undefined where it is still there. */
  readonly takenBy: (number: number) => Promise<Place | undefined>;
}

export interface PatchedObject extends ObjectId {
  /** Which object of the text it was. */
  readonly number: number;
  /** @param isAsked for a path of which the step is wanted, too: finding it takes more builds */
  readonly fields: (isAsked: (path: ObjectPath) => boolean) => Promise<readonly PatchedField[]>;
}

/** A step is a key, or the number of an element. */
export type ObjectPath = readonly (string | number)[];

export interface PatchedField {
  readonly path: ObjectPath;
  /** Absent for a field of the text that is not there any more. */
  readonly node?: Node;
  /** Where the text has it, if nothing changes it. */
  readonly from?: ObjectPath;
  /** What the text has in its place. */
  readonly over?: ObjectPath;
  /** What sets it, or takes it away. */
  readonly by?: PatchingStep;
}

export interface PatchingStep {
  readonly is: "patch" | "kustomization";
  readonly at: Place;
  /** True where something of a Secret may be in it. */
  readonly isSecret?: boolean;
  /** True where the text of the place is what is set. */
  readonly isProven?: true;
}
