// The layers of a stack as documents that settings judge.
import type { Position } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import {
  type JudgedDocument,
  type JudgedStack,
  type JudgedTarget,
  type Layer,
  positionOf,
  positionOfLayer,
  type Stack,
  type Target,
  isText,
} from "../../layers/index.ts";
import { Mark, placeOf, refOf } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";
import type { Context } from "../context.ts";
import { type FoldRecord, readRecord } from "../refold/record.ts";
import { readStack, type ReadEntry } from "./stack-entries.ts";

type ReadLayers = Pick<Context, "layers" | "holdings">;

export function judgedStack(stack: Stack, read: ReadLayers): JudgedStack {
  const documents = readStack(stack, read.layers).map((entry) => judged(entry, stack, read));
  return { documents, rules: stack.rules?.at, into: stack.into };
}

/** How judging names a target of the list. */
export function aboutTarget(target: Target): Omit<JudgedTarget, "stacks"> {
  return { target, title: objectText(target), item: refOf(target), at: placeOf(target) };
}

/** A target of the list. @param inline values that it holds itself, over all layers */
export function judgedTarget(
  target: Target,
  stacks: readonly Stack[],
  inline: Node | undefined,
  read: ReadLayers,
): JudgedTarget {
  const own = inline === undefined ? [] : [{ documents: [inlineDocument(inline, target)] }];
  return { ...aboutTarget(target), stacks: [...stacks.map((each) => judgedStack(each, read)), ...own] };
}

function judged(entry: ReadEntry, stack: Stack, read: ReadLayers): JudgedDocument {
  const { layer, state, root, whole } = entry;
  if (layer === undefined) return unread(entry, stack);
  return {
    ...(root && { root }),
    ...(whole !== undefined && { whole }),
    ...(state !== undefined && { unknown: state }),
    isSecret: read.layers.isSecret(layer),
    owner: { ...refOf(layer.item), namespace: layer.item.namespace, priority: layer.priority },
    get foldedFrom() {
      return recordOf(layer, read)?.layers.map((each) => ({
        ...each,
        namespace: each.namespace ?? layer.item.namespace,
      }));
    },
    isUnquoted: layer.dotted !== undefined,
    item: refOf(layer.item),
    positionAt: (node) => positionIn(layer, stack, read, node),
  };
}

function positionIn(
  layer: Layer,
  { target }: Stack,
  { layers }: ReadLayers,
  entry: Node | undefined,
): Position {
  const isWhole = entry === undefined || entry.entryStart < 0;
  const position = isWhole
    ? positionOfLayer(layer, target, layers)
    : positionOf(layer, target, layers, entry.entryStart);
  // Of flat keys the path of the value identifies the key.
  return layer.dotted === undefined ? position : { ...position, text: objectText(layer.item) };
}

/** Only a record with the digest of its text is valid: any user can write an annotation. */
function recordOf({ item }: Layer, { holdings }: ReadLayers): FoldRecord | undefined {
  if (!item.annotations.has(Mark.foldedFrom)) return undefined;
  const record = readRecord(item);
  const [key] = holdings.keysOf(item);
  const text = key === undefined ? undefined : holdings.textOf(item, key);
  const fits = isText(text) && text.digest() === record?.digest && record.layers.length > 0;
  return fits ? record : undefined;
}

export function inlineDocument(root: Node, target: Target): JudgedDocument {
  const { kind, name, namespace } = target;
  const text = `${objectText(target)} spec.values`;
  return {
    root,
    isSecret: false,
    owner: { kind, name, namespace, priority: Infinity },
    isUnquoted: true,
    item: refOf(target),
    positionAt: (entry) => ({
      ...placeOf(target),
      text,
      ...(entry === undefined || entry.entryStart < 0 ? {} : { offset: entry.entryStart }),
    }),
  };
}

/** What the cluster binds; without a reference, the input does not name it. */
function unread({ barrier }: ReadEntry, { target }: Stack): JudgedDocument {
  const { why = "unseen", reference, priority = 0 } = barrier ?? {};
  const positionAt = (): Position => placeOf(target);
  if (reference === undefined) return { unknown: why, isSecret: false, positionAt };
  const { kind, name, namespace = target.namespace, node } = reference;
  return {
    unknown: why,
    isSecret: false,
    owner: { kind, name, namespace, priority },
    ...(why === "target-path" && { targetPath: node?.textAt("targetPath") ?? "" }),
    positionAt,
  };
}
