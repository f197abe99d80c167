// What other wings take of `layer/`.
export {
  bytesToPrint,
  guard,
  Guarded,
  type GuardedText,
  requestToSeal,
  type Sink,
  withText,
} from "./guarded.ts";
export { isLayerItem, isText, maxDataBytes } from "./held.ts";
export { decodeBase64, Holdings } from "./holdings.ts";
export type { LayerReader } from "./layers.ts";
export { annotationsOf, labelOf, labelsOf } from "./metadata.ts";
export { positionOf } from "./origin.ts";
export { isSopsFile, type SopsFault } from "./sealed.ts";
export { readSound, readValues, type Values } from "./values.ts";
