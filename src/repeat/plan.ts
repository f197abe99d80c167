// What is cloned: the items that entries name, for whom, and under which names.
import type { Item, Named } from "../krm/index.ts";
import { NameIndex } from "../core/index.ts";
import { type Diagnostic, meantOr, nearest } from "../diagnostic.ts";
import { objectKey, objectText } from "../object-id.ts";
import { attempt, refusal, type Refused, type RepeatPlace } from "./faults.ts";
import {
  type CloneEntry,
  entryPlace,
  holdsAliases,
  isList,
  isResource,
  type ListEntry,
  type Repeat,
  type ResourceEntry,
  type Scope,
} from "./model.ts";
import { asText, fillIn } from "./placeholders.ts";
import { scopesOf } from "./scopes.ts";

/** One clone of a whole item that is made. */
export interface PlannedClone extends CloneName {
  readonly entry: ResourceEntry;
  readonly scope: Scope;
  readonly template: Item;
}

/** Elements of one list that are made. */
export interface ListTask {
  readonly entry: ListEntry;
  readonly scopes: readonly Scope[];
}

/** All that is made of one Repeat. */
export interface RepeatPlan {
  readonly templates: ReadonlyMap<Item, ResourceEntry>;
  readonly clones: readonly PlannedClone[];
  /** By the item that holds the list. It may be one of the templates. */
  readonly lists: ReadonlyMap<Item, readonly ListTask[]>;
}

/** What each Repeat clones. Faults of whole items come first: lists may be in their clones. */
export function planAll(
  repeats: readonly Repeat[],
  items: readonly Item[],
  faults: Diagnostic[],
): readonly RepeatPlan[] {
  const names = new NameIndex(items);
  const find = (entry: CloneEntry): Item => findItem(entry, names, items);
  const wholes = repeats.map((repeat) => wholeClones(repeat, find, faults));
  if (faults.length > 0) return [];
  const owners = new Map(
    wholes.flatMap(({ templates }, index) =>
      [...templates.keys()].map((item) => [item, repeats[index]] as const),
    ),
  );
  return repeats.map((repeat, index) => {
    const lists = new Map<Item, ListTask[]>();
    for (const entry of repeat.entries.filter(isList))
      attempt(faults, () => {
        const item = find(entry);
        const scopes = scopesOf(entry, repeat.instances);
        const owner = owners.get(item) ?? repeat;
        if (owner !== repeat) throw foreign(entry, item, owner);
        lists.set(item, [...(lists.get(item) ?? []), { entry, scopes }]);
      });
    return { ...(wholes[index] as (typeof wholes)[number]), lists };
  });
}

function wholeClones(
  { entries, instances }: Repeat,
  find: (entry: CloneEntry) => Item,
  faults: Diagnostic[],
): Omit<RepeatPlan, "lists"> {
  const templates = new Map<Item, ResourceEntry>();
  const clones: PlannedClone[] = [];
  for (const entry of entries.filter(isResource))
    attempt(faults, () => {
      const template = find(entry);
      const other = templates.get(template);
      if (other !== undefined) throw clonedTwice(entry, other);
      const own = scopesOf(entry, instances).map((scope) => ({
        entry,
        scope,
        template,
        ...nameOf(entry, scope, template),
      }));
      templates.set(template, entry);
      for (const each of own) clones.push(each);
    });
  return { templates, clones };
}

/** The lists inside of a clone: elements for what the clone itself is made for. */
export function tasksFor(
  { entry: whole, scope, template }: PlannedClone,
  { lists }: RepeatPlan,
): readonly ListTask[] {
  const { instance: its, item: part } = scope;
  return (lists.get(template) ?? []).map(({ entry, scopes }) => {
    const isAlike = whole.each?.text === entry.each?.text;
    const isOwn = ({ instance, item }: Scope): boolean =>
      instance.name === its.name && (part === undefined || !isAlike || item?.name === part.name);
    return { entry, scopes: scopes.filter(isOwn) };
  });
}

function clonedTwice(entry: ResourceEntry, other: ResourceEntry): Refused {
  return refusal(
    entryPlace(entry),
    `\`${other.field}\` clones \`${entry.kind}/${entry.name}\` already`,
    "clone it once here; another Repeat may clone it as well",
  );
}

function foreign(entry: ListEntry, item: Item, { item: other }: Repeat): Refused {
  return refusal(
    entryPlace(entry),
    `\`${objectText(item)}\` is a template of \`${objectText(other)}\``,
    "write this entry there: an entry repeats inside of the clones of its own Repeat",
    [item],
  );
}

