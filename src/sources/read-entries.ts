// Many entries, read one by one in their order: several at a time, as kustomize uses one core for each.
import { availableParallelism } from "node:os";
import { pathFault } from "./disk.ts";
import type { CheckoutEntry, Input, WantedParts } from "./entry.ts";
import { pathHint } from "./path-hint.ts";
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
  const most = availableParallelism();
  const open: Promise<CheckoutInput>[] = [];
  let done = 0;
  const show = (): void => {
    const of = entries.length > 1 ? ` (${done + 1} of ${entries.length})` : "";
    const entry = entries[done];
    if (entry !== undefined) progress?.(`building ${legible(entry.name)}${of}`);
    done++;
  };
  for (const entry of entries) {
    const reading = readEntry(entry, wanted);
    // One may fail while an earlier one is waited for: it is reported in its turn.
    reading.catch(() => undefined);
    open.push(reading);
    if (open.length < most || all.length === 1) continue;
    show();
    yield (await open.shift()) as CheckoutInput;
  }
  for (const reading of open) {
    show();
    const read = await reading;
    if (all.length === 1 && read.input instanceof UsageError) throw read.input;
    yield read;
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
    return { name, input: await read(wanted) };
  } catch (error) {
    const fault = pathFault(error);
    const mistake = fault === undefined ? error : new UsageError(fault, pathHint(error));
    if (mistake instanceof UsageError) return { name, input: mistake, isGuess };
    throw mistake;
  }
}
