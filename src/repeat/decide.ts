// What becomes of one clone: made, left as it is, or made again. A clone that somebody edited is never written over.
import { annotate } from "../wire/annotate.ts";
import { Mark } from "../wire/annotation-names.ts";
import { isFromKpt } from "../wire/comments.ts";
import type { Embedding } from "../wire/envelope.ts";
import { makeClone, type Making, namespaceOf } from "./clone.ts";
import { type Clone, isFromKustomize, keyOf } from "./clones.ts";
import { type Content, contentOf } from "./content.ts";
import type { Decision, Beside } from "./decision.ts";
import { changed, contentEnd, draftOf, readDraft } from "./draft.ts";
import { isTold, type Told } from "./faults.ts";
import { finished, newNotes, recordOf } from "./finish.ts";
import { holdsForeign } from "./slots.ts";
import { noted, notesOf } from "./notes.ts";
import { setLeaves, whoSays } from "./overlay.ts";
import { deleted } from "./made-before.ts";
import { makeLayer } from "./own-layer.ts";
import { writeRecord } from "./record.ts";
import { editsOf, wantedFields } from "./setting.ts";
import { rootOf } from "./templates.ts";
import { type Case, verdictOf, verdictInKustomize, edited } from "./verdict.ts";
import { identity, type Wanted } from "./wanted.ts";

/** The clone, and before it its own layer. */
export function decide(wanted: Wanted, beside: Beside): readonly Decision[] | Told {
  const { entry, scope, template, name, bareName } = wanted;
  const present = beside.byKey.get(wanted.key);
  const bare = present !== undefined && isFromKpt(present.item);
  const making: Making = { ...beside, entry, scope, template, name, bareName, bare };
  const made = makeClone(making);
  if (isTold(made)) return made;
  const body = rootOf(template);
  const from = body === undefined ? "" : contentOf(body, template.kind).body;
  const own = {
    apiVersion: template.apiVersion,
    kind: template.kind,
    name,
    namespace: namespaceOf(made.root),
  };
  const clone = settle({ wanted, making, made, from, named: own, key: wanted.key, present }, beside);
  if (isTold(clone) || entry.values === undefined) return isTold(clone) ? clone : [clone];
  const settled = decideLayer(making, clone, beside);
  if (settled === undefined) return [clone];
  return isTold(settled) ? settled : [settled, clone];
}

/** The clone's own layer; undefined where its instance has no values. */
function decideLayer(making: Making, clone: Decision, beside: Beside): Decision | Told | undefined {
  const { wanted, named, anew, present } = clone;
  const layer = makeLayer(making, named.namespace);
  if (layer === undefined || isTold(layer)) return layer;
  const key = keyOf({ ...identity(wanted.entry, wanted.scope), part: "values" });
  const from = contentOf(layer.made.root, layer.named.kind).body;
  // What was folded for a clone that is made again is folded anew, and so are the marks of its layers.
  const isForced = anew || present === undefined;
  const one = {
    wanted,
    making,
    ...layer,
    from,
    key,
    present: beside.byKey.get(key),
    part: "values" as const,
    isForced,
  };
  return settle(one, beside);
}

function settle(one: Case, { round, before }: Beside): Decision | Told {
  const { present, made, named, key, wanted } = one;
  const content = contentOf(made.root, named.kind);
  const common = { key, wanted, named, present, contentEnd: 0, keptEdits: [], anew: false };
  if (present === undefined && before.has(key)) return deleted(wanted, named);
  if (present === undefined) return { ...common, draft: finished(one, content, newNotes(one)) };
  const { item } = present;
  const embedding = round.envelope.embeddings.get(item);
  const end = embedding === undefined ? item.end : contentEnd(item, embedding);
  const here = { ...common, contentEnd: end };
  const verdict = isFromKustomize(item) ? verdictInKustomize(one) : verdictOf(one, content);
  if (typeof verdict !== "string") return verdict;
  switch (one.isForced === true && verdict !== "edited" ? "anew" : verdict) {
    case "edited":
      return edited(one);
    case "same":
      return { ...here, draft: undefined };
    case "record":
      return {
        ...here,
        draft: undefined,
        keptEdits: annotate(item, Mark.repeatedFrom, recordOf(one, content)),
      };
    case "fields":
      return fieldsOnly(one, here, embedding);
    case "anew":
      return madeAnew(one, here, content, round);
  }
}

/** The clone from its template again, unless it holds a reference that would be lost. */
function madeAnew(
  one: Case,
  here: Omit<Decision, "draft">,
  content: Content,
  { envelope }: Beside["round"],
): Decision | Told {
  const { item } = here.present as Clone;
  const isClone = one.part === undefined;
  if (isClone && holdsForeign(here.present as Clone, one.made.root, envelope.items)) return edited(one);
  const notes = notesOf(item, (note) => note !== Mark.localConfig && note !== Mark.repeatedLists);
  return { ...here, draft: finished(one, content, notes), anew: true };
}

/** Sets fields of a clone that stays what it is otherwise; what an overlay said instead stays, too. */
function fieldsOnly(
  one: Case,
  here: Omit<Decision, "draft">,
  embedding: Embedding | undefined,
): Decision | Told {
  const { entry, scope } = one.wanted;
  const { item, record } = here.present as Clone;
  const root = rootOf(item);
  const all = wantedFields(entry, scope, one.named.kind);
  if (isTold(all)) return all;
  const fields = all.filter(
    (field) => root === undefined || whoSays(field, root, one.made.root, item.kind, record) !== "overlay",
  );
  const kept = { ...here, draft: undefined, named: item };
  if (embedding === undefined) return kept;
  let draft = draftOf(item, embedding, []);
  let isChanged = false;
  for (let left = fields; left.length > 0;) {
    const read = readDraft(draft);
    const next = read === undefined ? undefined : editsOf(read.root, left, entry);
    if (read === undefined || next === undefined) return kept;
    if (isTold(next)) return next;
    isChanged ||= next.edits.length > 0;
    draft = changed(draft, read, next.edits);
    left = [...next.left];
  }
  const read = isChanged ? readDraft(draft) : undefined;
  if (read === undefined) return kept;
  const since = { ...record, set: setLeaves(one.made.root, item.kind, all) };
  const notes = new Map([...notesOf(item, () => true), [Mark.repeatedFrom, writeRecord(since)]]);
  return { ...kept, draft: noted({ draft, ...read }, notes) };
}
