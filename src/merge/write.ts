// Merged values → text. Entries are copied verbatim and shifted as a whole by one constant; only what
// cannot be copied (merged mappings, opened flow mappings, expanded aliases) is written again.
// Never re-spells a scalar, never re-flows a line.
import {
  afterContent,
  extentOf,
  footOf,
  headOf,
  textOf,
  tidyEnd,
  withoutMarkers,
  pad,
  shiftFlow,
  shiftLead,
  shiftLines,
  shiftRest,
  withoutBlankEnd,
  withoutBlanks,
  Field,
  fieldCount,
  Flag,
  Kind,
  Node,
} from "../yaml/index.ts";
import { stepOf, stepOfList } from "./branch.ts";
import {
  headOfTree,
  type Leaf,
  type ListBranch,
  Members,
  membersOf,
  membersOfNode,
  type Tree,
} from "./tree.ts";
import {
  blankLinesOf,
  bracketsIn,
  flowValue,
  headerComment,
  keepsEnd,
  keyOfEntry,
  leadOf,
  scalarSource,
  withSafeKey,
  tailOf,
  withComment,
} from "./pieces.ts";

const noMembers = new Members([]);

/** Text of merged values (UTF-8 bytes): block style at the root, column 0, exactly one final newline. */
export function writeValues(tree: Tree | undefined): Uint8Array {
  return Buffer.from(tree === undefined ? "{}\n" : writeRoot(tree), "latin1");
}

function writeRoot(tree: Tree): string {
  const page = new Page();
  const root = headOfTree(tree);
  if (tree.type === "leaf" && !tree.node.isEntangled) page.add(wholeText(root));
  else {
    page.add(headOf(root));
    writeMembers(page, membersOf(tree) ?? noMembers, 0);
    page.add(shiftLead(withoutBlankEnd(footOf(root)), root.isFlow ? 0 : -childColumn(root), 0));
  }
  return page.text;
}

/** A document as it is, less its markers and the blank lines after its content. */
function wholeText({ doc, row }: Node): string {
  const content = afterContent(textOf(doc), new Node(doc, row).end);
  return withoutMarkers(doc, doc.start, content) + withoutBlankEnd(textOf(doc).slice(content, doc.end));
}

/** Lines being written. A block scalar with `|+` takes blank lines after it for content, so none may follow. */
class Page {
  text = "";
  keeps = false;

  add(lines: string, keeps = false): void {
    const safe = this.keeps ? lines.replace(/^(?: *\n)+/, "") : lines;
    if (safe !== "") this.addAt(0, safe, keeps);
  }

  /** Adds lines that start with content at a column. Looking at the end of a joined text would copy it. */
  addAt(column: number, lines: string, keeps = false): void {
    if (column > 0) this.text += pad(column);
    this.text += lines;
    if (!lines.endsWith("\n")) this.text += "\n";
    this.keeps = keeps;
  }
}

function writeMembers(page: Page, members: Members, column: number): void {
  const trees = members.values();
  for (let at = 0; at < trees.length; at++) {
    const tree = trees[at] as Tree;
    const { home } = tree;
    const head = tree.type === "leaf" ? tree.node : tree.head;
    const isHeadTidy = head.doc.isTidy === true;
    if (home !== undefined && home.doc.isTidy !== true) page.add(blankLinesOf(home));
    if (!isHeadTidy) page.add(shiftLead(leadOf(head), column - head.column, column));
    else if (tree.type === "leaf" && standsAlike(head, column)) {
      const last = lastBehind(trees, at, column);
      const end = trees[last] as Leaf;
      page.addAt(column, textOf(head.doc).slice(head.entryStart, tidyEnd(end.node)), keepsEnd(end.node));
      at = last;
      continue;
    }
    writeMember(page, tree, column);
  }
}

/** The last of the untouched entries that follow one in its document, too: they are copied together. */
function lastBehind(trees: readonly Tree[], first: number, column: number): number {
  let last = first;
  for (let { node } = trees[first] as Leaf; ; last++) {
    const next = trees[last + 1];
    if (next?.type !== "leaf" || next.home !== next.node || next.node.doc !== node.doc) return last;
    if (next.node.row !== node.nextRow || !standsAlike(next.node, column)) return last;
    node = next.node;
  }
}

/** True for a block entry of a tidy document that stays at its column: nearly all of them, copied as they are. */
function standsAlike({ doc: { rows }, row }: Node, column: number): boolean {
  const at = row * fieldCount;
  const parent = rows[at + Field.parent] as number;
  const isPlain = ((rows[at + Field.flags] as number) & Flag.entangled) === 0;
  const isBlock = rows[parent * fieldCount + Field.kind] === Kind.blockMapping;
  return isPlain && isBlock && rows[at + Field.column] === column;
}

function writeMember(page: Page, tree: Tree, column: number): void {
  switch (tree.type) {
    case "branch":
      return writeMapping(page, tree.head, tree.members, column, tree.step);
    case "list":
      return writeList(page, tree, column);
    case "leaf":
      return writeEntry(page, tree.node, column);
  }
}

function writeEntry(page: Page, entry: Node, column: number): void {
  if (entry.isEntangled) return writeExpanded(page, entry, column);
  if ((entry.parent ?? entry).isFlow)
    return page.add(`${pad(column)}${keyOfEntry(entry, column)}:${flowValue(entry, column)}`);
  const { doc } = entry;
  const text = doc.isTidy === true ? textOf(doc).slice(entry.entryStart, tidyEnd(entry)) : linesOf(entry);
  const by = column - entry.column;
  // A document of the fast reader has no content left of its key.
  const shifted = by === 0 && doc.plain !== undefined ? text : shiftRest(text, by, column, bracketsIn(entry));
  page.add(pad(column) + withSafeKey(entry, shifted, column), keepsEnd(entry));
}

