// Two layers of equal priority that set one path to different values. Between entries of a list the
// list's order is binding; where only the order of items decides, the user should choose.
import type { Diagnostic, Position } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import { grouped } from "../../grouped.ts";
import { identityOf, headOfTree, isMappingTree, leafOf, type Tree } from "../../merge/index.ts";
import { type LayerReader, type Layer, type Stack, positionOf } from "../../layers/index.ts";
import type { Settings } from "../../settings/index.ts";
import { refOf } from "../../krm/index.ts";
import type { Document, Node } from "../../yaml/index.ts";

export interface Meeting {
  /** The keys down to it, from the top. */
  readonly path: () => readonly string[];
  readonly base: Tree;
  readonly override: Node;
  /** True if elements of both stay, in the order of the layers (setting `merge`). */
  readonly adds?: boolean;
}

export interface TieOptions {
  readonly stack: Stack;
  readonly onTie: Settings["onTie"];
  readonly layers: LayerReader;
}

/** One diagnostic for all ties of the same two layers: the first path, and how many more. */
export function tiesAsOne(ties: readonly Diagnostic[]): Diagnostic[] {
  const groups = grouped(
    ties,
    ({ at, also = [], message }) =>
      `${at?.text ?? ""} ${also[0]?.text ?? ""} ${message.includes(" gets ") ? message : ""}`,
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    const more = others.length === 1 ? "one more path are" : `${others.length} more paths are`;
    return { ...first, message: first.message.replace(" is set", () => ` and ${more} set`) };
  });
}

/** The tie in a meeting, if it is reported. */
export function tieIn(
  { path, base, override, adds = false }: Meeting,
  byDocument: ReadonlyMap<Document, Layer>,
  { stack, onTie, layers }: TieOptions,
): Diagnostic | undefined {
  const lowerNode = headOfTree(base);
  const [lower, upper] = [byDocument.get(lowerNode.doc), byDocument.get(override.doc)];
  const by = lower === undefined || upper === undefined ? undefined : orderOf(lower, upper);
  const isNew = by === "items" && !(lower !== undefined && upper !== undefined && isSettled(lower, upper));
  const isReported = isNew || (by !== undefined && onTie === "error");
  if (!isReported || lower === undefined || upper === undefined || !isConflict(base, override))
    return undefined;
  const secret = [lower, upper].some((layer) => layers.isSecret(layer));
  const name = secret ? "a path" : `\`${path().join(".").replaceAll(".[*]", "[*]")}\``;
  const what = adds
    ? { message: `${name} gets elements of two layers of priority ${upper.priority}, in their order` }
    : {
        message: `${name} is set differently by two layers of priority ${upper.priority}`,
        reason: `\`${objectText(upper.item)}\` wins`,
      };
  return {
    code: "tie",
    severity: onTie === "error" ? "error" : "warning",
    item: refOf(stack.target),
    ...what,
    at: placeOf(upper, override, path, { stack, layers }),
    also: [placeOf(lower, lowerNode, path, { stack, layers })],
    hint: by === "list" ? listHint : upper.scope === undefined ? itemsHint : orderHint,
  };
}

/** A layer of dotted keys has no text with lines: the position is the key, unless it is secret. */
function placeOf(
  layer: Layer,
  node: Node,
  path: Meeting["path"],
  { stack, layers }: Pick<TieOptions, "stack" | "layers">,
): Position {
  const { dotted, item } = layer;
  if (dotted === undefined) return positionOf(layer, stack.target, layers, node.entryStart);
  const at = path().join(".");
  const key = dotted.find((each) => each === at || at.startsWith(`${each}.`) || each.startsWith(`${at}.`));
  const place = positionOf(layer, stack.target, layers, undefined);
  const isReported = key !== undefined && !layers.isSecret(layer);
  return { ...place, text: isReported ? `${objectText(item)} ${key}` : objectText(item) };
}

/** The tie of two files of which the upper one wins, if it is reported. */
export function tieOfTexts(
  lower: Layer,
  upper: Layer,
  { stack, onTie, layers }: TieOptions,
): Diagnostic | undefined {
  const same = Buffer.compare(layers.valuesOf(lower).text, layers.valuesOf(upper).text) === 0;
  if (same || orderOf(lower, upper) !== "items" || lower.item === stack.target) return undefined;
  return {
    code: "tie",
    severity: onTie === "error" ? "error" : "warning",
    item: refOf(stack.target),
    message: `two layers of priority ${upper.priority} hold different text`,
    reason: `\`${objectText(upper.item)}\` wins`,
    at: positionOf(upper, stack.target, layers, undefined),
    also: [positionOf(lower, stack.target, layers, undefined)],
    hint: itemsHint,
  };
}

const listHint =
  "now the order of the list decides: leave `onTie` at `listOrder`, or give entries of an App different priorities";
const orderHint = "give them a different `install-order`: now their names decide";
const itemsHint =
  "give them different `valuefold.dev/priority`: now the order of items decides, and `kustomize build` sorts what it writes by name";

/**
 * An earlier run already had the lower one, and the upper one came later: a base and its overlay, or the next render. The
 * order is then intended.
 */
function isSettled(lower: Layer, upper: Layer): boolean {
  return (
    lower.earlierPlace !== undefined &&
    (upper.earlierPlace === undefined || upper.earlierPlace > lower.earlierPlace)
  );
}

/** True if two layers of a stack may tie: of equal priority, one of them annotated. */
export function mayTie({ entries }: Stack): boolean {
  const layers = entries.flatMap((entry) => ("layer" in entry ? entry.layer : []));
  const counts = new Map<number, number>();
  for (const { priority } of layers) counts.set(priority, (counts.get(priority) ?? 0) + 1);
  return layers.some(({ reference, priority }) => reference === undefined && (counts.get(priority) ?? 0) > 1);
}

/** What decides the order of two layers of equal priority: the order of items, or of a list in the target. */
export function orderOf(lower: Layer, upper: Layer): "items" | "list" | undefined {
  if (lower === upper || lower.priority !== upper.priority || lower.scope !== upper.scope) return undefined;
  if (lower.reference === undefined && upper.reference === undefined) return "items";
  return lower.reference !== undefined && lower.reference.slot === upper.reference?.slot ? "list" : undefined;
}

/** The top of two documents never conflicts: both are mappings. */
export function isConflict(base: Tree, override: Node): boolean {
  const bothMappings = override.value.isMapping && isMappingTree(base);
  return !bothMappings && identityOf(base) !== identityOf(leafOf(override));
}
