// The `yaml` library's nodes → tape rows. Only offsets are taken over; resolving and judging is not done here.
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type CST,
  type Document as LibraryDocument,
  type Node as LibraryNode,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { ReadFault } from "./fault.ts";
import { type Document, Field, fieldCount, Flag, Kind } from "./tape.ts";

interface Entry {
  readonly entry: number;
  readonly key?: { readonly start: number; readonly end: number; readonly kind: number };
  readonly flags: number;
  readonly block: boolean;
}

/** What an anchor names: a row, or the text of a key (which has no row of its own). */
type Anchored = { row: number } | { start: number; end: number; kind: number };

const scalarKinds: Readonly<Record<string, number>> = {
  PLAIN: Kind.plain,
  QUOTE_SINGLE: Kind.single,
  QUOTE_DOUBLE: Kind.double,
  BLOCK_LITERAL: Kind.literal,
  BLOCK_FOLDED: Kind.folded,
};

export class TapeBuilder {
  private readonly rows: number[] = [];
  private readonly anchors = new Map<string, Anchored>();
  private readonly aliases: { row: number; target: Anchored }[] = [];
  private fault: ReadFault | undefined;
  private readonly bytes: Uint8Array;
  private readonly base: number;

  constructor(bytes: Uint8Array, base: number) {
    this.bytes = bytes;
    this.base = base;
  }

  addRoot(document: LibraryDocument.Parsed, tokens: readonly CST.Token[]): ReadFault | undefined {
    const token = tokens.find((t) => t.type === "document");
    const node = document.contents ?? null;
    const at = node?.range?.[0] ?? 0;
    this.add(node, { entry: -1, flags: 0, block: true }, token?.start ?? [], at, -1);
    return this.fault;
  }

  finish(about: Pick<Document, "start" | "end" | "markers" | "followed">): Document {
    const targets = new Map<number, number>();
    for (const { row, target } of this.aliases) targets.set(row, this.rowOf(target));
    const markers = about.markers.map(([from, to]) => [from + this.base, to + this.base] as const);
    return { ...about, bytes: this.bytes, rows: Int32Array.from(this.rows), targets, markers };
  }

  /** @param emptyAt where a value that is not there would stand (document offset) */
  private add(
    node: LibraryNode | null,
    entry: Entry,
    props: readonly CST.SourceToken[],
    emptyAt: number,
    parent: number,
  ): number {
    const row = this.rows.length / fieldCount;
    const body = node?.range?.[0] ?? emptyAt;
    const anchored = node !== null && !isAlias(node) && node.anchor !== undefined;
    const tagged = node !== null && !isAlias(node) && node.tag !== undefined;
    const propsStart = anchored || tagged ? startOfProps(props) : undefined;
    const isEmpty =
      isScalar(node) &&
      node.range !== undefined &&
      node.range !== null &&
      node.range[0] === node.range[1] &&
      scalarKind(node) === Kind.plain;
    const at = isEmpty || node === null ? (propsStart === undefined ? emptyAt : endOfProps(props)) : body;
    const start = propsStart ?? at;
    this.rows.push(
      isEmpty || node === null ? Kind.empty : kindOf(node),
      this.absolute(entry.entry),
      this.absolute(entry.key?.start ?? -1),
      this.absolute(entry.key?.end ?? -1),
      entry.key?.kind ?? 0,
      this.absolute(start),
      this.absolute(at),
      this.absolute(isEmpty || node === null ? at : (node.range?.[1] ?? at)),
      entry.entry < 0 ? this.columnAt(start) : this.columnAt(entry.entry),
      row + 1,
      parent,
      entry.flags | (anchored ? Flag.anchored : 0),
    );
    // Before the children, so that an alias to a node that holds it is found out.
    if (anchored) this.anchors.set((node as Scalar).anchor as string, { row });
    if (isAlias(node)) this.addAlias(row, node.source);
    else this.addChildren(node, row);
    this.rows[row * fieldCount + Field.next] = this.rows.length / fieldCount;
    return row;
  }

  private addChildren(node: LibraryNode | null, row: number): void {
    if (isMap(node)) for (const pair of node.items) this.addPair(pair as Pair, isFlowNode(node), row);
    else if (isSeq(node)) this.addItems(node, row);
    else return;
    if (isFlowNode(node)) return;
    const last = this.lastChildEnd(row);
    if (last >= 0) this.rows[row * fieldCount + Field.end] = last;
  }

  /** Block collections end where their last child does; the library counts comments in. */
  private lastChildEnd(row: number): number {
    let end = -1;
    for (let child = row + 1; child < this.rows.length / fieldCount;) {
      end = this.rows[child * fieldCount + Field.end] as number;
      child = this.rows[child * fieldCount + Field.next] as number;
    }
    return end;
  }

