// A schema's document → compiled schemas. Reports every fault of a schema with its place, even if judging never uses
// that part.
import { entryNodes, entryUnder, keyText, type Node, valueOf } from "../core/index.ts";
import { Literals } from "./equality.ts";
import { isInteger } from "./decimal.ts";
import { type Instance, literalOf, truthOf } from "./instance.ts";
import { Kind, numeric } from "./kinds.ts";
import { keywordOf, type SchemaReading } from "./keywords.ts";
import { compilePattern, type Pattern } from "./patterns.ts";
import { enterResource, nameAnchors, Registry } from "./registry.ts";
import { type PatternProperty, type Reference, type Resource, Schema, type Source } from "./schema.ts";

/** What is wrong with a schema, and where. */
export interface SchemaFault {
  readonly code: "invalid-schema" | "schema-reference" | "schema";
  readonly resource: Resource;
  readonly node: Node;
  readonly path: readonly string[];
  readonly message: string;
  /** True for an unresolved reference into its own document. */
  readonly isWithin?: boolean;
  /** The schemas that an ambiguous reference may mean. */
  readonly among?: readonly Schema[];
}

/** Keys from the top of the document to a schema. Deeper schemas are rejected. */
const mostKeys = 400;

/** Reads whole documents, and then the schemas elsewhere in them that references lead to. */
class SchemaReader implements SchemaReading {
  readonly faults: SchemaFault[] = [];
  private readonly registry: Registry;
  private readonly patterns = new Map<string, Pattern | undefined>();
  /** The schema that is being read. */
  private current: Schema | undefined;

  constructor(registry: Registry) {
    this.registry = registry;
  }

  /** The schema at an entry, compiled once. */
  at(resource: Resource, entry: Node, path: readonly string[]): Schema {
    const node = valueOf(entry);
    const known = this.registry.schemaAt(node);
    if (known !== undefined) return known;
    const own = enterResource(resource, node, this.registry, (message) =>
      this.record({ resource, node: entry, path, message }),
    );
    const schema = new Schema(own, entry, path);
    this.registry.add(node, schema);
    own.root ??= schema;
    // In an unknown draft the meaning of keywords is unknown, too.
    if (!own.hasUnknownDraft) this.read(schema, node);
    return schema;
  }

  private read(schema: Schema, node: Node): void {
    const { kind } = literalOf(node);
    const { draft } = schema.resource;
    const truth = truthOf(node);
    const before = this.current;
    this.current = schema;
    if (truth !== undefined) schema.always = truth;
    else if (kind !== Kind.object || schema.path.length > mostKeys)
      this.fault(schema.node, "expected a schema: a mapping, or true or false");
    else {
      nameAnchors(schema, node, (message) => this.fault(schema.node, message));
      const entries = entryNodes(node).map((entry) => ({ name: keyText(entry), entry }));
      // Until draft 7 a reference makes its siblings void, except definitions.
      const isAlone = draft <= 7 && entries.some(({ name }) => name === "$ref");
      for (const { name, entry } of entries)
        if (!isAlone || readWithReference.has(name)) keywordOf(name, draft)?.read(schema, entry, this);
    }
    this.current = before;
  }

  schema(of: Schema, entry: Node, ...steps: readonly string[]): Schema {
    return this.at(of.resource, entry, [...of.path, ...steps]);
  }

  schemas(of: Schema, entry: Node, keyword: string): readonly Schema[] | undefined {
    const list = literalOf(entry);
    if (list.kind !== Kind.array || list.items().length === 0)
      return this.fault(entry, `\`${keyword}\` is a list of schemas, with one at least`);
    return list.items().map(({ value }, index) => this.schema(of, value as Node, keyword, String(index)));
  }

  schemasByKey(of: Schema, entry: Node, keyword: string): ReadonlyMap<string, Schema> {
    return new Map(this.entries(entry).map(({ key, node }) => [key, this.schema(of, node, keyword, key)]));
  }

  schemasByPattern(of: Schema, entry: Node): readonly PatternProperty[] {
    return this.entries(entry).flatMap(({ key, node }) => {
      const pattern = this.compiled(key, node, "patternProperties");
      const schema = this.schema(of, node, "patternProperties", key);
      return pattern === undefined ? [] : [{ pattern, schema }];
    });
  }

