// What a rendered item tells of itself: the files that it was made of, and which of its lines came from which of theirs.
// Never a value.

/** From a line of the text on, up to the next segment: a file, and its line where one is known. */
export interface Segment {
  /** 1-based, in the text of the item. */
  readonly line: number;
  readonly file: string;
  /** The line of the file; the lines that follow go along with it, unless it is fixed. */
  readonly from?: number;
  readonly isFixed?: boolean;
}

/** Kubernetes bounds all annotations of an object together to 256 KiB. */
const mostBytes = 64 * 1024;

/** As an annotation holds it: `{"files": […], "lines": [[line, file, from], …]}`; `from` 0 for no line, negative for a fixed one. */
export function writeRendered(files: readonly string[], segments: readonly Segment[]): string {
  const all = [...new Set([...files, ...segments.map(({ file }) => file)])];
  const numbers = new Map(all.map((file, index) => [file, index]));
  const lines = segments.map(({ line, file, from = 0, isFixed }) => [
    line,
    numbers.get(file) ?? 0,
    isFixed === true ? -from : from,
  ]);
  const whole = JSON.stringify({ files: all, lines });
  return whole.length > mostBytes ? JSON.stringify({ files: all, lines: [] }) : whole;
}

/** Of a sealed item: digests of the ciphertext that went into it (absent where plain text did), and of its own. */
export interface SealRecord {
  readonly inputs: string | undefined;
  readonly digest: string;
}

/** A record that tells of a seal, too. */
export function withSeal(record: string, seal: SealRecord): string {
  return JSON.stringify({ ...(JSON.parse(record) as object), seal });
}

export interface RenderedRecord {
  readonly files: readonly string[];
  readonly segments: readonly Segment[];
  readonly seal?: Partial<SealRecord>;
}

/** Undefined for anything but a record: an annotation is anyone's. */
export function readRendered(text: string): RenderedRecord | undefined {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { files, lines, seal } = (record ?? {}) as { readonly [field: string]: unknown };
  if (!Array.isArray(files) || !Array.isArray(lines)) return undefined;
  const names = files.filter((each): each is string => typeof each === "string");
  const segments = lines.flatMap((each) => segmentOf(each, names));
  return { files: names, segments, ...(typeof seal === "object" && seal !== null ? { seal } : {}) };
}

function segmentOf(entry: unknown, files: readonly string[]): Segment[] {
  if (!Array.isArray(entry) || !entry.every((each) => Number.isSafeInteger(each))) return [];
  const [line = 0, index = -1, from = 0] = entry as number[];
  const file = files[index];
  if (file === undefined || line < 1) return [];
  return [{ line, file, ...(from === 0 ? {} : { from: Math.abs(from), isFixed: from < 0 }) }];
}

/** Where a line of the item's text came from. */
export function originAt(
  { segments }: RenderedRecord,
  line: number,
): { file: string; line?: number } | undefined {
  const found = segments.findLast((segment) => segment.line <= line);
  if (found === undefined) return undefined;
  const { file, from, isFixed } = found;
  if (from === undefined) return { file };
  return { file, line: isFixed === true ? from : from + line - found.line };
}
