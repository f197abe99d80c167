// What `diff` compares: two files or directories, or directories and files in two git revisions. Git's index and the
// work tree stay as they are.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { filesIn, type Input, isDirectory, readBuilds } from "./inputs.ts";
import { isManifest } from "./manifests.ts";
import { expanded, isPattern } from "./patterns.ts";
import { type Io, UsageError } from "./io.ts";
import type { BuildOptions } from "./kustomize/build.ts";
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
  const old = await readRevision(before, names, stdin, here);
  const now =
    revision === undefined
      ? await readSide(names, stdin, here)
      : await readRevision(revision, names, stdin, here);
  const lost = names.find((name) => !old.names.has(name) && !now.names.has(name));
  if (lost !== undefined)
    throw new UsageError(
      `\`${lost}\` is on neither side`,
      "name directories or files of the repository by their paths from here",
    );
  return matched(old, now);
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
    ...(all.length < 2 ? {} : { build }),
    before: old.builds.get(build),
    after: now.builds.get(build),
  }));
}

interface Side {
  /** Those of the words that name something here. */
  readonly names: ReadonlySet<string>;
  /** Each directory by its name, and all plain files as one list. */
  readonly builds: ReadonlyMap<string, Input>;
}

async function readSide(words: readonly string[], stdin: Io["stdin"], options: BuildOptions): Promise<Side> {
  const pathOf = (name: string): string => join(options.from, name);
  const matches = new Map(
    words.map((word) => [word, isAbsolute(word) ? [word] : expanded(word, options.from)]),
  );
  const names = [...new Set([...matches.values()].flat())];
  const present = names.filter((name) => !isAbsolute(name) && existsSync(pathOf(name)));
  const plain = present.filter((name) => !isDirectory(pathOf(name)));
  const [only = "", second] = words.length > 1 ? words : names;
  const builds = new Map<string, Input>();
  for (const name of present) {
    const isPlain = plain.includes(name);
    const build = !isPlain ? name : second === undefined ? only : "plain files";
    if (!builds.has(build)) builds.set(build, await readBuilds(isPlain ? plain : [name], stdin, options));
  }
  const isFound = (word: string): boolean => (matches.get(word) ?? []).some((name) => present.includes(name));
  return { names: new Set(words.filter(isFound)), builds };
}

/** Its checkout is removed once all is read, so a signal during the work on it leaves nothing. */
function readRevision(
  revision: string,
  names: readonly string[],
  stdin: Io["stdin"],
  options: BuildOptions,
): Promise<Side> {
  const { env, tidily } = options;
  return tidily((stop) =>
    atRevision(revision, { env, stop }, async (from, top) => {
      // A signal ends the process after all of this, not after one build.
      return await readSide(names, stdin, { ...options, from, top, tidily: (work) => work(stop) });
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
