// Values that do not fit the rules of the setting `merge`, as diagnostics: each names the rule, the layer, the place and
// the cure. It names the rule's own path and never a value, because the list may be a Secret's.
import type { Diagnostic, Position } from "../../diagnostic.ts";
import {
  type Remark,
  isVariable,
  misfitsIn,
  ruledPlaces,
  type Rules,
  headOfTree,
  isMappingTree,
  type Tree,
} from "../../merge/index.ts";
import type { Node } from "../../yaml/index.ts";

/** What a diagnostic says of a node: the object that holds it, and its place. */
export type AboutNode = Pick<Diagnostic, "item"> & { readonly at: Position };

/** A document that merges by rules. */
interface RuledDocument {
  readonly about: (node: Node) => AboutNode;
  /** True where the target holds the result of the last fold: the next one would add elements again. */
  readonly addsTwice: boolean;
}

/** Elements of a document that cannot be merged by the rules. */
export function misfits(root: Node, rules: Rules, { about, addsTwice }: RuledDocument): Diagnostic[] {
  return ruledPlaces(root, rules).flatMap(({ entry, rules: own }) => [
    ...misfitsIn({ entry, rules: own }).map(({ node, what }): Diagnostic => ({
      ...about(node),
      code: "rule-mismatch",
      severity: "error",
      message: `${ruleOf(own)}, and ${what}`,
      hint: "correct the element, or give this list no rule",
    })),
    ...(addsTwice ? twiceInPlace(entry, own, about(entry)) : []),
  ]);
}

function twiceInPlace(entry: Node, rules: Rules, about: AboutNode): Diagnostic[] {
  const adds = rules.list === "append" || rules.list === "prepend";
  if (!adds || !entry.value.isSequence) return [];
  return [
    {
      ...about,
      code: "rule-mismatch",
      severity: "error",
      message: `${ruleOf(rules)}, and the target is edited in place`,
      reason: "folded once more, it would have the elements twice",
      hint: "merge by `key` or as a `set`, which add nothing twice",
    },
  ];
}

/** Diagnostics for a remark of the merge. @param aboutIn undefined for a node of another document than those that merge */
export function remarkFaults(
  { node, rules, met }: Remark,
  aboutIn: (node: Node) => AboutNode | undefined,
): Diagnostic[] {
  const about = aboutIn(node);
  if (about === undefined) return [];
  if (met === undefined)
    return [
      {
        ...about,
        code: "rule-unmet",
        severity: "warning",
        message: `${ruleOf(rules)}, and the \`$patch\` of this element finds nothing below it`,
        hint: "correct what identifies the element, or remove it",
      },
    ];
  const lower = aboutIn(headOfTree(met));
  return [{ ...about, also: lower === undefined ? [] : [lower.at], ...unlike(node, met, rules) }];
}

/** A list that meets another kind of value. */
function unlike(
  node: Node,
  met: Tree,
  rules: Rules,
): Pick<Diagnostic, "code" | "severity" | "message" | "reason" | "hint"> {
  const isFilled = isVariable(node.value) || (met.type === "leaf" && isVariable(met.node.value));
  return isFilled
    ? {
        code: "rule-mismatch",
        severity: "error",
        message: `${ruleOf(rules)}, and a plain \`\${…}\` ${node.value.isMapping || isMappingTree(met) ? "meets a mapping in an element, and may be one itself" : "is in its place, which Flux may turn into a list"}`,
        hint: "quote it if it is a string, or write its value",
      }
    : {
        code: "rule-unmet",
        severity: "warning",
        message: `${ruleOf(rules)}, and only one of two layers has a list there`,
        reason: "the upper value replaces the lower one",
        hint: "write a list in both",
      };
}

/** The rule for a list, in words. */
function ruleOf({ listRule }: Rules): string {
  if (listRule === undefined) return "a list has a rule";
  const { key = listRule.list ?? "replace" } = listRule;
  return `\`${listRule.path}\` merges by ${[key]
    .flat()
    .map((each) => `\`${each}\``)
    .join(" and ")}`;
}
