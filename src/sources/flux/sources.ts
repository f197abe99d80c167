// The sources that Kustomizations of Flux name → directories of this repository, where they are in it.
import { existsSync } from "node:fs";
import { basename, join, posix } from "node:path";
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
  private readonly own = new Set<string>();
  private readonly remotes: readonly string[];

  /** @param remotes the URLs of this repository */
  constructor(remotes: readonly string[]) {
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

  /** A Kustomization that builds the directory it is in has this repository as its source. */
  addOwn({ source }: FluxPath): void {
    this.own.add(idOf(source));
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
    if (this.own.has(id)) return { path: "" };
    if (url === undefined) return { path: "", isAssumed: true };
    return this.remotes.includes(plainUrl(url)) ? { path: "" } : { why: "it is another repository" };
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

/** The directory of a path in the repository; undefined where nothing is there, or outside of it. */
export function directoryAt(top: string, path: string): string | undefined {
  const own = posix.normalize(path);
  const directory = join(top, own);
  return own.startsWith("..") || !existsSync(directory) ? undefined : directory;
}
