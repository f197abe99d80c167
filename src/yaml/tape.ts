// A document is its bytes and a tape of rows in preorder; a node (node.ts) is a row. Rows hold offsets only:
// no text is copied, no scalar is interpreted, and comments belong to no row (see layout.ts).
// Every reader must deliver the same rows for the same bytes.

/** Row kinds: collections first. They separate block from flow, scalars by their quoting; `empty` is an absent value. */
export const Kind = {
  blockMapping: 1,
  flowMapping: 2,
  blockSequence: 3,
  flowSequence: 4,
  plain: 5,
  single: 6,
  double: 7,
  literal: 8,
  folded: 9,
  alias: 10,
  empty: 11,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** Row fields. Offsets are absolute in `Document.bytes`; -1 means absent. */
export const Field = {
  kind: 0,
  /** Where the whole entry starts: its `?`, `-`, key properties or key. */
  entry: 1,
  keyStart: 2,
  keyEnd: 3,
  keyKind: 4,
  /** Content with its properties (tag, anchor). */
  start: 5,
  /** Content without properties. */
  body: 6,
  end: 7,
  /** 0-based column of the entry on its line. */
  column: 8,
  /** First row after this subtree. */
  next: 9,
  parent: 10,
  flags: 11,
} as const;
export const fieldCount = 12;

/** Row flags. A row that is `entangled` holds an anchor, an alias, `<<` or a duplicate key somewhere below. */
export const Flag = { anchored: 1, entangled: 2, keyBorrowed: 4 } as const;

/** A part of some bytes. */
export interface Region {
  readonly start: number;
  readonly end: number;
  /** How many leading bytes to take as spaces: the dash of a list item. */
  readonly blank?: number;
}

export interface Document {
  readonly bytes: Buffer;
  readonly rows: Int32Array;
  /** Alias row → row of the node that it refers to. */
  readonly targets: ReadonlyMap<number, number>;
  /** The first document's region, and the markers (`---`, directives) in it that are not text. */
  readonly start: number;
  readonly end: number;
  readonly markers: readonly (readonly [number, number])[];
  /** True if a second document follows: every consumer of Helm values ignores it. */
  readonly followed: boolean;
  /** True if keys are compared as they are spelled: the consumer of the file, and its reading of a plain `on`, are unknown. */
  readonly spelledKeys?: boolean;
  /** True once every key is known to be a word: its bytes are its text, and no reader reads it differently. */
  hasWordKeys?: boolean;
  /** How many bytes its aliases add once they are written out, without indentation. */
  expandedBytes?: number;
  /** `bytes` as latin1 text, made on first use. */
  latin1?: string;
  /** True if there is nothing between its entries: no comments, no blank lines, no markers. Only the fast reader knows. */
  readonly isTidy?: boolean;
  /** Which bytes the region holds, if the reader knows: stages that look for such bytes may skip it. */
  readonly plain?: Plain;
}

interface Plain {
  /** Outside block scalars. */
  readonly comments: boolean;
  /** Outside block scalars. */
  readonly blankLines: boolean;
  /** Anywhere. */
  readonly tabs: boolean;
  /** A byte of 0x80 or above, anywhere. */
  readonly nonAscii: boolean;
}

/** A row of a document, for what needs no methods: keys, scalars, tags. */
export interface Row {
  readonly doc: Document;
  readonly row: number;
}

export function field(node: Row, name: number): number {
  return node.doc.rows[node.row * fieldCount + name] as number;
}

// Called so often that one more call in between costs measurable time in a short run.
export function kindOf({ doc, row }: Row): number {
  return doc.rows[row * fieldCount + Field.kind] as number;
}

/** 1-based line and column (counted in bytes) of an offset; derived only when a message needs it. */
export function lineAndColumn(
  bytes: Uint8Array,
  offset: number,
  start = 0,
): { line: number; column: number } {
  let line = 1;
  let lineStart = start;
  for (let at = bytes.indexOf(10, start); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** The same for many offsets of one text. */
export function lineIndex(bytes: Uint8Array): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}
