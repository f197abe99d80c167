// One pass over a tape: which subtrees are entangled (hold an anchor, an alias, `<<` or a duplicate key, so that
// their text cannot be copied whole), and which keys or expansions the consumers would refuse.
import { farAliases } from "./aliases.ts";
import type { ReadFault } from "./fault.ts";
import { keyMark, markWordKeys } from "./key.ts";
import type { Resolved } from "./resolve-plain.ts";
import { keyOf } from "./resolve.ts";
import { foreignFaults } from "./foreign.ts";
import { type Document, Field, fieldCount, Flag, Kind } from "./tape.ts";
import { Node } from "./node.ts";

export interface Checked {
  readonly faults: readonly ReadFault[];
  readonly notes: readonly ReadFault[];
}

/** Marks entangled rows in place; collects faults (errors) and notes (warnings). */
export function checkDocument(doc: Document): Checked {
  const notes: ReadFault[] = [];
  const isPlain = doc.plain !== undefined;
  // The reader of a file in a ConfigMap is not known.
  const faults = isPlain || doc.spelledKeys === true ? [] : foreignFaults(doc);
  if (isPlain) markWordKeys(doc);
  let isEntangled = !isPlain;
  const count = doc.rows.length / fieldCount;
  for (let row = 0; row < count; row++) {
    const kind = doc.rows[row * fieldCount + Field.kind];
    if (kind !== Kind.blockMapping && kind !== Kind.flowMapping) continue;
    if (doc.hasWordKeys === true && areDistinct(doc, row)) continue;
    checkKeys(new Node(doc, row), faults, notes);
    isEntangled = true;
  }
  if (isEntangled) {
    const endless = farAliases(new Node(doc));
    if (endless !== undefined) faults.push(endless);
    markEntangled(doc.rows);
  }
  return { faults, notes };
}

/** Mappings up to this size compare their keys pairwise; larger ones use a map. */
const fewEntries = 16;
const marks = new Int32Array(fewEntries);

/** True if a mapping of words has no duplicate key. Keys with equal marks are compared again. */
function areDistinct(doc: Document, mapping: number): boolean {
  const { rows } = doc;
  const end = rows[mapping * fieldCount + Field.next] as number;
  let count = 0;
  for (let row = mapping + 1; row < end; row = rows[row * fieldCount + Field.next] as number) {
    if (count === fewEntries) return areDistinctTexts(new Node(doc, mapping));
    const mark = (rows[row * fieldCount + Field.flags] as number) & keyMark;
    for (let other = 0; other < count; other++)
      if (marks[other] === mark) return areDistinctTexts(new Node(doc, mapping));
    marks[count++] = mark;
  }
  return true;
}

function areDistinctTexts(mapping: Node): boolean {
  const entries = mapping.children();
  return new Set(entries.map((each) => each.key)).size === entries.length;
}

/** Keys that sigs.k8s.io/yaml cannot turn into text. Beyond these numbers it reads decimal ones as floats, and others as text. */
const unsupported: Partial<Record<Resolved["type"], string>> = {
  null: "a key must be text, a boolean or a number, not null",
  big: "a key cannot be a whole number from 2^63 up to 2^64",
};

function checkKeys(mapping: Node, faults: ReadFault[], notes: ReadFault[]): void {
  const seen = new Map<string, SeenKey>();
  for (const child of mapping.children()) {
    const key = keyOf(child);
    const offset = offsetOfKey(child);
    const lack = unsupported[key.type];
    if (lack !== undefined) faults.push({ code: "unsupported-key", message: lack, offset });
    if (startsWithMark(child)) faults.push({ code: "unsupported-key", message: byteOrderMark, offset });
    if (key.type === "merge") checkMerge(child, faults);
    if (key.text === "$patch")
      notes.push({ code: "list-directive", message: "`$patch` is plain data here", offset });
    const before = seen.get(key.text);
    if (before !== undefined && key.type !== "merge") reportTwice(before, { key, offset }, { faults, notes });
    if (before !== undefined || key.type === "merge") addFlag(mapping, Flag.entangled);
    seen.set(key.text, { key, offset });
  }
}

const byteOrderMark = "a key without quotes cannot start with a byte order mark";

/** Go drops the mark at the start of a document and keeps it elsewhere; a merge may move the key to the start. */
function startsWithMark({ doc, row }: Node): boolean {
  const start = at(doc.rows, row, Field.keyStart);
  return start >= 0 && doc.bytes.toString("latin1", start, start + 3) === "\xef\xbb\xbf";
}

interface SeenKey {
  readonly key: Resolved;
  readonly offset: number;
}

function reportTwice(
  before: SeenKey,
  { key, offset }: SeenKey,
  into: { faults: ReadFault[]; notes: ReadFault[] },
): void {
  const places = { offset, also: before.offset };
  if (before.key.type === key.type)
    into.notes.push({ code: "duplicate-key", message: "a key is set twice: the last one wins", ...places });
  else
    into.faults.push({
      code: "key-spelled-twice",
      message: "two spellings of one key, and a Go reader picks one at random",
      ...places,
    });
}

function checkMerge(child: Node, faults: ReadFault[]): void {
  const value = child.value;
  const sources = value.isSequence ? value.children().map((each) => each.value) : [value];
  if (sources.every((each) => each.isMapping)) return;
  faults.push({
    code: "syntax",
    message: "`<<` takes a mapping or a sequence of mappings",
    offset: offsetOfKey(child),
  });
}

/** Children come after their parents, so going backwards carries the flag all the way up. */
function markEntangled(rows: Int32Array): void {
  for (let row = rows.length / fieldCount - 1; row >= 0; row--) {
    const flags = at(rows, row, Field.flags);
    const tangled =
      (flags & (Flag.entangled | Flag.anchored | Flag.keyBorrowed)) !== 0 ||
      at(rows, row, Field.kind) === Kind.alias;
    if (!tangled) continue;
    rows[row * fieldCount + Field.flags] = flags | Flag.entangled;
    const parent = at(rows, row, Field.parent);
    if (parent >= 0) rows[parent * fieldCount + Field.flags] = at(rows, parent, Field.flags) | Flag.entangled;
  }
}

function addFlag(node: Node, flag: number): void {
  const index = node.row * fieldCount + Field.flags;
  node.doc.rows[index] = (node.doc.rows[index] as number) | flag;
}

function offsetOfKey(node: Node): number {
  return at(node.doc.rows, node.row, Field.entry);
}

function at(rows: Int32Array, row: number, name: number): number {
  return rows[row * fieldCount + name] as number;
}
