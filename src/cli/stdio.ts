// Reading and writing file descriptors whole. Pipes may be non-blocking (EAGAIN), short and slow; a
// truncated list is often still valid YAML, and orchestrators delete what is missing from it.
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

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
  } finally {
    closeSync(fd);
  }
}

/** Writes all parts, however slowly they are taken. Throws EPIPE if the reader has gone. */
export function writeAll(fd: number, parts: readonly Uint8Array[]): void {
  for (const part of parts) {
    for (let written = 0; written < part.length;) {
      written += retrying(() => writeSync(fd, part, written, part.length - written));
    }
  }
}

function retrying(call: () => number): number {
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
