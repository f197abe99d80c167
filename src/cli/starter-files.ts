// The files that `init` writes, as texts.
import { settingsSchemaUrl } from "../version.ts";

export const names = {
  app: "shop.yaml",
  layer: "layer.yaml",
  fold: "fold.yaml",
  nameReference: "name-reference.yaml",
  kustomization: "kustomization.yaml",
  package: "Kptfile",
} as const;

/** An app and its base values, for a directory without one. */
export const exampleApp = `# An app to try it with: this file has the app and the values of its chart.
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: shop
spec:
  interval: 10m
  chartRef: { kind: OCIRepository, name: shop }
  valuesFrom:
    - { kind: ConfigMap, name: shop-base }
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop-base
data:
  values.yaml: |
    replicas: 1
    image:
      tag: "1.10"
      pull: no
`;

/** @param annotations lines of the function config, by the tool that reads it */
export function settingsText(annotations: readonly string[]): string {
  const own =
    annotations.length === 0 ? "" : `  annotations:\n${annotations.map((each) => `    ${each}\n`).join("")}`;
  return `# yaml-language-server: $schema=${settingsSchemaUrl}
apiVersion: valuefold.dev/v1alpha1
kind: ValueFold
metadata:
  name: fold
${own}spec: {} # the defaults
`;
}

/** kustomize runs the program as a transformer. */
export const execAnnotation = ["config.kubernetes.io/function: |", "  exec: { path: valuefold }"];
/** kpt applies no item with this annotation. */
export const localAnnotation = ['config.kubernetes.io/local-config: "true"'];

export function kustomizationText(resources: readonly string[]): string {
  return `# yaml-language-server: $schema=https://json.schemastore.org/kustomization.json
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [${resources.join(", ")}]
${kustomizationEntries.map(([field, file]) => `${field}: [${file}]\n`).join("")}`;
}

/** What a kustomization needs besides resources. */
export const kustomizationEntries = [
  ["configurations", names.nameReference],
  ["transformers", names.fold],
] as const;

export const mutatorLines = [
  "pipeline:",
  "  mutators:",
  "    - exec: valuefold",
  `      configPath: ${names.fold}`,
];

export const packageText = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
  annotations:
    ${localAnnotation.join("")}
${mutatorLines.join("\n")}
`;
