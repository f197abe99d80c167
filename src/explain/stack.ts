// One stack → its layers with their reasons and states, and every value of it with what that overrides.
import type {
  ExplainedLayer,
  ExplainedStack,
  ExplainedValue,
  LayerReason,
  LayerState,
  OverriddenValue,
} from "../explanation.ts";
import { formatItem } from "../diagnostic.ts";
import type { LayerReader } from "../layer/layers.ts";
import { guard } from "../layer/guarded.ts";
import type { Apart, Barrier, Fold, Layer, Stack } from "../model.ts";
import { readRecord } from "../refold/record.ts";
import { Mark } from "../wire/annotation-names.ts";
import { childOf, describe, type Item } from "../wire/item.ts";
import { isNull } from "../yaml/resolve.ts";
import { isScalar, type Node, valueOf } from "../yaml/tape.ts";
import { remember } from "./hidden.ts";
import { oneLine } from "./one-line.ts";
import type { Places } from "./places.ts";
import { holdingsOf, type Said, sizeOf } from "./walk.ts";

/** A place of a stack, and what was read there. */
export interface Standing {
  readonly layer?: Layer;
  readonly barrier?: Barrier;
  /** True for what the target holds itself, over all layers. */
  readonly isInline?: boolean;
  readonly state?: "sealed" | "unreadable";
  readonly root?: Node;
}

/** All places of a stack, lowest first, with their documents as they are now. */
export function readStack({ below, entries }: Stack, reader: LayerReader): Standing[] {
  const lowest: Standing[] =
    below === "unknown" ? [{}] : below.map((layer) => ({ layer, ...readingOf(layer, reader) }));
  const rest = entries.map((entry): Standing =>
    "barrier" in entry ? entry : { layer: entry.layer, ...readingOf(entry.layer, reader) },
  );
  return [...lowest, ...rest];
}

function readingOf(layer: Layer, reader: LayerReader): Pick<Standing, "state" | "root"> {
  if (reader.isSealed(layer)) return { state: "sealed" };
  if (reader.keyFault(layer) !== undefined) return { state: "unreadable" };
  const { faults, root } = reader.valuesOf(layer);
  if (faults.length > 0) return { state: "unreadable" };
  return root === undefined ? {} : { root };
}

/** What is known of a stack besides its places. */
export interface Known {
  readonly stack: Stack;
  readonly folds: readonly Fold[];
  readonly apart: readonly Apart[];
  readonly target: Item | undefined;
  readonly reader: LayerReader;
  readonly places: Places;
  /** The next free id. */
  readonly nextId: () => string;
}

export function explainStack(standings: readonly Standing[], known: Known): ExplainedStack {
  const { stack, folds, apart } = known;
  const ids = standings.map(() => known.nextId());
  const told = new ValuesOfStack(standings, ids, known);
  const values = told.values();
  const layers = standings.map((standing, index) =>
    layerOf(standing, ids[index] ?? "", known, told.of(index)),
  );
  const idOf = (layer: Layer): string => ids[standings.findIndex((each) => each.layer === layer)] ?? "";
  const kinds = new Set(layers.flatMap(({ kind }) => kind ?? []));
  const [kind, second] = kinds;
  return {
    ...(second === undefined && (kind === "ConfigMap" || kind === "Secret") ? { kind } : {}),
    ...(stack.into === undefined ? {} : { key: stack.into.key }),
    layers,
    runs: folds.map((fold) => ({ layers: fold.layers.map(idOf), into: intoOf(fold) })),
    splits: apart.map(({ below, above, reason }) => ({
      below: idOf(below),
      above: idOf(above),
      reason: reason.why,
      cure: reason.cure,
    })),
    values,
  };
}

function intoOf({ stack, kind, name, namespace }: Fold): string {
  return stack.into === undefined ? formatItem({ kind, name, namespace }) : describe(stack.into.item);
}

interface Counts {
  sets: number;
  overridden: number;
}

/** The values of a stack, and how many each layer sets. */
class ValuesOfStack {
  private readonly standings: readonly Standing[];
  private readonly ids: readonly string[];
  private readonly known: Known;
  private readonly counts: Counts[];
  /** Whose values nobody may see. */
  private readonly secrets: readonly boolean[];

  constructor(standings: readonly Standing[], ids: readonly string[], known: Known) {
    this.standings = standings;
    this.ids = ids;
    this.known = known;
    this.counts = standings.map(() => ({ sets: 0, overridden: 0 }));
    this.secrets = standings.map(({ layer }) => layer !== undefined && known.reader.isSecret(layer));
  }

  of(index: number): Counts {
    return this.counts[index] as Counts;
  }

  values(): ExplainedValue[] {
    const roots = this.standings.flatMap(({ root }, layer): Said[] =>
      root === undefined ? [] : [{ layer, node: root }],
    );
    return holdingsOf(roots).map(({ path, winner, over, isMapping }) => {
      const text = isMapping ? undefined : oneLine(winner.node);
      if (!isMapping) this.of(winner.layer).sets++;
      const value = {
        path,
        by: this.ids[winner.layer] ?? "",
        ...this.textOf(winner, text),
        ...this.placed(winner, path),
        ...(isMapping ? { mapping: true } : {}),
        over: over.map((each) => this.overridden(each, path, { text, said: winner })),
      };
      this.hide(value, winner, text);
      return value;
    });
  }

