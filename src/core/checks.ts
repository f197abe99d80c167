// What settings demand of stacks: `protect`, `merge` and `schemas`. Each stack is checked while its documents are loaded.
import type { Context, SchemaCheck } from "./context.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { inlineOf } from "./front/all.ts";
import type { Collected } from "./front/front-end.ts";
import { grouped } from "../grouped.ts";
import type { JudgedDocument, JudgedTarget, Run, Stack, Target } from "../layers/index.ts";
import { aboutTarget, inlineDocument, judgedStack, judgedTarget } from "./stack/judged.ts";
import { protectionsFor } from "./stack/protection.ts";
import { protectedFaults } from "./stack/protect.ts";
import { ruleFaults } from "./stack/by-rules.ts";
import { rulesApart } from "./stack/rule-apart.ts";
import { rulesKept } from "./stack/rules.ts";
import { UnmatchedPaths } from "./stack/unmatched-paths.ts";
import type { Item } from "../krm/index.ts";

export class Checks {
  private readonly context: Context;
  private readonly schemas: SchemaCheck | undefined;
  private readonly paths: UnmatchedPaths;

  constructor(items: readonly Item[], context: Context) {
    const { settings, wings } = context;
    this.context = context;
    this.schemas = settings.schemas === undefined ? undefined : wings.checkSchemas(items, context);
    this.paths = new UnmatchedPaths(settings);
  }

  /** The paths of `merge` and `protect`: which layers may set them, and whether any layer does. */
  checkStack(stack: Stack, all: readonly Stack[]): void {
    if (this.context.settings.protect === undefined && this.paths.isDone) return;
    const { target } = stack;
    // Values that a target holds itself override its last stack.
    const inline = stack === all.at(-1) ? inlineOf(target) : undefined;
    const { documents } = judgedStack(stack, this.context);
    const own = inline === undefined ? [] : [inlineDocument(inline, target)];
    this.context.report.all(this.faultsIn([...documents, ...own], aboutTarget(target)));
  }

  /** The values of a target, from all its stacks, by its schemas. */
  checkTarget(target: Target, stacks: readonly Stack[]): void {
    if (this.schemas === undefined) return;
    const judged = judgedTarget(target, stacks, inlineOf(target), this.context);
    this.context.report.all(this.schemas.faultsOf(judged));
  }

  /** What settings find wrong in a target whose documents a source found. */
  faultsOf(judged: JudgedTarget): Diagnostic[] {
    return [
      ...judged.stacks.flatMap((stack) => [
        ...this.faultsIn(stack.documents, judged, stack.below),
        ...ruleFaults(stack),
      ]),
      ...(this.schemas?.faultsOf(judged) ?? []),
    ];
  }

  private faultsIn(
    documents: readonly JudgedDocument[],
    about: Omit<JudgedTarget, "stacks">,
    below: readonly JudgedDocument[] = [],
  ): readonly Diagnostic[] {
    this.paths.look([...below, ...documents], about.target);
    return protectedFaults(documents, about, protectionsFor(about.target, this.context.settings));
  }

  /**
   * After the last target: rules that cannot merge what they mean or that an earlier fold demands, schemas without a
   * target, and paths without a value.
   */
  finish(
    collected: ReadonlyMap<Target, Collected>,
    runs: readonly Run[],
    folding: ReadonlySet<Target>,
  ): void {
    const { report, purpose } = this.context;
    const withRules = [...collected].filter(([, { stacks }]) => stacks[0]?.rules !== undefined);
    const byTarget = grouped(withRules.length === 0 ? [] : runs, ({ stack }) => stack.target);
    for (const [target, { stacks }] of withRules)
      if (folding.has(target))
        report.all(rulesApart(stacks, byTarget.get(target) ?? [], inlineOf(target), this.context));
    report.all(rulesKept(withRules.flatMap(([, { stacks }]) => stacks[0]?.rules ?? [])));
    if (this.schemas !== undefined) report.all(this.schemas.finish());
    report.all(this.paths.found(purpose === "lint" || purpose === "lint-fold"));
  }
}
