// References that name a generated ConfigMap or Secret without the hash that kustomize has given it: it follows only
// references that it knows. Such a layer is bound in the cluster at best, and nobody would hear of it.
import type { Diagnostic } from "../diagnostic.ts";
import { isLayerKind } from "../layer/held.ts";
import type { Reference, Target } from "../model.ts";
import { describe, type Item, refOf } from "../wire/item.ts";
import { placeOf } from "../wire/place.ts";

/** kustomize's hash is made of these letters and digits. */
export const hashSuffix = /-[2456789bcdfghkmt]{10}$/;

export class HashedNames {
  private readonly items: readonly Item[];
  private byPlainName: ReadonlyMap<string, Item> | undefined;

  constructor(items: readonly Item[]) {
    this.items = items;
  }

  /** What is wrong with references of a target that name nothing in the list. */
  faults(target: Target, missing: readonly Reference[]): Diagnostic[] {
    return missing.flatMap((reference): Diagnostic[] => {
      const { kind, name, namespace = target.namespace } = reference;
      const hashed = this.index().get(idOf(kind, namespace, name));
      return hashed === undefined ? [] : [unfollowed(target, reference, hashed)];
    });
  }

  /** Made when something is missing for the first time. */
  private index(): ReadonlyMap<string, Item> {
    return (this.byPlainName ??= indexOf(this.items));
  }
}

function indexOf(items: readonly Item[]): ReadonlyMap<string, Item> {
  const hashed = items.filter(({ kind, name }) => isLayerKind(kind) && hashSuffix.test(name));
  return new Map(
    hashed.map((item) => [idOf(item.kind, item.namespace, item.name.replace(hashSuffix, "")), item]),
  );
}

function idOf(kind: string, namespace: string | undefined, name: string): string {
  return `${kind}/${namespace ?? ""}/${name}`;
}

function unfollowed(target: Target, { kind, name, slot, index }: Reference, hashed: Item): Diagnostic {
  const field = `spec.${slot}${index === undefined ? "" : `[${index}]`}`;
  return {
    code: "unresolved-reference",
    severity: "warning",
    item: refOf(target),
    at: placeOf(target),
    field,
    message: `\`${field}\` names \`${kind}/${name}\`, which is not in the list, so it does not fold`,
    hint: hashedCure(hashed),
  };
}

export function hashedCure(hashed: Item): string {
  return `the list has \`${describe(hashed)}\`, hashed already, and kustomize did not follow: add valuefold's \`name-reference.yaml\` to \`configurations\`, or disable the suffix`;
}
