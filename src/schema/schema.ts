// A compiled schema, and judging a value by it: valid, invalid, or undecided while lower layers are unknown.
import type { Node } from "../yaml/index.ts";
import type { Findings } from "./findings.ts";
import type { JudgedValue } from "./instance.ts";
import type { Pattern } from "./patterns.ts";
import type { SchemaText } from "./source.ts";
import { both, Verdict } from "./verdict.ts";

export type SchemaDraft = 4 | 6 | 7 | 2019 | 2020;

/** A document with schemas, or a part of one with its own `$id`. */
export interface Resource {
  readonly uri: string;
  readonly draft: SchemaDraft;
  readonly source: SchemaText;
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
  readonly judge: (schema: Schema, instance: JudgedValue, judging: Judge) => Verdict;
  /** What is wrong with a value that it refuses; absent if it reports that itself. */
  readonly says?: (instance: JudgedValue) => string;
}

export interface PatternProperty {
  readonly pattern: Pattern;
  readonly schema: Schema;
}

/** The checks of its keywords. What several keywords share, and what `explain` asks for, is a field of its own. */
export class Schema {
  readonly resource: Resource;
  /** Its entry in a mapping, or its element of a list. */
  readonly node: Node;
  /** Keys and indices from the top of its document. */
  readonly path: readonly string[];
  /** Set for a schema that is just `true` or `false`. */
  always: boolean | undefined;
  /** In the order in which they report. */
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

/** Thrown if judging takes more steps or depth than any real schema needs. */
export class GivenUp extends Error {
  readonly schema: Schema;

  constructor(schema: Schema, why: string) {
    super(why);
    this.schema = schema;
  }
}

/** For one target. */
const mostSteps = 1_000_000;
/** Nested schemas. Values have at most 200 levels. */
const mostDepth = 600;
/** Keys, elements, or 16 characters that are looked at in the time of one step. */
const perStep = 16;

/** What is common to all judging for one target. */
interface Work {
  steps: number;
  /** The schemas that are being applied, each within the one before, and to which values. */
  readonly inProgress: { readonly schema: Schema; readonly instance: JudgedValue }[];
  /** What was met first of that which is not judged. */
  unjudged?: { readonly schema: Schema; readonly keyword: string };
}

/** Always ends: steps and depth are bounded. */
export class Judge {
  /** Receive what is wrong. Absent where only the verdict matters: then judging stops at the first fault. */
  readonly findings: Findings | undefined;
  private readonly work: Work;

  constructor(findings?: Findings, work: Work = { steps: 0, inProgress: [] }) {
    this.findings = findings;
    this.work = work;
  }

  judge(schema: Schema, instance: JudgedValue): Verdict {
    this.enter(schema, instance);
    const { kind } = instance;
    const verdict = this.all(schema.checks, (check) => {
      // A value of an unknown kind is of several.
      if ((check.kinds & kind) === kind) return this.checked(check, schema, instance);
      return (check.kinds & kind) === 0 ? Verdict.valid : Verdict.undecided;
    });
    this.work.inProgress.pop();
    return verdict;
  }

  private enter(schema: Schema, instance: JudgedValue): void {
    const { inProgress } = this.work;
    this.step(schema, 1 + Math.floor(instance.size / perStep));
    if (inProgress.length === mostDepth)
      throw new GivenUp(schema, `its schemas are nested more than ${mostDepth} deep`);
    // If references lead back to the same schema, the value must be another one.
    if (
      schema.isReferredTo &&
      inProgress.some((each) => each.schema === schema && each.instance === instance)
    )
      throw new GivenUp(schema, "it refers to itself without looking into the value");
    inProgress.push({ schema, instance });
  }

  private checked({ keyword, judge, says }: Check, schema: Schema, instance: JudgedValue): Verdict {
    const verdict = judge(schema, instance, this);
    if (verdict === Verdict.invalid && says !== undefined)
      this.findings?.add({ instance, schema, keyword, says: says(instance) });
    return verdict;
  }

  /** Whether all parts hold. Without findings, the first that does not ends it. */
  all<T>(parts: readonly T[], test: (part: T, index: number) => Verdict): Verdict {
    let verdict: Verdict = Verdict.valid;
    for (let index = 0; index < parts.length; index++) {
      verdict = both(verdict, test(parts[index] as T, index));
      if (verdict === Verdict.invalid && this.findings === undefined) return verdict;
    }
    return verdict;
  }

  /** The same work without findings. */
  get quiet(): Judge {
    return this.findings === undefined ? this : new Judge(undefined, this.work);
  }

  /** The same work with findings of its own, about schemas that apply depending on a whole value. */
  dependingOn(instance: JudgedValue): Judge {
    return this.findings === undefined ? this : new Judge(this.findings.dependingOn(instance), this.work);
  }

  /** Counts work other than judging by a nested schema. */
  step(schema: Schema, count = 1): void {
    this.work.steps += count;
    if (this.work.steps > mostSteps) throw new GivenUp(schema, `it takes more than ${mostSteps} steps`);
  }

  /** Remembers a keyword that is not judged. */
  leave(schema: Schema, keyword: string): void {
    this.work.unjudged ??= { schema, keyword };
  }

  get unjudged(): Work["unjudged"] {
    return this.work.unjudged;
  }
}
