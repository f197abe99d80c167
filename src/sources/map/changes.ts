// Which entries of two sides a change may touch: only these are read. Each entry knows what it reads, and what nothing here follows.
import { dirname, join } from "node:path";
import { existsSync, isDirectory } from "../disk.ts";
import { changedParts, type CheckoutEntry, type EntryPart, type Input, type WantedParts } from "../entry.ts";
import { failedBuild } from "../explained.ts";
import { isKustomization } from "../kustomize/build.ts";
import { entriesAndRest } from "../named.ts";
import { legible } from "../../report/index.ts";
import { readAhead } from "../read-ahead.ts";
import { noObjects } from "../read-parts.ts";
import { inRevision } from "../revision.ts";
import { grouped } from "../../grouped.ts";
import { NothingBuilt, UsageError } from "../usage-error.ts";
import type { Workspace } from "../workspace.ts";

/** An entry before and after; undefined on a side that does not have it. */
export interface Sides {
  /** Its name, if there are several. */
  readonly build?: string;
  readonly before: Input | undefined;
  readonly after: Input | undefined;
  /** What the names of all files start with, where the sides are two directories. */
  readonly starts?: readonly [string, string];
}

/** What is compared. */
export interface ComparedSide {
  readonly entries: readonly CheckoutEntry[];
  /** The top of the repository, as a real path. */
  readonly top: string;
  /** What entries have in common: the same ones are matched by the rest. */
  readonly prefix: string;
  readonly workspace: Workspace;
  /** Undefined for the work tree. */
  readonly revision?: string | undefined;
}

/** Entries with the same name are compared. @param changed paths from the top; undefined where all may differ */
export async function readChanged(
  old: ComparedSide,
  now: ComparedSide,
  changed: readonly string[] | undefined,
): Promise<Sides[]> {
  const pairs = matched(old, now);
  const isNamed = pairs.length > 1 || [...old.entries, ...now.entries].some(({ isFound }) => isFound);
  const isTouched: IsTouched = ({ reads }, { top }) =>
    changed === undefined ||
    changed.some((file) => reads(join(top, file)) || isOfChart(join(top, file), top));
  const read = async ({ name, before, after }: EntryPair, index: number): Promise<Sides | undefined> => {
    now.workspace.progress?.(`building both sides of ${legible(name)} (${index + 1} of ${pairs.length})`);
    const isSame =
      before !== undefined && after !== undefined && !isTouched(before, old) && !isTouched(after, now);
    const both = isSame ? undefined : await readOrFault(name, before, after);
    return both && { ...(isNamed ? { build: name } : {}), ...both };
  };
  // Among several, one that cannot be read is not compared.
  const readOrFault = async (
    name: string,
    ...both: BothEntries
  ): Promise<Omit<Sides, "build"> | undefined> => {
    try {
      return await readPair(both, old, now, isTouched, pairs.length > 1);
    } catch (error) {
      if (pairs.length === 1 || !(error instanceof UsageError)) throw error;
      const { diagnostics } = failedBuild(
        name,
        error,
        both.some((each) => each?.isGuess === true),
      );
      const input: Input = { input: noObjects, files: [], unbuilt: diagnostics };
      return { before: input, after: input };
    }
  };
  const sides: Sides[] = [];
  for await (const each of readAhead(pairs, read)) if (each !== undefined) sides.push(each);
  return sides;
}

type IsTouched = (part: Pick<CheckoutEntry, "reads">, side: ComparedSide) => boolean;

/** What releases name a chart is known once they are built. */
function isOfChart(file: string, top: string): boolean {
  return file.endsWith(".tgz") || isInChart(dirname(file), top);
}

/** True for a directory of a chart, or below one. */
function isInChart(directory: string, top: string): boolean {
  if (existsSync(join(directory, "Chart.yaml"))) return true;
  return directory.startsWith(`${top}/`) && isInChart(dirname(directory), top);
}

type BothEntries = readonly [CheckoutEntry | undefined, CheckoutEntry | undefined];

interface EntryPair {
  readonly name: string;
  readonly before: CheckoutEntry | undefined;
  readonly after: CheckoutEntry | undefined;
}

function matched(old: ComparedSide, now: ComparedSide): readonly EntryPair[] {
  const [only, second] = [old, now].map(({ entries }) => (entries.length === 1 ? entries[0] : undefined));
  // Two words name one thing each, whatever it is.
  if (old.prefix !== "" && only !== undefined && second !== undefined)
    return [{ name: second.name, before: only, after: second }];
  const [before, after] = [old, now].map(({ entries, prefix }) =>
    grouped(entries, (each) => withoutPrefix(each, prefix)),
  );
  const names = [...new Set([...(after?.keys() ?? []), ...(before?.keys() ?? [])])];
  const pairs = names.flatMap((name) =>
    byKind(before?.get(name) ?? [], after?.get(name) ?? []).map(([one, other]) => ({
      name,
      before: one ?? builtIn(old, other),
      after: other ?? builtIn(now, one),
    })),
  );
  return pairs.filter(
    ({ name, ...own }) =>
      (own.before !== undefined || !isPartOf(name, own.after, pairs, now, after)) &&
      (own.after !== undefined || !isPartOf(name, own.before, pairs, old, before)),
  );
}

