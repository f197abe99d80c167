// The templates of a Repeat as a group: what references may call them, and what their clones are called.
import type { Asked } from "./asked.ts";
import type { CloneName } from "./names.ts";
import type { Scope } from "./model.ts";
import type { Wanted } from "./wanted.ts";

/** What the clones of a group's templates are called, by `Kind/name` of the template. */
export type Siblings = ReadonlyMap<string, CloneName>;

/** The templates of a group, by all that references may call them; the annotation `into` may tell a namespace, too. */
export function groupOf(templates: Asked["templates"]): ReadonlyMap<string, string> {
  return new Map(
    [...templates].flatMap(([{ kind, name, namespace }, entry]) => {
      const id = `${entry.kind}/${entry.name}`;
      const names = [id, `${kind}/${name}`];
      const more = [entry.name, name].map((each) => `${kind}/${namespace ?? ""}/${each}`);
      return [...names, ...more].map((each) => [each, id] as const);
    }),
  );
}

/** What the clones of a group are called in one scope. */
export function siblingsOf(wanted: readonly Wanted[]): (scope: Scope) => Siblings {
  const byScope = new Map<string, Map<string, CloneName>>();
  for (const one of wanted) {
    const { entry, scope } = one;
    const key = JSON.stringify([scope.instance.name, scope.item?.name]);
    const known = byScope.get(key) ?? new Map<string, CloneName>();
    byScope.set(key, known.set(`${entry.kind}/${entry.name}`, one));
  }
  return ({ instance, item }) => {
    const around = byScope.get(JSON.stringify([instance.name, undefined])) ?? new Map<string, CloneName>();
    if (item === undefined) return around;
    return new Map([...around, ...(byScope.get(JSON.stringify([instance.name, item.name])) ?? [])]);
  };
}
