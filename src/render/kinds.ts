// The kinds of a function config that ask for a render: ours, and those of konfigure-operator.
import { textAt } from "../wire/item.ts";
import type { Node } from "../yaml/tape.ts";

export const renderKind = "ValueFoldRender";
const ownGroup = "valuefold.dev";

/** Of konfigure-operator 1.0 and later. */
export const konfiguration = "Konfiguration";
export const konfigurationSchema = "KonfigurationSchema";
/** Of konfigure-operator before 1.0. */
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
  const kind = config === undefined ? undefined : textAt(config, "kind");
  if (config === undefined || kind === undefined) return undefined;
  const group = (textAt(config, "apiVersion") ?? "").split("/")[0] ?? "";
  return Object.hasOwn(groups, kind) && groups[kind]?.includes(group) === true ? kind : undefined;
}

/** False for nearly every input, at the cost of a glance: the rest of a render is loaded only where it may be asked for. */
export function mayAskForRender(input: Uint8Array): boolean {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length);
  return renderKinds.some((kind) => bytes.includes(kind));
}
