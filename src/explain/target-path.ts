// The one value that an entry of `valuesFrom` sets by its `targetPath`, as helm-controller does it: in Helm's `--set` grammar,
// over everything below it.
import {
  type Barrier,
  bytesToPrint,
  type Holdings,
  isText,
  readValues,
  type Reference,
  type Target,
} from "../layers/index.ts";
import { dataKeyFor } from "../core/index.ts";
import { type Node, withoutEnd } from "../yaml/index.ts";
import { mergeAll, writeValues } from "../merge/index.ts";
import { placeOf, refOf } from "../krm/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Place } from "../explanation.ts";
import type { StackDocument } from "./document.ts";
import { type Parameter, parameterDocument, parameterOf, plainValues } from "./parameters.ts";
import { assign, type Assignable, type Assignment, isAssignable, typedValue } from "./set-values.ts";

export interface PathDocument {
  readonly document: StackDocument;
  /** True for a value of a Secret. */
  readonly isSecret: boolean;
  /** What is set there. */
  readonly text: Uint8Array;
  /** True where Flux sets the value in the inline values, too: then these do not override it. */
  readonly changesInline: boolean;
  readonly faults: readonly Diagnostic[];
}

export interface PathOptions {
  readonly holdings: Holdings;
  /** The values below it, lowest first. */
  readonly below: readonly Node[];
  /** The inline values: Flux merges them before, and again at the end. */
  readonly inline: Node | undefined;
  /** Whether values of Secrets may be read. */
  readonly secrets: boolean;
  /** Where the value is. */
  readonly placeOf?: (text: Uint8Array) => Place | undefined;
}

/** Several values as one document, lowest first. */
export function mergedNode(roots: readonly (Node | undefined)[]): Node | undefined {
  return readValues(writeValues(mergeAll(roots.flatMap((each) => each ?? [])))).root;
}

/** Undefined where the value is not known, and for an entry that sets none. */
export function pathDocument(
  { why, item, reference }: Barrier,
  target: Target,
  { holdings, below, inline, secrets, placeOf: placed }: PathOptions,
): PathDocument | undefined {
  if (why !== "target-path" || item === undefined || reference === undefined) return undefined;
  const key = reference.key ?? dataKeyFor(target);
  const held = holdings.isSealed(item, key) ? undefined : holdings.textOf(item, key);
  const isTaken = holdings.isTaken(item, key);
  const bytes = isText(held) && (secrets || !isTaken) ? bytesToPrint(held, secrets) : undefined;
  if (bytes === undefined) return undefined;
  const text = Buffer.from(bytes).toString("utf8");
  const faults: Diagnostic[] = [];
  const parameter = parameterAt(reference, { text, at: placed?.(bytes) }, faults);
  const slot = `spec.${reference.slot}[${reference.index ?? 0}]`;
  const set = {
    slot,
    parameters: parameter === undefined ? [] : [parameter],
  };
  const all = inline === undefined ? below : [...below, inline];
  const document = parameterDocument(
    set,
    all.map((root) => ({ root, isSecret: false })),
    faults,
  );
  const changesInline =
    inline !== undefined && parameter !== undefined && isChanged(inline, below, parameter.assignments);
  const isSecret = item.kind === "Secret" || isTaken;
  const { node } = reference;
  const said = faults.map((each) => ({
    ...each,
    item: refOf(target),
    at: { ...placeOf(target), ...(node && { offset: node.offset }) },
    field: slot,
    message: `\`${slot}\`: ${each.message}`,
    // Whether a Secret's value has a comma is not said.
    ...(isLiteral(reference) || !(isSecret || /(?<!\\),/.test(text)) ? {} : { hint: commaHint }),
  }));
  return { document, isSecret, text: bytes, changesInline, faults: said };
}

const commaHint =
  "a comma in the value separates parameters, in quotes too: write it as `\\,`, or set `literal: true`";

function isLiteral({ node }: Reference): boolean {
  return node !== undefined && node.textAt("literal") === "true";
}

function parameterAt(
  reference: Reference,
  { text, at }: { readonly text: string; readonly at: Place | undefined },
  faults: Diagnostic[],
): Parameter | undefined {
  const name = reference.node?.textAt("targetPath") ?? "";
  return parameterOf({ name, at, ...writtenAs(text, isLiteral(reference)) }, faults);
}

/** Flux copies no mapping that only the inline values have, and no list of theirs: what is set in it is set in them. */
function isChanged(inline: Node, below: readonly Node[], assignments: readonly Assignment[]): boolean {
  const own = plainValues([inline]);
  const before = JSON.stringify(own, spelledBigInts);
  const values = shared(plainValues(below), own);
  for (const assignment of assignments) assign(values, assignment);
  return JSON.stringify(own, spelledBigInts) !== before;
}

function shared(below: Assignable, over: Assignable): Assignable {
  const merged = { ...below };
  for (const [key, each] of Object.entries(over)) {
    const known = merged[key];
    merged[key] = isAssignable(each) && isAssignable(known) ? shared(known, each) : each;
  }
  return merged;
}

function spelledBigInts(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Quotes around it make a text of it; a literal one is taken as it is. */
function writtenAs(text: string, isWhole: boolean): Pick<Parameters<typeof parameterOf>[0], "text" | "read"> {
  const asText = (each: string): string => each;
  if (isWhole) return { text: text.replaceAll(/[\\,[\]{}]/g, "\\$&"), read: asText };
  const isQuoted = /^'.*'$|^".*"$/s.test(text);
  return isQuoted
    ? { text: withoutEnd(text, `'"`).replace(/^['"]+/, ""), read: asText }
    : { text, read: typedValue };
}
