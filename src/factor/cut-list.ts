// Lists with a key that identifies elements, cut element by element. Merging keeps the order of the base and adds new elements
// after it. So in exact order the base takes a leading part that all lists share; in free order any element that all have.
import type { Rules } from "../merge/index.ts";
import { type Cut, type CutOptions, savedBy, uncut } from "./cut-form.ts";
import { type Part, sumOf } from "./part.ts";

/** The rule of the lists, and how what is in them is cut. */
interface ListCut {
  readonly keys: readonly string[];
  readonly rules: Rules;
  readonly options: CutOptions;
  readonly cut: (parts: readonly Part[], rules: Rules | undefined, options: CutOptions) => Cut;
  readonly cutWhole: (parts: readonly Part[], options: CutOptions) => Cut;
  readonly cutFreely: ListCut["cut"];
}

/** One element that all lists have. */
interface SharedElement {
  readonly name: string;
  readonly base: Part;
  readonly rest: readonly (Part | undefined)[];
  readonly saved: number;
}

export function cutList(parts: readonly Part[], how: ListCut): Cut {
  const { rules, options } = how;
  const named = parts.map((part) => namesIn(part, how.keys));
  const isExact = !options.reorder || parts.some(({ node }) => options.pins.isOrdered(node));
  const shared = isExact ? leading(named, how) : anywhere(named, how);
  const found = shared.length === 0 ? uncut(parts) : without(parts, shared, named, options);
  // Without the rule a file could override the list as a whole.
  if (options.onRule !== undefined) {
    const other = how.cutWhole(parts, options);
    options.onRule(rules, Math.max(0, savedBy(found, parts)) - savedBy(other, parts));
  }
  return found;
}

/** The elements of a list by their identity. */
export function namesIn({ items = [] }: Part, keys: readonly string[]): ReadonlyMap<string, Part> {
  return new Map(items.map((item) => [nameOf(item, keys) ?? "", item]));
}

/** The identity of an element; undefined if a key is missing, null or no single value. */
export function nameOf({ members }: Part, keys: readonly string[]): string | undefined {
  const found = keys.map((key) => members?.get(key));
  const isNamed = found.every((each) => each?.kind === "scalar" || each?.kind === "variable");
  return isNamed ? found.map((each) => each?.id).join() : undefined;
}

/** An element that shares no more than its key may be worth its line: elements after it can be shared, too. */
function leading(named: readonly ReadonlyMap<string, Part>[], how: ListCut): readonly SharedElement[] {
  const orders = named.map((each) => [...each.keys()]);
  const shared: SharedElement[] = [];
  let [saved, most, length] = [0, 0, 0];
  for (const [index, name] of (orders[0] ?? []).entries()) {
    if (!orders.every((order) => order[index] === name)) break;
    const element = sharedElement(name, named, how, how.cutFreely);
    if (element === undefined) break;
    shared.push(element);
    saved += element.saved;
    if (saved > most) [most, length] = [saved, index + 1];
  }
  return shared.slice(0, length);
}

function anywhere(named: readonly ReadonlyMap<string, Part>[], how: ListCut): readonly SharedElement[] {
  const names = [...(named[0]?.keys() ?? [])].filter((name) => named.every((each) => each.has(name)));
  return names.flatMap((name) => {
    const element = sharedElement(name, named, how, how.cut);
    return element !== undefined && element.saved > 0 ? element : [];
  });
}

function sharedElement(
  name: string,
  named: readonly ReadonlyMap<string, Part>[],
  { keys, rules, options }: ListCut,
  cutElement: ListCut["cut"],
): SharedElement | undefined {
  const found = named.map((each) => each.get(name) as Part);
  const made = cutElement(found, rules.inElements, options);
  if (made.base === undefined) return undefined;
  const base = withKeys(made.base, found[0] as Part, keys, options);
  const rest = made.rest.map((each, index) => each && withKeys(each, found[index] as Part, keys, options));
  return { name, base, rest, saved: sumOf(found) - sumOf(rest) - base.lines };
}

/** A part of an element, and its keys. */
function withKeys(some: Part, whole: Part, keys: readonly string[], { parts }: CutOptions): Part {
  if (keys.every((key) => some.members?.has(key))) return some;
  const kept = [...(whole.members ?? [])].flatMap(([key, member]) => {
    const left = some.members?.get(key) ?? (keys.includes(key) ? member : undefined);
    return left === undefined ? [] : [[key, left] as const];
  });
  return parts.mapping(whole, new Map(kept));
}

function without(
  lists: readonly Part[],
  shared: readonly SharedElement[],
  named: readonly ReadonlyMap<string, Part>[],
  { parts }: CutOptions,
): Cut {
  const byName = new Map(shared.map((each) => [each.name, each]));
  const rest = lists.map((list, index) => {
    const items = [...(named[index] ?? [])].flatMap(([name, item]): readonly Part[] => {
      const element = byName.get(name);
      const left = element === undefined ? item : element.rest[index];
      return left === undefined ? [] : [left];
    });
    return items.length === 0 ? undefined : parts.list(list, items);
  });
  const [first] = lists as [Part];
  return {
    base: parts.list(
      first,
      shared.map(({ base }) => base),
    ),
    rest,
  };
}
