// The proof: all texts are read again and merged, and what comes of them is compared with the file, value by value and list
// by list. It shares no code with the cut, and takes the merge as it is.
import {
  headOfTree,
  isVariable,
  itemsOf,
  keysIn,
  type mergeAll,
  membersOf,
  type Rules,
  type Tree,
} from "../merge/index.ts";
import { type Node, textOf } from "../yaml/index.ts";
import { readValues } from "../layers/index.ts";

export type Merge = typeof mergeAll;

export interface Claim {
  /** What is below the layers, and not made here. */
  readonly below: readonly Node[];
  /** Layers as they were read again, lowest first; undefined for one that cannot be read. */
  readonly layers: readonly (ReadAgain | undefined)[];
  /** What they must give. */
  readonly wanted: Tree | undefined;
}

export interface ProofOptions {
  readonly merge: Merge;
  readonly rules: Rules | undefined;
  /** True if elements with a key may be in another order. */
  readonly reorder: boolean;
  /** True if values must be spelled alike. */
  readonly isSpelled: boolean;
}

/** The values of a text; none of an empty one. */
type ReadAgain = readonly Node[];

/** Where the reader is not known, keys are compared as they are spelled, too. */
export function formatOf(isSpelled: boolean): "yaml" | undefined {
  return isSpelled ? "yaml" : undefined;
}

/** Reads a text that was made; undefined if it cannot be read. */
export function readAgain(text: Uint8Array, isSpelled: boolean): ReadAgain | undefined {
  const { root, faults } = readValues(text, formatOf(isSpelled));
  if (faults.length > 0) return undefined;
  return root === undefined ? [] : [root];
}

export interface Proof {
  readonly holds: boolean;
  /** Lists that come back in another order. */
  readonly reordered: number;
  /** Of these, lists in which a text refers to an element that came before it, and comes after it now. */
  readonly unordered: readonly Node[];
}

export function prove({ below, layers, wanted }: Claim, options: ProofOptions): Proof {
  const roots = [...below];
  for (const layer of layers) {
    if (layer === undefined) return { holds: false, reordered: 0, unordered: [] };
    for (const one of layer) roots.push(one);
  }
  const compared = new ProofComparison(options);
  const made = options.merge(roots, options.rules);
  const holds = compared.same(wanted, made, options.rules);
  return { holds, reordered: compared.reordered, unordered: compared.unordered };
}

class ProofComparison {
  reordered = 0;
  readonly unordered: Node[] = [];
  private readonly options: ProofOptions;

  constructor(options: ProofOptions) {
    this.options = options;
  }

  same(wanted: Tree | undefined, made: Tree | undefined, rules: Rules | undefined): boolean {
    if (wanted === undefined || made === undefined) return isEmpty(wanted) && isEmpty(made);
    const [members, others] = [membersOf(wanted), membersOf(made)];
    if (members !== undefined || others !== undefined) {
      if (members === undefined || members.size !== others?.size) return false;
      return members.values().every((member) => {
        const entry = headOfTree(member);
        const other = others.get(entry.key);
        return other !== undefined && this.same(member, other, rules?.at(entry));
      });
    }
    const [items, elements] = [itemsOf(wanted), itemsOf(made)];
    if (items === undefined || elements === undefined)
      return items === elements && this.sameScalar(headOfTree(wanted).value, headOfTree(made).value);
    return items.length === elements.length && this.sameItems(wanted, items, elements, rules);
  }

  private sameItems(
    list: Tree,
    items: readonly Tree[],
    elements: readonly Tree[],
    rules: Rules | undefined,
  ): boolean {
    const keys = typeof rules?.list === "object" ? rules.list : undefined;
    const sameAt = (item: Tree, other: Tree | undefined): boolean =>
      other !== undefined && this.same(item, other, keys && rules?.inElements);
    if (!this.options.reorder || keys === undefined)
      return items.every((item, index) => sameAt(item, elements[index]));
    const names = items.map((item) => keysIn(item, keys));
    const places = new Map(elements.map((each, index) => [keysIn(each, keys), index]));
    const moved = names.map((name) => places.get(name) ?? -1);
    if (moved.some((place, index) => place !== index)) {
      this.reordered++;
      if (isUnordered(items, moved)) this.unordered.push(headOfTree(list));
    }
    return items.every((item, index) => sameAt(item, elements[moved[index] ?? -1]));
  }

  private sameScalar(wanted: Node, made: Node): boolean {
    if (!wanted.isScalar || !made.isScalar || isVariable(wanted) !== isVariable(made)) return false;
    if (this.options.isSpelled && sourceOf(wanted) !== sourceOf(made)) return false;
    const [one, other] = [wanted.resolved(), made.resolved()];
    const isNumber = one.type === "int" || one.type === "float";
    const isAlike = one.type === other.type || (isNumber && (other.type === "int" || other.type === "float"));
    return isAlike && one.text === other.text;
  }
}

function isEmpty(tree: Tree | undefined): boolean {
  return tree === undefined || membersOf(tree)?.size === 0;
}

/** Lines of a block scalar may be indented by another number of columns. */
function sourceOf(node: Node): string {
  const source = textOf(node.doc).slice(node.body, node.end);
  return source.replaceAll(/\n +/g, "\n").trimEnd();
}

/** Kubernetes fills in `$(NAME)` of elements that come earlier. @param moved where each element is now */
function isUnordered(items: readonly Tree[], moved: readonly number[]): boolean {
  const texts = items.map((item) => JSON.stringify(textsIn(item)));
  const names = items.map((item) => nameIn(item));
  return names.some((name, index) =>
    texts.some(
      (text, user) =>
        name !== undefined &&
        index < user &&
        (moved[index] ?? 0) > (moved[user] ?? 0) &&
        text.includes(`$(${name})`),
    ),
  );
}

function nameIn(item: Tree): string | undefined {
  const name = membersOf(item)?.get("name");
  const value = name === undefined ? undefined : headOfTree(name).value;
  return value !== undefined && value.isScalar ? value.resolved().text : undefined;
}

function textsIn(tree: Tree): readonly string[] {
  const inner = membersOf(tree)?.values() ?? itemsOf(tree);
  if (inner !== undefined) return inner.flatMap(textsIn);
  return [headOfTree(tree).value.resolved().text];
}
