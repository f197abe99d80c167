// The sources that Kustomizations of Flux name → directories of this repository, where they are in it.
import { basename, dirname, join, posix } from "node:path";
import { isDirectory } from "../disk.ts";
import { isNode, type Item } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";
import { type FluxPath, idOf, type ReferencedObject } from "./kustomization.ts";

/** Where a source is in this repository, as a path from its top; or why it is not. */
export type SourceFound = { readonly path: string; readonly isAssumed?: true } | { readonly why: string };

export const sourceKinds = ["GitRepository", "OCIRepository", "Bucket"];

export class FluxSources {
  /** The URLs of sources, by their ids. */
  private readonly urls = new Map<string, string>();
  /** What is copied into artifacts, by the ids of ExternalArtifacts. */
  private readonly artifacts = new Map<string, SourceFound>();
  /** The folders of this repository that sources are, by their ids. */
  private readonly own = new Map<string, string>();
  private readonly top: string;
  private readonly remotes: readonly string[];

  /** @param top of this repository, as a real path @param remotes its URLs */
  constructor(top: string, remotes: readonly string[]) {
    this.top = top;
    this.remotes = remotes.map(plainUrl);
  }

  add(item: Item): void {
    const { kind, name, namespace = "flux-system", apiVersion } = item;
    const root = item.read();
    const spec = isNode(root) ? root.get("spec") : undefined;
    if (spec === undefined) return;
    if (sourceKinds.includes(kind) && apiVersion.startsWith("source.toolkit.fluxcd.io/"))
      this.urls.set(idOf({ kind, name, namespace }), spec.textAt("url") ?? "");
    if (kind === "ArtifactGenerator") this.addArtifacts(spec, namespace);
  }

  /** A Kustomization that builds the file it is in has the files around it as its source. @returns the directory that it builds */
  addOwn(sync: FluxPath, file: string): string | undefined {
    const url = this.urls.get(idOf(sync.source));
    const isForeign = url !== undefined && this.remotes.length > 0 && !this.isRemote(url);
    const folder = syncedFolder(sync, file, this.top);
    if (folder === undefined || (isForeign && isWhole(sync.path))) return undefined;
    this.own.set(idOf(sync.source), posix.relative(this.top, folder));
    return join(folder, rooted(sync.path));
  }

  /** The directory in this repository that a path of a source is, or why no directory is. @param file that has the Kustomization */
  directoryOf(
    { source }: FluxPath,
    path: string,
    file: string | undefined,
  ): { readonly directory: string; readonly isAssumed?: true } | { readonly why: string } {
    const found = this.find(source);
    if ("why" in found) return { why: `of ${source.kind}/${source.name}: ${found.why}` };
    const directory = directoryAt(join(this.top, found.path), path);
    if (directory !== undefined) return { ...found, directory };
    const around = found.isAssumed && file !== undefined ? this.directoryAround(file, path) : undefined;
    return around === undefined
      ? { why: `its path \`${path}\` is not in this repository` }
      : { directory: around, isAssumed: true };
  }

  /** An artifact may be made of a folder: of one above the file, the only one that has the path. */
  private directoryAround(file: string, path: string): string | undefined {
    const [only, second] = foldersAbove(file, this.top).flatMap((each) => directoryAt(each, path) ?? []);
    return second === undefined ? only : undefined;
  }

  isKnown(source: ReferencedObject): boolean {
    const id = idOf(source);
    return this.own.has(id) || this.urls.has(id) || this.artifacts.has(id);
  }

  find(source: ReferencedObject): SourceFound {
    const id = idOf(source);
    if (source.kind === "ExternalArtifact")
      return this.artifacts.get(id) ?? { why: "no ArtifactGenerator here makes it" };
    const url = this.urls.get(id);
    const own = this.own.get(id);
    if (own !== undefined) return { path: own };
    if (url === undefined) return { path: "", isAssumed: true };
    if (this.isRemote(url)) return { path: "" };
    const same = [...this.own].find(([each]) => plainUrl(this.urls.get(each) ?? "") === plainUrl(url));
    return same === undefined ? { why: "it is another repository" } : { path: same[1] };
  }

  private isRemote(url: string): boolean {
    return this.remotes.includes(plainUrl(url));
  }

