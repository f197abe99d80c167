// The places of one document that have rules (setting `merge`), and which lists there do not fit.
import type { Document, Node } from "../yaml/index.ts";
import { keysIn } from "./identity.ts";
import { isNullNode } from "./kinds.ts";
import { deletedValue, hasMarkers, isResetMarker, patchOf } from "./markers.ts";
import { type EntryPath, pathTo } from "./meet.ts";
import type { Rules } from "./rules.ts";
import { leafOf } from "./tree.ts";

/** An entry that has a rule. */
export interface RuledPlace {
  readonly entry: Node;
  readonly rules: Rules;
  /** True inside an element of a list. */
  readonly inElement: boolean;
  /** Keys from the top; for lists in lists without the keys of their elements. */
  readonly path: () => string[];
}

/** Cached, because several steps need the places of a document. */
const placesIn = new WeakMap<Document, { readonly rules: Rules; readonly places: readonly RuledPlace[] }>();

/** Entries of a document that have rules, parents first. */
export function ruledPlaces(root: Node, rules: Rules): readonly RuledPlace[] {
  const before = placesIn.get(root.doc);
  if (before?.rules === rules) return before.places;
  const places: RuledPlace[] = [];
  visit(root, rules, undefined, places);
  placesIn.set(root.doc, { rules, places });
  return places;
}

function visit(node: Node, at: Rules, above: EntryPath | undefined, places: RuledPlace[]): void {
  const value = node.value;
  if (value.isMapping) {
    for (const entry of value.members()) {
      const rules = at.at(entry);
      if (rules === undefined) continue;
      const inElement = above?.inElement ?? false;
      if (rules.appliesHere)
        places.push({ entry, rules, inElement, path: () => pathTo(above, entry, (each) => each.key) });
      visit(entry, rules, { entry, above, inElement }, places);
    }
    return;
  }
  const inside = value.isSequence && at.list !== undefined ? at.inElements : undefined;
  if (inside === undefined || above === undefined) return;
  for (const item of value.children()) visit(item, inside, { ...above, inElement: true }, places);
}

/** An element that does not fit the rule of its list. The clause names keys of the rule, and never a value. */
export interface Misfit {
  readonly node: Node;
  readonly what: string;
}

/** Elements that cannot be merged by the rule of their list. */
export function misfitsIn({ entry, rules }: Pick<RuledPlace, "entry" | "rules">): Misfit[] {
  const { list } = rules;
  const sequence = entry.value;
  if (list === undefined || !sequence.isSequence) return [];
  const known = new Map<string, number>();
  return sequence.children().flatMap((node, index): Misfit[] => {
    const what =
      wrongMarker(node, index, list) ??
      (typeof list === "object" ? wrongKey(node, index, list, known) : undefined);
    return what === undefined ? [] : [{ node, what: `element ${index + 1} ${what}` }];
  });
}

function wrongMarker(node: Node, index: number, list: NonNullable<Rules["list"]>): string | undefined {
  const patch = patchOf(node);
  if (patch === undefined) return undefined;
  if (isResetMarker(node))
    return index === 0 ? undefined : "is a `$patch: replace` on its own, which must come first";
  if (typeof list === "object")
    return patch === "delete" || patch === "replace"
      ? undefined
      : "has a `$patch` other than `delete` and `replace`";
  if (list !== "set")
    return "has a `$patch`, of which this rule knows only a first element `- $patch: replace`";
  return deletedValue(node) === undefined
    ? "has a `$patch` other than `{$patch: delete, $value: …}`"
    : undefined;
}

function wrongKey(
  node: Node,
  index: number,
  keys: readonly string[],
  known: Map<string, number>,
): string | undefined {
  if (isResetMarker(node)) return undefined;
  const named = keys.map((key) => `\`${key}\``).join(" and ");
  if (!node.value.isMapping) return `is no mapping, so it has no ${named}`;
  const identity = keysIn(leafOf(node), keys);
  if (identity === undefined) return `has no ${named} that is one value`;
  const twin = known.get(identity);
  known.set(identity, index);
  return twin === undefined ? undefined : `has the ${named} of element ${twin + 1}`;
}

/** True if a document has something that only folding carries out: directives, and nulls that are dropped. */
export function holdsDirectives(root: Node, rules: Rules): boolean {
  return ruledPlaces(root, rules).some(isDirective);
}

export function isDirective({ entry, rules }: RuledPlace): boolean {
  return (rules.list !== undefined && hasMarkers(entry.value)) || (rules.dropsNulls && isNullNode(entry));
}

/** Where the directives are that a rule carries out: offsets of their `$patch`. */
export function directivesIn(root: Node, rules: Rules): ReadonlySet<number> {
  const lists = ruledPlaces(root, rules).filter((place) => place.rules.list !== undefined);
  const elements = lists.flatMap(({ entry }) => entry.value.children().map((each) => each.value));
  const entries = elements.flatMap((element) => (element.isMapping ? element.children() : []));
  return new Set(entries.map((entry) => entry.entryStart));
}
