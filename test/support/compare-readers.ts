// The fast reader against the library's: for whatever it accepts, the documents must be equal in every field.
import { isDeepStrictEqual } from "node:util";
import type { Refusal } from "../../src/yaml/fast-reader.ts";
import { readByLibrary } from "../../src/yaml/library-reader.ts";
import { bufferOf, isFault } from "../../src/yaml/read.ts";
import type { Document, Region } from "../../src/yaml/tape.ts";

export type FastReader = (bytes: Buffer, region: Region) => Document | Refusal;

export interface Comparison {
  /** What the fast reader made of it: a document, or why not. */
  readonly fast: Document | Refusal;
  /** Undefined if the two agree. */
  readonly difference?: string;
}

export function compareReaders(read: FastReader, input: Uint8Array, region: Region): Comparison {
  const bytes = bufferOf(input);
  const fast = read(bytes, region);
  if ("refused" in fast) return { fast };
  const library = readByLibrary(bytes, region);
  if (isFault(library)) return { fast, difference: `the library refuses it: ${library.message}` };
  const { plain: _, isTidy: __, ...rest } = fast;
  for (const [name, value] of Object.entries(library)) {
    if (name === "bytes" ? value === bytes : same(value, rest[name as keyof typeof rest])) continue;
    return { fast, difference: `${name} differ: library ${show(value)}, fast ${show(rest[name as never])}` };
  }
  const extra = Object.keys(rest).length !== Object.keys(library).length;
  return extra ? { fast, difference: "other fields than the library's" } : { fast };
}

function same(one: unknown, other: unknown): boolean {
  if (!(one instanceof Int32Array) || !(other instanceof Int32Array)) return isDeepStrictEqual(one, other);
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

function show(value: unknown): string {
  return value instanceof Int32Array ? `[${value.join(",")}]` : JSON.stringify(value);
}
