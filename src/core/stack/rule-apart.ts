// Values that a rule would merge (setting `merge`), and that reach their consumer in two pieces: then the upper one
// silently replaces the lower one. Looks at all layers of a target, folded or not.
import type { Context } from "../context.ts";
import type { Diagnostic, Position } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import { positionOf, type Layer, type Run, type Stack } from "../../layers/index.ts";
import {
  isNullNode,
  isVariable,
  writtenIn,
  isDirective,
  type RuledPlace,
  ruledPlaces,
  type MergeRule,
  ruleText,
} from "../../merge/index.ts";
import { refOf, placeOf } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";
import { entryAt } from "./settings-at.ts";
import { readStack } from "./stack-entries.ts";

/** A document that reaches the consumer, and the number of its piece: layers that fold into one share a number. */
interface DeliveredDocument {
  readonly root: Node;
  /** Absent for the target's own values. */
  readonly layer?: Layer;
  readonly stack: Stack;
  readonly piece: number;
  /** True if directives in it are carried out. */
  readonly folds: boolean;
}

/** The value at a path so far. */
interface ValueAtPath {
  readonly part: DeliveredDocument;
  readonly entry: Node;
  /** The index of its part. */
  readonly index: number;
}

/**
 * Faults of all stacks of a target.
 * @param inline values of the target itself, over all layers
 */
export function rulesApart(
  stacks: readonly Stack[],
  runs: readonly Run[],
  inline: Node | undefined,
  context: Context,
): Diagnostic[] {
  const rules = stacks[0]?.rules?.at;
  if (rules === undefined) return [];
  if (inline === undefined && isOnePiece(stacks, runs)) return [];
  const parts = partsOf(stacks, runs, inline, context);
  const values = new ValuesByPath(parts);
  return parts.flatMap((part, index) => {
    // A fault at a path covers all paths below it.
    const reported: string[] = [];
    return ruledPlaces(part.root, rules)
      .filter(({ inElement }) => !inElement)
      .flatMap((place) => {
        const path = place.path();
        const key = JSON.stringify(path);
        const isReported = reported.some((above) => key.startsWith(`${above.slice(0, -1)},`));
        const lower = values.below(place, { part, path, key, index });
        const fault = isReported ? undefined : faultAt(place, part, lower, context);
        if (fault !== undefined) reported.push(key);
        values.hold(place, { part, path, key, index });
        return fault ?? [];
      });
  });
}

interface ValueLocation {
  readonly part: DeliveredDocument;
  readonly path: readonly string[];
  readonly key: string;
  readonly index: number;
}

/** The values at each path: one for each piece, lowest first. */
class ValuesByPath {
  private readonly byPath = new Map<string, ValueAtPath[]>();
  private readonly parts: readonly DeliveredDocument[];

  constructor(parts: readonly DeliveredDocument[]) {
    this.parts = parts;
  }

  /** The value in another piece that the rule would act on, if there is one. */
  below({ entry, rules }: RuledPlace, { part, path, key, index }: ValueLocation): ValueAtPath | undefined {
    const all = this.byPath.get(key) ?? [];
    // A dropped null removes values of its own piece only, and hides none of the others.
    const isDropped = rules.dropsNulls && isNullNode(entry);
    const lower = isDropped ? all.findLast((each) => each.part.piece !== part.piece) : all.at(-1);
    return lower === undefined || isHidden(path, this.parts.slice(lower.index + 1, index + 1))
      ? undefined
      : lower;
  }

  hold(place: RuledPlace, { part, path, key, index }: ValueLocation): void {
    const all = this.byPath.get(key) ?? [];
    const last = all.at(-1);
    const isCut = last !== undefined && isHidden(path, this.parts.slice(last.index + 1, index + 1));
    const others = isCut ? [] : all.filter((each) => each.part.piece !== part.piece);
    if (isNullNode(place.entry)) this.byPath.set(key, place.rules.dropsNulls ? others : []);
    else if (last === undefined || isCut || !addsNothing(place))
      this.byPath.set(key, [...others, { part, entry: place.entry, index }]);
  }
}

/** True if all layers fold into one: then the rules have merged everything. */
function isOnePiece(stacks: readonly Stack[], [run, second]: readonly Run[]): boolean {
  if (run === undefined || second !== undefined) return false;
  const folded = new Set(run.layers);
  return stacks.every(
    ({ below, entries }) =>
      (below === "unknown" || below.length === 0) &&
      entries.every((entry) => "barrier" in entry || folded.has(entry.layer)),
  );
}

/** An empty list does not change the list below: that one stays the lower value for layers further up. */
function addsNothing({ entry, rules }: RuledPlace): boolean {
  const value = entry.value;
  return rules.list !== undefined && value.isSequence && value.children().length === 0;
}

