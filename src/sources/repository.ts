// The repository around a directory, and the URLs by which others name it.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Workspace } from "./workspace.ts";

export interface Repository {
  /** A real path. */
  readonly top: string;
  readonly remotes: readonly string[];
}

/** The repository that a directory is in: the one of the workspace, where that says so. Without `.git` it is the directory. */
export function repositoryAround(
  directory: string,
  { top = repositoryOf(realpathSync(directory)), remotes }: Pick<Workspace, "top" | "remotes">,
): Repository {
  const real = realpathSync(top ?? directory);
  return { top: real, remotes: remotes ?? remotesOf(real) };
}

/** The directory above that has a `.git`. */
export function repositoryOf(directory: string): string | undefined {
  if (existsSync(join(directory, ".git"))) return directory;
  const above = dirname(directory);
  return above === directory ? undefined : repositoryOf(above);
}

/** The URLs of the repository. */
export function remotesOf(top: string): readonly string[] {
  const file = join(gitFolder(top), "config");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return [...text.matchAll(/^\s*url\s*=\s*(\S+)\s*$/gm)].map(([, url = ""]) => url);
}

/** A work tree that `git worktree` adds has a file in place of the folder. */
function gitFolder(top: string): string {
  const own = join(top, ".git");
  if (statSync(own, { throwIfNoEntry: false })?.isFile() !== true) return own;
  const [, named = ""] = /^gitdir: (.+)$/m.exec(readFileSync(own, "utf8")) ?? [];
  const folder = resolve(top, named);
  const shared = join(folder, "commondir");
  return existsSync(shared) ? resolve(folder, readFileSync(shared, "utf8").trim()) : folder;
}