  private addArtifacts(spec: Node, namespace: string): void {
    const sources = new Map(spec.list("sources").map((each) => [each.textAt("alias") ?? "", each] as const));
    for (const artifact of spec.list("artifacts")) {
      const name = artifact.textAt("name") ?? "";
      const id = idOf({ kind: "ExternalArtifact", namespace, name });
      this.artifacts.set(id, this.copied(artifact.list("copy"), sources, namespace));
    }
  }

  /** An artifact has the layout of one directory if all that is copied has the same path below it. */
  private copied(
    copies: readonly Node[],
    sources: ReadonlyMap<string, Node>,
    namespace: string,
  ): SourceFound {
    const tops = copies.map((copy): string | undefined => {
      const [, alias = "", from = ""] = /^@([^/]+)\/(.*)$/.exec(copy.textAt("from") ?? "") ?? [];
      const [, to] = /^@artifact\/(.*)$/.exec(copy.textAt("to") ?? "") ?? [];
      const source = sources.get(alias);
      if (to === undefined || source === undefined || copy.get("strategy") !== undefined) return undefined;
      const found = this.find({
        kind: source.textAt("kind") ?? "",
        name: source.textAt("name") ?? "",
        namespace: source.textAt("namespace") ?? namespace,
      });
      if (!("path" in found)) return undefined;
      const path = from.replace(/\/?\*\*$/, "");
      const below = from.endsWith("**") || !/(?:^|\/)$/.test(to) ? to : to + basename(path);
      return topOf(path, posix.normalize(below).replace(/\/$/, ""));
    });
    const [top] = tops;
    return top !== undefined && tops.every((each) => each === top)
      ? { path: top }
      : { why: "its ArtifactGenerator gives it another layout than this repository has" };
  }
}

/** What a path has before its end; undefined if it ends otherwise. */
function topOf(path: string, end: string): string | undefined {
  if (end === "." || end === "") return path;
  if (path === end) return "";
  return path.endsWith(`/${end}`) ? path.slice(0, -end.length - 1) : undefined;
}

/** Host and path, whatever the protocol: `ssh://git@host/path.git` and `https://host/path` are one repository. */
export function plainUrl(url: string): string {
  return url
    .replace(/^[a-z+]+:\/\//i, "")
    .replace(/^[^@/]*@/, "")
    .replace(/\.git$|\/$/g, "")
    .replace(/^([^/:]+)(?::\d+)?[:/]/, "$1/")
    .toLowerCase();
}

/** The directory of a path in the repository; undefined where none is there. As in the controller `..` ends at the top. */
export function directoryAt(top: string, path: string): string | undefined {
  const directory = join(top, rooted(path));
  return isDirectory(directory) ? directory.replace(/(?<=.)\/$/, "") : undefined;
}

/**
 * The folder from which a Kustomization builds the file that it is in: the topmost one.
 *
 *     clusters/home/flux-system/gotk-sync.yaml, path: ./clusters/home → the top of the repository
 */
function syncedFolder(sync: FluxPath, file: string, top: string): string | undefined {
  const isAbove = (directory: string): boolean =>
    `${file}/`.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
  return isSelfMade(sync)
    ? foldersAbove(file, top).find((each) => isAbove(join(each, rooted(sync.path))))
    : undefined;
}

/** True for a Kustomization that builds a directory of this name, if it is in it. */
export function mayBuild(sync: FluxPath, directory: string): boolean {
  return isSelfMade(sync) && (isWhole(sync.path) || directory.endsWith(rooted(sync.path).replace(/\/$/, "")));
}

/** All of a source holds any file: only what `flux bootstrap` writes, flux-system/flux-system, builds itself so. */
function isSelfMade({ path, source, name, namespace }: FluxPath): boolean {
  return !isWhole(path) || (source.name === name && source.namespace === namespace && name === namespace);
}

function isWhole(path: string): boolean {
  return rooted(path) === "/";
}

/** A path from a top, which `..` does not leave. */
export function rooted(path: string): string {
  return posix.normalize(`/${path}`);
}

/** The topmost first. */
function foldersAbove(file: string, top: string): readonly string[] {
  const folder = dirname(file);
  if (folder === top) return [top];
  return folder.startsWith(`${top}/`) ? [...foldersAbove(folder, top), folder] : [];
}
