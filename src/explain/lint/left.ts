// What remains in a list if the fold did not run, or ran on a part of it.
import {
  componentsIn,
  type Context,
  isInPlace,
  NameIndex,
  NearMisses,
  neverAppliedLayer,
  notInList,
  readRecord,
  referencesOf,
  selectTargets,
  type TargetSelection,
} from "../../core/index.ts";
import { type Item, Mark, placeOf, refOf } from "../../krm/index.ts";
import { type Holdings, isText, type Reference } from "../../layers/index.ts";
import { inPlaceKinds } from "../../kinds.ts";
import type { Settings } from "../../settings/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import { RecordedLayers } from "./recorded-layers.ts";

/** Names of folded items by the default pattern, perhaps with a number or a hash after it. */
const foldedName = /-folded(?:-[0-9]+)?(?:-[0-9a-f]{10})?$/;

type Lints = NonNullable<Settings["verify"]["lints"]>;

interface FoundReference {
  readonly target: Item;
  readonly reference: Reference;
  readonly found: readonly Item[];
}

/** @param holdings what the items hold in the input: nothing is folded yet */
export function checkItems(
  items: readonly Item[],
  strict: boolean,
  { settings, holdings }: Pick<Context, "settings" | "holdings">,
): Diagnostic[] {
  const names = new NameIndex(items);
  const { targets, leftAlone, annotated, diagnostics } = selectTargets(
    items,
    settings.targets,
    componentsIn(items, settings.targets),
  );
  const folded = items.filter(({ annotations }) => annotations.has(Mark.foldedFrom));
  const records = new RecordedLayers(folded);
  const isExpected = expectedLayers({ settings, annotated, diagnostics, records });
  const own = new Map([...targets, ...leftAlone].map((target) => [target, referencesOf(target)]));
  const held = foundReferences(own, names);
  const used = new Set(held.flatMap(({ found }) => found));
  const near = new NearMisses({ items, names, holdings, own });
  const found = [
    ...items.filter(isLayerLeft).map((item) => {
      const state = { isKept: isKeptBy(item, records), isExpected: isExpected(item) };
      return layerLeft(item, { ...state, isFoldedBelow: folded.length > 0 });
    }),
    ...[...own.values()].flatMap((each) => each.diagnostics),
    ...held.flatMap(neverApplied),
    ...items.filter((item) => isEdited(item, holdings)).map(edited),
    ...diagnostics
      .filter(isMisplaced)
      .map((each) => (strict ? { ...each, severity: "error" as const } : each)),
    ...unresolved(held, near, items),
    ...folded.filter((item) => !used.has(item) && readRecord(item)?.alone !== true).map(unreferenced),
  ];
  const { lints = {} } = settings.verify;
  return levelled(found, strict ? { ...lints, "unresolved-reference": "error" } : lints);
}

function foundReferences(
  own: ReadonlyMap<Item, ReturnType<typeof referencesOf>>,
  names: NameIndex,
): FoundReference[] {
  return [...own].flatMap(([target, { references }]) =>
    references.map((reference) => ({ target, reference, found: names.find(reference, target) })),
  );
}

/** True for a layer that was folded and stays. */
function isKeptBy(item: Item, records: RecordedLayers): boolean {
  return item.annotations.get(Mark.kept) === "true" && (records.have(item) || isForTargetInPlace(item));
}

interface ExpectedLayers extends Pick<TargetSelection, "annotated" | "diagnostics"> {
  readonly settings: Settings;
  readonly records: RecordedLayers;
}

/** Whether a layer that was left was not to be folded, or was folded and kept by a setting. */
function expectedLayers({
  settings,
  annotated,
  diagnostics,
  records,
}: ExpectedLayers): (item: Item) => boolean {
  const excused = new Set(
    diagnostics.filter(isExcuse).flatMap(({ item }) => (item === undefined ? [] : objectText(item))),
  );
  const isFolded = settings.layers === "keep" ? foldedThough(annotated, records) : undefined;
  return (item) => isFolded?.(item) === true || excused.has(objectText(item));
}

/** Findings at the level that the settings give to their code. */
function levelled(found: readonly Diagnostic[], lints: Lints): Diagnostic[] {
  return found.flatMap((each): Diagnostic[] => {
    const { code } = each;
    const level = code === "unresolved-reference" || code === "folded-edited" ? lints[code] : undefined;
    if (level === undefined) return [each];
    return level === "off" || level === false ? [] : [{ ...each, severity: level }];
  });
}

/** A target that is edited in place has no record: the mark is the only trace of its fold. */
function isForTargetInPlace({ annotations }: Item): boolean {
  const kinds = (annotations.get(Mark.into) ?? "").split(",").map((each) => each.trim().split("/")[0]);
  return kinds.some((kind) => inPlaceKinds.some((each) => each === kind));
}

/** Whether layers that stay in the list were folded, by the records. Targets that are edited in place have no record. */
function foldedThough(
  annotated: TargetSelection["annotated"],
  records: RecordedLayers,
): (item: Item) => boolean {
  const waiting = annotated.filter(
    ({ layer, targets }) => [...targets].some((target) => !isInPlace(target)) && !records.have(layer.item),
  );
  const left = new Set<Item>(waiting.map(({ layer }) => layer.item));
  return (item) => !left.has(item);
}

