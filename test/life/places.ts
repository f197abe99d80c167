// Which place in the sources' list a place in the rendered list means. There a folded item stands for the entries it
// was folded from, so that a new entry lies above all of them or below all of them.
import {
  type AppEntry,
  type Entry,
  find,
  foldedFrom,
  type HelmEntry,
  idOf,
  isFolded,
  type KubeObject,
  noteOf,
  objectsOf,
  type Repository,
} from "./repository.ts";

export type List = "extraConfigs" | "valuesFrom";

export function listOf(kind: string): List {
  return kind === "App" ? "extraConfigs" : "valuesFrom";
}

export function entriesOf(side: Repository, id: string, list: List): readonly Entry[] {
  return find(side, id)?.spec?.[list] ?? [];
}

export function keyOf(list: List, entry: Entry, home = ""): string {
  return list === "extraConfigs" ? appKey(entry, home) : helmKey(entry as HelmEntry);
}

export function appKey({ kind = "configMap", name, namespace, priority = 25 }: AppEntry, home = ""): string {
  return `${kind === "secret" ? "Secret" : "ConfigMap"}/${namespace ?? home}/${name} ${priority}`;
}

function helmKey({ kind, name, valuesKey = "values.yaml", targetPath = "" }: HelmEntry): string {
  return `${kind}/${name} ${valuesKey} ${targetPath}`;
}

/** The object an entry names. */
export function idIn(list: List, entry: Entry, home = ""): string {
  if (list === "valuesFrom") return `${entry.kind ?? ""}/${home}/${entry.name}`;
  return appKey(entry, home).split(" ")[0] ?? "";
}

interface RecordedLayer {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly priority: number;
  readonly slot?: string;
  readonly key?: string;
  /** True for one that was pruned. */
  readonly gone?: boolean;
}

function recordedIn(object: KubeObject): readonly RecordedLayer[] {
  const record = JSON.parse(noteOf(object, foldedFrom) ?? "{}") as { layers?: RecordedLayer[] };
  return record.layers ?? [];
}

/** The layers a folded item says it was folded from. */
export function layersOf(object: KubeObject): string[] {
  const home = object.metadata.namespace ?? "";
  return recordedIn(object).map(({ kind, namespace = home, name }) => `${kind}/${namespace}/${name}`);
}

/** What was pruned stays gone, whoever has its name since. */
export function hasItsLayers(object: KubeObject, there: ReadonlySet<string>): boolean {
  return !recordedIn(object).some(({ gone }) => gone) && layersOf(object).every((id) => there.has(id));
}

interface Placed {
  readonly id: string;
  readonly list: List;
  readonly entry: Entry;
  readonly at: number;
}

/** The index in the sources; undefined where the rendered list does not tell, or tells two things. */
export function sourceIndex(
  sources: Repository,
  rendered: Repository,
  { id, list, entry, at }: Placed,
): number | undefined {
  const own = entriesOf(sources, id, list);
  if (sources.files === rendered.files) return at;
  const home = find(sources, id)?.metadata.namespace;
  const places = own.map((each) => placeOf(each, rendered, id, list, home));
  const shown = new Set(entriesOf(rendered, id, list).map((each) => keyOf(list, each, home)));
  const isAlone = (each: Entry): boolean => shown.has(keyOf(list, each, home));
  const rivals = own.flatMap((each, index) => (isRival(list, each, entry) ? [index] : []));
  const sides = new Map(rivals.map((index) => [index, sideOf(index, places, { own, list, at, isAlone })]));
  const below = rivals.filter((index) => sides.get(index) === "below");
  const above = rivals.filter((index) => sides.get(index) === "above");
  const [last, first] = [below.at(-1), above[0]];
  if (last !== undefined && first !== undefined && last > first) return undefined;
  // What was in a list that is empty now is in front: nothing says where else.
  const isInFront = at === 0 && places.some((place) => place !== undefined);
  return first ?? (last === undefined ? (isInFront ? 0 : own.length) : last + 1);
}

interface Listed extends Pick<Placed, "list" | "at"> {
  /** The entries in the sources. */
  readonly own: readonly Entry[];
  /** True for one that is in the rendered list itself, and not in a fold. */
  readonly isAlone: (entry: Entry) => boolean;
}

type Side = "below" | "above";

/**
 * Whether an entry is below or above a new one. One whose fold took a slot shows in no list. It comes back after the nearest
 * entry that was below it, of its kind and priority; without one, after the nearest of any that does not fold (docs/folding.md, Folding again).
 */
function sideOf(index: number, places: readonly (number | undefined)[], listed: Listed): Side {
  const { own, list, at, isAlone } = listed;
  const lower = own.slice(0, index).map((each, other) => ({ each, place: places[other] }));
  const likes = lower.filter(
    ({ each, place }) => place !== undefined && isRival(list, each, own[index] as Entry),
  );
  const alone = lower.filter(({ each, place }) => place !== undefined && isAlone(each));
  const place = places[index] ?? likes.at(-1)?.place ?? alone.at(-1)?.place ?? -1;
  return place < at ? "below" : "above";
}

/** Only entries that the list's order ranks. */
function isRival(list: List, a: Entry, b: Entry): boolean {
  if (list === "valuesFrom") return true;
  const [one, other] = [a as AppEntry, b as AppEntry];
  return (one.priority ?? 25) === (other.priority ?? 25) && isSameKind(one, other);
}

function isSameKind(one: Entry, other: Entry): boolean {
  return (one.kind ?? "configMap") === (other.kind ?? "configMap");
}

function placeOf(
  entry: Entry,
  rendered: Repository,
  id: string,
  list: List,
  home: string | undefined,
): number | undefined {
  const shown = entriesOf(rendered, id, list);
  const key = keyOf(list, entry, home);
  const itself = shown.findIndex((each) => keyOf(list, each, home) === key);
  if (itself >= 0) return itself;
  const folded = new Map(
    objectsOf(rendered)
      .filter(isFolded)
      .map((object) => [idOf(object), recordedIn(object)] as const),
  );
  const holding = shown.findIndex((each) =>
    (folded.get(idIn(list, each, home)) ?? []).some((layer) => isRecordOf(layer, entry, list, home)),
  );
  return holding < 0 ? undefined : holding;
}

function isRecordOf(layer: RecordedLayer, entry: Entry, list: List, home: string | undefined): boolean {
  if (layer.slot !== list) return false;
  const { kind, name, namespace } = layer;
  if (list === "valuesFrom")
    return (
      keyOf(list, { kind, name, ...(layer.key === undefined ? {} : { valuesKey: layer.key }) }) ===
      keyOf(list, entry)
    );
  const recorded = {
    kind: kind === "Secret" ? "secret" : "configMap",
    name,
    ...(namespace === undefined ? {} : { namespace }),
    priority: layer.priority,
  };
  return appKey(recorded, home) === appKey(entry, home);
}
