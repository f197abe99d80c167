// A document of a stack, lowest first: what it says, and where each of its values is. It knows nothing of what it was read
// from: an object of a list, a values file, a patch, a chart.
import { type Diagnostic, type Position } from "../diagnostic.ts";
import type { ExplainedLayer, Place, Variable } from "../explanation.ts";
import { valuesHint } from "../core/index.ts";
import type { Item } from "../krm/index.ts";
import { isSopsFile, readValues } from "../layers/index.ts";
import { directivesIn, type Rules } from "../merge/index.ts";
import { bufferOf, lineIndex, type Node, normalizeText } from "../yaml/index.ts";
import { type ChainDocument, type ChainValue, readListed } from "./chain.ts";

/** How views name a layer. */
export type NamedLayer = Omit<ExplainedLayer, "id" | "secret" | "sets" | "overridden">;

export interface StackDocument {
  readonly facts: NamedLayer;
  /** False where it may set anything. */
  readonly isKnown: boolean;
  /** Its mapping; absent where it is empty, or where its values are not known. */
  readonly root?: Node;
  /** A text that is not a mapping: it replaces the text below it. */
  readonly whole?: string;
  /** True where no value of it may be shown. */
  readonly isSecret: boolean;
  /** Few places are used where an explanation is brief. */
  readonly at: () => Place | undefined;
  /** The place of a value in it. @param path the keys down to the value */
  readonly placeOf: (node: Node, path: readonly string[]) => Place | undefined;
  /** The place of its key, for documents that are texts. */
  readonly placeOfEntry?: (entry: Node) => Place | undefined;
  /** Places of values that a value overrides in files that the document was rendered from, highest first. */
  readonly renderedOver?: (node: Node) => readonly Place[];
  /** What a comment above a value says, for documents that document their values: a chart's defaults. */
  readonly commentAt?: (place: Place) => string | undefined;
  /** What replaced variables in a value. */
  readonly variablesOf?: (node: Node) => readonly Variable[];
  /** The object that has its values, where these are not known. */
  readonly held?: Item | undefined;
}

/** What is not here, or cannot be read: it may set anything. */
export function unseenDocument(facts: NamedLayer): StackDocument {
  return { facts, isKnown: false, isSecret: false, at: () => facts.at, placeOf: () => undefined };
}

/** Values that are known one by one. */
export function listedDocument(
  { at, isSecret, values }: Omit<ChainDocument, "isPatch">,
  facts: NamedLayer,
): StackDocument {
  const own = { ...facts, at: facts.at ?? at };
  return { facts: own, isKnown: true, isSecret, at: () => own.at, ...readListed(values, at) };
}

/** What a document of a build sets in an object. */
export function chainDocument(
  document: ChainDocument,
  slot: string,
  state: NamedLayer["state"],
): StackDocument {
  return listedDocument(document, { why: document.isPatch ? "patch" : "own", slot, state });
}

/** A document with other values than it has: some of them, or some at other paths. */
export function withValues(document: StackDocument, values: readonly ChainValue[]): StackDocument {
  const { root: _, placeOf: _p, placeOfEntry: _e, variablesOf: _v, ...rest } = document;
  if (values.length === 0) return { ...rest, placeOf: () => undefined };
  return { ...rest, ...readListed(values, document.at() ?? { of: "text" }) };
}

export interface ReadDocument {
  readonly document: StackDocument;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A text of values.
 * @param placeAt the place of an offset in it
 * @param rules where lists merge by rules, a directive in them is not plain data
 */
export function textDocument(
  bytes: Uint8Array,
  facts: NamedLayer,
  placeAt: (offset: number) => Place,
  rules?: Rules,
): ReadDocument {
  const at = facts.at ?? placeAt(0);
  if (isSopsFile(bytes))
    return { document: unseenDocument({ ...facts, at, state: "sealed" }), diagnostics: [] };
  const { root, text, faults, notes } = readValues(bytes);
  const isKnown = faults.length === 0;
  const carriedOut = root === undefined || rules === undefined ? undefined : directivesIn(root, rules);
  const odd = text.length === 0 ? [] : notes.filter(({ offset = -1 }) => carriedOut?.has(offset) !== true);
  const about =
    (severity: Diagnostic["severity"]) =>
    (fault: (typeof faults)[number]): Diagnostic => ({
      code: fault.code === "syntax" ? "layer-unreadable" : fault.code,
      severity,
      message: fault.message,
      hint:
        fault.hint ?? (fault.code === "syntax" ? "correct the file at this place" : valuesHint(fault.code)),
      at: positionOf(fault.offset === undefined ? at : placeAt(fault.offset)),
      ...(fault.also !== undefined && { also: [positionOf(placeAt(fault.also))] }),
    });
  const document: StackDocument = {
    facts: { ...facts, at, state: isKnown ? facts.state : "unreadable" },
    isKnown,
    isSecret: false,
    ...(isKnown && root && { root }),
    at: () => at,
    placeOf: (node) => placeAt(node.offset),
    placeOfEntry: (entry) => placeAt(Math.max(entry.entryStart, 0)),
  };
  return { document, diagnostics: [...faults.map(about("error")), ...odd.map(about("warning"))] };
}

/** A values file. @param endsLine whether its reader is Helm 4, as for `helm -f`: asked where that matters */
export function fileDocument(
  bytes: Uint8Array,
  facts: NamedLayer & { readonly name: string },
  { rules, endsLine }: { readonly rules?: Rules | undefined; readonly endsLine?: () => boolean } = {},
): ReadDocument {
  const placed = lineIndex(normalizeText(bytes));
  const { name: file } = facts;
  const at = { of: "file", file, line: 1, column: 1 } as const;
  const text = asHelmReads(bytes, endsLine);
  return textDocument(text, { ...facts, at }, (offset) => ({ of: "file", file, ...placed(offset) }), rules);
}

/** Helm 4 ends the last line of what it reads; Helm 3 and Flux do not. */
export function asHelmReads(bytes: Uint8Array, endsLine: () => boolean = () => true): Uint8Array {
  return hasOpenBlock(bytes) && endsLine() ? ended(bytes) : bytes;
}

/** True where the last line has no end, and is one of a value: `a: |` and `  x`. */
export function hasOpenBlock(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.at(-1) === newline || !blockHead.test(bufferOf(bytes).toString("latin1")))
    return false;
  const [own, other] = [bytes, ended(bytes)].map((each) =>
    JSON.stringify(readValues(each).root?.plain(null)),
  );
  return own !== other;
}

const newline = 0x0a;
const blockHead = /[|>][-+\d]*[ \t]*(?:#.*)?\r?$/m;

function ended(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, Buffer.of(newline)]);
}

/** A place as messages show it. */
export function positionOf({ file, line, column }: Place): Position {
  const place = line === undefined ? {} : { line, ...(column === undefined ? {} : { column }) };
  return { text: file ?? "input", ...(file === undefined ? {} : { isFile: true }), ...place };
}
