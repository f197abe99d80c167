// A repository as its user sees it: files of one item each, and settings. Two of them live side by side: the
// sources, which nobody ever folds, and what is rendered from them again and again.
import { parse } from "yaml";

export type LayerKind = "ConfigMap" | "Secret";

export interface File {
  readonly path: string;
  readonly text: string;
}

export interface Settings {
  readonly layers?: "local" | "prune" | "keep" | "unset";
  readonly unseen?: readonly number[];
  readonly name?: string;
  readonly hashSuffix?: boolean;
  readonly onTie?: "error";
}

export interface Repository {
  readonly files: readonly File[];
  readonly settings: Settings;
}

export interface AppEntry {
  readonly kind?: string;
  readonly name: string;
  readonly namespace?: string;
  readonly priority?: number;
}

export interface HelmEntry {
  readonly kind: string;
  readonly name: string;
  readonly valuesKey?: string;
  readonly optional?: boolean;
  readonly targetPath?: string;
}

export type Entry = AppEntry | HelmEntry;

interface Slot {
  readonly configMap?: { readonly name?: string; readonly namespace?: string };
  readonly secret?: { readonly name?: string; readonly namespace?: string };
}

interface Spec {
  readonly catalog?: string;
  readonly kubeConfig?: { readonly inCluster?: boolean };
  readonly config?: Slot;
  readonly userConfig?: Slot;
  readonly extraConfigs?: readonly AppEntry[];
  readonly valuesFrom?: readonly HelmEntry[];
  readonly values?: object;
  /** Of a Deployment: what it mounts. */
  readonly mounts?: readonly { readonly kind: LayerKind; readonly name: string }[];
}

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly sops?: object;
  readonly spec?: Spec;
}

const known = new Map<string, KubeObject>();

/** The object a text says; remembered, since most files stay what they are. */
export function objectOf({ text }: { readonly text: string }): KubeObject {
  const found = known.get(text);
  if (found !== undefined) return found;
  if (known.size > 20_000) known.clear();
  const object = parse(text) as KubeObject;
  known.set(text, object);
  return object;
}

export function idOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.namespace ?? ""}/${metadata.name}`;
}

export function objectsOf({ files }: Repository): KubeObject[] {
  return files.map(objectOf);
}

export function fileOf({ files }: Repository, id: string): File | undefined {
  return files.find((file) => idOf(objectOf(file)) === id);
}

export function find(repository: Repository, id: string): KubeObject | undefined {
  const file = fileOf(repository, id);
  return file === undefined ? undefined : objectOf(file);
}

export function noteOf({ metadata }: KubeObject, key: string): string | undefined {
  return metadata.annotations?.[key];
}

export const foldedFrom = "valuefold.dev/folded-from";
export const localConfig = "config.kubernetes.io/local-config";

export function isFolded(object: KubeObject): boolean {
  return noteOf(object, foldedFrom) !== undefined;
}

export function isLayerKind(kind: string): kind is LayerKind {
  return kind === "ConfigMap" || kind === "Secret";
}
