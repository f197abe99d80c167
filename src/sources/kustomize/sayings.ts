// What a document of a build says below a field, such as `spec.values`, and what it takes away there.
import type { Node } from "../../yaml/index.ts";
import type { Place } from "../../explanation.ts";
import { keysIn, membersOf, type SourceDocument, startsWith } from "./marks.ts";

/** What a document says at a path. */
export interface Saying {
  readonly path: readonly string[];
  readonly node: Node;
  readonly at: Place;
}

/** Where a document takes away what is at a path; it may set something else there. */
export interface Removal {
  readonly path: readonly string[];
  readonly at: Place;
}

export interface PatchSource {
  readonly document: SourceDocument;
  readonly says: readonly Saying[];
  readonly removes: readonly Removal[];
}

export function isAt({ path }: { readonly path: readonly string[] }, other: readonly string[]): boolean {
  return path.length === other.length && startsWith(path, other);
}

export function isBelow(each: Saying | Removal, path: readonly string[]): boolean {
  return each.path.length > path.length && startsWith(each.path, path);
}

export function isNullValue(node: Node): boolean {
  const value = node.value;
  return value.isScalar && value.isNull;
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
      else says.push({ ...each, at });
    }
  };
  const own =
    root === undefined
      ? undefined
      : field.reduce<Node | undefined>((node, key) => node && membersOf(node.value).get(key), root);
  if (own !== undefined) {
    say([], own);
    removes.push(...directivesIn([], own, placeAt));
  }
  for (const { op, path, value, node } of operations ?? []) {
    if (!startsWith(path, field) || !["add", "replace", "remove"].includes(op)) continue;
    const steps = path.slice(field.length);
    removes.push({ path: steps, at: placeAt(node.offset) });
    if (value !== undefined && op !== "remove") say(steps, value);
  }
  return { document, says, removes };
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
export function leavesOf(
  path: readonly string[],
  node: Node,
): readonly { path: readonly string[]; node: Node }[] {
  const value = node.value;
  if (!value.isMapping) return [{ path, node: value }];
  const entries = keysIn(value);
  const values = entries.filter(([key]) => !key.startsWith("$"));
  if (entries.length === 0) return [{ path, node: value }];
  return values.flatMap(([key, entry]) => leavesOf([...path, key], entry));
}
