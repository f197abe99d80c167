// The sources that objects of Flux name → directories here, where they are here.
import { basename, join, posix } from "node:path";
import { isDirectory } from "../disk.ts";
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
  /** Where the content of artifacts is, by the ids of ExternalArtifacts: known once the sources are. */
  private readonly artifacts = new Map<string, () => Located>();
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
    const spec = specOf(item);
    if (spec === undefined) return;
    if (sourceKinds.includes(kind) && apiVersion.startsWith("source.toolkit.fluxcd.io/"))
      this.urls.set(objectKey({ kind, name, namespace }), spec.textAt("url") ?? "");
    // What is known of artifacts may depend on it.
    this.locatedArtifacts.clear();
    if (kind === "ArtifactGenerator") this.addArtifacts(spec, namespace, file);
    const sync = isFluxKustomization(item) ? fluxPath(item) : undefined;
    if (sync?.url !== undefined) this.urls.set(objectKey(sync.source), sync.url);
  }

  /** A Kustomization that builds the file it is in has the files around it as its source. @returns the directory that it builds */
  addOwn(sync: FluxPath, file: string): string | undefined {
    const folder = syncedFolder(sync, file, this.locator.top);
    if (folder === undefined || !this.maySync(sync, folder)) return undefined;
    const id = objectKey(sync.source);
    this.locatedArtifacts.clear();
    this.synced.set(id, (this.synced.get(id) ?? new Set()).add(folder));
    return join(folder, rooted(sync.path));
  }

  /** A path of another repository may have a name of this one, and all of it holds no file of this one. */
  private maySync(sync: FluxPath, folder: string): boolean {
    const url = this.urlOf(sync.source);
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
      ? { why: `its path \`${path}\` is not in this repository` }
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
    if (source.kind === "ExternalArtifact") return this.artifactAt(objectKey(source));
    const synced = this.syncedAround(source, file);
    return this.locator.locate({ url: this.urlOf(source), path: path ?? "", file, synced });
  }

  private artifactAt(id: string): Located {
    const known = this.locatedArtifacts.get(id);
    if (known !== undefined) return known;
    // It may be made of itself, or of many others in turn.
    this.locatedArtifacts.set(id, { why: "it is made of itself" });
    this.depth++;
    const located =
      this.depth > mostArtifacts
        ? { why: `it is made of more than ${mostArtifacts} others in turn` }
        : (this.artifacts.get(id)?.() ?? { why: "no ArtifactGenerator here makes it" });
    this.depth--;
    this.locatedArtifacts.set(id, located);
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
      this.artifacts.set(id, () => this.copied(artifact.list("copy"), sources, namespace, file));
    }
  }

  /** An artifact has the layout of one directory if all that is copied has the same path below it. */
  private copied(
    copies: readonly Node[],
    sources: ReadonlyMap<string, Node>,
    namespace: string,
    file: string | undefined,
  ): Located {
    const tops = copies.map((copy): string | undefined => {
      const [, alias = "", from = ""] = /^@([^/]+)\/(.*)$/.exec(copy.textAt("from") ?? "") ?? [];
      const [, to] = /^@artifact\/(.*)$/.exec(copy.textAt("to") ?? "") ?? [];
      const source = sources.get(alias);
      if (to === undefined || source === undefined || copy.get("strategy") !== undefined) return undefined;
      const path = from.replace(/\/?\*\*$/, "");
      const named = {
        kind: source.textAt("kind") ?? "",
        name: source.textAt("name") ?? "",
        namespace: source.textAt("namespace") ?? namespace,
      };
      const found = this.find(named, { path, file });
      const below = from.endsWith("**") || !/(?:^|\/)$/.test(to) ? to : to + basename(path);
      const own = topOf(path, posix.normalize(below).replace(/\/$/, ""));
      return "top" in found && own !== undefined ? join(found.top, own) : undefined;
    });
    const [top] = tops;
    return top !== undefined && tops.every((each) => each === top)
      ? { top }
      : { why: "its ArtifactGenerator gives it another layout than this repository has" };
  }
}

/** What a path has before its end; undefined if it ends otherwise. */
function topOf(path: string, end: string): string | undefined {
  if (end === "." || end === "") return path;
  if (path === end) return "";
  return path.endsWith(`/${end}`) ? path.slice(0, -end.length - 1) : undefined;
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
