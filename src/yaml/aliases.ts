// How far aliases expand: whether one never ends, and how many nodes and bytes they add. A few lines can expand to
// millions of values.
import { maxDepth, type ReadFault } from "./fault.ts";
import { type Document, Field, field, fieldCount, type Row } from "./tape.ts";

/** How many nodes aliases may add to a document that is used: far more than in real files, too few to cost time. */
const maxAdded = 100_000;

/** How many nodes they may add to a document that is read for its head only. Go's readers have the same bound. */
const maxAddedAnywhere = 4_000_000;

/** How many bytes they may add: a ConfigMap holds 1 MiB, so no consumer can use as much. */
const maxAddedBytes = 16 * 1024 * 1024;

/** An alias that contains itself, or one past the bound for any document: no reader follows it. */
export function endlessAliases(doc: Document): ReadFault | undefined {
  if (doc.targets.size === 0) return undefined;
  const root = { doc, row: 0 };
  return aliasToItself(doc) ?? beyond(root, expanded(root), maxAddedAnywhere);
}

/** Aliases past the bound for values that are used. Records how many bytes the aliases add to the document. */
export function farAliases(root: Row): ReadFault | undefined {
  const { doc, row } = root;
  if (doc.targets.size === 0) return undefined;
  const all = expanded(root);
  if (row === 0) doc.expandedBytes = all.bytes;
  if (all.bytes > maxAddedBytes) return bound(root, "aliases add more than 16 MiB");
  return beyond(root, all, maxAdded);
}

function beyond(root: Row, { added, depth }: Expanded, most: number): ReadFault | undefined {
  if (added > most) return bound(root, `aliases add more than ${most} nodes`);
  if (depth <= maxDepth) return undefined;
  const message = `nested deeper than ${maxDepth} levels once aliases are followed`;
  return { ...bound(root, message), code: "too-deep" };
}

function bound(root: Row, message: string): ReadFault {
  const offset = root.row === 0 ? root.doc.start : field(root, Field.start);
  return { code: "expansion-bound", message, offset };
}

function aliasToItself({ rows, targets }: Document): ReadFault | undefined {
  for (const [row, target] of targets)
    if (target < row && row < at(rows, target, Field.next))
      return {
        code: "expansion-bound",
        message: "an alias refers to a node that contains it",
        offset: at(rows, row, Field.body),
      };
  return undefined;
}

interface Expanded {
  readonly added: number;
  readonly depth: number;
  readonly bytes: number;
}

/** Nodes, levels and more bytes once aliases are followed. A target comes before its alias and is complete by then, so one pass is enough. */
function expanded({ doc: { rows, targets }, row: root }: Row): Expanded {
  const sizes = new Float64Array(rows.length / fieldCount).fill(1);
  const depths = new Float64Array(sizes.length);
  const bytes = new Float64Array(sizes.length);
  const open: number[] = [];
  const close = (until: number): void => {
    while (open.length > 0 && at(rows, open[open.length - 1] as number, Field.next) <= until) {
      const done = open.pop() as number;
      const parent = at(rows, done, Field.parent);
      if (parent < 0) continue;
      sizes[parent] = (sizes[parent] as number) + (sizes[done] as number);
      depths[parent] = Math.max(depths[parent] as number, (depths[done] as number) + 1);
      bytes[parent] = (bytes[parent] as number) + (bytes[done] as number);
    }
  };
  for (let row = 0; row < sizes.length; row++) {
    close(row);
    const target = targets.get(row);
    if (target !== undefined) {
      sizes[row] = sizes[target] as number;
      depths[row] = depths[target] as number;
      const length = at(rows, target, Field.end) - at(rows, target, Field.start);
      bytes[row] = (bytes[target] as number) + length;
    }
    open.push(row);
  }
  close(Number.POSITIVE_INFINITY);
  const written = at(rows, root, Field.next) - root;
  return { added: (sizes[root] ?? 0) - written, depth: depths[root] ?? 0, bytes: bytes[root] ?? 0 };
}

function at(rows: Int32Array, row: number, name: number): number {
  return rows[row * fieldCount + name] as number;
}
