// The door of krm: resource lists in and out, items, edits.
export { annotate, metadataOf, setAnnotations, unannotate } from "./annotate.ts";
export { Mark, offMarks, ownPrefix } from "./annotation-names.ts";
export { isFromKpt, withoutComments, withoutFeet } from "./comments.ts";
export { decodeResourceList, decodeStream } from "./decode.ts";
export {
  type NewFields,
  type NewScalar,
  addEntry,
  addLines,
  addScalarsTo,
  flowText,
  removeEntries,
  replaceScalar,
  replaceText,
  replaceValue,
  setFields,
} from "./edit.ts";
export { assertReadable } from "./edited-items.ts";
export { encode } from "./encode.ts";
export type { Embedding, Envelope, Form, WireFault } from "./envelope.ts";
export { type Item, type Named, isNode, refOf } from "./item.ts";
export { replaceKeyText, scalarOf, setKeyTexts } from "./key-text.ts";
export { type ListItem, elementText, nestedFields, replaceElements, setList } from "./list-edit.ts";
export { atItem, placeOf } from "./place.ts";
export { placeIn, removeItems } from "./remove.ts";
export { type NewItem, renderItem } from "./render.ts";
export {
  type LineSegment,
  type OverriddenLine,
  type RenderedRecord,
  originAt,
  readRendered,
  withSeal,
  writeRendered,
} from "./rendered-record.ts";
export { type Span, spanOf, splitStream } from "./scan.ts";
export type { TextEdit } from "./splice.ts";
