// What `diff` compares: two files or directories, or directories and files in two git revisions. Git's index and the
// work tree stay as they are.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { type Entry, entriesIn } from "./entries.ts";
import { filesIn, type Input, isDirectory, readBuilds } from "./inputs.ts";
import { isManifest } from "./manifests.ts";
import { expanded, isPattern } from "./patterns.ts";
import { type Io, UsageError } from "./io.ts";
import { type BuildOptions, repositoryOf } from "./kustomize/build.ts";
import { type ProgramOptions, type ProgramResult, runProgram } from "./program.ts";

/** A build before and after; undefined on a side that does not have it. */
export interface Sides {
  /** Its name, if there are several. */
  readonly build?: string;
  readonly before: Input | undefined;
  readonly after: Input | undefined;
}

export async function readSides(
  [before, after, ...files]: readonly string[],
  enableExec: boolean,
  io: Io,
): Promise<Sides[]> {
  if (before === undefined)
    throw new UsageError(
      "expected what to compare",
      "two files, two directories, or git revisions: valuefold diff main HEAD overlays/*",
    );
  const { directory, stdin, env, tidily, render } = io;
  const here: BuildOptions = { env, tidily, render, enableExec, from: directory };
  const isThere = (name: string): boolean => name === "-" || existsSync(resolve(directory, name));
  const exists = (word: string): boolean => filesIn(word, directory).every(isThere);
  if (exists(before)) {
    if (after === undefined || files.length > 0)
      throw new UsageError(
        "expected two files or directories",
        "or two git revisions, and the directories to compare",
      );
    const read = (name: string): Promise<Input> => readBuilds([name], stdin, here);
    return [{ before: await read(before), after: await read(after) }];
  }
  refuseMissing(filesIn(before, directory), isThere);
  const isRevision = after === undefined || !(isPattern(after) || exists(after));
  const [revision, builds] = isRevision ? [after, files] : [undefined, [after, ...files]];
  const names = builds.length === 0 ? ["."] : builds;
  // What programs read is not known.
  const isFiltered = revision === undefined && !enableExec;
  const needed = isFiltered ? await neededSince(before, names, directory, { env }) : undefined;
  const old = await readRevision(before, names, stdin, here, needed);
  const now =
    revision === undefined
      ? await readSide(names, stdin, here, needed)
      : await readRevision(revision, names, stdin, here);
  refuseLost(names, old, now);
  return matched(old, now);
}

function refuseLost(names: readonly string[], old: Side, now: Side): void {
  const lost = names.find((name) => !old.names.has(name) && !now.names.has(name));
  if (lost === undefined) return;
  throw new UsageError(
    `\`${lost}\` is on neither side`,
    "name directories or files of the repository by their paths from here",
  );
}

/** A word that ends like a manifest is no revision. */
function refuseMissing(names: readonly string[], isThere: (name: string) => boolean): void {
  const missing = names.find((name) => isManifest(name) && !isThere(name));
  const [, revision, path] = /^([^:\s]+):(\S.*)$/.exec(missing ?? "") ?? [];
  if (missing !== undefined)
    throw new UsageError(
      `\`${missing}\` does not exist`,
      revision === undefined
        ? "name two files, two directories, or two git revisions"
        : `a revision is a word of its own: valuefold diff ${revision} '${path}'`,
    );
}

/** One build as it is in a revision: a directory, or files that make one list or stack. */
export async function readAtRevision(
  revision: string,
  names: readonly string[],
  stdin: Io["stdin"],
  options: BuildOptions,
): Promise<Input> {
  const { builds } = await readRevision(revision, names, stdin, options);
  const [input] = builds.values();
  if (input !== undefined) return input;
  throw new UsageError(
    `\`${names.join(",")}\` is not in revision \`${revision}\``,
    "name directories or files of the repository by their paths from here",
  );
}

/** Builds with the same name. */
function matched(old: Side, now: Side): Sides[] {
  const all = [...new Set([...now.builds.keys(), ...old.builds.keys()])];
  return all.map((build) => ({
    ...(all.length < 2 && !old.isFound && !now.isFound ? {} : { build }),
    before: old.builds.get(build),
    after: now.builds.get(build),
  }));
}

interface Side {
  /** Those of the words that name something here. */
  readonly names: ReadonlySet<string>;
  /** Each directory by its name, and all plain files as one list. */
  readonly builds: ReadonlyMap<string, Input>;
  /** True if some were found below a directory that was named. */
  readonly isFound: boolean;
}

/** Whether an entry that was found has to be built: one that reads no changed file has the same values on both sides. */
type Needed = (name: string, entry: Entry, top: string) => boolean;

/** Entries that read a changed file on one side are built on both: the earlier side is asked first. */
async function neededSince(
  revision: string,
  words: readonly string[],
  directory: string,
  running: ProgramOptions,
): Promise<Needed | undefined> {
  const changed = await changedSince(revision, running);
  if (changed === undefined) return undefined;
  const needed = new Set<string>();
  const readsChanged = ({ reads }: Entry, top: string): boolean =>
    changed.files.some((file) => reads(join(top, file)));
  for (const word of words.flatMap((each) => expanded(each, directory)))
    for (const entry of entriesIn(resolve(directory, word)))
      if (readsChanged(entry, changed.top)) needed.add(join(word, entry.name));
  return (name, entry, top) => {
    if (readsChanged(entry, top)) needed.add(name);
    return needed.has(name);
  };
}

