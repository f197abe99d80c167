// What other wings take of `yaml/`.
export { farAliases } from "./aliases.ts";
export { checkDocument } from "./check.ts";
export { maxDepth, type ReadFault } from "./fault.ts";
export { textOfKey } from "./key.ts";
export { extentOf, textOf } from "./layout.ts";
export { shiftLead, shiftLines, shiftRest } from "./lines.ts";
export { bracketed, toPlain } from "./plain.ts";
export { doubleQuote, isLiteralSafe, quote, quoteReadably } from "./quote.ts";
export { isFault, readDocument } from "./read.ts";
export type { Resolved } from "./resolve-plain.ts";
export { isNull, resolveScalar, resolveValue, tagOf } from "./resolve.ts";
export { firstTextInLiteral, keyText, placesInLiteral, scalarBytes, scalarText } from "./scalar.ts";
export { standalone } from "./standalone.ts";
export {
  childrenOf,
  type Document,
  Field,
  field,
  fieldCount,
  firstChildOf,
  Flag,
  isFlow,
  isMapping,
  isScalar,
  isSequence,
  Kind,
  kindOf,
  lineAndColumn,
  lineIndex,
  type Node,
  parentOf,
  startOf,
  valueOf,
} from "./tape.ts";
export { findForeignEncoding, normalizeText } from "./text.ts";
export { entriesOf, entryNodes, entryUnder, isEntangled } from "./view.ts";
