// Which file the documents of a render are, and which lines of the final text came from which lines of them: what
// `explain` follows. Names of files and line numbers only.
import type { Source } from "./document.ts";
import type { TemplateLines } from "./template-text.ts";
import {
  childrenOf,
  type Document,
  Field,
  field,
  headOfTree,
  isEntangled,
  isFault,
  isMapping,
  isMappingTree,
  lineIndex,
  type LineSegment,
  meet,
  type Node,
  type OverriddenLine,
  readDocument,
  type Tree,
  valueOf,
} from "../core/index.ts";

/** Where a document comes from. */
interface Origin {
  readonly file: string;
  /** Its lines are lines of the file, or of a template; or all of it comes from one line. */
  readonly lines: "same" | TemplateLines | number;
}

type Overridden = Omit<OverriddenLine, "line">;

interface Lines {
  readonly segments: readonly LineSegment[];
  readonly overridden: readonly OverriddenLine[];
}

export class Origins {
  private readonly byDocument = new WeakMap<Document, Origin>();
  /** By the row of the entry that overrides them, highest first. */
  private readonly overridden = new WeakMap<Document, Map<number, Overridden[]>>();
  private readonly lineIndexes = new WeakMap<Document, ReturnType<typeof lineIndex>>();

  note(doc: Document, { path, isRendered, lines = new Map() }: Source): void {
    this.byDocument.set(doc, { file: path, lines: isRendered ? lines : "same" });
  }

  /** A document that was made of one entry of a patch. */
  noteAt(doc: Document, file: string, line: number): void {
    this.byDocument.set(doc, { file, lines: line });
  }

  /** Remembers what a document overrides. Called before it is merged over the base. */
  noteOverridden(base: Tree, root: Node): void {
    meet(base, root, (known, entry) => {
      if (isMappingTree(known) && isMapping(valueOf(entry))) return;
      const head = headOfTree(known);
      const place = this.placeOf(head);
      const below = this.overriddenBy(head);
      const rows = this.overridden.get(entry.doc) ?? new Map<number, Overridden[]>();
      this.overridden.set(entry.doc, rows.set(entry.row, place === undefined ? below : [place, ...below]));
    });
  }

  /** Line by line: where the text of merged values came from, and what it overrides. */
  linesOf(tree: Tree | undefined, text: Uint8Array): Lines {
    const doc = tree === undefined ? undefined : readDocument(text);
    if (tree === undefined || doc === undefined || isFault(doc)) return { segments: [], overridden: [] };
    const lineOf = lineIndex(doc.bytes);
    const lines = { segments: [], overridden: [] };
    this.walk(tree, { doc, row: 0 }, (node) => lineOf(startOf(node)).line, lines);
    return { ...lines, segments: compact(lines.segments) };
  }

  private overriddenBy({ doc, row }: Node): Overridden[] {
    return this.overridden.get(doc)?.get(row) ?? [];
  }

  private placeOf(node: Node): Overridden | undefined {
    const [segment] = this.segmentsOf({ type: "leaf", home: undefined, node }, 0);
    if (segment === undefined) return undefined;
    const { file, from } = segment;
    return from === undefined ? { file } : { file, from };
  }

  private walk(
    tree: Tree,
    at: Node,
    lineOf: (node: Node) => number,
    into: { readonly segments: LineSegment[]; readonly overridden: OverriddenLine[] },
  ): void {
    const isRoot = field(at, Field.parent) < 0;
    if (!isRoot || tree.type === "leaf") {
      const line = lineOf(at);
      for (const each of this.segmentsOf(tree, line)) into.segments.push(each);
      for (const each of this.overriddenBy(headOfTree(tree))) into.overridden.push({ line, ...each });
    }
    if (tree.type !== "branch" || !isMapping(at)) return;
    const members = tree.members.values();
    for (const [index, child] of childrenOf(at).entries()) {
      const member = members[index];
      if (member !== undefined) this.walk(member, child, lineOf, into);
    }
  }

  /** All lines of an entry that is copied; the first line of another one. */
  private segmentsOf(tree: Tree, line: number): LineSegment[] {
    const head = headOfTree(tree);
    const origin = this.byDocument.get(head.doc);
    if (origin === undefined) return [];
    const { file, lines } = origin;
    if (typeof lines === "number") return [{ line, file, from: lines, isFixed: true }];
    const from = this.lineIn(head, startOf(head));
    const isCopied = tree.type === "leaf" && !isEntangled(tree.node);
    if (lines === "same") return [{ line, file, from, ...(isCopied ? {} : { isFixed: true }) }];
    const last = isCopied ? this.lineIn(head, Math.max(startOf(head), field(head, Field.end) - 1)) : from;
    return Array.from({ length: last - from + 1 }, (_, offset): LineSegment => {
      const known = lines.get(from + offset);
      return { line: line + offset, file, ...(known === undefined ? {} : { from: known, isFixed: true }) };
    });
  }

  private lineIn({ doc }: Node, offset: number): number {
    let index = this.lineIndexes.get(doc);
    if (index === undefined) this.lineIndexes.set(doc, (index = lineIndex(doc.bytes)));
    return index(offset).line;
  }
}

function startOf(node: Node): number {
  const entry = field(node, Field.entry);
  return entry < 0 ? field(node, Field.start) : entry;
}

/** Neighbours that go on where the last one ends are one. */
function compact(segments: readonly LineSegment[]): LineSegment[] {
  const kept: LineSegment[] = [];
  for (const segment of segments) {
    const last = kept.at(-1);
    if (last === undefined || !goesOn(last, segment)) kept.push(segment);
  }
  return kept;
}

function goesOn(last: LineSegment, next: LineSegment): boolean {
  if (last.file !== next.file || (last.from === undefined) !== (next.from === undefined)) return false;
  if (last.from === undefined || next.from === undefined) return true;
  if (last.isFixed === true || next.isFixed === true)
    return last.isFixed === next.isFixed && last.from === next.from;
  return next.line - last.line === next.from - last.from;
}
