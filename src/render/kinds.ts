// The kinds of a function config that ask for a render: ours, and those of konfigure-operator.
import { nearest } from "../diagnostic.ts";
import type { Node } from "../yaml/index.ts";

export const renderKind = "ValueFoldRender";
const ownGroup = "valuefold.dev";
export const knownVersion = "v1alpha1";

/** Kinds of konfigure-operator 1.0 and later. */
export const konfiguration = "Konfiguration";
export const konfigurationSchema = "KonfigurationSchema";
/** The kind of konfigure-operator before 1.0. */
const clusterConfiguration = "ManagementClusterConfiguration";

const groups: { readonly [kind: string]: readonly string[] } = {
  [renderKind]: [ownGroup],
  [konfiguration]: ["konfigure.giantswarm.io"],
  [konfigurationSchema]: ["konfigure.giantswarm.io"],
  // The proposal and the operator spell it differently.
  [clusterConfiguration]: ["konfigure.giantswarm.io", "configuration.giantswarm.io"],
};

export const renderKinds: readonly string[] = Object.keys(groups);

/** The kind, if a document is of one of these. */
export function renderKindOf(config: Node | undefined): string | undefined {
  const kind = config?.textAt("kind");
  if (config === undefined || kind === undefined) return undefined;
  return Object.hasOwn(groups, kind) && groups[kind]?.includes(groupOf(config)) === true ? kind : undefined;
}

function groupOf(config: Node): string {
  return (config.textAt("apiVersion") ?? "").split("/")[0] ?? "";
}

/** True if a document may be meant as one of these: by its group, or by a kind with nearly the same name. */
export function resembled(config: Node): { readonly isMeant: boolean; readonly near: string | undefined } {
  const near = nearest(config.textAt("kind") ?? "", renderKinds);
  const isOfGroup = Object.values(groups).flat().includes(groupOf(config));
  return { isMeant: isOfGroup || near !== undefined, near };
}

/** Who renders: what its objects are labelled with. */
export interface Owner {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** As messages name it. */
export function ownerText({ kind, name }: Pick<Owner, "kind" | "name">): string {
  return `${kind}/${name}`;
}
