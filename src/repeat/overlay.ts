// Clones in an overlay of kustomize: it patches, renames and labels what its base made, and that is meant. What only the
// template's own change explains is made again; what somebody patched in one clone stays.
import { isNode } from "../wire/item.ts";
import type { Item } from "../wire/item.ts";
import { keyText } from "../yaml/scalar.ts";
import { childrenOf, isMapping, isSequence, type Node, valueOf } from "../yaml/tape.ts";
import type { Step } from "../merge/path.ts";
import { leafPath, leavesOf } from "./leaves.ts";
import { indexOf } from "./fields.ts";
import { placedIn } from "./records-in-place.ts";
import { type CloneRecord, readListRecords, readTemplateLeaves } from "./record.ts";
import type { Wanted } from "./setting.ts";

export type InOverlay = "same" | "fields" | "anew" | "edited";

/** @param made the clone as it would be made now @param fields what is set in it @param record what it was made as */
export function inOverlay(
  item: Item,
  template: Item,
  made: Node,
  fields: readonly Wanted[],
  record: CloneRecord,
): InOverlay {
  const root = item.read();
  const source = template.read();
  if (!isNode(root) || !isNode(source)) return "edited";
  const lists = new Set(placedIn(root, readListRecords(item) ?? []).map(({ list }) => list.row));
  const skipped = [...lists].map((row) => leafPath(pathTo({ doc: root.doc, row }, root) ?? []));
  const now = leavesOf(root, item.kind, lists);
  const wanted = leavesOf(made, item.kind);
  const before = readTemplateLeaves(template);
  const since = leavesOf(source, item.kind);
  const set = fields.flatMap(({ steps }) => pathOf(made, steps) ?? []);
  const differing = [...new Set([...now.keys(), ...wanted.keys()])].filter(
    (path) => now.get(path) !== wanted.get(path) && !isUnder(path, skipped),
  );
  if (differing.length === 0) return "same";
  const says = fields.map((field) => whoSays(field, root, made, item.kind, record));
  if (says.includes("both")) return "edited";
  const others = differing.filter((path) => !isUnder(path, set));
  const byTemplate = others.filter((path) => before.get(path) !== since.get(path));
  if (byTemplate.length === 0) return "fields";
  return byTemplate.length === others.length && !says.includes("overlay") ? "anew" : "edited";
}

/** Whose a field that is set is now: the Repeat's, an overlay's, or both want it. */
export function whoSays(
  { steps }: Wanted,
  root: Node,
  made: Node,
  kind: string,
  { set }: Pick<CloneRecord, "set">,
): "repeat" | "overlay" | "both" {
  const path = pathOf(made, steps);
  if (path === undefined || set === undefined) return "repeat";
  const textOf = (leaves: Iterable<readonly [string, string]>): string =>
    JSON.stringify(
      [...leaves].filter(([each]) => isUnder(each, [path])).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  const [before, now, wanted] = [Object.entries(set), leavesOf(root, kind), leavesOf(made, kind)].map(textOf);
  if (before === "[]" || now === before || now === wanted) return "repeat";
  return wanted === before ? "overlay" : "both";
}

/** What is set in a clone, digests by path. */
export function setLeaves(
  made: Node,
  kind: string,
  fields: readonly Wanted[],
): Readonly<Record<string, string>> {
  const set = fields.flatMap(({ steps }) => pathOf(made, steps) ?? []);
  return Object.fromEntries([...leavesOf(made, kind)].filter(([path]) => isUnder(path, set)));
}

function isUnder(path: string, roots: readonly string[]): boolean {
  return roots.some((each) => path === each || path.startsWith(`${each}/`));
}

/** Keys and indices from the root down to a node. */
function pathTo(node: Node, from: Node): readonly string[] | undefined {
  if (node.row === from.row) return [];
  for (const [index, child] of childrenOf(from).entries()) {
    const found = pathTo(node, valueOf(child));
    if (found !== undefined) return [isMapping(from) ? keyText(child) : String(index), ...found];
  }
  return undefined;
}

function pathOf(root: Node, steps: readonly Step[]): string | undefined {
  const path: string[] = [];
  let node: Node | undefined = root;
  for (const step of steps) {
    const key: string | undefined =
      "key" in step
        ? step.key
        : "inList" in step && node !== undefined
          ? String(indexOf(node, step.inList))
          : undefined;
    if (key === undefined) return undefined;
    path.push(key);
    node = node === undefined ? undefined : under(node, key);
  }
  return leafPath(path);
}

function under(node: Node, key: string): Node | undefined {
  const child = isSequence(node)
    ? childrenOf(node)[Number(key)]
    : childrenOf(node).findLast((each) => isMapping(node) && keyText(each) === key);
  return child === undefined ? undefined : valueOf(child);
}
