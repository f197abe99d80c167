// What a ResourceSet makes, as the texts of templates: one for each resource, which is written out as YAML, and
// `resourcesTemplate` as it is. Each line has the place where it is written.
import type { Place } from "../../explanation.ts";
import { resolvePlain } from "../../yaml/index.ts";
import { listIn, type Placed, type PlacedMembers } from "../placed.ts";

export interface SetLine {
  readonly text: string;
  /** Of the value in it, or of its first visible character. */
  readonly at: Place | undefined;
  /** True for one that the file has as it is. */
  readonly isText: boolean;
}

export const delimiters = { left: "<<", right: ">>" } as const;

export function hasAction(text: string): boolean {
  return text.includes(delimiters.left);
}

/** A text with the place of each of its lines. */
export function linesOfText(text: string, { at, source }: Pick<Placed, "at" | "source">): SetLine[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const indent = line.length - line.trimStart().length;
    const own = source?.placeAt(start + indent) ?? withoutLine(at);
    start += Buffer.byteLength(line, "utf8") + 1;
    return { text: line, at: own, isText: true };
  });
}

function withoutLine(at: Place | undefined): Place | undefined {
  return at && { of: at.of, ...(at.file !== undefined && { file: at.file }) };
}

/** What is written behind a key or a dash, and the lines below that. */
interface SetBlock {
  readonly head: string;
  readonly below: readonly SetLine[];
}

/** A value as Go writes it: values that actions make are read as YAML, so `<< inputs.count >>` is a number where it makes one. */
export function linesOfValue(field: Placed): readonly SetLine[] {
  const { head, below } = blockOf(field, "", "");
  const [first, ...rest] = head === "" ? below : [{ text: head, at: undefined, isText: false }, ...below];
  // An object begins there.
  return first === undefined ? [] : [{ ...first, at: field.at }, ...rest];
}

function blockOf(field: Placed, indent: string, deeper: string): SetBlock {
  const { value, written } = field;
  if (value instanceof Map && value.size > 0)
    return { head: "", below: linesOfMapping(value as PlacedMembers, deeper) };
  if (Array.isArray(value) && value.length > 0)
    return { head: "", below: linesOfList(listIn(field), indent) };
  if (typeof value === "string") return blockOfText(value, field, deeper);
  if (typeof value === "object")
    return { head: value instanceof Map ? "{}" : value === null ? "null" : "[]", below: [] };
  return { head: written?.text ?? String(value), below: [] };
}

function linesOfMapping(members: PlacedMembers, indent: string): readonly SetLine[] {
  return [...members].flatMap(([key, each]) => {
    const { head, below } = blockOf(each, indent, `${indent}  `);
    const text = `${indent}${scalarText(key)}:${head === "" ? "" : ` ${head}`}`;
    return [{ text, at: each.at, isText: false }, ...below];
  });
}

function linesOfList(elements: readonly Placed[], indent: string): readonly SetLine[] {
  return elements.flatMap((each) => {
    const deeper = `${indent}  `;
    const { head, below } = blockOf(each, deeper, deeper);
    if (head !== "") return [{ text: `${indent}- ${head}`, at: each.at, isText: false }, ...below];
    const [first, ...rest] = below;
    return first === undefined
      ? []
      : [{ ...first, text: `${indent}- ${first.text.slice(deeper.length)}` }, ...rest];
  });
}

function blockOfText(text: string, field: Placed, indent: string): SetBlock {
  if (!text.includes("\n") || !isLiteral(text)) return { head: scalarText(text), below: [] };
  const end = text.endsWith("\n") ? (/(?:^|\n)\n$/.test(text) ? "+" : "") : "-";
  const head = `|${/^\s/.test(text) ? "2" : ""}${end}`;
  const lines = linesOfText(text.endsWith("\n") ? text.slice(0, -1) : text, field);
  return {
    head,
    below: lines.map((each) => ({ ...each, text: each.text === "" ? "" : indent + each.text })),
  };
}

function isLiteral(text: string): boolean {
  return !/ \n| $|[^\n\x20-\uffff]/.test(text);
}

/** Plain where it can be: what an action makes there may be of another type. */
function scalarText(text: string): string {
  if (/[^\x20-\uffff]/.test(text)) return JSON.stringify(text);
  const isPlain = !/^[#,[\]{}&*!|>'"%@`\s]|^[-?:](?:\s|$)|^(?:---|\.\.\.)|: |:$| #|\s$/.test(text);
  if (!isPlain) return `'${text.replaceAll("'", "''")}'`;
  return resolvePlain(text).type === "string" ? text : JSON.stringify(text);
}
