// Writing file descriptors whole. Pipes may be non-blocking (EAGAIN), short and slow; a
// truncated list is often still valid YAML, and orchestrators delete what is missing from it.
import { fstatSync, writeSync } from "node:fs";
import { retrying } from "../sources/index.ts";

/** True for a terminal, and for some other devices, such as /dev/null. */
export function isDevice(fd: number): boolean {
  return fstatSync(fd).isCharacterDevice();
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
