// What other wings take of `select/`.
export { allNamesOf, hashSuffix, hasName, NameIndex } from "./names.ts";
export { NearMisses, notInList } from "./near-misses.ts";
export { isRecordedAs } from "./order.ts";
export { selectTargets, type TargetSelection } from "./targets.ts";
export { isNamedAs, wantedTarget } from "./wanted-target.ts";
