// The record of a fault. Faults are made deep inside as data and
// rendered once, at the edge. A message never holds a value, only names, kinds and positions.
import type { faultCodes } from "./fault-codes.ts";

/** What went wrong. */
type DiagnosticCode = keyof typeof faultCodes;

type Severity = "error" | "warning" | "info";

/** An item by name, as messages and KRM results spell it. */
export interface ItemRef {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  /** Path of the file the item came from, if the orchestrator gives it. */
  readonly file?: string;
}

/** A place in a text: 1-based line and column (in bytes), `text` says of what ("ConfigMap/a values"). */
export interface Position {
  readonly text: string;
  readonly file?: string;
  /** True where `text` is a file's name: line and column count in it. */
  readonly isFile?: true;
  readonly line?: number;
  readonly column?: number;
  /** The layer's target and priority: `layer of App/x, priority 75`. */
  readonly role?: string;
  /** The instance of a render: the app that has the fault, or that was missed. */
  readonly instance?: string;
  /** Offset in the input, in bytes; absent for text that is not in the input. */
  readonly offset?: number;
  /** The same in the file that was named, or in the stream: 1-based. */
  readonly source?: SourcePlace;
}

/** A place in a file, or in the stream that came in. */
export interface SourcePlace {
  /** Absent for what came by stdin. */
  readonly file?: string;
  /** Number of the YAML document, where there are several. */
  readonly document?: number;
  readonly line: number;
  readonly column: number;
}

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** Lower-case, one clause, identifiers in backticks. */
  readonly message: string;
  /** Why that is so, or what follows from it: another clause. */
  readonly reason?: string;
  /** The cure. */
  readonly hint?: string;
  readonly at?: Position;
  /** Other places that contributed. */
  readonly also?: readonly Position[];
  /** Path of the field in `item`, e.g. `spec.extraConfigs[2].priority`. */
  readonly field?: string;
  readonly item?: ItemRef;
}

/** Where stages report to; `error` stops the flow before anything is written. */
export interface Reporter {
  report(diagnostic: Diagnostic): void;
}

export function formatPosition(position: Position): string {
  const line = position.line === undefined ? "" : `:${position.line}`;
  const column = position.column === undefined ? "" : `:${position.column}`;
  const role = position.role === undefined ? "" : ` (${position.role})`;
  // The input has no name of its own.
  if (position.text === "input" && position.source !== undefined)
    return `${formatSource(position).replace(/^ in /, "")}${role}`;
  return `${position.text}${line}${column}${formatSource(position)}${role}`;
}

function formatSource({ file, source }: Position): string {
  if (source?.file !== undefined) return ` in ${source.file}:${source.line}:${source.column}`;
  const inFile = file === undefined ? "" : ` in ${file}`;
  if (source === undefined) return inFile;
  const number = source.document === undefined ? "" : ` (document ${source.document})`;
  return `${inFile} in line ${source.line} of the input${number}`;
}

/** Kubernetes takes no longer ones. */
const longestName = 253;

/** "did you mean" for closed sets of names: the nearest within a third of the length, or nothing. */
export function nearest(
  name: string,
  among: Iterable<string>,
  mostEdits = Math.max(2, Math.ceil(name.length / 3)),
): string | undefined {
  if (name.length > longestName) return undefined;
  let best: string | undefined;
  let distance = mostEdits + 1;
  for (const candidate of among) {
    if (Math.abs(name.length - candidate.length) >= distance) continue;
    if (mostEdits > 0 && isSwapped(name, candidate)) return candidate;
    const found = editDistance(name, candidate, distance);
    if (found < distance) [best, distance] = [candidate, found];
  }
  return best;
}

/** A hint: the name that was probably meant, or another cure. */
export function meantOr(near: string | undefined, otherwise: string): string {
  return near === undefined ? otherwise : `did you mean \`${near}\`?`;
}

/**
 * The name that was meant where names are alike by nature: a letter or two differ, and more than a number does, as names
 * that differ in a number are different on purpose.
 */
export function slipOf(name: string, among: Iterable<string>): string | undefined {
  const stem = name.replace(/\.[a-z]+$/, "");
  const plain = withoutDigits(name);
  const others = [...among].filter((each) => withoutDigits(each) !== plain);
  return nearest(name, others, Math.min(2, Math.floor(stem.length / 4)));
}

/** True for two names that differ in two swapped characters next to each other. */
export function isSwapped(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const isEqual = at === one.length;
  return !isEqual && `${one.slice(0, at)}${one[at + 1]}${one[at]}${one.slice(at + 2)}` === other;
}

function withoutDigits(name: string): string {
  return name.replaceAll(/[0-9]/g, "0");
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  let beforePrevious = previous;
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? (beforePrevious[j - 2] ?? 0) + 1 : limit;
      current.push(Math.min(replaced, exchanged, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[b.length] ?? limit;
}

/** The most suggestions of a run: each takes time, and a user with more faults than that needs no more hints. */
const mostSuggestions = 50;

/** "did you mean" in a long list: looked for a few times only, so that a broken list costs no more than a sound one. */
export class Suggestions {
  private left = mostSuggestions;

  /** True once no more are made. */
  get isSpent(): boolean {
    return this.left <= 0;
  }

  nearest(name: string, among: () => Iterable<string>, find = nearest): string | undefined {
    return this.left-- > 0 ? find(name, among()) : undefined;
  }
}