interface ChangedFiles {
  /** The top of the work tree, as a real path. */
  readonly top: string;
  /** Paths from there: tracked ones that changed, and new ones. */
  readonly files: readonly string[];
}

/** Undefined outside of a work tree. */
async function changedSince(revision: string, running: ProgramOptions): Promise<ChangedFiles | undefined> {
  const top = await gitText(["rev-parse", "--show-toplevel"], running);
  if (top === undefined) return undefined;
  const changed = await gitText(["-C", top, "diff", "--name-only", "--no-renames", "-z", revision], running);
  const fresh = await gitText(["-C", top, "ls-files", "--others", "--exclude-standard", "-z"], running);
  if (changed === undefined || fresh === undefined) return undefined;
  const files = `${changed}\0${fresh}`.split("\0").filter((file) => file !== "");
  return { top: realpathSync(top), files };
}

async function readSide(
  words: readonly string[],
  stdin: Io["stdin"],
  options: BuildOptions,
  isNeeded: Needed = () => true,
): Promise<Side> {
  const pathOf = (name: string): string => join(options.from, name);
  const matches = new Map(
    words.map((word) => [word, isAbsolute(word) ? [word] : expanded(word, options.from)]),
  );
  const names = [...new Set([...matches.values()].flat())];
  const present = names.filter((name) => !isAbsolute(name) && existsSync(pathOf(name)));
  const plain = present.filter((name) => !isDirectory(pathOf(name)));
  const [only = "", second] = words.length > 1 ? words : names;
  const builds = new Map<string, Input>();
  const top = realpathSync(options.top ?? repositoryOf(resolve(options.from)) ?? options.from);
  const found = present.flatMap((name) => {
    const entries = plain.includes(name) ? [] : entriesIn(pathOf(name));
    if (entries.length === 0) return [name];
    const own = entries.map((entry) => [join(name, entry.name), entry] as const);
    return own.flatMap(([each, entry]) => (isNeeded(each, entry, top) ? [each] : []));
  });
  for (const name of found) {
    const isPlain = plain.includes(name);
    const build = !isPlain ? name : second === undefined ? only : "plain files";
    if (!builds.has(build)) builds.set(build, await readBuilds(isPlain ? plain : [name], stdin, options));
  }
  const isFound = (word: string): boolean => (matches.get(word) ?? []).some((name) => present.includes(name));
  const isBelow = found.some((name) => !present.includes(name));
  return { names: new Set(words.filter(isFound)), builds, isFound: isBelow };
}

/** Its checkout is removed once all is read, so a signal during the work on it leaves nothing. */
function readRevision(
  revision: string,
  names: readonly string[],
  stdin: Io["stdin"],
  options: BuildOptions,
  isNeeded?: Needed,
): Promise<Side> {
  const { env, tidily } = options;
  return tidily((stop) =>
    atRevision(revision, { env, stop }, async (from, top) => {
      // A signal ends the process after all of this, not after one build.
      const there: BuildOptions = { ...options, from, top, tidily: (work) => work(stop) };
      return await readSide(names, stdin, there, isNeeded);
    }),
  );
}

/** Calls `work` with the user's working directory as it is in the revision. The checkout is removed after that. */
async function atRevision<T>(
  revision: string,
  running: ProgramOptions,
  work: (directory: string, top: string) => Promise<T>,
): Promise<T> {
  const prefix = await gitText(["rev-parse", "--show-prefix"], running);
  if (prefix === undefined)
    throw new UsageError(
      "this is not a git work tree",
      "name two files or directories, or run it in a repository",
    );
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "valuefold-")));
  try {
    const tree = join(folder, "tree");
    mkdirSync(tree);
    await checkOut(revision, tree, {
      ...running,
      env: { ...running.env, GIT_INDEX_FILE: join(folder, "index") },
    });
    return await work(join(tree, prefix), tree);
  } catch (error) {
    throw error instanceof UsageError ? inRevision(error, revision) : error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param running with an index of its own */
async function checkOut(revision: string, tree: string, running: ProgramOptions): Promise<void> {
  const top = (await gitText(["rev-parse", "--show-toplevel"], running)) ?? ".";
  const read = await git(["-C", top, "read-tree", `${revision}^{tree}`], running);
  if (read.status !== "done")
    throw new UsageError(
      `\`${revision}\` is neither a file nor a git revision`,
      "name two files, two directories or two revisions",
    );
  const written = await git(["-C", top, "checkout-index", "--all", `--prefix=${tree}/`], running);
  if (written.status !== "done")
    throw new UsageError(`git cannot check out \`${revision}\``, "see why: git checkout-index, or git fsck");
}

/** A hint for the work tree may not apply to the revision: what it suggests may work there. */
function inRevision(error: UsageError, revision: string): UsageError {
  if (error.message.includes(revision)) return error;
  if (error.hint.startsWith("name them"))
    return new UsageError(`${error.message}, in revision \`${revision}\``, error.hint);
  const hint = `see why in a checkout of it: git worktree add --detach FOLDER ${revision} (submodules are not read)`;
  return new UsageError(`${error.message}, in revision \`${revision}\``, hint, error.reason);
}

function git(args: readonly string[], running: ProgramOptions): Promise<ProgramResult> {
  return runProgram("git", args, running);
}

/** Undefined if git fails. */
async function gitText(args: readonly string[], running: ProgramOptions): Promise<string | undefined> {
  const { status, output } = await git(args, running);
  if (status === "missing")
    throw new UsageError("`git` is not on the PATH", "install it, or name two files or directories");
  return status === "done" ? Buffer.from(output).toString("utf8").trim() : undefined;
}
