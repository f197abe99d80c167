// The door of yaml: documents as bytes and nodes.
export { farAliases } from "./aliases.ts";
export { bracketed } from "./bracketed.ts";
export { checkDocument } from "./check.ts";
export { type ReadFault, maxDepth } from "./fault.ts";
export { hasKey, haveSameKey, isAscii, isKey, keyIncludes, markWordKeys } from "./key.ts";
export {
  afterContent,
  extentOf,
  footOf,
  headOf,
  lineEnd,
  previousOf,
  textOf,
  tidyEnd,
  withoutMarkers,
} from "./layout.ts";
export {
  type BracketSpans,
  type TextSpan,
  pad,
  shiftFlow,
  shiftLead,
  shiftLines,
  shiftRest,
  withoutBlankEnd,
  withoutEnd,
  withoutBlanks,
} from "./lines.ts";
export { Node } from "./node.ts";
export { doubleQuote, isLiteralSafe, quote, quoteReadably } from "./quote.ts";
export { cureOfScalar } from "./mistakes.ts";
export { bufferOf, isFault, readDocument } from "./read.ts";
export { type Resolved, resolvePlain } from "./resolve-plain.ts";
export { resolveValue } from "./resolve.ts";
export {
  contentIndent,
  firstTextInLiteral,
  lastBlockScalar,
  placesInLiteral,
  scalarBytes,
} from "./scalar.ts";
export { standalone } from "./standalone.ts";
export { splitProperties, tagIn } from "./tags.ts";
export {
  type Document,
  Field,
  Flag,
  Kind,
  type Region,
  fieldCount,
  lineAndColumn,
  lineIndex,
} from "./tape.ts";
export {
  findBadCharacter,
  findForeignBreak,
  findForeignEncoding,
  findForeignGap,
  normalizeText,
  notUtf8,
} from "./text.ts";
