// What keywords ask of whoever reads a schema: parts of it in the form they expect, or a fault.
import type { Node } from "../core/index.ts";
import type { Literals } from "./equality.ts";
import type { Pattern } from "./patterns.ts";
import type { PatternProperty, Reference, Resource, Schema } from "./schema.ts";

export interface SchemaReading {
  at(resource: Resource, entry: Node, path: readonly string[]): Schema;
  schema(of: Schema, entry: Node, ...steps: readonly string[]): Schema;
  schemas(of: Schema, entry: Node, keyword: string): readonly Schema[] | undefined;
  schemasByKey(of: Schema, entry: Node, keyword: string): ReadonlyMap<string, Schema>;
  schemasByPattern(of: Schema, entry: Node): readonly PatternProperty[];
  entries(entry: Node): readonly { readonly key: string; readonly node: Node }[];
  sibling(schema: Schema, keyword: string): Node | undefined;
  refer(schema: Schema, reference: Reference): void;
  literals(entry: Node): Literals | undefined;
  text(entry: Node): string | undefined;
  texts(entry: Node): readonly string[] | undefined;
  flag(entry: Node): boolean | undefined;
  number(entry: Node): string | undefined;
  positive(entry: Node): string | undefined;
  count(entry: Node): number | undefined;
  pattern(entry: Node): Pattern | undefined;
  fault(node: Node, message: string): undefined;
}
