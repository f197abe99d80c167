// What a build hands on to those who ask, once all is read, whether its patches reach something.
import type { Overlay } from "./overlay.ts";
import type { Kustomization, KustomizationTree } from "./tree.ts";

/** Changes the fields of a kustomization in a copy. */
export type FieldsOfCopy = (kustomization: Kustomization, own: Record<string, unknown>) => void;

/** A build, as far as its patches are asked for. */
export interface ProbedBuild {
  readonly tree: KustomizationTree;
  readonly overlay: Overlay | undefined;
  readonly shown: (path: string) => string;
  /** False if every patch is known to reach something. */
  readonly mayMiss: boolean;
  /** The output of a copy with other fields; undefined if that cannot be built. */
  readonly build: (fieldsOf: FieldsOfCopy) => Promise<Uint8Array | undefined>;
}
