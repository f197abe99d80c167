// The one value that an entry of `valuesFrom` sets by its `targetPath`, as helm-controller does it: in Helm's `--set` grammar,
// over everything below it.
import { type Node, type Reference, textAt } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { StackDocument } from "./document.ts";
import { parameterDocument, parameterOf } from "./parameters.ts";
import { typedValue } from "./set-values.ts";

export interface PathDocument {
  readonly document: StackDocument;
  readonly faults: readonly Diagnostic[];
}

/** @param text the value @param below what it is set over */
export function pathDocument(reference: Reference, text: string, below: readonly Node[]): PathDocument {
  const { node, index = 0, slot: list } = reference;
  const [path = "", literal] = ["targetPath", "literal"].map((field) => node && textAt(node, field));
  const faults: Diagnostic[] = [];
  const parameter = parameterOf(
    { name: path, at: undefined, ...writtenAs(text, literal === "true") },
    faults,
  );
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
