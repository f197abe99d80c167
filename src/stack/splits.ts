// Where a run must end although its layers are adjacent. Merging is not associative when a null, scalar
// or sequence is overridden by a mapping at the same path: folded first, the mapping would meet what
// lies below. And a plain `${…}` may become anything once Flux has substituted it.
import { leafOf, type Path, membersOf, type Tree } from "../merge/merge.ts";
import { scalarText } from "../yaml/scalar.ts";
import { isMapping, Kind, kindOf, type Node, valueOf } from "../yaml/tape.ts";
import { entriesOf } from "../yaml/view.ts";

type Shape = "mapping" | "variable" | "atom";

/** What lies below a run in the output: known values, or anything at all. */
export type Below = readonly Tree[] | "unknown";

/** True if the two sides of one meeting must not be folded into one. */
export function mustSplit(path: Path, base: Tree, override: Node, below: () => Below): boolean {
  const [lower, upper] = [shapeOf(base), shapeOf(leafOf(override))];
  if (lower === "mapping" && upper === "mapping") return mergesVariableKeys(base, override);
  if (upper === "atom") return false;
  if (lower === "atom") return mayHoldMapping(below(), path);
  return true;
}

function shapeOf(tree: Tree): Shape {
  if (tree.type === "branch" || isMapping(valueOf(tree.node))) return "mapping";
  return isVariable(valueOf(tree.node)) ? "variable" : "atom";
}

function isVariable(value: Node): boolean {
  return kindOf(value) === Kind.plain && scalarText(value).includes("${");
}

function mergesVariableKeys(base: Tree, override: Node): boolean {
  const members = membersOf(base);
  const entries = entriesOf(valueOf(override));
  if (members === undefined || members.size === 0 || entries.size === 0) return false;
  return [...members.keys(), ...entries.keys()].some((key) => key.includes("${"));
}

/** True unless every document below is known and certainly holds no mapping at the path. */
function mayHoldMapping(below: Below, path: Path): boolean {
  return below === "unknown" || below.some((root) => mayHold(root, path));
}

function mayHold(tree: Tree, [key, ...rest]: Path): boolean {
  if (shapeOf(tree) === "variable") return true;
  const members = membersOf(tree);
  if (members === undefined || key === undefined) return members !== undefined;
  if ([...members.keys()].some((name) => name.includes("${"))) return true;
  const member = members.get(key);
  return member !== undefined && mayHold(member, rest);
}
