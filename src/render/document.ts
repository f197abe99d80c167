// One text of a layer, read once. An explicit null is not an empty text: konfigure removes all lower layers for it.
import type { Diagnostic } from "../diagnostic.ts";
import {
  isFault,
  Kind,
  lineAndColumn,
  Node,
  normalizeText,
  readDocument,
  type ReadFault,
} from "../yaml/index.ts";
import { readValues } from "../layers/index.ts";
import type { TemplateLines } from "../engine/index.ts";

/** A text and its file. */
export interface TextFile {
  /** Seen from the directory. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** True if it was made of a template: its lines are not those of the file. */
  readonly isRendered: boolean;
  /** Which they are, where that is known. */
  readonly lines?: TemplateLines;
}

export interface ReadText {
  /** The mapping, one of nothing too; undefined for nothing at all, null, and what does not read. */
  readonly root: Node | undefined;
  /** True for an explicit null. */
  readonly isNull: boolean;
  /** They have line and column, and no text. */
  readonly diagnostics: readonly Diagnostic[];
}

export class Reader {
  private readonly known = new Map<Uint8Array, ReadText>();

  /** Never throws. */
  read(source: TextFile): ReadText {
    let found = this.known.get(source.bytes);
    if (found === undefined) this.known.set(source.bytes, (found = readText(source)));
    return found;
  }
}

function readText(source: TextFile): ReadText {
  const { bytes } = source;
  const { root, isMapping, text, faults, notes } = readValues(bytes);
  const diagnostics = [
    ...faults.map((fault) => diagnosticOf(fault, "error", source, text)),
    ...notes.map((note) => diagnosticOf(note, "warning", source, text)),
  ];
  if (root !== undefined || faults.length > 0) return { root, isNull: false, diagnostics };
  return isMapping
    ? { root: rootIn(bytes), isNull: false, diagnostics }
    : { root, isNull: isNull(bytes), diagnostics };
}

function rootIn(bytes: Uint8Array): Node | undefined {
  const doc = readDocument(normalizeText(bytes));
  return isFault(doc) ? undefined : new Node(doc);
}

/** A null that is written, or a document that is begun and holds none: a comment alone is neither. */
function isNull(bytes: Uint8Array): boolean {
  const root = rootIn(bytes);
  return root !== undefined && (root.kind !== Kind.empty || root.doc.markers.length > 0);
}

function diagnosticOf(
  { code, message, offset, also }: ReadFault,
  severity: "error" | "warning",
  { path, isRendered, lines }: TextFile,
  text: Uint8Array,
): Diagnostic {
  const place = offset === undefined ? undefined : lineAndColumn(text, offset);
  const line = place === undefined ? undefined : lines?.get(place.line);
  const rendered = { text: `${path} as it is rendered`, ...place };
  return {
    code: code === "syntax" ? "layer-unreadable" : code,
    severity,
    message,
    ...(also !== undefined && line === undefined && { also: [{ text: path, ...lineAndColumn(text, also) }] }),
    at: line !== undefined ? { text: path, line } : isRendered ? rendered : { text: path, ...place },
    hint: isRendered ? (renderedHints[code] ?? "correct the template") : (hints[code] ?? "correct the file"),
  };
}

const hints: Partial<Record<ReadFault["code"], string>> = {
  syntax: "correct the YAML at this place",
  "not-a-mapping": "values are a mapping at the top: indent the list or text under a key",
  "unsupported-key": "quote the key",
  "key-spelled-twice": "keep one of the two spellings, quoted",
  "duplicate-key": "remove the earlier one",
  "several-documents": "only the first document counts: remove the `---`",
  "list-directive": "list directives are not supported: the key is plain data",
  "expansion-bound": "write the aliases of these values out, or split the values into several layers",
  "too-deep": "flatten the values",
};

const renderedHints: Partial<Record<ReadFault["code"], string>> = {
  ...hints,
  syntax:
    "it is the text as it is rendered that does not read: look for a value that needs quotes or `nindent`",
};
