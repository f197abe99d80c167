// Files to start from: a layer, and what kustomize needs to follow references.
import { Mark } from "../krm/index.ts";
import { referencingKinds } from "../kinds.ts";

/** A layer to start from. */
export function layerText(layer: {
  readonly name: string;
  readonly namespace?: string | undefined;
  /** `Kind/name`. */
  readonly target: string;
  readonly key: string;
  /** A line of values. */
  readonly values: string;
}): string {
  const { name, namespace, target, key, values } = layer;
  const lines = [
    "# A layer: values that override those of lower layers. Keys that it does not set stay as they are.",
    "apiVersion: v1",
    "kind: ConfigMap",
    "metadata:",
    `  name: ${name}`,
    ...(namespace === undefined ? [] : [`  namespace: ${namespace}`]),
    "  annotations:",
    `    ${Mark.into}: ${target}`,
    `    ${Mark.priority}: "75" # higher ones win`,
    "data:",
    `  ${key}: |`,
    `    ${values}`,
  ];
  return `${lines.join("\n")}\n`;
}

function fieldSpecs(part: "configMap" | "secret"): string {
  const lines = referencingKinds.flatMap(({ kind, apiVersions: [version = ""], references }) => {
    const { slots = {}, lists = [] } = references ?? {};
    const paths = [...Object.keys(slots).map((slot) => `${slot}/${part}`), ...lists];
    const [group] = version.split("/");
    return paths.map((path) => `      - { path: spec/${path}/name, group: ${group}, kind: ${kind} }\n`);
  });
  return lines.join("");
}

/** A configuration for kustomize. config/name-reference.yaml is made of it. */
export const nameReference = `# For kustomize (\`configurations: [name-reference.yaml]\`): an overlay's namePrefix, nameSuffix or hash reaches
# the references that Apps and HelmReleases hold, those to folded items included.
nameReference:
  - kind: ConfigMap
    version: v1
    fieldSpecs:
${fieldSpecs("configMap")}  - kind: Secret
    version: v1
    fieldSpecs:
${fieldSpecs("secret")}`;
