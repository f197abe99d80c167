// Files and directories on this disk, and why one cannot be read. Pipes may be non-blocking (EAGAIN), short and slow.
//
// A checkout is read, and nothing else: what a file of it names, links to or lies below is there only if its real path is in a
// directory that is opened, and not in a `.git` of one. No other module of this wing reads from a disk.
import * as fs from "node:fs";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

const waitMs = 1;
const firstBufferBytes = 64 * 1024;

/** All bytes of a descriptor. */
export function readAll(fd: number): Uint8Array {
  const stat = fstatSync(fd);
  let buffer = Buffer.allocUnsafe(stat.isFile() ? stat.size + 1 : firstBufferBytes);
  let length = 0;
  for (;;) {
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    const count = retrying(() => readSync(fd, buffer, length, buffer.length - length, null));
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
}

/** A directory or a file that a user names. */
interface OpenedPath {
  readonly at: string;
  readonly real: string;
}

const openedKey: unique symbol = Symbol.for("valuefold.opened");
const shared: typeof globalThis & { [openedKey]?: Map<string, OpenedPath> } = globalThis;
/** The program is loaded in parts that have this file each: what is opened is opened for all of them. */
const opened = (shared[openedKey] ??= new Map<string, OpenedPath>());

/** What a user names may be read from now on, with all that is below it; not what a link there leads to. */
export function openPath(path: string): void {
  const at = resolve(path);
  if (opened.has(at) || !fs.existsSync(at)) return;
  opened.set(at, { at, real: fs.realpathSync.native(at) });
}

/** Nothing is opened any more: a process that answers several requests reads for each what that one names. */
export function closeAll(): void {
  opened.clear();
}

/** True for a path below one that is opened, wherever it leads. */
export function isBelowOpened(path: string): boolean {
  return openedAbove(path).length > 0;
}

/** True for something that is there, and that a checkout must not read. */
function isOutside(path: string): boolean {
  return fs.existsSync(path) && !isInReach(path);
}

function openedAbove(path: string): readonly OpenedPath[] {
  const own = resolve(path);
  return [...opened.values()].filter(({ at, real }) => isIn(own, at) || isIn(own, real));
}

function isInReach(path: string): boolean {
  let real: string;
  try {
    real = fs.realpathSync.native(path);
  } catch {
    return false;
  }
  return openedAbove(path).some(
    (each) => isIn(real, each.real) && !relative(each.real, real).toLowerCase().split(sep).includes(".git"),
  );
}

function isIn(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** A file that a user names: it may be anywhere, but a link below what is opened does not lead out. */
export function readNamed(path: string): Uint8Array {
  return isBelowOpened(path) ? readFile(path) : readAny(path);
}

/** A file that a checkout names. */
export function readFile(path: string): Uint8Array {
  if (isOutside(path)) throw refusal(path, outsideCode);
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  // A pipe or a device may not end.
  if (stat !== undefined && !stat.isFile() && !stat.isDirectory()) throw refusal(path, noFileCode);
  return readAny(path);
}

/** The code of the error about a path that leads out of what is opened. */
export const outsideCode = "EOUTSIDE";
const noFileCode = "ENOFILE";

function refusal(path: string, code: string): Error {
  return Object.assign(new Error(code), { path, code });
}

function readAny(path: string): Uint8Array {
  const fd = openSync(path, "r");
  try {
    return readAll(fd);
  } catch (error) {
    // The error of a descriptor has no path.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  } finally {
    closeSync(fd);
  }
}

/** True for what a user names, if it is there. */
export function isThere(path: string): boolean {
  return fs.existsSync(path);
}

/** The same, if it is a directory. */
export function isThereAsDirectory(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function existsSync(path: string): boolean {
  return isInReach(path);
}

export function isDirectory(path: string): boolean {
  return isInReach(path) && fs.statSync(path).isDirectory();
}

export function isFile(path: string): boolean {
  return isInReach(path) && fs.statSync(path).isFile();
}

/** The names in a directory, sorted. */
export function namesAt(directory: string): readonly string[] {
  return entriesIn(directory).map(({ name }) => name);
}

/** What is in a directory, sorted by name. A link that leads out is not there. */
export function entriesIn(directory: string): readonly fs.Dirent[] {
  if (isOutside(directory)) return [];
  return fs
    .readdirSync(directory, { withFileTypes: true })
    .filter((each) => !each.isSymbolicLink() || !isOutside(join(directory, each.name)))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Calls again what is not ready yet. */
export function retrying(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (codeOf(error) === "EOF") return 0;
      if (codeOf(error) !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Why a path cannot be read: "`prod.yaml` does not exist"; undefined for any other error. */
export function pathFault(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("path" in error)) return undefined;
  const path = relative(".", String(error.path)) || ".";
  return `\`${path}\` ${reasons.get(codeOf(error) ?? "") ?? `cannot be read (${codeOf(error)})`}`;
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist"],
  ["EACCES", "cannot be read: permission denied"],
  ["ENOTDIR", "does not exist: a part of its path is a file"],
  [outsideCode, "leads out of the repository"],
  [noFileCode, "is no file"],
  ["ENAMETOOLONG", "is too long for the name of a file"],
]);
