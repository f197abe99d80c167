// From an offset in the input to what the user wrote: a file of several, a document of a stream, a line.
import type { Diagnostic, Position, SourcePlace } from "../diagnostic.ts";
import { bufferOf } from "../yaml/read.ts";
import { lineIndex } from "../yaml/tape.ts";
import { splitStream } from "../wire/scan.ts";

/** A part of the input that was a file of its own. */
export interface SourceFile {
  /** Absent for stdin. */
  readonly name?: string;
  /** Where it starts in the input, in bytes. */
  readonly start: number;
}

/** Diagnostics with the places of a plain stream found; a resource list is nobody's file. */
export function located(
  diagnostics: readonly Diagnostic[],
  input: Uint8Array,
  files: readonly SourceFile[] = [{ start: 0 }],
): readonly Diagnostic[] {
  const isTold = diagnostics.some(({ at, also = [] }) =>
    [at, ...also].some((each) => each?.offset !== undefined),
  );
  if (!isTold) return diagnostics;
  const sources = new Sources(input, files);
  return diagnostics.map((diagnostic) => {
    const { at, also } = diagnostic;
    return {
      ...diagnostic,
      ...(at === undefined ? {} : { at: sources.find(at) }),
      ...(also === undefined ? {} : { also: also.map((each) => sources.find(each)) }),
    };
  });
}

class Sources {
  private readonly lineOf: ReturnType<typeof lineIndex>;
  private readonly documents: readonly number[];
  private readonly files: readonly SourceFile[];

  constructor(input: Uint8Array, files: readonly SourceFile[]) {
    this.lineOf = lineIndex(input);
    this.documents = splitStream(bufferOf(input)).map(({ start }) => start);
    this.files = files;
  }

  find(position: Position): Position {
    const { offset } = position;
    return offset === undefined ? position : { ...position, source: this.placeOf(offset) };
  }

  private placeOf(offset: number): SourcePlace {
    const found = this.files.findLastIndex(({ start }) => start <= offset);
    const { name, start } = this.files[found] ?? { start: 0 };
    const end = this.files[found + 1]?.start ?? Number.POSITIVE_INFINITY;
    const own = this.documents.filter((each) => each >= start && each < end);
    const { line, column } = this.lineOf(offset);
    return {
      ...(name === undefined ? {} : { file: name }),
      ...(own.length < 2 ? {} : { document: Math.max(1, own.filter((each) => each <= offset).length) }),
      line: line - this.lineOf(start).line + 1,
      column,
    };
  }
}
