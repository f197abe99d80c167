// Two sides → what was edited, grouped by edit, and what each edit does to the values of targets. An edit is a value of
// a layer that changed, a layer more or less, or another order. A name or hash that follows from an edit is not an edit.
import type { ExplainedLayer, ExplainedStack, ExplainedTarget, Explanation } from "../../explanation.ts";
import type { Difference, Effect, LoneTarget } from "../../difference.ts";
import { grouped } from "../../grouped.ts";
import { unseenChanges } from "../hidden.ts";
import { isOfFiles, stackId, titleOf } from "../titles.ts";
import { Edits, type Moved, withoutHash } from "./edits.ts";
import { type SideValue, isSameValue, keyOf, nothing, type Side, sideOf } from "./side.ts";

/** One build before and after; a side that is not there has no targets. */
export interface BuildPair {
  /** What the build is called, where there are several. */
  readonly build?: string;
  readonly before: Explanation | undefined;
  readonly after: Explanation | undefined;
  /** What the names of all files of a side start with. */
  readonly starts?: readonly [string, string];
  /** Sides that were built without something that the other one has: a target that is not there may be in that. */
  readonly partly?: { readonly before: boolean; readonly after: boolean };
}

export function differenceOf(pairs: readonly BuildPair[]): Difference {
  const comparison = new BuildComparison();
  for (const { build, before, after, ...pair } of pairs)
    for (const [target, ...both] of matched(before, after))
      comparison.take({ target, ...(build === undefined ? {} : { build }) }, both, pair);
  const difference = comparison.difference();
  return pairs.length === 1 && pairs[0]?.build === undefined
    ? difference
    : { ...difference, builds: pairs.length };
}

class BuildComparison {
  private readonly edits = new Edits();
  private readonly lone: LoneTarget[] = [];
  private readonly unread = new Set<string>();
  private all = 0;
  private changed = 0;

  take(where: EffectTarget, [before, after]: SameTitle, pair: Pick<BuildPair, "partly" | "starts">): void {
    const most = Math.max(before.length, after.length);
    if (most === 1) return this.takeOne(where, pairedByPlace(before[0], after[0]), pair);
    const pairs = pairedByFile(before, after);
    if (pairs === undefined) this.unread.add(`${titleIn(where)} (${most} of this name)`);
    for (const both of pairs ?? []) this.takeOne(where, both, pair);
  }

  private takeOne(
    where: EffectTarget,
    [old, now]: Both<ExplainedTarget>,
    { partly, starts }: Pick<BuildPair, "partly" | "starts">,
  ): void {
    this.all++;
    if ((old === undefined && partly?.before) || (now === undefined && partly?.after))
      this.unread.add(titleIn(where));
    else if (old === undefined || now === undefined) {
      this.changed++;
      const what = old === undefined ? "added" : "removed";
      this.lone.push({ ...where, what, values: sizeOf(old ?? now) });
    } else if (stacksOf(old, now).filter((stacks) => this.differ(stacks, where, starts)).length > 0)
      this.changed++;
  }

  difference(): Difference {
    const { edits, lone, unread, all, changed } = this;
    const made = { edits: edits.all(), targets: lone, all, changed, unread: [...unread] };
    return { kind: "Difference", version: 1, ...made };
  }

  /** True if a value is another now. */
  private differ(
    [old, now]: Both<ExplainedStack>,
    where: EffectTarget,
    [first, second]: readonly [string, string] = ["", ""],
  ): boolean {
    const [before, after] = [sided(old, first), sided(now, second)];
    for (const name of new Set([...before.unread.keys(), ...after.unread.keys()])) {
      const [was, is] = [before.unread.get(name), after.unread.get(name)];
      if (was === undefined || is === undefined) this.unread.add(name);
      else if (was !== is) this.unread.add(`${name} (its text changed)`);
    }
    for (const name of unseenChanges(before.unseen, after.unseen)) this.unread.add(name);
    return compare(before, after, where, this.edits);
  }
}

type Both<T> = readonly [T | undefined, T | undefined];

/** Targets of one name on both sides: one of each, mostly. */
type SameTitle = readonly [readonly ExplainedTarget[], readonly ExplainedTarget[]];

function matched(
  before: Explanation | undefined,
  after: Explanation | undefined,
): readonly (readonly [title: string, ...SameTitle])[] {
  const [old, now] = [before, after].map((side) => grouped(side?.targets ?? [], titleOf));
  const titles = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  return [...titles].map((title) => [title, old?.get(title) ?? [], now?.get(title) ?? []]);
}

/** Several of one name, each in a file of its own; undefined where the two sides do not have the same files. */
function pairedByFile(
  [...before]: readonly ExplainedTarget[],
  after: readonly ExplainedTarget[],
): Both<ExplainedTarget>[] | undefined {
  const fileOf = ({ at }: ExplainedTarget): string => at?.file ?? "";
  const files = (all: readonly ExplainedTarget[]): ReadonlySet<string> => new Set(all.map(fileOf));
  const isApart = [before, after].every((all) => files(all).size === all.length);
  if (!isApart || before.length !== after.length) return undefined;
  const pairs = after.map((now): Both<ExplainedTarget> => [
    before.find((old) => fileOf(old) === fileOf(now)),
    now,
  ]);
  return pairs.every(([old]) => old !== undefined) ? pairs : undefined;
}

function titleIn({ build, target }: EffectTarget): string {
  return build === undefined ? target : `${build}: ${target}`;
}