  private addPair(pair: Pair, flow: boolean, parent: number): void {
    const token = pair.srcToken as CST.CollectionItem | undefined;
    const start = token?.start ?? [];
    const sep = token?.sep ?? [];
    const keyNode = pair.key as LibraryNode | null;
    const colon = sep.find((t) => t.type === "map-value-ind");
    const keyFrom = keyNode?.range?.[0] ?? colon?.offset ?? 0;
    const mark = start.find((t) => t.type === "explicit-key-ind");
    const key = this.keyOf(keyNode, start, keyFrom);
    if (key === undefined) return;
    const afterColon = colon === undefined ? [] : sep.slice(sep.indexOf(colon) + 1);
    const emptyAt = colon === undefined ? key.textEnd : colon.offset + 1;
    const entry = mark?.offset ?? startOfProps(start) ?? keyFrom;
    const flags = key.flags | (mark === undefined ? 0 : Flag.explicitKey);
    this.add(
      pair.value as LibraryNode | null,
      { entry, key, flags, block: !flow },
      afterColon,
      emptyAt,
      parent,
    );
  }

  private keyOf(node: LibraryNode | null, start: readonly CST.SourceToken[], from: number) {
    if (isAlias(node)) return this.borrowedKey(node.source, node.range?.[1] ?? from);
    if (!isScalar(node) && node !== null) {
      this.fail("unsupported-key", "a key must be text, not a mapping or a sequence", from);
      return undefined;
    }
    const end = node?.range?.[1] ?? from;
    const kind = node === null || end === from ? Kind.empty : scalarKind(node);
    const anchor = node?.anchor;
    if (anchor !== undefined) this.anchors.set(anchor, { start: from, end, kind });
    const tagStart = node?.tag === undefined ? undefined : start.find((t) => t.type === "tag")?.offset;
    return {
      start: tagStart ?? from,
      end,
      textEnd: end,
      kind,
      flags: anchor === undefined ? 0 : Flag.keyBorrowed,
    };
  }

  /** A key that is an alias takes the text of the scalar it stands for. */
  private borrowedKey(name: string, textEnd: number) {
    const target = this.anchors.get(name);
    const found = target !== undefined && "row" in target ? this.scalarAt(target.row) : target;
    if (found === undefined) {
      this.fail("unsupported-key", "a key must be text, not a mapping or a sequence", textEnd);
      return undefined;
    }
    return { ...found, textEnd, flags: Flag.keyBorrowed };
  }

  private scalarAt(row: number): { start: number; end: number; kind: number } | undefined {
    const at = row * fieldCount;
    const kind = this.rows[at + Field.kind] as number;
    if (kind < Kind.plain || kind > Kind.double) return undefined;
    const offset = (name: number): number => (this.rows[at + name] as number) - this.base;
    return { start: offset(Field.body), end: offset(Field.end), kind };
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
      this.add(child, { entry, flags: 0, block: dash !== undefined }, after, at, row);
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
    const { start, end, kind } = target;
    this.rows.push(
      kind,
      -1,
      -1,
      -1,
      0,
      start + this.base,
      start + this.base,
      end + this.base,
      this.columnAt(start),
      row + 1,
      -1,
      0,
    );
    return row;
  }

  private fail(code: ReadFault["code"], message: string, offset: number): void {
    this.fault ??= { code, message, offset: offset + this.base };
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

function scalarKind(node: Scalar): number {
  return scalarKinds[node.type ?? "PLAIN"] ?? Kind.plain;
}

function kindOf(node: LibraryNode): number {
  if (isAlias(node)) return Kind.alias;
  if (isMap(node)) return isFlowNode(node) ? Kind.flowMapping : Kind.blockMapping;
  if (isSeq(node)) return isFlowNode(node) ? Kind.flowSequence : Kind.blockSequence;
  return scalarKind(node as Scalar);
}

/** `flow` is not set on a pair without braces inside brackets; its token tells. */
function isFlowNode(node: YAMLMap | YAMLSeq): boolean {
  const token = node.srcToken as CST.Token | undefined;
  return node.flow === true || token === undefined || token.type === "flow-collection";
}

function startOfProps(tokens: readonly CST.SourceToken[]): number | undefined {
  return tokens.find((t) => t.type === "anchor" || t.type === "tag")?.offset;
}

function endOfProps(tokens: readonly CST.SourceToken[]): number {
  const props = tokens.filter((t) => t.type === "anchor" || t.type === "tag");
  const last = props[props.length - 1];
  return last === undefined ? 0 : last.offset + last.source.length;
}
