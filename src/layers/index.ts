// The door of layers: what items hold in a run, guarded; layers, stacks and folds as types.
export { endsInContentHash } from "./content-hash.ts";
export {
  Guarded,
  type GuardedText,
  type Sink,
  bytesToMerge,
  bytesToPrint,
  guard,
  requestToOpen,
  requestToSeal,
  withText,
} from "./guarded.ts";
export { type HeldTexts, isLayerItem, isLayerKind, isText, maxDataBytes } from "./held.ts";
export { Holdings, type OpenedKey, decodeBase64 } from "./holdings.ts";
export { type KeyText, writeKeys } from "./key-texts.ts";
export type { JudgedDocument, JudgedStack, JudgedTarget, LayerOwner, UnknownValues } from "./judged.ts";
export { type Filling, LayerReader } from "./layers.ts";
export { annotationsOf, binaryBytesOf, binaryKeysOf, hasSeal, labelOf, labelsOf } from "./metadata.ts";
export { missingData } from "./missing-data.ts";
export type {
  Barrier,
  Component,
  Fold,
  Format,
  Layer,
  LayerItem,
  LayerKind,
  OwnReferences,
  Reason,
  RecordedLayer,
  Reference,
  Restoration,
  Run,
  RunEnd,
  Stack,
  StackEntry,
  StackRules,
  Target,
} from "./model.ts";
export { positionOf, positionOfLayer } from "./origin.ts";
export { type SopsFault, isSopsFile } from "./sealed.ts";
export { exemptionOf, firstWave, isOff, marksInEffect, needsFold } from "./treatment.ts";
export { type Values, readSound, readValues } from "./values.ts";
