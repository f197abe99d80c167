// A ResourceList as kustomize hands it over: many Apps with layers as people write them, and strangers between.
import { Random } from "./nasty-yaml.ts";

export function streamOfApps(count: number): string {
  const random = new Random(7);
  const items = Array.from({ length: count }, (_app, index) => appItems(index, random)).join("");
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items}`;
}

function appItems(index: number, random: Random): string {
  const layers = [1, 2, 3].map((layer) => configMap(`app${index}-${layer}`, values(index, layer, random)));
  return `${layers.join("")}${app(index)}${stranger(index)}`;
}

function configMap(name: string, text: string): string {
  const block = text.replaceAll(/^(?=.)/gm, "      ");
  return `- apiVersion: v1\n  data:\n    values: |\n${block}  kind: ConfigMap\n  metadata:\n    name: ${name}\n    namespace: org\n`;
}

function values(index: number, layer: number, random: Random): string {
  const parts = Array.from({ length: 12 }, (_part, at) => part(`component${at}`, index, layer, random));
  return `${random.once(3) ? "# What this layer is for: see the handbook.\n" : ""}${parts.join(random.once(3) ? "\n" : "")}`;
}

function part(name: string, index: number, layer: number, random: Random): string {
  const extras = [
    `  resources:\n    limits: {cpu: 100m, memory: 128Mi}\n    requests:\n      cpu: 10m\n`,
    `  args:\n  - --verbose\n  - "--name=${name}"\n  - '--layer=${layer}' # the layer\n`,
    `  script: |\n    #!/bin/sh\n    echo "${index}"\n\n    exit 0\n`,
    `  hosts: ["a.example.org", "b.example.org"]\n  tls: []\n  annotations: {}\n`,
    `  env:\n    - name: GREETING\n      value: "Grüß dich"\n    - name: EMPTY\n      value:\n`,
    `  description: >-\n    Longer text that somebody\n    has folded by hand.\n`,
    `  # Off for now.\n  enabled: false\n  image: registry.example.org/team/${name}:1.2.${layer}\n`,
    `  url: https://example.org:8443/path?x=1#top\n  mode: 0644\n  nothing: ~\n`,
  ];
  return `${name}:\n  replicas: ${layer}\n  label: "${index}-${layer}"\n${random.pick(extras)}`;
}

function app(index: number): string {
  const slot = (name: string, layer: number): string =>
    `    ${name}:\n      configMap:\n        name: app${index}-${layer}\n        namespace: org\n`;
  const extra = `    extraConfigs:\n    - kind: configMap\n      name: app${index}-2\n      namespace: org\n      priority: 75\n`;
  return `- apiVersion: application.giantswarm.io/v1alpha1\n  kind: App\n  metadata:\n    annotations:\n      config.kubernetes.io/index: '${index}'\n    name: app${index}\n    namespace: org\n  spec:\n    catalog: x\n${slot("config", 1)}${extra}${slot("userConfig", 3)}`;
}

function stranger(index: number): string {
  return `- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: web${index}\n  spec:\n    template:\n      spec:\n        containers:\n        - args: ["-v", "2"]\n          image: x:1\n          name: main\n          ports:\n          - containerPort: 80\n`;
}
