// What other wings take of `wire/`.
export { annotate, metadataOf } from "./annotate.ts";
export { Mark } from "./annotation-names.ts";
export { newPart, partsOf, rewritten } from "./bracket-parts.ts";
export { isFromKpt, withoutComments } from "./comments.ts";
export { decodeResourceList, decodeStream } from "./decode.ts";
export {
  addEntry,
  addScalarsTo,
  addText,
  removeEntries,
  replaceScalar,
  replaceText,
  setScalars,
} from "./edit.ts";
export { encode } from "./encode.ts";
export type { Edit, Embedding, Envelope, WireFault } from "./envelope.ts";
export { childOf, describe, isNode, type Item, listAt, type Named, refOf, textAt } from "./item.ts";
export { replaceKeyText } from "./key-text.ts";
export { atItem, placeOf } from "./place.ts";
export { removeItems } from "./remove.ts";
export { type NewItem, renderItem } from "./render.ts";
export {
  type LineSegment,
  type OverriddenLine,
  originAt,
  readRendered,
  type RenderedRecord,
  withSeal,
  writeRendered,
} from "./rendered-record.ts";
