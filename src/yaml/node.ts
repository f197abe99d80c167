// A node of a document: a row of its tape, and what readers ask of it. A mapping answers as its consumer sees it: aliases are
// followed where this says so, `<<` is merged in, and the last of duplicate keys wins.
import { hasKey, isWord, markOfText, markShift, textOfKey } from "./key.ts";
import type { Resolved } from "./resolve-plain.ts";
import { isNull, keyOf, resolveScalar, tagOf } from "./resolve.ts";
import { keyText, scalarText } from "./scalar.ts";
import { type Document, Field, fieldCount, Flag, Kind, type Row } from "./tape.ts";

/** Key (as the consumer spells it) → the entry that wins, in the order the keys first appear. */
export type Entries = ReadonlyMap<string, Node>;

/**
 * Offsets are absolute in the document's bytes; -1 means absent.
 *
 *     a: &x 1   # entryStart, keyStart 0; keyEnd 1; start 3; body 6; end 7
 */
export class Node implements Row {
  // Only declared: a field that is defined first is set twice, and nodes are made by the thousand.
  declare readonly doc: Document;
  declare readonly row: number;

  /** @param row the root without one */
  constructor(doc: Document, row = 0) {
    this.doc = doc;
    this.row = row;
  }

  // What it is. Called so often that one more call in between costs measurable time in a short run.

  get kind(): number {
    return this.doc.rows[this.row * fieldCount + Field.kind] as number;
  }

  get isMapping(): boolean {
    const kind = this.doc.rows[this.row * fieldCount + Field.kind] as number;
    return kind === Kind.blockMapping || kind === Kind.flowMapping;
  }

  get isSequence(): boolean {
    const kind = this.doc.rows[this.row * fieldCount + Field.kind] as number;
    return kind === Kind.blockSequence || kind === Kind.flowSequence;
  }

  get isFlow(): boolean {
    const kind = this.doc.rows[this.row * fieldCount + Field.kind] as number;
    return kind === Kind.flowMapping || kind === Kind.flowSequence;
  }

  get isScalar(): boolean {
    const kind = this.doc.rows[this.row * fieldCount + Field.kind] as number;
    return kind >= Kind.plain && kind !== Kind.alias;
  }

  /** True for plain `null`, `~`, `Null`, `NULL` and nothing at all; in quotes only if a tag says so. */
  get isNull(): boolean {
    return isNull(this);
  }

  /** True if it holds an anchor, an alias, `<<` or a duplicate key somewhere below: its text cannot be copied whole. */
  get isEntangled(): boolean {
    return ((this.doc.rows[this.row * fieldCount + Field.flags] as number) & Flag.entangled) !== 0;
  }

  // Where it is.

  /** Where the whole entry starts: its `?`, `-`, key properties or key. */
  get entryStart(): number {
    return this.doc.rows[this.row * fieldCount + Field.entry] as number;
  }

  get keyStart(): number {
    return this.doc.rows[this.row * fieldCount + Field.keyStart] as number;
  }

  get keyEnd(): number {
    return this.doc.rows[this.row * fieldCount + Field.keyEnd] as number;
  }

  get keyKind(): number {
    return this.doc.rows[this.row * fieldCount + Field.keyKind] as number;
  }

  /** Content with its properties (tag, anchor). */
  get start(): number {
    return this.doc.rows[this.row * fieldCount + Field.start] as number;
  }

  /** Content without properties. */
  get body(): number {
    return this.doc.rows[this.row * fieldCount + Field.body] as number;
  }

  get end(): number {
    return this.doc.rows[this.row * fieldCount + Field.end] as number;
  }

  /** 0-based column of the entry on its line. */
  get column(): number {
    return this.doc.rows[this.row * fieldCount + Field.column] as number;
  }

  /** Its content, or its entry where it has none. */
  get offset(): number {
    const { start } = this;
    return start < 0 ? this.entryStart : start;
  }

  /** First row after this subtree. */
  get nextRow(): number {
    return this.doc.rows[this.row * fieldCount + Field.next] as number;
  }

  // What it says.

  /** The text of an entry's key, as its consumer spells it. */
  get key(): string {
    return textOfKey(this);
  }

  /** The text of an entry's key as it is written. */
  get keyText(): string {
    return keyText(this);
  }

  /** Of a scalar; "" for an absent value. */
  get text(): string {
    return scalarText(this);
  }

  /** The tag of a value, as it is written. */
  get tag(): string | undefined {
    return tagOf(this);
  }

  /** A scalar as a Go reader sees it. */
  resolved(): Resolved {
    return resolveScalar(this);
  }

  // What is around it.

  /** The node itself, or the one that its alias refers to. */
  get value(): Node {
    const { targets } = this.doc;
    const target = targets.size === 0 ? undefined : targets.get(this.row);
    return target === undefined ? this : new Node(this.doc, target);
  }

