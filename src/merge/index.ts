// The door of merge: the rule, paths, and the text of what is merged.
export { stepOfList, withMembers } from "./branch.ts";
export { identityOf, keysIn } from "./identity.ts";
export { readJson, writeJson } from "./json.ts";
export { isNullNode, isRuled, isUnderListRule, isVariable } from "./kinds.ts";
export { deletedValue, hasMarkers, patchOf, writtenIn } from "./markers.ts";
export { meet, pathTo } from "./meet.ts";
export { mergeAll, mergeTrees } from "./merge-all.ts";
export { type MergeFindings, type Remark, merge } from "./merge.ts";
export { type Step, compare, isAnyKeys, isKey, keyOfLabel, parsePath, pathText } from "./path.ts";
export { scalarSource } from "./pieces.ts";
export {
  type RuledPlace,
  directivesIn,
  holdsDirectives,
  isDirective,
  misfitsIn,
  ruledPlaces,
} from "./ruled.ts";
export { type MergeRule, Rules, ruleText } from "./rules.ts";
export { settled } from "./settle.ts";
export { Elements, type Tree, headOfTree, isMappingTree, itemsOf, leafOf, membersOf } from "./tree.ts";
export { isUnchanged } from "./unchanged.ts";
export { writeValues } from "./write.ts";
