// The working directory as it is in a git revision: a checkout in a temporary folder. Git's index and the work tree stay as
// they are.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { existsSync, openPath } from "./disk.ts";
import { GitRepository, type GitTree } from "./git.ts";
import type { ProgramOptions } from "./program.ts";
import { remotesOf, repositoryOf } from "./repository.ts";
import { UsageError } from "./usage-error.ts";
import type { NamedChart, Workspace } from "./workspace.ts";

/** Calls `work` with the workspace as it is in the revision. The checkout is removed after that, by a signal too. */
export function atRevision<T>(
  revision: string,
  workspace: Workspace,
  work: (there: Workspace) => Promise<T>,
): Promise<T> {
  const { env, tidily, from } = workspace;
  return tidily(async (stop) => {
    const top = repositoryOf(realpathSync(from));
    if (top === undefined)
      throw new UsageError(
        "this is not a git work tree",
        "name two files or directories, or run it in a repository",
      );
    const repository = new GitRepository(top, { env, stop });
    const files = await treeAt(revision, repository);
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "valuefold-")));
    try {
      const tree = join(folder, "tree");
      mkdirSync(tree);
      if (!(await writeTree(repository, files, tree)))
        throw new UsageError(
          `git lacks files of \`${revision}\``,
          "fetch them, or see what is wrong: git fsck",
        );
      openPath(tree);
      // A signal ends the process after all of this, not after one build.
      const there = {
        from: join(tree, relative(top, realpathSync(from))),
        top: tree,
        remotes: workspace.remotes ?? remotesOf(top),
        tidily: within(stop),
        charts: (workspace.charts ?? []).map((each) => chartThere(each, top, tree)),
      };
      return await work({ ...workspace, ...there });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** The chart as it is in the revision; one that it lacks, and one of another place, is what the user names. */
function chartThere(chart: NamedChart, top: string, tree: string): NamedChart {
  const path = join(tree, relative(top, realpathSync(chart.path)));
  if (!path.startsWith(`${tree}/`) || !existsSync(path)) return chart;
  return { ...chart, path, named: chart };
}

function within(stop: AbortSignal | undefined): Workspace["tidily"] {
  return (work) => work(stop);
}

/** Links come last: nothing is written through one. */
async function writeTree(repository: GitRepository, files: GitTree, tree: string): Promise<boolean> {
  const links: (() => void)[] = [];
  const isWhole = await repository.eachFile(files, (path, { isLink }, content) => {
    const file = join(tree, path);
    mkdirSync(dirname(file), { recursive: true });
    if (isLink) links.push(() => symlinkSync(Buffer.from(content).toString("utf8"), file));
    else writeFileSync(file, content, { flag: "wx" });
  });
  for (const link of links) link();
  return isWhole;
}

export interface ChangedFiles {
  /** The top of the work tree, as a real path. */
  readonly top: string;
  /** Paths from there. */
  readonly files: readonly string[];
}

/** What differs from a revision to another one, or to the work tree; undefined outside of a work tree. */
export async function changedFiles(
  [before, after]: readonly [string, string | undefined],
  { env, from }: { readonly env: ProgramOptions["env"]; readonly from: string },
): Promise<ChangedFiles | undefined> {
  const top = repositoryOf(realpathSync(from));
  if (top === undefined) return undefined;
  openPath(top);
  const repository = new GitRepository(top, { env });
  const old = await treeAt(before, repository);
  if (after === undefined) return { top, files: repository.changedIn(old) };
  const now = await treeAt(after, repository);
  const files = [...new Set([...old.keys(), ...now.keys()])];
  return { top, files: files.filter((file) => old.get(file)?.id !== now.get(file)?.id) };
}

async function treeAt(revision: string, repository: GitRepository): Promise<GitTree> {
  // A word that starts with a dash is an option.
  const tree = revision.startsWith("-") ? undefined : await repository.treeAt(revision);
  if (tree !== undefined) return tree;
  throw new UsageError(
    `\`${revision}\` is neither a file nor a git revision`,
    "name two files, two directories or two revisions",
  );
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
  if (/^(?:name them|install it)/.test(error.hint))
    return new UsageError(`${error.message}, in revision \`${revision}\``, error.hint);
  const hint = `see why in a checkout of it: git worktree add --detach FOLDER ${revision} (submodules are not read)`;
  return new UsageError(`${error.message}, in revision \`${revision}\``, hint, error.reason);
}
