// The `yaml` library's nodes in the terms of the tape: kinds and offsets.
import { type CST, isAlias, isMap, isScalar, type Node, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { Kind } from "./tape.ts";

const scalarKinds: Readonly<Record<string, number>> = {
  PLAIN: Kind.plain,
  QUOTE_SINGLE: Kind.single,
  QUOTE_DOUBLE: Kind.double,
  BLOCK_LITERAL: Kind.literal,
  BLOCK_FOLDED: Kind.folded,
};

function scalarKind(node: Scalar): number {
  return scalarKinds[node.type ?? "PLAIN"] ?? Kind.plain;
}

export function kindOfLibraryNode(node: Node | null): number {
  if (node === null || isAbsent(node)) return Kind.empty;
  if (isAlias(node)) return Kind.alias;
  if (isScalar(node)) return scalarKind(node);
  const flow = isFlowNode(node);
  if (isMap(node)) return flow ? Kind.flowMapping : Kind.blockMapping;
  return flow ? Kind.flowSequence : Kind.blockSequence;
}

/** An absent value is a plain scalar without text. */
function isAbsent(node: Node): boolean {
  const range = node.range ?? [0, 1];
  return isScalar(node) && range[0] === range[1] && scalarKind(node) === Kind.plain;
}

/** `flow` is not set on a pair without braces inside brackets; its token shows it. */
export function isFlowNode(node: YAMLMap | YAMLSeq): boolean {
  const token: CST.Token | undefined = node.srcToken;
  return node.flow === true || token === undefined || token.type === "flow-collection";
}

export function hasProps(node: Node | null): boolean {
  return node !== null && !isAlias(node) && (node.anchor !== undefined || node.tag !== undefined);
}

export function anchorOf(node: Node | null): string | undefined {
  return node === null || isAlias(node) ? undefined : node.anchor;
}

function isProp({ type }: CST.SourceToken): boolean {
  return type === "anchor" || type === "tag";
}

/** Offset of the first tag or anchor among tokens. */
export function startOfProps(tokens: readonly CST.SourceToken[]): number | undefined {
  return tokens.find(isProp)?.offset;
}

export function endOfProps(tokens: readonly CST.SourceToken[]): number {
  const last = tokens.findLast(isProp);
  return last === undefined ? 0 : last.offset + last.source.length;
}

/**
 * Where a block scalar ends. The library measures blank lines after the text against its first line, even where the
 * header sets the column of the text: there it ends too early.
 * @param block its range, and where the bytes to read end
 * @param column of the entry that it belongs to
 */
export function endOfBlock(
  bytes: Buffer,
  { start, end, limit }: { readonly start: number; readonly end: number; readonly limit: number },
  column: number,
): number {
  const digit = /^[|>][-+]?([1-9])/.exec(bytes.toString("latin1", start, start + 3))?.[1];
  if (digit === undefined) return end;
  let reached = end;
  for (let at = end; at < limit; at++) {
    const lineStart = at;
    while (at < limit && bytes[at] === 0x20) at++;
    if (at < limit && bytes[at] !== 0x0a) break;
    if (at - lineStart > column + Number(digit)) reached = Math.min(at + 1, limit);
  }
  return reached;
}
