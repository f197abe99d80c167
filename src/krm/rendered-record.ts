// The record of a rendered item: the files that it was made from, the source line of each of its lines, and the lines of
// values that are overridden.
// Never a value.

/** Lines from one line of the text up to the next segment: a file, and its line where one is known. */
export interface LineSegment {
  /** 1-based, in the text of the item. */
  readonly line: number;
  readonly file: string;
  /** The line of the file; the lines that follow increase with it, unless it is fixed. */
  readonly from?: number;
  readonly isFixed?: boolean;
}

/** A place of a value that the one at a line of the text overrides. */
export interface OverriddenLine {
  readonly line: number;
  readonly file: string;
  readonly from?: number;
}

/** Kubernetes bounds all annotations of an object together to 256 KiB. */
const mostBytes = 64 * 1024;

/**
 * The annotation's text: `{"files": […], "lines": [[line, file, from], …], "over": [[line, file, from], …]}`; `from` is 0 for
 * no line, and negative for a fixed one. Overridden values of one line are highest first.
 */
export function writeRendered(
  files: readonly string[],
  segments: readonly LineSegment[],
  overridden: readonly OverriddenLine[] = [],
): string {
  const all = [...new Set([...files, ...[...segments, ...overridden].map(({ file }) => file)])];
  const numbers = new Map(all.map((file, index) => [file, index]));
  const lines = segments.map(({ line, file, from = 0, isFixed }) => [
    line,
    numbers.get(file) ?? 0,
    isFixed === true ? -from : from,
  ]);
  const over = overridden.map(({ line, file, from = 0 }) => [line, numbers.get(file) ?? 0, from]);
  const forms = [...(over.length === 0 ? [] : [{ files: all, lines, over }]), { files: all, lines }];
  const whole = forms.map((form) => JSON.stringify(form)).find((text) => text.length <= mostBytes);
  return whole ?? JSON.stringify({ files: all, lines: [] });
}

/** For a sealed item: digests of the ciphertext that went into it (absent if plain text did), and of its own ciphertext. */
export interface SealRecord {
  readonly inputs: string | undefined;
  readonly digest: string;
}

/** A record with the digests of a seal. */
export function withSeal(record: string, seal: SealRecord): string {
  return JSON.stringify({ ...(JSON.parse(record) as object), seal });
}

export interface RenderedRecord {
  readonly files: readonly string[];
  readonly segments: readonly LineSegment[];
  readonly overridden: readonly OverriddenLine[];
  readonly seal?: Partial<SealRecord>;
}

/** Undefined for anything but a record: any user can write an annotation. */
export function readRendered(text: string): RenderedRecord | undefined {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { files, lines, over, seal } = (record ?? {}) as { readonly [field: string]: unknown };
  if (!Array.isArray(files) || !Array.isArray(lines)) return undefined;
  const names = files.filter((each): each is string => typeof each === "string");
  const segments = lines.flatMap((each) => segmentOf(each, names));
  const overridden = Array.isArray(over) ? over.flatMap((each) => segmentOf(each, names)) : [];
  return {
    files: names,
    segments,
    overridden,
    ...(typeof seal === "object" && seal !== null ? { seal } : {}),
  };
}

function segmentOf(entry: unknown, files: readonly string[]): LineSegment[] {
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
