// ConfigMap and Secret targets: their own data is the lowest layer, annotated layers override it key by key,
// and the result goes back into the target, so that kustomize gives it a fresh hash and references follow.
// docs/folding.md (Declaring a layer) and docs/targets.md (ConfigMap and Secret).
import { Mark, isFromKpt, type Item, atItem, placeOf } from "../../../krm/index.ts";
import {
  type HeldTexts,
  isLayerItem,
  binaryKeysOf,
  hasSeal,
  missingData,
  type Format,
  type Layer,
  type LayerItem,
  type Stack,
} from "../../../layers/index.ts";
import { type Diagnostic, slipOf } from "../../../diagnostic.ts";
import { objectText } from "../../../object-id.ts";
import { type Collected, type ItemFrontEnd, noReferences, type Surroundings } from "../front-end.ts";
import { isFoldedAgain, keyState, rememberedKeys } from "./record.ts";
import { goneKeys, rewrite } from "./rewrite.ts";

export const inPlace: ItemFrontEnd = {
  referencesOf: () => noReferences,
  collect,
  goneKeys,
  rewrite,
};

function collect(target: Item, { annotated, holdings, prunes }: Surroundings): Collected {
  if (!isLayerItem(target)) return { stacks: [], references: [], diagnostics: [] };
  const layers = annotated.toSorted((a, b) => a.priority - b.priority);
  const diagnostics = layers.flatMap((layer) => binaryFaults(layer, target, holdings));
  for (const { item } of layers)
    if (holdings.keysOf(item).length === 0) diagnostics.push(...[missingData(item) ?? []].flat());
  const isSealedTarget = hasSeal(target) && layers.length > 0;
  if (isSealedTarget) diagnostics.push(sealedTarget(target));
  const byKey = isSealedTarget ? new Map<string, Layer[]>() : groupByKey(layers, holdings);
  // Pruned layers cannot be folded again: from then on the result is the target's own value.
  const remembers = isFromKpt(target) && !prunes;
  for (const key of rememberedKeys(target).filter((each) => !byKey.has(each)))
    if (keyState(target, key, holdings) === "edited") diagnostics.push(edited(target, key));
  const own = holdings.keysOf(target);
  for (const [key, over] of byKey) diagnostics.push(...misspelt(key, own, target, over));
  const isAgain = isFoldedAgain(target, annotated);
  const editing = { target, holdings, remembers, isAgain, diagnostics };
  const stacks = [...byKey].flatMap(([key, over]) => stackOf(key, editing, over));
  return { stacks, references: [], diagnostics, remembers };
}

/** A key that the target does not have is added; a similar name may be a typing error. */
function misspelt(key: string, own: readonly string[], target: Item, over: readonly Layer[]): Diagnostic[] {
  const near = own.includes(key)
    ? undefined
    : (own.find((each) => plainly(each) === plainly(key)) ?? slipOf(key, own));
  const [layer] = over;
  if (near === undefined || layer === undefined || over.some((each) => each.key === key)) return [];
  const message = `\`${key}\` is not a key of \`${objectText(target)}\`, so it is added to it`;
  const hint = `did you mean \`${near}\`? If not, name the key with \`valuefold.dev/key\``;
  return [{ ...about(layer.item, "key-added"), severity: "warning", message, hint }];
}

/** Without common confusions: case, hyphens, and the two endings of YAML. */
function plainly(key: string): string {
  return key
    .toLowerCase()
    .replaceAll(/[-_]/g, "")
    .replace(/\.yml$/, ".yaml");
}

/** The keys of a layer: all it has, or the one it names. */
function keysOf({ item, key }: Layer, holdings: HeldTexts): readonly string[] {
  return key === undefined ? holdings.keysOf(item) : [key];
}

function groupByKey(layers: readonly Layer[], holdings: HeldTexts): Map<string, Layer[]> {
  const groups = new Map<string, Layer[]>();
  for (const layer of layers) {
    for (const key of keysOf(layer, holdings)) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [layer]);
      else known.push(layer);
    }
  }
  return groups;
}

interface Editing {
  readonly target: LayerItem;
  readonly holdings: HeldTexts;
  readonly remembers: boolean;
  /** True if an earlier fold is folded again from its layers. */
  readonly isAgain: boolean;
  readonly diagnostics: Diagnostic[];
}