/** An entry of a block collection as it is, but for spaces on the blank lines after its content. */
function linesOf(entry: Node): string {
  const text = textOf(entry.doc);
  const { end } = extentOf(entry);
  const content = Math.min(afterContent(text, entry.end), end);
  return text.slice(entry.entryStart, content) + withoutBlanks(text.slice(content, end));
}

function writeMapping(page: Page, head: Node, members: Members, column: number, step: number): void {
  page.addAt(column, `${keyOfEntry(head, column)}:${members.size === 0 ? " {}" : ""}${headerComment(head)}`);
  writeMembers(page, members, column + step);
  const collection = head.value;
  if (!collection.isFlow) page.add(shiftLines(footOf(collection), column + step - childColumn(collection)));
  if (collection !== head || collection.isFlow) page.add(tailOf(head, column));
}

/** An entry that holds anchors, aliases, `<<` or duplicate keys: written as its consumer sees it. */
function writeExpanded(page: Page, entry: Node, column: number): void {
  const value = entry.value;
  if (value.isMapping) return writeMapping(page, entry, membersOfNode(value), column, stepOf(value) ?? 2);
  const header = `${pad(column)}${keyOfEntry(entry, column)}:`;
  writeValue(page, header, entry, column);
}

/** A list of several layers: one element on a line, each as its layer writes it, unless two of them made it. */
function writeList(page: Page, { head, step, elements }: ListBranch, column: number): void {
  const items = elements.values();
  const sequence = head.value;
  page.add(
    `${pad(column)}${keyOfEntry(head, column)}:${items.length === 0 ? " []" : ""}${headerComment(head)}`,
  );
  for (const tree of items) writeElement(page, tree, column + step);
  if (!sequence.isFlow) page.add(shiftLines(footOf(sequence), column + step - childColumn(sequence)));
  if (sequence !== head || sequence.isFlow) page.add(tailOf(head, column));
}

/** A single pair between the brackets of a list is a mapping without brackets of its own: `[a: 1]`. */
function isPair(item: Node): boolean {
  const value = item.value;
  return value.kind === Kind.flowMapping && item.doc.bytes[value.body] !== 0x7b;
}

function writeElement(page: Page, tree: Tree, column: number): void {
  const head = headOfTree(tree);
  if (tree.home !== undefined) page.add(blankLinesOf(tree.home));
  const members = tree.type === "leaf" ? undefined : membersOf(tree);
  if (members !== undefined) writeMembersOfItem(page, head, members, column);
  else if (isPair(head)) writeMembersOfItem(page, head, membersOfNode(head.value), column);
  else if ((head.parent ?? head).isFlow && !head.isEntangled) {
    page.add(shiftLead(leadOf(head), column - head.column, column));
    page.add(`${pad(column)}-${flowValue(head, column)}`);
  } else writeItem(page, head, column);
}

/** A value that is not a mapping, after its key or dash. Items below a dash are deeper than it. */
function writeValue(page: Page, header: string, entry: Node, column: number, least = 0): void {
  const value = entry.value;
  const comment = headerComment(entry);
  if (value.isSequence) {
    const items = value.children();
    page.add(`${header}${items.length === 0 ? " []" : ""}${comment}`);
    const step = value.isFlow ? 2 : Math.max(least, stepOfList(value) ?? 0);
    for (const item of items) writeItem(page, item, column + step);
    // The last item of a block sequence already took the lines after it.
    return value.row === entry.row && !value.isFlow ? undefined : page.add(tailOf(entry, column));
  }
  const isBlock = value.kind === Kind.literal || value.kind === Kind.folded;
  // A line of any other scalar that starts with `#` is text, and no comment.
  const shift = isBlock ? shiftRest : shiftFlow;
  const text = shift(scalarSource(value), column - value.column, column + 1);
  const space = text === "" ? "" : " ";
  if (isBlock) page.add(`${header} ${withComment(text, comment)}`, keepsEnd(value));
  else page.add(`${header}${space}${text}${comment}`);
  page.add(tailOf(entry, column));
}

function writeItem(page: Page, item: Node, column: number): void {
  const value = item.value;
  const by = column - item.column;
  const inBlock = !(item.parent ?? item).isFlow;
  page.add(shiftLead(leadOf(item), by, column));
  if (inBlock && !item.isEntangled) {
    return page.add(pad(column) + shiftRest(linesOf(item), by, column, bracketsIn(item)), keepsEnd(item));
  }
  if (!value.isMapping) return writeValue(page, `${pad(column)}-`, item, column, 2);
  writeInnerMembers(page, item, membersOfNode(value), column);
}

/** An element that is a mapping of several layers, with the comments above it. */
function writeMembersOfItem(page: Page, item: Node, members: Members, column: number): void {
  page.add(shiftLead(leadOf(item), column - item.column, column));
  writeInnerMembers(page, item, members, column);
}

function writeInnerMembers(page: Page, item: Node, members: Members, column: number): void {
  const value = item.value;
  const inner = new Page();
  if (members.size === 0) inner.add(`{}${headerComment(item)}`);
  else inner.add(headerComment(item).replace(/^ +/, pad(column + 2)));
  writeMembers(inner, members, column + 2);
  if (!value.isFlow) inner.add(shiftLines(footOf(value), column + 2 - childColumn(value)));
  page.add(`${pad(column)}- ${inner.text.replace(/^[ \n]+/, "")}`, inner.keeps);
  if (value.row !== item.row) page.add(tailOf(item, column));
}

function childColumn(collection: Node): number {
  const child = collection.first;
  return child === undefined ? 0 : child.column;
}
