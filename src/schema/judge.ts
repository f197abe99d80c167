// Judges a value by a schema: valid, invalid, or undecided until the layers below are known. The keywords lie in files
// by what they are about; here is what holds them together. It ends, whatever the schema is: within a number of
// steps and a depth.
import type { Findings } from "./findings.ts";
import type { Instance } from "./instance.ts";
import { Kind } from "./kinds.ts";
import { judgeChoices } from "./choices.ts";
import { judgeToo, type Judging } from "./judging.ts";
import { judgeList, judgeUnevaluatedItems } from "./lists.ts";
import { judgeMapping, judgeUnevaluated } from "./mappings.ts";
import { judgeScalar } from "./scalars.ts";
import type { Reference, Resource, Schema } from "./schema.ts";
import { both, decided, Seen, Verdict } from "./verdict.ts";
import { stepsFor } from "./cost.ts";

/** Why judging was given up: nobody's values take that long. */
export class GivenUp extends Error {
  readonly schema: Schema;
  readonly why: string;

  constructor(schema: Schema, why: string) {
    super(why);
    this.schema = schema;
    this.why = why;
  }
}

/** Schemas applied to values, and what they find, for one target. */
const mostSteps = 1_000_000;
/** Schemas within one another, in values of at most 200 levels. */
const mostDepth = 600;

export class Judge implements Judging {
  private steps = 0;
  private depth = 0;
  /** Values that schemas are being applied to, of those schemas that a reference can lead back to. */
  private readonly open = new Map<Schema, Instance[]>();
  /** The resources these stand in: `$dynamicRef` asks for the outermost. */
  private readonly scope: Resource[] = [];

  judge(schema: Schema, instance: Instance, seen: Seen | undefined, findings: Findings | undefined): Verdict {
    if (schema.always !== undefined) {
      this.step(schema);
      if (!schema.always)
        findings?.add({ instance, schema, keyword: "", says: "the schema does not allow it" });
      return decided(schema.always);
    }
    this.enter(schema, instance);
    const open = schema.isReferredTo ? this.openedFor(schema, instance) : undefined;
    const isEntered = this.scope.at(-1) !== schema.resource;
    if (isEntered) this.scope.push(schema.resource);
    const asked = { seen: seen ?? (schema.asksWhatIsSeen ? new Seen() : undefined), findings };
    const verdict = this.judgeAll(schema, instance, asked);
    if (isEntered) this.scope.pop();
    open?.pop();
    this.depth--;
    return verdict;
  }

  private judgeAll(
    schema: Schema,
    instance: Instance,
    asked: { readonly seen: Seen | undefined; readonly findings: Findings | undefined },
  ): Verdict {
    let verdict = judgeScalar(schema, instance, asked, this);
    const isEnough = (): boolean => verdict === Verdict.invalid && asked.findings === undefined;
    for (const reference of schema.references) {
      if (isEnough()) return verdict;
      const target = this.targetOf(reference);
      verdict = both(
        verdict,
        target === undefined ? Verdict.undecided : judgeToo(target, instance, asked, this),
      );
      if (target === undefined && asked.seen !== undefined) asked.seen.isUnsure = true;
    }
    if (isEnough()) return verdict;
    verdict = both(verdict, judgeChoices(schema, instance, asked, this));
    if (isEnough()) return verdict;
    const { kind } = instance;
    if (kind === Kind.any) return both(verdict, Verdict.undecided);
    if (kind === Kind.array) {
      verdict = both(verdict, judgeList(schema, instance, asked, this));
      return both(verdict, judgeUnevaluatedItems(schema, instance, asked, this));
    }
    if (kind !== Kind.object) return verdict;
    verdict = both(verdict, judgeMapping(schema, instance, asked, this));
    return both(verdict, judgeUnevaluated(schema, instance, asked, this));
  }

  step(schema: Schema, count = 1): void {
    this.steps += count;
    if (this.steps > mostSteps) throw new GivenUp(schema, `it takes more than ${mostSteps} steps`);
  }

  private enter(schema: Schema, instance: Instance): void {
    this.step(schema, 1 + stepsFor(schema, instance));
    if (++this.depth > mostDepth)
      throw new GivenUp(schema, `its schemas lie more than ${mostDepth} deep in one another`);
  }

  /** Only a reference can lead back to the same schema: then the value must be another. */
  private openedFor(schema: Schema, instance: Instance): Instance[] {
    const open = this.open.get(schema) ?? [];
    if (open.includes(instance))
      throw new GivenUp(schema, "it refers to itself without looking into the value");
    open.push(instance);
    this.open.set(schema, open);
    return open;
  }

  private targetOf({ keyword, text, target }: Reference): Schema | undefined {
    if (target === undefined || keyword === "$ref") return target;
    if (keyword === "$recursiveRef")
      return target.isRecursiveAnchor
        ? (this.scope.find(({ root }) => root?.isRecursiveAnchor === true)?.root ?? target)
        : target;
    const name = decodeURIComponent(text.split("#")[1] ?? "");
    if (target.resource.dynamicAnchors.get(name) !== target) return target;
    const outermost = this.scope.find(({ dynamicAnchors }) => dynamicAnchors.has(name));
    return outermost?.dynamicAnchors.get(name) ?? target;
  }
}
