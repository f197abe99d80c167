// Repeats and templates are never applied: they are removed, or stay under kpt for the next run. A warning for
// clones and templates that stay without their Repeat.
import type { Diagnostic } from "../diagnostic.ts";
import {
  annotate,
  childOf,
  describe,
  type Edit,
  isFromKpt,
  isRepeat,
  type Item,
  Mark,
  metadataOf,
  removeEntries,
  removeItems,
  withoutComments,
} from "../core/index.ts";
import { fail, type Failure, faultOf } from "./faults.ts";
import type { Repeat } from "./model.ts";
import type { RepeatRun } from "./planned-clones.ts";
import { readCloneRecord, readListRecords, readTemplateRecord, repeatOf, writeRecord } from "./record.ts";

/** A fault for an empty output, which would look like a broken pipe. */
export function nothingLeft(
  templates: ReadonlyMap<Item, Repeat>,
  { envelope, repeats, outputIsNextInput }: RepeatRun,
): Failure | undefined {
  const [repeat] = repeats;
  const remains = (item: Item): boolean => !isRepeat(item) && !templates.has(item);
  if (repeat === undefined || outputIsNextInput || envelope.items.some(remains)) return undefined;
  return fail(
    "repeat-count",
    { repeat: repeat.item, field: "spec" },
    "there is no instance, and nothing else is in the list, so nothing would come out",
    "add an instance",
  );
}

/** Repeats and templates are never applied: they go, or stay as local-config where a later run needs them. */
export function retired(
  templates: ReadonlyMap<Item, Repeat>,
  { envelope, outputIsNextInput }: RepeatRun,
): readonly Edit[] {
  const repeats = envelope.items.filter(isRepeat);
  if (!outputIsNextInput) return removeItems(envelope, new Set([...repeats, ...templates.keys()]));
  const released = envelope.items.filter(
    (item) => item.annotations.has(Mark.templateOf) && !templates.has(item),
  );
  return [
    ...repeats.flatMap((item) => withoutComments(item, annotate(item, { [Mark.localConfig]: "true" }))),
    ...[...templates].flatMap(([item, { item: repeat }]) => {
      const values = { [Mark.localConfig]: "true", [Mark.templateOf]: templateRecord(item, repeat) };
      return withoutComments(item, annotate(item, values));
    }),
    ...released.flatMap((item) => withoutComments(item, unmarked(item))),
  ];
}

function templateRecord(item: Item, { name }: Item): string {
  const before = readTemplateRecord(item);
  const wasLocal = before === undefined ? item.annotations.has(Mark.localConfig) : before.local === true;
  return writeRecord({ repeat: name, ...(wasLocal ? { local: true } : {}) });
}

/** A template that no Repeat clones any more is an item like any other again. */
function unmarked(item: Item): readonly Edit[] {
  const metadata = metadataOf(item);
  const annotations = metadata === undefined ? undefined : childOf(metadata, "annotations");
  if (metadata === undefined || annotations === undefined || metadata.doc.targets.size > 0) return [];
  const ours =
    readTemplateRecord(item)?.local === true ? [Mark.templateOf] : [Mark.localConfig, Mark.templateOf];
  const present = ours.flatMap((key) => childOf(annotations, key) ?? []);
  return removeEntries(present, metadata);
}

type Mark = (typeof marks)[number];

const marks = [Mark.templateOf, Mark.repeatedFrom, Mark.repeatedLists] as const;

/**
 * A warning for each item. Clones alone are no proof that a user deleted the Repeat: a pipeline may have dropped it at its
 * end. A template shows it, or another Repeat, or kpt, which drops nothing.
 */
export function orphansIn(items: readonly Item[]): Diagnostic[] {
  const made = items.filter(
    ({ annotations }) => annotations.size > 0 && marks.some((mark) => annotations.has(mark)),
  );
  if (made.length === 0) return [];
  const repeats = items.filter(isRepeat);
  const isMidway =
    repeats.length > 0 || made.some((item) => item.annotations.has(Mark.templateOf) || isFromKpt(item));
  if (!isMidway) return [];
  return made.flatMap((item) => {
    const mark = marks.find((each) => isOrphaned(item, each, repeats));
    return mark === undefined ? [] : [orphaned(item, mark)];
  });
}

function isOrphaned(item: Item, mark: Mark, repeats: readonly Item[]): boolean {
  if (!item.annotations.has(mark)) return false;
  // A Repeat may have another name since, and marks its templates again with each run.
  if (mark === Mark.templateOf) return repeats.length === 0;
  const clone = readCloneRecord(item);
  const records = mark === Mark.repeatedLists ? readListRecords(item) : clone === undefined ? [] : [clone];
  return (records ?? []).some((record) => repeatOf(item, record, repeats) === undefined);
}

function orphaned(item: Item, mark: Mark): Diagnostic {
  const [what, cure, off = `the annotation \`${mark}\``] = words[mark];
  const message = `\`${describe(item)}\` ${what} a Repeat that is not in the list`;
  const hint = `${cure}, bring the Repeat back, or take ${off} off it`;
  return { ...faultOf("repeat-stale", item, message, hint), severity: "warning" };
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
