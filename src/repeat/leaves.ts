// Every value of an item by its path, as a digest: by them a change of a template is told from one of a clone.
import { childrenOf, isMapping, isSequence, type Node, valueOf } from "../yaml/tape.ts";
import { entriesOf } from "../yaml/view.ts";
import { isNote, folded, digest, textOf } from "./content.ts";

/** Every value of an item by its path, as a digest. Lists in which elements are cloned are left out, and so is what the fold rewrites. */
export function leavesOf(
  root: Node,
  kind: string,
  without: ReadonlySet<number> = new Set(),
): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  const visit = (value: Node, path: readonly string[]): void => {
    if (without.has(value.row) || isLeftOut(path, kind)) return;
    const children = childrenIn(value);
    if (children.length === 0 && !(isMapping(value) && path[0] === "metadata"))
      leaves.set(leafPath(path), digest(textOf(value, new Map())).slice(0, 10));
    for (const [key, child] of children) visit(valueOf(child), [...path, key]);
  };
  visit(root, []);
  return leaves;
}

function isLeftOut([top, key = "", name = "", ...deeper]: readonly string[], kind: string): boolean {
  if (top === "metadata") return key === "annotations" && deeper.length === 0 && isNote(name);
  return top === "status" || (top === "spec" && folded[kind]?.includes(key) === true);
}

function childrenIn(value: Node): readonly (readonly [key: string, child: Node])[] {
  if (isMapping(value)) return [...entriesOf(value)];
  return isSequence(value) ? childrenOf(value).map((child, index) => [String(index), child] as const) : [];
}

export function leafPath(path: readonly string[]): string {
  return path.map((key) => key.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
}
