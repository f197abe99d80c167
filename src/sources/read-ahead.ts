// Readings of many things, in their order: as many at a time as there are cores, as the engine builds while results are read.
import { availableParallelism } from "node:os";

/** What fails is reported in its turn, and nothing after it is given. */
export async function* readAhead<Item, Result>(
  items: readonly Item[],
  read: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result> {
  const open: Promise<Result>[] = [];
  for (const [index, item] of items.entries()) {
    const reading = read(item, index);
    // It may fail while an earlier one is waited for.
    reading.catch(() => undefined);
    open.push(reading);
    if (open.length >= availableParallelism()) yield (await open.shift()) as Result;
  }
  for (const reading of open) yield await reading;
}