  entries(entry: Node): readonly { readonly key: string; readonly node: Node }[] {
    const mapping = literalOf(entry);
    if (mapping.kind !== Kind.object)
      return this.fault(entry, `\`${keyText(entry)}\`: expected a mapping`) ?? [];
    return mapping.members().map(({ key, value }) => ({ key: String(key), node: value as Node }));
  }

  sibling(schema: Schema, keyword: string): Node | undefined {
    return entryUnder(valueOf(schema.node), keyword);
  }

  refer(schema: Schema, reference: Reference): void {
    schema.references = [...schema.references, reference];
    this.registry.defer(schema, reference);
  }

  literals(entry: Node): Literals | undefined {
    const list = literalOf(entry);
    if (list.kind !== Kind.array) return this.fault(entry, "`enum` is a list of values");
    return new Literals(list.items());
  }

  text(entry: Node): string | undefined {
    return this.ofKind(entry, (value) => value.kind === Kind.string, "text")?.text;
  }

  texts(entry: Node): readonly string[] | undefined {
    const isTexts = (value: Instance): boolean =>
      value.kind === Kind.array && value.items().every(({ kind }) => kind === Kind.string);
    return this.ofKind(entry, isTexts, "a list of texts")
      ?.items()
      .map(({ text }) => text);
  }

  flag(entry: Node): boolean | undefined {
    return this.ofKind(entry, ({ kind }) => kind === Kind.boolean, "true or false")?.isTrue;
  }

  number(entry: Node): string | undefined {
    return this.ofKind(entry, ({ kind }) => (kind & numeric) !== 0, "a number")?.number;
  }

  positive(entry: Node): string | undefined {
    const isAbove = (value: Instance): boolean => (value.kind & numeric) !== 0 && Number(value.number) > 0;
    return this.ofKind(entry, isAbove, "a number above 0")?.number;
  }

  count(entry: Node): number | undefined {
    const isCount = ({ kind, number }: Instance): boolean =>
      (kind & numeric) !== 0 && isInteger(number) && Number(number) >= 0;
    const found = this.ofKind(entry, isCount, "a whole number from 0 on");
    return found === undefined ? undefined : Number(found.number);
  }

  pattern(entry: Node): Pattern | undefined {
    const text = this.text(entry);
    return text === undefined ? undefined : this.compiled(text, entry, keyText(entry));
  }

  private compiled(text: string, entry: Node, keyword: string): Pattern | undefined {
    if (!this.patterns.has(text)) this.patterns.set(text, compilePattern(text));
    const wrong = `\`${keyword}\`: not a regular expression as Go and Helm read them (RE2)`;
    return this.patterns.get(text) ?? this.fault(entry, wrong);
  }

  private ofKind(entry: Node, fits: (value: Instance) => boolean, expected: string): Instance | undefined {
    const value = literalOf(entry);
    return fits(value) ? value : this.fault(entry, `\`${keyText(entry)}\`: expected ${expected}`);
  }

  fault(node: Node, message: string): undefined {
    const { current } = this;
    if (current !== undefined) this.record({ resource: current.resource, node, path: current.path, message });
  }

  private record(fault: Omit<SchemaFault, "code">): void {
    this.faults.push({ code: "invalid-schema", ...fault });
  }
}

/** The keywords that old drafts read next to a reference. */
const readWithReference = new Set(["$ref", "definitions", "$defs"]);

/** All schemas of a run, compiled together: one may refer to another by its `$id`. Each document is compiled once. */
export class SchemaSet {
  private readonly registry = new Registry();
  private readonly reader = new SchemaReader(this.registry);

  /** Reads the schema at the top of a document. */
  add(source: Source, root: Node): Schema {
    return this.reader.at(this.registry.document(source), root, []);
  }

  /** Call once all documents are added. @returns the faults of all schemas */
  finish(): readonly SchemaFault[] {
    const unresolved = this.registry.resolve(this.reader).map(({ schema, reference, among }): SchemaFault => {
      const { resource, node, path } = schema;
      const { text } = reference;
      const why =
        among === undefined
          ? "leads to nothing in the schemas that are given"
          : "may mean several of the schemas that are given: they have one `$id`, and differ";
      return {
        code: "schema-reference",
        resource,
        node: entryUnder(valueOf(node), "$ref") ?? node,
        path: [...path, "$ref"],
        message: `\`$ref\` ${why}`,
        ...(among === undefined ? {} : { among }),
        isWithin: text.startsWith("#"),
      };
    });
    return [...this.reader.faults, ...unresolved];
  }
}
