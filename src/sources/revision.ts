// The working directory as it is in a git revision: a checkout in a temporary folder. Git's index and the work tree stay as
// they are.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProgramOptions, type ProgramResult, runProgram } from "./program.ts";
import { remotesOf } from "./repository.ts";
import { UsageError } from "./usage-error.ts";
import type { Workspace } from "./workspace.ts";

/** Calls `work` with the workspace as it is in the revision. The checkout is removed after that, by a signal too. */
export function atRevision<T>(
  revision: string,
  workspace: Workspace,
  work: (there: Workspace) => Promise<T>,
): Promise<T> {
  const { env, tidily } = workspace;
  return tidily(async (stop) => {
    const running = { env, stop };
    const [prefix, top] = [
      await gitText(["rev-parse", "--show-prefix"], running),
      await gitText(["rev-parse", "--show-toplevel"], running),
    ];
    if (prefix === undefined || top === undefined)
      throw new UsageError(
        "this is not a git work tree",
        "name two files or directories, or run it in a repository",
      );
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "valuefold-")));
    try {
      const tree = join(folder, "tree");
      mkdirSync(tree);
      const index = { ...env, GIT_INDEX_FILE: join(folder, "index") };
      await checkOut(revision, top, tree, { env: index, stop });
      // A signal ends the process after all of this, not after one build.
      const there = { from: join(tree, prefix), top: tree, remotes: remotesOf(top), tidily: within(stop) };
      return await work({ ...workspace, ...there });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

function within(stop: AbortSignal | undefined): Workspace["tidily"] {
  return (work) => work(stop);
}

export interface ChangedFiles {
  /** The top of the work tree, as a real path. */
  readonly top: string;
  /** Paths from there. */
  readonly files: readonly string[];
}

/** What differs from a revision to another one, or to the work tree with its new files; undefined outside of a work tree. */
export async function changedFiles(
  [before, after]: readonly [string, string | undefined],
  env: ProgramOptions["env"],
): Promise<ChangedFiles | undefined> {
  const running = { env };
  const top = await gitText(["rev-parse", "--show-toplevel"], running);
  if (top === undefined) return undefined;
  const ends = after === undefined ? [before] : [before, after];
  const changed = await gitText(["-C", top, "diff", "--name-only", "--no-renames", "-z", ...ends], running);
  const fresh =
    after === undefined
      ? await gitText(["-C", top, "ls-files", "--others", "--exclude-standard", "-z"], running)
      : "";
  if (changed === undefined || fresh === undefined) return undefined;
  const files = `${changed}\0${fresh}`.split("\0").filter((file) => file !== "");
  return { top: realpathSync(top), files };
}

/** @param running with an index of its own */
async function checkOut(revision: string, top: string, tree: string, running: ProgramOptions): Promise<void> {
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

/** Mistakes that work on a revision meets name it. @param revision undefined for the work tree */
export async function inRevision<T>(revision: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw revision !== undefined && error instanceof UsageError ? ofRevision(error, revision) : error;
  }
}

/** A hint for the work tree may not apply to the revision: what it suggests may work there. */
function ofRevision(error: UsageError, revision: string): UsageError {
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
