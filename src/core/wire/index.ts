// What other wings take of `wire/`.
export { annotate, metadataOf, setAnnotations } from "./annotate.ts";
export { Mark } from "./annotation-names.ts";
export { isFromKpt, withoutComments } from "./comments.ts";
export { decodeResourceList, decodeStream } from "./decode.ts";
export { addLines, replaceScalar, replaceText, replaceValue, type Scalar } from "./edit.ts";
export { encode } from "./encode.ts";
export type { Edit, Embedding, Envelope, WireFault } from "./envelope.ts";
export { describe, isNode, type Item, type Named, refOf } from "./item.ts";
export { replaceKeyText, scalarOf } from "./key-text.ts";
export { atItem, placeOf } from "./place.ts";
export { elementText, replaceElements } from "./list-edit.ts";
export { placeIn, removeItems } from "./remove.ts";
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
