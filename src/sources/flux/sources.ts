// The sources that objects of Flux name → directories here, where they are here.
import { basename, dirname, join } from "node:path";
import { existsSync, isDirectory } from "../disk.ts";
import type { Item } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";
import { isIn } from "../tree.ts";
import {
  directoryAt,
  foldersAbove,
  isWhole,
  type Located,
  type Locator,
  plainUrl,
  rooted,
} from "../locator.ts";
import { type FluxPath, fluxPath, isFluxKustomization, type ReferencedObject } from "./kustomization.ts";
import { objectKey } from "../../object-id.ts";
import { specOf } from "../items.ts";

/** What names a source, and where it does. */
interface AskedPath {
  /** From the top of the source. */
  readonly path?: string;
  /** The file that names it, as a real path. */
  readonly file?: string | undefined;
}

type FoundDirectory =
  | { readonly directory: string; readonly located: Located }
  | { readonly why: string; readonly isOther?: true };

const mostArtifacts = 100;

export const sourceKinds = ["GitRepository", "OCIRepository", "Bucket"];

export class FluxSources {
  private readonly locator: Locator;
  /** The URLs of sources, by their ids. */
  private readonly urls = new Map<string, string>();
  /** Where the content of artifacts is for a path in them, by the ids of ExternalArtifacts: known once the sources are. */
  private readonly artifacts = new Map<string, (path: string) => Located>();
  private readonly locatedArtifacts = new Map<string, Located>();
  private depth = 0;
  /** The folders from which objects build their own files, by the ids of their sources. */
  private readonly synced = new Map<string, Set<string>>();

  constructor(locator: Locator) {
    this.locator = locator;
  }

  /** @param file that has it, as a real path */
  add(item: Item, file: string | undefined): void {
    const { kind, name, namespace = "flux-system", apiVersion } = item;
    const isSource = sourceKinds.includes(kind) && apiVersion.startsWith("source.toolkit.fluxcd.io/");
    const isSync = isFluxKustomization(item);
    // Other objects, such as long definitions of resources, are not read.
    const spec = isSource || isSync || kind === "ArtifactGenerator" ? specOf(item) : undefined;
    if (spec === undefined) return;
    if (isSource) this.urls.set(objectKey({ kind, name, namespace }), spec.textAt("url") ?? "");
    // What is known of artifacts may depend on it.
    this.locatedArtifacts.clear();
    if (kind === "ArtifactGenerator") this.addArtifacts(spec, namespace, file);
    const sync = isSync ? fluxPath(item) : undefined;
    if (sync?.url !== undefined) this.urls.set(objectKey(sync.source), sync.url);
  }

  /** A Kustomization that builds the file it is in has the files around it as its source. @returns the directory that it builds */
  addOwn(sync: FluxPath, file: string): string | undefined {
    const folder = syncedFolder(sync, file, this.locator.top);
    if (folder === undefined || !this.maySync(sync, folder)) return undefined;
    const id = objectKey(sync.source);
    this.locatedArtifacts.clear();
    this.synced.set(id, (this.synced.get(id) ?? new Set()).add(folder));
    return directoryAt(folder, sync.path);
  }

  /** A path of another repository may have a name of this one, and all of it holds no file of this one. */
  private maySync(sync: FluxPath, folder: string): boolean {
    const url = sync.url ?? this.urlOf(sync.source);
    if (url === undefined || !this.locator.isOther(url) || this.locator.isAlike(url, folder)) return true;
    return !isWhole(sync.path) && isBootstrapped(sync);
  }

  /** The directory that a path of a source is, or why no directory is. */
  directoryOf(sync: FluxPath, path: string, file: string | undefined): FoundDirectory {
    const { source } = sync;
    const located = this.find(source, { path: sync.path, file });
    if ("why" in located) return { ...located, why: `of ${source.kind}/${source.name}: ${located.why}` };
    const directory = directoryAt(located.top, path);
    return directory === undefined
      ? {
          why: `its path \`${path}\` is not in ${located.top === this.locator.top ? "this repository" : "the directory of its source"}`,
        }
      : { directory, located };
  }

  isKnown(source: ReferencedObject): boolean {
    const id = objectKey(source);
    return this.synced.has(id) || this.urls.has(id) || this.artifacts.has(id);
  }

  urlOf(source: ReferencedObject): string | undefined {
    return this.urls.get(objectKey(source));
  }

  find(source: ReferencedObject, { path, file }: AskedPath = {}): Located {
    if (source.kind === "ExternalArtifact") return this.artifactAt(objectKey(source), path ?? "");
    const synced = this.syncedAround(source, file);
    return this.locator.locate({ url: this.urlOf(source), path: path ?? "", file, synced });
  }

  private artifactAt(id: string, path: string): Located {
    const asked = `${id} ${rooted(path)}`;
    const known = this.locatedArtifacts.get(asked);
    if (known !== undefined) return known;
    // It may be made of itself, or of many others in turn.
    this.locatedArtifacts.set(asked, { why: "it is made of itself" });
    this.depth++;
    const located =
      this.depth > mostArtifacts
        ? { why: `it is made of more than ${mostArtifacts} others in turn` }
        : (this.artifacts.get(id)?.(path) ?? { why: "no ArtifactGenerator here makes it" });
    this.depth--;
    this.locatedArtifacts.set(asked, located);
    return located;
  }

