// One stack: its layers with their reasons and states, and its values. Everything is read at once, because documents are
// unloaded soon; whether a layer folds is known once everything is planned.
import type { ExplainedLayer, ExplainedStack, ExplainedValue, RemovedValue } from "../explanation.ts";
import type { Fold, Layer, RunEnd, Stack } from "../layers/index.ts";
import type { StackDocument } from "./document.ts";
import { rememberHeld } from "./hidden.ts";
import { type Explaining, ValuesOfStack } from "./stack-values.ts";
import { objectText } from "../object-id.ts";

/** The layers of a stack, and what they come to. */
export type StackAnswer = Pick<ExplainedStack, "layers" | "values">;

/** @param nextId the next free id */
export function explainedStack(
  documents: readonly StackDocument[],
  how: Explaining,
  nextId: () => string,
): StackAnswer {
  const ids = documents.map(() => nextId());
  const valuesOfStack = new ValuesOfStack(documents, ids, how);
  const values = valuesOfStack.values();
  const layers = documents.map((each, index) => {
    const id = ids[index] ?? "";
    return layerOf(each, { id, ...(isCounted(each) && valuesOfStack.of(index)) }, how.isBrief);
  });
  return { layers, values };
}

function isCounted({ isKnown, whole }: StackDocument): boolean {
  return isKnown && whole === undefined;
}

function layerOf(
  { facts, isSecret, at: placed, held }: StackDocument,
  { id, ...counts }: Pick<ExplainedLayer, "id" | "sets" | "overridden">,
  isBrief: boolean,
): ExplainedLayer {
  const own = { id, ...facts, ...(isSecret && { secret: true }) };
  const at = isBrief ? undefined : placed();
  const layer = { ...own, ...(at && { at }), ...counts };
  if (isBrief) Object.defineProperty(layer, "at", { get: placed, enumerable: true });
  if (held !== undefined) rememberHeld(layer, held);
  return layer;
}

/** A stack before it is known which of its layers fold. */
export interface UnfoldedStack {
  readonly stack: Stack;
  /** Layers of the stack, in its order; undefined where one is unknown. */
  readonly own: readonly (Layer | undefined)[];
  readonly layers: readonly ExplainedLayer[];
  readonly values: readonly ExplainedValue[];
  readonly removed: readonly RemovedValue[];
}

/** The stack, with the items it folds into and the places where a run ends. */
export function finished(
  draft: UnfoldedStack,
  folds: readonly Fold[],
  runEnds: readonly RunEnd[],
): ExplainedStack {
  const { stack, own, values, removed } = draft;
  const folded = new Set<Layer | undefined>(folds.flatMap((fold) => fold.layers));
  const layers = draft.layers.map((layer, index): ExplainedLayer =>
    layer.state === "apart" && folded.has(own[index]) ? { ...layer, state: "folded" } : layer,
  );
  const byLayer = new Map(own.map((layer, index) => [layer, layers[index]?.id ?? ""]));
  const idOf = (layer: Layer): string => byLayer.get(layer) ?? "";
  const [kind, second] = new Set(layers.flatMap((layer) => layer.kind ?? []));
  return {
    ...(second === undefined && (kind === "ConfigMap" || kind === "Secret") ? { kind } : {}),
    ...(stack.into === undefined ? {} : { key: stack.into.key }),
    layers,
    runs: folds.map((fold) => ({
      layers: fold.layers.map(idOf),
      into: objectText(fold.stack.into?.item ?? fold),
    })),
    splits: runEnds.map(({ below, above, reason }) => ({
      below: idOf(below),
      above: idOf(above),
      reason: reason.why,
      cure: reason.cure,
    })),
    values,
    ...(removed.length === 0 ? {} : { removed }),
  };
}

/** A, B, …, Z, AA, AB, …: one for each layer of a target. */
export function letters(): () => string {
  let count = 0;
  return () => {
    let text = "";
    for (let rest = count++; rest >= 0; rest = Math.floor(rest / 26) - 1)
      text = String.fromCharCode(65 + (rest % 26)) + text;
    return text;
  };
}
