// Two layers of equal priority that set one path to different values. Between entries of a list the
// list's order is binding; where only the order of items decides, the user should say what is meant.
import type { Diagnostic } from "../diagnostic.ts";
import { isBranch, type Path, slotsOf, type Tree } from "../merge/merge.ts";
import { valuesOf } from "../layer/layers.ts";
import type { Layer, Stack } from "../model.ts";
import { positionOf } from "../layer/origin.ts";
import type { Settings } from "../config/settings.ts";
import { refOf } from "../wire/item.ts";
import { resolveScalar } from "../yaml/resolve.ts";
import {
  childrenOf,
  type Document,
  Field,
  field,
  isMapping,
  isScalar,
  isSequence,
  type Node,
  valueOf,
} from "../yaml/tape.ts";

export interface Meeting {
  readonly path: Path;
  readonly base: Tree;
  readonly override: Node;
}

/** The tie in a meeting, if it is one worth telling. */
export function tieIn(
  { path, base, override }: Meeting,
  layers: ReadonlyMap<Document, Layer>,
  stack: Stack,
  onTie: Settings["onTie"],
): Diagnostic | undefined {
  const lowerNode = isBranch(base) ? base.head : base;
  const [lower, upper] = [layers.get(lowerNode.doc), layers.get(override.doc)];
  const by = lower === undefined || upper === undefined ? undefined : orderOf(lower, upper);
  const isTold = by === "items" || (by === "list" && onTie === "error");
  if (!isTold || lower === undefined || upper === undefined || !isConflict(path, base, override))
    return undefined;
  const secret = [lower, upper].some(({ kind }) => kind === "Secret");
  const name = secret ? "a path" : `\`${path.join(".")}\``;
  return {
    code: "tie",
    severity: onTie === "error" ? "error" : "warning",
    item: refOf(stack.target),
    message: `${name} is set differently by two layers of priority ${upper.priority}`,
    at: positionOf(upper, stack.target, field(override, Field.entry)),
    also: [positionOf(lower, stack.target, field(lowerNode, Field.entry))],
    hint: by === "list" ? listHint : upper.scope === undefined ? itemsHint : orderHint,
  };
}

/** The tie of two files of which the upper one stands, if it is one worth telling. */
export function tieOfTexts(
  lower: Layer,
  upper: Layer,
  stack: Stack,
  onTie: Settings["onTie"],
): Diagnostic | undefined {
  const same = Buffer.from(valuesOf(lower).text).equals(valuesOf(upper).text);
  if (same || orderOf(lower, upper) !== "items" || lower.item === stack.target) return undefined;
  return {
    code: "tie",
    severity: onTie === "error" ? "error" : "warning",
    item: refOf(stack.target),
    message: `two layers of priority ${upper.priority} hold different text`,
    at: positionOf(upper, stack.target, undefined),
    also: [positionOf(lower, stack.target, undefined)],
    hint: itemsHint,
  };
}

const listHint = "give them different priorities, or leave `onTie` at `listOrder`";
const orderHint = "give them a different `install-order`: now their names decide";
const itemsHint = "give them different `valuefold.dev/priority`: now the order of items decides";

/** What alone orders two layers of equal priority: the order of items, or of a list in the target. */
function orderOf(lower: Layer, upper: Layer): "items" | "list" | undefined {
  if (lower === upper || lower.priority !== upper.priority || lower.scope !== upper.scope) return undefined;
  if (lower.reference === undefined && upper.reference === undefined) return "items";
  return lower.reference !== undefined && lower.reference.slot === upper.reference?.slot ? "list" : undefined;
}

function isConflict(path: Path, base: Tree, override: Node): boolean {
  const bothMappings = isMapping(valueOf(override)) && slotsOf(base) !== undefined;
  return path.length > 0 && !bothMappings && !sameValue(base, override);
}

/** Equal as a consumer reads them. */
function sameValue(base: Tree, override: Node): boolean {
  const slots = slotsOf(base);
  const others = slotsOf(override);
  if (slots !== undefined && others !== undefined) {
    return (
      slots.size === others.size &&
      [...slots].every(([key, { tree }]) => sameSlot(tree, others.get(key)?.tree))
    );
  }
  if (isBranch(base)) return false;
  const [a, b] = [valueOf(base), valueOf(override)];
  if (isSequence(a) && isSequence(b)) return sameItems([...childrenOf(a)], [...childrenOf(b)]);
  return isScalar(a) && isScalar(b) && sameScalar(a, b);
}

function sameSlot(base: Tree, other: Tree | undefined): boolean {
  return other !== undefined && !isBranch(other) && sameValue(base, other);
}

function sameItems(a: readonly Node[], b: readonly Node[]): boolean {
  return a.length === b.length && a.every((node, index) => sameValue(node, b[index] as Node));
}

function sameScalar(a: Node, b: Node): boolean {
  const [left, right] = [resolveScalar(a), resolveScalar(b)];
  const numbers = [left, right].every(({ type }) => type === "int" || type === "float");
  return left.text === right.text && (left.type === right.type || numbers);
}
