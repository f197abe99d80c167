// The inverse of the merge: of several values, what all of them can override, and what each of them says on top of that.
//
//   merge(base, rest of i) is value i, for every i
//
// A layer cannot remove a key, so the base has a key only if every value has it, and in one kind:
//
//   mapping in all                      key by key
//   list in all, merged by a key        element by element (cut-list.ts)
//   anything else of one kind           the value that most have, or all have; at least two
//   a null, a plain `${…}`              only if all are alike
//   of two kinds                        stays where it is
import type { Rules } from "../merge/index.ts";
import { cutList } from "./cut-list.ts";
import { type Cut, type CutOptions, savedBy, uncut } from "./cut-form.ts";
import { hasMembers, type Part, type Parts } from "./part.ts";
import { remarksOf, wordiest } from "./remarks.ts";

/** Cuts values that are all there. A cut that saves no line is not made: each mapping that is cut repeats its key. */
function cut(parts: readonly Part[], rules: Rules | undefined, options: CutOptions): Cut {
  const found = cutFreely(parts, rules, options);
  return found.base !== undefined && savedBy(found, parts) > 0 ? found : uncut(parts);
}

/** The same, even if it saves nothing. */
function cutFreely(parts: readonly Part[], rules: Rules | undefined, options: CutOptions): Cut {
  const { base, rest } = divide(parts, rules, options);
  if (base === undefined) return { base, rest };
  return { base, rest: rest.map((left, index) => options.pins.kept(parts[index] as Part, left)) };
}

function divide(parts: readonly Part[], rules: Rules | undefined, options: CutOptions): Cut {
  const [first] = parts;
  if (first === undefined || parts.some(({ kind }) => kind !== first.kind)) return uncut(parts);
  if (parts.every(({ id }) => id === first.id) && !isDivided(parts, options)) return allOf(parts);
  if (first.kind === "mapping") return cutMapping(parts, rules, options);
  const keys = rules?.list;
  if (first.kind === "list" && rules !== undefined && typeof keys === "object")
    return cutList(parts, { keys, rules, options, cut, cutFreely, cutWhole });
  return cutWhole(parts, options);
}

/** True for equal mappings that are cut key by key: several have comments of their own, or some of one is pinned. */
function isDivided(parts: readonly Part[], { pins }: CutOptions): boolean {
  if (parts[0]?.members === undefined || parts[0].members.size === 0) return false;
  return parts.filter((part) => remarksOf(part) > 0).length > 1 || parts.some((part) => pins.holdIn(part));
}

function allOf(parts: readonly Part[]): Cut {
  return { base: wordiest(parts), rest: parts.map(() => undefined) };
}

/** Values that a layer overrides as a whole. */
function cutWhole(parts: readonly Part[], { shared }: CutOptions): Cut {
  const holders = new Map<number, Part[]>();
  for (const part of parts) holders.set(part.id, [...(holders.get(part.id) ?? []), part]);
  const [best = []] = [...holders.values()].toSorted(
    (a, b) => b.length - a.length || mostLines(b) - mostLines(a),
  );
  const mustAgree = shared === "all" || parts[0]?.kind === "null" || parts[0]?.kind === "variable";
  if (best.length < (mustAgree ? parts.length : 2)) return uncut(parts);
  const id = best[0]?.id;
  return { base: wordiest(best), rest: parts.map((part) => (part.id === id ? undefined : part)) };
}

function mostLines(parts: readonly Part[]): number {
  return parts.reduce((most, { lines }) => Math.max(most, lines), 0);
}

function cutMapping(parts: readonly Part[], rules: Rules | undefined, options: CutOptions): Cut {
  const shared = new Map<string, Part>();
  const rests = new Map<string, Cut["rest"]>();
  for (const [key, { node }] of parts[0]?.members ?? []) {
    const found = membersAt(parts, key);
    if (found === undefined) continue;
    const { base, rest } = cut(found, rules?.at(node), options);
    if (base === undefined) continue;
    shared.set(key, base);
    rests.set(key, rest);
  }
  if (shared.size === 0) return uncut(parts);
  const rest = parts.map((part, index) => restOf(part, index, rests, options.parts));
  return { base: together(parts, shared, options.parts), rest };
}

/** The members under a key, if all mappings have one. */
function membersAt(parts: readonly Part[], key: string): readonly Part[] | undefined {
  const found: Part[] = [];
  for (const { members } of parts) {
    const member = members?.get(key);
    if (member === undefined) return undefined;
    found.push(member);
  }
  return found;
}

/** A mapping of shared members: a file's own if it has no others. */
function together(parts: readonly Part[], shared: ReadonlyMap<string, Part>, made: Parts): Part {
  const own = parts.find((part) => part.isWhole && hasMembers(part, shared));
  return own ?? made.mapping(wordiest(parts), shared);
}

function restOf(
  part: Part,
  index: number,
  rests: ReadonlyMap<string, Cut["rest"]>,
  made: Parts,
): Part | undefined {
  const kept = new Map<string, Part>();
  for (const [key, member] of part.members ?? []) {
    const rest = rests.get(key);
    const left = rest === undefined ? member : rest[index];
    if (left !== undefined) kept.set(key, left);
  }
  return made.left(part, kept);
}

/** Each turn leaves more in its file, and real files need two. */
const mostTurns = 8;

/** A cut after which what the aliases of each rest refer to is in that rest. */
export function cutPinned(parts: readonly Part[], rules: Rules | undefined, options: CutOptions): Cut {
  let made = cut(parts, rules, options);
  for (let turn = 0; turn < mostTurns; turn++) {
    const isNew = made.rest.map((rest) => rest !== undefined && options.pins.keepTargets(rest));
    if (!isNew.includes(true)) break;
    made = cut(parts, rules, options);
  }
  return made;
}
