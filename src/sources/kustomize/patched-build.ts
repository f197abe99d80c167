// What a build hands on to those who ask, once all is read, whether its patches reach something.
import type { KustomizationTree } from "./tree.ts";

/** A build, as far as its patches are asked for. */
export interface PatchedBuild {
  readonly tree: KustomizationTree;
  readonly shown: (path: string) => string;
  /** Undefined where they are not known. */
  readonly missed: readonly MissedTarget[] | undefined;
}

/** The target of a patch in the kustomization of a directory. */
export interface MissedTarget {
  readonly directory: string;
  /** Its values, in the order of `targetFields`. */
  readonly fields: readonly string[];
}

export const targetFields = [
  "group",
  "version",
  "kind",
  "namespace",
  "name",
  "labelSelector",
  "annotationSelector",
] as const;
