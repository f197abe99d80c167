// What objects hold once they are applied. In the sources an annotated layer counts as a reference at its
// priority; in what is rendered only references count, and what is local-config is never applied.
import { type KubeObject, idOf, isLayerKind, localConfig, noteOf } from "./repository.ts";
import { type Json, merge, readValues } from "./values.ts";
import type { World } from "./world.ts";

export interface Side {
  readonly objects: readonly KubeObject[];
  readonly byId: ReadonlyMap<string, KubeObject>;
  readonly world: World;
  /** Whether annotated layers count, as they do in the sources. */
  readonly annotatedToo: boolean;
  /** Whether what is local-config is applied all the same: it never is, but that tells why values differ. */
  readonly localToo: boolean;
}

export function sourcesOf(objects: readonly KubeObject[], world: World): Side {
  return { objects, byId: byId(objects), world, annotatedToo: true, localToo: true };
}

export function renderedOf(objects: readonly KubeObject[], world: World, localToo: boolean): Side {
  return { objects, byId: byId(objects), world, annotatedToo: false, localToo };
}

function byId(objects: readonly KubeObject[]): Map<string, KubeObject> {
  return new Map(objects.map((one) => [idOf(one), one]));
}

/** Texts that lie over each other under one data key. */
type Datum = readonly string[];

export function valueOf(datum: Datum): Json {
  return datum.map(readValues).reduce(merge, {});
}

export interface Annotated {
  readonly object: KubeObject;
  readonly priority: number;
}

const defaults: Readonly<Record<string, number>> = { App: 25, HelmRelease: 75, ConfigMap: 50, Secret: 50 };

/** Layers that name a target themselves, lowest first, in item order at equal priority. */
export function annotatedInto(target: KubeObject, side: Side): Annotated[] {
  if (!side.annotatedToo || noteOf(target, "valuefold.dev/fold") === "false") return [];
  return side.objects
    .filter((object) => isLayerKind(object.kind) && names(object, target))
    .map((object) => ({
      object,
      priority: Number(noteOf(object, "valuefold.dev/priority") ?? defaults[target.kind]),
    }))
    .toSorted((a, b) => a.priority - b.priority);
}

function names(layer: KubeObject, target: KubeObject): boolean {
  const into = noteOf(layer, "valuefold.dev/into")?.split(",") ?? [];
  return into.some((each) => {
    const parts = each.trim().split("/");
    const namespace = parts.length > 2 ? parts[1] : layer.metadata.namespace;
    const name = parts.at(-1);
    const isNamed = name === "*" || name === target.metadata.name;
    return parts[0] === target.kind && namespace === target.metadata.namespace && isNamed && layer !== target;
  });
}

/** What an object holds by data key, with what is folded into it in place. */
export function dataOf(object: KubeObject, side: Side): Map<string, Datum> {
  const data = new Map([...ownData(object, side.world)].map(([key, text]) => [key, [text]] as const));
  const result = new Map<string, Datum>(data);
  for (const { object: layer } of annotatedInto(object, side)) {
    const only = noteOf(layer, "valuefold.dev/key");
    for (const [key, datum] of dataOf(layer, side)) {
      if (only === undefined || only === key)
        result.set(key, isYaml(key) ? [...(result.get(key) ?? []), ...whole(datum)] : datum);
    }
  }
  return result;
}

/** A layer that was itself folded in place goes on as one value. */
function whole(datum: Datum): Datum {
  return datum.length === 1 ? datum : [JSON.stringify(valueOf(datum))];
}

export function isYaml(key: string): boolean {
  return key === "values" || key.endsWith(".yaml");
}

function ownData({ kind, metadata, data, stringData }: KubeObject, world: World): Map<string, string> {
  const isFilled = metadata.annotations?.["kustomize.toolkit.fluxcd.io/substitute"] !== "disabled";
  const fill = (text: string): string => (isFilled ? world.fill(text) : text);
  const decoded = Object.entries(data ?? {}).map(([key, text]): [string, string] => [
    key,
    kind === "Secret" ? Buffer.from(text, "base64").toString("utf8") : fill(text),
  ]);
  const plain = Object.entries(stringData ?? {}).map(([key, text]): [string, string] => [key, fill(text)]);
  return new Map([...decoded, ...plain]);
}

/** The object a reference finds; a sealed one only the cluster can read. */
export function applied(id: string, side: Side): KubeObject | undefined {
  const object = side.byId.get(id);
  if (object === undefined || object.sops !== undefined) return undefined;
  return !side.localToo && noteOf(object, localConfig) === "true" ? undefined : object;
}
