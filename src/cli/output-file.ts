// Writes the file that the user names. It is made next to the earlier one and takes its place whole, so a reader never finds
// half of it, and a failure leaves the earlier one as it was.
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "./io.ts";
import { codeOf, writeAll } from "./stdio.ts";

/** @param name the file as the user names it, seen from `directory` */
export function writeOutput(directory: string, name: string, parts: readonly Uint8Array[]): void {
  writing(name, () => {
    const path = resolve(directory, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) throw new UsageError(`\`${name}\` is a directory`, "name a file in it");
    if (stat?.isFile() === true) replace(realpathSync(path), stat.mode, parts);
    else if (stat === undefined && !isLink(path)) replace(path, undefined, parts);
    else writeInto(path, parts);
  });
}

/** Work that writes a file or a directory: a fault of it says what is wrong with that place. */
export function writing(name: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const [reason, hint] = writeFault(error);
    throw new UsageError(`cannot write \`${name}\`: ${reason}`, hint);
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
  ["EDQUOT", ["the quota of the disk is used up", "free some space, or write to another disk"]],
  ["ELOOP", ["its links lead in a circle", "correct the links, or name another file"]],
  ["ENAMETOOLONG", ["its name is too long", "name another file"]],
]);

function replace(path: string, mode: number | undefined, parts: readonly Uint8Array[]): void {
  const draft = `${path}.${randomUUID()}.part`;
  try {
    const fd = openSync(draft, "wx");
    try {
      if (mode !== undefined) fchmodSync(fd, mode);
      writeAll(fd, parts);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** True for a link to nothing, too: it stays a link, and what it leads to is made. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** A pipe or a device is not replaced. */
function writeInto(path: string, parts: readonly Uint8Array[]): void {
  const fd = openSync(path, "w");
  try {
    writeAll(fd, parts);
  } finally {
    closeSync(fd);
  }
}
