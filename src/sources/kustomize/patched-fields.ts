// The fields of an object over which kustomizations are: what the text has there, or which step sets it. Marks prove both. Where
// they do not, each step is left out once, and the one without which the field differs sets it.
import type { ObjectPath, PatchedField, PatchingStep } from "../../explain/index.ts";
import type { Place } from "../../explanation.ts";
import type { Node } from "../../yaml/index.ts";
import {
  areEqual,
  isDirective,
  isSameValue,
  type Marks,
  type NodeAt,
  scalarsIn,
  type SourceDocument,
} from "./marks.ts";
import type { PatchStep } from "./patch-steps.ts";
import { isCopying, isNullValue, sourceOf } from "./sayings.ts";
import { distinct } from "../../grouped.ts";

interface PatchedNodes {
  /** Which document of the text it is. */
  readonly number: number;
  /** The object in the end. */
  readonly node: Node;
  /** As the text has it. */
  readonly original: Node;
  readonly marked: Node | undefined;
  readonly marks: Marks;
  /** Those that reached it. */
  readonly patches: readonly SourceDocument[];
}

interface FoundField extends Omit<PatchedField, "by" | "over"> {
  by?: PatchingStep;
  over?: ObjectPath;
}

/** What kustomize adds for those who ask where something is from. */
const ownAnnotations =
  /^(?:config\.kubernetes\.io\/origin$|alpha\.config\.kubernetes\.io\/|mark\.valuefold\.dev\/)/;

export class PatchedFields {
  private readonly nodes: PatchedNodes;
  private readonly found: FoundField[] = [];
  /** Where the text has each of its nodes, by row. */
  private readonly paths = new Map<number, ObjectPath>();

  constructor(nodes: PatchedNodes) {
    this.nodes = nodes;
    const { node, marked, original } = nodes;
    this.index(original, []);
    this.walk([], node, marked, original);
    this.addRemoved();
  }

  private addRemoved(): void {
    const { original } = this.nodes;
    const keyOf = (path: ObjectPath | undefined): string => JSON.stringify(path);
    const kept = new Set(this.found.flatMap(({ from, over }) => [from, over].map(keyOf)));
    const others = new Map(
      this.found.filter(({ from, over }) => !from && !over).map((each) => [keyOf(each.path), each]),
    );
    for (const path of leavesOf(original, []).filter((each) => !kept.has(keyOf(each)))) {
      // An element of a list of which nothing else is left is what is at its place.
      const other = others.get(keyOf(path));
      if (other !== undefined) other.over = path;
      else if (!isFilled(path, this.nodes)) this.found.push({ path, over: path });
    }
  }

  all(): readonly PatchedField[] {
    return this.found;
  }

  /** @param built the object without some steps */
  async settle(
    isAsked: (path: ObjectPath) => boolean,
    steps: readonly PatchStep[],
    built: (steps: readonly PatchStep[]) => Promise<Node | undefined>,
  ): Promise<void> {
    const tried = steps.slice(-mostSteps);
    const isOpen = ({ path, from, by }: FoundField): boolean =>
      from === undefined && by === undefined && isAsked(path);
    for (const isTogether of [false, true]) {
      // Of several that do the same none makes a difference alone.
      const open = this.found.filter(isOpen);
      for (const [index, step] of tried.toReversed().entries()) {
        const left = open.filter(isOpen);
        if (left.length === 0) return;
        const last = tried.length - 1 - index;
        const other = await built(tried.slice(last, isTogether ? undefined : last + 1));
        for (const each of left.filter((own) => this.isOf(own, other))) each.by = this.stepOf(each, step);
      }
    }
    const [first] = tried;
    const by = first && { ...first, at: { of: "file", file: first.at.file ?? "" } as const };
    for (const each of this.found.filter(isOpen)) if (by !== undefined) each.by = by;
  }

  private stepOf(field: FoundField, { is, at, isSecret = false }: PatchStep): PatchingStep {
    return { is, at: (is === "patch" ? this.lineOf(field) : undefined) ?? at, isSecret };
  }

  /** True where a field differs without a step, or is there again. */
  private isOf({ path, node }: FoundField, other: Node | undefined): boolean {
    if (other === undefined) return false;
    const { original, node: last } = this.nodes;
    if (node !== undefined) {
      const there = sameIn(other, last, path);
      return there === undefined || !areEqual(node, there);
    }
    const own = nodeAt(original, path);
    const [there, left] = [other, last].map((each) => sameIn(each, original, path));
    return own !== undefined && isEqual(there, own) && !isEqual(left, own);
  }

