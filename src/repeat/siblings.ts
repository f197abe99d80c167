// References inside a group: where a template names another template of its Repeat, its clone names that one's clone.
// kustomize does it by itself, from the names it remembers, except for the annotation `into`; in other pipelines all of it
// is done here.
import { eachScalar, type FieldPlace, kindsNamedAt, nameReferencesOf } from "../core/index.ts";
import { grouped } from "../grouped.ts";
import { type Item, Mark } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";
import type { Settings } from "../settings/index.ts";
import type { ResourceEntry, Scope } from "./model.ts";
import type { CloneName, PlannedClone } from "./plan.ts";
import { objectText } from "../object-id.ts";

/** A scalar that names templates of the group. */
export interface CloneNames {
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

/** Where a template names others of its group. */
export function namingsIn(
  root: Node,
  template: Item,
  group: CloneGroup,
  settings: Settings,
): readonly CloneNames[] {
  const targets = targetsNamed(root, group);
  return template.annotations.has(Mark.kustomizeId)
    ? targets
    : [...targets, ...referencesIn(root, template, group, settings)];
}

/** The annotation `into`: targets as they were called before kustomize renamed them, since that is how they are found. */
function targetsNamed(root: Node, group: CloneGroup): readonly CloneNames[] {
  const metadata = root.get("metadata");
  const annotations = metadata?.get("annotations");
  const node = annotations?.get(Mark.into);
  if (node === undefined || !node.isScalar) return [];
  const textAmong = (siblings: Siblings): string =>
    node.text.replaceAll(/[^,\s]+/g, (target) => {
      const named = group.get(target);
      const name = named === undefined ? undefined : siblings.get(named)?.bareName;
      return name === undefined ? target : target.slice(0, target.lastIndexOf("/") + 1) + name;
    });
  return [{ node, textAmong }];
}

function referencesIn(
  root: Node,
  template: Item,
  group: CloneGroup,
  settings: Settings,
): readonly CloneNames[] {
  const rules = nameReferencesOf(settings);
  const found: CloneNames[] = [];
  eachScalar(root, template, (node, place) => {
    const kinds = [...rules.kindsAt(place), ...kindsNamedAt(place), ...otherKinds(place)];
    const [named] = kinds.flatMap((kind) => group.get(`${kind}/${node.text}`) ?? []);
    if (named !== undefined) found.push({ node, textAmong: (siblings) => siblings.get(named)?.name });
  });
  return found;
}

function otherKinds({ item, keys, mapping }: FieldPlace): readonly string[] {
  const [own = "", parent] = [keys.at(-1), keys.at(-2)];
  if (keys[0] === "metadata" || keys.length < 2) return [];
  const known = fields.get(own);
  if (known !== undefined) return [known];
  if (own !== "name") return [];
  const siblingKind = mapping.textAt("kind");
  if (siblingKind !== undefined) return [siblingKind];
  if (parent === "service") return ["Service"];
  return parent === "dependsOn" ? [item.kind] : [];
}

/** The templates of a group, by all that references may call them; the annotation `into` may name a namespace, too. */
export type CloneGroup = ReadonlyMap<string, Item>;

/** What the clones of a group are called in one scope, by template. */
export type Siblings = ReadonlyMap<Item, CloneName>;

export function groupOf(templates: ReadonlyMap<Item, ResourceEntry>): CloneGroup {
  return new Map(
    [...templates].flatMap(([template, entry]) => {
      const { kind, namespace } = template;
      const ids = [entry.name, template.name].flatMap((name) => [
        objectText({ kind, name }),
        objectText({ kind, namespace, name }),
      ]);
      return ids.map((id) => [id, template] as const);
    }),
  );
}

/** What the clones of a group are called in each scope. */
export function siblingsOf(wanted: readonly PlannedClone[]): (scope: Scope) => Siblings {
  const keyOf = ({ instance, item }: Scope): string => JSON.stringify([instance.name, item?.name]);
  const byScope = grouped(wanted, ({ scope }) => keyOf(scope));
  return (scope) => {
    const around = scope.item === undefined ? [] : (byScope.get(keyOf({ instance: scope.instance })) ?? []);
    const all = [...around, ...(byScope.get(keyOf(scope)) ?? [])];
    return new Map(all.map((one) => [one.template, one]));
  };
}
