// Documents of a stack, lowest first → every value of the whole, whose it is, and what it lies over. The merge's own
// rules, walked once for all layers together: nothing is merged, and nothing is written.
import {
  entryNodes,
  firstChildOf,
  hasMarkers,
  isEntangled,
  isMapping,
  isSequence,
  type MergeRule,
  type Node,
  patchOf,
  type Rules,
  textOfKey,
  valueOf,
} from "../core/index.ts";
import { type Element, elementsOf, type Said, stepsOf, united } from "./elements.ts";
import { Pieces } from "./pieces.ts";

/** What holds at a path. */
export interface Holding {
  readonly path: readonly string[];
  readonly winner: Said;
  /** What it lies over, highest first. */
  readonly over: readonly Said[];
  /** True for a mapping that took the place of something else, and for a list that a rule made: what is in it follows. */
  readonly isMapping: boolean;
  /** Which steps of the path are elements of lists. */
  readonly elements?: readonly number[];
  /** The rule for a list. */
  readonly rule?: MergeRule | undefined;
  /** What is there instead of what the winner says, where directives and dropped nulls left nothing. */
  readonly left?: "[]" | "{}";
}

/** What a walk is given beside the documents. */
export interface Walked {
  /** What merging does at some paths. */
  readonly rules?: Rules | undefined;
  /** In which pieces layers reach their consumer; in one, without it. */
  readonly pieces?: Pieces | undefined;
  /** Whose keys nobody may learn from a path. */
  readonly isSecret: (said: Said) => boolean;
  /** True where a mapping that one layer alone holds is told as one. */
  readonly isBrief?: boolean;
}

/** All that holds, in the order of the merged document. `roots` are mappings, lowest first. */
export function holdingsOf(roots: readonly Said[], walked: Walked): Holding[] {
  const walk = new Walk(walked);
  walk.visitMembers([], roots, walked.rules);
  return walk.found;
}

class Walk {
  readonly found: Holding[] = [];
  /** Which steps of the path are elements of lists. */
  private readonly elements: number[] = [];
  private readonly isSecret: Walked["isSecret"];
  private readonly pieces: Pieces;
  private readonly isBrief: boolean;

  constructor({ isSecret, pieces = Pieces.one, isBrief = false }: Walked) {
    this.isSecret = isSecret;
    this.pieces = pieces;
    this.isBrief = isBrief;
  }

  private visit(path: readonly string[], all: readonly Said[], rules: Rules | undefined): void {
    const said = rules?.dropsNulls === true ? this.pieces.withoutNulls(all) : all;
    const winner = said.at(-1);
    if (winner === undefined) return;
    const value = valueOf(winner.node);
    if (!isMapping(value)) {
      if (rules?.list !== undefined && isSequence(value) && this.pieces.folds(winner))
        return this.visitList(path, said, rules);
      const over = said.slice(0, -1).toReversed();
      return this.tell({ path, winner, over, isMapping: false });
    }
    if (said.length === 1 && rules === undefined && this.isBrief)
      return this.tell({ path, winner, over: [], isMapping: false });
    // Mappings unite as far down as nothing else stands between them.
    if (said.length === 1 && !isEmptyMapping(value)) return this.visitKept(path, said, [], rules);
    const first = said.findLastIndex(({ node }) => !isMapping(valueOf(node))) + 1;
    const { group, below } =
      rules?.replacesMappings === true
        ? this.pieces.replaced(said, first)
        : { group: said.slice(first), below: said.slice(0, first).toReversed() };
    const isEmpty = group.every(({ node }) => isEmptyMapping(valueOf(node)));
    const over = isEmpty ? [...group.slice(0, -1).toReversed(), ...below] : below;
    if (isEmpty) this.tell({ path, winner, over, isMapping: false });
    else {
      this.visitKept(path, group, over, rules);
    }
  }

