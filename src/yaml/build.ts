// The `yaml` library's nodes → tape rows. It copies offsets only; it resolves and judges nothing.
import {
  type CST,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Document as LibraryDocument,
  type Node as LibraryNode,
  type Pair,
  type YAMLSeq,
} from "yaml";
import { maxDepth, type ReadFault } from "./fault.ts";
import {
  anchorOf,
  endOfBlock,
  endOfProps,
  hasProps,
  isFlowNode,
  kindOfLibraryNode,
  startOfProps,
} from "./library.ts";
import { type Document, Field, fieldCount, Flag, Kind } from "./tape.ts";

type Tokens = readonly CST.SourceToken[];

/** A scalar: from its properties, if it has any, and from its text. */
interface TextRange {
  readonly start: number;
  readonly body: number;
  readonly end: number;
  readonly kind: number;
}

interface Key extends TextRange {
  /** Where the key's own text ends; for an alias, after the alias. */
  readonly textEnd: number;
  readonly flags: number;
}

interface OpenEntry {
  readonly entry: number;
  readonly key?: TextRange;
  readonly flags: number;
}

/** What an anchor names: a row, or the text of a key (which has no row of its own). */
type Anchored = { readonly row: number } | TextRange;

const collectionClause = "a key must be text, not a mapping or a sequence";
const templateClause = "`{{` begins a template";
const templateHint = "render it first, or put the value in quotes";

export class TapeBuilder {
  private readonly rows: number[] = [];
  private readonly anchors = new Map<string, Anchored>();
  private readonly aliases: { row: number; target: Anchored }[] = [];
  private fault: ReadFault | undefined;
  private readonly bytes: Buffer;
  private readonly base: number;
  private readonly limit: number;

  /** @param base where the text starts that the library read; `limit` is where it ends */
  constructor(bytes: Buffer, base: number, limit: number) {
    this.bytes = bytes;
    this.base = base;
    this.limit = limit;
  }

  addRoot(document: LibraryDocument.Parsed, tokens: readonly CST.Token[]): ReadFault | undefined {
    const token = tokens.find((t) => t.type === "document");
    const node = document.contents ?? null;
    const at = node?.range?.[0] ?? 0;
    this.add(node, { entry: -1, flags: 0 }, token?.start ?? [], at, -1);
    return this.fault;
  }

  finish(about: Pick<Document, "start" | "end" | "markers" | "followed">): Document {
    const targets = new Map<number, number>();
    for (const { row, target } of this.aliases) targets.set(row, this.rowOf(target));
    const markers = about.markers.map(([from, to]) => [from + this.base, to + this.base] as const);
    return { ...about, bytes: this.bytes, rows: Int32Array.from(this.rows), targets, markers };
  }

  /** @param emptyAt where an absent value would be (document offset) */
  private add(
    node: LibraryNode | null,
    entry: OpenEntry,
    props: Tokens,
    emptyAt: number,
    parent: number,
  ): number {
    const row = this.rows.length / fieldCount;
    const kind = kindOfLibraryNode(node);
    const propsStart = hasProps(node) ? startOfProps(props) : undefined;
    const absentAt = propsStart === undefined ? emptyAt : endOfProps(props);
    const [body, ownEnd] = kind === Kind.empty ? [absentAt, absentAt] : rangeOf(node, emptyAt);
    const end = this.endOf({ body, end: ownEnd, kind }, entry.entry);
    const anchor = anchorOf(node);
    const { key } = entry;
    const start = propsStart ?? body;
    this.rows.push(kind, this.absolute(entry.entry));
    this.rows.push(this.absolute(key?.start ?? -1), this.absolute(key?.end ?? -1), key?.kind ?? 0);
    this.rows.push(this.absolute(start), this.absolute(body), this.absolute(end));
    this.rows.push(this.columnAt(entry.entry < 0 ? start : entry.entry), row + 1, parent);
    this.rows.push(entry.flags | (anchor === undefined ? 0 : Flag.anchored));
    // Before the children, so that an alias to a node that contains it is found.
    if (anchor !== undefined) this.anchors.set(anchor, { row });
    if (isAlias(node)) this.addAlias(row, node.source);
    else this.addChildren(node, row);
    this.rows[row * fieldCount + Field.next] = this.rows.length / fieldCount;
    return row;
  }

