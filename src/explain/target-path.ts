// The one value that an entry of `valuesFrom` sets by its `targetPath`, as helm-controller does it: in Helm's `--set` grammar,
// over everything below it.
import {
  type Barrier,
  bytesToPrint,
  dataKeyFor,
  type Holdings,
  isText,
  type Node,
  placeOf,
  type Reference,
  refOf,
  type Target,
  textAt,
} from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Place } from "../explanation.ts";
import type { StackDocument } from "./document.ts";
import { parameterDocument, parameterOf } from "./parameters.ts";
import { typedValue } from "./set-values.ts";

export interface PathDocument {
  readonly document: StackDocument;
  /** True for a value of a Secret. */
  readonly isSecret: boolean;
  /** True where the document has the whole list that the path leads into. */
  readonly isInList: boolean;
  readonly faults: readonly Diagnostic[];
}

export interface PathOptions {
  readonly holdings: Holdings;
  /** What it is set over, lowest first. */
  readonly below: readonly Node[];
  /** Whether values of Secrets may be read. */
  readonly secrets: boolean;
  /** Where the value is. */
  readonly placeOf?: (text: Uint8Array) => Place | undefined;
}

/** Undefined where the value is not known, and for an entry that sets none. */
export function pathDocument(
  { why, item, reference }: Barrier,
  target: Target,
  { holdings, below, secrets, placeOf: placed }: PathOptions,
): PathDocument | undefined {
  if (why !== "target-path" || item === undefined || reference === undefined) return undefined;
  const key = reference.key ?? dataKeyFor(target);
  const held = holdings.isSealed(item, key) ? undefined : holdings.textOf(item, key);
  const bytes = isText(held) ? bytesToPrint(held, secrets) : undefined;
  if (bytes === undefined) return undefined;
  const text = Buffer.from(bytes).toString("utf8");
  const { document, faults } = documentAt(reference, { text, at: placed?.(bytes) }, below);
  const isSecret = item.kind === "Secret";
  const said = faults.map((each) => ({ ...each, item: refOf(target), at: placeOf(target) }));
  const isInList =
    reference.node !== undefined && textAt(reference.node, "targetPath")?.includes("[") === true;
  return { document, isSecret, isInList, faults: said };
}

function documentAt(
  reference: Reference,
  { text, at }: { readonly text: string; readonly at: Place | undefined },
  below: readonly Node[],
): Pick<PathDocument, "document" | "faults"> {
  const { node, index = 0, slot: list } = reference;
  const [path = "", literal] = ["targetPath", "literal"].map((field) => node && textAt(node, field));
  const faults: Diagnostic[] = [];
  const parameter = parameterOf({ name: path, at, ...writtenAs(text, literal === "true") }, faults);
  const set = {
    slot: `spec.${list}[${index}]`,
    parameters: parameter === undefined ? [] : [parameter],
  };
  return { document: parameterDocument(set, below, faults), faults };
}

/** Quotes around it make a text of it; a literal one is taken as it is. */
function writtenAs(
  text: string,
  isLiteral: boolean,
): Pick<Parameters<typeof parameterOf>[0], "text" | "read"> {
  const asText = (each: string): string => each;
  if (isLiteral) return { text: text.replaceAll(/[\\,[\]{}]/g, "\\$&"), read: asText };
  const isQuoted = /^'.*'$|^".*"$/s.test(text);
  return isQuoted
    ? { text: text.replaceAll(/^['"]+|['"]+$/g, ""), read: asText }
    : { text, read: typedValue };
}
