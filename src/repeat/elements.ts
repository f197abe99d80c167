// Elements of an item's lists: each entry names one as a template, and its clones stand in its place. No element is claimed by
// two entries.
import {
  type TextEdit,
  elementText,
  isNode,
  type Item,
  replaceElements,
  withoutComments,
} from "../krm/index.ts";
import { grouped } from "../grouped.ts";
import type { Node } from "../yaml/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import { Draft } from "./draft.ts";
import { attempt, refusal, type Refused } from "./faults.ts";
import { follow, indexOf } from "./follow.ts";
import { declaredEdits } from "./kots-text.ts";
import { entryPlace, type ListEntry, type Scope } from "./model.ts";
import type { ListTask, RepeatPlan } from "./plan.ts";
import { fieldValues, withFields } from "./setting.ts";

/** The edits of items that hold lists and are no templates: elements in all Repeats' lists. */
export function listEdits(plans: readonly RepeatPlan[], faults: Diagnostic[]): readonly TextEdit[] {
  const tasks = new Map<Item, ListTask[]>();
  for (const { lists, templates } of plans)
    for (const [item, own] of lists)
      if (!templates.has(item)) tasks.set(item, [...(tasks.get(item) ?? []), ...own]);
  return [...tasks].flatMap(
    ([item, own]) =>
      attempt(faults, () => {
        const root = item.read();
        if (!isNode(root)) throw unreadable(own, item);
        const edits = elementEdits({ root, item, name: objectText(item) }, own);
        return withoutComments(item, edits);
      }) ?? [],
  );
}

function unreadable([task]: readonly ListTask[], item: Item): Refused {
  const { entry } = task as ListTask;
  const where = entryPlace(entry, { field: entry.pathField });
  return refusal(where, `\`${objectText(item)}\` cannot be read`, "correct it", [item]);
}

/** An item with lists, as it is or as a clone. */
export interface Holder {
  readonly root: Node;
  /** The item, or the template of the clone. */
  readonly item: Item;
  readonly name: string;
}

/** An element that an entry clones. */
interface ElementClaim {
  readonly entry: ListEntry;
  readonly list: Node;
  readonly at: number;
  readonly element: Node;
}

/** The edits that clone elements of one item. */
export function elementEdits(holder: Holder, tasks: readonly ListTask[]): readonly TextEdit[] {
  const claims: ElementClaim[] = [];
  const made = tasks.map(({ entry, scopes }) => {
    const claimed = claim(entry, holder, claims);
    claims.push(claimed);
    return { ...claimed, texts: clonesOf(claimed, scopes, holder) };
  });
  return [...grouped(made, ({ list }) => list.row).values()].flatMap((own) => {
    const list = own[0]?.list;
    return list === undefined
      ? []
      : [replaceElements(list, new Map(own.map(({ at, texts }) => [at, texts])))];
  });
}

/** The element that an entry names, if no other entry has it, or what is around or inside of it. */
function claim(
  entry: ListEntry,
  { root, item, name }: Holder,
  others: readonly ElementClaim[],
): ElementClaim {
  const where = entryPlace(entry, { field: entry.pathField });
  const path = `\`${entry.path}\` of \`${name}\``;
  const { node, left } = follow(root, entry.steps);
  const list = node.value;
  if (left.length > 0 || !list.isSequence) {
    const hint = "correct the path; a list in it takes an index, and what is cloned itself holds no clones";
    throw refusal(where, `${path} leads to no list`, hint, [item]);
  }
  const children = list.children();
  const at = indexOf(list, entry.element) ?? -1;
  const element = children[at];
  if (element === undefined) {
    const message = `${path}: no element \`[${entry.element}]\` in a list of ${children.length}`;
    throw refusal(where, message, "correct the path, or add the element that is the template", [item]);
  }
  const other = others.find((one) => meet(one.element, element));
  if (other === undefined) return { entry, list, at, element };
  const message = `${path} meets \`${other.entry.path}\`, a template of \`Repeat/${other.entry.repeat.name}\``;
  throw refusal(where, message, "clone another element, or make both one entry", [item]);
}

/** True for equal nodes, and for one inside of the other. */
function meet(a: Node, b: Node): boolean {
  return a.row < b.nextRow && b.row < a.nextRow;
}

function clonesOf(
  { entry, element }: ElementClaim,
  scopes: readonly Scope[],
  { item }: Holder,
): readonly string[] {
  const draft = Draft.ofElement(elementText(element));
  const unfit = (): Refused =>
    refusal(
      entryPlace(entry),
      "the element that is the template cannot be read by itself",
      "write it out, without anchors",
    );
  return scopes.map((scope) => {
    const wanted = fieldValues(entry, scope, item);
    const { root } = draft;
    if (root === undefined) throw unfit();
    return withFields(draft, wanted, declaredEdits(root, entry, scope), unfit).text.toString("utf8");
  });
}
