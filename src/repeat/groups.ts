// The templates of a Repeat as a group: what references may call them, and what their clones are called.
import type { Asked } from "./asked.ts";
import type { Scope } from "./model.ts";
import type { Wanted } from "./wanted.ts";

/** The templates of a group, by all that references may call them. */
export function groupOf(templates: Asked["templates"]): ReadonlyMap<string, string> {
  return new Map(
    [...templates].flatMap(([template, entry]) => {
      const id = `${entry.kind}/${entry.name}`;
      return [[id, id] as const, [`${template.kind}/${template.name}`, id] as const];
    }),
  );
}

/** What the templates of a group are called in one scope. */
export function siblingsOf(wanted: readonly Wanted[]): (scope: Scope) => ReadonlyMap<string, string> {
  const byScope = new Map<string, Map<string, string>>();
  for (const { entry, scope, name } of wanted) {
    const key = JSON.stringify([scope.instance.name, scope.item?.name]);
    const known = byScope.get(key) ?? new Map<string, string>();
    byScope.set(key, known.set(`${entry.kind}/${entry.name}`, name));
  }
  return ({ instance, item }) => {
    const around = byScope.get(JSON.stringify([instance.name, undefined])) ?? new Map<string, string>();
    if (item === undefined) return around;
    return new Map([...around, ...(byScope.get(JSON.stringify([instance.name, item.name])) ?? [])]);
  };
}
