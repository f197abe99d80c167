// A layer stays only where something references it: a name in the position of a reference, of its kind and in its
// namespace. Each row is another item of the list, and the field that keeps the layer, if any does.
import { expect, test } from "vitest";
import { foldText } from "../support/fold.ts";

const prod = `apiVersion: v1
kind: ConfigMap
metadata: {name: prod, namespace: shop, annotations: {valuefold.dev/into: HelmRelease/shop}}
data: {values.yaml: "a: 2\\n"}
`;
const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: shop}
spec: {}
`;

function keptBy(item: string, config?: string): string | undefined {
  const { diagnostics, exitCode } = foldText([release, prod, item].join("---\n"), config);
  expect(exitCode).toBe(0);
  const reason = diagnostics.find(({ code }) => code === "layer-kept")?.reason;
  return reason === undefined ? undefined : (/references it at `(.*)`$/.exec(reason)?.[1] ?? reason);
}

function itemOf(kind: string, body: string, namespace = "shop"): string {
  return `apiVersion: ${kind.split(" ")[0]}\nkind: ${kind.split(" ")[1]}\nmetadata: {name: web, namespace: ${namespace}}\n${body}\n`;
}

const pod = "spec: {template: {spec: {containers: [{name: c, ";

test.for([
  // What only looks like it.
  ["a namespace", itemOf("v1 Service", "spec: {}", "prod"), undefined],
  [
    "a label",
    itemOf("apps/v1 Deployment", "spec: {template: {metadata: {labels: {environment: prod}}}}"),
    undefined,
  ],
  [
    "an annotation",
    "apiVersion: v1\nkind: Service\nmetadata: {name: web, annotations: {to: prod}}\n",
    undefined,
  ],
  [
    "a text",
    itemOf("v1 ConfigMap", 'data: {notes: "we deploy to prod on Tuesdays", stage: prod}'),
    undefined,
  ],
  [
    "a container",
    itemOf("apps/v1 Deployment", "spec: {template: {spec: {containers: [{name: prod}]}}}"),
    undefined,
  ],
  ["an argument", itemOf("apps/v1 Deployment", `${pod}args: [prod]}]}}}`), undefined],
  [
    "a volume's own name",
    itemOf("apps/v1 Deployment", "spec: {template: {spec: {volumes: [{name: prod, configMap: {name: x}}]}}}"),
    undefined,
  ],
  [
    "a key of it",
    itemOf(
      "apps/v1 Deployment",
      `${pod}env: [{name: E, valueFrom: {configMapKeyRef: {name: x, key: prod}}}]}]}}}`,
    ),
    undefined,
  ],
  [
    "a Secret of that name",
    itemOf("apps/v1 Deployment", `${pod}envFrom: [{secretRef: {name: prod}}]}]}}}`),
    undefined,
  ],
  [
    "another namespace",
    itemOf("apps/v1 Deployment", `${pod}envFrom: [{configMapRef: {name: prod}}]}]}}}`, "other"),
    undefined,
  ],
  [
    "a target of another kind",
    itemOf(
      "autoscaling/v2 HorizontalPodAutoscaler",
      "spec: {scaleTargetRef: {kind: Deployment, name: prod}}",
    ),
    undefined,
  ],
  [
    "a rule about Pods",
    itemOf("rbac.authorization.k8s.io/v1 Role", "rules: [{resources: [pods], resourceNames: [prod]}]"),
    undefined,
  ],
  [
    "a service in a kind nobody knows",
    itemOf("example.org/v1 Thing", "spec: {service: {name: prod}, stage: prod}"),
    undefined,
  ],
  // References.
  [
    "envFrom",
    itemOf("apps/v1 Deployment", `${pod}envFrom: [{configMapRef: {name: prod}}]}]}}}`),
    "spec.template.spec.containers[0].envFrom[0].configMapRef.name",
  ],
  [
    "env",
    itemOf(
      "batch/v1 CronJob",
      "spec: {jobTemplate: {spec: {template: {spec: {initContainers: [{env: [{valueFrom: {configMapKeyRef: {name: prod, key: k}}}]}]}}}}}",
    ),
    "spec.jobTemplate.spec.template.spec.initContainers[0].env[0].valueFrom.configMapKeyRef.name",
  ],
  [
    "a volume",
    itemOf("v1 Pod", "spec: {volumes: [{name: v, configMap: {name: prod}}]}"),
    "spec.volumes[0].configMap.name",
  ],
  [
    "a projected volume",
    itemOf(
      "apps/v1 StatefulSet",
      "spec: {template: {spec: {volumes: [{projected: {sources: [{configMap: {name: prod}}]}}]}}}",
    ),
    "spec.template.spec.volumes[0].projected.sources[0].configMap.name",
  ],
  [
    "a pod template in a kind nobody knows",
    itemOf("argoproj.io/v1alpha1 Rollout", `${pod}envFrom: [{configMapRef: {name: prod}}]}]}}}`),
    "spec.template.spec.containers[0].envFrom[0].configMapRef.name",
  ],
  [
    "another release",
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: other, namespace: shop}\nspec: {valuesFrom: [{kind: ConfigMap, name: prod}]}\n",
    "spec.valuesFrom[0].name",
  ],
  [
    "Flux' substitution",
    itemOf(
      "kustomize.toolkit.fluxcd.io/v1 Kustomization",
      "spec: {postBuild: {substituteFrom: [{kind: ConfigMap, name: prod}]}}",
    ),
    "spec.postBuild.substituteFrom[0].name",
  ],
  [
    "an App elsewhere",
    "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: a, namespace: org}\nspec: {extraConfigs: [{name: prod, namespace: shop}]}\n",
    "spec.extraConfigs[0].name",
  ],
  [
    "a rule about ConfigMaps",
    itemOf("rbac.authorization.k8s.io/v1 Role", "rules: [{resources: [configmaps], resourceNames: [prod]}]"),
    "rules[0].resourceNames[0]",
  ],
  [
    "an Ingress' annotation",
    "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web, annotations: {nginx.ingress.kubernetes.io/fastcgi-params-configmap: shop/prod}}\n",
    "metadata.annotations.nginx.ingress.kubernetes.io/fastcgi-params-configmap",
  ],
  [
    "a field that says so",
    itemOf("example.org/v1 Thing", "spec: {configMapName: prod}"),
    "spec.configMapName",
  ],
  [
    "a name below one",
    itemOf("example.org/v1 Thing", "spec: {configRef: {source: {name: prod}}}"),
    "spec.configRef.source.name",
  ],
  [
    "a name beside one",
    itemOf("example.org/v1 Thing", "spec: {source: {name: prod, configMapKey: k}}"),
    "spec.source.name",
  ],
  [
    "a name beside its kind",
    itemOf("example.org/v1 Thing", "spec: {source: {kind: ConfigMap, name: prod}}"),
    "spec.source.name",
  ],
  [
    "an alias",
    itemOf("v1 Pod", "spec: {nodeName: &n prod, volumes: [{configMap: {name: *n}}]}"),
    "spec.volumes[0].configMap.name",
  ],
  [
    "an item that has no namespace yet",
    "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {volumes: [{configMap: {name: prod}}]}\n",
    "spec.volumes[0].configMap.name",
  ],
] as const)("%s", ([, item, field]) => {
  expect(keptBy(item)).toBe(field);
});

test("a field that the setting `nameReference` tells", () => {
  const thing = itemOf("example.org/v1 Thing", "spec: {from: [{values/at: prod}]}");
  const config = (path: string, kind: string): string =>
    `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: fold}\nspec:\n  nameReference:\n  - kind: ConfigMap\n    fieldSpecs: [{path: '${path}', group: example.org, kind: ${kind}}]\n`;
  expect(keptBy(thing)).toBeUndefined();
  expect(keptBy(thing, config("spec/from/values\\/at", "Thing"))).toBe("spec.from[0].values/at");
  expect(keptBy(thing, config("spec/from[]/values\\/at", "Thing"))).toBe("spec.from[0].values/at");
  expect(keptBy(thing, config("spec/from/values\\/at", "Other"))).toBeUndefined();
});
