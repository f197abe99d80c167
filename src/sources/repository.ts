// The repository around a directory, and the URLs by which others name it.
import { dirname, join, resolve } from "node:path";
import {
  closeAll,
  isBelowOpened,
  isThere,
  isThereAsDirectory,
  isThereAsFile,
  openPath,
  readAny,
  realPathOf,
} from "./disk.ts";
import { isIn } from "./tree.ts";
import type { Workspace } from "./workspace.ts";

export interface Repository {
  /** A real path. */
  readonly top: string;
  readonly remotes: readonly string[];
}

/** The repository that a directory is in: the one of the workspace, where that says so. Without `.git` it is the directory. */
export function repositoryAround(
  directory: string,
  { top = repositoryOf(realPathOf(directory)), remotes }: Pick<Workspace, "top" | "remotes">,
): Repository {
  const real = realPathOf(top ?? directory);
  return { top: real, remotes: remotes ?? remotesOf(real) };
}

/** What a question is asked of may be read: the repository around the directory where it is asked, and what the user names. */
export function openWorkspace(workspace: Workspace): void {
  const { from, top, charts = [], repositories = new Map<string, string>(), clusters } = workspace;
  openAround(top ?? from);
  for (const { path } of charts) openNamed(path);
  for (const path of repositories.values()) openNamed(path);
  if (clusters !== undefined) openNamed(clusters);
}

/** A command reads what is around the directory where it runs, and nothing that an earlier one could. */
export function openOnly(directory: string): void {
  closeAll();
  openAround(directory);
}

/** What a user names, where that is not a part of what is open already. */
export function openNamed(path: string): void {
  if (!isBelowOpened(path)) openAround(path);
}

/** A directory with the repository around it; a file alone. */
function openAround(path: string): void {
  openPath(isThereAsDirectory(path) ? (repositoryOf(path) ?? path) : path);
}

/** The directory above that has a `.git`. */
export function repositoryOf(directory: string): string | undefined {
  if (isThere(join(directory, ".git"))) return directory;
  const above = dirname(directory);
  return above === directory ? undefined : repositoryOf(above);
}

/** The URLs of the repository: those of its remotes, and of no submodule. */
export function remotesOf(top: string): readonly string[] {
  const file = join(gitFolder(top), "config");
  const text = textAt(file);
  let isRemote = false;
  return text.split("\n").flatMap((each) => {
    const line = each.trim();
    if (line.startsWith("[")) isRemote = /^\[remote\b/i.test(line);
    const [, url] = /^url\s*=\s*(\S+)$/.exec(line) ?? [];
    return isRemote && url !== undefined ? [url] : [];
  });
}

/**
 * Where git keeps a submodule, with all of its objects: in the folder of the repository. Undefined for any other directory: a
 * checkout may have a `.git` that leads to another repository.
 *
 * @param top of the work tree around it
 * @param path from there
 */
export function submoduleFolder(top: string, path: string): string | undefined {
  const own = join(top, path);
  if (realPathOf(own) !== join(realPathOf(top), path) || !isThere(join(own, ".git"))) return undefined;
  const [folder, around] = [realPathOf(gitFolder(own)), realPathOf(gitFolder(top))];
  const objects = join(folder, "objects");
  const isKept = folder !== around && isIn(folder, around) && realPathOf(objects) === objects;
  return isKept && !isThere(join(objects, "info/alternates")) ? folder : undefined;
}

/** A work tree that `git worktree` adds has a file in place of the folder. */
function gitFolder(top: string): string {
  const own = join(top, ".git");
  if (!isThere(own) || isThereAsDirectory(own)) return own;
  const [, named = ""] = /^gitdir: (.+)$/m.exec(textAt(own)) ?? [];
  const folder = resolve(top, named);
  const shared = join(folder, "commondir");
  return isThere(shared) ? resolve(folder, textAt(shared).trim()) : folder;
}

/** What git has for itself; nothing where there is no file: a pipe may not end. */
function textAt(path: string): string {
  return isThereAsFile(path) ? Buffer.from(readAny(path)).toString("utf8") : "";
}
