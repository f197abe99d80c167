// The value of a keyword in a schema, read in the form that the keyword expects. Anything else is reported.
import type { Node } from "../yaml/index.ts";
import { Literals } from "./equality.ts";
import { type JudgedValue, literalOf } from "./instance.ts";
import { Kind, numeric } from "./kinds.ts";
import { compilePattern, type Pattern } from "./patterns.ts";
import type { Check, SchemaDraft, Resource, Schema } from "./schema.ts";
import { decided } from "./verdict.ts";

/** What a keyword checks; undefined for one that only sets fields of its schema. */
export type Judged = Pick<Check, "judge" | "says"> | undefined;

/** A keyword of JSON Schema. */
export interface Keyword {
  /** The first and the last draft that have it. */
  readonly from?: SchemaDraft;
  readonly to?: SchemaDraft;
  /** The kinds of values that it is about: all of them if absent. */
  readonly kinds?: number;
  readonly read: (given: Argument) => Judged;
}

/** A check of a value alone. @param fits undefined while the value is not fully known */
export function tested(fits: (instance: JudgedValue) => boolean | undefined, says: string): Judged {
  return { judge: (_schema, instance) => decided(fits(instance)), says: () => says };
}

/** A keyword that limits a count: "expected at most 3 keys". */
export function counted(
  phrase: string,
  unit: string,
  fits: (limit: number, instance: JudgedValue) => boolean | undefined,
): Keyword["read"] {
  return (given) => {
    const limit = given.count();
    if (limit === undefined) return undefined;
    return tested((instance) => fits(limit, instance), `expected ${phrase} ${limit} ${unit}`);
  };
}

/** What arguments need of the reader of a document. */
export interface ArgumentReading {
  at(resource: Resource, entry: Node, path: readonly string[]): Schema;
  refer(schema: Schema, text: string): void;
  fault(schema: Schema, node: Node, message: string): void;
}

export class Argument {
  /** The schema with the keyword. */
  readonly schema: Schema;
  readonly node: Node;
  private readonly path: readonly string[];
  private readonly reading: ArgumentReading;

  constructor(schema: Schema, node: Node, path: readonly string[], reading: ArgumentReading) {
    this.schema = schema;
    this.node = node;
    this.path = path;
    this.reading = reading;
  }

  get draft(): SchemaDraft {
    return this.schema.resource.draft;
  }

  get isList(): boolean {
    return this.node.value.isSequence;
  }

  fault(message: string): undefined {
    this.reading.fault(this.schema, this.node, message);
  }

  /** Another keyword of the schema. */
  sibling(keyword: string): Argument | undefined {
    const node = this.schema.node.value.entry(keyword);
    return node && new Argument(this.schema, node, [...this.schema.path, keyword], this.reading);
  }

  private part({ key, head }: JudgedValue): [string, Argument] {
    const name = String(key);
    return [name, new Argument(this.schema, head, [...this.path, name], this.reading)];
  }

  entries(): readonly [string, Argument][] {
    const mapping = this.ofKind(({ kind }) => kind === Kind.object, "a mapping");
    return (mapping?.members() ?? []).map((each) => this.part(each));
  }

  subschema(): Schema {
    return this.reading.at(this.schema.resource, this.node, this.path);
  }

  schemas(): readonly Schema[] {
    const elements = literalOf(this.node).items();
    if (elements.length === 0) this.fault(`\`${this.node.keyText}\` is a list of schemas, with one at least`);
    return elements.map((each) => this.part(each)[1].subschema());
  }

  refer(): void {
    const text = this.text();
    if (text !== undefined) this.reading.refer(this.schema, text);
  }

  literals(): Literals | undefined {
    return this.isList
      ? new Literals(literalOf(this.node).items())
      : this.fault("`enum` is a list of values");
  }

  text(): string | undefined {
    return this.ofKind(({ kind }) => kind === Kind.string, "text")?.text;
  }

  texts(): readonly string[] | undefined {
    const isTexts = (value: JudgedValue): boolean =>
      value.kind === Kind.array && value.items().every(({ kind }) => kind === Kind.string);
    return this.ofKind(isTexts, "a list of texts")
      ?.items()
      .map(({ text }) => text);
  }

  flag(): boolean | undefined {
    return this.ofKind(({ kind }) => kind === Kind.boolean, "true or false")?.isTrue;
  }

  number(): number | undefined {
    return this.ofKind(({ kind }) => (kind & numeric) !== 0, "a number")?.number;
  }

  positive(): number | undefined {
    const isAbove = (value: JudgedValue): boolean => (value.kind & numeric) !== 0 && value.number > 0;
    return this.ofKind(isAbove, "a number above 0")?.number;
  }

  count(): number | undefined {
    const isCount = ({ kind, number }: JudgedValue): boolean =>
      (kind & numeric) !== 0 && Number.isInteger(number) && number >= 0;
    return this.ofKind(isCount, "a whole number from 0 on")?.number;
  }

  pattern(): Pattern | undefined {
    const text = this.text();
    return text === undefined ? undefined : this.compiled(text, this.node.keyText);
  }

  compiled(text: string, keyword: string): Pattern | undefined {
    const wrong = `\`${keyword}\`: not a regular expression as Go and Helm read them (RE2)`;
    return compilePattern(text) ?? this.fault(wrong);
  }

  private ofKind(fits: (value: JudgedValue) => boolean, expected: string): JudgedValue | undefined {
    const value = literalOf(this.node);
    return fits(value) ? value : this.fault(`\`${this.node.keyText}\`: expected ${expected}`);
  }
}
