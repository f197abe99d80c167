// What some work reads: the paths that it asked for, whether something is there or not, and what it found in directories. What
// a change of a file can alter is known by it. Paths are real ones: a link is one of its own, beside what it leads to.
import { AsyncLocalStorage } from "node:async_hooks";
import { dirname } from "node:path";

export class Reads {
  /** Files, links, and what is not there. */
  readonly files = new Set<string>();
  /** What is a directory, named or listed. */
  readonly directories = new Set<string>();
  readonly listed = new Set<string>();

  /** A link, or what is not there. What is above may become a link, too. */
  addFile(path: string): void {
    this.files.add(path);
    for (let above = dirname(path); above !== dirname(above); above = dirname(above))
      this.directories.add(above);
  }

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
const shared: typeof globalThis & { [recordingKey]?: AsyncLocalStorage<readonly Reads[]> } = globalThis;
/** The program is loaded in parts that have this file each: what one of them reads for another is recorded, too. */
const recording = (shared[recordingKey] ??= new AsyncLocalStorage());

/** What work reads that may wait for others. Work in work is recorded for both. */
export async function reading<T>(
  work: () => T | Promise<T>,
): Promise<{ readonly value: T; readonly reads: Reads }> {
  const reads = new Reads();
  const value = await recording.run([...recorded(), reads], work);
  return { value, reads };
}

/** The same of work that waits for nothing. */
export function readingNow<T>(work: () => T): { readonly value: T; readonly reads: Reads } {
  const reads = new Reads();
  return { value: recording.run([...recorded(), reads], work), reads };
}

/** Where what is read now is recorded. */
export function recorded(): readonly Reads[] {
  return recording.getStore() ?? [];
}
