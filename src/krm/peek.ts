// Hot loop: a peek at an item in the plain block form that orchestrators write: apiVersion, kind, name,
// namespace and annotations, from its lines alone. Sound because in valid YAML a non-blank line at the
// item's own column is always one of its keys: the lines of any value are indented deeper.
// Anything unusual gives undefined, and the item is read in full instead.
import type { Region } from "../yaml/index.ts";
import { ownPrefix } from "./annotation-names.ts";
import { ordinary, textOfRange, valueText } from "./peek-text.ts";
import { isContent, pastDeeper } from "./lines.ts";

export interface ItemHead {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Values of annotations on one line; "" for a longer one, which is never one of ours. */
  readonly annotations: ReadonlyMap<string, string>;
  /** True if it has labels. */
  readonly labelled: boolean;
}

export interface PeekResult {
  readonly head: ItemHead;
  /** Where the first line after the item starts. */
  readonly end: number;
}

/** @param outer column of the list that the item is in: a line with content there is not the item's own */
export function peek(
  bytes: Buffer,
  region: Required<Region>,
  column: number,
  outer = -1,
): PeekResult | undefined {
  const scan = new ItemScan(bytes, column);
  const { end: limit } = region;
  let at = region.start;
  let first = at + region.blank;
  while (at < limit) {
    while (first < limit && bytes[first] === space) first++;
    const indent = first - at;
    let end = first;
    if (indent <= outer && at > region.start && isContent(bytes, first, limit)) break;
    while (end < limit && bytes[end] !== lineFeed) end++;
    const wanted = indent <= column || scan.place !== inItem;
    if (wanted && end > first && bytes[first] !== hash && !scan.take(indent, first, end)) return undefined;
    at = end + 1;
    if (scan.place === inItem) at = pastDeeper(bytes, at, limit, column);
    first = at;
  }
  const head = scan.finish();
  return head === undefined ? undefined : { head, end: Math.min(at, limit) };
}

const lineFeed = 0x0a;
const space = 0x20;
const hash = 0x23;
const dash = 0x2d;
const colon = 0x3a;

// The state of a scan.
const inItem = 0;
const inMetadata = 1;
const inAnnotations = 2;

const none: ReadonlyMap<string, string> = new Map();

/** More top-level keys, or annotations, than an item has. */
const mostKeys = 100;

class ItemScan {
  place = inItem;
  private apiVersion: string | undefined;
  private kind: string | undefined;
  /** The offsets where the seen keys start and end, in turn. */
  private readonly topKeys: number[] = [];
  private readonly metadataKeys: number[] = [];
  private name: string | undefined;
  private namespace: string | undefined;
  private annotations: Map<string, string> | undefined;
  private labelled = false;
  private readonly bytes: Buffer;
  private readonly column: number;
  private metadataColumn = 0;
  private annotationColumn = 0;
  /** The open key: its value may continue below it. */
  private open = "";

  constructor(bytes: Buffer, column: number) {
    this.bytes = bytes;
    this.column = column;
  }

  /** Takes a line with content; false if it is unusual. Lines deeper than the place are seen only inside metadata. */
  take(indent: number, first: number, end: number): boolean {
    const { bytes } = this;
    const byte = bytes[first] as number;
    if (byte === 0x0d) return true;
    if (indent < this.column || byte === 0x09) return false;
    if (byte === dash && (first + 1 === end || bytes[first + 1] === space)) return this.takeDash(indent);
    const after = this.keyEnd(first, end);
    if (indent === this.column) return after > 0 && this.takeTop(first, after, end);
    if (this.place === inAnnotations && indent > this.metadataColumn)
      return this.takeAnnotation(indent, first, after, end);
    this.metadataColumn ||= indent;
    if (indent > this.metadataColumn) return this.open !== "name" && this.open !== "namespace";
    return indent === this.metadataColumn && after > 0 && this.takeMetadata(first, after, end);
  }

