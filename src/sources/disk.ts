// Files and directories on this disk, and why one cannot be read. Pipes may be non-blocking (EAGAIN), short and slow.
//
// A checkout is read, and nothing else: what a file of it names, links to or lies below is there only if its real path is in a
// directory that is opened, and not in a `.git` of one. No other module of this wing reads from a disk.
// Names, not all of the module: a start copies none of it.
import {
  closeSync,
  constants,
  type Dirent,
  existsSync as isOnDisk,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { devNull } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { recordList, recordPath } from "./reads.ts";
import { type CheckoutTree, isIn, type PathKind, type TreeEntry } from "./tree.ts";
import { remembered } from "../remembered.ts";

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

/** What the disk answered, by paths. */
interface DiskAnswers {
  readonly realPaths: Map<string, string | undefined>;
  readonly kinds: Map<string, PathKind | undefined>;
  readonly inReach: Map<string, boolean>;
}

/** The program is loaded in parts that have this file each: what one of them knows, all know. */
interface DiskState {
  readonly opened: Map<string, OpenedPath>;
  /** Files with other bytes than the disk has, by their real paths. */
  edited?: ReadonlyMap<string, Uint8Array> | undefined;
  answers?: DiskAnswers | undefined;
}

const stateKey: unique symbol = Symbol.for("valuefold.disk");
const shared: typeof globalThis & { [stateKey]?: DiskState } = globalThis;
const state = (shared[stateKey] ??= { opened: new Map() });
const { opened } = state;

/** Work that waits for nothing asks the disk once for each path. */
function answers(): DiskAnswers {
  if (state.answers === undefined) queueMicrotask(forgetAnswers);
  return (state.answers ??= { realPaths: new Map(), kinds: new Map(), inReach: new Map() });
}

/** For what opens a path, or writes to one. */
export function forgetAnswers(): void {
  state.answers = undefined;
}

function realPathOnDisk(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function kindOnDisk(path: string): PathKind | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && kindOfStat(stat);
}

/** What is listed, and no link, is its own real path: the disk is not asked again. */
function listOnDisk(path: string): readonly TreeEntry[] {
  const entries = readdirSync(path, { withFileTypes: true }).map((each) => ({
    name: each.name,
    kind: kindOfStat(each),
  }));
  if (diskTree.realPath(path) !== path) return entries;
  const { realPaths, kinds } = answers();
  for (const { name, kind } of entries) {
    // A name that is no UTF-8 is another one here.
    if (kind === "link" || name.includes("\uFFFD")) continue;
    const own = join(path, name);
    realPaths.set(own, own);
    kinds.set(own, kind);
  }
  return entries;
}

/** As `resolve`, which takes longer for a path that is absolute and plain: most are. */
function absolute(path: string): string {
  const isPlain = path.startsWith("/") && !path.includes("/.") && !path.includes("//") && !path.endsWith("/");
  return isPlain && sep === "/" ? path : resolve(path);
}

/** What this disk has. */
const diskTree: CheckoutTree = {
  realPath: (path) => remembered(answers().realPaths, path, () => realPathOnDisk(path)),
  kindOf: (path) => remembered(answers().kinds, path, () => kindOnDisk(path)),
  read: readOnDisk,
  list: listOnDisk,
  linkAt: linkOnDisk,
};

function kindOfStat(stat: Dirent | Stats): PathKind {
  if (stat.isFile()) return "file";
  return stat.isDirectory() ? "directory" : stat.isSymbolicLink() ? "link" : "other";
}

/** A directory or a file that a user names, and the revisions that are read. */
interface OpenedPath {
  readonly at: string;
  readonly real: string;
  /** Absent for the disk. */
  readonly tree?: CheckoutTree;
}

/** What a user names may be read from now on, with all that is below it; not what a link there leads to. */
export function openPath(path: string): void {
  const at = resolve(path);
  const real = opened.has(at) ? undefined : treeOf(at).realPath(at);
  if (real === undefined) return;
  opened.set(at, { at, real });
  forgetAnswers();
}

/** Opens a tree below a path that no disk has, for the time of some work. */
export async function withTree<T>(
  name: string,
  treeAt: (at: string) => CheckoutTree,
  work: (at: string) => Promise<T>,
): Promise<T> {
  let number = 0;
  while (opened.has(join(devNull, `${number}`, name))) number++;
  const at = join(devNull, `${number}`, name);
  opened.set(at, { at, real: at, tree: treeAt(at) });
  forgetAnswers();
  try {
    return await work(at);
  } finally {
    opened.delete(at);
    forgetAnswers();
  }
}

/** Nothing is opened any more: a process that answers several requests reads for each what that one names. */
export function closeAll(): void {
  opened.clear();
  forgetAnswers();
}

/** True for a path below one that is opened, wherever it leads. */
export function isBelowOpened(path: string): boolean {
  return openedAbove(path).length > 0;
}

/** Undefined for a path of the disk. */
function revisionAbove(path: string): OpenedPath | undefined {
  return [...opened.values()].find(({ at, tree }) => tree !== undefined && isIn(path, at));
}

/** Where the work tree has a path of a revision; any other path as it is. */
export function workTreePath(path: string): string {
  const { at, tree } = revisionAbove(path) ?? {};
  return at === undefined || tree?.original === undefined ? path : join(tree.original, relative(at, path));
}

/** The tree that has a path. */
export function treeOf(path: string): CheckoutTree {
  return revisionAbove(path)?.tree ?? diskTree;
}

/** A path with all links followed; one that is not there as it is written. */
export function realPathOf(path: string): string {
  const own = absolute(path);
  return realPathAt(own) ?? own;
}

/** Undefined for what is not there. @param path an absolute one */
function realPathAt(path: string): string | undefined {
  const tree = treeOf(path);
  const real = tree.realPath(path);
  recordPath(path, real, tree);
  return real;
}

/** True for something that is there, and that a checkout must not read. */
function isOutside(path: string): boolean {
  return !isInReach(path) && isThere(path);
}

function openedAbove(path: string): readonly OpenedPath[] {
  const own = absolute(path);
  return [...opened.values()].filter(({ at, real }) => isIn(own, at) || isIn(own, real));
}

function isInReach(path: string): boolean {
  const own = absolute(path);
  const real = realPathAt(own);
  return real !== undefined && remembered(answers().inReach, own, () => leadsInside(own, real));
}

function leadsInside(path: string, real: string): boolean {
  return openedAbove(path).some(
    (each) => isIn(real, each.real) && !relative(each.real, real).toLowerCase().split(sep).includes(".git"),
  );
}

/** A file that a user names: it may be anywhere, but a link below what is opened does not lead out. */
export function readNamed(path: string): Uint8Array {
  return isBelowOpened(path) ? readFile(path) : readAny(path);
}

/** A file that a checkout names. */
export function readFile(path: string): Uint8Array {
  if (isOutside(path)) throw refusal(path, outsideCode);
  // A pipe or a device may not end.
  if (kindOf(path) === "other") throw refusal(path, noFileCode);
  return readAny(path);
}

/** The code of the error about a path that leads out of what is opened. */
export const outsideCode = "EOUTSIDE";
const noFileCode = "ENOFILE";

function refusal(path: string, code: string): Error {
  return Object.assign(new Error(code), { path, code });
}

/** Some files have other bytes while some work is done. @param files by their real paths */
export async function withEdited<T>(
  files: ReadonlyMap<string, Uint8Array>,
  work: () => Promise<T>,
): Promise<T> {
  state.edited = files;
  try {
    return await work();
  } finally {
    state.edited = undefined;
  }
}

function readOnDisk(path: string): Uint8Array {
  const edited = state.edited && state.edited.get(realpathSync.native(path));
  if (edited !== undefined) return edited;
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

/** Why a file is not read. */
type InsideRefusal = "outside" | "not-a-file" | "unreadable";

/**
 * A file by its real path, if it is still in a directory. @param top of that, a real path
 * @param refusalOf a reason not to read so many bytes
 */
export function readInside<Refusal extends string>(
  path: string,
  top: string,
  refusalOf: (bytes: number) => Refusal | undefined,
): { readonly bytes: Uint8Array } | { readonly refused: Refusal | InsideRefusal } {
  let fd: number | undefined;
  try {
    realPathAt(path);
    if (treeOf(path) !== diskTree) {
      const bytes = readAny(path);
      const refused = refusalOf(bytes.length);
      return refused === undefined ? { bytes } : { refused };
    }
    // Opening a pipe would wait for its writer.
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    const refused = stat.isFile() ? refusalOf(stat.size) : "not-a-file";
    if (refused !== undefined) return { refused };
    return isOpenedInside(fd, path, top) ? { bytes: readAll(fd) } : { refused: "outside" };
  } catch {
    return { refused: "unreadable" };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * True if an open file is in a directory: a folder on the way may have become a link since its path was resolved.
 * @param listed where the system lists open files; without it the path is resolved again
 */
export function isOpenedInside(fd: number, path: string, top: string, listed = "/proc/self/fd"): boolean {
  const real = linkOnDisk(`${listed}/${fd}`);
  if (real !== undefined) return isIn(real, top);
  const [own, named] = [fstatSync(fd), statSync(path, { throwIfNoEntry: false })];
  const again = realPathOnDisk(path);
  return again !== undefined && isIn(again, top) && own.dev === named?.dev && own.ino === named.ino;
}

function linkOnDisk(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** A file that git has for itself, or that a user names: no checkout says which. */
export function readAny(path: string): Uint8Array {
  return treeOf(absolute(path)).read(path);
}

/** Links in a circle lead to nothing. */
function kindOf(path: string): PathKind | undefined {
  try {
    return treeOf(absolute(path)).kindOf(path);
  } catch (error) {
    if (codeOf(error) === "ELOOP") return undefined;
    throw error;
  }
}

/** True for what a user names, if it is there. */
export function isThere(path: string): boolean {
  return treeOf(absolute(path)) === diskTree ? isOnDisk(path) : kindOf(path) !== undefined;
}

/** The same, if it is a directory. */
export function isThereAsDirectory(path: string): boolean {
  return kindOf(path) === "directory";
}

/** The same, if it is a file. */
export function isThereAsFile(path: string): boolean {
  return kindOf(path) === "file";
}

export function existsSync(path: string): boolean {
  return isInReach(path);
}

export function isDirectory(path: string): boolean {
  return isInReach(path) && kindOf(path) === "directory";
}

export function isFile(path: string): boolean {
  return isInReach(path) && kindOf(path) === "file";
}

/** What a link says; undefined for anything else. */
export function linkAt(path: string): string | undefined {
  const own = absolute(path);
  realPathAt(own);
  return treeOf(own).linkAt(own);
}

/** The names in a directory, sorted. */
export function namesAt(directory: string): readonly string[] {
  return entriesIn(directory).map(({ name }) => name);
}

/** What is in a directory, sorted by name. A link that leads out is not there. */
export function entriesIn(directory: string): readonly TreeEntry[] {
  if (isOutside(directory)) return [];
  const entries = treeOf(absolute(directory))
    .list(directory)
    .filter((each) => each.kind !== "link" || !isOutside(join(directory, each.name)))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  recordList(realPathOf(directory), entries);
  return entries;
}

/** True for a file, and for a link to one: no repository has a pipe, and a link to a folder is no file. */
export function isFileAt(path: string, { kind }: TreeEntry): boolean {
  return kind === "file" || (kind === "link" && isFile(path));
}

/** The files in a directory and below. @param isEntered true for a directory that is looked into */
export function filesBelow(
  directory: string,
  isEntered: (entry: TreeEntry, path: string) => boolean,
): readonly string[] {
  return entriesIn(directory).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.kind !== "directory") return [path];
    return isEntered(entry, path) ? filesBelow(path, isEntered) : [];
  });
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
  const path = relative(revisionAbove(String(error.path))?.at ?? ".", String(error.path)) || ".";
  return `\`${path}\` ${reasons.get(codeOf(error) ?? "") ?? `cannot be read (${codeOf(error)})`}`;
}

/** Undefined for what cannot be read: what needs it reports that. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (pathFault(error) === undefined) throw error;
    return undefined;
  }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist"],
  ["EACCES", "cannot be read: permission denied"],
  ["ENOTDIR", "does not exist: a part of its path is a file"],
  [outsideCode, "leads out of the repository"],
  [noFileCode, "is no file"],
  ["ENAMETOOLONG", "is too long for the name of a file"],
]);
