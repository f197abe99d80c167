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

/** True for a terminal, and for some other devices, such as /dev/null. */
export function isDevice(fd: number): boolean {
  return fstatSync(fd).isCharacterDevice();
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

/** Parts smaller than this are written together: a call costs more than a copy. */
const smallBytes = 16 * 1024;
const slabBytes = 256 * 1024;

/** Writes all parts, however slowly they are taken. Throws EPIPE if the reader has gone. */
export function writeAll(fd: number, parts: readonly Uint8Array[]): void {
  const total = parts.reduce((sum, { length }) => sum + length, 0);
  const slab = Buffer.allocUnsafe(Math.min(total, slabBytes));
  let used = 0;
  const flush = (): void => {
    writeFully(fd, slab.subarray(0, used));
    used = 0;
  };
  for (const part of parts) {
    if (used + part.length > slab.length || part.length > smallBytes) flush();
    if (part.length > smallBytes) writeFully(fd, part);
    else {
      slab.set(part, used);
      used += part.length;
    }
  }
  flush();
}

function writeFully(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;)
    written += retrying(() => writeSync(fd, bytes, written, bytes.length - written));
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
