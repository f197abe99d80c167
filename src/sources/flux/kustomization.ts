// An object of Flux that builds a directory, and what it adds to that directory: a Kustomization, or a FluxInstance with a `sync`,
// of which the operator makes a source and a Kustomization. A release of the operator's chart has the same in its values.
import type { Item } from "../../krm/index.ts";
import { bufferOf, type Node } from "../../yaml/index.ts";
import type { Place } from "../../explanation.ts";
import type { OverlaidPatch, Overlay } from "../kustomize/overlay.ts";
import type { ObjectPlaces } from "../object-places.ts";
import type { FoundVariable } from "./substitution.ts";
import type { ObjectId } from "../../object-id.ts";
import { linesOf, specOf } from "../items.ts";
import { isWhole } from "../locator.ts";
import { rootOfText } from "../plain.ts";
import { helmReleaseKind } from "../../kinds.ts";

/** An object that is named in another one, by default in the same namespace. */
export interface ReferencedObject extends ObjectId {
  readonly namespace: string;
}

/** What a Kustomization builds. */
export interface FluxPath extends ReferencedObject {
  /** From the top of its source. */
  readonly path: string;
  readonly source: ReferencedObject;
  /** That of its source, where it says that itself. */
  readonly url?: string;
  /** Paths from its own. */
  readonly components: readonly string[];
  /** The texts of its patches, with the texts of their targets. */
  readonly patches: readonly string[];
  /** The texts of its inline variables. */
  readonly substitute: ReadonlyMap<string, string>;
  /** True for one that is applied to another cluster: what it builds is not next to what others build. */
  readonly isElsewhere: boolean;
}

export interface FluxKustomization extends FluxPath {
  readonly at: Place | undefined;
  readonly overlay: Omit<Overlay, "substitution" | "command">;
  /** Inline variables. */
  readonly variables: ReadonlyMap<string, FoundVariable>;
  /** True where variables are replaced though none is defined. */
  readonly isAlwaysSubstituted: boolean;
  /** Objects that hold more of them: later ones override. */
  readonly variableSources: readonly VariableSource[];
}

export interface VariableSource extends ReferencedObject {
  /** True if Flux goes on without it. */
  readonly isOptional: boolean;
}

const defaultNamespace = "flux-system";

const operatorGroup = "fluxcd.controlplane.io/";

/** The chart whose values hold what a FluxInstance has as its spec, under `instance`. */
const instanceChart = "flux-instance";

/** True for a text that may have one in it, or what makes one. */
export function mayBeFollowed(bytes: Uint8Array): boolean {
  return bufferOf(bytes).includes("kustomize.toolkit.fluxcd.io/") || mayHaveInstance(bytes);
}

/** True for a text that may have an instance in it, or a release of one. */
export function mayHaveInstance(bytes: Uint8Array): boolean {
  const text = bufferOf(bytes);
  return text.includes(operatorGroup) || text.includes(instanceChart);
}

export function isFluxKustomization(item: Item): boolean {
  const { kind, apiVersion } = item;
  if (kind === "Kustomization") return apiVersion.startsWith("kustomize.toolkit.fluxcd.io/");
  return instanceOf(item)?.get("sync")?.isMapping === true;
}

/** True for a part of one, such as a patch in a file of its own, or a base that patches complete. */
export function isPart(item: Item): boolean {
  const spec = item.kind === "Kustomization" ? specOf(item) : undefined;
  return spec !== undefined && spec.get("sourceRef") === undefined && spec.get("path") === undefined;
}

/** The spec of a FluxInstance: its own, or that in the values of a release. */
function instanceOf(item: Item): Node | undefined {
  const { kind, apiVersion } = item;
  if (kind === "FluxInstance" && apiVersion.startsWith(operatorGroup)) return specOf(item);
  const isNamed = kind === helmReleaseKind.kind && linesOf(item).includes(instanceChart);
  const spec = isNamed ? specOf(item) : undefined;
  const chart = spec?.get("chart")?.get("spec")?.textAt("chart") ?? spec?.get("chartRef")?.textAt("name");
  return chart === instanceChart ? spec?.get("values")?.get("instance") : undefined;
}

const syncField = ["spec", "values", "instance", "sync"];

/** True for a release of which a build took a part of the sync from a Secret: messages would show it. */
export function takesSync(item: Item, origins: ObjectPlaces): boolean {
  const sync = item.kind === helmReleaseKind.kind ? instanceOf(item)?.get("sync") : undefined;
  const fields = sync?.isMapping === true ? [...sync.entries()] : [];
  return fields.some(([key, node]) => origins.partAt(item, [...syncField, key], node).isSecret === true);
}

/** Undefined for one that cannot be read. */
export function fluxPath(item: Item): FluxPath | undefined {
  const spec = specOf(item);
  if (spec === undefined) return undefined;
  const { kind, name, namespace = defaultNamespace } = item;
  const instance = instanceOf(item);
  if (instance !== undefined) return syncPath(item, instance, namespace);
  const source = named(spec.get("sourceRef"), namespace);
  const components = spec.list("components").map((each) => each.text);
  const patches = spec.list("patches").map((each) => JSON.stringify(each.plain(null)));
  const isElsewhere = spec.get("kubeConfig")?.isMapping === true;
  const variables = spec.get("postBuild")?.get("substitute")?.entries() ?? [];
  const substitute = new Map([...variables].map(([key, node]) => [key, node.text]));
  const path = spec.textAt("path") ?? "";
  return { kind, name, namespace, path, source, components, patches, substitute, isElsewhere };
}

