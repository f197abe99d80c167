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
type Origin = FileOrigin | PatchedOrigin;

interface FileOrigin {
  readonly file: string;
  /** Its lines are lines of the file, or of a template. */
  readonly lines: "same" | TemplateLines;
}

/** Each of its lines has a place of its own. */
interface PatchedOrigin {
  readonly places: readonly (LinePlace | undefined)[];
}

type Overridden = Omit<OverriddenLine, "line">;

/** What set a line, and what that overrides, highest first. */
export interface LinePlace extends Overridden {
  readonly over?: readonly Overridden[];
}

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

  /** A document that a patch made: the places of its lines. */
  notePlaces(doc: Document, places: PatchedOrigin["places"]): void {
    this.byDocument.set(doc, { places });
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

  /** What sets an entry, and what that overrides. */
  placeAndBelow(head: Node): LinePlace | undefined {
    const place = this.placeOf(head);
    return place === undefined ? undefined : { ...place, over: this.overriddenBy(head) };
  }

  private overriddenBy(head: Node): Overridden[] {
    const own = this.overridden.get(head.doc)?.get(head.row) ?? [];
    return [...own, ...(this.patchedPlaces(head, 1)[0]?.over ?? [])];
  }

  private placeOf(node: Node): Overridden | undefined {
    const [segment] = this.segmentsOf({ type: "leaf", home: undefined, node }, 0);
    if (segment === undefined) return undefined;
    const { file, from } = segment;
    return from === undefined ? { file } : { file, from };
  }

  /** Of an entry of a document that a patch made, the places of its lines. */
  private patchedPlaces(head: Node, count = Infinity): PatchedOrigin["places"] {
    const origin = this.byDocument.get(head.doc);
    if (origin === undefined || !("places" in origin)) return [];
    const from = this.lineIn(head, startOf(head)) - 1;
    const last = this.lineIn(head, Math.max(startOf(head), field(head, Field.end) - 1));
    return origin.places.slice(from, Math.min(from + count, last));
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
      for (const each of this.belowFirst(tree, line)) into.overridden.push(each);
    }
    if (tree.type !== "branch" || !isMapping(at)) return;
    const members = tree.members.values();
    for (const [index, child] of childrenOf(at).entries()) {
      const member = members[index];
      if (member !== undefined) this.walk(member, child, lineOf, into);
    }
  }

  /** What the other lines of an entry override that a patch wrote. */
  private belowFirst(tree: Tree, line: number): OverriddenLine[] {
    if (tree.type !== "leaf") return [];
    return this.patchedPlaces(tree.node).flatMap((place, offset) =>
      offset === 0 ? [] : (place?.over ?? []).map((each) => ({ line: line + offset, ...each })),
    );
  }

  /** All lines of an entry that is copied; the first line of another one. */
  private segmentsOf(tree: Tree, line: number): LineSegment[] {
    const head = headOfTree(tree);
    const origin = this.byDocument.get(head.doc);
    if (origin === undefined) return [];
    if ("places" in origin) {
      const places = this.patchedPlaces(head, tree.type === "leaf" ? Infinity : 1);
      return places.flatMap((place, offset): LineSegment[] => {
        if (place === undefined) return [];
        const { file, from } = place;
        return [{ line: line + offset, file, ...(from === undefined ? {} : { from, isFixed: true }) }];
      });
    }
    const { file, lines } = origin;
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
