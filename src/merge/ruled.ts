// The places of one document under rules (setting `merge`), and what is wrong with the lists there.
import { textOfKey } from "../yaml/key.ts";
import { isNull } from "../yaml/resolve.ts";
import { scalarText } from "../yaml/scalar.ts";
import {
  childrenOf,
  Field,
  field,
  isMapping,
  isScalar,
  isSequence,
  Kind,
  kindOf,
  type Node,
  valueOf,
} from "../yaml/tape.ts";
import { entryNodes } from "../yaml/view.ts";
import { keysIn } from "./identity.ts";
import { deletedValue, hasMarkers, isResetMarker, patchOf } from "./markers.ts";
import type { Rules } from "./rules.ts";
import { leafOf } from "./tree.ts";

/** An entry at or above which a rule holds. */
export interface RuledPlace {
  /** Keys from the top; those of lists in lists are not told. */
  readonly path: readonly string[];
  readonly entry: Node;
  readonly rules: Rules;
  /** True for what stands in an element of a list. */
  readonly inElement: boolean;
}

/** Entries of a document that rules say something about, or about what is below them. Parents first. */
export function ruledPlaces(root: Node, rules: Rules): RuledPlace[] {
  const places: RuledPlace[] = [];
  const visit = (node: Node, at: Rules, path: readonly string[], inElement: boolean): void => {
    const value = valueOf(node);
    if (isMapping(value))
      for (const entry of entryNodes(value)) {
        const inner = at.at(entry);
        if (inner === undefined) continue;
        const place = { path: [...path, textOfKey(entry)], entry, rules: inner, inElement };
        places.push(place);
        visit(entry, inner, place.path, inElement);
      }
    const inside = isSequence(value) && at.list !== undefined ? at.inElements : undefined;
    if (inside !== undefined) for (const item of childrenOf(value)) visit(item, inside, path, true);
  };
  visit(root, rules, [], false);
  return places;
}

/** What does not fit the rule of a list. Clauses: they name keys of the rule, and never a value. */
export interface Misfit {
  readonly node: Node;
  readonly what: string;
}

/** Elements that nobody could merge by the rule of their list. */
export function misfitsIn({ entry, rules }: Pick<RuledPlace, "entry" | "rules">): Misfit[] {
  const { list } = rules;
  const sequence = valueOf(entry);
  if (list === undefined || !isSequence(sequence)) return [];
  const known = new Map<string, number>();
  return childrenOf(sequence).flatMap((node, index): Misfit[] => {
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
    return index === 0 ? undefined : "is a `$patch: replace` alone, which stands first in a list";
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
  if (!isMapping(valueOf(node))) return `is no mapping, so it has no ${named}`;
  const identity = keysIn(leafOf(node), keys);
  if (identity === undefined) return `has no ${named} that is one value`;
  const twin = known.get(identity);
  known.set(identity, index);
  return twin === undefined ? undefined : `has the ${named} of element ${twin + 1}`;
}

/** True if a document says something that only folding carries out: directives, and nulls that are dropped. */
export function holdsDirectives(root: Node, rules: Rules): boolean {
  return ruledPlaces(root, rules).some(isDirective);
}

export function isDirective({ entry, rules }: RuledPlace): boolean {
  const value = valueOf(entry);
  return (
    (rules.list !== undefined && hasMarkers(value)) || (rules.dropsNulls && isScalar(value) && isNull(value))
  );
}

/** A plain `${…}` may become anything once Flux has filled it in. */
export function isVariable(value: Node): boolean {
  return kindOf(value) === Kind.plain && scalarText(value).includes("${");
}

/** Where the directives stand that a rule carries out: offsets of their `$patch`. */
export function directivesIn(root: Node, rules: Rules): ReadonlySet<number> {
  const lists = ruledPlaces(root, rules).filter((place) => place.rules.list !== undefined);
  const elements = lists.flatMap(({ entry }) => childrenOf(valueOf(entry)).map(valueOf));
  const entries = elements.flatMap((element) => (isMapping(element) ? childrenOf(element) : []));
  return new Set(entries.map((entry) => field(entry, Field.entry)));
}
