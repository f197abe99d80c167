// Clones of whole items: made beside their template, made again in place, taken out when their instance goes.
import type { Diagnostic } from "../diagnostic.ts";
import { grouped } from "../grouped.ts";
import { NameIndex } from "../select/names.ts";
import { Mark } from "../wire/annotation-names.ts";
import type { Edit, Embedding } from "../wire/envelope.ts";
import type { Item } from "../wire/item.ts";
import { removeItems } from "../wire/remove.ts";
import { type Asked, wantedBy } from "./asked.ts";
import { type Clone, clonesOf, keyOf } from "./clones.ts";
import { type Decision } from "./decision.ts";
import { decide } from "./decide.ts";
import { fewer } from "./faults.ts";
import { foldsOf, type Owner, withoutLayers } from "./folds.ts";
import { groupOf, siblingsOf } from "./groups.ts";
import { madeBefore, remembered } from "./made-before.ts";
import { placed } from "./placing.ts";
import { namingsIn } from "./siblings.ts";
import { type Row, takenNames } from "./taken.ts";
import { editedAndGone } from "./verdict.ts";
import type { OriginEdit, Outcome, Round } from "./wanted.ts";

/** The edits that bring clones of whole items up to date. */
export function repeatResources(round: Round): Outcome {
  const { envelope, repeats } = round;
  const faults: Diagnostic[] = [];
  const clones = clonesOf(
    repeats.map(({ item }) => item),
    envelope.items,
  );
  const isClone = (item: Item): boolean => item.annotations.has(Mark.repeatedFrom);
  const names = new NameIndex(envelope.items.filter((item) => !isClone(item)));
  const rows: Row[] = [];
  const gone = new Set<Item>();
  const notes: Edit[] = [];
  for (const repeat of repeats) {
    const asked = wantedBy(repeat, names, envelope.items);
    for (const each of asked.faults) faults.push(each);
    if (asked.faults.length > 0) continue;
    const present = clones.get(repeat.item) ?? [];
    const outcome = decideAll(asked, present, madeBefore(repeat.item), round);
    for (const each of outcome.faults) faults.push(each);
    for (const each of outcome.rows) rows.push(each);
    for (const each of remembered(repeat.item, [...keysIn(outcome.rows)])) notes.push(each);
    for (const clone of outcome.stale) {
      const fault = outcome.faults.length > 0 ? undefined : editedAndGone(clone, repeat.item);
      if (fault !== undefined) faults.push(fault.fault);
      gone.add(clone.item);
    }
  }
  for (const each of takenNames(rows, gone, envelope.items)) faults.push(each);
  return faults.length > 0
    ? { edits: [], faults: fewer(faults) }
    : { edits: [...notes, ...editsOf(rows, gone, round)], faults };
}

interface Decided {
  readonly rows: readonly Row[];
  readonly stale: readonly Clone[];
  readonly faults: readonly Diagnostic[];
}

/** @param before keys of the clones that there were behind the last run */
function decideAll(
  { templates, wanted }: Asked,
  present: readonly Clone[],
  before: ReadonlySet<string>,
  round: Round,
): Decided {
  const faults: Diagnostic[] = [];
  const byKey = new Map(present.map((clone) => [keyOf(clone.record), clone]));
  const group = groupOf(templates);
  const siblings = siblingsOf(wanted);
  const rows: Row[] = [];
  const byEntry = grouped(wanted, ({ entry }) => entry);
  for (const [template, entry] of templates) {
    const embedding = round.envelope.embeddings.get(template) as Embedding;
    const namings = namingsIn(template, group, round.settings);
    const decisions: Decision[] = [];
    for (const one of byEntry.get(entry) ?? []) {
      const decided = decide(one, {
        byKey,
        before,
        namings,
        embedding,
        siblings: siblings(one.scope),
        round,
      });
      if ("fault" in decided) faults.push(decided.fault);
      else decisions.push(...decided);
    }
    rows.push({ template, entry, decisions });
  }
  const kept = keysIn(rows);
  return { rows, stale: present.filter(({ record }) => !kept.has(keyOf(record))), faults };
}

function keysIn(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ decisions }) => decisions.map(({ key }) => key)));
}

function editsOf(rows: readonly Row[], stale: ReadonlySet<Item>, round: Round): OriginEdit[] {
  const { envelope } = round;
  const gone = new Set(stale);
  const edits: OriginEdit[] = [];
  for (const { template, decisions } of rows)
    for (const each of placed(template, decisions, gone, envelope)) edits.push(each);
  const made = rows.flatMap(({ decisions }) =>
    decisions.filter(({ anew, present }) => anew || present === undefined),
  );
  const unfolded: Owner[] = [...stale];
  for (const { named, present } of made)
    unfolded.push(named, ...(present === undefined ? [] : [present.item]));
  for (const item of foldsOf(unfolded, envelope.items)) gone.add(item);
  return [
    ...edits,
    ...withoutLayers(
      stale,
      envelope.items.filter((item) => !gone.has(item)),
    ),
    ...removeItems(envelope, gone),
  ];
}
