// What other wings take of `yaml/`.
export { farAliases } from "./aliases.ts";
export { checkDocument } from "./check.ts";
export { maxDepth, type ReadFault } from "./fault.ts";
export { extentOf, textOf } from "./layout.ts";
export { shiftLead, shiftLines, shiftRest } from "./lines.ts";
export { bracketed } from "./bracketed.ts";
export { doubleQuote, isLiteralSafe, quote, quoteReadably } from "./quote.ts";
export { isFault, readDocument } from "./read.ts";
export type { Resolved } from "./resolve-plain.ts";
export { resolveValue } from "./resolve.ts";
export { firstTextInLiteral, placesInLiteral, scalarBytes } from "./scalar.ts";
export { standalone } from "./standalone.ts";
export { Node } from "./node.ts";
export { type Document, Field, fieldCount, Flag, Kind, lineAndColumn, lineIndex } from "./tape.ts";
export { findForeignEncoding, normalizeText } from "./text.ts";
