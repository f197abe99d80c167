// What can be wrong with a Repeat. Messages show names of instances, never values.
import type { Diagnostic } from "../diagnostic.ts";
import { atItem, isNode, type Item, placeOf } from "../krm/index.ts";
import { grouped } from "../grouped.ts";
import { parsePath } from "../merge/index.ts";
import { follow } from "./follow.ts";

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

/** Thrown where something cannot be done as it is written; `attempt` catches it, so that other parts have their say as well. */
export class Refused extends Error {
  readonly faults: readonly Diagnostic[];

  constructor(...faults: readonly Diagnostic[]) {
    super("a Repeat is refused");
    this.faults = faults;
  }
}

/** What a part of the work gives; undefined if it is refused: then the list has more faults. */
export function attempt<T>(faults: Diagnostic[], part: () => T): T | undefined {
  try {
    return part();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    for (const fault of error.faults) faults.push(fault);
    return undefined;
  }
}

/** A Repeat that cannot be done as it is written. */
export function refusal(
  where: RepeatPlace,
  message: string,
  hint: string,
  also: readonly Item[] = [],
): Refused {
  return new Refused(faultAt("repeat-invalid", where, message, hint, also));
}

/** The same by another code. */
export function refusalAs(code: RepeatCode, where: RepeatPlace, message: string, hint: string): Refused {
  return new Refused(faultAt(code, where, message, hint));
}

/** A fault at a field of a Repeat, or at the nearest field around it that is written. */
export function faultAt(
  code: RepeatCode,
  { repeat, field, offset }: RepeatPlace,
  message: string,
  hint: string,
  also: readonly Item[] = [],
): Diagnostic {
  const fault = faultOf(code, repeat, `\`${field}\`: ${message}`, hint);
  const at = { ...placeOf(repeat), offset: offset ?? offsetOf(repeat, field) };
  return { ...fault, field, at, ...(also.length === 0 ? {} : { also: also.map(placeOf) }) };
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
  const { node } = follow(root, steps);
  if (node === root) return repeat.start;
  const isText = node.isScalar && node.start < node.end;
  const key = node.keyStart;
  return isText || key < 0 ? node.start : key;
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
