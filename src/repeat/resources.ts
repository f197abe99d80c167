// Clones of whole items: made next to their template, made again in place, removed when their instance goes. A name that
// another item has is a fault.
import type { Diagnostic } from "../diagnostic.ts";
import { type Embedding, type Envelope, grouped, type Item, NameIndex, removeItems } from "../core/index.ts";
import {
  type ClonesByIdentity,
  identityOf,
  type EditsOrFaults,
  type Plan,
  planClones,
  type RepeatRun,
} from "./planned-clones.ts";
import { type Clone, clonesOf, foldsOf, isClone, keyOf, type FoldOwner, withoutLayers } from "./clones.ts";
import { fail, fewer } from "./faults.ts";
import { groupOf, namingsIn, siblingsOf } from "./siblings.ts";
import { decide, type Decision, editedAndGone } from "./reconcile.ts";
import { copiedFrom, type OriginEdit, withEdits } from "./draft.ts";
import type { ResourceEntry } from "./model.ts";
import { readCloneRecord } from "./record.ts";

/** The edits that bring clones of whole items up to date. */
export function repeatResources(run: RepeatRun): EditsOrFaults & { readonly clones: ClonesByIdentity } {
  const { envelope, repeats } = run;
  const faults: Diagnostic[] = [];
  const clones = clonesOf(
    repeats.map(({ item }) => item),
    envelope.items,
  );
  const names = new NameIndex(envelope.items.filter((item) => !isClone(item)));
  const rows: TemplateClones[] = [];
  const gone = new Set<Item>();
  for (const repeat of repeats) {
    const plan = planClones(repeat, names, envelope.items);
    for (const each of plan.faults) faults.push(each);
    if (plan.faults.length > 0) continue;
    const present = clones.get(repeat.item) ?? [];
    const outcome = decideAll(plan, present, run);
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

function clonesIn(rows: readonly TemplateClones[]): ClonesByIdentity {
  const decisions = rows.flatMap((row) => row.decisions.filter(({ key, wanted }) => key === wanted.key));
  return new Map(decisions.map(({ named, wanted }) => [identityOf(named), wanted]));
}

interface Decided {
  readonly rows: readonly TemplateClones[];
  readonly stale: readonly Clone[];
  readonly faults: readonly Diagnostic[];
}

function decideAll({ templates, wanted }: Plan, present: readonly Clone[], run: RepeatRun): Decided {
  const faults: Diagnostic[] = [];
  const byKey = new Map(present.map((clone) => [keyOf(clone.record), clone]));
  const group = groupOf(templates);
  const siblings = siblingsOf(wanted);
  const rows: TemplateClones[] = [];
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

function editsOf(rows: readonly TemplateClones[], stale: ReadonlySet<Item>, run: RepeatRun): OriginEdit[] {
  const { envelope } = run;
  const gone = new Set(stale);
  const edits: OriginEdit[] = [];
  for (const { template, decisions } of rows)
    for (const each of placed(template, decisions, gone, envelope)) edits.push(each);
  const made = rows.flatMap(({ decisions }) => decisions.filter(({ draft }) => draft !== undefined));
  const unfolded: FoldOwner[] = [...stale];
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

/** New clones go before their template, in the order of their instances; others keep their places. */
function placed(
  template: Item,
  decisions: readonly Decision[],
  gone: Set<Item>,
  envelope: Envelope,
): OriginEdit[] {
  const edits: OriginEdit[] = [];
  const home = envelope.embeddings.get(template) as Embedding;
  let before = template;
  // From the last to the first: a new clone goes before the next one in the list.
  for (const decision of decisions.toReversed()) {
    const { present, keptEdits } = decision;
    const stays = present !== undefined && isLike(envelope.embeddings.get(present.item), home);
    if (stays) {
      edits.push(...(decision.draft === undefined ? keptEdits : [inPlace(decision, present.item)]));
      before = present.item;
    } else {
      if (present !== undefined) gone.add(present.item);
      edits.push(inserted(decision, before, envelope.embeddings.get(before) ?? home));
    }
  }
  // Several insertions at one place keep their order.
  return edits.toReversed();
}

function isLike(a: Embedding | undefined, b: Embedding): boolean {
  return a?.type === b.type && (a.type !== "block" || b.type !== "block" || a.column === b.column);
}

function inPlace({ draft, contentEnd }: Decision, item: Item): OriginEdit {
  const text = draft?.text ?? Buffer.alloc(0);
  const isLast = contentEnd === item.bytes.length && item.bytes[contentEnd - 1] !== 0x0a;
  return {
    start: item.start,
    end: contentEnd,
    text: isLast ? text.subarray(0, -1) : text,
    origin: draft?.origin ?? copiedFrom(item.start),
  };
}

function inserted(
  { draft, present, contentEnd, keptEdits }: Decision,
  before: Item,
  home: Embedding,
): OriginEdit {
  const own =
    present === undefined
      ? undefined
      : withEdits(present.item.bytes, present.item.start, contentEnd, keptEdits);
  const text = draft?.text ?? own?.bytes ?? Buffer.alloc(0);
  const origin = draft?.origin ?? own?.origin ?? copiedFrom(before.start);
  const tail =
    home.type === "block"
      ? " ".repeat(home.column)
      : home.type === "flow"
        ? ", "
        : `---${isInline(home) ? "" : "\n"}`;
  const start = before.start;
  return { start, end: start, text: Buffer.concat([text, Buffer.from(tail)]), origin };
}

function isInline(embedding: Embedding): boolean {
  return embedding.type === "document" && embedding.inline;
}

/** What the clones of one template come to. */
interface TemplateClones {
  readonly template: Item;
  readonly entry: ResourceEntry;
  readonly decisions: readonly Decision[];
}

function nameConflicts(
  rows: readonly TemplateClones[],
  gone: ReadonlySet<Item>,
  items: readonly Item[],
): Diagnostic[] {
  const made = rows.flatMap(({ decisions }) => decisions);
  const replaced = new Set(made.flatMap(({ present }) => present?.item ?? []));
  const owners = new Map<string, NameOwner>();
  for (const item of items)
    if (!gone.has(item) && !replaced.has(item)) owners.set(identityOf(item), ownerOf(item));
  return made.flatMap(({ named, wanted: { entry, scope } }) => {
    const key = identityOf(named);
    const owner = owners.get(key);
    const own = `the clone for instance \`${scope.instance.name}\``;
    if (owner === undefined) owners.set(key, { who: own });
    if (owner === undefined) return [];
    const where = { repeat: entry.repeat, ...entry.as };
    return [
      fail(
        "name-taken",
        where,
        `${own} would be \`${named.kind}/${named.name}\`, a name that ${owner.who} has`,
        owner.cure ?? `choose another with \`as\`, e.g. \`${entry.name}-{name}\``,
      ).fault,
    ];
  });
}

interface NameOwner {
  readonly who: string;
  readonly cure?: string;
}

function ownerOf(item: Item): NameOwner {
  const who = `\`${item.kind}/${item.name}\` of the list`;
  const record = readCloneRecord(item);
  if (record === undefined) return { who };
  return {
    who,
    cure: `it was cloned by \`Repeat/${record.repeat}\` from \`${record.template}\`: delete it, or call Repeat and template as they were`,
  };
}
