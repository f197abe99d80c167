// Where a run must end although its layers are adjacent. Merging is not associative when a null, scalar
// or sequence is overridden by a mapping at the same path: folded first, the mapping would meet what
// lies below. And a plain `${…}` may become anything once Flux has substituted it.
import { isBranch, type Path, slotsOf, type Tree } from "../merge/merge.ts";
import { scalarText } from "../yaml/scalar.ts";
import { Kind, kindOf, type Node, valueOf } from "../yaml/tape.ts";
import { entriesOf } from "../yaml/view.ts";

type Shape = "mapping" | "variable" | "atom";

/** What lies below a run in the output: known values, or anything at all. */
export type Below = readonly Tree[] | "unknown";

/** True if the two sides of one meeting must not be folded into one. */
export function mustSplit(path: Path, base: Tree, override: Node, below: () => Below): boolean {
  const [lower, upper] = [shapeOf(base), shapeOf(override)];
  if (lower === "mapping" && upper === "mapping") return mergesVariableKeys(base, override);
  if (upper === "atom") return false;
  if (lower === "atom") return mayHoldMapping(below(), path);
  return true;
}

function shapeOf(tree: Tree): Shape {
  if (slotsOf(tree) !== undefined) return "mapping";
  return !isBranch(tree) && isVariable(valueOf(tree)) ? "variable" : "atom";
}

function isVariable(value: Node): boolean {
  return kindOf(value) === Kind.plain && scalarText(value).includes("${");
}

function mergesVariableKeys(base: Tree, override: Node): boolean {
  const slots = slotsOf(base) as ReadonlyMap<string, unknown>;
  const entries = entriesOf(valueOf(override));
  if (slots.size === 0 || entries.size === 0) return false;
  return [...slots.keys(), ...entries.keys()].some((key) => key.includes("${"));
}

/** True unless every document below is known and certainly holds no mapping at the path. */
function mayHoldMapping(below: Below, path: Path): boolean {
  return below === "unknown" || below.some((root) => mayHold(root, path));
}

function mayHold(tree: Tree, [key, ...rest]: Path): boolean {
  if (shapeOf(tree) === "variable") return true;
  const slots = slotsOf(tree);
  if (slots === undefined || key === undefined) return slots !== undefined;
  if ([...slots.keys()].some((name) => name.includes("${"))) return true;
  const slot = slots.get(key);
  return slot !== undefined && mayHold(slot.tree, rest);
}
