// What can be wrong with a Repeat. Messages show names of instances, never values.
import type { Diagnostic } from "../diagnostic.ts";
import {
  atItem,
  childrenOf,
  Field,
  field as fieldOf,
  grouped,
  isMapping,
  isNode,
  isScalar,
  type Item,
  keyText,
  type Node,
  parsePath,
  placeOf,
  valueOf,
} from "../core/index.ts";

export type RepeatCode =
  | "repeat-invalid"
  | "repeat-in-place"
  | "repeat-left"
  | "name-taken"
  | "secret-into-configmap"
  | "invalid-setting"
  | "unknown-setting";

/** Where something is wrong: in a Repeat, or in the KOTS Config that says what it clones. */
export interface RepeatPlace {
  readonly repeat: Item;
  /** Its path from the root, as `explain` would write it: `spec.clone[0].set["data.a"]`. */
  readonly field: string;
  /** Where that is in the list, if its path alone does not say it. */
  readonly offset?: number;
}

export type Failure = { readonly fault: Diagnostic };

/** A Repeat that cannot be done as it is written. */
export function fail(where: RepeatPlace, message: string, hint: string, also: readonly Item[] = []): Failure {
  return failAs("repeat-invalid", where, message, hint, also);
}

/** A fault at a field of a Repeat, or at the nearest field around it that is written. */
export function failAs(
  code: RepeatCode,
  { repeat, field, offset }: RepeatPlace,
  message: string,
  hint: string,
  also: readonly Item[] = [],
): Failure {
  const fault = faultOf(code, repeat, `\`${field}\`: ${message}`, hint);
  const at = { ...placeOf(repeat), offset: offset ?? offsetOf(repeat, field) };
  return { fault: { ...fault, field, at, ...(also.length === 0 ? {} : { also: also.map(placeOf) }) } };
}

/** A fault of an item as a whole. */
export function faultOf(code: RepeatCode, item: Item, message: string, hint: string): Diagnostic {
  return { code, severity: "error", ...atItem(item), message, hint };
}

/** Where a scalar starts, or the key of what has entries. */
function offsetOf(repeat: Item, path: string): number {
  const root = repeat.read();
  const steps = parsePath(path);
  if (!isNode(root) || root.doc.bytes !== repeat.bytes || "wrongAt" in steps) return repeat.start;
  let node = root;
  for (const step of steps) {
    const value = valueOf(node);
    const next: Node | undefined =
      "key" in step && isMapping(value)
        ? childrenOf(value).findLast((child) => keyText(child) === step.key)
        : "inList" in step && !isScalar(value)
          ? childrenOf(value)[Number(step.inList)]
          : undefined;
    if (next === undefined) break;
    node = next;
  }
  if (node === root) return repeat.start;
  const isText = isScalar(node) && fieldOf(node, Field.start) < fieldOf(node, Field.end);
  const key = fieldOf(node, Field.keyStart);
  return isText || key < 0 ? fieldOf(node, Field.start) : key;
}

export function isFailure(outcome: object): outcome is Failure {
  return "fault" in outcome;
}

const most = 3;

/** A fault of one field for many instances is reported for a few of them. */
export function fewer(faults: readonly Diagnostic[]): readonly Diagnostic[] {
  const alike = grouped(faults, ({ code, item, field }) => JSON.stringify([code, item, field]));
  return [...alike.values()].flatMap((all) => {
    const last = all[most - 1];
    if (last === undefined || all.length <= most) return all;
    const more = { ...last, message: `${last.message} (and ${all.length - most} more like it)` };
    return [...all.slice(0, most - 1), more];
  });
}