/** A directory may be a bundle of Fleet and a chart with values files. */
function byKind(old: readonly CheckoutEntry[], now: readonly CheckoutEntry[]): readonly BothEntries[] {
  const kept = old.flatMap((one): readonly (readonly [CheckoutEntry, CheckoutEntry])[] => {
    const other = now.find(({ kind }) => kind === one.kind);
    return other === undefined ? [] : [[one, other]];
  });
  const [gone, fresh] = [old, now].map((all) => all.filter((each) => !kept.flat().includes(each)));
  const rest = Array.from({ length: Math.max(gone?.length ?? 0, fresh?.length ?? 0) }, (_, index) => index);
  return [...kept, ...rest.map((index): BothEntries => [gone?.[index], fresh?.[index]])];
}

/**
 * True for Applications in a folder of a directory that is built for the other side: without a kustomization all that is below is a
 * part of it. @param listed what the side has itself
 */
function isPartOf(
  name: string,
  entry: CheckoutEntry | undefined,
  pairs: readonly EntryPair[],
  { workspace }: ComparedSide,
  listed: ReadonlyMap<string, unknown> | undefined,
): boolean {
  const above = foldersAround(name).filter((folder) => !listed?.has(folder));
  return above.some((folder, index) => {
    const pair = pairs.find((each) => each.name === folder);
    return (
      [pair?.before, pair?.after, entry].every((each) => each?.kind === "Argo CD") &&
      above.slice(0, index + 1).every((each) => !isKustomization(join(workspace.from, each)))
    );
  });
}

/** The folders that a path is in, the nearest first; not the path itself. */
function foldersAround(path: string): readonly string[] {
  const above = dirname(path);
  return above === path || path === "." ? [] : [above, ...foldersAround(above)];
}

/** A directory that others build on this side, and that is built by itself on the other one. */
function builtIn({ workspace }: ComparedSide, entry: CheckoutEntry | undefined): CheckoutEntry | undefined {
  if (entry?.isFound !== true || !isDirectory(join(workspace.from, entry.name))) return undefined;
  const [own, ...others] = entriesAndRest([entry.name], workspace);
  return own?.kind === entry.kind && others.length === 0 ? own : undefined;
}

function withoutPrefix({ name }: CheckoutEntry, prefix: string): string {
  return prefix !== "" && name.startsWith(prefix) ? name.slice(prefix.length).replace(/^\//, "") : name;
}

/** What a side has of an entry; none where there is nothing to build. */
class EntrySide {
  private nothing: NothingBuilt | undefined;
  private readonly entry: CheckoutEntry | undefined;
  private readonly side: ComparedSide;

  constructor(entry: CheckoutEntry | undefined, side: ComparedSide) {
    this.entry = entry;
    this.side = side;
  }

  async parts(): Promise<readonly EntryPart[]> {
    return (await this.ifBuilt(async () => this.entry?.parts?.())) ?? [];
  }

  read(wanted: WantedParts | undefined): Promise<Input | undefined> {
    return this.ifBuilt(async () => this.entry?.read(wanted));
  }

  /** @throws NothingBuilt where it is asked for, and the other side has nothing, either */
  async refuse(): Promise<void> {
    const { nothing } = this;
    if (nothing !== undefined) await inRevision(this.side.revision, () => Promise.reject(nothing));
  }

  private async ifBuilt<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { revision, prefix } = this.side;
    return inRevision(revision, async () => {
      try {
        return await work();
      } catch (error) {
        // One of two directories that are named has something.
        if (prefix !== "" || !(error instanceof NothingBuilt)) throw error;
        this.nothing = error;
        return undefined;
      }
    });
  }
}

/** Undefined if no part of it may differ. @param mayBeOther true where there are more entries */
async function readPair(
  [before, after]: BothEntries,
  old: ComparedSide,
  now: ComparedSide,
  isTouched: IsTouched,
  mayBeOther: boolean,
): Promise<Omit<Sides, "build"> | undefined> {
  const [one, other] = [new EntrySide(before, old), new EntrySide(after, now)];
  const [own, others] = [await one.parts(), await other.parts()];
  const read = async (wanted?: WantedParts): Promise<Omit<Sides, "build">> => {
    const found = { before: await one.read(wanted), after: await other.read(wanted) };
    // A checkout that has no build on one side is itself an entry there.
    const isOther = mayBeOther && (before === undefined || after === undefined);
    if (found.before === undefined && found.after === undefined && !isOther) {
      await one.refuse();
      await other.refuse();
    }
    return found;
  };
  if (own.length === 0 || others.length === 0) return read();
  const sideOf = (part: EntryPart): ComparedSide => (own.includes(part) ? old : now);
  const parts = changedParts(own, others, (part) => isTouched(part, sideOf(part)));
  if (parts.size === 0) return undefined;
  const sides = await read({ parts });
  return sides.before?.isWhole === sides.after?.isWhole ? sides : read();
}
