// One stack as a side of a comparison: its final values by path, and what each of its layers sets by itself.
import { comparable, type Comparable, heldBy, unseenIn, type UnseenLayer } from "../hidden.ts";
import { lineIdentity, nodeOfLine, oneLine } from "../one-line.ts";
import { layerAt, layerNamesOf, withoutStart } from "../titles.ts";
import type { ExplainedLayer, ExplainedStack, Place, RemovedValue, Variable } from "../../explanation.ts";
import { remembered } from "../../remembered.ts";
import type { Node } from "../../yaml/index.ts";

/** A value at a path, and its layer. */
export interface SideValue extends Comparable {
  readonly path: readonly string[];
  /** Name of the layer. */
  readonly by: string;
  readonly at: Place | undefined;
  readonly variables?: readonly Variable[];
  /** True for what a patch takes away: there is no value then. */
  readonly isRemoved?: true;
  /** True where variables are not filled in, as in what a patch takes away. */
  readonly isUnfilled?: boolean;
}

export interface SideLayer {
  readonly name: string;
  readonly priority: number | undefined;
  /** False where its values are not known: it is bound in the cluster, sealed, or cannot be read. */
  readonly isKnown: boolean;
  /** True for what a chart says itself. */
  readonly isDefault: boolean;
  /** True for what is written where it is applied: a file may have several. */
  readonly isPatch: boolean;
  /** True for what builds make of documents: what these override is as it is written, with its variables. */
  readonly isBuilt: boolean;
  readonly own: Map<string, SideValue>;
}

export interface Side {
  /** By path, as JSON. */
  readonly final: ReadonlyMap<string, SideValue>;
  readonly layers: ReadonlyMap<string, SideLayer>;
  /**
   * Paths of values that are taken away, as JSON, and whether a patch does it: which other layers have one there is not known.
   * A patch reaches what its own object holds, a null all layers.
   */
  readonly removed: ReadonlyMap<string, "patch" | "null">;
  /** Layers that are sealed or cannot be read: by their names, digests of what they hold. */
  readonly unread: ReadonlyMap<string, string | undefined>;
  readonly unseen: readonly UnseenLayer[];
}

export const nothing: Side = {
  final: new Map(),
  layers: new Map(),
  removed: new Map(),
  unread: new Map(),
  unseen: [],
};

/** True for one value, however it is spelled. Of what is secret only the digest is known. */
export function isSameValue(one: SideValue | undefined, other: SideValue | undefined): boolean {
  if (one?.text === other?.text) return true;
  if (one === undefined || other === undefined || one.isSecret || other.isSecret) return false;
  return lineIdentity(one.text) === lineIdentity(other.text);
}

export function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** @param start of the names of files, which is that of the side */
export function sideOf({ layers, values, removed = [] }: ExplainedStack, start: string): Side {
  const names = layerNamesOf(layers, start);
  const sides = layersIn(layers, names);
  const final = new Map<string, SideValue>();
  for (const value of values) {
    const all = [...(value.mapping === true ? [] : [value]), ...value.over];
    for (const each of all) {
      const by = names.get(each.by) ?? each.by;
      const { variables } = "variables" in each ? each : {};
      const held = {
        path: value.path,
        by,
        at: each.at,
        ...(variables && { variables }),
        ...comparable(each),
        ...(each !== value && isUnfilled(each.text, sides.get(by)) && { isUnfilled: true }),
      };
      const layer = sides.get(by);
      // A mapping that is hidden as a whole is compared value by value: elsewhere it may not be. A null among defaults is no value: it
      // is seen only where a layer overrides it.
      const own = leavesOf(held).filter(({ text }) => layer?.isDefault !== true || text !== "null");
      for (const one of own) layer?.own.set(keyOf(one.path), one);
      if (each === value) final.set(keyOf(value.path), held);
    }
  }
  const all = removed.map((each) =>
    removedFrom(each, (place) => names.get(layerAt(layers, place)?.id ?? ""), start),
  );
  const takenAway = takeAway(all, sides, final);
  const held = layers
    .filter(isUnread)
    .map((layer) => [names.get(layer.id) ?? layer.id, heldBy(layer)] as const);
  return {
    final,
    layers: sides,
    removed: takenAway,
    unread: new Map(held),
    unseen: unseenIn(layers, names),
  };
}

/** Adds what is taken away to the layers, and to the final values where no lower layer has one. @returns by what, by paths */
function takeAway(
  all: readonly RemovedFrom[],
  layers: Map<string, SideLayer>,
  final: Map<string, SideValue>,
): Side["removed"] {
  const removed = new Map<string, "patch" | "null">();
  for (const { held, gone } of all) {
    if (held !== undefined) layers.get(held.by)?.own.set(keyOf(held.path), held);
    // A patch that takes away and sets nothing is no layer of the stack.
    const layer = remembered(layers, gone.by, () => patchNamed(gone.by));
    layer.own.set(keyOf(gone.path), gone);
    removed.set(keyOf(gone.path), layer.isPatch ? "patch" : "null");
    if (!final.has(keyOf(gone.path))) final.set(keyOf(gone.path), gone);
  }
  return removed;
}

function isUnfilled(text: string | undefined, layer: SideLayer | undefined): boolean {
  return layer?.isBuilt === true && text?.includes("${") === true;
}

/** By their names, without values so far. */
function layersIn(
  layers: readonly ExplainedLayer[],
  names: ReadonlyMap<string, string>,
): Map<string, SideLayer> {
  return new Map(
    layers.map(({ id, priority, sets, whole, why }): [string, SideLayer] => {
      const name = names.get(id) ?? id;
      const isKnown = sets !== undefined || whole === true;
      const [isDefault, isPatch] = [why === "chart", why === "patch"];
      const isBuilt = isPatch || why === "own";
      return [name, { name, priority, isKnown, isDefault, isPatch, isBuilt, own: new Map() }];
    }),
  );
}

function isUnread({ state, setsPath, sets }: ExplainedLayer): boolean {
  return state === "sealed" || state === "unreadable" || (setsPath !== undefined && sets === undefined);
}

interface RemovedFrom {
  /** The value; absent for a secret. */
  readonly held: SideValue | undefined;
  /** In place of it, what takes it away. */
  readonly gone: SideValue;
}

function removedFrom(
  { path, at, text, was }: RemovedValue,
  layerOf: (place: Place) => string | undefined,
  start: string,
): RemovedFrom {
  const value = { path, isSecret: false };
  const held =
    text === undefined
      ? undefined
      : { ...value, by: layerOf(was) ?? "", at: was, text, isUnfilled: text.includes("${") };
  const by = layerOf(at) ?? withoutStart(at.file ?? "", start);
  return { held, gone: { ...value, by, at, text: "(removed)", isRemoved: true } };
}

function patchNamed(name: string): SideLayer {
  return {
    name,
    priority: undefined,
    isKnown: true,
    isDefault: false,
    isPatch: true,
    isBuilt: true,
    own: new Map(),
  };
}

function leavesOf(held: SideValue): SideValue[] {
  if (!held.text.startsWith("{") || held.text === "{}") return [held];
  const node = nodeOfLine(held.text);
  return node === undefined ? [held] : leavesIn(node, held);
}

function leavesIn(node: Node, held: SideValue): SideValue[] {
  const value = node.value;
  const entries = value.isMapping ? value.members() : [];
  if (entries.length === 0) return [{ ...held, text: oneLine(node) }];
  return entries.flatMap((entry) => leavesIn(entry, { ...held, path: [...held.path, entry.key] }));
}
