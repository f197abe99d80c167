// What some work reads: the paths that it asked for, whether something is there or not, and what it found in directories. What
// a change of a file can alter is known by it. Paths are real ones: a link is one of its own, beside what it leads to.
import { AsyncLocalStorage } from "node:async_hooks";
import { basename, dirname, join, resolve } from "node:path";
import { type CheckoutTree, mostLinks, type TreeEntry } from "./tree.ts";

export class Reads {
  /** Files, links, and what is not there. */
  readonly files = new Set<string>();
  /** What is a directory, named or listed. */
  readonly directories = new Set<string>();
  readonly listed = new Set<string>();

  /**
   * False if what was read is the same without the file, with it, and with another content: also where it makes the directories
   * that it is in. @param file an absolute path without links
   */
  isTouchedBy(file: string): boolean {
    if (this.directories.has(file)) return true;
    for (let path = file; path !== dirname(path); path = dirname(path)) {
      if (this.files.has(path)) return true;
      if (this.listed.has(dirname(path)) && !this.directories.has(path)) return true;
    }
    return false;
  }
}

const recordingKey: unique symbol = Symbol.for("valuefold.reads");
interface Recording {
  readonly storage: AsyncLocalStorage<readonly Reads[]>;
  /** How much work is recorded now: mostly none, and the storage is not asked for each path. */
  open: number;
}

const shared: typeof globalThis & { [recordingKey]?: Recording } = globalThis;
/** The program is loaded in parts that have this file each: what one of them reads for another is recorded, too. */
const recording = (shared[recordingKey] ??= { storage: new AsyncLocalStorage(), open: 0 });

/** What work reads that may wait for others. Work in work is recorded for both. */
export async function reading<T>(
  work: () => T | Promise<T>,
): Promise<{ readonly value: T; readonly reads: Reads }> {
  const reads = new Reads();
  recording.open++;
  try {
    return { value: await recording.storage.run([...recorded(), reads], work), reads };
  } finally {
    recording.open--;
  }
}

/** The same of work that waits for nothing. */
export function readingNow<T>(work: () => T): { readonly value: T; readonly reads: Reads } {
  const reads = new Reads();
  recording.open++;
  try {
    return { value: recording.storage.run([...recorded(), reads], work), reads };
  } finally {
    recording.open--;
  }
}

function recorded(): readonly Reads[] {
  return recording.open === 0 ? none : (recording.storage.getStore() ?? none);
}

const none: readonly Reads[] = [];

/** @param real the path with all links followed; undefined for what is not there */
export function recordPath(path: string, real: string | undefined, tree: CheckoutTree): void {
  for (const { files, directories } of recorded()) {
    for (const each of real === path ? [] : linksOnTheWay(path, tree)) {
      files.add(each);
      // What is above may become a link, too.
      for (let above = dirname(each); above !== dirname(above); above = dirname(above))
        directories.add(above);
    }
    if (real !== undefined) (tree.kindOf(real) === "directory" ? directories : files).add(real);
  }
}

/** @param directory a real path */
export function recordList(directory: string, entries: readonly TreeEntry[]): void {
  for (const { listed, directories } of recorded()) {
    listed.add(directory);
    for (const { name, kind } of entries) if (kind === "directory") directories.add(join(directory, name));
  }
}

/** The links that a path goes through, and the first part of it that is not there. */
function linksOnTheWay(path: string, tree: CheckoutTree, left = mostLinks): readonly string[] {
  const above = dirname(path);
  if (above === path || left === 0) return [];
  const real = tree.realPath(above);
  if (real !== above) {
    const own = linksOnTheWay(above, tree, left);
    return real === undefined ? own : [...own, ...linksOnTheWay(join(real, basename(path)), tree, left - 1)];
  }
  const target = tree.linkAt(path);
  if (target !== undefined) return [path, ...linksOnTheWay(resolve(above, target), tree, left - 1)];
  return tree.realPath(path) === undefined ? [path] : [];
}
