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
  /** By keys that the schema knows, where one is there that it does not. */
  readonly known?: ReadonlyMap<string, unknown>;
  /** What the finding depends on beside its own value: alternatives are chosen by all that is in it. */
  readonly within?: Instance;
}

/** So many are kept of one target by one schema: whoever wrote that many mends those first. */
const mostKept = 20;

/** Keywords that tell one form of value from another, rather than what is wrong within a form. */
const forms: ReadonlySet<string> = new Set(["type", "enum", "const", "not", "required"]);

interface Steps {
  step(schema: Schema): void;
}

/** Each finding is a step of judging, and few are kept: a schema may find as many as it likes. */
export class Findings {
  readonly all: Finding[] = [];
  /** How many there are beside those kept. */
  more = 0;
  /** True once the value that is judged turned out to be of another form. */
  isMisfit = false;
  private readonly steps: Steps;
  private readonly of: Instance | undefined;
  private readonly within: Instance | undefined;
  private readonly known = new Map<Instance, Set<string>>();

  constructor(steps: Steps, of?: Instance, within?: Instance) {
    this.steps = steps;
    this.of = of;
    this.within = within;
  }

  add(finding: Finding): void {
    const { instance, keyword, schema } = finding;
    this.steps.step(schema);
    this.isMisfit ||= instance === this.of && forms.has(keyword);
    if (this.isKnown(finding)) return;
    const { within } = this;
    if (this.all.length === mostKept) this.more++;
    // What a choice depends on lies within what the choices around it depend on.
    else this.all.push(within === undefined ? finding : { ...finding, within });
  }

  /** Findings of what is judged by a choice that depends on a whole value. */
  inside(instance: Instance): Findings {
    return new Findings(this.steps, instance, this.within ?? instance);
  }

  take({ all, more, of, isMisfit }: Findings): void {
    for (const each of all) this.add(each);
    this.more += more;
    this.isMisfit ||= isMisfit && of === this.of;
  }

  /** Several ways through a schema may lead to the same. */
  private isKnown({ instance, says, missing = "" }: Finding): boolean {
    const known = this.known.get(instance) ?? new Set();
    const text = `${missing}\n${says}`;
    if (known.has(text)) return true;
    this.known.set(instance, known.add(text));
    return false;
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
