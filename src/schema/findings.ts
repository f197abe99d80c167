// What judging finds wrong: which value, by which keyword of which schema, in words that hold no value. Made only where
// something is invalid.
import type { Instance } from "./instance.ts";
import { Kind } from "./kinds.ts";
import type { Schema } from "./schema.ts";

export interface Finding {
  readonly instance: Instance;
  readonly schema: Schema;
  readonly keyword: string;
  /** What is wrong, without saying where. */
  readonly says: string;
  /** A key that is missing, as the schema names it. */
  readonly missing?: string;
  /** Keys that the schema knows, where one is there that it does not. */
  readonly known?: readonly string[];
  /** What the finding depends on beside its own value: alternatives are chosen by all that is in it. */
  readonly within?: Instance;
}

export class Findings {
  readonly all: Finding[] = [];
  private readonly within: Instance | undefined;

  constructor(within?: Instance) {
    this.within = within;
  }

  add(finding: Finding): void {
    const { within } = this;
    this.all.push(within === undefined || finding.within !== undefined ? finding : { ...finding, within });
  }

  /** Findings of what is judged by a choice that depends on a whole value. */
  inside(instance: Instance): Findings {
    return new Findings(this.within ?? instance);
  }

  take({ all }: Findings): void {
    for (const each of all) this.add(each);
  }
}

const names: ReadonlyMap<number, string> = new Map([
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

const expected: { readonly [type: string]: string } = {
  null: "null",
  boolean: "a boolean",
  number: "a number",
  integer: "an integer",
  string: "a string",
  array: "a list",
  object: "a mapping",
};

/** Names of types, as messages say them: "a string or null". */
export function typeText(types: readonly string[]): string {
  return types.map((type) => expected[type] ?? type).join(" or ");
}
