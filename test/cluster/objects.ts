// The objects of the tests: a source, an app of layers, a FoldedArtifact and the Kustomization that applies it.
import type { Entity } from "./api.ts";

const flux = "source.toolkit.fluxcd.io/v1";

export function gitSource(url: string, interval = "1s", name = "fleet"): Entity {
  return {
    apiVersion: flux,
    kind: "GitRepository",
    metadata: { name, namespace: "flux-system" },
    spec: { url, interval, ref: { branch: "main" } },
  };
}

export function folded(name: string, spec: object, labels: Readonly<Record<string, string>> = {}): Entity {
  return {
    apiVersion: "flux.valuefold.dev/v1alpha1",
    kind: "FoldedArtifact",
    metadata: { name, namespace: "apps", labels },
    spec: {
      sourceRef: { kind: "GitRepository", name: "fleet", namespace: "flux-system" },
      retryInterval: "2s",
      ...spec,
    },
  };
}

export function external(name: string): Entity {
  return { apiVersion: flux, kind: "ExternalArtifact", metadata: { name, namespace: "apps" } };
}

export function kustomization(name: string, spec: object = {}): Entity {
  return {
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name, namespace: "apps" },
    spec: {
      sourceRef: { kind: "ExternalArtifact", name },
      path: "./",
      prune: true,
      interval: "30m",
      retryInterval: "2s",
      ...spec,
    },
  };
}

export function configMap(name: string, namespace = "apps"): Entity {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace } };
}

/** An app as a kustomization: a target whose data two layers override. */
export function app(name: string, color: string): Record<string, string> {
  return {
    [`apps/${name}/kustomization.yaml`]: `namespace: apps
resources: [target.yaml, base.yaml]
configMapGenerator:
  - name: ${name}-prod
    files: [values.yaml=prod.yaml]
    options:
      annotations: { valuefold.dev/into: ConfigMap/${name}, valuefold.dev/priority: "60" }
`,
    [`apps/${name}/target.yaml`]: `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
data:
  values.yaml: |
    color: none
    size: small
`,
    [`apps/${name}/base.yaml`]: `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}-base
  annotations: { valuefold.dev/into: ConfigMap/${name} }
data:
  values.yaml: |
    color: grey
    base: true
`,
    [`apps/${name}/prod.yaml`]: `color: ${color}\n`,
  };
}

/** Settings of a render: one app, a ConfigMap and a Secret of one layer. */
export const rendering = {
  directory: "layers",
  schema: {
    variables: [{ name: "app", required: true }],
    layers: [
      {
        id: "all",
        path: { directory: "" },
        templates: {
          path: { directory: "apps/<< app >>" },
          configMap: { name: "values.yaml" },
          secret: { name: "secret.yaml" },
        },
      },
    ],
  },
  scope: { variable: "app", directories: "apps", includes: { exact: ["shop"] } },
  destination: { namespace: "apps" },
};
