// Values that a rule would bring together (setting `merge`), and that reach their consumer in two pieces: then the upper
// one replaces the lower one there, and nobody would be told. Looks at all layers of a target, folded or not.
import type { Context } from "../context.ts";
import { type Diagnostic, formatItem, type Position } from "../diagnostic.ts";
import { positionOf } from "../layer/origin.ts";
import { isNullNode, isVariable } from "../merge/kinds.ts";
import { writtenIn } from "../merge/markers.ts";
import { isDirective, type RuledPlace, ruledPlaces } from "../merge/ruled.ts";
import { type MergeRule, ruleText } from "../merge/rules.ts";
import type { Layer, Run, Stack } from "../model.ts";
import { describe, refOf } from "../wire/item.ts";
import { placeOf } from "../wire/place.ts";
import { childrenOf, Field, field, isMapping, isSequence, type Node, valueOf } from "../yaml/tape.ts";
import { heldAt } from "./settings-at.ts";
import { readStack } from "./standings.ts";

/** A document that reaches the consumer, and in which piece: what folds into one has one number. */
interface Part {
  readonly root: Node;
  /** Absent for what the target holds itself. */
  readonly layer?: Layer;
  readonly stack: Stack;
  readonly piece: number;
  /** True if directives in it are carried out. */
  readonly folds: boolean;
}

/** What holds at a path so far. */
interface Standing {
  readonly part: Part;
  readonly entry: Node;
  /** Which of the parts it is. */
  readonly index: number;
}

/**
 * Faults of all stacks of a target.
 * @param inline values that the target holds itself, over all layers
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
  const held = new Held(parts);
  return parts.flatMap((part, index) => {
    // What is told of a path goes for all below it.
    const told: string[] = [];
    return ruledPlaces(part.root, rules)
      .filter(({ inElement }) => !inElement)
      .flatMap((place) => {
        const path = place.path();
        const key = JSON.stringify(path);
        const isTold = told.some((above) => key.startsWith(`${above.slice(0, -1)},`));
        const lower = held.below(place, { part, path, key, index });
        const fault = isTold ? undefined : faultAt(place, part, lower, context);
        if (fault !== undefined) told.push(key);
        held.hold(place, { part, path, key, index });
        return fault ?? [];
      });
  });
}

interface Here {
  readonly part: Part;
  readonly path: readonly string[];
  readonly key: string;
  readonly index: number;
}

/** What holds at each path: one standing for each piece, lowest first. */
class Held {
  private readonly byPath = new Map<string, Standing[]>();
  private readonly parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }

  /** What the rule would act upon in another piece, if there is anything. */
  below({ entry, rules }: RuledPlace, { part, path, key, index }: Here): Standing | undefined {
    const all = this.byPath.get(key) ?? [];
    // What a dropped null takes away of its own piece hides nothing of the others.
    const isDropped = rules.dropsNulls && isNullNode(entry);
    const lower = isDropped ? all.findLast((each) => each.part.piece !== part.piece) : all.at(-1);
    return lower === undefined || isHidden(path, this.parts.slice(lower.index + 1, index + 1))
      ? undefined
      : lower;
  }

  hold(place: RuledPlace, { part, path, key, index }: Here): void {
    const all = this.byPath.get(key) ?? [];
    const last = all.at(-1);
    const isCut = last !== undefined && isHidden(path, this.parts.slice(last.index + 1, index + 1));
    const others = isCut ? [] : all.filter((each) => each.part.piece !== part.piece);
    if (isNullNode(place.entry)) this.byPath.set(key, place.rules.dropsNulls ? others : []);
    else if (last === undefined || isCut || !addsNothing(place))
      this.byPath.set(key, [...others, { part, entry: place.entry, index }]);
  }
}

/** True if all layers fold into one: then rules have brought together all there is. */
function isOnePiece(stacks: readonly Stack[], [run, second]: readonly Run[]): boolean {
  if (run === undefined || second !== undefined) return false;
  const folded = new Set(run.layers);
  return stacks.every(
    ({ below, entries }) =>
      (below === "unknown" || below.length === 0) &&
      entries.every((entry) => "barrier" in entry || folded.has(entry.layer)),
  );
}

