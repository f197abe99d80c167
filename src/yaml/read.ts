// Bytes → document. The fast reader takes plain text; whatever it refuses goes to the library, which also reports
// what is wrong. Both deliver the same rows.
import { readFast } from "./fast-reader.ts";
import type { ReadFault } from "./fault.ts";
import { readByLibrary } from "./by-library.ts";
import type { Document, Region } from "./tape.ts";

/** Reads the first YAML document of a region. Never throws on any input; says where reading failed. */
export function readDocument(bytes: Uint8Array, region?: Region): Document | ReadFault {
  const buffer = bufferOf(bytes);
  const all = region ?? { start: 0, end: buffer.length };
  const fast = readFast(buffer, all);
  return "refused" in fast ? readByLibrary(buffer, all) : fast;
}

export function isFault(outcome: Document | ReadFault): outcome is ReadFault {
  return "code" in outcome;
}

/** The same bytes, with the methods of a Buffer. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
