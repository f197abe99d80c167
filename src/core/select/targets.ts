// Which items receive values, and which layers name their targets by annotation.
import { Mark, ownPrefix, atItem, placeOf, type Item } from "../../krm/index.ts";
import {
  annotationFault,
  intoOfAnotherKind,
  labelsTakenForAnnotations,
  parseWish,
  priorityOf,
  unknownAnnotations,
  type Wish,
} from "./annotations.ts";
import { ambiguous, noComponent, orphan, reachesNone, secretFaults } from "./annotation-faults.ts";
import { grouped } from "../../grouped.ts";
import { type Diagnostic, Suggestions } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import { factsOf, targetKinds, type TargetKind } from "../../kinds.ts";
import {
  isLayerItem,
  labelsOf,
  type Component,
  type Layer,
  type LayerItem,
  type Target,
} from "../../layers/index.ts";
import { hasName, likeliest, NameIndex } from "./names.ts";
import { isSelected, unmatched } from "./selectors.ts";
import type { Settings } from "../../settings/index.ts";

/** A layer that names its targets itself. */
interface NamingLayer {
  readonly layer: Layer;
  /** The targets it was found to mean. */
  readonly targets: ReadonlySet<Target>;
}

export interface TargetSelection<T extends Target = Target> {
  readonly targets: readonly T[];
  /** Items that could be targets and are left alone. */
  readonly leftAlone: readonly Item[];
  readonly annotated: readonly NamingLayer[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @param selectors the setting `targets`
 * @param components targets without an item, which layers may name
 */
export function selectTargets(
  items: readonly Item[],
  selectors: Settings["targets"],
  components: readonly Component[],
): TargetSelection<Item> {
  const possible = items.filter((item) => item.name !== "" && kindOf(item) !== undefined);
  const unknown = items.filter((item) => kindOf(item) === undefined && isOfUnknownVersion(item));
  const suggestions = new Suggestions();
  const diagnostics: Diagnostic[] = [
    ...items.flatMap(unknownAnnotations),
    ...itemsHolding(
      items.filter(({ labelled }) => labelled),
      ownPrefix,
    ).flatMap((item) => labelsTakenForAnnotations(item, labelsOf(item))),
    ...itemsHolding(
      items.filter((item) => isLayerItem(item) && !item.annotations.has(Mark.into)),
      Mark.into,
    ).flatMap(intoOfAnotherKind),
    ...items.filter((item) => item.name === "" && isNameless(item)).map(nameless),
    ...unknown.filter((item) => isMissed(item, possible, items)).map(unknownVersion),
    ...items.filter(({ kind, apiVersion }) => kind === "List" && apiVersion === "v1").map(nestedList),
    ...unmatched(possible, selectors, suggestions),
  ];
  const mayFold = (item: Item): boolean =>
    item.annotations.get(Mark.fold) !== "false" && isSelected(item, selectors);
  const layers = items.filter((item) => item.annotations.has(Mark.into));
  const candidates = { targets: possible, unknown, components, suggestions, mayFold };
  const annotated = layers.length === 0 ? [] : annotatedLayers(layers, candidates, diagnostics);
  const named = new Set<Target>(annotated.flatMap(({ targets }) => [...targets]));
  const targets = possible.filter((item) =>
    kindOf(item)?.inPlace === true
      ? named.has(item) || (wasFoldedInto(item) && mayFold(item))
      : mayFold(item),
  );
  const chosen = new Set(targets);
  const leftAlone = possible.filter((item) => !chosen.has(item) && kindOf(item)?.inPlace !== true);
  return { targets, leftAlone, annotated, diagnostics };
}

function isNameless(item: Item): boolean {
  const kind = item.name === "" ? kindOf(item) : undefined;
  return kind !== undefined && kind.inPlace !== true;
}

function nameless(item: Item): Diagnostic {
  return {
    code: "no-target",
    severity: "warning",
    at: placeOf(item),
    message: `this ${item.kind} has no name, so it is no target`,
    hint: "give it a `metadata.name`",
  };
}

/** True where the list has no other target that refers to layers, or a layer is for all of the kind. */
function isMissed({ kind }: Item, possible: readonly Item[], items: readonly Item[]): boolean {
  if (possible.every((each) => kindOf(each)?.inPlace === true)) return true;
  const isForAll = (text: string): boolean => text.trim().startsWith(`${kind}/`) && text.trim().endsWith("*");
  return items.some(({ annotations }) => annotations.get(Mark.into)?.split(",").some(isForAll));
}

/** A kind of target, in a version that may mean something else by its fields. */
function unknownVersion(item: Item): Diagnostic {
  const known = factsOf(item.kind)?.apiVersions ?? [];
  return {
    code: "no-target",
    severity: "warning",
    ...atItem(item),
    message: `\`${objectText(item)}\` is no target: valuefold does not know \`${item.apiVersion}\``,
    hint: `the versions are ${known.map((each) => `\`${each}\``).join(", ")}`,
  };
}

function nestedList(item: Item): Diagnostic {
  return {
    code: "item-unreadable",
    severity: "warning",
    at: placeOf(item),
    message: "a List in a List: its items are not read",
    hint: "write them into the outer List",
  };
}

/** Items with a word in their text: few are read for that. */
function itemsHolding(items: readonly Item[], word: string): Item[] {
  const bytes = items[0]?.bytes;
  if (bytes === undefined) return [];
  let at = bytes.indexOf(word);
  return items.filter(({ start, end }) => {
    while (at >= 0 && at < start) at = bytes.indexOf(word, at + 1);
    return at >= 0 && at < end;
  });
}

/** A target that lost all its layers still holds what was folded into it. */
function wasFoldedInto({ annotations }: Item): boolean {
  return annotations.has(Mark.foldedKeys);
}

function kindOf({ kind, apiVersion }: Item): TargetKind | undefined {
  for (const candidate of targetKinds)
    if (candidate.kind === kind && candidate.apiVersions.includes(apiVersion)) return candidate;
  return undefined;
}

function isOfUnknownVersion({ kind, apiVersion }: Item): boolean {
  const group = apiVersion.slice(0, apiVersion.lastIndexOf("/") + 1);
  // Without a group it is a version alone: the kinds of other groups have theirs.
  return targetKinds.some(
    (each) =>
      each.kind === kind &&
      each.inPlace !== true &&
      each.apiVersions.some((known) => known.startsWith(group)),
  );
}

function annotatedLayers(
  layers: readonly Item[],
  among: Omit<Candidates, "index" | "byNamespace">,
  diagnostics: Diagnostic[],
): NamingLayer[] {
  const index = new NameIndex(among.targets);
  const byNamespace = grouped(among.targets, ({ namespace }) => namespace);
  const candidates = { ...among, index, byNamespace };
  return layers.flatMap((item) => annotatedLayer(item, candidates, diagnostics));
}

function annotatedLayer(
  item: Item,
  candidates: Candidates,
  diagnostics: Diagnostic[],
): readonly NamingLayer[] {
  const reject = (message: string, hint: string): readonly [] => {
    diagnostics.push(annotationFault(item, "into", message, hint));
    return [];
  };
  if (!isLayerItem(item))
    return reject("only a ConfigMap or a Secret can be a layer", "remove the annotation");
  if (item.name === "") return reject("a layer needs a name", "give the item a `metadata.name`");
  const wishes = (item.annotations.get(Mark.into) ?? "").split(",").map((text) => text.trim());
  return wishes.flatMap((text) => {
    const wish = parseWish(text);
    if (typeof wish === "string")
      return reject(wish, "write `Kind/name` or `Kind/namespace/name`, several by commas");
    const meant =
      wish.kind.withoutItem === true
        ? componentsMeant(wish, text, item, candidates, diagnostics)
        : targetsMeant(wish, text, item, candidates, diagnostics);
    const priority = priorityOf(item, wish.kind, diagnostics);
    return [{ layer: toLayer(item, priority), targets: new Set(meant) }];
  });
}

/** Components that a layer of static values names: it is below all overrides. */
function componentsMeant(
  wish: Wish,
  text: string,
  item: Item,
  { components }: Candidates,
  diagnostics: Diagnostic[],
): readonly Target[] {
  const namespace = wish.namespace ?? item.namespace;
  const found = components.filter(
    (each) => each.namespace === namespace && (wish.name === "*" || each.name === wish.name),
  );
  if (item.kind === "Secret") {
    const cure = "make it a ConfigMap, or an override by the label `installer`";
    diagnostics.push(
      annotationFault(item, "into", `a Secret cannot hold static values of ${wish.kind.kind}`, cure),
    );
    return [];
  }
  if (found.length === 0) diagnostics.push(noComponent(item, text, wish, components));
  return found;
}

/** The targets of one wish, and what is wrong with it. */
function targetsMeant(
  wish: Wish,
  text: string,
  item: Item,
  candidates: Candidates,
  diagnostics: Diagnostic[],
): readonly Item[] {
  const found = meantBy(wish, item, candidates);
  if (found.length > 1 && wish.name !== "*") diagnostics.push(ambiguous(item, text, found));
  if (found.length === 0) diagnostics.push(orphan(item, text, wish, candidates));
  const meant = found.filter(candidates.mayFold);
  if (found.length > 0 && meant.length === 0) diagnostics.push(reachesNone(item, text, found));
  return meant.filter((target) => {
    const faults = secretFaults(item, target);
    for (const fault of faults) diagnostics.push(fault);
    // A layer with a fault is not a layer of this target, so no later stage meets it.
    return faults.length === 0;
  });
}

function toLayer(item: LayerItem, priority: number): Layer {
  return { item, priority, key: item.annotations.get(Mark.key), reference: undefined };
}

interface Candidates {
  readonly targets: readonly Item[];
  /** Items of a known kind in an unknown version. */
  readonly unknown: readonly Item[];
  readonly components: readonly Component[];
  readonly index: NameIndex;
  /** The targets of each namespace. */
  readonly byNamespace: ReadonlyMap<string | undefined, readonly Item[]>;
  readonly suggestions: Suggestions;
  /** Whether a target is to be folded at all. */
  readonly mayFold: (item: Item) => boolean;
}

/** A name means one target; of two prefixed copies, the one with the prefixes of the layer. */
function meantBy(wish: Wish, layer: Item, { byNamespace, index }: Candidates): readonly Item[] {
  const namespace = wish.namespace ?? layer.namespace;
  const candidates =
    wish.name === "*"
      ? (byNamespace.get(namespace) ?? [])
      : index.within(wish.kind.kind, wish.name, namespace);
  const found = candidates.filter((target) => isNamedBy(target, wish, layer));
  return wish.name === "*" ? found : likeliest(found, wish.name, layer);
}

function isNamedBy(target: Item, { kind, namespace, name }: Wish, layer: Item): boolean {
  if (target.kind !== kind.kind || target.namespace !== (namespace ?? layer.namespace)) return false;
  // Only valuefold writes folded items.
  if (target.annotations.has(Mark.foldedFrom)) return false;
  if (name !== "*") return hasName(target, name);
  // A layer for all ConfigMaps is for those that are not layers themselves.
  return kind.inPlace !== true || !target.annotations.has(Mark.into);
}
