// What `diff` compares: two files or directories, or entries in two git revisions. Only what may differ is read.
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { hasOtherHelm } from "./argo/argo-helm.ts";
import { existsSync, isDirectory, isThere, isThereAsDirectory, realPathOf } from "./disk.ts";
import { changedParts, type CheckoutEntry, type EntryPart, type Input, type WantedParts } from "./entry.ts";
import { isManifest, filesIn } from "./names.ts";
import { entriesAndRest } from "./named.ts";
import { expanded, isPattern } from "./patterns.ts";
import { repositoryOf } from "./repository.ts";
import { atRevision, type ChangedFiles, changedFiles, inRevision } from "./revision.ts";
import { UsageError } from "./usage-error.ts";
import type { Workspace } from "./workspace.ts";

/** An entry before and after; undefined on a side that does not have it. */
export interface Sides {
  /** Its name, if there are several. */
  readonly build?: string;
  readonly before: Input | undefined;
  readonly after: Input | undefined;
  /** What the names of all files start with, where the sides are two directories. */
  readonly starts?: readonly [string, string];
}

export async function readSides(
  [before, after, ...files]: readonly string[],
  here: Workspace,
): Promise<Sides[]> {
  if (before === undefined)
    throw new UsageError(
      "expected what to compare",
      "two files, two directories, or git revisions: valuefold diff main HEAD overlays/*",
    );
  const isPresent = (name: string): boolean => name === "-" || isThere(resolve(here.from, name));
  const exists = (word: string): boolean => filesIn(word, here.from).every(isPresent);
  if (exists(before)) {
    if (after === undefined || files.length > 0)
      throw new UsageError(
        "expected two files or directories",
        "or two git revisions, and the directories to compare",
      );
    const starts = [before, after].map((word) => startOf(word, here.from));
    const sides = await readBoth(ofWord(before, here), ofWord(after, here), () => true);
    return sides.map((each) => ({ ...each, starts: [starts[0] ?? "", starts[1] ?? ""] }));
  }
  refuseMissing(filesIn(before, here.from), isPresent);
  const isRevision = after === undefined || !(isPattern(after) || exists(after));
  const [revision, words] = isRevision ? [after, files] : [undefined, [after, ...files]];
  return atRevision(before, here, async (old) => {
    const compared = async (now: Workspace): Promise<Sides[]> => {
      const named = words.length === 0 ? ["."] : words;
      const [one, other] = [sideOf(named, old, before), sideOf(named, now, revision)];
      refuseLost(words, one, other);
      // What programs read is not known.
      const changed = here.enableExec ? undefined : await changedFiles([before, revision], here);
      const isOtherHelm = here.helm === undefined && hasOtherHelm(changed?.files ?? [], [one, other]);
      return readBoth(one, other, (entry, top) => isOtherHelm || readsChanged(entry, top, changed));
    };
    // A signal ends all of it.
    const own = { ...here, tidily: old.tidily };
    return revision === undefined ? compared(own) : atRevision(revision, own, compared);
  });
}

/** What the names of files in a directory start with, as places show them. */
function startOf(word: string, from: string): string {
  const shown = isThereAsDirectory(resolve(from, word)) ? relative(from, resolve(from, word)) : "";
  return shown === "" ? "" : `${shown}/`;
}

/** A word that ends like a manifest is no revision. */
function refuseMissing(names: readonly string[], isPresent: (name: string) => boolean): void {
  const missing = names.find((name) => isManifest(name) && !isPresent(name));
  const [, revision, path] = /^([^:\s]+):(\S.*)$/.exec(missing ?? "") ?? [];
  if (missing !== undefined)
    throw new UsageError(
      `\`${missing}\` does not exist`,
      revision === undefined
        ? "name two files, two directories, or two git revisions"
        : `a revision is a word of its own: valuefold diff ${revision} '${path}'`,
    );
}

function refuseLost(words: readonly string[], old: RevisionSide, now: RevisionSide): void {
  const lost = words.find((word) => !old.words.has(word) && !now.words.has(word));
  if (lost === undefined) return;
  throw new UsageError(
    `\`${lost}\` is on neither side`,
    "name directories or files of the repository by their paths from here",
  );
}

interface RevisionSide {
  /** The words that name something here. */
  readonly words: ReadonlySet<string>;
  readonly entries: readonly CheckoutEntry[];
  /** The top of the repository, as a real path. */
  readonly top: string;
  /** What entries have in common: the same ones are matched by the rest. */
  readonly prefix: string;
  readonly workspace: Workspace;
  /** Undefined for the work tree. */
  readonly revision?: string | undefined;
}

/** One of two words: what they name is compared whatever it is called. */
function ofWord(word: string, workspace: Workspace): RevisionSide {
  const entries = entriesAndRest(filesIn(word, workspace.from), workspace);
  return { words: new Set([word]), entries, top: "", prefix: word, workspace };
}

