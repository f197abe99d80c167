// The walk over all layers of a stack: its documents, lowest first → every resolved value, the layer it comes from, and what
// it overrides. It follows the rules of the merge, merges nothing and writes nothing.
import { type MergeRule, type Rules } from "../merge/index.ts";
import type { Node } from "../yaml/index.ts";
import { type Element, elementsOf, type LayerNode, stepsOf, united } from "./elements.ts";
import { Pieces } from "./pieces.ts";

/** The value at a path, once all layers apply. */
export interface ResolvedValue {
  readonly path: readonly string[];
  readonly winner: LayerNode;
  /** What it overrides, highest first. */
  readonly overridden: readonly LayerNode[];
  /** True for a mapping that replaced another value, and for a list that a rule made: what is in it follows. */
  readonly isMapping: boolean;
  /** Which steps of the path are elements of lists. */
  readonly elements?: readonly number[];
  /** The rule for a list. */
  readonly rule?: MergeRule | undefined;
  /** What is there instead of what the winner says, where directives and dropped nulls left nothing. */
  readonly left?: "[]" | "{}";
}

/** What a walk needs to know of the layers. */
export interface WalkOptions {
  /** What merging does at some paths. */
  readonly rules?: Rules | undefined;
  /** In which pieces layers reach their consumer; in one, without it. */
  readonly pieces?: Pieces | undefined;
  /** True where keys must not show in a path. */
  readonly isSecret: (node: LayerNode) => boolean;
  /** True where a mapping that only one layer sets is one value. */
  readonly isBrief?: boolean;
}

/** All values, in the order of the merged document. `roots` are mappings, lowest first. */
export function resolvedValues(roots: readonly LayerNode[], walked: WalkOptions): ResolvedValue[] {
  const walk = new Walk(walked);
  walk.visitMembers([], roots, walked.rules);
  return walk.found;
}

class Walk {
  readonly found: ResolvedValue[] = [];
  /** Which steps of the path are elements of lists. */
  private readonly elements: number[] = [];
  private readonly isSecret: WalkOptions["isSecret"];
  private readonly pieces: Pieces;
  private readonly isBrief: boolean;

  constructor({ isSecret, pieces = Pieces.one, isBrief = false }: WalkOptions) {
    this.isSecret = isSecret;
    this.pieces = pieces;
    this.isBrief = isBrief;
  }

  private visit(path: readonly string[], all: readonly LayerNode[], rules: Rules | undefined): void {
    const nodes = rules?.dropsNulls === true ? this.pieces.withoutNulls(all) : all;
    const winner = nodes.at(-1);
    if (winner === undefined) return;
    const value = winner.node.value;
    if (!value.isMapping) {
      if (rules?.list !== undefined && value.isSequence && this.pieces.folds(winner))
        return this.visitList(path, nodes, rules);
      const overridden = nodes.slice(0, -1).toReversed();
      return this.push({ path, winner, overridden, isMapping: false });
    }
    if (nodes.length === 1 && rules === undefined && this.isBrief)
      return this.push({ path, winner, overridden: [], isMapping: false });
    // Mappings unite down to the first value of another kind.
    if (nodes.length === 1 && !isEmptyMapping(value)) return this.visitKept(path, nodes, [], rules);
    const first = nodes.findLastIndex(({ node }) => !node.value.isMapping) + 1;
    const { group, below } =
      rules?.replacesMappings === true
        ? this.pieces.replaced(nodes, first)
        : { group: nodes.slice(first), below: nodes.slice(0, first).toReversed() };
    const isEmpty = group.every(({ node }) => isEmptyMapping(node.value));
    const overridden = isEmpty ? [...group.slice(0, -1).toReversed(), ...below] : below;
    if (isEmpty) this.push({ path, winner, overridden, isMapping: false });
    else {
      this.visitKept(path, group, overridden, rules);
    }
  }

