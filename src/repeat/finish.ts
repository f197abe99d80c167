// A clone's text with all that is noted on it: its record, and what orchestrators want of a new item.
import { Mark } from "../wire/annotation-names.ts";
import { isFromKpt } from "../wire/comments.ts";
import { isFromKustomize } from "./clones.ts";
import type { Content } from "./content.ts";
import type { Draft } from "./draft.ts";
import { isTold } from "./faults.ts";
import { freshNotes, noted } from "./notes.ts";
import { setLeaves } from "./overlay.ts";
import { type CloneRecord, writeRecord } from "./record.ts";
import { wantedFields } from "./setting.ts";
import { slotDigest, slotsOf } from "./slots.ts";
import type { Case } from "./verdict.ts";
import { identity } from "./wanted.ts";

/** The text with its record and notes. */
export function finished(one: Case, content: Content, notes: Map<string, string>): Draft {
  notes.delete(Mark.repeatedFrom);
  return noted(one.made, new Map([...notes, [Mark.repeatedFrom, recordOf(one, content)]]));
}

export function recordOf(
  { wanted: { entry, scope, template }, from, present, part, made, named }: Case,
  { whole, own }: Content,
): string {
  const slots = part === undefined ? slotsOf(made.root, named.kind).map(slotDigest) : [];
  const fields =
    isFromKustomize(template) && part === undefined ? wantedFields(entry, scope, named.kind) : [];
  const record: CloneRecord = {
    repeat: present?.record.repeat ?? entry.repeat.name,
    ...identity(entry, scope),
    ...(part === undefined ? {} : { part }),
    made: whole,
    own,
    from,
    ...(slots.length === 0 ? {} : { slots }),
    ...(isTold(fields) || fields.length === 0 ? {} : { set: setLeaves(made.root, named.kind, fields) }),
  };
  return writeRecord(record);
}

/** kpt writes a new item where this says: beside its template. */
function pathFor({ making: { template }, named }: Case): string | undefined {
  const path = template.annotations.get(Mark.path);
  if (path === undefined || !isFromKpt(template)) return undefined;
  return `${path.slice(0, path.lastIndexOf("/") + 1)}${named.kind.toLowerCase()}_${named.name}.yaml`;
}

/** The notes of one that nobody has seen yet. */
export function newNotes(one: Case): Map<string, string> {
  const path = pathFor(one);
  if (one.part === undefined) return freshNotes(one.making, path);
  return path === undefined ? new Map() : new Map([[Mark.path, path]]);
}
