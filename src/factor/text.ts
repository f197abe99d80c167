// What is left of a file → its text: the lines of the file, less what was cut out.
import { type Document, Field, fieldCount, Flag, Node, textOf } from "../yaml/index.ts";
import { Elements, stepOfList, type Tree, withMembers, writeValues } from "../merge/index.ts";
import type { Part } from "./part.ts";
import { wholesIn } from "./pins.ts";

/** Text of a layer (UTF-8 bytes); of nothing, `{}`. */
export function textOfLayer(part: Part | undefined): Uint8Array {
  return writeValues(part === undefined ? undefined : treeOf(part, withAliases(part)));
}

/** @param copied the document as it is where its aliases may be copied */
function treeOf(part: Part, copied: (node: Node) => Node): Tree {
  const { node, members, items } = part;
  const home = node.parent === undefined ? undefined : node;
  if (part.isWhole) return { type: "leaf", home, node: copied(node) };
  const leaf: Tree = { type: "leaf", home, node };
  if (members !== undefined)
    return withMembers(
      leaf,
      [...members.values()].map((each) => treeOf(each, copied)),
    );
  const trees = (items ?? []).map((each) => treeOf(each, copied));
  const elements = new Elements(trees, () => "");
  return { type: "list", home, head: node, step: stepOfList(node) ?? 2, elements };
}

/**
 * The writer writes what aliases refer to in their place. Entries keep their aliases where that is written in full before
 * them: such entries are taken from a copy of their document in which they count as plain text.
 */
function withAliases(part: Part): (node: Node) => Node {
  const wholes = wholesIn(part);
  const doc = mostAliased(wholes);
  if (doc === undefined) return (node) => node;
  const own = wholes.filter(({ node }) => node.doc === doc).map(({ node }) => node);
  const kept = selfContained(own, doc);
  const copy = { ...doc, rows: doc.rows.slice() };
  for (const node of kept)
    for (let row = node.row; row < endOf(node); row++) {
      const at = row * fieldCount + Field.flags;
      copy.rows[at] = (copy.rows[at] as number) & ~Flag.entangled;
    }
  const rows = new Set(kept.map(({ row }) => row));
  return (node) => (node.doc === doc && rows.has(node.row) ? new Node(copy, node.row) : node);
}

/** Two documents may use one name for different things, so only one of them keeps its aliases. */
function mostAliased(wholes: readonly Part[]): Document | undefined {
  const counts = new Map<Document, number>();
  for (const { node } of wholes) {
    const { doc } = node;
    for (const alias of doc.targets.keys())
      if (node.row <= alias && alias < endOf(node)) counts.set(doc, (counts.get(doc) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** Entries, in the order in which they are written, with aliases that mean the same in that order as in their document. */
function selfContained(own: readonly Node[], doc: Document): readonly Node[] {
  const anchors = anchorsIn(doc);
  const rows = [...anchors.keys(), ...doc.targets.keys()].toSorted((a, b) => a - b);
  let latest: ReadonlyMap<string, number> = new Map();
  return own.filter((node) => {
    const inner = rows.filter((row) => node.row <= row && row < endOf(node));
    if (inner.length === 0) return true;
    const known = new Map(latest);
    for (const row of inner) {
      const target = doc.targets.get(row);
      if (target === undefined) known.set(anchors.get(row) ?? "", row);
      else if (known.get(anchors.get(target) ?? "") !== target) return false;
    }
    latest = known;
    return true;
  });
}

/** Rows with an anchor, and its name. */
function anchorsIn(doc: Document): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (let row = 0; row < doc.rows.length / fieldCount; row++) {
    const [start, body] = [new Node(doc, row).start, new Node(doc, row).body];
    const [, name] = start < body ? (/&([^\s,[\]{}]+)/.exec(textOf(doc).slice(start, body)) ?? []) : [];
    if (name !== undefined) names.set(row, name);
  }
  return names;
}

function endOf(node: Node | undefined): number {
  return node === undefined ? 0 : node.nextRow;
}