function stackOf(key: string, editing: Editing, over: readonly Layer[]): Stack[] {
  const { target, diagnostics } = editing;
  const fault = formatFault(key, target, over);
  if (fault !== undefined) {
    diagnostics.push(fault);
    return [];
  }
  const format = formatOf(key, target, over);
  const own = baseOf(key, editing);
  const entries = [...own, ...over].map((layer) => ({ layer: { ...layer, key, format } }));
  return [{ target, below: [], entries, into: { item: target, key, format }, whole: true }];
}

/**
 * The target's own value. Where the output becomes the next input, that is the result of the last fold:
 * a base in it would be lost.
 */
function baseOf(key: string, { target, holdings, remembers, isAgain, diagnostics }: Editing): Layer[] {
  const base: Layer = { item: target, priority: 0, key, reference: undefined };
  if (!holdings.has(target, key)) return [];
  const state = keyState(target, key, holdings);
  const isOwn = { own: !remembers, edited: !isFromKpt(target), folded: !isAgain }[state];
  if (isOwn || holdings.isSealed(target, key)) return [base];
  if (state === "own") diagnostics.push(baseLost(target, key));
  if (state === "edited") diagnostics.push(edited(target, key));
  return [];
}

/** The format by the target's annotation, else by a layer's, else by the key's name. */
function formatOf(key: string, target: Item, layers: readonly Layer[]): Format {
  const declared = [target, ...layers.map(({ item }) => item)].flatMap(
    ({ annotations }) => annotations.get(Mark.format) ?? [],
  );
  return (declared[0] as Format | undefined) ?? formatByName(key);
}

function formatByName(key: string): Format {
  if (key.endsWith(".json")) return "json";
  return key === "values" || /\.ya?ml$/.test(key) ? "yaml" : "text";
}

/** Two layers that disagree about a key's format, without an annotation on the target. */
function formatFault(key: string, target: Item, layers: readonly Layer[]): Diagnostic | undefined {
  if (target.annotations.has(Mark.format)) return undefined;
  const declared = layers.filter(({ item }) => item.annotations.has(Mark.format));
  const [first] = declared;
  const other = declared.find(
    ({ item }) => item.annotations.get(Mark.format) !== first?.item.annotations.get(Mark.format),
  );
  if (first === undefined || other === undefined) return undefined;
  return {
    ...about(target, "invalid-annotation"),
    message: `two layers name different formats for \`${key}\``,
    hint: "write `valuefold.dev/format` on the target",
    also: [first, other].map(({ item }) => placeOf(item)),
  };
}

function binaryFaults({ item }: Layer, target: Item, holdings: HeldTexts): Diagnostic[] {
  const own = binaryKeysOf(target);
  const clash = holdings.keysOf(item).find((key) => own.includes(key));
  const [binary] = binaryKeysOf(item);
  if (binary === undefined && clash === undefined) return [];
  const message =
    clash === undefined
      ? `\`binaryData\` is not folded, and \`${binary}\` would be lost`
      : `\`${clash}\` is in \`binaryData\` of the target`;
  return [
    {
      ...about(item, "binary-data"),
      message: `${message} (layer of \`${objectText(target)}\`)`,
      hint: "put it into the target itself, or give it another key",
    },
  ];
}

/** A plain value next to sealed ones would break the seal, and be readable. */
function sealedTarget(target: Item): Diagnostic {
  return {
    ...about(target, "sealed-layer"),
    message: "an encrypted target cannot be edited in place",
    hint: "fold its layers before it is encrypted",
  };
}

function baseLost(target: Item, key: string): Diagnostic {
  return {
    ...about(target, "base-lost"),
    message: `\`${key}\` cannot be edited in place`,
    reason: "under kpt the output becomes the next input, and the base would be lost",
    hint: "move the key into a layer of its own, with `valuefold.dev/into` and a low priority",
  };
}

function edited(target: Item, key: string): Diagnostic {
  return {
    ...about(target, "folded-edited"),
    message: `\`${key}\` was edited after its layers were folded into it`,
    hint: "put the change into a layer, and remove the key here",
  };
}

function about(item: Item, code: Diagnostic["code"]): Omit<Diagnostic, "message"> {
  return { code, severity: "error", ...atItem(item) };
}
