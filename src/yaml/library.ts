// What the `yaml` library's nodes say of themselves, in the words of the tape.
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

/** A value that is not there is a plain scalar without text. */
function isAbsent(node: Node): boolean {
  const range = node.range ?? [0, 1];
  return isScalar(node) && range[0] === range[1] && scalarKind(node) === Kind.plain;
}

/** `flow` is not set on a pair without braces inside brackets; its token tells. */
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
