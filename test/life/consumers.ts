// What each consumer computes, written naively from docs/targets.md and docs/folding.md. Shares no code with
// the program.
import { isDeepStrictEqual } from "node:util";
import { type Annotated, annotatedInto, applied, dataOf, isYaml, type Side, valueOf } from "./cluster.ts";
import {
  type HelmEntry,
  idOf,
  type KubeObject,
  type LayerKind,
  noteOf,
  type Settings,
} from "./repository.ts";
import { isMapping, type Json, merge, readValues } from "./values.ts";

const defaultUnseen = [0, 1, 100, 150];

/** What every target's consumer computes, by target. */
export function answersOf(side: Side, settings: Settings): Map<string, Json> {
  return new Map(side.objects.map((object) => [idOf(object), answerOf(object, side, settings)]));
}

function answerOf(object: KubeObject, side: Side, settings: Settings): Json {
  if (object.kind === "App") {
    const of = (kind: LayerKind): Json => appLayers(object, kind, side, settings).reduce(merge, {});
    return { ConfigMap: of("ConfigMap"), Secret: of("Secret") };
  }
  if (object.kind === "HelmRelease") return helmValues(object, side);
  if (object.kind === "Deployment") return mounted(object, side);
  return undefined;
}

/** What is folded into a ConfigMap or Secret in place, key by key. */
export function inPlace(object: KubeObject, side: Side): Json {
  return Object.fromEntries(
    [...dataOf(object, side)].map(([key, datum]) => [key, isYaml(key) ? valueOf(datum) : datum.at(-1)]),
  );
}

function mounted({ metadata, spec }: KubeObject, side: Side): Json {
  return (spec?.mounts ?? []).map(({ kind, name }) => {
    const object = applied(`${kind}/${metadata.namespace ?? ""}/${name}`, side);
    return object === undefined ? "missing" : inPlace(object, side);
  });
}

interface Placed {
  readonly priority: number;
  /** At equal priority: list entries, annotated layers, the slot, what the platform binds. */
  readonly rank: number;
  readonly value: Json;
}

function appLayers(app: KubeObject, kind: LayerKind, side: Side, settings: Settings): Json[] {
  const annotated = annotatedInto(app, side).filter(({ object }) => object.kind === kind);
  const placed: Placed[] = [
    ...listed(app, kind, side),
    ...annotated.map(({ object, priority }) => ({ priority, rank: 1, value: annotatedValue(object, side) })),
    ...slotted(app, kind, side),
    ...(catalogLayer(app, kind, side) ?? unseen(app, kind, side, settings, 0)),
    ...unseen(app, kind, side, settings),
  ];
  return placed.toSorted((a, b) => a.priority - b.priority || a.rank - b.rank).map(({ value }) => value);
}

const slotKeys = { ConfigMap: "configMap", Secret: "secret" } as const;

function listed({ spec = {}, metadata }: KubeObject, kind: LayerKind, side: Side): Placed[] {
  return (spec.extraConfigs ?? [])
    .filter((entry) => (entry.kind ?? "configMap") === slotKeys[kind])
    .map(({ name, namespace = metadata.namespace, priority = 25 }) => ({
      priority,
      rank: 0,
      value: onlyValue(`${kind}/${namespace ?? ""}/${name}`, side),
    }));
}

function slotted({ spec = {}, metadata }: KubeObject, kind: LayerKind, side: Side): Placed[] {
  const priorities = { config: 50, userConfig: 100 } as const;
  return (["config", "userConfig"] as const).flatMap((slot) => {
    const { name, namespace = metadata.namespace } = spec[slot]?.[slotKeys[kind]] ?? {};
    if (!name) return [];
    const value = onlyValue(`${kind}/${namespace ?? ""}/${name}`, side);
    return [{ priority: priorities[slot], rank: 2, value }];
  });
}

/** What the Catalog says of a kind, if it is there; it may say nothing. */
function catalogLayer({ spec = {} }: KubeObject, kind: LayerKind, side: Side): Placed[] | undefined {
  const catalog = side.byId.get(`Catalog/default/${spec.catalog ?? ""}`);
  if (catalog === undefined) return undefined;
  const { name, namespace = "default" } = catalog.spec?.config?.[slotKeys[kind]] ?? {};
  return name ? [{ priority: 0, rank: 0, value: onlyValue(`${kind}/${namespace}/${name}`, side) }] : [];
}

/** @param only the catalog's place, or all others */
function unseen(app: KubeObject, kind: LayerKind, side: Side, settings: Settings, only?: 0): Placed[] {
  const { spec = {} } = app;
  const isBound = (priority: number): boolean =>
    (priority === 0) === (only === 0) &&
    !(priority === 1 && spec.kubeConfig?.inCluster === true) &&
    !(priority === 100 && Boolean(spec.userConfig?.[slotKeys[kind]]?.name));
  return (settings.unseen ?? defaultUnseen).filter(isBound).map((priority) => ({
    priority,
    rank: 3,
    value: readValues(side.world.unseen(idOf(app), kind, priority)),
  }));
}

/** app-operator: the only key. */
function onlyValue(id: string, side: Side): Json {
  const object = applied(id, side);
  if (object === undefined) return readValues(side.world.late(id, false) ?? "");
  const data = [...dataOf(object, side).values()];
  if (data.length > 1) return "several keys";
  return valueOf(data[0] ?? []);
}

function annotatedValue(object: KubeObject, side: Side): Json {
  const data = dataOf(object, side);
  const noted = noteOf(object, "valuefold.dev/key");
  const only = data.size === 1 ? [...data.keys()][0] : undefined;
  const key = [noted, only, "values", "values.yaml"].find((each) => each !== undefined && data.has(each));
  return valueOf(data.get(key ?? "") ?? []);
}

function helmValues(release: KubeObject, side: Side): Json {
  const annotated = annotatedInto(release, side);
  const value = ({ object }: Annotated): Json => annotatedValue(object, side);
  const inline = release.spec?.values ?? {};
  let values = annotated
    .filter(({ priority }) => priority < 50)
    .map(value)
    .reduce(merge, {});
  for (const entry of release.spec?.valuesFrom ?? []) {
    const found = entryText(release, entry, side);
    if (entry.targetPath === undefined) values = merge(values, found);
    // Flux puts inline values in before each path.
    else values = put(merge(values, inline), entry.targetPath.split("."), found);
  }
  values = annotated
    .filter(({ priority }) => priority >= 50)
    .map(value)
    .reduce(merge, values);
  return merge(values, inline);
}

function entryText({ metadata }: KubeObject, entry: HelmEntry, side: Side): Json {
  const { kind, name, valuesKey: key = "values.yaml", optional = false, targetPath } = entry;
  const id = `${kind}/${metadata.namespace ?? ""}/${name}`;
  const object = applied(id, side);
  const datum = object === undefined ? undefined : dataOf(object, side).get(key);
  if (targetPath !== undefined) return datum === undefined ? `late ${id}` : JSON.stringify(datum);
  if (datum !== undefined) return valueOf(datum);
  if (object !== undefined && optional) return {};
  return readValues(side.world.late(`${id} ${key}`, optional) ?? "");
}

function put(base: Json, [key = "", ...rest]: readonly string[], value: Json): Json {
  const mapping = isMapping(base) ? base : {};
  return { ...mapping, [key]: rest.length === 0 ? value : put(mapping[key], rest, value) };
}

export function same(a: Json, b: Json): boolean {
  return isDeepStrictEqual(a, b);
}