  /** Of the folders of a source, or of one with its URL: that around a file, or else the only one. */
  private syncedAround(source: ReferencedObject, file: string | undefined): string | undefined {
    const url = this.urlOf(source);
    const isSame = (id: string): boolean =>
      id === objectKey(source) || (url !== undefined && plainUrl(this.urls.get(id) ?? "") === plainUrl(url));
    const all = [...new Set([...this.synced].flatMap(([id, folders]) => (isSame(id) ? [...folders] : [])))];
    const around = all.filter((each) => file !== undefined && isIn(file, each));
    const [first, second] = around.length > 0 ? around : all;
    return around.length > 0 || second === undefined ? first : undefined;
  }

  private addArtifacts(spec: Node, namespace: string, file: string | undefined): void {
    const sources = new Map(spec.list("sources").map((each) => [each.textAt("alias") ?? "", each] as const));
    for (const artifact of spec.list("artifacts")) {
      const name = artifact.textAt("name") ?? "";
      const id = objectKey({ kind: "ExternalArtifact", namespace, name });
      const copies = artifact.list("copy");
      this.artifacts.set(id, (path) => this.copied(copies, path, { sources, namespace, file }));
    }
  }

  /** An artifact has the layout of one directory if all that is copied has the same path below it. */
  private copied(copies: readonly Node[], path: string, around: AroundCopies): Located {
    const [first = [], ...others] = copies.map((copy) => this.topsOf(copy, rooted(path), around));
    const top = first.find((each) => others.every((tops) => tops.includes(each)));
    return top === undefined
      ? { why: "its ArtifactGenerator gives it another layout than this repository has" }
      : { top };
  }

  /** The directories that have what is copied at the path that it has in the artifact. */
  private topsOf(copy: Node, asked: string, { sources, namespace, file }: AroundCopies): readonly string[] {
    const [, alias = "", from = ""] = /^@([^/]+)\/(.*)$/.exec(copy.textAt("from") ?? "") ?? [];
    const [, to] = /^@artifact\/(.*)$/.exec(copy.textAt("to") ?? "") ?? [];
    const source = sources.get(alias);
    if (to === undefined || source === undefined || copy.get("strategy") !== undefined) return [];
    const path = from.replace(/\/?\*\*$/, "");
    if (/[*?[\]]/.test(path)) return [];
    const named = {
      kind: source.textAt("kind") ?? "",
      name: source.textAt("name") ?? "",
      namespace: source.textAt("namespace") ?? namespace,
    };
    const found = this.find(named, { path, file });
    if (!("top" in found)) return [];
    const folder = join(found.top, path);
    const ends = from.endsWith("**")
      ? [rooted(to)]
      : isDirectory(folder)
        ? endsOf(path, to, asked)
        : [fileEnd(path, to)];
    return ends.flatMap((end) => topOf(rooted(path), end) ?? []).map((own) => join(found.top, own));
  }
}

/**
 * Where a folder is in an artifact: it is put into the target, and Flux builds the only folder that a directory has as it builds
 * that directory.
 */
function endsOf(path: string, to: string, asked: string): readonly string[] {
  const [target, inside] = [rooted(to), join(rooted(to), basename(path))];
  return asked === target ? [target, inside] : [inside, target];
}

function fileEnd(path: string, to: string): string {
  return to === "" || to.endsWith("/") ? join(rooted(to), basename(path)) : rooted(to);
}

/** What the copies of an artifact name. */
interface AroundCopies {
  readonly sources: ReadonlyMap<string, Node>;
  /** That of sources without one. */
  readonly namespace: string;
  /** The file that has the artifact, as a real path. */
  readonly file: string | undefined;
}

/** What a path has before its end; undefined if it ends otherwise. Both from a top. */
function topOf(path: string, end: string): string | undefined {
  const [own, last] = [path, end].map((each) => each.replace(/\/$/, ""));
  return own?.endsWith(last ?? "") === true ? own.slice(0, own.length - (last ?? "").length) : undefined;
}

/**
 * The folder from which a Kustomization builds the file that it is in: the topmost one. An instance that names its source may be
 * in another part of it.
 *
 *     clusters/home/flux-system/gotk-sync.yaml, path: ./clusters/home → the top of the repository
 */
function syncedFolder(sync: FluxPath, file: string, top: string): string | undefined {
  if (!isSelfMade(sync)) return undefined;
  const folders = foldersAbove(file, top);
  const builds = (each: string): string => join(each, rooted(sync.path));
  const own = folders.find((each) => isIn(file, builds(each)));
  return own ?? (sync.url === undefined ? undefined : folders.find((each) => isDirectory(builds(each))));
}

/** True for a sync in a file of values that is one of this repository: those of a chart and those with another URL do not count. */
export function isSyncOf({ url = "" }: FluxPath, file: string, locator: Locator): boolean {
  if (existsSync(join(dirname(file), "Chart.yaml"))) return false;
  return !locator.isOther(url) || locator.isAlike(url, locator.top);
}

/** True for a Kustomization that builds a directory of this name, if it is in it. */
export function mayBuild(sync: FluxPath, directory: string): boolean {
  return isSelfMade(sync) && (isWhole(sync.path) || directory.endsWith(rooted(sync.path).replace(/\/$/, "")));
}

/** All of a source holds any file: only what `flux bootstrap` writes builds itself so. What is made of sources is no checkout. */
function isSelfMade(sync: FluxPath): boolean {
  return sourceKinds.includes(sync.source.kind) && (!isWhole(sync.path) || isBootstrapped(sync));
}

/** What `flux bootstrap` writes is flux-system/flux-system, and so is its source. A FluxInstance says its source itself. */
function isBootstrapped({ source, name, namespace, url }: FluxPath): boolean {
  return url !== undefined || (source.name === name && source.namespace === namespace && name === namespace);
}
