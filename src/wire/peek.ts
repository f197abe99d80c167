// A glance at an item in the plain block form that orchestrators write: apiVersion, kind, name,
// namespace and annotations, from its lines alone. Sound because in valid YAML a non-blank line at the
// item's own column is always one of its keys: whatever a value holds is indented deeper.
// Anything unusual gives undefined, and the item is read in full instead.
import { ownPrefix } from "./annotation-names.ts";
import type { Region } from "../yaml/tape.ts";

export interface Peek {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Values of annotations on one line; "" stands for a longer one that is none of ours. */
  readonly annotations: ReadonlyMap<string, string>;
}

export function peek(bytes: Uint8Array, region: Required<Region>, column: number): Peek | undefined {
  const scan = new ItemScan(column);
  let at = region.start;
  let masked = region.blank;
  while (at < region.end) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 || newline >= region.end ? region.end : newline;
    let first = at + masked;
    while (first < end && bytes[first] === 0x20) first++;
    const indent = first - at;
    const blank = first >= end || bytes[first] === 0x23 || bytes[first] === 0x0d;
    if (!blank && scan.wants(indent) && !scan.take(indent, bytes, first, end)) return undefined;
    masked = 0;
    at = end + 1;
  }
  return scan.finish();
}

class ItemScan {
  private readonly top = new Map<string, string>();
  private readonly metadata = new Map<string, string>();
  private readonly annotations = new Map<string, string>();
  private place: "top" | "metadata" | "annotations" = "top";
  private readonly column: number;
  private metadataColumn = 0;
  private annotationColumn = 0;
  private last = "";

  constructor(column: number) {
    this.column = column;
  }

  /** Lines deeper than the current place are looked at only inside metadata. */
  wants(indent: number): boolean {
    return indent <= this.column || this.place !== "top";
  }

  take(indent: number, bytes: Uint8Array, first: number, end: number): boolean {
    if (indent < this.column || bytes[first] === 0x09) return false;
    if (bytes[first] === 0x2d && (first + 1 === end || bytes[first + 1] === 0x20))
      return this.takeDash(indent);
    if (indent === this.column) return this.takeTop(lineAt(bytes, first, end));
    if (this.place === "annotations" && indent > this.metadataColumn)
      return this.takeAnnotation(indent, bytes, first, end);
    this.metadataColumn ||= indent;
    if (indent > this.metadataColumn) return this.last !== "name" && this.last !== "namespace";
    return indent === this.metadataColumn && this.takeMetadata(lineAt(bytes, first, end));
  }

  finish(): Peek | undefined {
    const [apiVersion, kind, name] = [
      this.top.get("apiVersion"),
      this.top.get("kind"),
      this.metadata.get("name"),
    ];
    if (apiVersion === undefined || kind === undefined || name === undefined) return undefined;
    const namespace = this.metadata.get("namespace") || undefined;
    return { apiVersion, kind, name, namespace, annotations: this.annotations };
  }

  /** A compact list stands at the column of its key; it is never metadata we need. */
  private takeDash(indent: number): boolean {
    if (indent === this.column) this.place = "top";
    else if (indent === this.metadataColumn) this.place = "metadata";
    this.last = "-";
    return true;
  }

  private takeTop(line: string): boolean {
    const entry = entryOf(line);
    if (entry === undefined || this.top.has(entry.key)) return false;
    this.place = entry.key === "metadata" ? "metadata" : "top";
    this.top.set(entry.key, entry.value ?? "");
    if (entry.key === "metadata") return entry.value === "";
    // A value that is not on this line may be on the next.
    return Boolean(entry.value) || (entry.key !== "apiVersion" && entry.key !== "kind");
  }

  private takeMetadata(line: string): boolean {
    const entry = entryOf(line);
    if (entry === undefined || this.metadata.has(entry.key)) return false;
    this.last = entry.key;
    this.place = entry.key === "annotations" ? "annotations" : "metadata";
    this.metadata.set(entry.key, entry.value ?? "");
    if (entry.key === "annotations")
      return entry.value === "" || entry.value === undefined ? entry.value === "" : false;
    return Boolean(entry.value) || (entry.key !== "name" && entry.key !== "namespace");
  }

  private takeAnnotation(indent: number, bytes: Uint8Array, first: number, end: number): boolean {
    this.annotationColumn ||= indent;
    if (indent < this.annotationColumn) return false;
    if (indent > this.annotationColumn) {
      this.annotations.set(this.last, "");
      return !this.last.startsWith(ownPrefix);
    }
    const entry = entryOf(lineAt(bytes, first, end));
    if (entry === undefined) return false;
    this.last = entry.key;
    this.annotations.set(entry.key, entry.value ?? "");
    return entry.value !== undefined || !entry.key.startsWith(ownPrefix);
  }
}

function lineAt(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
}

/** `key: value` with plain key; value undefined where it is not one plain or simply quoted word or text. */
function entryOf(line: string): { key: string; value: string | undefined } | undefined {
  const match = /^([A-Za-z][A-Za-z0-9_./-]*):(?: +(.*))?$/.exec(line.replace(/\r$/, ""));
  if (match === null) return undefined;
  return {
    key: match[1] as string,
    value: simpleValue((match[2] ?? "").replace(/(^| +)#.*$/, "").trimEnd()),
  };
}

function simpleValue(text: string): string | undefined {
  if (text === "" || text === "~" || text === "null") return "";
  const quoted = /^'([^']*)'$/.exec(text) ?? /^"([^"\\]*)"$/.exec(text);
  if (quoted !== null) return quoted[1];
  return /^[-?:,[\]{}#&*!|>'"%@`]/.test(text) || /: |\t/.test(text) || text.endsWith(":") ? undefined : text;
}
