// What a document of a build says below a field, such as `spec.values`, and what it takes away there.
import type { Node } from "../../yaml/index.ts";
import type { Place } from "../../explanation.ts";
import {
  isDirective,
  isSamePath,
  keysIn,
  memberOf,
  type NodeAt,
  type SourceDocument,
  startsWith,
} from "./marks.ts";
import { remembered } from "../../remembered.ts";

/** What a document says at a path. */
export interface Saying extends NodeAt {
  readonly at: Place;
}

/** Where a document takes away what is at a path; it may set something else there. */
export interface Removal {
  readonly path: readonly string[];
  readonly at: Place;
}

/** An operation that copies or moves. */
interface Copying {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** How many sayings of its document come before it. */
  readonly after: number;
}

export interface PatchSource {
  readonly document: SourceDocument;
  readonly says: readonly Saying[];
  readonly removes: readonly Removal[];
  readonly copies: readonly Copying[];
}

export function isAt({ path }: { readonly path: readonly string[] }, other: readonly string[]): boolean {
  return isSamePath(path, other);
}

export function isBelow(each: Saying | Removal, path: readonly string[]): boolean {
  return each.path.length > path.length && startsWith(each.path, path);
}

export function isNullValue(node: Node): boolean {
  const value = node.value;
  return value.isScalar && value.isNull;
}

const byPath = new WeakMap<readonly Saying[], ReadonlyMap<string, Saying>>();

/** What a document says last at a path. It may say thousands of values, and each of them is asked for. */
export function saidAt(
  source: Pick<PatchSource, "says"> | undefined,
  path: readonly string[],
): Saying | undefined {
  if (source === undefined) return undefined;
  const { says } = source;
  const index = remembered(
    byPath,
    says,
    () => new Map(says.map((each) => [JSON.stringify(each.path), each])),
  );
  return index.get(JSON.stringify(path));
}

/** What a document says below the field, and what it takes away there. */
export function sourceOf(document: SourceDocument, field: readonly string[]): PatchSource {
  const { root, operations, placeAt, role } = document;
  const says: Saying[] = [];
  const removes: Removal[] = [];
  const say = (path: readonly string[], node: Node): void => {
    for (const each of leavesOf(path, node)) {
      const at = placeAt(each.node.offset);
      if (role === "patch" && isNullValue(each.node)) removes.push({ path: each.path, at });
      else says.push({ at, ...each });
    }
  };
  const own =
    root === undefined
      ? undefined
      : field.reduce<Node | undefined>((node, key) => node && memberOf(node.value, key), root);
  if (own !== undefined) {
    say([], own);
    for (const one of directivesIn([], own, placeAt)) removes.push(one);
  }
  const copies: Copying[] = [];
  for (const { op, path, from, value, node } of operations ?? []) {
    const at = placeAt(node.offset);
    const isInside = startsWith(from, field) && isCopying(op);
    if (isInside && op === "move") removes.push({ path: from.slice(field.length), at });
    if (!startsWith(path, field) || !(isCopying(op) || ["add", "replace", "remove"].includes(op))) continue;
    const steps = path.slice(field.length);
    removes.push({ path: steps, at });
    if (isInside) copies.push({ from: from.slice(field.length), to: steps, after: says.length });
    else if (value !== undefined && op !== "remove") say(steps, value);
  }
  return { document, says, removes, copies };
}

export function isCopying(op: string): boolean {
  return op === "copy" || op === "move";
}

/** With what operations copy, where one document says it and no other changes it. */
export function withCopies(sources: readonly PatchSource[]): readonly PatchSource[] {
  const all: PatchSource[] = [];
  for (const source of sources) {
    const says: Saying[] = [];
    let taken = 0;
    for (const { from, to, after } of source.copies) {
      for (const one of source.says.slice(taken, after)) says.push(one);
      taken = after;
      for (const one of copied(from, to, [...all, { ...source, says, removes: [] }])) says.push(one);
    }
    all.push({ ...source, says: [...says, ...source.says.slice(taken)] });
  }
  return all;
}

function copied(
  from: readonly string[],
  to: readonly string[],
  below: readonly PatchSource[],
): readonly Saying[] {
  const overlaps = ({ path }: Saying | Removal): boolean => startsWith(path, from) || startsWith(from, path);
  const touching = below.filter(({ says, removes }) => says.some(overlaps) || removes.some(overlaps));
  const said = (touching.at(-1)?.says ?? []).filter(overlaps);
  const last = said.at(-1);
  const isWhole = last !== undefined && isAt(last, from);
  const areAllOfIt = touching.length === 1 && said.every((each) => isBelow(each, from));
  const own = isWhole ? [last] : areAllOfIt && touching[0]?.removes.some(overlaps) === false ? said : [];
  return own.map((each) => ({ ...each, path: [...to, ...each.path.slice(from.length)] }));
}

/** `$patch: delete` and `$patch: replace`, where they are. */
function directivesIn(
  path: readonly string[],
  node: Node,
  placeAt: SourceDocument["placeAt"],
): readonly Removal[] {
  const value = node.value;
  if (!value.isMapping) return [];
  const directive = value.textAt("$patch");
  const at = placeAt((value.get("$patch") ?? value).offset);
  const own = directive === undefined ? [] : [{ path, at }];
  return [...own, ...keysIn(value).flatMap(([key, entry]) => directivesIn([...path, key], entry, placeAt))];
}

/** Scalars, lists and empty mappings; directives of patches are no values. */
export function leavesOf(path: readonly string[], node: Node): readonly NodeAt[] {
  const value = node.value;
  if (!value.isMapping) return [{ path, node: value }];
  const entries = keysIn(value);
  const values = entries.filter(([key]) => !isDirective(key));
  if (entries.length === 0) return [{ path, node: value }];
  return values.flatMap(([key, entry]) => leavesOf([...path, key], entry));
}
