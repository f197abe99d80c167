// The values of a target that a manifest names.
import type {
  ExplainedManifest,
  ExplainedStack,
  ExplainedTarget,
  ExplainedValue,
  Explanation,
} from "../explanation.ts";

/** True for what is at a path, above it or below it. */
export function isOnPath(one: readonly string[], other: readonly string[]): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, index) => step === other[index]);
}

/** The target whose chart makes it. */
export function targetOf(
  { targets }: Explanation,
  { build, target: { kind, namespace, name } }: ExplainedManifest,
): ExplainedTarget | undefined {
  return targets.find(
    (each) =>
      each.build === build && each.kind === kind && each.namespace === namespace && each.name === name,
  );
}

/** A list is one value there: what is in it has the place of the whole. */
export function valuesAt({ values }: ExplainedStack, path: readonly string[]): readonly ExplainedValue[] {
  return values.filter((each) => each.mapping !== true && isOnPath(each.path, path));
}