  /** The one line of a patch that has the value there, or takes it away. */
  private lineOf({ path, node }: FoundField): Place | undefined {
    const keys = keysOf(path);
    const places = this.nodes.patches.flatMap((each) =>
      node === undefined ? removalsIn(each, keys) : settingsIn(each, keys, node),
    );
    const [only, second] = distinct(places);
    return second === undefined ? only : undefined;
  }

  private index(node: Node, path: ObjectPath): void {
    const value = node.value;
    this.paths.set(value.row, path);
    for (const [key, each] of membersIn(value)) this.index(each, [...path, key]);
  }

  /** @param own the part of the text that it is made of */
  private walk(path: ObjectPath, node: Node, mark: Node | undefined, own: Node | undefined): void {
    const value = node.value;
    const members = membersIn(value);
    if (value.isScalar || members.length === 0) {
      this.found.push(this.leaf(path, value, mark, own));
      return;
    }
    const marks = mark && membersIn(mark.value);
    const areAlike = marks?.length === members.length;
    const isOfBuild = keysOf(path).join(".") === "metadata.annotations";
    for (const [index, [key, each]] of members.entries()) {
      if (isOfBuild && ownAnnotations.test(String(key))) continue;
      const there = value.isSequence ? (areAlike ? marks[index]?.[1] : undefined) : mark && partAt(mark, key);
      const from = value.isSequence ? this.elementOf(own, each, there) : own && partAt(own, key);
      this.walk([...path, key], each, there, from);
    }
  }

  private leaf(path: ObjectPath, node: Node, mark: Node | undefined, own: Node | undefined): FoundField {
    const found = this.markOf(node, mark);
    const there = own === undefined || hasMembers(own) ? undefined : this.paths.get(own.value.row);
    const over = there && { over: there };
    if (found === undefined) {
      // Of what has no mark, an equal part of the text is what it is made of.
      const isSame = own !== undefined && areEqual(own, node) && (mark === undefined || areEqual(mark, node));
      return isSame && there !== undefined ? { path, node, from: there } : { path, node, ...over };
    }
    const { document, value, at } = found;
    if (document.role !== "resource") return { path, node, ...over, by: { is: "patch", at, isProven: true } };
    const from = value instanceof Uint8Array ? undefined : this.paths.get(value.row);
    const isOfText = from !== undefined && this.isOfText(document);
    return isOfText ? { path, node, from } : { path, node, ...over };
  }

  /** The mark of a value that is as it was. */
  private markOf(node: Node, mark: Node | undefined): ReturnType<Marks["at"]> {
    const found = mark?.value.isScalar === true ? this.nodes.marks.at(mark.value.text) : undefined;
    return found !== undefined && isSameValue(found, node) ? found : undefined;
  }

  private isOfText({ number }: SourceDocument): boolean {
    return number === this.nodes.number;
  }

  /** Which element of the text's list an element is: by the marks in it, else by what it is. */
  private elementOf(list: Node | undefined, node: Node, mark: Node | undefined): Node | undefined {
    if (list?.value.isSequence !== true) return undefined;
    const elements = list.value.children();
    const rows = new Set(
      (mark === undefined ? [] : scalarsIn(mark)).flatMap((each) => this.rowsAround(each)),
    );
    const marked = elements.find((each) => rows.has(each.value.row));
    const name = node.value.isMapping ? node.value.textAt("name") : undefined;
    const isNamed = (each: Node): boolean =>
      areEqual(each, node) ||
      (name !== undefined && each.value.isMapping && each.value.textAt("name") === name);
    return marked ?? elements.find(isNamed);
  }

  /** The row of the text that a mark is for, and those around it. */
  private rowsAround(mark: Node): readonly number[] {
    const found = this.nodes.marks.at(mark.value.text);
    if (found === undefined || found.value instanceof Uint8Array || !this.isOfText(found.document)) return [];
    const rows: number[] = [];
    for (let at: Node | undefined = found.value; at !== undefined; at = at.parent) rows.push(at.row);
    return rows;
  }
}

