// The library's `plan`: what would fold, and for each value the layer and line that set it. No value is in it.
import {
  assemble,
  beginRun,
  diagnosticsOfRun,
  type Plan,
  planFolds,
  type FoldInput,
  type Steps,
} from "../core/index.ts";
import { type Document, lineIndex } from "../yaml/index.ts";
import type { Fold, Layer, LayerReader, Target } from "../layers/index.ts";
import { type Outcome, reported } from "../report/index.ts";
import { refOf } from "../krm/index.ts";
import type { Rules } from "../merge/index.ts";
import type { PlannedFold, PlannedTarget, ValueOrigin, ValuePlace } from "../public.ts";
import { wings } from "../wings.ts";
import type { LayerNode } from "./elements.ts";
import { resolvedValues } from "./walk.ts";

export interface Planned {
  /** Every selected target, also one for which nothing folds; none if the input cannot be read at all. */
  readonly targets: readonly PlannedTarget[];
  readonly outcome: Outcome;
}

/** Plans a fold as any run does, and writes nothing. */
export function* planning(request: FoldInput): Steps<Planned> {
  const started = beginRun(request, "look", wings);
  if ("outcome" in started) return { targets: [], outcome: started.outcome };
  const { context } = started;
  const { report } = context;
  const envelope = yield* wings.repeated(started.envelope, context);
  if (report.failed) return { targets: [], outcome: reported(report, diagnosticsOfRun(request, report)) };
  const origins = new Map<readonly Layer[], readonly ValueOrigin[]>();
  const plan = yield* planFolds(envelope.items, {
    ...context,
    // Documents are loaded only while their stack is at hand.
    onStack: ({ stack, runs = [] }) => {
      for (const { layers } of runs) origins.set(layers, originsOf(layers, stack.rules?.at, context.layers));
    },
  });
  // Assembling finds what cannot be written.
  if (!report.failed) assemble(envelope, plan, context);
  return { targets: targetsOf(plan, origins), outcome: reported(report, diagnosticsOfRun(request, report)) };
}

/**
 * The origin of each value of a run, in the order they are written. A list is one value, and so is an empty mapping; in a
 * list merged by a rule (setting `merge`) elements are at `[0]`, `[1]`, ….
 */
function originsOf(
  layers: readonly Layer[],
  rules: Rules | undefined,
  reader: LayerReader,
): readonly ValueOrigin[] {
  const roots = layers.flatMap((layer, index): LayerNode[] => {
    const { root } = reader.valuesOf(layer);
    return root === undefined ? [] : [{ layer: index, node: root }];
  });
  const placeOf = locator(layers);
  // Without labels, elements have their place in the list for a name.
  return resolvedValues(roots, { rules, isSecret: () => true }).flatMap(
    ({ path, winner, overridden, isMapping }) =>
      isMapping ? [] : { path, ...placeOf(winner), overrode: overridden.map(placeOf).toReversed() },
  );
}

function locator(layers: readonly Layer[]): (node: LayerNode) => ValuePlace {
  const indexes = new Map<Document, ReturnType<typeof lineIndex>>();
  return ({ layer, node }) => {
    if (layers[layer]?.dotted !== undefined) return { layer };
    const index = indexes.get(node.doc) ?? lineIndex(node.doc.bytes);
    indexes.set(node.doc, index);
    const entry = node.entryStart;
    return { layer, ...index(entry < 0 ? node.start : entry) };
  };
}

function targetsOf(
  { survey, inPlace, folds }: Plan,
  origins: ReadonlyMap<readonly Layer[], readonly ValueOrigin[]>,
): PlannedTarget[] {
  const byTarget = new Map<Target, Fold[]>(survey.selection.targets.map((target) => [target, []]));
  for (const one of [...inPlace.folds, ...folds]) byTarget.get(one.stack.target)?.push(one);
  return [...byTarget].map(([target, own]) => ({
    target: refOf(target),
    folds: own.map((fold) => plannedFold(fold, origins.get(fold.layers) ?? [])),
  }));
}

function plannedFold({ kind, name, namespace, layers }: Fold, origins: readonly ValueOrigin[]): PlannedFold {
  return {
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    layers: layers.map(plannedLayer),
    origins,
  };
}

function plannedLayer({ item, key, priority, reference }: Layer): PlannedFold["layers"][number] {
  const annotated = reference === undefined;
  return { item: refOf(item), ...(key === undefined ? {} : { key }), priority, annotated };
}
