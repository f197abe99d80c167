// A compiled schema: the checks of its keywords, in the order in which they report. What several keywords share, and what
// `explain` asks for, is a field of its own.
import type { Node } from "../core/index.ts";
import type { Findings } from "./findings.ts";
import type { Instance } from "./instance.ts";
import type { Pattern } from "./patterns.ts";
import type { Source } from "./source.ts";
import type { Verdict } from "./verdict.ts";

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

/** What one keyword of a schema asks of a value. */
export interface Check {
  readonly keyword: string;
  /** The kinds of values that it is about. */
  readonly kinds: number;
  readonly judge: (schema: Schema, instance: Instance, judging: Judging) => Verdict;
  /** What is wrong with a value that it refuses; absent if it reports that itself. */
  readonly says?: (instance: Instance) => string;
}

export interface PatternProperty {
  readonly pattern: Pattern;
  readonly schema: Schema;
}

export class Schema {
  readonly resource: Resource;
  /** Its entry in a mapping, or its element of a list. */
  readonly node: Node;
  /** Keys and indices from the top of its document. */
  readonly path: readonly string[];
  /** Set for a schema that is just `true` or `false`. */
  always: boolean | undefined;
  checks: readonly Check[] = [];
  /** The target of `$ref`, once all documents are read. An unresolved reference has none. */
  referred: Schema | undefined;
  /** True if a reference leads to it. */
  isReferredTo = false;
  typeNames: readonly string[] = [];
  title: string | undefined;
  description: string | undefined;
  required: readonly string[] = [];
  properties: ReadonlyMap<string, Schema> | undefined;
  patternProperties: readonly PatternProperty[] | undefined;
  additionalProperties: Schema | undefined;
  prefixItems: readonly Schema[] = [];
  minContains: number | undefined;
  maxContains: number | undefined;
  allOf: readonly Schema[] = [];
  // Not named `then`: JavaScript takes an object with a `then` for a promise.
  thenSchema: Schema | undefined;
  elseSchema: Schema | undefined;

  constructor(resource: Resource, node: Node, path: readonly string[]) {
    this.resource = resource;
    this.node = node;
    this.path = path;
  }
}

/** What checks need in order to judge by nested schemas, and to report. */
export interface Judging {
  /** Receive what is wrong. Absent where only the verdict matters. */
  readonly findings: Findings | undefined;
  /** The same work without findings. */
  readonly quiet: Judging;
  /** The same work with findings of its own, about schemas that apply depending on a whole value. */
  dependingOn(instance: Instance): Judging;
  judge(schema: Schema, instance: Instance): Verdict;
  /** Whether all parts hold. Without findings, the first that does not ends it. */
  all<T>(parts: readonly T[], test: (part: T, index: number) => Verdict): Verdict;
  /** Counts work other than judging by a nested schema. */
  step(schema: Schema, count?: number): void;
  /** Remembers a keyword that is not judged. */
  leave(schema: Schema, keyword: string): void;
}
