// Which Repeat made an item: what its record says.
import type { ExplainedClone } from "../explanation.ts";
import { Mark, type Named } from "../krm/index.ts";
import { readCloneOrigin } from "../repeat/index.ts";

/** Undefined for an item that is no clone. */
export function cloneOf(target: Named): ExplainedClone | undefined {
  if (!target.annotations.has(Mark.repeatedFrom)) return undefined;
  const record = readCloneOrigin(target);
  if (record === undefined) return undefined;
  const { repeat, template, instance, item } = record;
  return { repeat, template, instance, ...(item === undefined ? {} : { item }) };
}

export function cloneText({ repeat, template, instance, item }: ExplainedClone): string {
  return `cloned by Repeat/${repeat} from ${template} for ${item === undefined ? instance : `${instance}, ${item}`}`;
}