  finish(): ItemHead | undefined {
    const { apiVersion, kind, name, namespace, annotations = none, labelled } = this;
    if (apiVersion === undefined || kind === undefined || name === undefined) return undefined;
    return { apiVersion, kind, name, namespace, annotations, labelled };
  }

  /** A compact list is at the column of its key; it is never metadata we need. */
  private takeDash(indent: number): boolean {
    if (indent === this.column) this.place = inItem;
    else if (indent === this.metadataColumn) this.place = inMetadata;
    this.open = "-";
    return true;
  }

  /** Offset of the colon of a plain key; 0 if the line does not start with one. */
  private keyEnd(first: number, end: number): number {
    const { bytes } = this;
    let at = first;
    while (at < end && ordinary[bytes[at] as number] === 1) at++;
    const isKey = at > first && bytes[at] === colon && isLetter(bytes[first] as number);
    return isKey && (at + 1 === end || bytes[at + 1] === space) ? at : 0;
  }

  private takeTop(first: number, after: number, end: number): boolean {
    const { bytes } = this;
    this.place = inItem;
    if (!this.isFirst(this.topKeys, first, after)) return false;
    if (isWordAt(bytes, first, after, "kind")) {
      this.kind = valueText(bytes, after + 1, end);
      return Boolean(this.kind);
    }
    if (isWordAt(bytes, first, after, "apiVersion")) {
      this.apiVersion = valueText(bytes, after + 1, end);
      return Boolean(this.apiVersion);
    }
    if (!isWordAt(bytes, first, after, "metadata")) return true;
    this.place = inMetadata;
    return valueText(bytes, after + 1, end) === "";
  }

  /** False for a duplicate key, and where there are very many: the item must be read in full. */
  private isFirst(seen: number[], start: number, end: number): boolean {
    const { bytes } = this;
    // Values with thousands of keys are no item: what compares all with all would take seconds.
    if (seen.length >= 2 * mostKeys) return false;
    for (let at = 0; at < seen.length; at += 2) {
      const known = seen[at] as number;
      if ((seen[at + 1] as number) - known !== end - start) continue;
      let offset = end - start - 1;
      while (offset >= 0 && bytes[known + offset] === bytes[start + offset]) offset--;
      if (offset < 0) return false;
    }
    seen.push(start, end);
    return true;
  }

  private takeMetadata(first: number, after: number, end: number): boolean {
    const { bytes } = this;
    this.place = inMetadata;
    this.open = "";
    if (!this.isFirst(this.metadataKeys, first, after)) return false;
    if (isWordAt(bytes, first, after, "labels")) return (this.labelled = true);
    if (isWordAt(bytes, first, after, "annotations")) {
      this.annotations = new Map();
      this.place = inAnnotations;
      return valueText(bytes, after + 1, end) === "";
    }
    const isName = isWordAt(bytes, first, after, "name");
    if (!isName && !isWordAt(bytes, first, after, "namespace")) return true;
    this.open = isName ? "name" : "namespace";
    const text = valueText(bytes, after + 1, end);
    if (isName) this.name = text;
    else this.namespace = text;
    return Boolean(text);
  }

  private takeAnnotation(indent: number, first: number, after: number, end: number): boolean {
    const { bytes, annotations } = this;
    if (annotations === undefined) return false;
    this.annotationColumn ||= indent;
    if (indent < this.annotationColumn) return false;
    if (indent > this.annotationColumn) {
      annotations.set(this.open, "");
      return !this.open.startsWith(ownPrefix);
    }
    if (after === 0) return false;
    this.open = textOfRange(bytes, first, after);
    const text = valueText(bytes, after + 1, end);
    annotations.set(this.open, text ?? "");
    return text !== undefined || !this.open.startsWith(ownPrefix);
  }
}

function isLetter(byte: number): boolean {
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

function isWordAt(bytes: Buffer, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false;
  for (let at = 0; at < word.length; at++) if (bytes[start + at] !== word.charCodeAt(at)) return false;
  return true;
}
