// Edits, each once however many targets it reaches.
import type { Edit, Effect } from "../../difference.ts";
import { grouped } from "../../grouped.ts";
import { MadeEdits } from "./made.ts";
import { isSameValue, type SideValue, type Side, type SideLayer } from "./side.ts";

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
    for (const [old, now] of matchedLayers(before, after)) {
      for (const { was, is } of editsBetween(old, now)) {
        const held = (is ?? was) as SideValue;
        const edit = this.edit(old, now, { was, is });
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

  private edit(old: SideLayer | undefined, now: SideLayer | undefined, { was, is }: ValueEdit): string {
    const held = is ?? was;
    const { name: layer = "", isDefault = false } = now ?? old ?? {};
    if (old?.isKnown !== now?.isKnown && old !== undefined && now !== undefined) {
      const what = now.isKnown ? "layer-known" : "layer-unknown";
      return this.ofLayer(what, layer, held);
    }
    if (old === undefined || now === undefined) {
      const what = old === undefined ? "layer-added" : "layer-removed";
      return this.ofLayer(what, layer, held);
    }
    return this.ofValue(layer, { was, is }, isDefault);
  }

  /** The same edit of two files is two edits. */
  private ofValue(layer: string, { was, is }: ValueEdit, isDefault: boolean): string {
    const { path = [], at, variables = [] } = is ?? was ?? {};
    const places = [at, ...variables.map((each) => each.at)].map((place) => [place?.file, place?.line]);
    const key = JSON.stringify([layer, path, was?.text, is?.text, places]);
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

/**
 * Layers of the same name; then those of the same name without kustomize's hash; then those that hold the same: a file has another
 * name.
 */
function matchedLayers(
  before: Side,
  after: Side,
): (readonly [SideLayer | undefined, SideLayer | undefined])[] {
  const left = new Set([...after.layers.values()].filter(({ name }) => !before.layers.has(name)));
  const alike = grouped([...left].toReversed(), ({ name }) => withoutHash(name));
  const pairs = [...before.layers].map(([name, old]): [SideLayer, SideLayer | undefined] => {
    const now = after.layers.get(name) ?? alike.get(withoutHash(name))?.pop();
    if (now !== undefined) left.delete(now);
    return [old, now];
  });
  const equal = grouped([...left].toReversed(), contentOf);
  const all = pairs.map(([old, now]): [SideLayer, SideLayer | undefined] => {
    const content = now === undefined && left.size > 0 ? contentOf(old) : undefined;
    const same = content === undefined ? undefined : equal.get(content)?.pop();
    if (same !== undefined) left.delete(same);
    return [old, now ?? same];
  });
  return [...all, ...[...left].map((now): [undefined, SideLayer] => [undefined, now])];
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
