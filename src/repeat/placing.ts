// Where clones are put: before their template, in the order of their instances; those that are there stay where they are.
// A name that another item has is a fault.
import type { Diagnostic } from "../diagnostic.ts";
import type { Embedding, Envelope, Item } from "../core/index.ts";
import { cut, exactly, type OriginEdit } from "./draft.ts";
import { fail } from "./faults.ts";
import type { ResourceEntry } from "./model.ts";
import { identityOf } from "./names.ts";
import type { Decision } from "./reconcile.ts";
import { readCloneRecord } from "./record.ts";

/** Clones in the order of their instances, before their template; those that are there stay where they are. */
export function placed(
  template: Item,
  decisions: readonly Decision[],
  gone: Set<Item>,
  envelope: Envelope,
): OriginEdit[] {
  const edits: OriginEdit[] = [];
  const home = envelope.embeddings.get(template) as Embedding;
  let before = template;
  // From the last to the first: a new one goes before the next that is there.
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
  // Of insertions at one place the first comes first.
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
    origin: draft?.origin ?? exactly(item.start),
  };
}

function inserted(
  { draft, present, contentEnd, keptEdits }: Decision,
  before: Item,
  home: Embedding,
): OriginEdit {
  const own =
    present === undefined ? undefined : cut(present.item.bytes, present.item.start, contentEnd, keptEdits);
  const text = draft?.text ?? own?.bytes ?? Buffer.alloc(0);
  const origin = draft?.origin ?? own?.origin ?? exactly(before.start);
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
export interface Row {
  readonly template: Item;
  readonly entry: ResourceEntry;
  readonly decisions: readonly Decision[];
}

export function nameConflicts(
  rows: readonly Row[],
  gone: ReadonlySet<Item>,
  items: readonly Item[],
): Diagnostic[] {
  const made = rows.flatMap(({ decisions }) => decisions);
  const replaced = new Set(made.flatMap(({ present }) => present?.item ?? []));
  const owners = new Map<string, Owner>();
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

interface Owner {
  readonly who: string;
  readonly cure?: string;
}

function ownerOf(item: Item): Owner {
  const who = `\`${item.kind}/${item.name}\` of the list`;
  const record = readCloneRecord(item);
  if (record === undefined) return { who };
  return {
    who,
    cure: `it was cloned by \`Repeat/${record.repeat}\` from \`${record.template}\`: delete it, or call Repeat and template as they were`,
  };
}
