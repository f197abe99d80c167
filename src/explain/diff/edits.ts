// Edits, each once however many targets it reaches.
import type { Edit, Effect } from "../../difference.ts";
import { grouped } from "../../grouped.ts";
import { MadeEdits } from "./made.ts";
import { isSameValue, keyOf, type SideValue, type Side, type SideLayer } from "./side.ts";

/** A layer that has another place in its stack, with its priorities. */
export interface Moved {
  readonly layer: string;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export class Edits {
  private readonly known = new Map<
    string,
    { readonly edit: Omit<Edit, "effects">; readonly effects: Effect[] }
  >();

  /** What a patch takes away on one side only: on the other there may be nothing to take away. */
  private readonly removals = new Set<string>();

  /** Compares all layers of two stacks. */
  between(before: Side, after: Side): MadeEdits {
    const made = new MadeEdits();
    for (const pair of matchedLayers(before, after)) {
      const { old, now } = pair;
      for (const { was, is } of editsBetween(old, now)) {
        const isBuilt = (old ?? now)?.isBuilt === true;
        if (!isKnownOf({ was, is }, isBuilt, before, after)) continue;
        const held = (is ?? was) as SideValue;
        const edit = this.edit(pair, { was, is });
        if (held.isRemoved === true && (was === undefined || is === undefined)) this.removals.add(edit);
        for (const name of new Set([(old ?? now)?.name ?? "", (now ?? old)?.name ?? ""]))
          made.add(name, { edit, held });
      }
    }
    return made;
  }

  /** The edit that a stack has another order now, so that another layer wins. */
  order({ layer, from, to }: Moved, held: SideValue | undefined): string {
    const key = JSON.stringify(["order", layer, from, to]);
    const priorities =
      from === to || from === undefined || to === undefined ? {} : { was: `${from}`, is: `${to}` };
    this.put(key, { what: "order", layer, ...priorities, ...placed(held) });
    return key;
  }

  /** What is known of a change: nothing on the side on which its layer cannot be read. */
  knownOf<V>(edit: string, from: V, to: V): readonly [V | undefined, V | undefined] {
    const { what } = this.known.get(edit)?.edit ?? {};
    return [what === "layer-known" ? undefined : from, what === "layer-unknown" ? undefined : to];
  }

  add(edit: string, effect: Effect): void {
    this.known.get(edit)?.effects.push(effect);
  }

  /** Those that change something first. */
  all(): Edit[] {
    const known = [...this.known].filter(
      ([key, { effects }]) => effects.length > 0 || !this.removals.has(key),
    );
    const edits = known.map(([, { edit, effects }]) => ({ ...edit, effects }));
    const rank = ({ effects }: Edit): number => Number(!effects.some(({ what }) => what === "changes"));
    return edits.toSorted((a, b) => rank(a) - rank(b));
  }

  private edit({ old, now, isPart }: LayerPair, { was, is }: ValueEdit): string {
    const held = is ?? was;
    const { name: layer = "", isDefault = false } = now ?? old ?? {};
    if (old?.isKnown !== now?.isKnown && old !== undefined && now !== undefined) {
      const what = now.isKnown ? "layer-known" : "layer-unknown";
      return this.ofLayer(what, layer, held);
    }
    if (isPart !== true && (old === undefined || now === undefined)) {
      const what = old === undefined ? "layer-added" : "layer-removed";
      return this.ofLayer(what, layer, held);
    }
    return this.ofValue(layer, { was, is }, isDefault);
  }

  /** The same edit of two files is two edits. */
  private ofValue(layer: string, { was, is }: ValueEdit, isDefault: boolean): string {
    const { path = [], at, variables = [] } = is ?? was ?? {};
    const places = [at, ...variables.map((each) => each.at)].map((each) => [
      each?.file,
      each?.line,
      each?.column,
    ]);
    // A file may be a layer of several names. Without its column a place may be that of several values.
    const name = at?.of === "file" && at.column !== undefined ? "" : layer;
    const key = JSON.stringify([name, path, was?.text, is?.text, places]);
    const own = isDefault ? { default: true } : {};
    this.put(key, { what: "value", layer, ...own, path, ...textsOf(was, is), ...placed(is ?? was) });
    return key;
  }

  private ofLayer(what: Edit["what"], layer: string, held: SideValue | undefined): string {
    const key = `${what}\n${layer}`;
    this.put(key, { what, layer, ...placed(held) });
    return key;
  }

  private put(key: string, edit: Omit<Edit, "effects">): void {
    if (!this.known.has(key)) this.known.set(key, { edit, effects: [] });
  }
}

/** One value of a layer, before and after. */
interface ValueEdit {
  readonly was: SideValue | undefined;
  readonly is: SideValue | undefined;
}

function editsBetween(old: SideLayer | undefined, now: SideLayer | undefined): ValueEdit[] {
  const paths = new Set([...(old?.own.keys() ?? []), ...(now?.own.keys() ?? [])]);
  return [...paths]
    .map((path) => ({ was: old?.own.get(path), is: now?.own.get(path) }))
    .filter(({ was, is }) => !isSameValue(was, is) && isUnfilled(was) === isUnfilled(is));
}

/** False for a value that one side does not have because something takes it away there. */
function isKnownOf({ was, is }: ValueEdit, isBuilt: boolean, before: Side, after: Side): boolean {
  const { path = [] } = is ?? was ?? {};
  const isRemoved = ({ removed }: Side): boolean =>
    removed.size > 0 &&
    path.some((_, length) => {
      const by = removed.get(keyOf(path.slice(0, length + 1)));
      return by === "null" || (by === "patch" && isBuilt);
    });
  return !(was === undefined && isRemoved(before)) && !(is === undefined && isRemoved(after));
}

function isUnfilled(held: SideValue | undefined): boolean {
  return held?.isUnfilled === true;
}

function textsOf(was: SideValue | undefined, is: SideValue | undefined): Pick<Edit, "was" | "is" | "secret"> {
  if (was?.isSecret === true || is?.isSecret === true) return { secret: true };
  return { ...(was === undefined ? {} : { was: was.text }), ...(is === undefined ? {} : { is: is.text }) };
}

function placed(held: SideValue | undefined): Pick<Edit, "at" | "variables"> {
  const { at, variables } = held ?? {};
  return { ...(at && { at }), ...(variables && { variables }) };
}

interface LayerPair {
  readonly old: SideLayer | undefined;
  readonly now: SideLayer | undefined;
  /** True for a patch of a file with several, on either side. */
  readonly isPart?: boolean;
}

/**
 * Layers of one file; those of the same name; then those of the same name without kustomize's hash; then those that hold the
 * same: a file has another name.
 */
function matchedLayers(before: Side, after: Side): readonly LayerPair[] {
  const parts = partsOfFiles(before, after);
  const known = new Set(parts.flatMap(({ old, now }) => [old, now]));
  const apart = ({ layers }: Side): SideLayer[] => [...layers.values()].filter((each) => !known.has(each));
  const left = new Set(apart(after).filter(({ name }) => !before.layers.has(name)));
  const alike = grouped([...left].toReversed(), ({ name }) => withoutHash(name));
  const pairs = apart(before).map((old) => {
    const now = after.layers.get(old.name) ?? alike.get(withoutHash(old.name))?.pop();
    if (now !== undefined) left.delete(now);
    return { old, now };
  });
  const equal = grouped([...left].toReversed(), contentOf);
  const all = pairs.map(({ old, now }): LayerPair => {
    const content = now === undefined && left.size > 0 ? contentOf(old) : undefined;
    const same = content === undefined ? undefined : equal.get(content)?.pop();
    if (same !== undefined) left.delete(same);
    return { old, now: now ?? same };
  });
  return [...parts, ...all, ...[...left].map((now) => ({ old: undefined, now }))];
}

/** Several layers of one name, as of patches in one file: those that have most in common, then the others in their order. */
function partsOfFiles(before: Side, after: Side): readonly LayerPair[] {
  const [olds, nows] = [before, after].map(({ layers }) =>
    grouped([...layers.values()], ({ name }) => withoutNumber(name)),
  );
  return [...(olds ?? [])].flatMap(([name, ones]): readonly LayerPair[] => {
    const others = nows?.get(name) ?? [];
    if (others.length === 0 || ones.length + others.length === 2) return [];
    const pairs = new Map<SideLayer, SideLayer>();
    const taken = new Set<SideLayer>();
    const pair = (old: SideLayer, now: SideLayer | undefined): void => {
      if (now === undefined || pairs.has(old) || taken.has(now)) return;
      pairs.set(old, now);
      taken.add(now);
    };
    for (const [old, now] of byLikeness(ones, others)) pair(old, now);
    for (const old of ones) {
      const next = others.find((now) => !taken.has(now));
      pair(old, next);
    }
    const rest = others.filter((now) => !taken.has(now));
    return [
      ...ones.map((old): LayerPair => ({ old, now: pairs.get(old), isPart: old.isPatch })),
      ...rest.map((now): LayerPair => ({ old: undefined, now, isPart: now.isPatch })),
    ];
  });
}

/** More are compared in their order. */
const mostCompared = 10_000;

/** Pairs of layers with values in common, the most alike first. */
function byLikeness(
  ones: readonly SideLayer[],
  others: readonly SideLayer[],
): readonly (readonly [SideLayer, SideLayer])[] {
  if (ones.length * others.length > mostCompared) return [];
  const all = ones.flatMap((old) => others.map((now) => [old, now, likeness(old, now)] as const));
  const alike = all.filter(([, , shared]) => shared > 0).toSorted(([, , a], [, , b]) => b - a);
  return alike.map(([old, now]) => [old, now]);
}

/** A value counts more than a path. */
function likeness(old: SideLayer, now: SideLayer): number {
  let shared = 0;
  for (const [path, was] of old.own) {
    const is = now.own.get(path);
    if (is !== undefined) shared += !was.isSecret && is.text === was.text ? 2 : 1;
  }
  return shared;
}

function withoutNumber(name: string): string {
  return name.replace(/ \(\d+\)$/, "");
}

/** All that a layer holds; undefined for nothing, and for secrets: whether two of them are equal is not said. */
function contentOf({ own, isKnown }: SideLayer): string | undefined {
  const values = [...own];
  if (!isKnown || values.length === 0 || values.some(([, { isSecret }]) => isSecret)) return undefined;
  return values
    .map(([path, { text }]) => JSON.stringify([path, text]))
    .toSorted()
    .join("\n");
}

/** A layer's name without the hash that kustomize gives it. */
export function withoutHash(name = ""): string {
  return name.replace(/-[2456789bcdfghkmt]{10}(?= |$)/, "");
}