/** Words with patterns fit other names on each side. */
function sideOf(words: readonly string[], workspace: Workspace, revision: string | undefined): RevisionSide {
  const { from, top = repositoryOf(resolve(from)) ?? from } = workspace;
  const matches = new Map(words.map((word) => [word, isAbsolute(word) ? [word] : expanded(word, from)]));
  const isPresent = (name: string): boolean =>
    !isAbsolute(name) && filesIn(name, from).every((file) => isThere(join(from, file)));
  const present = [...new Set([...matches.values()].flat())].filter(isPresent);
  const isHere = (word: string): boolean => (matches.get(word) ?? []).some(isPresent);
  return {
    words: new Set(words.filter(isHere)),
    entries: entriesAndRest(present, workspace),
    top: realPathOf(top),
    prefix: "",
    workspace,
    revision,
  };
}

type IsChanged = (part: Pick<CheckoutEntry, "reads">, top: string) => boolean;

function readsChanged(
  { reads }: Pick<CheckoutEntry, "reads">,
  top: string,
  changed: ChangedFiles | undefined,
): boolean {
  return (
    changed === undefined ||
    changed.files.some((file) => reads(join(top, file)) || isOfChart(join(top, file), top))
  );
}

/** What releases name a chart is known once they are built. */
function isOfChart(file: string, top: string): boolean {
  return file.endsWith(".tgz") || isInChart(dirname(file), top);
}

/** True for a directory of a chart, or below one. */
function isInChart(directory: string, top: string): boolean {
  if (existsSync(join(directory, "Chart.yaml"))) return true;
  return directory.startsWith(`${top}/`) && isInChart(dirname(directory), top);
}

/** Entries with the same name are compared; what reads no changed file on either side is the same. */
async function readBoth(old: RevisionSide, now: RevisionSide, isChanged: IsChanged): Promise<Sides[]> {
  const pairs = matched(old, now);
  const isNamed = pairs.length > 1 || [...old.entries, ...now.entries].some(({ isFound }) => isFound);
  const sides: Sides[] = [];
  for (const { name, before, after } of pairs) {
    const isSame =
      before !== undefined &&
      after !== undefined &&
      !isChanged(before, old.top) &&
      !isChanged(after, now.top);
    const read = isSame ? undefined : await readPair(before, after, { old, now, isChanged });
    if (read !== undefined) sides.push({ ...(isNamed ? { build: name } : {}), ...read });
  }
  return sides;
}

interface EntryPair {
  readonly name: string;
  readonly before: CheckoutEntry | undefined;
  readonly after: CheckoutEntry | undefined;
}

function matched(old: RevisionSide, now: RevisionSide): readonly EntryPair[] {
  const [before, after] = [old, now].map(
    ({ entries, prefix }) => new Map(entries.map((each) => [withoutPrefix(each, prefix), each])),
  );
  const [only, second] = [old, now].map(({ entries }) => (entries.length === 1 ? entries[0] : undefined));
  // Two words name one thing each, whatever it is.
  if (old.prefix !== "" && only !== undefined && second !== undefined)
    return [{ name: second.name, before: only, after: second }];
  const names = [...new Set([...(after?.keys() ?? []), ...(before?.keys() ?? [])])];
  return names.map((name) => {
    const [one, other] = [before?.get(name), after?.get(name)];
    return { name, before: one ?? builtIn(old, other), after: other ?? builtIn(now, one) };
  });
}

/** A directory that others build on this side, and that is built by itself on the other one. */
function builtIn({ workspace }: RevisionSide, entry: CheckoutEntry | undefined): CheckoutEntry | undefined {
  if (entry?.isFound !== true || !isDirectory(join(workspace.from, entry.name))) return undefined;
  const [own, ...others] = entriesAndRest([entry.name], workspace);
  return own?.kind === entry.kind && others.length === 0 ? own : undefined;
}

function withoutPrefix({ name }: CheckoutEntry, prefix: string): string {
  return prefix !== "" && name.startsWith(prefix) ? name.slice(prefix.length).replace(/^\//, "") : name;
}

/** Undefined if no part of it may differ. */
async function readPair(
  before: CheckoutEntry | undefined,
  after: CheckoutEntry | undefined,
  {
    old,
    now,
    isChanged,
  }: { readonly old: RevisionSide; readonly now: RevisionSide; readonly isChanged: IsChanged },
): Promise<Omit<Sides, "build"> | undefined> {
  const own = await inRevision(old.revision, async () => before?.parts?.());
  const others = await inRevision(now.revision, async () => after?.parts?.());
  const isWhole = (parts: readonly EntryPart[] | undefined): boolean => (parts ?? []).length === 0;
  const read = async (wanted?: WantedParts): Promise<Omit<Sides, "build">> => ({
    before: await inRevision(old.revision, async () => before?.read(wanted)),
    after: await inRevision(now.revision, async () => after?.read(wanted)),
  });
  if (isWhole(own) || isWhole(others)) return read();
  const [first = [], second = []] = [own, others];
  const parts = changedParts(first, second, (part) =>
    isChanged(part, first.includes(part) ? old.top : now.top),
  );
  if (parts.size === 0) return undefined;
  return read({ parts });
}