/** True if one of the parts has a value other than a mapping above the path: it hides the values below. */
function isHidden(path: readonly string[], parts: readonly DeliveredDocument[]): boolean {
  return parts.some(({ root }) => entryAt(root, path) === "other");
}

function partsOf(
  stacks: readonly Stack[],
  runs: readonly Run[],
  inline: Node | undefined,
  { layers }: Context,
): DeliveredDocument[] {
  const pieces = new Map(runs.flatMap((run, index) => run.layers.map((layer) => [layer, index] as const)));
  let next = runs.length;
  const known = stacks.flatMap((stack) =>
    readStack(stack, layers).flatMap(({ layer, root }): DeliveredDocument[] => {
      if (layer === undefined || root === undefined) return [];
      const piece = pieces.get(layer);
      return [{ root, layer, stack, piece: piece ?? next++, folds: piece !== undefined }];
    }),
  );
  const stack = stacks.at(-1);
  if (inline === undefined || stack === undefined) return known;
  return [...known, { root: inline, stack, piece: next, folds: false }];
}

function faultAt(
  place: RuledPlace,
  part: DeliveredDocument,
  lower: ValueAtPath | undefined,
  context: Context,
): Diagnostic | undefined {
  if (!part.folds && isDirective(place)) return directiveApart(place, part, context);
  if (lower === undefined || lower.part.piece === part.piece) return undefined;
  const found = effectAt(place, lower.entry);
  if (found === undefined) return undefined;
  const { effect, rule } = found;
  const inline = part.layer === undefined || lower.part.layer === undefined;
  return {
    ...about(part, place.entry, context),
    code: "rule-apart",
    severity: "error",
    message: named(rule),
    reason: `two layers that set it do not fold into one: ${effect}`,
    also: [about(lower.part, lower.entry, context).at],
    hint: inline
      ? "move the values there from `spec.values` into a layer"
      : `make the two layers fold into one (\`valuefold explain ${objectText(part.stack.target)}\` shows why they do not)${effect === replaced ? ", or begin the upper list with `- $patch: replace`" : ""}`,
  };
}

function named(rule: MergeRule | undefined): string {
  return rule === undefined ? "a rule applies" : `\`${rule.path}\` merges by a rule (${ruleText(rule)})`;
}

const replaced = "the upper list would replace the lower one";

interface RuleEffect {
  readonly effect: string;
  readonly rule: MergeRule | undefined;
}

/** What happens to the two without the rule, if that differs; undefined if the rule would do nothing. */
function effectAt({ entry, rules }: RuledPlace, below: Node): RuleEffect | undefined {
  const [upper, lower] = [entry.value, below.value];
  const { listRule, mappingRule, nullRule } = rules;
  if (rules.dropsNulls && isNullNode(entry)) return { effect: "the lower value would stay", rule: nullRule };
  if (
    rules.replacesMappings &&
    mayBe((each) => each.isMapping, upper) &&
    mayBe((each) => each.isMapping, lower)
  )
    return { effect: "both mappings would merge", rule: mappingRule };
  if (
    rules.list === undefined ||
    !mayBe((each) => each.isSequence, upper) ||
    !mayBe((each) => each.isSequence, lower)
  )
    return undefined;
  const isAlone = lower.isSequence && lower.children().length === 0;
  const isReset = upper.isSequence && writtenIn(upper).isReset;
  return isAlone || isReset ? undefined : { effect: replaced, rule: listRule };
}

/** A plain `${…}` may become anything. */
function mayBe(is: (value: Node) => boolean, value: Node): boolean {
  return is(value) || isVariable(value);
}

function directiveApart({ entry, rules }: RuledPlace, part: DeliveredDocument, context: Context): Diagnostic {
  const isNulled = isNullNode(entry);
  return {
    ...about(part, entry, context),
    code: "rule-apart",
    severity: "error",
    message: named(isNulled ? rules.nullRule : rules.listRule),
    reason: `${isNulled ? "this null" : "this `$patch`"} is in a layer that does not fold: it would reach the chart as it is`,
    hint: isNulled
      ? "give the path a rule `null: keep` if the chart is to see it, or move it into a layer that folds"
      : "move it into a layer that folds",
  };
}

function about(
  { layer, stack: { target } }: DeliveredDocument,
  entry: Node,
  { layers }: Context,
): Pick<Diagnostic, "item"> & { readonly at: Position } {
  const offset = Math.max(entry.entryStart, 0);
  if (layer !== undefined) return { item: refOf(layer.item), at: positionOf(layer, target, layers, offset) };
  return {
    item: refOf(target),
    at: { ...placeOf(target), text: `${objectText(target)} spec.values`, offset },
  };
}
