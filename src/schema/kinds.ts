// Kinds of JSON values, and the kind that a consumer reads from a YAML scalar.
import type { Node, Resolved } from "../yaml/index.ts";

/** Kinds of JSON as bits: a schema's `type` is a set of them. A whole number is `integer` alone. */
export const Kind = {
  null: 1,
  boolean: 2,
  fraction: 4,
  integer: 8,
  string: 16,
  array: 32,
  object: 64,
  /** Not known yet. */
  any: 127,
} as const;
export const numeric = Kind.fraction | Kind.integer;

/** @param number the value of a number */
export function kindOfScalar(type: Resolved["type"], number: number): number {
  switch (type) {
    case "null":
      return Kind.null;
    case "bool":
      return Kind.boolean;
    case "int":
    case "big":
      return Kind.integer;
    case "float":
      // JSON has neither infinity nor NaN.
      if (!Number.isFinite(number)) return Kind.any;
      return Number.isInteger(number) ? Kind.integer : Kind.fraction;
    case "string":
    case "merge":
      return Kind.string;
  }
}

/** Scalars that all YAML readers read alike: the core schema of YAML 1.2, as far as 1.1 agrees. */
const agreed =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?(?:0|[1-9]\d*)|[-+]?(?:\.\d+|\d+\.\d*)(?:[eE][-+]?\d+)?|0x[\da-fA-F]+)?$/;

/** Scalars that Go reads as text, and other readers may not: `1:30`, dates, numbers beyond doubles. */
const textToGo =
  /^(?:[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?|\d{4}-\d\d?-\d\d?(?:[Tt\s].*)?|[-+]?(?:\d+(?:\.\d*)?|\.\d+)[eE]\+?\d+|=)$/;

/** Helm's reader is known. The reader of a file in a ConfigMap is not: it may or may not read `on` or 0755 as text. */
export function isAmbiguous({ doc }: Node, text: string, type: Resolved["type"]): boolean {
  if (doc.spelledKeys !== true) return false;
  if (type === "string") return textToGo.test(text);
  // Some readers read whole numbers as doubles, some do not.
  const isLong = (type === "int" || type === "big") && !Number.isSafeInteger(Number(text));
  return isLong || !agreed.test(text);
}

/** By the names of types in schemas. */
export const kindsNamed: ReadonlyMap<string, number> = new Map([
  ["null", Kind.null],
  ["boolean", Kind.boolean],
  ["number", numeric],
  ["integer", Kind.integer],
  ["string", Kind.string],
  ["array", Kind.array],
  ["object", Kind.object],
]);

const names: ReadonlyMap<number, string> = new Map([
  [numeric, "a number"],
  [Kind.null, "null"],
  [Kind.boolean, "a boolean"],
  [Kind.fraction, "a number with a fraction"],
  [Kind.integer, "an integer"],
  [Kind.string, "a string"],
  [Kind.array, "a list"],
  [Kind.object, "a mapping"],
]);

export function kindName(kind: number): string {
  return names.get(kind) ?? "something else";
}

/** Names of types, as messages say them: "a string or null". */
export function typeText(types: readonly string[]): string {
  return types.map((type) => kindName(kindsNamed.get(type) ?? 0)).join(" or ");
}
