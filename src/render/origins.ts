// Which file the documents of a render are, and which lines of the final text came from which lines of them: what
// `explain` follows. Names of files and line numbers only.
import type { TextFile } from "./document.ts";
import { type Document, isFault, lineIndex, Node, readDocument } from "../yaml/index.ts";
import { headOfTree, isMappingTree, meet, type Tree } from "../merge/index.ts";
import type { LineSegment, OverriddenLine } from "../krm/index.ts";

type OverriddenPlace = Omit<OverriddenLine, "line">;

/** What set a line, and what that overrides, highest first. */
export interface LinePlace extends OverriddenPlace {
  readonly over?: readonly OverriddenPlace[];
}

/** Where a document comes from. */
interface DocumentOrigin {
  /** The place of each of its lines. */
  readonly placeOf: (line: number) => LinePlace | undefined;
  /** True if its lines are those of a file. */
  readonly isFile: boolean;
  readonly lineOf: (offset: number) => number;
  /** By the row of the entry that overrides them, highest first. */
  readonly overridden: Map<number, readonly OverriddenPlace[]>;
}

interface Lines {
  readonly segments: LineSegment[];
  readonly overridden: OverriddenLine[];
}

export class Origins {
  private readonly byDocument = new WeakMap<Document, DocumentOrigin>();

  note(doc: Document, { path: file, isRendered, lines = new Map() }: TextFile): void {
    const placeOf = isRendered
      ? (line: number): LinePlace => placeIn(file, lines.get(line))
      : (line: number): LinePlace => placeIn(file, line);
    this.add(doc, placeOf, !isRendered);
  }

  /** A document that a patch made: the places of its lines. */
  notePlaces(doc: Document, places: readonly (LinePlace | undefined)[]): void {
    this.add(doc, (line) => places[line - 1], false);
  }

  private add(doc: Document, placeOf: DocumentOrigin["placeOf"], isFile: boolean): void {
    const index = lineIndex(doc.bytes);
    const lineOf = (offset: number): number => index(offset).line;
    this.byDocument.set(doc, { placeOf, isFile, lineOf, overridden: new Map() });
  }

  /** Remembers what a document overrides. Called before it is merged over the base. */
  noteOverridden(base: Tree, root: Node): void {
    const origin = this.byDocument.get(root.doc);
    meet(base, root, (known, entry) => {
      if (isMappingTree(known) && entry.value.isMapping) return;
      const place = this.placeAndBelow(headOfTree(known));
      if (place !== undefined)
        origin?.overridden.set(entry.row, [placeIn(place.file, place.from), ...place.over]);
    });
  }

  /** What sets an entry, and what that overrides. */
  placeAndBelow(head: Node): (LinePlace & { readonly over: readonly OverriddenPlace[] }) | undefined {
    const origin = this.byDocument.get(head.doc);
    const place = origin?.placeOf(origin.lineOf(startOf(head)));
    if (place === undefined) return undefined;
    return { ...place, over: [...(origin?.overridden.get(head.row) ?? []), ...(place.over ?? [])] };
  }

  /** Line by line: where the text of merged values came from, and what it overrides. */
  linesOf(tree: Tree | undefined, text: Uint8Array): Lines {
    const doc = tree === undefined ? undefined : readDocument(text);
    const lines: Lines = { segments: [], overridden: [] };
    if (tree === undefined || doc === undefined || isFault(doc)) return lines;
    const lineOf = lineIndex(doc.bytes);
    this.walk(tree, new Node(doc), (node) => lineOf(startOf(node)).line, lines);
    return { ...lines, segments: compact(lines.segments) };
  }

  private walk(tree: Tree, at: Node, lineOf: (node: Node) => number, into: Lines): void {
    const isRoot = at.parent === undefined;
    if (!isRoot || tree.type === "leaf") this.noteLines(tree, lineOf(at), into);
    if (tree.type !== "branch" || !at.isMapping) return;
    const members = tree.members.values();
    for (const [index, child] of at.children().entries()) {
      const member = members[index];
      if (member !== undefined) this.walk(member, child, lineOf, into);
    }
  }

  /** All lines of an entry that is copied; the first line of another one. */
  private noteLines(tree: Tree, line: number, { segments, overridden }: Lines): void {
    const head = headOfTree(tree);
    const origin = this.byDocument.get(head.doc);
    if (origin === undefined) return;
    const isCopied = tree.type === "leaf" && !tree.node.isEntangled;
    const first = origin.lineOf(startOf(head));
    const last = isCopied ? origin.lineOf(Math.max(startOf(head), head.end - 1)) : first;
    for (let from = first, to = line; from <= last; from++, to++) {
      const place = from === first ? this.placeAndBelow(head) : origin.placeOf(from);
      if (place === undefined) continue;
      const isFixed = place.from !== undefined && !(origin.isFile && isCopied);
      segments.push({ line: to, ...placeIn(place.file, place.from), ...(isFixed ? { isFixed } : {}) });
      for (const each of place.over ?? []) overridden.push({ line: to, ...each });
    }
  }
}

function placeIn(file: string, from: number | undefined): OverriddenPlace {
  return from === undefined ? { file } : { file, from };
}

function startOf(node: Node): number {
  const entry = node.entryStart;
  return entry < 0 ? node.start : entry;
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
