// The merge of values: merge(base, override), the rule shared by app-operator (mergo), `helm -f a -f b`
// and Flux valuesFrom. This header is its specification; test/core/merge holds the same triples.
//
//   base               override             result
//   mapping            mapping              keys united, the same rule per key; base order, new keys after
//   mapping            {}                   base unchanged
//   anything           null                 null, kept: Helm drops a chart default by it
//   anything           scalar or sequence   override, whole: also false, 0, "", []
//   scalar, sequence,  mapping              override
//     or null
//   any document       empty document       base unchanged (the caller leaves empty documents out)
//
// Folding is from the left only: where an atom is overridden by a mapping, merging is not associative
// (see stack/splits.ts). Nothing is copied: a subtree that one layer touches stays a leaf of that layer, so it
// keeps its bytes and its origin; a Branch exists only where two layers meet. Documents are never changed.
//
// Under a rule (setting `merge`), lists.ts merges lists; a mapping may replace another one, and a null may remove the
// value below it.
import type { Node } from "../yaml/index.ts";
import { branchOf } from "./branch.ts";
import { isNullNode, isNullTree, isNullValue, isUnderListRule, isVariable } from "./kinds.ts";
import { type Merging, mergeLists } from "./lists.ts";
import type { Rules } from "./rules.ts";
import { isMappingTree, itemsOf, leafOf, type Members, membersOf, type Tree } from "./tree.ts";

/** What a merge found. */
export interface MergeFindings {
  /** True if somewhere a mapping overrode an atom: then merging is not associative. */
  overridesAtom: boolean;
  /** Values that do not fit a rule, if the caller wants them. */
  readonly remarks?: Remark[];
  /** The rule for the list that the merged element is in. */
  readonly inElementOf?: Rules;
}

/** A directive that found nothing to act on, or a list that met another kind of value. */
export interface Remark {
  readonly node: Node;
  readonly rules: Rules;
  /** What the list met; absent for a directive. */
  readonly met?: Tree;
}

/** Merges a document over merged values. Consumes the base: a Branch in it may be extended. Never throws. */
export function merge(
  base: Tree,
  override: Node,
  findings: MergeFindings = { overridesAtom: false },
  rules?: Rules,
): Tree {
  return mergeAt(base, override, findings, rules, true);
}

function mergeAt(
  base: Tree,
  override: Node,
  findings: MergeFindings,
  rules: Rules | undefined,
  isRoot: boolean,
): Tree {
  const { home } = base;
  const value = override.value;
  const isOver = value.isMapping;
  const members = isOver ? membersOf(base) : undefined;
  if (rules !== undefined) {
    if (isUnderListRule(base, value, rules))
      return mergeLists(base, override, rules, mergingIn(findings, rules));
    if (isUnlike(base, value, rules)) findings.remarks?.push({ node: override, rules, met: base });
    if (rules.dropsNulls && isNullTree(base)) return { type: "leaf", home, node: override };
  }
  if (isOver && members === undefined) findings.overridesAtom = true;
  if (members === undefined || rules?.replacesMappings === true) {
    if (findings.inElementOf !== undefined) remarkVariable(base, override, findings);
    return { type: "leaf", home, node: override };
  }
  const entries = value.members();
  if (entries.length === 0) return base;
  if (members.size === 0) return { type: "leaf", home, node: override };
  if (rules === undefined) mergeMembers(members, entries, findings);
  else mergeByRules(members, entries, findings, rules);
  return base.type === "leaf" ? branchOf(base.node, override, members, { home, isRoot }) : base;
}

function mergeMembers(members: Members, entries: readonly Node[], findings: MergeFindings): void {
  let next = 0;
  for (const entry of entries) {
    const index = members.indexOf(entry, next);
    if (index < 0) members.add(leafOf(entry));
    else members.replace(index, mergeAt(members.at(index), entry, findings, undefined, false));
    if (index >= 0) next = index + 1;
  }
}

function mergeByRules(
  members: Members,
  entries: readonly Node[],
  findings: MergeFindings,
  rules: Rules,
): void {
  const dropped = new Set<number>();
  for (const entry of entries) {
    const index = members.indexOf(entry);
    const inner = rules.at(entry);
    if (inner?.dropsNulls === true && isNullNode(entry)) dropped.add(index);
    else if (index < 0) members.add(leafOf(entry));
    else members.replace(index, mergeAt(members.at(index), entry, findings, inner, false));
  }
  if (dropped.size > 0) members.drop(dropped);
}

/** In an element a merge cannot be split: records variables that may become a second mapping. */
function remarkVariable(base: Tree, override: Node, { inElementOf: rules, remarks }: MergeFindings): void {
  if (rules !== undefined && mayMeetMapping(base, override.value))
    remarks?.push({ node: override, rules, met: base });
}

/** A plain `${…}` on one side, and a mapping on the other: after substitution both may be mappings. */
function mayMeetMapping(base: Tree, override: Node): boolean {
  if (override.isMapping) return base.type === "leaf" && isVariable(base.node.value);
  return isVariable(override) && isMappingTree(base);
}

/** Values below a list never show through it, so an atom overridden in its elements does not matter. */
function mergingIn({ remarks }: MergeFindings, rules: Rules): Merging {
  return {
    element: (base, override, inner) =>
      mergeAt(
        base,
        override,
        { overridesAtom: false, ...(remarks && { remarks }), inElementOf: rules },
        inner,
        false,
      ),
    onUnmet: (node) => remarks?.push({ node, rules }),
  };
}

/** True where a list meets another kind of value, under a rule for lists. Null fits both. */
function isUnlike(base: Tree, override: Node, { list }: Rules): boolean {
  if (list === undefined || isNullTree(base) || isNullValue(override)) return false;
  return override.isSequence !== (itemsOf(base) !== undefined);
}
