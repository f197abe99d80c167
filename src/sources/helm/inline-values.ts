// Values that an object has in itself → documents: a mapping, or a text of YAML.
import { lineIndex } from "../../yaml/index.ts";
import {
  asHelmReads,
  type Chain,
  chainDocument,
  type NamedLayer,
  listedDocument,
  type ReadDocument,
  type StackDocument,
  textDocument,
} from "../../explain/index.ts";
import type { Place } from "../../explanation.ts";
import { holdsSecret, isHidden, membersIn, opened, type Placed, textIn, valuesIn } from "../placed.ts";

/** A mapping. Where a build made it of several documents, each of them. @param chain those documents */
export function mappingDocuments(
  field: Placed,
  slot: string,
  chain: Chain | undefined,
): readonly StackDocument[] {
  if (chain !== undefined) return chain.documents.map((each) => chainDocument(each, slot, "folded"));
  const values = membersIn(field).size === 0 ? [] : valuesIn(field);
  const own = {
    at: field.at ?? { of: "text" as const },
    isSecret: holdsSecret(field),
    values,
  };
  return [listedDocument(own, { why: "own", slot, state: "folded" })];
}

/** A text that is YAML. @param endsLine whether its reader is Helm 4: asked where that matters */
export function yamlDocument(
  field: Placed,
  slot: string,
  endsLine: () => boolean = () => false,
): ReadDocument {
  const bytes = asHelmReads(Buffer.from(textIn(opened(field)) ?? "", "utf8"), endsLine);
  const { source, at = { of: "text" }, variablesAt } = opened(field);
  const placeAt = (offset: number): Place => source?.placeAt(offset) ?? { ...at };
  const facts: NamedLayer = { why: "own", slot, state: "folded", at };
  const { document: read, diagnostics } = textDocument(bytes, facts, placeAt);
  const document = { ...read, isSecret: isHidden(field) };
  const ofText = source?.variablesAt;
  if (ofText) return { document: { ...document, variablesOf: (node) => ofText(node.offset) }, diagnostics };
  if (variablesAt === undefined) return { document, diagnostics };
  const lineOf = lineIndex(bytes);
  return {
    document: { ...document, variablesOf: (node) => variablesAt(lineOf(node.offset).line) },
    diagnostics,
  };
}