  get parent(): Node | undefined {
    const parent = this.doc.rows[this.row * fieldCount + Field.parent] as number;
    return parent < 0 ? undefined : new Node(this.doc, parent);
  }

  /** Direct children, in the order they are written. */
  children(): Node[] {
    const { doc, row } = this;
    const { rows } = doc;
    const children: Node[] = [];
    if ((this.doc.rows[this.row * fieldCount + Field.kind] as number) > Kind.flowSequence) return children;
    const end = rows[row * fieldCount + Field.next] as number;
    for (let child = row + 1; child < end; child = rows[child * fieldCount + Field.next] as number)
      children.push(new Node(doc, child));
    return children;
  }

  get first(): Node | undefined {
    const isFilled =
      (this.doc.rows[this.row * fieldCount + Field.kind] as number) <= Kind.flowSequence &&
      this.nextRow > this.row + 1;
    return isFilled ? new Node(this.doc, this.row + 1) : undefined;
  }

  /** The last node in a subtree, however deep: in preorder it is the last row. */
  get deepest(): Node {
    return new Node(this.doc, this.nextRow - 1);
  }

  // What a mapping has.

  /**
   * go-yaml v2's order: `<<` overrides the keys written before it and yields to those after it;
   * of several sources the earlier one wins. Of a mapping that passed `checkDocument`.
   */
  entries(): Entries {
    const entries = new Map<string, Node>();
    for (const child of this.children()) {
      const key = keyOf(child);
      if (key.type !== "merge") entries.set(key.text, child);
      else for (const [name, entry] of mergedIn(child)) entries.set(name, entry);
    }
    return entries;
  }

  /** The entries that win, in order. Of a mapping in a document that passed `checkDocument`. */
  members(): readonly Node[] {
    return this.isEntangled ? [...this.entries().values()] : this.children();
  }

  /**
   * The entry under a key that is a word, in an unchecked document: the last of duplicates wins, and `<<` brings in
   * entries.
   */
  entry(key: string): Node | undefined {
    const { doc } = this;
    const { rows } = doc;
    const end = this.nextRow;
    const mark = doc.hasWordKeys === true ? markOfText(key) : 0;
    let found: Node | undefined;
    for (let row = this.row + 1; row < end; row = rows[row * fieldCount + Field.next] as number) {
      // Most keys differ in their marks, so their text is not compared.
      if (mark !== 0 && (rows[row * fieldCount + Field.flags] as number) >> markShift !== mark) continue;
      const child = new Node(doc, row);
      if (hasKey(child, key)) found = child;
      else if (doc.hasWordKeys !== true && !isWord(child) && keyOf(child).type === "merge")
        return this.entries().get(key);
    }
    return found;
  }

  /** Every entry that is written under a key that is a word, duplicates too. */
  all(key: string): Node[] {
    const { doc } = this;
    const { rows } = doc;
    const end = this.nextRow;
    const mark = doc.hasWordKeys === true ? markOfText(key) : 0;
    const found: Node[] = [];
    for (let row = this.row + 1; row < end; row = rows[row * fieldCount + Field.next] as number) {
      if (mark !== 0 && (rows[row * fieldCount + Field.flags] as number) >> markShift !== mark) continue;
      const child = new Node(doc, row);
      if (hasKey(child, key)) found.push(child);
    }
    return found;
  }

  /** The value under a key, aliases followed; undefined without one, or if this is not a mapping. */
  get(key: string): Node | undefined {
    const { value } = this;
    return value.isMapping ? value.entry(key)?.value : undefined;
  }

  /** Text of a scalar under a key; undefined if absent, null or not a scalar. */
  textAt(key: string): string | undefined {
    const value = this.get(key);
    return value?.isScalar === true && !value.isNull ? value.text : undefined;
  }

  /** The elements of a list under a key; none of anything else. */
  list(key: string): readonly Node[] {
    const value = this.get(key);
    return value === undefined || value.isMapping ? [] : value.children();
  }

  /**
   * As plain JavaScript values, for settings and for metadata of SOPS.
   * @param nothing what a null becomes: undefined where it means "not set"
   */
  plain(nothing: null | undefined): unknown {
    const { value } = this;
    if (value.isMapping)
      return Object.fromEntries(value.children().map((child) => [child.keyText, child.plain(nothing)]));
    if (value.isSequence) return value.children().map((child) => child.plain(nothing));
    const { type, text } = value.resolved();
    if (type === "null") return nothing;
    if (type === "bool") return text === "true";
    return type === "int" || type === "float" ? Number(text) : value.text;
  }
}

function mergedIn(child: Node): Entries {
  const { value } = child;
  const sources = value.isSequence
    ? value
        .children()
        .map((each) => each.value)
        .toReversed()
    : [value];
  return new Map(sources.flatMap((source) => [...source.entries()]));
}
