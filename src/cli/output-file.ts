// Writes files that the user names. Each is made next to the earlier one and takes its place whole, so a reader never finds
// half of it, and a failure leaves the earlier one as it was.
import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { resolve } from "node:path";
import { codeOf, forgetAnswers, UsageError } from "../sources/index.ts";
import { writeAll } from "./stdio.ts";

/** @param name the file as the user names it, seen from `directory` */
export function writeOutput(directory: string, name: string, parts: readonly Uint8Array[]): void {
  const path = resolve(directory, name);
  const [, own] = /^\/(?:dev|(?:dev|proc\/self)\/fd)\/(stdout|stderr|[0-9]+)$/.exec(path) ?? [];
  if (own === "stdout" || own === "1") return writeAll(1, parts);
  if (own === "stderr" || own === "2") return writeAll(2, parts);
  writing(name, () => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) throw new UsageError(`\`${name}\` is a directory`, "name a file in it");
    const isWhole = own === undefined && (stat === undefined ? !isLink(path) : stat.isFile());
    if (isWhole) replaceFiles([{ path: stat === undefined ? path : realpathSync(path), parts }]);
    else writeInto(path, parts);
  });
}

/** True if two names mean one file that exists. */
export function isSameFile(directory: string, ...names: readonly [string, string]): boolean {
  const [first, second] = names.map((name) => resolve(directory, name));
  if (first === undefined || second === undefined || !existsSync(first) || !existsSync(second)) return false;
  return realpathSync(first) === realpathSync(second);
}

/** Work that writes a file or a directory: a fault of it says what is wrong with that place. */
export function writing(name: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const [reason, hint] = writeFault(error);
    throw new UsageError(`cannot write \`${name}\`: ${reason}`, hint);
  } finally {
    forgetAnswers();
  }
}

/** Why something cannot be written, and what to do about it. */
export function writeFault(error: unknown): readonly [reason: string, hint: string] {
  const code = codeOf(error) ?? "unknown";
  return writeFaults.get(code) ?? [`the system says ${code}`, "name a file in a directory that exists"];
}

const elsewhere = "name a file in a directory that you may write to";

const writeFaults: ReadonlyMap<string, readonly [reason: string, hint: string]> = new Map([
  ["ENOENT", ["its directory does not exist", "make the directory, or name a file in one that exists"]],
  ["ENOTDIR", ["a part of its path is a file", "name a file in a directory that exists"]],
  ["EACCES", ["permission denied", elsewhere]],
  ["EPERM", ["permission denied", elsewhere]],
  ["EROFS", ["the disk is read-only", elsewhere]],
  ["ENOSPC", ["the disk is full", "free some space, or write to another disk"]],
  ["EFBIG", ["a file may not be that large here", "raise the limit of the shell: ulimit -f"]],
  ["EDQUOT", ["the quota of the disk is used up", "free some space, or write to another disk"]],
  ["ELOOP", ["its links lead in a circle", "correct the links, or name another file"]],
  ["ENAMETOOLONG", ["its name is too long", "name another file"]],
]);

export interface WrittenFile {
  readonly path: string;
  readonly parts: readonly Uint8Array[];
}

/** Writes all files, or none: they take their places once all are made. Links in these places are replaced, not followed. */
export function replaceFiles(files: readonly WrittenFile[]): void {
  const drafts = files.map((file) => ({ ...file, draft: `${file.path}.${randomUUID()}.part` }));
  try {
    for (const { path, draft, parts } of drafts) writeDraft(draft, modeOf(path), parts);
    for (const { path, draft } of drafts) renameSync(draft, path);
  } finally {
    for (const { draft } of drafts) rmSync(draft, { force: true });
  }
}

function modeOf(path: string): number | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.mode : undefined;
}

function writeDraft(draft: string, mode: number | undefined, parts: readonly Uint8Array[]): void {
  const fd = openSync(draft, "wx");
  try {
    if (mode !== undefined) fchmodSync(fd, mode);
    writeAll(fd, parts);
  } finally {
    closeSync(fd);
  }
}

/** True for a link to nothing, too: it stays a link, and what it leads to is made. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** A pipe, a device, and a descriptor that is open: they are not replaced, and keep what they have. */
function writeInto(path: string, parts: readonly Uint8Array[]): void {
  const fd = openSync(path, "a");
  try {
    writeAll(fd, parts);
  } finally {
    closeSync(fd);
  }
}
