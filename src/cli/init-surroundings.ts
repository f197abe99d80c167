// What a directory has before `init` writes: its targets, with the namespaces that kustomize gives them, and what is taken.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { decodeStream, isNode, type Item, Mark } from "../krm/index.ts";
import { helmReleaseKind, referencingKinds } from "../kinds.ts";
import { meantOr, nearest } from "../diagnostic.ts";
import { isNamedAs, type ObjectId, objectText, parseObject } from "../object-id.ts";
import type { FlagValues } from "./flags.ts";
import {
  type Kustomization,
  kustomizationFile,
  manifestParts,
  readTree,
  readNamed,
  UsageError,
} from "../sources/index.ts";
import { names } from "./starter-files.ts";

export type Pipeline = NonNullable<FlagValues<"init">["for"]>;

export interface FoundPipeline {
  readonly directory: string;
  readonly pipeline: Pipeline;
  /** Files with manifests, seen from the directory. */
  readonly manifests: readonly string[];
  /** The target of the new layer, if there is one. */
  readonly target: ObjectId | undefined;
  /** Its own values, which override those of layers: keys from the top. */
  readonly above: readonly string[];
  /** How many it was taken from. */
  readonly targets: number;
  /** The file for the layer: it may be there, as an earlier call wrote it. */
  readonly layerFile: string;
  /** Names that objects have. */
  readonly taken: ReadonlySet<string>;
  /** True if there is nothing yet: then an app to try it with is written, too. */
  readonly isEmpty: boolean;
}

/** @param wanted the target, as `Kind/name` or `Kind/namespace/name` */
export function lookInto(
  directory: string,
  wanted: string | undefined,
  form: Pipeline | undefined,
): FoundPipeline {
  const isThere = existsSync(directory);
  const hasKustomization = isThere && kustomizationFile(directory) !== undefined;
  const tree = hasKustomization ? readTree(directory) : undefined;
  const folders = tree?.all.map((each) => each.directory) ?? [directory];
  const all = isThere ? folders.flatMap((folder) => manifestParts(folder, directory).parts) : [];
  const parts = [...new Map(all.map((part) => [part.path ?? part.name, part])).values()];
  const namespaceOf = namespacesIn(tree?.top);
  const items = parts.flatMap(({ bytes, path }) =>
    itemsIn(bytes).map((item) => ({
      kind: item.kind,
      name: item.name,
      namespace: namespaceOf(path) ?? item.namespace,
      above: inlineKeys(item),
    })),
  );
  const targets = items.filter(({ kind }) => referencingKinds.some((each) => each.kind === kind));
  const target = targetAmong(targets, wanted);
  const layerFile = layerFileFor(directory, wanted === undefined ? undefined : target);
  const ownFiles: ReadonlySet<string> = new Set([layerFile, names.fold, names.nameReference]);
  const isPackage = existsSync(join(directory, names.package));
  return {
    directory,
    pipeline: form ?? (isPackage ? "kpt" : hasKustomization ? "kustomize" : "pipe"),
    manifests: [...new Set(parts.flatMap(({ name }) => name ?? []))].filter((name) => !ownFiles.has(name)),
    target,
    above: target?.above ?? [],
    targets: targets.length,
    layerFile,
    taken: new Set(items.map(({ name }) => name)),
    isEmpty: parts.length === 0 && !hasKustomization && !isPackage,
  };
}

function itemsIn(bytes: Uint8Array): readonly Item[] {
  const envelope = decodeStream(bytes);
  return "items" in envelope ? envelope.items : [];
}

/** The keys of values that the object itself has. */
function inlineKeys(item: Item): readonly string[] {
  const root = item.kind === helmReleaseKind.kind ? item.read() : undefined;
  const values = root !== undefined && isNode(root) ? root.get("spec")?.get("values") : undefined;
  return values?.value.isMapping === true ? values.value.members().map((each) => each.key) : [];
}

/** The namespace that kustomize gives all objects of a file: that of the outermost kustomization that sets one. */
function namespacesIn(top: Kustomization | undefined): (path: string | undefined) => string | undefined {
  const found = new Map<string, string | undefined>();
  const walk = (one: Kustomization, above: string | undefined): void => {
    if (found.has(one.directory)) return;
    const own = one.fields["namespace"];
    const namespace = above ?? (typeof own === "string" && own !== "" ? own : undefined);
    found.set(one.directory, namespace);
    for (const other of one.others.values()) walk(other, namespace);
  };
  if (top !== undefined) walk(top, undefined);
  return (path) => {
    for (let folder = path; folder !== undefined && folder !== dirname(folder);) {
      folder = dirname(folder);
      if (found.has(folder)) return found.get(folder);
    }
    return undefined;
  };
}

function targetAmong<T extends ObjectId>(targets: readonly T[], wanted: string | undefined): T | undefined {
  const [first] = targets;
  if (wanted === undefined) return first;
  const found = targets.find((each) => isNamedAs(each, wanted));
  if (found !== undefined) return found;
  const near = nearest(
    wanted,
    targets.map(({ kind, name }) => objectText({ kind, name })),
  );
  throw new UsageError(
    `no manifest here has the target \`${wanted}\``,
    meantOr(
      near,
      first === undefined
        ? "leave it out: no target is here yet"
        : "leave it out: the first target here is taken",
    ),
  );
}

/** The first file that is free, or has a layer of that target already. @param target the one that the user names */
function layerFileFor(directory: string, target: ObjectId | undefined): string {
  if (target === undefined) return names.layer;
  const { kind, name } = target;
  const own = `${name}-${names.layer}`;
  const files = [names.layer, own, `${kind.toLowerCase()}-${own}`];
  const isFree = (file: string): boolean =>
    !existsSync(join(directory, file)) ||
    intoOf(readNamed(join(directory, file))).includes(objectText({ kind, name }));
  return files.find(isFree) ?? own;
}

/** The targets of layers in a file, as `Kind/name`. */
function intoOf(bytes: Uint8Array): readonly string[] {
  return itemsIn(bytes).flatMap(({ annotations }) => {
    const { kind, name } = parseObject(annotations.get(Mark.into) ?? "");
    return kind === undefined ? [] : [objectText({ kind, name })];
  });
}
