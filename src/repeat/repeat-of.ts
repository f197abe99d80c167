// Whose a clone is, where several Repeats have one name.
import { hasName } from "../select/names.ts";
import { Mark } from "../wire/annotation-names.ts";
import type { Item } from "../wire/item.ts";

/** The Repeat that a clone's record names: of several that one which came along with it. */
export function repeatOf(
  item: Item,
  { repeat: name }: { readonly repeat: string },
  repeats: readonly Item[],
): Item | undefined {
  const named = repeats.filter((repeat) => hasName(repeat, name));
  if (named.length < 2) return named[0];
  const isNear = (repeat: Item): boolean =>
    (repeat.annotations.get(Mark.prefixes) ?? "") === (item.annotations.get(Mark.prefixes) ?? "") &&
    (repeat.namespace ?? item.namespace) === item.namespace;
  return named.find(isNear) ?? named[0];
}
