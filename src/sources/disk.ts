// Files and directories on this disk, and why one cannot be read. Pipes may be non-blocking (EAGAIN), short and slow.
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { relative } from "node:path";

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

export function readFile(path: string): Uint8Array {
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

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
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
  ["ENAMETOOLONG", "is too long for the name of a file"],
]);
