// What other wings take of `merge/`.
export { stepOfList, withMembers } from "./branch.ts";
export { identityOf, keysIn } from "./identity.ts";
export { isNullNode, isVariable } from "./kinds.ts";
export { deletedValue, hasMarkers, patchOf, writtenIn } from "./markers.ts";
export { mergeAll, mergeTrees } from "./merge-all.ts";
export { meet } from "./meet.ts";
export { merge } from "./merge.ts";
export { compare, keyOfLabel, parsePath, pathText, type Step } from "./path.ts";
export { scalarSource } from "./pieces.ts";
export { misfitsIn, ruledPlaces } from "./ruled.ts";
export { type MergeRule, Rules, ruleText } from "./rules.ts";
export { Elements, headOfTree, isMappingTree, itemsOf, leafOf, membersOf, type Tree } from "./tree.ts";
export { writeValues } from "./write.ts";