  /** A mapping of which nulls left nothing is an empty one. */
  private visitKept(
    path: readonly string[],
    group: readonly Said[],
    over: readonly Said[],
    rules: Rules | undefined,
  ): void {
    const before = this.found.length;
    if (over.length > 0) this.tell({ path, winner: group[0] as Said, over, isMapping: true });
    const told = this.found.length;
    this.visitMembers(path, group, rules);
    if (rules === undefined || this.found.length > told) return;
    this.found.length = before;
    this.tell({ path, winner: group.at(-1) as Said, over, isMapping: false, left: "{}" });
  }

  /** Keys in the order in which merging meets them: those of the lowest, then what each higher one adds. */
  visitMembers(path: readonly string[], mappings: readonly Said[], rules: Rules | undefined): void {
    const [only, second] = mappings;
    // Most of a document is one layer's own.
    if (only !== undefined && second === undefined) {
      for (const node of entryNodes(valueOf(only.node)))
        this.visit([...path, textOfKey(node)], [{ layer: only.layer, node }], rules?.at(node));
      return;
    }
    const members = new Map<string, Said[]>();
    for (const { layer, node: mapping } of mappings) {
      for (const node of entryNodes(valueOf(mapping))) {
        const key = textOfKey(node);
        const known = members.get(key);
        if (known === undefined) members.set(key, [{ layer, node }]);
        else known.push({ layer, node });
      }
    }
    for (const [key, said] of members) this.visit([...path, key], said, rules?.at((said[0] as Said).node));
  }

  /** A list that a rule puts together is told element by element. */
  private visitList(path: readonly string[], said: readonly Said[], rules: Rules): void {
    const winner = said.at(-1) as Said;
    const { own, others } = this.pieces.split(said);
    const { group, below } = united(own);
    const over = [...others, ...below].toReversed();
    const isPlain = !group.some(({ node }) => hasMarkers(valueOf(node)));
    const rule = rules.listRule;
    if (group.length === 1 && isPlain && rules.inElements === undefined)
      return this.tell({ path, winner, over, isMapping: false, rule });
    const elements = elementsOf(group, rules);
    const isEmpty = elements.length === 0;
    this.found.push({
      path,
      winner,
      over,
      isMapping: !isEmpty,
      rule,
      ...(isEmpty && { left: "[]" as const }),
    });
    const steps = stepsOf(elements, rules, this.isSecret);
    for (const [index, element] of elements.entries())
      this.visitElement([...path, steps[index] ?? ""], element, rules);
  }

  private visitElement(path: readonly string[], { said, over }: Element, rules: Rules): void {
    this.elements.push(path.length - 1);
    this.visitContent(path, said, over, rules.inElements);
    this.elements.pop();
  }

  private visitContent(
    path: readonly string[],
    all: readonly Said[],
    over: readonly Said[],
    inner: Rules | undefined,
  ): void {
    const replaces = inner?.replacesMappings === true;
    const [said, below] = replaces ? [all.slice(-1), [...over, ...all.slice(0, -1)]] : [all, over];
    const winner = said.at(-1) as Said;
    const lower = below.toReversed();
    const isWhole = said.length === 1 && inner === undefined && patchOf(winner.node) === undefined;
    if (isWhole || !isMapping(valueOf(winner.node)))
      return this.tell({ path, winner, over: lower, isMapping: false });
    const before = this.found.length;
    this.visitMembers(path, said, inner);
    // A directive is carried out, and no value.
    const own = this.found.splice(before).filter((each) => each.path[path.length] !== "$patch");
    if (own.length === 0) return this.tell({ path, winner, over: lower, isMapping: false, left: "{}" });
    for (const each of own) this.found.push(each);
  }

  private tell(holding: Omit<Holding, "elements">): void {
    const { elements } = this;
    this.found.push(elements.length === 0 ? holding : { ...holding, elements: [...elements] });
  }
}

function isEmptyMapping(mapping: Node): boolean {
  if (firstChildOf(mapping) === undefined) return true;
  // What `<<` brings in may be nothing.
  return isEntangled(mapping) && entryNodes(mapping).length === 0;
}

/** How many values a node holds: a list is one, and so is an empty mapping. */
export function sizeOf(node: Node): number {
  const value = valueOf(node);
  if (!isMapping(value)) return 1;
  const entries = entryNodes(value);
  return entries.length === 0 ? 1 : entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
}
