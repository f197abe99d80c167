// What views call targets and layers.
import { factsOf, usualDataKeys } from "../kinds.ts";
import { type ObjectId, objectText } from "../object-id.ts";
import type { ExplainedLayer, ExplainedStack, ExplainedTarget, Place } from "../explanation.ts";

/** `App/web/shop`; bare values files have no target. */
export function titleOf(target: ObjectId): string {
  return target.kind === valuesKind ? "the merged values" : objectText(target);
}

/** The kind of the one target in an explanation of bare values files. */
export const valuesKind = "Values";
export const mergedName = "merged";
export const mergedTarget = `${valuesKind}/${mergedName}`;

/** True for a target that a fold writes to. */
export function canFold({ kind }: Pick<ExplainedTarget, "kind">): boolean {
  return factsOf(kind) !== undefined;
}

/** What names a stack among those of its target: the chart of its source, its data key, or the kind of its layers; empty where there is one only. */
export function stackId(kind: string, { chart, source, key, kind: layers }: ExplainedStack): string {
  return chart ?? source ?? key ?? (factsOf(kind)?.stackPerKind === true ? layers : undefined) ?? "";
}

export function isOfFiles({ kind }: Pick<ExplainedTarget, "kind">): boolean {
  return kind === valuesKind;
}

/**
 * The names of layers, by id; the second layer of one name gets a number.
 *
 * @param start of the names of files, which is left out: that of a directory beside another one of the same layout
 */
export function layerNamesOf(layers: readonly ExplainedLayer[], start = ""): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  return new Map(
    layers.map((layer) => {
      const name = withoutStart(nameOf(layer), start);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [layer.id, count === 1 ? name : `${name} (${count})`];
    }),
  );
}

export function withoutStart(name: string, start: string): string {
  return name.startsWith(start) ? name.slice(start.length) : name;
}

/** The layer that a place of a file is in. */
export function layerAt(
  layers: readonly ExplainedLayer[],
  { file, line = 0 }: Place,
): ExplainedLayer | undefined {
  return layers
    .filter(({ at }) => at?.file === file && (at?.line ?? 0) <= line)
    .toSorted((a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0))
    .at(-1);
}

function nameOf({ kind, namespace, name, key, slot, why, priority, at }: ExplainedLayer): string {
  // Its number among the patches changes with each patch that is added below it.
  if (why === "patch" && at?.file !== undefined) return at.file;
  if (name === undefined) return slot ?? `${why} ${priority ?? ""}`.trimEnd();
  if (kind === undefined) return name;
  const item = objectText({ kind, name, namespace });
  return key === undefined || usualDataKeys.includes(key) ? item : `${item} ${key}`;
}
