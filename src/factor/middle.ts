// Layers between the base and the files: each is shared by some of the files. Groups of files nest or have nothing in common,
// so every file has one chain of layers.
import type { Rules } from "../merge/index.ts";
import { cutPinned } from "./cut.ts";
import { type CutOptions, savedBy } from "./cut-form.ts";
import { namesIn } from "./cut-list.ts";
import type { Part } from "./part.ts";

export interface Middle {
  readonly part: Part;
  /** Indexes of the files that share it. */
  readonly files: readonly number[];
}

/** A layer that saves fewer lines is one more file to read, for little. */
const leastSaved = 10;

interface Taking {
  /** What is left of the files. */
  readonly own: (Part | undefined)[];
  readonly rules: Rules | undefined;
  readonly options: CutOptions;
  readonly found: Middle[];
}

/** Takes layers out of what is left of the files, lowest first. Changes `own`. */
export function takeMiddles(taking: Omit<Taking, "found">): readonly Middle[] {
  const found: Middle[] = [];
  const { own } = taking;
  const files = own.flatMap((part, file) => (part === undefined ? [] : file));
  takeFrom(files, own.length, { ...taking, found });
  return found;
}

/** @param below how many files the layer below is for: a layer for all of them would be that one */
function takeFrom(files: readonly number[], below: number, taking: Taking): void {
  const shared = new Map<bigint, number>();
  countShared(
    files.map((file) => ({ bit: bitOf(file), part: taking.own[file] as Part })),
    taking.rules,
    taking,
    shared,
  );
  let free = files.reduce((bits, file) => bits | bitOf(file), 0n);
  const refused = new Set<bigint>();
  for (;;) {
    const group = bestGroup(shared, free, below, refused);
    if (group === 0n) return;
    const members = files.filter((file) => (group & bitOf(file)) !== 0n);
    if (take(members, taking)) {
      free &= ~group;
      takeFrom(
        members.filter((file) => taking.own[file] !== undefined),
        members.length,
        taking,
      );
    } else refused.add(group);
  }
}

function take(files: readonly number[], { own, rules, options, found }: Taking): boolean {
  const parts = files.map((file) => own[file] as Part);
  const made = cutPinned(parts, rules, options);
  if (made.base === undefined || savedBy(made, parts) < leastSaved) return false;
  found.push({ part: made.base, files });
  for (const [index, file] of files.entries()) own[file] = made.rest[index];
  return true;
}

/** Of many sets of files that share something, only those that share most are compared. */
const mostSets = 300;
const mostPaired = 50;

/** The files for which one layer saves most, as a set of bits; 0 if no layer is worth it. */
function bestGroup(
  shared: ReadonlyMap<bigint, number>,
  free: bigint,
  below: number,
  refused: ReadonlySet<bigint>,
): bigint {
  const lines = new Map<bigint, number>();
  for (const [files, count] of shared) if (sizeOf(files & free) > 1) add(lines, files & free, count);
  const sets = [...lines].toSorted(([a, x], [b, y]) => y * sizeOf(b) - x * sizeOf(a)).slice(0, mostSets);
  const candidates = new Set(sets.map(([files]) => files));
  const paired = sets.slice(0, mostPaired);
  for (const [one] of paired) for (const [other] of paired) candidates.add(one & other);
  let [best, most] = [0n, leastSaved - 1];
  for (const group of candidates) {
    const size = sizeOf(group);
    if (size < 2 || size >= below || refused.has(group)) continue;
    let saved = 0;
    for (const [files, count] of sets) if ((files & group) === group) saved += count * (size - 1);
    if (saved > most) [best, most] = [group, saved];
  }
  return best;
}

/** A part, and the file that has it. */
interface Held {
  readonly bit: bigint;
  readonly part: Part;
}

/** Counts, by the files that share it, how many lines each value takes. */
function countShared(
  held: readonly Held[],
  rules: Rules | undefined,
  { options }: Pick<Taking, "options">,
  shared: Map<bigint, number>,
): void {
  const keys = options.reorder && typeof rules?.list === "object" ? rules.list : undefined;
  const isEqual = held.every(({ part }) => part.id === held[0]?.part.id);
  const inner = new Map<string, Held[]>();
  const whole = new Map<number, Held[]>();
  for (const each of held) {
    const parts = isEqual ? undefined : partsOf(each.part, keys);
    if (parts === undefined) push(whole, each.part.id, each);
    else for (const [name, part] of parts) push(inner, name, { bit: each.bit, part });
  }
  for (const all of whole.values()) add(shared, bitsOf(all), all[0]?.part.lines ?? 0);
  for (const all of inner.values()) {
    const next = isElement(all) ? rules?.inElements : all[0] && rules?.at(all[0].part.node);
    if (all.length > 1) countShared(all, next, { options }, shared);
  }
}

/** Members by key, or elements by identity; undefined for what is shared as a whole. */
function partsOf(part: Part, keys: readonly string[] | undefined): ReadonlyMap<string, Part> | undefined {
  if (part.members !== undefined) return part.members;
  return part.items === undefined || keys === undefined ? undefined : namesIn(part, keys);
}

function isElement([first]: readonly Held[]): boolean {
  return first !== undefined && first.part.node.keyStart < 0;
}

function bitsOf(held: readonly Held[]): bigint {
  return held.reduce((bits, { bit }) => bits | bit, 0n);
}

function push<K>(map: Map<K, Held[]>, key: K, held: Held): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [held]);
  else known.push(held);
}

function add(lines: Map<bigint, number>, files: bigint, count: number): void {
  lines.set(files, (lines.get(files) ?? 0) + count);
}

function bitOf(file: number): bigint {
  return 1n << BigInt(file);
}

function sizeOf(files: bigint): number {
  let size = 0;
  for (let rest = files; rest > 0n; rest &= rest - 1n) size++;
  return size;
}
