// Clones of whole items: made beside their template, made again in place, taken out when their instance goes.
import type { Diagnostic } from "../diagnostic.ts";
import { type Embedding, grouped, type Item, NameIndex, removeItems } from "../core/index.ts";
import { type Clones, type Outcome, type Plan, planClones, type RepeatRun } from "./planned-clones.ts";
import { type Clone, clonesOf, foldsOf, isClone, keyOf, type Owner, withoutLayers } from "./clones.ts";
import { fewer } from "./faults.ts";
import { groupOf, namingsIn, siblingsOf } from "./siblings.ts";
import { identityOf } from "./names.ts";
import { nameConflicts, placed, type Row } from "./placing.ts";
import { type Decision, decide, editedAndGone } from "./reconcile.ts";
import type { OriginEdit } from "./draft.ts";

/** The edits that bring clones of whole items up to date. */
export function repeatResources(run: RepeatRun): Outcome & { readonly clones: Clones } {
  const { envelope, repeats } = run;
  const faults: Diagnostic[] = [];
  const clones = clonesOf(
    repeats.map(({ item }) => item),
    envelope.items,
  );
  const names = new NameIndex(envelope.items.filter((item) => !isClone(item)));
  const rows: Row[] = [];
  const gone = new Set<Item>();
  for (const repeat of repeats) {
    const asked = planClones(repeat, names, envelope.items);
    for (const each of asked.faults) faults.push(each);
    if (asked.faults.length > 0) continue;
    const present = clones.get(repeat.item) ?? [];
    const outcome = decideAll(asked, present, run);
    for (const each of outcome.faults) faults.push(each);
    for (const each of outcome.rows) rows.push(each);
    for (const clone of outcome.stale) {
      const fault = outcome.faults.length > 0 ? undefined : editedAndGone(clone, repeat.item);
      if (fault !== undefined) faults.push(fault.fault);
      gone.add(clone.item);
    }
  }
  for (const each of nameConflicts(rows, gone, envelope.items)) faults.push(each);
  if (faults.length > 0) return { edits: [], faults: fewer(faults), clones: new Map() };
  return { edits: editsOf(rows, gone, run), faults, clones: clonesIn(rows) };
}

function clonesIn(rows: readonly Row[]): Clones {
  const decisions = rows.flatMap((row) => row.decisions.filter(({ key, wanted }) => key === wanted.key));
  return new Map(decisions.map(({ named, wanted }) => [identityOf(named), wanted]));
}

interface Decided {
  readonly rows: readonly Row[];
  readonly stale: readonly Clone[];
  readonly faults: readonly Diagnostic[];
}

function decideAll({ templates, wanted }: Plan, present: readonly Clone[], run: RepeatRun): Decided {
  const faults: Diagnostic[] = [];
  const byKey = new Map(present.map((clone) => [keyOf(clone.record), clone]));
  const group = groupOf(templates);
  const siblings = siblingsOf(wanted);
  const rows: Row[] = [];
  const byEntry = grouped(wanted, ({ entry }) => entry);
  for (const [template, entry] of templates) {
    const embedding = run.envelope.embeddings.get(template) as Embedding;
    const namings = namingsIn(template, group, run.settings);
    const decisions: Decision[] = [];
    for (const one of byEntry.get(entry) ?? []) {
      const decided = decide(one, { byKey, namings, embedding, siblings: siblings(one.scope), run });
      if ("fault" in decided) faults.push(decided.fault);
      else decisions.push(...decided);
    }
    rows.push({ template, entry, decisions });
  }
  const kept = new Set(rows.flatMap(({ decisions }) => decisions.map(({ key }) => key)));
  return { rows, stale: present.filter(({ record }) => !kept.has(keyOf(record))), faults };
}

function editsOf(rows: readonly Row[], stale: ReadonlySet<Item>, run: RepeatRun): OriginEdit[] {
  const { envelope } = run;
  const gone = new Set(stale);
  const edits: OriginEdit[] = [];
  for (const { template, decisions } of rows)
    for (const each of placed(template, decisions, gone, envelope)) edits.push(each);
  const made = rows.flatMap(({ decisions }) => decisions.filter(({ draft }) => draft !== undefined));
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