/** True for what was empty, and is not any more. */
function isFilled(path: ObjectPath, { node, original }: PatchedNodes): boolean {
  const own = nodeAt(original, path);
  return own?.value.isScalar === false && nodeAt(node, path)?.value.isScalar === false;
}

const mostSteps = 100;

function hasMembers(node: Node): boolean {
  return membersIn(node.value).length > 0;
}

function membersIn(value: Node): readonly (readonly [string | number, Node])[] {
  if (value.isScalar) return [];
  return value.isSequence ? value.children().map((each, index) => [index, each]) : [...value.entries()];
}

function partAt(node: Node, key: string | number): Node | undefined {
  const value = node.value;
  if (value.isSequence) return typeof key === "number" ? value.children()[key] : undefined;
  return value.isMapping && typeof key === "string" ? value.get(key) : undefined;
}

function nodeAt(root: Node, path: ObjectPath): Node | undefined {
  return path.reduce<Node | undefined>((at, key) => at && partAt(at, key), root);
}

/** By these kustomize knows elements of lists: with marks in their place it would find none. */
export const elementKeys: ReadonlySet<string> = new Set(
  "name containerPort port protocol mountPath devicePath ip type uid topologyKey".split(" "),
);

/** What is at the path of an object in another state of it: elements that have names may have other numbers there. */
function sameIn(other: Node, object: Node, path: ObjectPath): Node | undefined {
  let [there, own]: (Node | undefined)[] = [other, object];
  for (const key of path) {
    own = own && partAt(own, key);
    const id = typeof key === "number" && own ? idOf(own) : "";
    there = id === "" ? there && partAt(there, key) : elementWith(there, id);
  }
  return there;
}

function elementWith(list: Node | undefined, id: string): Node | undefined {
  return list?.value.isSequence === true
    ? list.value.children().find((each) => idOf(each) === id)
    : undefined;
}

function idOf(element: Node): string {
  const keys = membersIn(element.value).filter(([key]) => typeof key === "string" && elementKeys.has(key));
  return keys
    .map(([key, each]) => `${key}=${each.value.isScalar ? each.value.text : ""}`)
    .toSorted()
    .join(" ");
}

function isEqual(one: Node | undefined, other: Node): boolean {
  return one !== undefined && areEqual(one, other);
}

function leavesOf(node: Node, path: ObjectPath): readonly ObjectPath[] {
  const members = membersIn(node.value);
  if (members.length === 0) return [path];
  return members.flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

/** Without numbers of elements: a patch has others. */
function keysOf(path: ObjectPath): readonly string[] {
  return path.flatMap((step) => (typeof step === "number" || /^(?:\d+|-)$/.test(step) ? [] : step));
}

function isStart(start: readonly string[], keys: readonly string[]): boolean {
  return start.length <= keys.length && start.every((key, index) => key === keys[index]);
}

function removalsIn(document: SourceDocument, keys: readonly string[]): readonly Place[] {
  return sourceOf(document, [])
    .removes.filter((each) => each.path.length > 0 && isStart(keysOf(each.path), keys))
    .map(({ at }) => at);
}

function settingsIn(
  { root, operations = [], placeAt }: SourceDocument,
  keys: readonly string[],
  wanted: Node,
): readonly Place[] {
  const values = operations.flatMap(({ path, value }) =>
    value === undefined ? [] : [{ path, node: value }],
  );
  const all = [...(root === undefined ? [] : [{ path: [], node: root }]), ...values];
  const copies = operations.filter(({ op, path }) => isCopying(op) && isStart(keysOf(path), keys));
  return [
    ...copies.map(({ node }) => placeAt(node.offset)),
    ...all.flatMap(({ path, node }) =>
      leafNodes(node, path)
        .filter(
          (each) =>
            each.path.join("\n") === keys.join("\n") &&
            areEqual(each.node, wanted) &&
            !isNullValue(each.node),
        )
        .map((each) => placeAt(each.node.offset)),
    ),
  ];
}

function leafNodes(node: Node, path: readonly string[]): readonly NodeAt[] {
  const value = node.value;
  const members = membersIn(value);
  if (members.length === 0) return [{ path: keysOf(path), node: value }];
  return members
    .filter(([key]) => typeof key === "number" || !isDirective(key))
    .flatMap(([key, each]) => leafNodes(each, [...path, String(key)]));
}
