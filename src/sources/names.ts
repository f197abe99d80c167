// How words name what is read.
import { isAbsolute, join, relative, resolve } from "node:path";
import { isTargetKind, usualKind } from "../kinds.ts";
import { isThere, realPathOf, workTreePath } from "./disk.ts";

/** True for the name of a YAML or JSON file. */
export function isManifest(name: string): boolean {
  return /\.(?:ya?ml|json)$/.test(name);
}

/** How messages name a file: from the working directory, if it is inside of it. */
export function shownPath(from: string, name: string): string {
  if (!isAbsolute(name)) return name;
  const own = relative(resolve(from), name);
  return own === "" || own.startsWith("..") ? name : own;
}

/** A word may name a stack of values files: `base.yaml,prod.yaml`. A file with a comma in its name is a file. */
export function filesIn(word: string, from: string): readonly string[] {
  return word.includes(",") && !isThere(resolve(from, word)) ? word.split(",") : [word];
}

/** True for a word that names a file or a directory, and is not a path in values: that has no slash outside brackets. */
export function isFileLike(word: string): boolean {
  return (
    word === "-" ||
    /^\.{1,2}$/.test(word) ||
    isManifest(word) ||
    word.replaceAll(/\[[^\]]*\]/g, "").includes("/")
  );
}

/** True for `Kind/name` and `Kind/namespace/name`: a known kind in any case, its short name, or any word with a capital. */
export function isTarget(word: string): boolean {
  const [, kind] = /^([A-Za-z]+)\/[^/]+(?:\/[^/]+)?$/.exec(word) ?? [];
  const isKind = (own: string): boolean =>
    /^[A-Z]/.test(own) || isTargetKind(own) || usualKind(own) !== undefined;
  return kind !== undefined && !isManifest(word) && isKind(kind);
}

/** The file that places name so. */
export function fileShown(from: string, shown: string): string {
  const start = realPathOf(from);
  const own = join(start, shown);
  return workTreePath(own) === own ? join(workTreePath(start), shown) : own;
}

/** A file as places name it: what is outside of a revision as it is named from the work tree. */
export function shownFrom(from: string): (path: string) => string {
  const start = realPathOf(from);
  const inWorkTree = workTreePath(start);
  return (path) => relative(workTreePath(path) === path ? inWorkTree : start, path) || ".";
}
