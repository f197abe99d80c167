// Many entries, read one by one in their order.
import { pathFault } from "./disk.ts";
import type { CheckoutEntry, Input, WantedParts } from "./entry.ts";
import { pathHint } from "./path-hint.ts";
import { readAhead } from "./read-ahead.ts";
import { legible } from "../report/index.ts";
import { UsageError } from "./usage-error.ts";

/** An entry that was read. Among several, one that cannot be read has its failure in place of an input. */
export interface CheckoutInput {
  readonly name: string;
  readonly input: Input | UsageError;
  /** True if nothing says that it is built. */
  readonly isGuess?: boolean | undefined;
}

/**
 * Without entries that cannot have what is wanted.
 *
 * @param progress shows a line on a terminal
 */
export async function* readEntries(
  all: readonly CheckoutEntry[],
  wanted: WantedParts | undefined,
  progress: ((line: string) => void) | undefined,
): AsyncGenerator<CheckoutInput> {
  const entries = withTarget(all, wanted);
  const read = (entry: CheckoutEntry, index: number): Promise<CheckoutInput> => {
    const of = entries.length > 1 ? ` (${index + 1} of ${entries.length})` : "";
    progress?.(`building ${legible(entry.name)}${of}`);
    return readEntry(entry, wanted);
  };
  for await (const each of readAhead(entries, read)) {
    if (all.length === 1 && each.input instanceof UsageError) throw each.input;
    yield each;
  }
}

function withTarget(
  all: readonly CheckoutEntry[],
  wanted: WantedParts | undefined,
): readonly CheckoutEntry[] {
  if (wanted === undefined || !("target" in wanted)) return all;
  return all.filter(({ mayMake }) => mayMake?.(wanted.target) !== false);
}

/** One that cannot be read has its failure in place of an input. */
async function readEntry(
  { name, read, isGuess }: CheckoutEntry,
  wanted: WantedParts | undefined,
): Promise<CheckoutInput> {
  try {
    return { name, input: await read(wanted), isGuess };
  } catch (error) {
    const fault = pathFault(error);
    const mistake = fault === undefined ? error : new UsageError(fault, pathHint(error));
    if (mistake instanceof UsageError) return { name, input: mistake, isGuess };
    throw mistake;
  }
}
