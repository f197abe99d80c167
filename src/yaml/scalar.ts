// The text of a scalar: quotes, escapes and folding resolved, indentation of block scalars removed.
// Plain, single-line and literal text is decoded here; what is rarer goes to the library.
import { parseDocument } from "yaml";
import { Field, field, Kind, kindOf, type Node } from "./tape.ts";

/** Text of a scalar node; "" for an absent value. */
export function scalarText(node: Node): string {
  const kind = kindOf(node);
  const source = utf8(node.doc.bytes, field(node, Field.body), field(node, Field.end));
  if (kind === Kind.literal || kind === Kind.folded) return decodeBlock(source, contentIndent(node, source));
  return decodeInline(source, kind);
}

/** Text of a node's key. */
export function keyText(node: Node): string {
  const source = utf8(node.doc.bytes, field(node, Field.keyStart), field(node, Field.keyEnd));
  return decodeInline(source.replace(/^![^ ]* +/, ""), field(node, Field.keyKind));
}

function decodeInline(source: string, kind: number): string {
  if (kind === Kind.empty) return "";
  if (source.includes("\n") || (kind === Kind.double && source.includes("\\"))) {
    return decodeByLibrary(source.replaceAll(/\r?\n[ \t]*/g, "\n "));
  }
  if (kind === Kind.single) return source.slice(1, -1).replaceAll("''", "'");
  return kind === Kind.double ? source.slice(1, -1) : source;
}

function decodeBlock(source: string, indent: number): string {
  const [header = "", ...lines] = source.split(/\r?\n/);
  const chomp = /[-+]/.exec(header.split("#")[0] ?? "")?.[0] ?? "";
  const content = lines.map((line) => line.slice(indent));
  if (header.startsWith("|")) return chomped(content.join("\n"), chomp);
  return decodeByLibrary(`>1${chomp}\n${content.map((line) => (line === "" ? "" : ` ${line}`)).join("\n")}`);
}

/** A literal that ends its document without a newline has none to keep. */
function chomped(text: string, chomp: string): string {
  if (chomp === "+") return text;
  const body = text.replace(/\n+$/, "");
  return chomp === "-" || body === "" || !text.endsWith("\n") ? body : `${body}\n`;
}

/** The column a block scalar's content starts at; an indicator counts from the parent's column. */
export function contentIndent(node: Node, source: string): number {
  const indicator = /^[|>][-+]?([1-9])/.exec(source)?.[1];
  if (indicator !== undefined)
    return Number(indicator) + (field(node, Field.entry) < 0 ? 0 : field(node, Field.column));
  const first =
    source
      .split("\n")
      .slice(1)
      .find((line) => /[^ \r]/.test(line)) ?? "";
  return /^ */.exec(first)?.[0].length ?? 0;
}

function decodeByLibrary(source: string): string {
  const document = parseDocument(`k: ${source}`, {
    schema: "failsafe",
    prettyErrors: false,
    logLevel: "silent",
  });
  const text: unknown = document.errors.length > 0 ? undefined : document.get("k");
  return typeof text === "string" ? text : "";
}

export function utf8(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
}
