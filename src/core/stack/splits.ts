// Where a run must end although its layers are adjacent. Merging is not associative when a null, scalar
// or sequence is overridden by a mapping at the same path: folded first, the mapping would meet the values
// below. And a plain `${…}` may become anything when Flux substitutes it.
import { headOfTree, isMappingTree, leafOf, membersOf, type Tree, isVariable } from "../../merge/index.ts";
import { keyIncludes, type Node } from "../../yaml/index.ts";

type Shape = "mapping" | "variable" | "atom";

/** The values below a run in the output: known, or anything at all. */
export type Below = readonly Tree[] | "unknown";

/** One meeting of two values. */
export interface SplitMeeting {
  /** The keys down to it, from the top. */
  readonly path: () => readonly string[];
  readonly below: () => Below;
  /** True where a mapping replaces another one (setting `merge`). */
  readonly replaces?: boolean;
}

/** Why two sides of a meeting are not folded: a variable may become anything; an atom would no longer hide values below. */
export type Split = "variable" | "atom";

/** Whether the two sides of one meeting must not be folded into one, and why. */
export function splitAt(
  base: Tree,
  override: Node,
  { path, below, replaces = false }: SplitMeeting,
): Split | undefined {
  const [lower, upper] = [shapeOf(base), shapeOf(leafOf(override))];
  // Whatever a variable becomes, the upper one wins; but the lower one may or may not hide the values below it.
  if (replaces && upper !== "atom" && !areSameVariable(base, override)) {
    const isHiding = lower !== "mapping" && mayHoldMapping(below(), path());
    return isHiding ? (lower === "variable" ? "variable" : "atom") : undefined;
  }
  if (lower === "mapping" && upper === "mapping")
    return mergesVariableKeys(base, override) ? "variable" : undefined;
  if (upper === "atom" || areSameVariable(base, override)) return undefined;
  if (lower === "atom") return mayHoldMapping(below(), path()) ? "atom" : undefined;
  return "variable";
}

/** A variable over the same variable stays the same. */
function areSameVariable(base: Tree, override: Node): boolean {
  if (base.type !== "leaf") return false;
  const [lower, upper] = [base.node.value, override.value];
  return isVariable(lower) && isVariable(upper) && lower.text === upper.text;
}

function shapeOf(tree: Tree): Shape {
  if (isMappingTree(tree)) return "mapping";
  return tree.type === "leaf" && isVariable(tree.node.value) ? "variable" : "atom";
}

function mergesVariableKeys(base: Tree, override: Node): boolean {
  const members = membersOf(base);
  const entries = override.value.members();
  if (members === undefined || members.size === 0 || entries.length === 0) return false;
  return members.values().some((tree) => isVariableKey(headOfTree(tree))) || entries.some(isVariableKey);
}

function isVariableKey(entry: Node): boolean {
  return keyIncludes(entry, dollar) && entry.key.includes("${");
}

const dollar = 0x24;

/** True unless every document below is known and certainly holds no mapping at the path. */
function mayHoldMapping(below: Below, path: readonly string[]): boolean {
  return below === "unknown" || below.some((root) => mayHold(root, path));
}

function mayHold(tree: Tree, [key, ...rest]: readonly string[]): boolean {
  if (shapeOf(tree) === "variable") return true;
  const members = membersOf(tree);
  if (members === undefined || key === undefined) return members !== undefined;
  if (members.values().some((member) => isVariableKey(headOfTree(member)))) return true;
  const member = members.get(key);
  return member !== undefined && mayHold(member, rest);
}
