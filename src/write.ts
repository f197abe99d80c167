// Merged values → text. Entries are copied verbatim and shifted as a whole by one constant; only what
// cannot be copied (merged mappings, opened flow mappings, expanded aliases) is put together anew.
// Never re-spells a scalar, never re-flows a line.
import { afterContent, extentOf, footOf, headOf, lineEnd, textOf, withoutMarkers } from "./layout.ts";
import { isBranch, type Slot, slotsOf, stepOf, type Tree } from "./merge.ts";
import { doubleQuote } from "./yaml/quote.ts";
import { keyText } from "./yaml/scalar.ts";
import {
  childrenOf,
  Field,
  field,
  isFlow,
  isMapping,
  isSequence,
  Kind,
  kindOf,
  type Node,
  parentOf,
  valueOf,
} from "./yaml/tape.ts";
import { isEntangled } from "./yaml/view.ts";

/** Text of merged values (UTF-8 bytes): block style at the root, column 0, exactly one final newline. */
export function writeValues(tree: Tree | undefined): Uint8Array {
  return Buffer.from(tree === undefined ? "{}\n" : writeRoot(tree), "latin1");
}

function writeRoot(tree: Tree): string {
  const page = new Page();
  const root = isBranch(tree) ? tree.head : tree;
  const whole = !isBranch(tree) && !isEntangled(tree);
  if (whole) page.add(withoutMarkers(root.doc, root.doc.start, root.doc.end), keepsEnd(root));
  else {
    page.add(headOf(root));
    writeSlots(page, slotsOf(tree) ?? new Map<string, Slot>(), 0);
    page.add(footOf(root));
  }
  return page.finish();
}

/** Lines in the making. A block scalar with `|+` takes blank lines behind it for content, so none may follow. */
class Page {
  private text = "";
  private keeps = false;

  add(lines: string, keeps = false): void {
    const safe = this.keeps ? lines.replace(/^(?: *\n)+/, "") : lines;
    if (safe === "") return;
    this.text += safe.endsWith("\n") ? safe : `${safe}\n`;
    this.keeps = keeps;
  }

  finish(): string {
    return this.keeps ? this.text : `${this.text.replace(/\s+$/, "")}\n`;
  }
}

function writeSlots(page: Page, slots: ReadonlyMap<string, Slot>, column: number): void {
  for (const { home, tree } of slots.values()) {
    const head = isBranch(tree) ? tree.head : tree;
    page.add(home === undefined ? "" : blankLinesOf(home));
    page.add(shiftLines(leadOf(head), column - field(head, Field.column)));
    writeEntry(page, tree, column);
  }
}

function writeEntry(page: Page, tree: Tree, column: number): void {
  if (isBranch(tree)) return writeMapping(page, tree.head, tree.slots, column, tree.step);
  if (isEntangled(tree)) return writeExpanded(page, tree, column);
  if (isFlow(parentOf(tree) ?? tree))
    return page.add(`${pad(column)}${keyOfEntry(tree)}:${flowValue(tree, column)}`);
  const text = textOf(tree.doc);
  const entry = text.slice(field(tree, Field.entry), extentOf(tree).end);
  page.add(pad(column) + shiftRest(entry, column - field(tree, Field.column), column), keepsEnd(tree));
}

function writeMapping(
  page: Page,
  head: Node,
  slots: ReadonlyMap<string, Slot>,
  column: number,
  step: number,
): void {
  page.add(`${pad(column)}${keyOfEntry(head)}:${slots.size === 0 ? " {}" : ""}${headerComment(head)}`);
  writeSlots(page, slots, column + step);
  const collection = valueOf(head);
  if (!isFlow(collection)) page.add(shiftLines(footOf(collection), column + step - childColumn(collection)));
  if (collection !== head || isFlow(collection)) page.add(tailOf(head, column));
}

/** An entry that holds anchors, aliases, `<<` or duplicate keys: written as its consumer sees it. */
function writeExpanded(page: Page, entry: Node, column: number): void {
  const value = valueOf(entry);
  if (isMapping(value))
    return writeMapping(page, entry, slotsOf(value) ?? new Map<string, Slot>(), column, stepOf(value) ?? 2);
  const header = `${pad(column)}${keyOfEntry(entry)}:`;
  writeValue(page, header, entry, column);
}

/** A value that is not a mapping, behind its key or dash. */
function writeValue(page: Page, header: string, entry: Node, column: number): void {
  const value = valueOf(entry);
  const comment = headerComment(entry);
  if (isSequence(value)) {
    const items = [...childrenOf(value)];
    page.add(`${header}${items.length === 0 ? " []" : ""}${comment}`);
    for (const item of items) writeItem(page, item, column + (isFlow(value) ? 2 : dashStep(value)));
    return page.add(tailOf(entry, column));
  }
  const text = shiftRest(scalarSource(value), column - field(value, Field.column), column + 1);
  const isBlock = kindOf(value) === Kind.literal || kindOf(value) === Kind.folded;
  const space = text === "" ? "" : " ";
  if (isBlock) page.add(`${header} ${withComment(text, comment)}`, keepsEnd(value));
  else page.add(`${header}${space}${text}${comment}`);
  page.add(tailOf(entry, column));
}

function writeItem(page: Page, item: Node, column: number): void {
  const value = valueOf(item);
  page.add(shiftLines(leadOf(item), column - field(item, Field.column)));
  if (!isMapping(value)) return writeValue(page, `${pad(column)}-`, item, column);
  const inner = new Page();
  writeSlots(inner, slotsOf(value) ?? new Map<string, Slot>(), column + 2);
  const lines = inner.finish().trimStart();
  page.add(`${pad(column)}- ${lines === "" ? "{}" : lines}`);
}

