// References inside a group: where a template names another template of its Repeat, its clone names that one's clone.
// kustomize does it by itself, from the names it remembers, except for the annotation `into`; in other pipelines all of it
// is done here.
import {
  childOf,
  childrenOf,
  type FieldPlace,
  isMapping,
  isNode,
  isScalar,
  isSequence,
  type Item,
  keyText,
  kindsNamedAt,
  Mark,
  nameReferencesOf,
  type Node,
  scalarText,
  type Settings,
  textAt,
} from "../core/index.ts";
import type { Scope } from "./model.ts";
import type { CloneName, Plan, PlannedClone } from "./planned-clones.ts";

/** A scalar that names templates of the group. */
export interface Naming {
  readonly node: Node;
  /** Its text in a clone, among clones with these names. */
  readonly textAmong: (siblings: Siblings) => string | undefined;
}

/** Fields of Kubernetes' own kinds that name something else than a ConfigMap or a Secret. */
const fields: ReadonlyMap<string, string> = new Map([
  ["serviceAccountName", "ServiceAccount"],
  ["serviceAccount", "ServiceAccount"],
  ["claimName", "PersistentVolumeClaim"],
  ["serviceName", "Service"],
  ["volumeName", "PersistentVolume"],
  ["priorityClassName", "PriorityClass"],
  ["storageClassName", "StorageClass"],
  ["ingressClassName", "IngressClass"],
]);

/** Where a template names others of its group. @param group `Kind/name` of each, by any of its names */
export function namingsIn(
  template: Item,
  group: ReadonlyMap<string, string>,
  settings: Settings,
): readonly Naming[] {
  const root = template.read();
  if (!isNode(root) || group.size === 0) return [];
  const targets = targetsNamed(root, group);
  return template.annotations.has(Mark.kustomizeId)
    ? targets
    : [...targets, ...referencesIn(root, template, group, settings)];
}

/** The annotation `into`: targets as they were called before kustomize renamed them, since that is how they are found. */
function targetsNamed(root: Node, group: ReadonlyMap<string, string>): readonly Naming[] {
  const metadata = childOf(root, "metadata");
  const annotations = metadata === undefined ? undefined : childOf(metadata, "annotations");
  const node = annotations === undefined ? undefined : childOf(annotations, Mark.into);
  if (node === undefined || !isScalar(node)) return [];
  const textAmong = (siblings: Siblings): string =>
    scalarText(node).replaceAll(/[^,\s]+/g, (target) => {
      const name = siblings.get(group.get(target) ?? "")?.bareName;
      return name === undefined ? target : target.slice(0, target.lastIndexOf("/") + 1) + name;
    });
  return [{ node, textAmong }];
}

function referencesIn(
  root: Node,
  template: Item,
  group: ReadonlyMap<string, string>,
  settings: Settings,
): readonly Naming[] {
  const rules = nameReferencesOf(settings);
  const found: Naming[] = [];
  const visit = (node: Node, keys: readonly string[], mapping: Node): void => {
    if (isScalar(node)) {
      const place = { item: template, keys, mapping };
      const kinds = [...rules.kindsAt(place), ...kindsNamedAt(place), ...otherKinds(place)];
      const named = kinds
        .map((kind) => group.get(`${kind}/${scalarText(node)}`))
        .find((each) => each !== undefined);
      if (named !== undefined) found.push({ node, textAmong: (siblings) => siblings.get(named)?.name });
    } else if (isSequence(node)) for (const each of childrenOf(node)) visit(each, keys, mapping);
    else if (isMapping(node))
      for (const entry of childrenOf(node)) visit(entry, [...keys, keyText(entry)], node);
  };
  visit(root, [], root);
  return found;
}

function otherKinds({ item, keys, mapping }: FieldPlace): readonly string[] {
  const [own = "", parent] = [keys.at(-1), keys.at(-2)];
  if (keys[0] === "metadata" || keys.length < 2) return [];
  const known = fields.get(own);
  if (known !== undefined) return [known];
  if (own !== "name") return [];
  const siblingKind = textAt(mapping, "kind");
  if (siblingKind !== undefined) return [siblingKind];
  if (parent === "service") return ["Service"];
  return parent === "dependsOn" ? [item.kind] : [];
}

/** What the clones of a group's templates are called, by `Kind/name` of the template. */
export type Siblings = ReadonlyMap<string, CloneName>;

/** The templates of a group, by all that references may call them; the annotation `into` may name a namespace, too. */
export function groupOf(templates: Plan["templates"]): ReadonlyMap<string, string> {
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
export function siblingsOf(wanted: readonly PlannedClone[]): (scope: Scope) => Siblings {
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
