// Values that do not fit the rules of the setting `merge`, as diagnostics: each names the rule, the layer, the place and
// the cure. It names the rule's own path and never a value, because the list may be a Secret's.
import type { Diagnostic } from "../../diagnostic.ts";
import { type LayerReader, positionOf, type Layer, type Stack } from "../../layers/index.ts";
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
import { refOf } from "../../krm/index.ts";
import type { Document, Node } from "../../yaml/index.ts";

/** A layer of a stack, and its document. */
export interface LayerOfStack {
  readonly stack: Stack;
  readonly layer: Layer;
  readonly reader: LayerReader;
}

/** Elements of a layer that cannot be merged by the rules. */
export function misfits(root: Node, rules: Rules, ruled: LayerOfStack): Diagnostic[] {
  return ruledPlaces(root, rules).flatMap((place) => [
    ...misfitsIn(place).map(({ node, what }): Diagnostic => ({
      ...about(node, ruled),
      code: "rule-mismatch",
      severity: "error",
      message: `${ruleOf(place.rules)}, and ${what}`,
      hint: "correct the element, or give this list no rule",
    })),
    ...twiceInPlace(place.entry, place.rules, ruled),
  ]);
}

/** The target holds the result of the last fold: the next fold would add the elements again. */
function twiceInPlace(entry: Node, rules: Rules, ruled: LayerOfStack): Diagnostic[] {
  const { stack, layer } = ruled;
  const adds = rules.list === "append" || rules.list === "prepend";
  if (!adds || stack.into === undefined || layer.item === stack.target || !entry.value.isSequence) return [];
  return [
    {
      ...about(entry, ruled),
      code: "rule-mismatch",
      severity: "error",
      message: `${ruleOf(rules)}, and the target is edited in place`,
      reason: "folded once more, it would have the elements twice",
      hint: "merge by `key` or as a `set`, which add nothing twice",
    },
  ];
}

/** Diagnostics for a remark of the merge. */
export function remarkFaults(
  remark: Remark,
  stack: Stack,
  byDocument: ReadonlyMap<Document, Layer>,
  reader: LayerReader,
): Diagnostic[] {
  const { node, rules, met } = remark;
  const layer = byDocument.get(node.doc);
  // In a target that is edited in place, an earlier fold has already carried out the directive.
  if (layer === undefined || (met === undefined && stack.into !== undefined)) return [];
  const place = about(node, { stack, layer, reader });
  if (met === undefined)
    return [
      {
        ...place,
        code: "rule-unmet",
        severity: "warning",
        message: `${ruleOf(rules)}, and the \`$patch\` of this element finds nothing below it`,
        hint: "correct what identifies the element, or remove it",
      },
    ];
  const lower = byDocument.get(headOfTree(met).doc);
  const also = lower === undefined ? [] : [about(headOfTree(met), { stack, layer: lower, reader }).at];
  return [{ ...place, also, ...unlike(node, met, rules) }];
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
        hint: "quote it if it is text, or write its value out",
      }
    : {
        code: "rule-unmet",
        severity: "warning",
        message: `${ruleOf(rules)}, and only one of two layers has a list there`,
        reason: "the upper value replaces the lower one",
        hint: "write a list in both",
      };
}

function about(
  node: Node,
  { stack, layer, reader }: LayerOfStack,
): Pick<Diagnostic, "item"> & { readonly at: NonNullable<Diagnostic["at"]> } {
  const offset = Math.max(node.entryStart, 0);
  return { item: refOf(layer.item), at: positionOf(layer, stack.target, reader, offset) };
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