/** The sync in a file of values of that chart: what gives them to a release may be a ConfigMap or another tool. */
export function syncInValues(bytes: Uint8Array): FluxPath | undefined {
  const text = bufferOf(bytes);
  if (!["instance:", "sync:", "url:"].every((each) => text.includes(each))) return undefined;
  const root = rootOfText(bytes);
  const instance = root?.isMapping === true && root.get("kind") === undefined && root.get("instance");
  const own = { kind: "FluxInstance", name: "flux" };
  const sync = instance && instance.isMapping ? syncPath(own, instance, defaultNamespace) : undefined;
  return sync === undefined || !sync.url || isWhole(sync.path) ? undefined : sync;
}

function syncPath({ kind, name }: ObjectId, instance: Node, namespace: string): FluxPath | undefined {
  const sync = instance.get("sync");
  if (sync?.isMapping !== true) return undefined;
  const source = {
    kind: sync.textAt("kind") ?? "GitRepository",
    name: sync.textAt("name") ?? namespace,
    namespace,
  };
  const [url, path = ""] = [sync.textAt("url"), sync.textAt("path")];
  const patches = (instance.get("kustomize")?.list("patches") ?? []).map((each) =>
    JSON.stringify(each.plain(null)),
  );
  const nothing = { components: [], substitute: new Map(), isElsewhere: false };
  const own = { kind, name, namespace, path, source, patches, ...nothing };
  return { ...own, ...(url !== undefined && { url }) };
}

/** Undefined for one that cannot be read. */
export function fluxKustomization(item: Item, origins: ObjectPlaces): FluxKustomization | undefined {
  const [own, spec] = [fluxPath(item), specOf(item)];
  if (own === undefined || spec === undefined || takesSync(item, origins)) return undefined;
  const at = origins.findItem(item);
  if (instanceOf(item) !== undefined)
    return {
      ...own,
      at,
      overlay: { fields: {}, components: [], patches: [], images: [] },
      ...variablesOf(undefined, item, origins),
    };
  return {
    ...own,
    at,
    overlay: {
      fields: {
        ...textField(spec, "targetNamespace", "namespace"),
        ...textField(spec, "namePrefix", "namePrefix"),
        ...textField(spec, "nameSuffix", "nameSuffix"),
      },
      components: own.components,
      patches: spec.list("patches").map((patch, index) => patchOf(patch, String(index), item, origins)),
      images: spec.list("images").map((image) => ({ ...Object(image.plain(null)) })),
    },
    ...variablesOf(spec.get("postBuild"), item, origins),
  };
}

function named(reference: Node | undefined, namespace: string): ReferencedObject {
  const textOf = (key: string): string | undefined => reference && reference.textAt(key);
  return {
    kind: textOf("kind") ?? "",
    name: textOf("name") ?? "",
    namespace: textOf("namespace") ?? namespace,
  };
}

function textField(spec: Node, key: string, field: string): Readonly<Record<string, string>> {
  const text = spec.textAt(key);
  return text === undefined ? {} : { [field]: text };
}

function patchOf(patch: Node, index: string, item: Item, origins: ObjectPlaces): OverlaidPatch {
  const [text, target] = [patch.get("patch"), patch.get("target")];
  const fields = {
    patch: text === undefined ? "" : text.text,
    ...(target === undefined ? {} : { target: target.plain(null) }),
  };
  const source = text && origins.partAt(item, ["spec", "patches", index, "patch"], text).source;
  return {
    fields,
    source,
    targetAt: target && targetAt(target, ["spec", "patches", index, "target"], item, origins),
  };
}

/** The place of its name, or else of what it says first. Of a Secret nothing is shown. */
function targetAt(
  target: Node,
  path: readonly string[],
  item: Item,
  origins: ObjectPlaces,
): Place | undefined {
  const all = target.value.isMapping ? [...target.value.entries()] : [];
  if (all.some(([key, node]) => origins.partAt(item, [...path, key], node).isSecret === true))
    return undefined;
  const [key, node] = all.find(([each]) => each === "name") ?? all[0] ?? [];
  return key === undefined || node === undefined
    ? undefined
    : origins.partAt(item, [...path, key], node).source?.placeAt(0);
}

function variablesOf(
  postBuild: Node | undefined,
  item: Item,
  origins: ObjectPlaces,
): Pick<FluxKustomization, "variables" | "isAlwaysSubstituted" | "variableSources"> {
  const { namespace = defaultNamespace } = item;
  const substitute = postBuild && postBuild.get("substitute");
  const from = postBuild === undefined ? [] : postBuild.list("substituteFrom");
  const file = origins.findItem(item)?.file ?? "";
  const variables = [...(substitute === undefined ? [] : substitute.entries())].map(([name, node]) => {
    const path = ["spec", "postBuild", "substitute", name];
    const { source, isSecret } = origins.partAt(item, path, node);
    const at = source?.placeAt(0) ?? { of: "file" as const, file };
    const found: FoundVariable = isSecret
      ? { name, at: { of: "file", file }, stays: "it is that of a Secret" }
      : { name, at, value: node.text.replaceAll("\n", "") };
    return [name, found] as const;
  });
  return {
    variables: new Map(variables),
    isAlwaysSubstituted: postBuild?.textAt("substituteStrategy") === "Always",
    variableSources: from.map((each) => {
      const isOptional = each.textAt("optional") === "true";
      return { ...named(each, namespace), namespace, isOptional };
    }),
  };
}