  /** A mapping of which nulls left nothing is an empty one. */
  private visitKept(
    path: readonly string[],
    group: readonly LayerNode[],
    overridden: readonly LayerNode[],
    rules: Rules | undefined,
  ): void {
    const before = this.found.length;
    if (overridden.length > 0)
      this.push({ path, winner: group[0] as LayerNode, overridden, isMapping: true });
    const start = this.found.length;
    this.visitMembers(path, group, rules);
    if (rules === undefined || this.found.length > start) return;
    this.found.length = before;
    this.push({ path, winner: group.at(-1) as LayerNode, overridden, isMapping: false, left: "{}" });
  }

  /** Keys in the order in which merging meets them: those of the lowest, then what each higher one adds. */
  visitMembers(path: readonly string[], mappings: readonly LayerNode[], rules: Rules | undefined): void {
    const [only, second] = mappings;
    // Most of a document is one layer's own.
    if (only !== undefined && second === undefined) {
      for (const node of only.node.value.members())
        this.visit([...path, node.key], [{ layer: only.layer, node }], rules?.at(node));
      return;
    }
    const members = new Map<string, LayerNode[]>();
    for (const { layer, node: mapping } of mappings) {
      for (const node of mapping.value.members()) {
        const key = node.key;
        const known = members.get(key);
        if (known === undefined) members.set(key, [{ layer, node }]);
        else known.push({ layer, node });
      }
    }
    for (const [key, nodes] of members)
      this.visit([...path, key], nodes, rules?.at((nodes[0] as LayerNode).node));
  }

  /** A list that a rule merges: each element is a value, or several. */
  private visitList(path: readonly string[], nodes: readonly LayerNode[], rules: Rules): void {
    const winner = nodes.at(-1) as LayerNode;
    const { own, others } = this.pieces.split(nodes);
    const { group, below } = united(own);
    const overridden = [...others, ...below].toReversed();
    const rule = rules.listRule;
    const elements = elementsOf(group, below, rules);
    const isEmpty = elements.length === 0;
    this.found.push({
      path,
      winner,
      overridden,
      isMapping: !isEmpty,
      rule,
      ...(isEmpty && { left: "[]" as const }),
    });
    const steps = stepsOf(elements, rules, this.isSecret);
    for (const [index, element] of elements.entries())
      this.visitElement([...path, steps[index] ?? ""], element, rules);
  }

  private visitElement(path: readonly string[], { nodes, overridden }: Element, rules: Rules): void {
    this.elements.push(path.length - 1);
    this.visitContent(path, nodes, overridden, rules.inElements);
    this.elements.pop();
  }

  private visitContent(
    path: readonly string[],
    all: readonly LayerNode[],
    overridden: readonly LayerNode[],
    inner: Rules | undefined,
  ): void {
    const replaces = inner?.replacesMappings === true;
    const [nodes, below] = replaces
      ? [all.slice(-1), [...overridden, ...all.slice(0, -1)]]
      : [all, overridden];
    const winner = nodes.at(-1) as LayerNode;
    const lower = below.toReversed();
    if (!winner.node.value.isMapping) return this.push({ path, winner, overridden: lower, isMapping: false });
    const before = this.found.length;
    this.visitMembers(path, nodes, inner);
    // A directive is carried out, and no value.
    const own = this.found.splice(before).filter((each) => each.path[path.length] !== "$patch");
    if (own.length === 0) return this.push({ path, winner, overridden: lower, isMapping: false, left: "{}" });
    for (const each of own) this.found.push(each);
  }

  private push(value: Omit<ResolvedValue, "elements">): void {
    const { elements } = this;
    this.found.push(elements.length === 0 ? value : { ...value, elements: [...elements] });
  }
}

function isEmptyMapping(mapping: Node): boolean {
  if (mapping.first === undefined) return true;
  // What `<<` brings in may be nothing.
  return mapping.isEntangled && mapping.members().length === 0;
}

/** How many values a node holds: a list is one, and so is an empty mapping. */
export function sizeOf(node: Node): number {
  const value = node.value;
  if (!value.isMapping) return 1;
  const entries = value.members();
  return entries.length === 0 ? 1 : entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
}
