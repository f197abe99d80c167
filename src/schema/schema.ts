// A compiled schema: what its keywords say, in the form that judging asks for.
import type { Node } from "../core/index.ts";
import type { Literals } from "./equality.ts";
import type { Pattern } from "./patterns.ts";

export type Draft = 4 | 6 | 7 | 2019 | 2020;

/** A document that schemas stand in, or a part of one with an `$id` of its own. */
export interface Resource {
  readonly uri: string;
  readonly draft: Draft;
  readonly source: Source;
  /** Its root, once that is compiled. */
  root: Schema | undefined;
  readonly anchors: Map<string, Schema>;
  /** Names that `$dynamicRef` looks for in all resources that it came by. */
  readonly dynamicAnchors: Map<string, Schema>;
  /** True for one of a draft that nobody knows here: nothing in it is read. */
  isForeign: boolean;
}

/** Where the text of a schema comes from. */
export interface Source {
  /** As messages name it. */
  readonly name: string;
  /** Where something in it stands; absent where only the path of keys tells. */
  readonly locate?: (offset: number) => SourcePlace;
}

interface SourcePlace {
  readonly line: number;
  readonly column: number;
  /** Where that stands in the input, in bytes. */
  readonly offset?: number;
}

/** What `dependencies` and its successors ask for where a key is there. */
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

/** A schema that a reference means. The target is known once all documents are read; a lost one has none. */
export interface Reference {
  readonly keyword: "$ref" | "$recursiveRef" | "$dynamicRef";
  readonly text: string;
  target?: Schema;
}

export class Schema {
  readonly resource: Resource;
  /** Its entry, or the element of a list. */
  readonly node: Node;
  /** Keys and indices from the top of its document. */
  readonly path: readonly string[];
  /** Of a schema that is `true` or `false`. */
  always: boolean | undefined;
  references: readonly Reference[] = [];
  /** True if some reference means it. */
  isReferredTo = false;
  /** True for a root that `$recursiveRef` looks for. */
  isRecursiveAnchor = false;
  /** A set of `Kind`s; all of them where `type` is not there. */
  types = 127;
  /** What `type` says, for people. */
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
  unevaluatedProperties: Schema | undefined;
  prefixItems: readonly Schema[] | undefined;
  /** Of the items behind the prefix. */
  items: Schema | undefined;
  /** What the keyword of `items` is called. */
  itemsKeyword = "items";
  contains: Schema | undefined;
  minContains: number | undefined;
  maxContains: number | undefined;
  unevaluatedItems: Schema | undefined;
  minItems: number | undefined;
  maxItems: number | undefined;
  uniqueItems = false;
  allOf: readonly Schema[] | undefined;
  anyOf: readonly Schema[] | undefined;
  oneOf: readonly Schema[] | undefined;
  not: Schema | undefined;
  if: Schema | undefined;
  // Named by what the keywords mean: an object with a `then` is taken for a promise.
  whereSo: Schema | undefined;
  whereNot: Schema | undefined;
  title: string | undefined;
  description: string | undefined;

  constructor(resource: Resource, node: Node, path: readonly string[]) {
    this.resource = resource;
    this.node = node;
    this.path = path;
  }

  /** True if it asks what other keywords have looked at. */
  get asksWhatIsSeen(): boolean {
    return this.unevaluatedProperties !== undefined || this.unevaluatedItems !== undefined;
  }
}