  private overridden(
    said: Said,
    path: readonly string[],
    by: { readonly text: string | undefined; readonly said: Said },
  ): OverriddenValue {
    const counts = this.of(said.layer);
    const size = sizeOf(said.node);
    counts.sets += size;
    counts.overridden += size;
    const text = oneLine(said.node);
    // Of a secret nobody learns that it is what another one is.
    const isSecret = this.isSecret(said) || this.isSecret(by.said);
    const atom = valueOf(by.said.node);
    const isNulled = !isSecret && by.text !== undefined && isScalar(atom) && isNull(atom);
    const value: OverriddenValue = {
      by: this.ids[said.layer] ?? "",
      ...this.textOf(said, text),
      ...this.placed(said, path),
      effect: !isSecret && text === by.text ? "same" : isNulled ? "nulled" : "replaced",
      ...(isScalar(valueOf(said.node)) || !text.startsWith("{") ? {} : { mapping: true }),
    };
    this.hide(value, said, text);
    return value;
  }

  private isSecret({ layer }: Said): boolean {
    return this.secrets[layer] !== false;
  }

  private textOf(said: Said, text: string | undefined): { readonly text?: string } {
    return text === undefined || this.isSecret(said) ? {} : { text };
  }

  /** `diff` must know whether a secret changes, and nobody what it is. */
  private hide(value: object, said: Said, text: string | undefined): void {
    if (text !== undefined && this.isSecret(said)) remember(value, guard(Buffer.from(text, "utf8"), true));
  }

  private placed({ layer, node }: Said, path: readonly string[]): Pick<ExplainedValue, "at"> {
    const { layer: own } = this.standings[layer] ?? {};
    const { places, target } = this.known;
    if (own !== undefined) return { at: places.ofValue(own, node, path) };
    return target === undefined ? {} : { at: places.ofInline(target, node) };
  }
}

function layerOf(standing: Standing, id: string, known: Known, counts: Counts): ExplainedLayer {
  const { layer, barrier, isInline } = standing;
  if (layer !== undefined) return itemLayer(layer, standing, { id, counts }, known);
  if (isInline === true) {
    const { target, places } = known;
    const at =
      target === undefined || standing.root === undefined
        ? undefined
        : places.ofInline(target, standing.root);
    return { id, why: "own", slot: "spec.values", state: "apart", ...counts, ...(at && { at }) };
  }
  return barrier === undefined
    ? { id, why: "catalog", priority: 0, state: "unseen" }
    : barrierLayer(barrier, id);
}

/** What stands in the list, and is no part of any fold all the same. */
const barredStates: Readonly<Record<Barrier["why"], LayerState>> = {
  "late-bound": "late",
  "no-key": "late",
  unseen: "unseen",
  sealed: "sealed",
  reserved: "apart",
  ambiguous: "unreadable",
  "target-path": "apart",
};

function barrierLayer({ why, priority, reference }: Barrier, id: string): ExplainedLayer {
  if (reference === undefined) return { id, why: "platform", priority, state: "unseen" };
  const { kind, name, namespace, key } = reference;
  return {
    id,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(key === undefined ? {} : { key }),
    priority,
    why: "reference",
    slot: slotOf(reference),
    state: barredStates[why],
  };
}

function itemLayer(
  layer: Layer,
  { state }: Standing,
  { id, counts }: { readonly id: string; readonly counts: Counts },
  known: Known,
): ExplainedLayer {
  const { item, priority, reference, format } = layer;
  const { reader, folds, places } = known;
  const key = layer.dotted === undefined ? reader.keyOf(layer) : undefined;
  const folded: LayerState = folds.some((fold) => fold.layers.includes(layer)) ? "folded" : "apart";
  const record = item.annotations.has(Mark.foldedFrom) ? readRecord(item) : undefined;
  const at = places.ofLayer(layer);
  return {
    id,
    kind: item.kind,
    ...(item.namespace === undefined ? {} : { namespace: item.namespace }),
    name: item.name,
    ...(key === undefined ? {} : { key }),
    priority,
    ...(item !== known.target && isDefault(layer) ? { isDefaultPriority: true } : {}),
    why: reasonFor(layer, known),
    ...(reference === undefined || reference.slot === "catalog" ? {} : { slot: slotOf(reference) }),
    state: state ?? folded,
    ...(reader.isSecret(layer) ? { secret: true } : {}),
    ...(format === "text" ? { whole: true } : {}),
    ...(record === undefined ? {} : { foldedFrom: record.layers.map((each) => formatItem(each)) }),
    ...(at && { at }),
    ...(state === undefined && format !== "text" ? counts : {}),
  };
}

function slotOf({ slot, index }: NonNullable<Layer["reference"]>): string {
  return `spec.${slot}${index === undefined ? "" : `[${index}]`}`;
}

function reasonFor({ item, reference, dotted, scope }: Layer, { target }: Known): LayerReason {
  if (item === target) return "own";
  if (reference !== undefined) return reference.slot === "catalog" ? "catalog" : "reference";
  return dotted !== undefined || (scope !== undefined && scope !== "static") ? "label" : "annotation";
}

/** True where nobody said the priority: the annotation, or the field of a list's entry, is not there. */
function isDefault({ item, reference, dotted }: Layer): boolean {
  if (dotted !== undefined) return false;
  if (reference === undefined)
    return !item.annotations.has(Mark.priority) && !item.annotations.has(Mark.priorityBefore);
  return (
    reference.slot === "extraConfigs" &&
    reference.node !== undefined &&
    childOf(reference.node, "priority") === undefined
  );
}
