// Instances as KOTS keeps them: in the `valuesByGroup` of a Config's repeatable items, or in ConfigValues.
import { meantOr, nearest } from "../diagnostic.ts";
import { doubleQuote, type Node } from "../yaml/index.ts";
import { grouped } from "../grouped.ts";
import { refusal, type Refused, type RepeatPlace } from "./faults.ts";
import { instancesFrom, type RepeatInstance } from "./model.ts";
import { spelled } from "./spelling.ts";

export interface KotsInstances {
  readonly instances: readonly RepeatInstance[];
  /** Fewer are a fault. */
  readonly least?: number;
  /** How many a group says it has. */
  readonly counts?: readonly { readonly group: string; readonly wanted: number; readonly got: number }[];
}

interface KotsSource {
  readonly item?: string | undefined;
  readonly group?: string | undefined;
}

/** An item of a Config: options, perhaps repeatable. */
export interface ConfigItem {
  readonly node: Node;
  readonly name: string;
  readonly group: string;
  readonly field: string;
}

export function itemsOf(root: Node): readonly ConfigItem[] {
  return groupsOf(root).flatMap((group, at) =>
    group.list("items").map((each, index) => ({
      node: each.value,
      name: nameOf(each.value),
      group: nameOf(group),
      field: `spec.groups[${at}].items[${index}]`,
    })),
  );
}

function groupsOf(root: Node): readonly Node[] {
  const spec = root.get("spec");
  return spec === undefined ? [] : spec.list("groups").map((each) => each.value);
}

function nameOf(node: Node): string {
  return node.textAt("name") ?? "";
}

/** The values of a repeatable item, in all groups or in one; or the instances of a group. */
export function fromConfig(root: Node, { item, group }: KotsSource, where: RepeatPlace): KotsInstances {
  const items = itemsOf(root);
  if (item === undefined) return ofGroup(root, items, group, where);
  const found = items.find(({ name }) => name === item)?.node;
  if (found === undefined) throw notThere("item", item, items, where);
  const asked = (key: string): [string, Node][] =>
    entriesAt(found, key).filter(([name]) => group === undefined || name === group);
  const byGroup = new Map(asked("valuesByGroup").map(([name, entry]) => [name, entriesIn(entry.value)]));
  const counts = asked("countByGroup").map(([name, entry]) => ({
    group: name,
    wanted: Number(textIn(entry.value) ?? 0),
    got: byGroup.get(name)?.length ?? 0,
  }));
  const values = [...byGroup.values()].flat();
  const instances = composed(values.map(([name, entry]) => [name, spelled(entry, "json")]));
  return { instances, least: leastOf(found), counts };
}

/** Instances of a repeatable group: what each item has for them. A repeatable item of it is a mapping. */
function ofGroup(
  root: Node,
  all: readonly ConfigItem[],
  wanted: string | undefined,
  where: RepeatPlace,
): KotsInstances {
  if (wanted === undefined) throw nothingAsked(where);
  const groups = groupsOf(root);
  const group = groups.find((each) => nameOf(each) === wanted);
  if (group === undefined)
    throw notThere(
      "group",
      wanted,
      groups.map((node) => ({ name: nameOf(node) })),
      where,
    );
  const items = all.filter((each) => each.group === wanted);
  const texts = new Map<string, (readonly [string, string])[]>();
  for (const each of group.list("instanceNames")) texts.set(textIn(each.value) ?? "", []);
  for (const { node, name } of items)
    for (const [instance, own] of entriesAt(node, "valuesByGroup"))
      texts.set(instance, [...(texts.get(instance) ?? []), [name, itemText(node, own.value)]]);
  const instances = composed([...texts].map(([name, fields]) => [name, mappingText(fields)]));
  return { instances, least: leastOf(group) };
}

function itemText(item: Node, own: Node): string {
  const [only] = entriesIn(own);
  const isRepeatable = item.textAt("repeatable") === "true";
  return spelled(!isRepeatable && only !== undefined ? only[1] : own, "json");
}

/**
 * Values that say which repeatable item they are of, as KOTS writes them (`repeatableItem: port`), or by their key and
 * parent, as its proposal has them: `port-1a2b: { parent: nginx-3c4d, value: 80 }`.
 * @param isOptional true if the user allows an empty result
 */