/** How deep a sequence's dashes stand below its key: 0 in compact style. */
function dashStep(sequence: Node): number {
  return Math.max(0, childColumn(sequence) - field(sequence, Field.column));
}

function childColumn(collection: Node): number {
  const [child] = childrenOf(collection);
  return child === undefined ? 0 : field(child, Field.column);
}

/** Tag and text of a scalar, without its anchor. */
function scalarSource(node: Node): string {
  const text = textOf(node.doc);
  const props = text.slice(field(node, Field.start), field(node, Field.body)).split(/\s+/);
  const tag = props.find((prop) => prop.startsWith("!"));
  return `${tag === undefined ? "" : `${tag} `}${text.slice(field(node, Field.body), field(node, Field.end))}`.replace(
    / $/,
    "",
  );
}

function keyOfEntry(node: Node): string {
  const key = textOf(node.doc).slice(field(node, Field.keyStart), field(node, Field.keyEnd));
  if (!key.includes("\n")) return key;
  return Buffer.from(doubleQuote(keyText(node)), "utf8").toString("latin1");
}

/** The comment on the line of an entry's key, with the space before it. */
function headerComment(entry: Node): string {
  if (isFlow(parentOf(entry) ?? entry)) return "";
  const text = textOf(entry.doc);
  const isBlock = kindOf(entry) === Kind.blockMapping || kindOf(entry) === Kind.blockSequence;
  const from = isBlock
    ? Math.max(field(entry, Field.keyEnd), field(entry, Field.entry))
    : field(entry, Field.end);
  if (text[from - 1] === "\n") return "";
  return /\s(#.*)/.exec(text.slice(from, lineEnd(text, from)))?.[0].replace(/^\s+/, " ") ?? "";
}

/** A comment goes behind the header of a block scalar, unless one is there. */
function withComment(text: string, comment: string): string {
  const header = text.slice(0, text.indexOf("\n"));
  return comment === "" || header.includes("#") ? text : text.replace("\n", () => `${comment}\n`);
}

function flowValue(node: Node, column: number): string {
  const text = textOf(node.doc).slice(field(node, Field.start), field(node, Field.end));
  return text === "" ? "" : ` ${shiftRest(text, column - field(node, Field.column), column + 1)}`;
}

/** An entry's own comments: whole lines. In brackets, those between it and the entry before. */
function leadOf(node: Node): string {
  const text = textOf(node.doc);
  const parent = parentOf(node);
  if (parent === undefined) return "";
  if (!isFlow(parent)) {
    const { comments } = extentOf(node);
    const start = text.lastIndexOf("\n", field(node, Field.entry) - 1) + 1;
    return comments < start ? text.slice(comments, start) : "";
  }
  const before = [...childrenOf(parent)].findLast((child) => child.row < node.row);
  const gap = text.slice(
    before === undefined ? field(parent, Field.body) : field(before, Field.end),
    field(node, Field.entry),
  );
  const lines = gap.split("\n").map((line) => /#.*/.exec(line)?.[0] ?? "");
  return lines
    .filter((line) => line !== "")
    .map((line) => `${pad(field(node, Field.column))}${line}\n`)
    .join("");
}

/** Comments deeper than the next key, which follow an entry's last line. */
function tailOf(entry: Node, column: number): string {
  if (isFlow(parentOf(entry) ?? entry) || field(entry, Field.parent) < 0) return "";
  const text = textOf(entry.doc);
  const tail = text.slice(afterContent(text, field(entry, Field.end)), extentOf(entry).end);
  return shiftLines(tail, column - field(entry, Field.column));
}

function blankLinesOf(node: Node): string {
  if (isFlow(parentOf(node) ?? node)) return "";
  const { lead, comments } = extentOf(node);
  return textOf(node.doc).slice(lead, comments);
}

/** True if the node's text ends in a block scalar that keeps its trailing blank lines. */
function keepsEnd(node: Node): boolean {
  let last: Node | undefined = node;
  for (let next = [...childrenOf(node)].at(-1); next !== undefined; next = [...childrenOf(next)].at(-1))
    last = next;
  if (kindOf(last) !== Kind.literal && kindOf(last) !== Kind.folded) return false;
  const text = textOf(node.doc);
  const ends = field(last, Field.end);
  const nothingBehind = text.slice(ends, afterContent(text, ends)).trim() === "";
  return (
    nothingBehind && /^[|>][0-9]*\+/.test(text.slice(field(last, Field.body), field(last, Field.body) + 3))
  );
}

/** Moves whole lines by a number of columns. */
function shiftLines(lines: string, by: number): string {
  return by === 0 || lines === "" ? lines : shiftRest(`\n${lines}`, by, 0).slice(1);
}

/** Moves all lines but the first, which stands behind its key. Content never goes below column `least`. */
function shiftRest(text: string, by: number, least: number): string {
  if (!text.includes("\n")) return text;
  const [first = "", ...rest] = text.split("\n");
  return [first, ...rest.map((line) => shiftLine(line, by, least))].join("\n");
}

function shiftLine(line: string, by: number, least: number): string {
  const content = line.trimStart();
  const spaces = /^ */.exec(line)?.[0].length ?? 0;
  if (line === "") return line;
  const column = Math.max(content === "" || content.startsWith("#") ? 0 : least, spaces + by, 0);
  return pad(column) + line.slice(spaces);
}

function pad(column: number): string {
  return " ".repeat(column);
}
