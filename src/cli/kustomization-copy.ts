// A copy of a kustomization without some of its functions, for a build that shows what they would hide. Only kustomizations
// on the way to these functions are copied, each with its directory: kustomize reads no file outside of it.
import { constants, cpSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import {
  directoryFields,
  entriesAt,
  entryKey,
  type Kustomization,
  type KustomizationTree,
  type KustomizeFunction,
} from "./kustomization-tree.ts";

export interface KustomizationCopy {
  readonly directory: string;
  /** The user's path for one in the copy; any other path as it is. */
  readonly userPath: (path: string) => string;
}

type IsLeftOut = (each: KustomizeFunction) => boolean;

/** @param folder an empty one; undefined if an entry has both functions to leave out and others */
export function copyWithout(
  { top }: KustomizationTree,
  isLeftOut: IsLeftOut,
  folder: string,
): KustomizationCopy | undefined {
  if (top === undefined) return undefined;
  const copies = new Map<Kustomization, string>();
  find(top, isLeftOut, copies, folder, new Set());
  const directory = copies.get(top);
  if (directory === undefined || [...copies.keys()].some((each) => isMixed(each, isLeftOut)))
    return undefined;
  for (const [original, copy] of copies) writeCopy(original, copy, isLeftOut, copies);
  return { directory, userPath: (path) => userPathOf(path, copies) };
}

/** Finds what is copied, and where to. True if `from` is. */
function find(
  from: Kustomization,
  isLeftOut: IsLeftOut,
  copies: Map<Kustomization, string>,
  folder: string,
  seen: Set<Kustomization>,
): boolean {
  if (seen.has(from)) return copies.has(from);
  seen.add(from);
  const others = [...from.others.values()].map((each) => find(each, isLeftOut, copies, folder, seen));
  const own = [...from.functions.values()].flat().some(isLeftOut);
  if (!own && !others.includes(true)) return false;
  copies.set(from, join(folder, `${copies.size}`));
  return true;
}

function isMixed({ functions }: Kustomization, isLeftOut: IsLeftOut): boolean {
  return [...functions.values()].some((each) => each.some(isLeftOut) && !each.every(isLeftOut));
}

const uncopied = new Set([".git", "node_modules"]);

function writeCopy(
  original: Kustomization,
  copy: string,
  isLeftOut: IsLeftOut,
  copies: ReadonlyMap<Kustomization, string>,
): void {
  const { directory, fileName, others, functions } = original;
  cpSync(directory, copy, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => path === directory || !uncopied.has(basename(path)),
  });
  const isKept = (field: string, entry: string): boolean =>
    !(functions.get(entryKey(field, entry)) ?? []).some(isLeftOut);
  const placed = (entry: string): string => {
    const other = others.get(entry);
    return other === undefined ? entry : relative(copy, copies.get(other) ?? other.directory);
  };
  const fields = { ...original.fields };
  for (const field of directoryFields)
    if (field in fields)
      fields[field] = entriesAt(original, field)
        .filter((entry) => isKept(field, entry))
        .map(placed);
  writeFileSync(join(copy, fileName), `${JSON.stringify(fields)}\n`);
}

function userPathOf(path: string, copies: ReadonlyMap<Kustomization, string>): string {
  for (const [{ directory }, copy] of copies)
    if (path === copy || path.startsWith(copy + sep)) return directory + path.slice(copy.length);
  return path;
}