  private addChildren(node: LibraryNode | null, row: number): void {
    if (isMap(node)) for (const pair of node.items) this.addPair(pair, row);
    else if (isSeq(node)) this.addItems(node, row);
    else return;
    if (isFlowNode(node)) return;
    const last = this.lastChildEnd(row);
    if (last >= 0) this.rows[row * fieldCount + Field.end] = last;
  }

  /** Block collections end where their last child does; the library includes comments. */
  private lastChildEnd(row: number): number {
    let end = -1;
    for (let child = row + 1; child < this.rows.length / fieldCount;) {
      end = this.rows[child * fieldCount + Field.end] as number;
      child = this.rows[child * fieldCount + Field.next] as number;
    }
    return end;
  }

  private addPair({ key: keyNode, value, srcToken }: Pair, parent: number): void {
    const { start = [], sep = [] }: Partial<CST.CollectionItem> = srcToken ?? {};
    const colon = sep.find((token) => token.type === "map-value-ind");
    const from = (keyNode as LibraryNode | null)?.range?.[0] ?? colon?.offset ?? 0;
    const key = this.keyOf(keyNode as LibraryNode | null, start, from);
    if (key === undefined) return;
    const mark = start.find((token) => token.type === "explicit-key-ind");
    if (mark !== undefined && colon !== undefined && this.isAstray(mark.offset, colon.offset, parent))
      this.fail("syntax", "the `:` of a key with `?` must be as deep as the `?`", colon.offset);
    const entry = { entry: mark?.offset ?? startOfProps(start) ?? from, key, flags: key.flags };
    const afterColon = colon === undefined ? [] : sep.slice(sep.indexOf(colon) + 1);
    const emptyAt = colon === undefined ? key.textEnd : colon.offset + 1;
    this.add(value as LibraryNode | null, entry, afterColon, emptyAt, parent);
  }

  private keyOf(node: LibraryNode | null, start: Tokens, from: number): Key | undefined {
    if (isAlias(node)) return this.borrowedKey(node.source, node.range?.[1] ?? from);
    if (node !== null && !isScalar(node))
      return this.failKey(from, this.isTemplateAt(from) ? templateClause : collectionClause);
    const [, ownEnd] = rangeOf(node, from);
    const kind = kindOfLibraryNode(node);
    const mark = start.find((token) => token.type === "explicit-key-ind");
    const end = this.endOf({ body: from, end: ownEnd, kind }, mark?.offset ?? from);
    const anchor = anchorOf(node);
    const tag = node?.tag === undefined ? undefined : start.find((token) => token.type === "tag");
    if (this.isTooShallow({ body: from, end, kind }, mark?.offset ?? from))
      return this.failKey(from, "the text of this key is not as deep as its header says");
    const key = { start: tag?.offset ?? from, body: from, end, kind };
    if (anchor !== undefined) this.anchors.set(anchor, key);
    return { textEnd: end, flags: anchor === undefined ? 0 : Flag.keyBorrowed, ...key };
  }

  /** True for `{{ … }}`: YAML takes it for a mapping that is a key. */
  private isTemplateAt(offset: number): boolean {
    return [offset, offset - 1].some(
      (at) => this.bytes.toString("latin1", this.base + at, this.base + at + 2) === "{{",
    );
  }

  /** True for the colon of a block entry that starts a line deeper than its question mark, which Go refuses. */
  private isAstray(mark: number, colon: number, parent: number): boolean {
    const isBlock = this.rows[parent * fieldCount + Field.kind] === Kind.blockMapping;
    return isBlock && this.columnAt(colon) !== this.columnAt(mark);
  }

  /** The library ends a block scalar before lines that are left of its column, and loses them in a key. */
  private isTooShallow({ body, end, kind }: Omit<TextRange, "start">, entry: number): boolean {
    if (kind !== Kind.literal && kind !== Kind.folded) return false;
    const after = Math.min(this.absolute(end) + maxDepth, this.limit);
    const source = this.bytes.toString("latin1", this.absolute(body), after);
    const [, digit, spaces = ""] = /^[|>][-+]?([1-9]).*\n(?: *\n)*( *)/.exec(source) ?? [];
    const column = this.columnAt(entry);
    return digit !== undefined && spaces.length > column && spaces.length < column + Number(digit);
  }

