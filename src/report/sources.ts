// From an offset in the input to what the user wrote: a file of several, a document of a stream, a line.
import type { Diagnostic, Position, SourcePlace } from "../diagnostic.ts";
import { bufferOf, lineIndex } from "../yaml/index.ts";
import { splitStream } from "../krm/index.ts";

/** A part of the input that was a file of its own. */
export interface SourceFile {
  /** Absent for stdin. */
  readonly name?: string;
  /** Where it starts in the input, in bytes. */
  readonly start: number;
}

/** Diagnostics with the places of a plain stream found; a resource list is not a file of the user. */
export function located(
  diagnostics: readonly Diagnostic[],
  input: Uint8Array,
  files: readonly SourceFile[] = [{ start: 0 }],
): readonly Diagnostic[] {
  const hasOffset = diagnostics.some(({ at, also = [] }) =>
    [at, ...also].some((each) => each?.offset !== undefined),
  );
  if (!hasOffset) return diagnostics;
  const placeOf = placesIn(input, files);
  const find = (position: Position): Position => {
    const { offset } = position;
    return offset === undefined ? position : { ...position, source: placeOf(offset) };
  };
  return diagnostics.map((diagnostic) => {
    const { at, also } = diagnostic;
    return {
      ...diagnostic,
      ...(at === undefined ? {} : { at: find(at) }),
      ...(also === undefined ? {} : { also: also.map(find) }),
    };
  });
}

/** Finds what the user wrote at an offset of the input. */
export function placesIn(
  input: Uint8Array,
  files: readonly SourceFile[] = [{ start: 0 }],
): (offset: number) => SourcePlace {
  const lineOf = lineIndex(input);
  const documents = splitStream(bufferOf(input)).map(({ start }) => start);
  return (offset) => {
    const found = lastAtMost(files.length, offset, (index) => files[index]?.start ?? 0);
    const { name, start } = files[found] ?? { start: 0 };
    const end = files[found + 1]?.start ?? Number.POSITIVE_INFINITY;
    const before = (limit: number): number =>
      lastAtMost(documents.length, limit, (index) => documents[index] ?? 0) + 1;
    const [first, last] = [before(start - 1), before(end - 1)];
    const { line, column } = lineOf(offset);
    return {
      ...(name === undefined ? {} : { file: name }),
      ...(last - first < 2 ? {} : { document: Math.max(1, before(offset) - first) }),
      line: line - lineOf(start).line + 1,
      column,
    };
  };
}

/** Index of the last of some ascending numbers that is not above a limit; -1 if all are. */
function lastAtMost(count: number, limit: number, at: (index: number) => number): number {
  let [low, high] = [-1, count];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(middle) <= limit) low = middle;
    else high = middle;
  }
  return low;
}
