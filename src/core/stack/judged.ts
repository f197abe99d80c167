// The documents of a stack as those see them who judge values: protected paths, schemas, paths of settings. A document may be
// a layer of a list, or a file: they do not see which.
import { formatItem, type ItemRef, type Position } from "../../diagnostic.ts";
import {
  isText,
  type Layer,
  positionOf,
  positionOfLayer,
  type Stack,
  type Target,
} from "../../layers/index.ts";
import { Mark, type Named, describe, placeOf, refOf } from "../../krm/index.ts";
import type { Rules } from "../../merge/index.ts";
import type { Node } from "../../yaml/index.ts";
import type { Context } from "../context.ts";
import { type FoldRecord, readRecord } from "../refold/record.ts";
import type { LayerOwner } from "./protection.ts";
import { readStack, type ReadEntry } from "./stack-entries.ts";

export interface JudgedDocument {
  readonly root?: Node;
  /** A text that is not a mapping. */
  readonly whole?: string;
  /** True where messages name no key of it. */
  readonly isSecret: boolean;
  /** Absent where the input does not name it. */
  readonly owner?: LayerOwner;
  /** The layers that it was folded from, by a valid record. */
  readonly foldedFrom?: readonly LayerOwner[] | undefined;
  /** Why its values are not known: the state of a layer, or of a barrier. */
  readonly unknown?: string;
  /** The one path that it sets, as the target writes it. */
  readonly targetPath?: string;
  /** True for values in a manifest, not in a text inside it: Flux prints them without quotes. */
  readonly isUnquoted?: boolean;
  /** The object, for those that are one. */
  readonly item?: ItemRef;
  /** The place of an entry; without one, that of the whole. */
  readonly positionAt: (entry?: Node) => Position;
}

/** Documents that their consumer merges, lowest first. */
export interface JudgedStack {
  readonly documents: readonly JudgedDocument[];
  readonly rules?: Rules | undefined;
  /** The data key of the target that the stack goes into. */
  readonly into?: Stack["into"];
}

/** What settings demand something of. */
export interface JudgedTarget {
  readonly target: Target | Named;
  readonly at: Position;
  /** In the consumer's order: the values of a later stack are over those of an earlier one. */
  readonly stacks: readonly JudgedStack[];
}

export function judgedStack(stack: Stack, context: Context): JudgedStack {
  const documents = readStack(stack, context.layers).map((entry) => judged(entry, stack, context));
  return { documents, rules: stack.rules?.at, into: stack.into };
}

/** A target of the list. @param inline values that it holds itself, over all layers */
export function judgedTarget(
  target: Target,
  stacks: readonly Stack[],
  inline: Node | undefined,
  context: Context,
): JudgedTarget {
  const own = inline === undefined ? [] : [{ documents: [inlineDocument(inline, target)] }];
  return {
    target,
    at: placeOf(target),
    stacks: [...stacks.map((each) => judgedStack(each, context)), ...own],
  };
}

function judged(entry: ReadEntry, stack: Stack, context: Context): JudgedDocument {
  const { layer, state, root, whole } = entry;
  if (layer === undefined) return unread(entry, stack);
  return {
    ...(root && { root }),
    ...(whole !== undefined && { whole }),
    ...(state !== undefined && { unknown: state }),
    isSecret: context.layers.isSecret(layer),
    owner: { ...refOf(layer.item), namespace: layer.item.namespace, priority: layer.priority },
    get foldedFrom() {
      return recordOf(layer, context)?.layers.map((each) => ({
        ...each,
        namespace: each.namespace ?? layer.item.namespace,
      }));
    },
    isUnquoted: layer.dotted !== undefined,
    item: refOf(layer.item),
    positionAt: (node) => positionIn(layer, stack, context, node),
  };
}

function positionIn(layer: Layer, { target }: Stack, { layers }: Context, entry: Node | undefined): Position {
  const isWhole = entry === undefined || entry.entryStart < 0;
  const position = isWhole
    ? positionOfLayer(layer, target, layers)
    : positionOf(layer, target, layers, entry.entryStart);
  // Of flat keys the path of the value identifies the key.
  return layer.dotted === undefined ? position : { ...position, text: describe(layer.item) };
}

/** Only a record with the digest of its text is valid: any user can write an annotation. */
function recordOf({ item }: Layer, { holdings }: Context): FoldRecord | undefined {
  if (!item.annotations.has(Mark.foldedFrom)) return undefined;
  const record = readRecord(item);
  const [key] = holdings.keysOf(item);
  const text = key === undefined ? undefined : holdings.textOf(item, key);
  const fits = isText(text) && text.digest() === record?.digest && record.layers.length > 0;
  return fits ? record : undefined;
}

export function inlineDocument(root: Node, target: Target): JudgedDocument {
  const { kind, name, namespace } = target;
  const text = `${formatItem(target)} spec.values`;
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
