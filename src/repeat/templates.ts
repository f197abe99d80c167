// The items that a Repeat speaks of: its templates, and those with a list to clone elements in.
import { nearest } from "../diagnostic.ts";
import { describe, Field, field, isNode, type Item, type NameIndex } from "../core/index.ts";
import { fail, type Failure } from "./faults.ts";
import { type Entry, whereIs } from "./model.ts";

/** @param names of items that are no clones */
export function findItem(entry: Entry, names: NameIndex, items: readonly Item[]): Item | Failure {
  const { kind, name, namespace, apiVersion, repeat } = entry;
  const where = whereIs(entry);
  const fits = (item: Item): boolean => apiVersion === undefined || item.apiVersion === apiVersion;
  const near = names.find<string>({ kind, name, namespace }, repeat).filter(fits);
  const everywhere = names
    .named<string>(kind, name)
    .filter((item) => fits(item) && (namespace === undefined || item.namespace === namespace));
  const [found, second] = near.length > 0 ? near : everywhere;
  const many = near.length > 0 ? near : everywhere;
  if (second !== undefined)
    return fail(
      "repeat-target",
      where,
      `\`${kind}/${name}\` is there ${many.length} times`,
      "say its `namespace` or `apiVersion`",
      many,
    );
  if (found === undefined) return notThere(entry, items);
  if (found === repeat || found.kind === "Repeat")
    return fail("repeat-target", where, "a Repeat cannot be cloned", "clone what it clones");
  return holdsAliases(found)
    ? fail("repeat-target", where, `\`${describe(found)}\` holds YAML aliases`, "write it out", [found])
    : found;
}

function notThere(entry: Entry, items: readonly Item[]): Failure {
  const { kind, name, namespace, apiVersion } = entry;
  const where = whereIs(entry);
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
      : near === undefined
        ? "add the item to the list, or take the entry away"
        : `did you mean \`${near}\`?`;
  return fail("repeat-target", where, `\`${kind}/${name}\`${version} is not in the list${place}`, hint);
}

/** A change in one place could show in another. */
export function holdsAliases(item: Item): boolean {
  const root = item.read();
  if (!isNode(root) || root.doc.targets.size === 0) return false;
  const isInside = (row: number): boolean => row >= root.row && row < field(root, Field.next);
  return [...root.doc.targets].some(([alias, anchor]) => isInside(alias) || isInside(anchor));
}
