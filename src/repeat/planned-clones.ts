// Which clones of whole items a Repeat makes, of which templates, and under which names.
import {
  describe,
  type Envelope,
  type Item,
  type Named,
  NameIndex,
  scalarText,
  type Settings,
} from "../core/index.ts";
import { type Diagnostic, meantOr, nearest } from "../diagnostic.ts";
import type { OriginEdit } from "./draft.ts";
import { fail, type Failure, isFailure } from "./faults.ts";
import {
  type Entry,
  holdsAliases,
  isResource,
  type Repeat,
  type ResourceEntry,
  type Scope,
  entryPlace,
} from "./model.ts";
import { scopesOf } from "./scopes.ts";
import { escapes } from "./setting.ts";
import { fillAsText } from "./placeholders.ts";

export interface RepeatRun {
  readonly envelope: Envelope;
  readonly settings: Settings;
  readonly repeats: readonly Repeat[];
}

export interface EditsOrFaults {
  readonly edits: readonly OriginEdit[];
  readonly faults: readonly Diagnostic[];
}

/** Clones of whole items, by their identity: what each is made for. */
export type ClonesByIdentity = ReadonlyMap<string, PlannedClone>;

/** One clone that is made. */
export interface PlannedClone extends CloneName {
  readonly entry: ResourceEntry;
  readonly scope: Scope;
  readonly template: Item;
}

/** The clones that a Repeat makes. */
export interface Plan {
  readonly templates: ReadonlyMap<Item, ResourceEntry>;
  readonly wanted: readonly PlannedClone[];
  readonly faults: readonly Diagnostic[];
}

/** All clones of a Repeat, template by template. */
export function planClones(repeat: Repeat, names: NameIndex, items: readonly Item[]): Plan {
  const wanted: PlannedClone[] = [];
  const faults: Diagnostic[] = [];
  const templates = new Map<Item, ResourceEntry>();
  for (const entry of repeat.entries.filter(isResource)) {
    const template = findItem(entry, names, items);
    const own = isFailure(template)
      ? template
      : (clonedTwice(entry, templates.get(template)) ?? plannedFor(entry, template, repeat));
    if (isFailure(template) || "fault" in own) {
      faults.push((own as Failure).fault);
      continue;
    }
    templates.set(template, entry);
    for (const each of own) wanted.push(each);
  }
  return { templates, wanted, faults };
}

function clonedTwice(entry: ResourceEntry, other: ResourceEntry | undefined): Failure | undefined {
  if (other === undefined) return undefined;
  return fail(
    entryPlace(entry),
    `\`${other.field}\` clones \`${entry.kind}/${entry.name}\` already`,
    "clone it once here; another Repeat may clone it as well",
  );
}

function plannedFor(
  entry: ResourceEntry,
  template: Item,
  { instances }: Repeat,
): readonly PlannedClone[] | Failure {
  const scopes = scopesOf(entry, instances);
  if (isFailure(scopes)) return scopes;
  const wanted: PlannedClone[] = [];
  for (const scope of scopes) {
    const name = nameOf(entry, scope, template);
    if (isFailure(name)) return name;
    wanted.push({ entry, scope, template, ...name });
  }
  return wanted;
}

/** The item that an entry names. */
export function findItem(entry: Entry, names: NameIndex, items: readonly Item[]): Item | Failure {
  const { kind, name, namespace, apiVersion, repeat } = entry;
  const where = entryPlace(entry);
  const fits = (item: Item): boolean => apiVersion === undefined || item.apiVersion === apiVersion;
  const near = names.find<string>({ kind, name, namespace }, repeat).filter(fits);
  const everywhere = names
    .named<string>(kind, name)
    .filter((item) => fits(item) && (namespace === undefined || item.namespace === namespace));
  const [found, second] = near.length > 0 ? near : everywhere;
  const many = near.length > 0 ? near : everywhere;
  if (second !== undefined)
    return fail(
      where,
      `\`${kind}/${name}\` is there ${many.length} times`,
      "write its `namespace` or `apiVersion`",
      many,
    );
  if (found === undefined) return notThere(entry, items);
  if (found === repeat || found.kind === "Repeat")
    return fail(where, "a Repeat cannot be cloned", "clone what it clones");
  return holdsAliases(found)
    ? fail(where, `\`${describe(found)}\` holds YAML aliases`, "write it out", [found])
    : found;
}

function notThere(entry: Entry, items: readonly Item[]): Failure {
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
  return fail(where, `\`${kind}/${name}\`${version} is not in the list${place}`, hint);
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

/** What kustomize put before and after a template's name since the Repeat was written. */
interface Affixes {
  readonly before: string;
  readonly after: string;
}

function affixesOf(template: Item, { name }: ResourceEntry): Affixes {
  const at = template.name.indexOf(name);
  if (at < 0 || template.name === name) return { before: "", after: "" };
  return { before: template.name.slice(0, at), after: template.name.slice(at + name.length) };
}

/** What a clone is called: now, and as the Repeat spells it. */
export interface CloneName {
  readonly name: string;
  /** Without what kustomize put around the template's name. */
  readonly bareName: string;
}

/** The name that a clone gets. */
function nameOf(entry: ResourceEntry, scope: Scope, template: Item): CloneName | Failure {
  const filled = fillAsText(entry.as, scope, entry.repeat);
  if (!filled.mayGoTo(template, "metadata"))
    return escapes(entry, { path: "metadata.name", value: entry.as }, `${entry.kind}'s name`);
  const bare = filled.writeTo(template, "metadata");
  if (isFailure(bare)) return bare;
  const { before, after } = affixesOf(template, entry);
  const name = before + bare.text + after;
  return wrongName(name, entry, template) ?? { name, bareName: bare.text };
}

function wrongName(name: string, entry: ResourceEntry, { apiVersion }: Named): Failure | undefined {
  const isLabel = labelKinds.includes(entry.kind);
  const longest = isLabel ? longestLabel : longestName;
  const where = entryPlace(entry, entry.as);
  if (name.length > longest)
    return fail(
      where,
      `a ${entry.kind} would have a name of ${name.length} characters, and Kubernetes takes ${longest}`,
      "shorten `as`, or the instance's name",
    );
  if (apiVersion.startsWith(freeGroup) && name !== "" && !/[/%]|^\.\.?$/.test(name)) return undefined;
  if (subdomain.test(name) && !(isLabel && name.includes("."))) return undefined;
  return fail(
    where,
    `\`${name}\` is not a valid name for a ${entry.kind}: expected lower-case letters, digits${isLabel ? " and `-`" : ", `-` and `.`"}, and a letter or digit at both ends`,
    entry.declared === undefined
      ? `rename the instance, or take a value of it instead of \`{name}\` in \`${scalarText(entry.as.node)}\``
      : ownNames,
  );
}

/** The identity of an item for the API server. */
export function identityOf({
  apiVersion,
  kind,
  name,
  namespace,
}: Pick<Named, "apiVersion" | "kind" | "name" | "namespace">): string {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return `${group}/${kind}/${namespace ?? ""}/${name}`;
}
