// A compiled schema: its keywords in the form that judging needs.
import type { Node } from "../core/index.ts";
import type { Literals } from "./equality.ts";
import type { Pattern } from "./patterns.ts";

export type Draft = 4 | 6 | 7 | 2019 | 2020;

/** A document with schemas, or a part of one with its own `$id`. */
export interface Resource {
  readonly uri: string;
  readonly draft: Draft;
  readonly source: Source;
  /** Set once the root is compiled. */
  root: Schema | undefined;
  readonly anchors: Map<string, Schema>;
  /** True if `$schema` names an unsupported draft: nothing in the resource is read. */
  hasUnknownDraft: boolean;
}

/** Where the text of a schema comes from. */
export interface Source {
  /** As messages name it. */
  readonly name: string;
  /** The position of a byte offset; absent for a schema in the settings, which has only a path of keys. */
  readonly locate?: (offset: number) => SourcePlace;
}

interface SourcePlace {
  readonly line: number;
  readonly column: number;
  /** The offset in the input, in bytes. */
  readonly offset?: number;
}

/** What `dependencies` and its successors require if a key is set. */
export interface Dependent {
  readonly key: string;
  readonly keyword: string;
  readonly required?: readonly string[];
  readonly schema?: Schema;
}

export interface PatternProperty {
  readonly pattern: Pattern;
  readonly schema: Schema;
}

/** The target is set once all documents are read. An unresolved reference has no target. */
export interface Reference {
  readonly text: string;
  target?: Schema;
}

export class Schema {
  readonly resource: Resource;
  /** Its entry in a mapping, or its element of a list. */
  readonly node: Node;
  /** Keys and indices from the top of its document. */
  readonly path: readonly string[];
  /** Set for a schema that is just `true` or `false`. */
  always: boolean | undefined;
  references: readonly Reference[] = [];
  /** True if a reference leads to it. */
  isReferredTo = false;
  /** A set of `Kind`s; all of them without `type`. */
  types = 127;
  /** The names under `type`, for messages. */
  typeNames: readonly string[] = [];
  enum: Literals | undefined;
  const: Literals | undefined;
  minimum: string | undefined;
  maximum: string | undefined;
  exclusiveMinimum: string | undefined;
  exclusiveMaximum: string | undefined;
  multipleOf: string | undefined;
  minLength: number | undefined;
  maxLength: number | undefined;
  pattern: Pattern | undefined;
  format: string | undefined;
  properties: ReadonlyMap<string, Schema> | undefined;
  patternProperties: readonly PatternProperty[] | undefined;
  additionalProperties: Schema | undefined;
  propertyNames: Schema | undefined;
  required: readonly string[] | undefined;
  minProperties: number | undefined;
  maxProperties: number | undefined;
  dependents: readonly Dependent[] = [];
  prefixItems: readonly Schema[] | undefined;
  /** For the items after `prefixItems`. */
  items: Schema | undefined;
  contains: Schema | undefined;
  minContains: number | undefined;
  maxContains: number | undefined;
  minItems: number | undefined;
  maxItems: number | undefined;
  uniqueItems = false;
  allOf: readonly Schema[] | undefined;
  anyOf: readonly Schema[] | undefined;
  oneOf: readonly Schema[] | undefined;
  not: Schema | undefined;
  if: Schema | undefined;
  // Not named `then`: JavaScript takes an object with a `then` for a promise.
  thenSchema: Schema | undefined;
  elseSchema: Schema | undefined;
  /** Keywords that are not judged, and the kinds of values that each may refuse. */
  unjudged: readonly { readonly keyword: string; readonly kinds: number }[] = [];
  title: string | undefined;
  description: string | undefined;

  constructor(resource: Resource, node: Node, path: readonly string[]) {
    this.resource = resource;
    this.node = node;
    this.path = path;
  }
}
