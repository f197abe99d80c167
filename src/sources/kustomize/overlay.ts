// What Flux adds to the kustomization in a directory, and what it replaces in the result.
import type { Place, Variable } from "../../explanation.ts";
import type { SourceText } from "./marks.ts";

export interface Overlay {
  /** They override fields of one name. */
  readonly fields: { readonly [name: string]: unknown };
  /** Paths from the directory. */
  readonly components: readonly string[];
  readonly patches: readonly OverlaidPatch[];
  /** As kustomize takes them: each adds to one of the same name. */
  readonly images: readonly { readonly [field: string]: unknown }[];
  readonly substitution: Substitution | undefined;
  /** A command that shows why it cannot be built. */
  readonly command: string;
}

/** All manifests below a directory are built. */
export const nothingAdded: Overlay = {
  fields: {},
  components: [],
  patches: [],
  images: [],
  substitution: undefined,
  command: "flux build kustomization --dry-run",
};

/** As kustomize takes it, and the text that it is read from, where that is known. */
export interface OverlaidPatch {
  readonly fields: { readonly [name: string]: unknown };
  readonly source: SourceText | undefined;
  /** Where its target is written, if that is known. */
  readonly targetAt?: Place | undefined;
}

/** @param stream of objects */
export type Substitution = (stream: Uint8Array) => Promise<SubstitutedStream>;

export interface SubstitutedStream {
  readonly bytes: Uint8Array;
  /** The variables that a text of an object, as it was before, holds a value of. */
  readonly variablesIn: (text: string) => readonly Variable[];
}
