// A compiled schema: the checks of its keywords, in the order in which they report. What several keywords share, and what
// `explain` asks for, is a field of its own.
import type { Node } from "../core/index.ts";
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

/** What is wrong with a value. Never contains the value. */
export interface Finding {
  readonly instance: Instance;
  readonly schema: Schema;
  readonly keyword: string;
  /** What is wrong, without the place. */
  readonly says: string;
  /** A key that is missing, as the schema names it. */
  readonly missing?: string;
  /** For an unknown key: the keys that the schema knows. */
  readonly known?: ReadonlyMap<string, unknown>;
  /** A value that the finding depends on as a whole: which alternative applies may change with any part of it. */
  readonly within?: Instance;
}

/** What checks need in order to judge by nested schemas, and to report. */
export interface Judging {
  /** The same work, with nothing reported. */
  readonly quiet: Judging;
  judge(schema: Schema, instance: Instance): Verdict;
  /** Whether all parts hold. Where nothing is reported, the first that does not ends it. */
  all<T>(parts: readonly T[], test: (part: T, index: number) => Verdict): Verdict;
  /** Counts work other than judging by a nested schema. */
  step(schema: Schema, count?: number): void;
  report(finding: Finding): void;
  /** Work that depends on a whole value: its findings are reported only if they are taken. */
  dependingOn(instance: Instance): Trial;
  take(trial: Trial): void;
  /** Remembers a keyword that is not judged. */
  leave(schema: Schema, keyword: string): void;
}

export interface Trial extends Judging {
  readonly isEmpty: boolean;
  /** True if the judged value has another form than the schema expects. */
  readonly isOtherForm: boolean;
}
