// A git revision → a directory with its files, and nothing of the user's changed: neither the index nor the work tree.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "./build.ts";
import { type Running, runProgram } from "./program.ts";

/** Calls with the directory in which one stands in the revision; it is gone behind that. */
export async function atRevision<T>(
  revision: string,
  running: Running,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const prefix = await gitText(["rev-parse", "--show-prefix"], running);
  if (prefix === undefined)
    throw new UsageError(
      "this is no git work tree",
      "name two files or directories, or run it in a repository",
    );
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "valuefold-")));
  try {
    const tree = join(folder, "tree");
    mkdirSync(tree);
    const own = { ...running, env: { ...running.env, GIT_INDEX_FILE: join(folder, "index") } };
    const top = (await gitText(["rev-parse", "--show-toplevel"], running)) ?? ".";
    const isThere = (await git(["-C", top, "read-tree", `${revision}^{tree}`], own)) === "done";
    if (!isThere)
      throw new UsageError(`\`${revision}\` is neither a file nor a git revision`, "name two of either sort");
    if ((await git(["-C", top, "checkout-index", "--all", `--prefix=${tree}/`], own)) !== "done")
      throw new UsageError(
        `git cannot check out \`${revision}\``,
        `see why: git checkout-index, or git fsck`,
      );
    return await work(join(tree, prefix));
  } catch (error) {
    throw error instanceof UsageError ? inRevision(error, revision) : error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a hint tells to try in the work tree may well work there. */
function inRevision(error: UsageError, revision: string): UsageError {
  if (error.message.includes(revision)) return error;
  const hint = `see why in a checkout of it: git worktree add --detach FOLDER ${revision} (submodules are not looked into)`;
  return new UsageError(`${error.message}, in revision \`${revision}\``, hint);
}

async function git(args: readonly string[], running: Running): Promise<"done" | "failed" | "missing"> {
  return (await runProgram("git", args, running)).status;
}

async function gitText(args: readonly string[], running: Running): Promise<string | undefined> {
  const { status, output } = await runProgram("git", args, running);
  if (status === "missing")
    throw new UsageError("`git` is not on the PATH", "install it, or name two files or directories");
  return status === "done" ? Buffer.from(output).toString("utf8").trim() : undefined;
}