  /** A key that is an alias takes the tag and the text of the scalar that it refers to. */
  private borrowedKey(name: string, textEnd: number): Key | undefined {
    const target = this.anchors.get(name);
    const found = target !== undefined && "row" in target ? this.scalarAt(target.row) : target;
    const isText = found !== undefined && found.kind >= Kind.plain && found.kind <= Kind.folded;
    if (!isText) return this.failKey(textEnd, "an alias as a key must refer to text");
    const text = this.bytes.toString("latin1", this.absolute(found.body), this.absolute(found.end));
    // The digit is relative to the column of the entry with the text, which the key does not know.
    if (/^[|>][-+]?[1-9]/.test(text))
      return this.failKey(
        textEnd,
        "an alias as a key cannot refer to a block scalar whose header has a digit",
      );
    // Written out, it would merge; Go does not merge an alias of it.
    if (/^["']?<<["']?$/.test(text)) return this.failKey(textEnd, "an alias as a key cannot refer to `<<`");
    return { ...found, textEnd, flags: Flag.keyBorrowed };
  }

  private failKey(offset: number, message: string): undefined {
    this.fail("unsupported-key", message, offset);
  }

  private scalarAt(row: number): TextRange {
    const at = row * fieldCount;
    const kind = this.rows[at + Field.kind] as number;
    const offset = (name: number): number => (this.rows[at + name] as number) - this.base;
    return { start: offset(Field.start), body: offset(Field.body), end: offset(Field.end), kind };
  }

  private addItems(node: YAMLSeq, row: number): void {
    const token = node.srcToken as CST.BlockSequence | CST.FlowCollection | undefined;
    node.items.forEach((item, index) => {
      const start = token?.items[index]?.start ?? [];
      const dash = start.find((t) => t.type === "seq-item-ind");
      const child = (isPair(item) ? null : item) as LibraryNode | null;
      const after = dash === undefined ? start : start.slice(start.indexOf(dash) + 1);
      const at = dash === undefined ? (child?.range?.[0] ?? 0) : dash.offset + 1;
      const entry = dash?.offset ?? startOfProps(start) ?? at;
      this.add(child, { entry, flags: 0 }, after, at, row);
    });
  }

  private addAlias(row: number, name: string): void {
    const target = this.anchors.get(name);
    if (target !== undefined) this.aliases.push({ row, target });
    else
      this.fail(
        "syntax",
        "the alias names no anchor above it",
        (this.rows[row * fieldCount + Field.body] as number) - this.base,
      );
  }

  private rowOf(target: Anchored): number {
    if ("row" in target) return target.row;
    const row = this.rows.length / fieldCount;
    const { start, body, end, kind } = target;
    this.rows.push(
      kind,
      -1,
      -1,
      -1,
      0,
      start + this.base,
      body + this.base,
      end + this.base,
      this.columnAt(start),
      row + 1,
      -1,
      0,
    );
    return row;
  }

  /** @param entry where the entry starts that has this key or value; -1 for a root */
  private endOf({ body, end, kind }: Omit<TextRange, "start">, entry: number): number {
    if (kind === Kind.single || kind === Kind.double) this.checkQuote({ body, end, kind });
    if (kind !== Kind.literal && kind !== Kind.folded) return end;
    const block = { start: this.absolute(body), end: this.absolute(end), limit: this.limit };
    return endOfBlock(this.bytes, block, entry < 0 ? 0 : this.columnAt(entry)) - this.base;
  }

  /** If the input ends in quoted text, the library takes a doubled or an escaped quote for the last one. */
  private checkQuote({ body, end, kind }: Omit<TextRange, "start">): void {
    if (this.absolute(end) !== this.limit) return;
    const source = this.bytes.toString("latin1", this.absolute(body), this.limit);
    const isClosed = kind === Kind.single ? /^'(?:[^']|'')*'$/ : /^"(?:[^"\\]|\\[^])*"$/;
    if (!isClosed.test(source)) this.fail("syntax", "a quote is not closed", end - 1);
  }

  private fail(code: ReadFault["code"], message: string, offset: number): void {
    const hint = message === templateClause ? { hint: templateHint } : {};
    this.fault ??= { code, message, ...hint, offset: offset + this.base };
  }

  private absolute(offset: number): number {
    return offset < 0 ? -1 : offset + this.base;
  }

  private columnAt(offset: number): number {
    const at = offset + this.base;
    const lineStart = at === 0 ? 0 : this.bytes.lastIndexOf(10, at - 1) + 1;
    return at - Math.max(this.base, lineStart);
  }
}

function rangeOf(node: LibraryNode | null, otherwise: number): [start: number, end: number] {
  const range = node?.range;
  return range === undefined || range === null ? [otherwise, otherwise] : [range[0], range[1]];
}
