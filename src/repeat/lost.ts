// Clones and templates whose Repeat somebody took out of the list: they stay, and nobody makes or prunes them any more.
import type { Diagnostic } from "../diagnostic.ts";
import { Mark } from "../wire/annotation-names.ts";
import { isFromKpt } from "../wire/comments.ts";
import { describe, type Item, refOf } from "../wire/item.ts";
import { placeOf } from "../wire/place.ts";
import { isRepeat } from "./is-repeat.ts";
import { readCloneRecord, readListRecords, readTemplateRecord } from "./record.ts";
import { repeatOf } from "./repeat-of.ts";

type Mark = (typeof marks)[number];

const marks = [Mark.templateOf, Mark.repeatedFrom, Mark.repeatedLists] as const;

/** A warning for each item. A pipeline drops Repeats at its end, where clones are items like any other: nothing for these. */
export function lostIn(items: readonly Item[]): Diagnostic[] {
  const made = items.filter(
    ({ annotations }) => annotations.size > 0 && marks.some((mark) => annotations.has(mark)),
  );
  if (made.length === 0) return [];
  const repeats = items.filter(isRepeat);
  // kpt drops nothing, and what is local-config goes all at once.
  const isMidway =
    repeats.length > 0 || made.some((item) => item.annotations.has(Mark.templateOf) || isFromKpt(item));
  if (!isMidway) return [];
  return made.flatMap((item) => {
    const mark = marks.find((each) => isLost(item, each, repeats));
    return mark === undefined ? [] : [lost(item, mark)];
  });
}

/**
 * The same in a plain stream, where a Repeat may rightly be gone and its clones stay. Its templates go with it: those that
 * are there without any Repeat tell that one was taken out, and which.
 */
export function lostInStream(items: readonly Item[]): Diagnostic[] {
  if (items.some(isRepeat)) return [];
  const gone = new Set(items.flatMap((item) => readTemplateRecord(item)?.repeat ?? []));
  if (gone.size === 0) return [];
  return lostIn(items.filter((item) => recordsOf(item).some(({ repeat }) => gone.has(repeat))));
}

/** What is noted on an item of the Repeats that made it, or that have it for a template. */
function recordsOf(item: Item): readonly { readonly repeat: string }[] {
  const single = [readTemplateRecord(item), readCloneRecord(item)].filter((each) => each !== undefined);
  return [...single, ...(readListRecords(item) ?? [])];
}

function isLost(item: Item, mark: Mark, repeats: readonly Item[]): boolean {
  if (!item.annotations.has(mark)) return false;
  // A Repeat may have another name since, and marks its templates anew with each run.
  if (mark === Mark.templateOf) return repeats.length === 0;
  const clone = readCloneRecord(item);
  const records = mark === Mark.repeatedLists ? readListRecords(item) : clone === undefined ? [] : [clone];
  return (records ?? []).some((record) => repeatOf(item, record, repeats) === undefined);
}

function lost(item: Item, mark: Mark): Diagnostic {
  const [what, cure, off = `the annotation \`${mark}\``] = words[mark];
  return {
    code: "repeat-stale",
    severity: "warning",
    item: refOf(item),
    at: placeOf(item),
    message: `\`${describe(item)}\` ${what} a Repeat that is not in the list`,
    hint: `${cure}, bring the Repeat back, or take ${off} off it`,
  };
}

const words: Readonly<Record<Mark, readonly [what: string, cure: string, off?: string]>> = {
  [Mark.templateOf]: [
    "is the template of",
    "delete it",
    `the annotations \`${Mark.templateOf}\` and \`${Mark.localConfig}\``,
  ],
  [Mark.repeatedFrom]: ["is a clone of", "delete it"],
  [Mark.repeatedLists]: ["holds elements that were made by", "take them out of its lists"],
};
