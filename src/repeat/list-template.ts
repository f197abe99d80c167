// Where the template of a list entry stands, in a list in which other entries may have cloned already.
import { describe, type Item } from "../wire/item.ts";
import { childrenOf, Field, field, Kind, kindOf, type Node } from "../yaml/tape.ts";
import { elementText } from "./elements.ts";
import { isTold, told, type Told } from "./faults.ts";
import { indexOf } from "./fields.ts";
import { type ListEntry, whereIs } from "./model.ts";
import type { ListRecord } from "./record.ts";
import { listAt, type Placed, shiftBefore } from "./records-in-place.ts";
/** Elements that are spoken for: rows of the document, from the first on. */
export interface Claim {
  readonly record: ListRecord;
  readonly from: number;
  readonly to: number;
}

export function claimOf({ record, list, at }: Placed, count = record.clones.length): Claim {
  const children = childrenOf(list);
  const [first, last] = [children[at], children[at + count - 1]];
  if (count === 0 || first === undefined || last === undefined) return { record, from: 0, to: 0 };
  return { record, from: first.row, to: field(last, Field.next) };
}

/** A template that nobody speaks for yet; it is spoken for from now on. @param placed records of the item's lists */
export function claimed(
  entry: ListEntry,
  item: Item,
  root: Node,
  { placed, claims }: { readonly placed: readonly Placed[]; readonly claims: Claim[] },
): Placed | Told {
  const place = templateIn(entry, item, root, placed);
  if (isTold(place)) return place;
  const claim = claimOf(place, 1);
  const other = claims.find(({ from, to }) => claim.from < to && from < claim.to);
  if (other !== undefined) return taken(entry, item, other.record);
  claims.push(claim);
  return place;
}

/** The element that is to be the template, and a record of it. */
function templateIn(entry: ListEntry, item: Item, root: Node, placed: readonly Placed[]): Placed | Told {
  const where = { ...whereIs(entry), field: `${entry.field}.path` };
  const name = describe(item);
  const list = listAt(root, entry.steps, placed);
  if (list === undefined)
    return told(
      "repeat-path",
      where,
      `\`${entry.path}\` of \`${name}\` leads to no list`,
      "correct the path; a list in it takes an index, and what is cloned itself holds no clones",
      [item],
    );
  const asked = indexOf(list, entry.element);
  const isIndex = /^\d+$/.test(entry.element);
  const own = placed.filter((one) => one.list.row === list.row);
  const other = own.find(({ record }) => record.index === (isIndex ? asked : undefined));
  if (other !== undefined) return taken(entry, item, other.record);
  const at = asked === undefined ? -1 : isIndex ? asked + shiftBefore(list, asked, placed) : asked;
  const element = childrenOf(list)[at];
  if (element === undefined)
    return told(
      "repeat-path",
      where,
      `\`${entry.path}\` of \`${name}\`: no element \`[${entry.element}]\` in a list of ${childrenOf(list).length}`,
      "correct the path, or add the element that is the template",
      [item],
    );
  if (kindOf(element) === Kind.alias)
    return told("repeat-path", where, "a YAML alias stands there", "write it out", [item]);
  const index =
    at - own.filter((one) => one.at < at).reduce((sum, { record }) => sum + record.clones.length - 1, 0);
  const record = {
    repeat: entry.repeat.name,
    path: entry.path,
    index,
    template: elementText(element),
    clones: [],
  };
  return { record, list, at };
}

function taken(entry: ListEntry, item: Item, { repeat, path }: ListRecord): Told {
  const where = { ...whereIs(entry), field: `${entry.field}.path` };
  return told(
    "repeat-path",
    where,
    `\`${entry.path}\` of \`${describe(item)}\` meets \`${path}\`, a template of \`Repeat/${repeat}\``,
    "clone another element, or make both one entry",
    [item],
  );
}