export function fromConfigValues(
  root: Node,
  { item, group }: KotsSource,
  where: RepeatPlace,
  isOptional: boolean,
): KotsInstances {
  if (item === undefined && group === undefined) throw nothingAsked(where);
  const spec = root.get("spec");
  const values = (spec === undefined ? [] : entriesAt(spec, "values")).flatMap(([name, entry]) => {
    const parent = entry.value.textAt("parent");
    const of = entry.value.textAt("repeatableItem") ?? (parent === undefined ? undefined : withoutId(name));
    return of === undefined ? [] : [{ name, entry, parent, item: of }];
  });
  const groupOf = (parent: string | undefined): string[] => (parent === undefined ? [] : [withoutId(parent)]);
  const inGroup = values.filter(({ parent }) => group === undefined || groupOf(parent).includes(group));
  const own = inGroup.filter((value) => item === undefined || value.item === item);
  if (own.length === 0 && !isOptional) {
    const isGroup = inGroup.length === 0 && group !== undefined;
    const known = isGroup
      ? values.flatMap(({ parent }) => groupOf(parent))
      : values.map((value) => value.item);
    throw noValue(isGroup ? "group" : "item", (isGroup ? group : item) ?? "", known, where);
  }
  if (item !== undefined)
    return { instances: composed(own.map(({ name, entry }) => [name, textOfValue(entry)])) };
  const byParent = grouped(own, ({ parent }) => parent ?? "");
  return { instances: composed([...byParent].map(([parent, all]) => [parent, textOfItems(all)])) };
}

/** `port` of `port-1a2b`. */
function withoutId(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf("-")));
}

function textOfValue(entry: Node): string {
  const value = entry.value.get("value") ?? entry.value.get("default");
  return value === undefined ? '""' : spelled(value, "json");
}

/** What each item has for one parent: its value, or a mapping of several. */
function textOfItems(
  all: readonly { readonly name: string; readonly entry: Node; readonly item: string }[],
): string {
  const fields = [...grouped(all, ({ item }) => item)].map(([item, values]) => {
    const [first, second] = values;
    const text =
      first !== undefined && second === undefined
        ? textOfValue(first.entry)
        : mappingText(values.map(({ name, entry }) => [name, textOfValue(entry)]));
    return [item, text] as const;
  });
  return mappingText(fields);
}

function noValue(what: string, name: string, among: readonly string[], where: RepeatPlace): Refused {
  const near = nearest(name, among);
  const hint =
    near === undefined
      ? "correct the name, or write `minimumCount: 0` if there may be no values"
      : `did you mean \`${near}\`? If there may be no values, write \`minimumCount: 0\``;
  return refusal(where, `no value is of the ${what} \`${name}\``, hint);
}

function composed(texts: readonly (readonly [string, string])[]): readonly RepeatInstance[] {
  return instancesFrom(mappingText(texts));
}

function mappingText(texts: readonly (readonly [string, string])[]): string {
  return `{${texts.map(([name, text]) => `${doubleQuote(name)}: ${text}`).join(", ")}}`;
}

function leastOf(node: Node): number {
  return Number(node.textAt("minimumCount") ?? 0) || 0;
}

function entriesAt(node: Node, key: string): [string, Node][] {
  const value = node.get(key);
  return value === undefined ? [] : entriesIn(value);
}

function entriesIn(value: Node): [string, Node][] {
  return value.isMapping ? [...value.entries()] : [];
}

function textIn(node: Node): string | undefined {
  return node.isScalar && !node.isNull ? node.text : undefined;
}

function nothingAsked(where: RepeatPlace): Refused {
  return refusal(
    where,
    "expected `item` or `group` next to the KOTS kind",
    "name the repeatable item or group that holds the instances",
  );
}

function notThere(
  what: string,
  name: string,
  among: readonly { readonly name: string }[],
  where: RepeatPlace,
): Refused {
  const near = nearest(
    name,
    among.map((each) => each.name),
  );
  return refusal(where, `there is no ${what} \`${name}\``, meantOr(near, "correct the name"));
}
