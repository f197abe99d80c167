// What `valuefold print name-reference` prints: a configuration for kustomize. config/name-reference.yaml is made of it.
import { referencingKinds } from "../core/index.ts";

function fieldSpecs(part: "configMap" | "secret"): string {
  const lines = referencingKinds.flatMap(({ kind, apiVersions: [version = ""], references }) => {
    const { slots = [], lists = [] } = references ?? {};
    const paths = [...slots.map((slot) => `${slot}/${part}`), ...lists];
    const [group] = version.split("/");
    return paths.map((path) => `      - { path: spec/${path}/name, group: ${group}, kind: ${kind} }\n`);
  });
  return lines.join("");
}

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
