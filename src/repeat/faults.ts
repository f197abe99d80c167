// What can be wrong with a Repeat. Names of instances are told, values never.
import type { Diagnostic } from "../diagnostic.ts";
import { type Item, refOf } from "../wire/item.ts";
import { placeOf } from "../wire/place.ts";
import { Field, field as fieldOf, type Node } from "../yaml/tape.ts";

export type RepeatCode =
  | "repeat-target"
  | "repeat-path"
  | "repeat-name"
  | "repeat-count"
  | "repeat-edited"
  | "name-taken"
  | "secret-into-configmap"
  | "invalid-setting"
  | "unknown-setting";

/** Where in a Repeat something is wrong. */
export interface Where {
  readonly repeat: Item;
  readonly field: string;
  readonly node?: Node;
}

export type Told = { readonly fault: Diagnostic };

export function told(
  code: RepeatCode,
  { repeat, field, node }: Where,
  message: string,
  hint: string,
  also: readonly Item[] = [],
): Told {
  const place = placeOf(repeat);
  const offset =
    node !== undefined && node.doc.bytes === repeat.bytes ? fieldOf(node, Field.start) : undefined;
  return {
    fault: {
      code,
      severity: "error",
      item: refOf(repeat),
      field,
      at: offset === undefined ? place : { ...place, offset },
      ...(also.length === 0 ? {} : { also: also.map(placeOf) }),
      message: `\`${field}\`: ${message}`,
      hint,
    },
  };
}

export function isTold(outcome: object): outcome is Told {
  return "fault" in outcome;
}