/** The item that an entry names. */
function findItem(entry: CloneEntry, names: NameIndex, items: readonly Item[]): Item {
  const { kind, name, namespace, apiVersion, repeat } = entry;
  const where = entryPlace(entry);
  const fits = (item: Item): boolean => apiVersion === undefined || item.apiVersion === apiVersion;
  const near = names.find<string>({ kind, name, namespace }, repeat).filter(fits);
  const everywhere = names
    .named<string>(kind, name)
    .filter((item) => fits(item) && (namespace === undefined || item.namespace === namespace));
  const all = near.length > 0 ? near : everywhere;
  const [found, second] = all;
  if (found === undefined) throw notThere(entry, items);
  if (second !== undefined)
    throw refusal(
      where,
      `\`${kind}/${name}\` exists ${all.length} times`,
      "write its `namespace` or `apiVersion`",
      all,
    );
  if (found === repeat || found.kind === "Repeat")
    throw refusal(where, "a Repeat cannot be cloned", "clone what it clones");
  if (holdsAliases(found))
    throw refusal(
      where,
      `\`${objectText(found)}\` holds YAML aliases`,
      "write the values in place of the aliases",
      [found],
    );
  return found;
}

function notThere(entry: CloneEntry, items: readonly Item[]): Refused {
  const { kind, name, namespace, apiVersion } = entry;
  const where = entryPlace(entry);
  const near = nearest(
    name,
    items.flatMap((item) => (item.kind === kind && item.name !== name ? item.name : [])),
  );
  const other = items.find((item) => item.kind === kind && item.name === name);
  const place = namespace === undefined ? "" : ` in namespace \`${namespace}\``;
  const version = apiVersion === undefined ? "" : ` of \`${apiVersion}\``;
  const hint =
    other !== undefined
      ? `there is one of \`${other.apiVersion}\` in namespace \`${other.namespace ?? ""}\``
      : meantOr(near, "add the item to the list, or take the entry away");
  return refusal(where, `\`${kind}/${name}\`${version} is not in the list${place}`, hint);
}

/** KOTS calls a clone by the key of its value. */
export const ownNames = "write `clone` in the Repeat: `as` says how clones are called";

const label = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const subdomain = new RegExp(`^${label}(?:\\.${label})*$`);
const longestName = 253;
const longestLabel = 63;
/** Kinds with names of one DNS label. */
const labelKinds: readonly string[] = ["Service", "Namespace"];
/** The group of kinds with names of nearly any form. */
const freeGroup = "rbac.authorization.k8s.io/";

/** With what kustomize put before and after a template's name since the Repeat was written. */
function withAffixes(bareName: string, template: Item, { name }: ResourceEntry): string {
  const at = template.name.indexOf(name);
  return at < 0 ? bareName : template.name.slice(0, at) + bareName + template.name.slice(at + name.length);
}

/** What a clone is called: now, and as the Repeat spells it. */
export interface CloneName {
  readonly name: string;
  /** Without what kustomize put around the template's name. */
  readonly bareName: string;
}

/** The name that a clone gets. */
function nameOf(entry: ResourceEntry, scope: Scope, template: Item): CloneName {
  const { as, repeat, kind } = entry;
  const where = entryPlace(entry, as);
  const into = `\`metadata.name\` of a ${kind}'s name`;
  const filling = { scope, where: { repeat, field: as.field }, sink: template, field: "metadata", into };
  const bareName = asText(fillIn(as.text, filling), as.text, filling);
  const name = withAffixes(bareName, template, entry);
  checkName(name, entry, template, where);
  return { name, bareName };
}

function checkName(name: string, entry: ResourceEntry, { apiVersion }: Named, where: RepeatPlace): void {
  const isLabel = labelKinds.includes(entry.kind);
  const longest = isLabel ? longestLabel : longestName;
  if (name.length > longest)
    throw refusal(
      where,
      `a ${entry.kind} would have a name of ${name.length} characters, and Kubernetes takes ${longest}`,
      "shorten `as`, or the instance's name",
    );
  if (apiVersion.startsWith(freeGroup) && name !== "" && !/[/%]|^\.\.?$/.test(name)) return;
  if (subdomain.test(name) && !(isLabel && name.includes("."))) return;
  throw refusal(
    where,
    `\`${name}\` is not a valid name for a ${entry.kind}: expected lower-case letters, digits${isLabel ? " and `-`" : ", `-` and `.`"}, and a letter or digit at both ends`,
    entry.declared === undefined
      ? `rename the instance, or take a value of it instead of \`{name}\` in \`${entry.as.text}\``
      : ownNames,
  );
}

/** The identity of an item for the API server. */
export function identityOf(item: Omit<Named, "annotations">): string {
  const { apiVersion } = item;
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return `${group}/${objectKey(item)}`;
}