/** An empty list changes nothing of the one that is there: it is that one that counts further up. */
function addsNothing({ entry, rules }: RuledPlace): boolean {
  const value = valueOf(entry);
  return rules.list !== undefined && isSequence(value) && childrenOf(value).length === 0;
}

/** True if something that is no mapping stands above the path in one of the parts: it takes away what lies below. */
function isHidden(path: readonly string[], parts: readonly Part[]): boolean {
  return parts.some(({ root }) => heldAt(root, path) === "other");
}

function partsOf(
  stacks: readonly Stack[],
  runs: readonly Run[],
  inline: Node | undefined,
  { layers }: Context,
): Part[] {
  const pieces = new Map(runs.flatMap((run, index) => run.layers.map((layer) => [layer, index] as const)));
  let next = runs.length;
  const known = stacks.flatMap((stack) =>
    readStack(stack, layers).flatMap(({ layer, root }): Part[] => {
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
  part: Part,
  lower: Standing | undefined,
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
    message: `${named(rule)}, and two layers that set it do not fold into one: ${effect}`,
    also: [about(lower.part, lower.entry, context).at],
    hint: inline
      ? "move what `spec.values` holds there into a layer"
      : `bring the two layers together (\`valuefold explain ${describe(part.stack.target)}\` tells what parts them)${effect === replaced ? ", or begin the upper list with `- $patch: replace`" : ""}`,
  };
}

function named(rule: MergeRule | undefined): string {
  return rule === undefined ? "a rule holds" : `\`${rule.path}\` merges by a rule (${ruleText(rule)})`;
}

const replaced = "the upper list would replace the lower one";

interface Effect {
  readonly effect: string;
  readonly rule: MergeRule | undefined;
}

/** What becomes of the two where the rule would do something else; undefined where it would do nothing. */
function effectAt({ entry, rules }: RuledPlace, below: Node): Effect | undefined {
  const [upper, lower] = [valueOf(entry), valueOf(below)];
  const { listRule, mappingRule, nullRule } = rules;
  if (rules.dropsNulls && isNullNode(entry)) return { effect: "the lower value would stay", rule: nullRule };
  if (rules.replacesMappings && mayBe(isMapping, upper) && mayBe(isMapping, lower))
    return { effect: "both mappings would merge", rule: mappingRule };
  if (rules.list === undefined || !mayBe(isSequence, upper) || !mayBe(isSequence, lower)) return undefined;
  const isAlone = isSequence(lower) && childrenOf(lower).length === 0;
  const isReset = isSequence(upper) && writtenIn(upper).isReset;
  return isAlone || isReset ? undefined : { effect: replaced, rule: listRule };
}

/** A plain `${…}` may become anything. */
function mayBe(is: (value: Node) => boolean, value: Node): boolean {
  return is(value) || isVariable(value);
}

function directiveApart({ entry, rules }: RuledPlace, part: Part, context: Context): Diagnostic {
  const isNulled = isNullNode(entry);
  return {
    ...about(part, entry, context),
    code: "rule-apart",
    severity: "error",
    message: `${named(isNulled ? rules.nullRule : rules.listRule)}, and ${isNulled ? "this null" : "this `$patch`"} stands where nothing folds: it would reach the chart as it is`,
    hint: isNulled
      ? "give the path a rule `null: keep` if the chart is to see it, or move it into a layer that folds"
      : "move it into a layer that folds",
  };
}

function about(
  { layer, stack: { target } }: Part,
  entry: Node,
  { layers }: Context,
): Pick<Diagnostic, "item"> & { readonly at: Position } {
  const offset = Math.max(field(entry, Field.entry), 0);
  if (layer !== undefined) return { item: refOf(layer.item), at: positionOf(layer, target, layers, offset) };
  return {
    item: refOf(target),
    at: { ...placeOf(target), text: `${formatItem(target)} spec.values`, offset },
  };
}
