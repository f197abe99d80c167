// Writes the file that the user names. It is made next to the earlier one and takes its place whole, so a reader never finds
// half of it, and a failure leaves the earlier one as it was.
import { randomUUID } from "node:crypto";
import { closeSync, fchmodSync, openSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "./io.ts";
import { codeOf, writeAll } from "./stdio.ts";

/** @param name the file as the user names it, seen from `directory` */
export function writeOutput(directory: string, name: string, parts: readonly Uint8Array[]): void {
  try {
    const path = resolve(directory, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) throw new UsageError(`\`${name}\` is a directory`, "name a file in it");
    if (stat === undefined || stat.isFile())
      replace(stat === undefined ? path : realpathSync(path), stat?.mode, parts);
    else writeInto(path, parts);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = codeOf(error) ?? "unknown";
    throw new UsageError(`cannot write \`${name}\` (${code})`, "name a file in a directory that exists");
  }
}

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

/** A pipe or a device is not replaced. */
function writeInto(path: string, parts: readonly Uint8Array[]): void {
  const fd = openSync(path, "w");
  try {
    writeAll(fd, parts);
  } finally {
    closeSync(fd);
  }
}