/** Values files of two names are one layer where they have one place among the files that only one side has. */
function pairedByPlace(
  old: ExplainedTarget | undefined,
  now: ExplainedTarget | undefined,
): Both<ExplainedTarget> {
  if (old === undefined || now === undefined || !isOfFiles(now)) return [old, now];
  const [before, after] = [filesOf(old), filesOf(now)];
  const [gone, fresh] = [missingFrom(after, before), missingFrom(before, after)];
  if (gone.length !== fresh.length) return [old, now];
  const names = new Map(gone.map((name, index) => [name, fresh[index] ?? name]));
  const renamed = ({ name, ...layer }: ExplainedLayer): ExplainedLayer => ({
    ...layer,
    ...(name === undefined ? {} : { name: names.get(name) ?? name }),
  });
  const stacks = old.stacks.map((stack) => ({ ...stack, layers: stack.layers.map(renamed) }));
  return [{ ...old, stacks }, now];
}

function filesOf({ stacks }: ExplainedTarget): string[] {
  return stacks.flatMap(({ layers }) => layers.flatMap(({ name }) => name ?? []));
}

function missingFrom(some: readonly string[], names: readonly string[]): string[] {
  return names.filter((name) => !some.includes(name));
}

function sizeOf(target: ExplainedTarget | undefined): number {
  const stacks = target?.stacks ?? [];
  return stacks.reduce((sum, { values }) => sum + values.filter(({ mapping }) => mapping !== true).length, 0);
}

/** The same stack on both sides. */
function stacksOf(old: ExplainedTarget, now: ExplainedTarget): Both<ExplainedStack>[] {
  const [first, second] = [old, now].map(({ stacks }) => (stacks.length === 1 ? stacks[0] : undefined));
  if (first !== undefined && second !== undefined) return [[first, second]];
  const idOf = (stack: ExplainedStack): string => stackId(old.kind, stack);
  const ids = [...new Set([...old.stacks, ...now.stacks].map(idOf))];
  const find = (stacks: readonly ExplainedStack[], id: string): ExplainedStack | undefined =>
    stacks.find((stack) => idOf(stack) === id);
  return ids.map((id) => [find(old.stacks, id), find(now.stacks, id)]);
}

function sided(stack: ExplainedStack | undefined, start: string): Side {
  return stack === undefined ? nothing : sideOf(stack, start);
}

type EffectTarget = Pick<Effect, "target" | "build">;

/** True if a value is another now. */
function compare(before: Side, after: Side, where: EffectTarget, edits: Edits): boolean {
  const made = edits.between(before, after);
  const explained = new Set<string>();
  let isChanged = false;
  for (const key of new Set([...before.final.keys(), ...after.final.keys()])) {
    const [from, to] = [before.final.get(key), after.final.get(key)];
    if (isSame(from, to)) continue;
    isChanged = true;
    const path = (to ?? from)?.path ?? [];
    const edit = made.find(path, to?.by, from?.by) ?? edits.order(moved(before, after, from, to), to ?? from);
    edits.add(edit, { ...where, path, what: "changes", ...valuesOf(...edits.knownOf(edit, from, to)) });
    explained.add(edit);
  }
  for (const { edit, held } of made.values()) {
    if (explained.has(edit)) continue;
    const keeps = nearestAbove(after, held);
    // What is no other than before although the edit is seen is not hidden: it changes nothing.
    if (keeps === undefined || keeps.by === held.by) continue;
    // Another edit changes what a higher layer holds.
    const was = before.final.get(keyOf(keeps.path));
    const from = isSame(was, keeps) ? undefined : was;
    edits.add(edit, { ...where, path: held.path, what: "hidden", ...valuesOf(from, keeps) });
  }
  return isChanged;
}

/** Secrets of two layers always differ: the output must not reveal whether they are equal. */
function isSame(from: SideValue | undefined, to: SideValue | undefined): boolean {
  const isSecret = from?.isSecret === true || to?.isSecret === true;
  if ((from?.isRemoved ?? from === undefined) && (to?.isRemoved ?? to === undefined)) return true;
  return isSameValue(from, to) && (!isSecret || withoutHash(from?.by) === withoutHash(to?.by));
}

/** The layer that has another priority now, of the one that held a value and the one that does; else the latter. */
function moved(before: Side, after: Side, from: SideValue | undefined, to: SideValue | undefined): Moved {
  const names = [from?.by, to?.by].flatMap((name) => name ?? []);
  const all = names.map((layer): Moved => ({
    layer,
    from: before.layers.get(layer)?.priority,
    to: after.layers.get(layer)?.priority,
  }));
  return (
    all.find((each) => each.from !== each.to) ?? all.at(-1) ?? { layer: "", from: undefined, to: undefined }
  );
}

/** What holds at a path, or above it where a higher layer says something else altogether. */
function nearestAbove({ final }: Side, { path }: SideValue): SideValue | undefined {
  for (let length = path.length; length > 0; length--) {
    const found = final.get(keyOf(path.slice(0, length)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function valuesOf(from: SideValue | undefined, to: SideValue | undefined): Partial<Effect> {
  const isSecret = from?.isSecret === true || to?.isSecret === true;
  const { by, at } = to ?? {};
  return {
    ...(isSecret || from === undefined || from.isRemoved ? {} : { from: from.text }),
    ...(isSecret || to === undefined || (to.isRemoved && from !== undefined) ? {} : { to: to.text }),
    ...(isSecret ? { secret: true } : {}),
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at }),
  };
}
