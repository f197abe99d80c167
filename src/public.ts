// The types of the library, complete in themselves: nothing here needs another package to be read.
import type { Diagnostic } from "./diagnostic.ts";
import type { Explanation } from "./explanation.ts";
import type { SettingsInput } from "./settings-input.ts";

export type * from "./comparison.ts";
export type * from "./difference.ts";
export type * from "./explanation.ts";
export type * from "./settings-input.ts";

export type { Diagnostic, ItemRef, Position } from "./diagnostic.ts";

/**
 * What to fold.
 *
 * ```yaml
 * # input, with the default form `stream`
 * apiVersion: helm.toolkit.fluxcd.io/v2
 * kind: HelmRelease
 * metadata: { name: shop, namespace: web }
 * spec: { valuesFrom: [{ kind: ConfigMap, name: base }] }
 * ---
 * apiVersion: v1
 * kind: ConfigMap
 * metadata: { name: base, namespace: web }
 * data: { values.yaml: "replicas: 1" }
 * ---
 * apiVersion: v1
 * kind: ConfigMap
 * metadata:
 *   name: prod
 *   namespace: web
 *   annotations: { valuefold.dev/into: HelmRelease/shop }
 * data: { values.yaml: "replicas: 3" }
 * ```
 */
export interface FoldRequest {
  /** A YAML stream, or a ResourceList in YAML or JSON. A string is encoded as UTF-8. */
  input: string | Uint8Array;
  /** How `input` is read; `stream` if left out. */
  form?: "stream" | "resource-list" | undefined;
  /** Settings as an object. They replace `config` and a resource list's own function config. */
  settings?: SettingsInput | undefined;
  /**
   * Text of a function config.
   *
   * ```yaml
   * apiVersion: valuefold.dev/v1alpha1
   * kind: ValueFold
   * spec: { layers: prune }
   * ```
   */
  config?: string | Uint8Array | undefined;
  /** An earlier output: sealed Secrets keep their bytes if no value in them has changed. */
  previous?: string | Uint8Array | undefined;
}

/** What to explain: all values of all targets, or a part of them. Nothing is written. */
export interface ExplainRequest extends Omit<FoldRequest, "previous"> {
  /** `App/shop` or `App/web/shop`; all targets if left out. */
  target?: string | undefined;
  /** Path of the values: `controller.replicas`, `annotations["a.b/c"]`, `**.tag`; all values if left out. */
  path?: string | undefined;
}

/** A bare values file: `{ name: "prod.yaml", text: "replicas: 5" }`. */
export interface ValuesFile {
  /** Messages and places name the file by it. */
  name: string;
  text: string | Uint8Array;
}

/** Values files as `helm -f` takes them, and what applies to their values. */
export interface FilesRequest extends Pick<FoldRequest, "settings" | "config"> {
  /** The lowest first. */
  files: readonly ValuesFile[];
}

/** What to merge. */
export interface MergeRequest extends FilesRequest {
  /** True for JSON; else the merged document is YAML. */
  json?: boolean | undefined;
}

/** What to explain of bare values files. */
export interface ExplainFilesRequest extends FilesRequest {
  path?: string | undefined;
}

/** How entries are read. */
export interface EntriesOptions {
  /** The environment of kustomize, git and `sops`: mostly that of the process. Without a PATH nothing is built. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Checkouts of other repositories, by their URLs. */
  repositories?: Readonly<Record<string, string>> | undefined;
  /** A file with the clusters that Argo CD knows, for ApplicationSets. */
  clusters?: string | undefined;
}

/** What to explain of an entry: all of it if left out. */
export interface EntryQuestion {
  /** `HelmRelease/shop`, `HelmRelease/web/shop`, or `shop`. */
  target?: string | undefined;
  path?: string | undefined;
}

/**
 * What is built by itself in a directory.
 *
 * ```yaml
 * name: clusters/production
 * kind: Flux
 * ```
 */
export interface Entry {
  /** Its directory, or its files, from the directory that was searched. */
  readonly name: string;
  /** `manifests` are read as they are; `stack` is values files, lowest first; `files` is a list of plain files. */
  readonly kind:
    | "Flux"
    | "Argo CD"
    | "Fleet"
    | "chart"
    | "kustomization"
    | "manifests"
    | "stack"
    | "files"
    | "unreadable";
  /** True for a file that it may read. A file is named from the directory that was searched. */
  readonly reads: (file: string) => boolean;
  /** What `valuefold explain --json` prints for it. */
  readonly explain: (question?: EntryQuestion) => Promise<ExplainOutcome>;
}

/** A build, and the explanation of it that `explain` gave. */
export interface ExplainedBuild {
  readonly name: string;
  readonly explanation: Explanation;
}

/** Which values to compare. */
export interface CompareOptions {
  /** `App/shop` or `App/web/shop`; all targets if left out. */
  target?: string | undefined;
  /** Path of the values: `controller.replicas`, `**.tag`; all values if left out. */
  path?: string | undefined;
  /** True for values that are equal in all builds, too. */
  all?: boolean | undefined;
}

/** What `explain` gives; docs/explain.md has the form of the explanation. */
export interface ExplainOutcome {
  /** True if nothing is an error. */
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if the input cannot be read, or if no target or value matches. */
  readonly explanation?: Explanation;
}

/** A list that was folded, to be checked for what a fold that did not run leaves in it. */
export interface VerifyRequest extends Omit<FoldRequest, "form" | "previous"> {
  /** True if unresolved references are errors; else they are warnings. */
  strict?: boolean | undefined;
  /** True if the stream is not folded yet: layers that wait for the fold are then no fault. */
  unfolded?: boolean | undefined;
}

/** What a fold gives. Errors are in `diagnostics`: nothing is thrown for a fault of the input. */
export interface FoldOutcome {
  /** True if nothing is an error. */
  readonly ok: boolean;
  /** 0 ok, 1 faults, 3 invalid settings: the command line's exit status. */
  readonly exitCode: 0 | 1 | 3;
  /**
   * What the command line writes to stdout: the folded list. Empty if a stream is refused; a refused resource list comes
   * back unchanged, with `results`.
   *
   * ```yaml
   * apiVersion: v1
   * kind: ConfigMap
   * metadata: { name: shop-folded, namespace: web }
   * data:
   *   values.yaml: |
   *     replicas: 3
   * ```
   */
  readonly output: Uint8Array;
  /** What the command line writes to stderr. */
  readonly messages: string;
  readonly diagnostics: readonly Diagnostic[];
}
