// What views call a target.
import { formatItem } from "../diagnostic.ts";
import type { ExplainedTarget } from "../explanation.ts";

/** `App/web/shop`; bare values files have no target. */
export function titleOf({
  kind,
  namespace,
  name,
}: Pick<ExplainedTarget, "kind" | "namespace" | "name">): string {
  return kind === valuesKind ? "the merged values" : formatItem({ kind, name, namespace });
}

/** The kind of the one target in an explanation of bare values files. */
export const valuesKind = "Values";

export function isOfFiles({ kind }: Pick<ExplainedTarget, "kind">): boolean {
  return kind === valuesKind;
}
