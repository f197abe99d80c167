// What a user can choose among: targets, layers, and the references that the rendered repository shows.
import type { Random } from "../support/nasty-yaml.ts";
import { restyled } from "./nasty.ts";
import { entriesOf, hasItsLayers, idIn, type List, listOf } from "./places.ts";
import {
  type Entry,
  type File,
  find,
  idOf,
  isFolded,
  isLayerKind,
  type KubeObject,
  objectsOf,
  type Repository,
} from "./repository.ts";
import type { Edit, Pair, Step } from "./steps.ts";

export interface Around extends Pair {
  readonly random: Random;
  readonly pipeline: Pipeline;
  readonly seed: number;
  /** Whether texts are written as nobody would. */
  readonly nasty: boolean;
}

export type Pipeline = "kpt" | "plain" | "overlay";

export type Proposal = (around: Around) => Omit<Edit, "name"> | undefined;

export function steps(...all: Step[]): Omit<Edit, "name"> {
  return { steps: all };
}

/** Objects on both sides: what the user wrote and still sees. */
export function visible({ sources, rendered }: Pair): KubeObject[] {
  if (sources === rendered) return objectsOf(sources);
  const shown = new Set(objectsOf(rendered).map(idOf));
  return objectsOf(sources).filter((object) => shown.has(idOf(object)));
}

export function layersIn(around: Around): KubeObject[] {
  return visible(around).filter(({ kind, metadata }) => isLayerKind(kind) && /^l\d/.test(metadata.name));
}

export function targetsIn(around: Around, ...kinds: readonly string[]): KubeObject[] {
  return visible(around).filter(({ kind }) => kinds.includes(kind));
}

/** ConfigMaps and Secrets that layers may be folded into in place. */
export function configsIn(around: Around): KubeObject[] {
  return visible(around).filter(({ metadata }) => metadata.name.startsWith("config"));
}

/** Folded items whose layers are all there: without them one is a layer like any other. */
export function foldedIn({ rendered }: Around): KubeObject[] {
  const there = new Set(objectsOf(rendered).map(idOf));
  return objectsOf(rendered).filter((object) => isFolded(object) && hasItsLayers(object, there));
}

export function pickOne<T>(random: Random, choices: readonly T[]): T | undefined {
  return choices.length === 0 ? undefined : random.pick(choices);
}

export interface Shown {
  readonly id: string;
  readonly list: List;
  readonly entry: Entry;
}

/** References in lists that are no folded item's. */
export function shownEntries(around: Around): Shown[] {
  const { rendered } = around;
  return targetsIn(around, "App", "HelmRelease").flatMap((target) => {
    const [id, list] = [idOf(target), listOf(target.kind)];
    return entriesOf(rendered, id, list)
      .filter((entry) => !namesFolded(rendered, list, entry, target.metadata.namespace))
      .map((entry) => ({ id, list, entry }));
  });
}

export function namesFolded(
  rendered: Repository,
  list: List,
  entry: Entry,
  home: string | undefined,
): boolean {
  const object = find(rendered, idIn(list, entry, home));
  return object !== undefined && isFolded(object);
}

/** A new file with an item, in whatever style. */
export function put(around: Around, text: string): ReturnType<Proposal> {
  return steps({ do: "put", file: fileFor(around, text) });
}

export function fileFor(around: Around, text: string): File {
  const { random, nasty } = around;
  return { path: freshPath(around), text: nasty && !random.once(3) ? restyled(text, random) : text };
}

/** A number that no name of this repository has. */
export function fresh({ sources }: Around): number {
  const used = objectsOf(sources).map(({ metadata }) => Number(/\d+$/.exec(metadata.name)?.[0] ?? 0));
  return Math.max(0, ...used) + 1;
}

/** A file anywhere in the order of paths; an overlay's own come last. */
function freshPath({ random, pipeline, sources }: Around): string {
  const serial = String(sources.files.length).padStart(3, "0");
  return pipeline === "overlay"
    ? `zz-${serial}-${random.below(100_000)}.yaml`
    : `f${random.below(1_000_000)}.yaml`;
}
