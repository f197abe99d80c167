// The working directory as it is in a git revision. Git's index and the work tree stay as they are.
import { basename, join, relative } from "node:path";
import { existsSync, isThereAsDirectory, namesAt, openPath, realPathOf, withTree } from "./disk.ts";
import { changedBetween, GitRepository, type GitTree, hasFilesBelow, lackingIn } from "./git.ts";
import { BuildRefused } from "./kustomize/build.ts";
import type { ProgramOptions } from "./program.ts";
import { remotesOf, repositoryOf } from "./repository.ts";
import { inFolder, writeBelow } from "./temporary.ts";
import { type ComparedRevision, comparedRevision, unknownRevision } from "./revision-words.ts";
import { MemoryTree } from "./tree.ts";
import { UsageError } from "./usage-error.ts";
import type { NamedChart, Workspace } from "./workspace.ts";

/** Calls `work` with the workspace as it is in the revision. */
export function atRevision<T>(
  revision: string,
  workspace: Workspace,
  work: (there: Workspace) => Promise<T>,
): Promise<T> {
  const { env, tidily, from, enableExec } = workspace;
  return tidily(async (stop) => {
    const top = repositoryOf(realPathOf(from));
    if (top === undefined)
      throw new UsageError(
        "this is not a git work tree",
        "name two files or directories, or run it in a repository",
      );
    const repository = new GitRepository(top, { env, stop });
    // Nothing is checked out: what the revision holds stays in memory.
    const tree = await treeAt(revision, repository);
    const files = await inRevision(revision, () => repository.filesIn(tree));
    const own = (at: string): Promise<T> => {
      // A signal ends the process after all of this, not after one build.
      const there = {
        from: join(at, relative(top, realPathOf(from))),
        top: at,
        remotes: workspace.remotes ?? remotesOf(top),
        revision,
        tidily: within(stop),
        charts: (workspace.charts ?? []).map((each) => chartThere(each, top, at)),
      };
      return work({ ...workspace, ...there });
    };
    if (enableExec)
      return inFolder((folder) => {
        const at = join(folder, basename(top));
        writeBelow(at, files);
        openPath(at);
        return own(at);
      });
    // A bundle of Fleet has the name of its directory.
    return withTree(basename(top), (at) => new MemoryTree(at, files, top), own);
  });
}

/** The chart as it is in the revision; one that it lacks, and one of another place, is what the user names. */
function chartThere(chart: NamedChart, top: string, tree: string): NamedChart {
  const path = join(tree, relative(top, realPathOf(chart.path)));
  if (!path.startsWith(`${tree}/`) || !existsSync(path)) return chart;
  return { ...chart, path, named: chart };
}

function within(stop: AbortSignal | undefined): Workspace["tidily"] {
  return (work) => work(stop);
}

/** The revision to compare another one with, or the work tree. */
export async function comparedHere(
  named: string,
  other: string,
  { env, from }: Pick<Workspace, "env" | "from">,
): Promise<ComparedRevision> {
  const top = repositoryOf(realPathOf(from));
  if (top === undefined || named.startsWith("-")) return { revision: named };
  return comparedRevision(named, other, new GitRepository(top, { env }));
}

export interface ChangedFiles {
  /** The top of the work tree, as a real path. */
  readonly top: string;
  /** Paths from there. */
  readonly files: readonly string[];
  /** Submodules with another commit, of which neither side has files here. */
  readonly unknown: readonly string[];
}

/** What differs from a revision to another one, or to the work tree; undefined outside of a work tree. */
export async function changedFiles(
  [before, after]: readonly [string, string | undefined],
  { env, from }: { readonly env: ProgramOptions["env"]; readonly from: string },
): Promise<ChangedFiles | undefined> {
  const top = repositoryOf(realPathOf(from));
  if (top === undefined) return undefined;
  openPath(top);
  const repository = new GitRepository(top, { env });
  const old = await treeAt(before, repository);
  const hasSubmodules = old.submodules.size > 0 || existsSync(join(top, ".gitmodules"));
  // Which commits of submodules the work tree has is known by its last commit.
  const now = after === undefined && !hasSubmodules ? old : await treeAt(after ?? "HEAD", repository);
  const files = after === undefined ? repository.changedIn(old) : changedBetween(old, now);
  const isFilled = (path: string): boolean =>
    after === undefined
      ? isThereAsDirectory(join(top, path)) && namesAt(join(top, path)).some((name) => name !== ".git")
      : hasFilesBelow(now, path);
  const lacking = lackingIn(old, now);
  // One side alone would have files of it.
  const half = lacking.find(({ path }) => hasFilesBelow(old, path) !== isFilled(path))?.path;
  if (half !== undefined)
    throw new UsageError(
      `git lacks a commit of the submodule \`${half}\``,
      "fetch it: git submodule update --init, or in the submodule: git fetch --unshallow",
    );
  const unknown = lacking.flatMap(({ path, isMoved }) => (isMoved ? path : []));
  return { top, files: [...files, ...unknown], unknown };
}

async function treeAt(revision: string, repository: GitRepository): Promise<GitTree> {
  // A word that starts with a dash is an option.
  const tree = revision.startsWith("-") ? undefined : await repository.treeAt(revision);
  if (tree !== undefined) return tree;
  throw await unknownRevision(revision, repository);
}

/** Mistakes that work on a revision meets name it. @param revision undefined for the work tree */
export async function inRevision<T>(revision: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (revision === undefined || !(error instanceof UsageError)) throw error;
    // What a build is without is not corrected in a revision.
    const hint =
      error instanceof BuildRefused
        ? `see it in a checkout: git worktree add --detach FOLDER ${revision}`
        : error.hint;
    throw new UsageError(`${error.message}, in revision \`${revision}\``, hint, error.reason);
  }
}
