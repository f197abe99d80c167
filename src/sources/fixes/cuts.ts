// The lines of a value in a file → which bytes go if it is deleted. What is not one plain entry of lines of its own is left alone, with
// the reason: a comment, a mapping that has nothing else, `{}` and `[]`, anchors and aliases.
import { isFault, Node, extentOf, readDocument, textOf } from "../../yaml/index.ts";

/** A value that is to go. */
export interface WantedCut {
  /** The keys down to it in the values. */
  readonly path: readonly string[];
  /** Keys of `path` down to the mapping that goes with it: it has nothing else that is read. */
  readonly length: number;
  /** Of the value: 1-based, in bytes. */
  readonly line: number;
  readonly column: number;
}

/** Offsets in the file. */
export interface CutLines {
  readonly start: number;
  readonly end: number;
  /** The mapping that it is in, and how many entries that has. */
  readonly mapping: number;
  readonly entries: number;
}

export class CutFile {
  private readonly root: Node | string;

  constructor(bytes: Uint8Array) {
    this.root = rootOf(bytes);
  }

  /** The reason, for what is left alone. */
  cut(wanted: WantedCut): CutLines | string {
    if (typeof this.root === "string") return this.root;
    const leaf = entryAt(this.root, wanted, []);
    if (leaf === undefined) return "its line is not known";
    let entry = leaf;
    for (let up = wanted.path.length - wanted.length; up > 0; up--) entry = entry.parent ?? entry;
    return cutOf(entry);
  }
}

function rootOf(bytes: Uint8Array): Node | string {
  const doc = readDocument(bytes);
  if (isFault(doc)) return "the file is not one document of YAML";
  const text = textOf(doc);
  const root = new Node(doc);
  if (!root.isMapping || doc.start !== 0 || doc.end !== bytes.length) return "the file is not one mapping";
  if (root.entry("sops") !== undefined) return "the file is encrypted";
  if (/^#.*(?:generated|do not edit)/im.test(text)) return "the file is generated";
  return root;
}

function entryAt(node: Node, wanted: WantedCut, path: readonly string[]): Node | undefined {
  for (const [key, entry] of node.entries()) {
    const own = [...path, key];
    if (entry.isMapping) {
      const found = entryAt(entry, wanted, own);
      if (found !== undefined) return found;
    }
    const isNamed = wanted.path.every((each, index) => own.at(index - wanted.path.length) === each);
    if (isNamed && own.length >= wanted.path.length && isPlaced(entry, wanted)) return entry;
  }
  return undefined;
}

function isPlaced(entry: Node, { line, column }: WantedCut): boolean {
  const before = textOf(entry.doc).slice(0, entry.start);
  const lines = before.split("\n");
  return lines.length === line && (lines.at(-1)?.length ?? 0) + 1 === column;
}

function cutOf(entry: Node): CutLines | string {
  const { parent } = entry;
  if (parent === undefined || parent.isFlow) return "it is in braces";
  if (entry.isEntangled) return "it has an anchor or an alias";
  const { comments, end } = extentOf(entry);
  const text = textOf(entry.doc);
  const own = text.slice(comments, end);
  if (/(?:^|\s)#/.test(own)) return "it has a comment";
  if (comments > 0 && text[comments - 1] !== "\n") return "it shares its line";
  return { start: comments, end, mapping: parent.row, entries: parent.children().length };
}

/** The bytes without some ranges of them. */
export function without(bytes: Uint8Array, cuts: readonly CutLines[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { start, end } of cuts.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue;
    parts.push(bytes.subarray(from, start));
    from = end;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

/** The numbers of the lines that are left. @param lines of all; from 1 on without */
export function withoutLines(
  bytes: Uint8Array,
  cuts: readonly CutLines[],
  lines?: readonly number[],
): readonly number[] {
  const text = Buffer.from(bytes).toString("latin1");
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length - 1;
  const gone = cuts.map(({ start, end }) => [lineAt(start), lineAt(end)] as const);
  const all = lines ?? text.split("\n").map((_, index) => index + 1);
  return all.filter((_, index) => !gone.some(([start, end]) => index >= start && index < end));
}