/** An optional reference may lead nowhere, unless its name is that of a folded item. */
function isUnresolved({ reference: { name, optional }, found }: FoundReference): boolean {
  return found.length === 0 && (optional !== true || foldedName.test(name));
}

/** A misspelt or misplaced annotation, which was perhaps to make the item a layer. */
function isMisplaced({ code, severity }: Diagnostic): boolean {
  return code === "invalid-annotation" && severity === "warning";
}

/** A layer stays rightly if its target is left alone, or if it is for all targets and there are none. */
function isExcuse({ code, severity }: Diagnostic): boolean {
  return code === "target-left-alone" || (code === "orphan-layer" && severity === "warning");
}

/** An annotated layer that is still to be applied: the function did not see it. */
function isLayerLeft({ annotations }: Item): boolean {
  return annotations.has(Mark.into) && annotations.get(Mark.localConfig) !== "true";
}

/** True if the value of a folded item is not the recorded one; Flux may have filled in variables since. */
function isEdited(item: Item, holdings: Holdings): boolean {
  const record = item.annotations.has(Mark.foldedFrom) ? readRecord(item) : undefined;
  if (record === undefined) return false;
  const [key] = holdings.keysOf(item);
  if (key === undefined) return false;
  const text = holdings.textOf(item, key);
  return !isText(text) || text.digest() !== record.digest;
}

function edited(item: Item): Diagnostic {
  return {
    code: "folded-edited",
    severity: "warning",
    message: "the value of this folded item is not what was folded",
    hint: "put changes into a layer; ignore this if Flux has filled in variables since",
    item: refOf(item),
    at: placeOf(item),
  };
}

interface LeftLayer {
  /** True for a layer that was folded and stays. */
  readonly isKept: boolean;
  /** True for a layer that was not to be folded. */
  readonly isExpected: boolean;
  /** True if the list holds folded items. */
  readonly isFoldedBelow: boolean;
}

function layerLeft(item: Item, { isKept, isExpected, isFoldedBelow }: LeftLayer): Diagnostic {
  const into = item.annotations.get(Mark.into) ?? "";
  const isMarked = item.annotations.get(Mark.kept) === "true";
  return {
    code: "layer-left",
    severity: isExpected || isKept ? "info" : "error",
    message: isKept
      ? `a layer of \`${into}\` was folded, and stays because something references it or it says so`
      : `a layer of \`${into}\` was left: the fold did not run here`,
    ...(isMarked && !isKept
      ? { reason: "it was copied with its mark `valuefold.dev/kept`: no folded item here was made of it" }
      : {}),
    hint: isFoldedBelow
      ? "other layers are folded, perhaps in a base: run the function also in the kustomization that adds this layer"
      : "run valuefold in this pipeline; kustomize skips exec functions silently without `--enable-exec`",
    item: refOf(item),
    at: placeOf(item),
  };
}

/** A referenced layer that is never applied: only a fold would have brought its values to the cluster. */
function neverApplied({ target, found }: FoundReference): Diagnostic[] {
  return found
    .filter(({ annotations }) => annotations.get(Mark.localConfig) === "true")
    .map((item) => neverAppliedLayer(item, target));
}

/** References that lead to no item of the list: near misses are warnings, the others are left to the cluster. */
function unresolved(held: readonly FoundReference[], near: NearMisses, items: readonly Item[]): Diagnostic[] {
  return held.flatMap((each): Diagnostic[] => {
    const { target, reference, found } = each;
    if (found.length === 0 && !isUnresolved(each)) return [];
    if (found.length === 0 && foldedName.test(reference.name)) return [dangling(target, reference, items)];
    const warning = near.of(target, reference);
    if (warning !== undefined) return [warning];
    if (found.length > 0) return [];
    const hint = "if the cluster does not have it, add it";
    return [{ ...notInList(target, reference), severity: "info", hint }];
  });
}

function dangling(target: Item, reference: Reference, items: readonly Item[]): Diagnostic {
  const { kind, name } = reference;
  const renamed = items.find(
    (item) =>
      item.kind === kind &&
      item.annotations.has(Mark.foldedFrom) &&
      item.name !== name &&
      (item.name.endsWith(name) || item.name.startsWith(name)),
  );
  return {
    ...notInList(target, reference),
    code: "folded-dangling",
    severity: "error",
    hint: danglingCure(renamed),
  };
}

/** @param renamed the folded item under another name: kustomize follows only references that it knows */
function danglingCure(renamed: Item | undefined): string {
  return renamed === undefined
    ? "fold the list that holds the layers, and keep what it emits"
    : `the list has \`${objectText(renamed)}\`, renamed by a prefix or suffix that did not reach this reference: save the output of \`valuefold print name-reference\` and list that file under \`configurations\``;
}

function unreferenced(item: Item): Diagnostic {
  return {
    code: "folded-dangling",
    severity: "error",
    message: "no target references this folded item",
    hint: "remove the item, or restore the reference to it",
    item: refOf(item),
    at: placeOf(item),
  };
}
