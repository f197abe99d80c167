// A checkout of the shape that public home clusters have: a Kustomization of Flux for each app, which the one of the cluster
// patches; and a checkout of small kustomizations, each with a patch.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";

const cluster = "kubernetes/flux/cluster";

export interface WrittenCheckout {
  /** What is asked about. */
  readonly directory: string;
  /** What kustomize builds for it, once each. */
  readonly builds: readonly string[];
}

/** @param apps how many; each is a build, and the cluster is two more */
export function writeHomeCluster(folder: string, apps: number): WrittenCheckout {
  const write = writer(folder);
  const numbers = Array.from({ length: apps }, (_, number) => number);
  writeGit(write);
  write(`${cluster}/ks.yaml`, clusterKustomization);
  write("kubernetes/components/common/kustomization.yaml", component);
  write("kubernetes/components/common/settings.yaml", settings);
  for (const number of numbers) writeApp(write, number);
  for (let namespace = 0; namespace < namespaces(apps); namespace++) {
    const own = numbers.filter((number) => namespaceOf(number, apps) === namespace);
    const resources = ["./namespace.yaml", ...own.map((number) => `./app-${number}/ks.yaml`)];
    write(`kubernetes/apps/ns-${namespace}/kustomization.yaml`, kustomization({ resources }));
    write(
      `kubernetes/apps/ns-${namespace}/namespace.yaml`,
      `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ns-${namespace}\n`,
    );
  }
  const builds = numbers.map((number) => join(folder, appFolder(number, apps), "app"));
  return { directory: join(folder, cluster), builds };

  function writeApp(to: Write, number: number): void {
    const own = appFolder(number, apps);
    to(`${own}/ks.yaml`, appKustomization(number, own));
    const resources = ["./helmrelease.yaml", "./ocirepository.yaml", "./externalsecret.yaml"];
    const generated = {
      configMapGenerator: [{ name: `app-${number}-files`, files: ["./config.yaml"] }],
      generatorOptions: { disableNameSuffixHash: true },
    };
    to(
      `${own}/app/kustomization.yaml`,
      kustomization({
        resources,
        components: ["../../../../components/common"],
        ...(number % 3 === 0 ? generated : {}),
      }),
    );
    to(`${own}/app/config.yaml`, "log:\n  level: info\n".repeat(20));
    to(`${own}/app/helmrelease.yaml`, helmRelease(number));
    to(`${own}/app/ocirepository.yaml`, ociRepository(number));
    to(`${own}/app/externalsecret.yaml`, externalSecret(number));
  }
}

/** Small kustomizations with a patch each. */
export function writePatched(folder: string, count: number): WrittenCheckout {
  const write = writer(folder);
  writeGit(write);
  write("base/kustomization.yaml", kustomization({ resources: ["./app.yaml"] }));
  write("base/app.yaml", helmRelease(0));
  const builds = Array.from({ length: count }, (_, number) => {
    const patch = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: app-0\nspec:\n  values:\n    replicas: ${number}\n`;
    write(
      `overlays/o-${number}/kustomization.yaml`,
      kustomization({ resources: ["../../base"], patches: [{ path: "patch.yaml" }] }),
    );
    write(`overlays/o-${number}/patch.yaml`, patch);
    return join(folder, `overlays/o-${number}`);
  });
  return { directory: folder, builds };
}

type Write = (path: string, text: string) => void;

function writer(folder: string): Write {
  return (path, text) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
}

const url = "https://github.com/home/cluster";

function writeGit(write: Write): void {
  write(".git/HEAD", "ref: refs/heads/main\n");
  write(".git/config", `[remote "origin"]\n\turl = ${url}\n`);
}

function namespaces(apps: number): number {
  return Math.max(1, Math.round(apps / 8));
}

function namespaceOf(number: number, apps: number): number {
  return number % namespaces(apps);
}

function appFolder(number: number, apps: number): string {
  return `kubernetes/apps/ns-${namespaceOf(number, apps)}/app-${number}`;
}

function kustomization(fields: object): string {
  return stringify({ apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", ...fields });
}

const component = `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources:
  - ./settings.yaml
`;

const settings =
  "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  ZONE: Europe/Berlin\n  DOMAIN: home.example\n";

const clusterKustomization = `---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: flux-system
  namespace: flux-system
spec:
  interval: 1h
  url: ${url}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: cluster-apps
  namespace: flux-system
spec:
  interval: 1h
  path: ./kubernetes/apps
  prune: true
  sourceRef: { kind: GitRepository, name: flux-system }
  patches:
    - target: { group: kustomize.toolkit.fluxcd.io, kind: Kustomization }
      patch: |-
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata:
          name: not-used
        spec:
          patches:
            - target: { group: helm.toolkit.fluxcd.io, kind: HelmRelease }
              patch: |-
                apiVersion: helm.toolkit.fluxcd.io/v2
                kind: HelmRelease
                metadata:
                  name: not-used
                spec:
                  install: { crds: CreateReplace }
                  upgrade: { cleanupOnFail: true, crds: CreateReplace }
`;

function appKustomization(number: number, folder: string): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: app-${number}
  namespace: flux-system
spec:
  interval: 1h
  path: ./${folder}/app
  prune: true
  sourceRef: { kind: GitRepository, name: flux-system, namespace: flux-system }
  targetNamespace: default
  postBuild:
    substitute:
      APP: app-${number}
      SIZE: ${number}Gi
`;
}

function helmRelease(number: number): string {
  const container = (name: string): string => `          ${name}:
            image:
              repository: ghcr.io/home/${name}
              tag: 1.${number}.0
            env:
              TZ: Europe/Berlin
              APP__PORT: &port${name} 80
              APP__URL: https://\${APP:=app}.home.example
            probes:
              liveness: { enabled: true }
              readiness: { enabled: true, spec: { httpGet: { path: /ping, port: 80 } } }
            resources:
              requests: { cpu: 10m, memory: 128Mi }
              limits: { memory: 1Gi }
`;
  return `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: app-${number}
spec:
  interval: 1h
  chartRef: { kind: OCIRepository, name: app-${number} }
  values:
    controllers:
      main:
        replicas: 1
        strategy: RollingUpdate
        containers:
${container("app")}${container("sidecar")}    defaultPodOptions:
      securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 }
    service:
      app:
        controller: main
        ports:
          http: { port: 80 }
    route:
      app:
        hostnames: ["app-${number}.home.example"]
        parentRefs:
          - { name: internal, namespace: network, sectionName: https }
    persistence:
      config: { existingClaim: app-${number}, size: "\${SIZE}" }
      tmp: { type: emptyDir }
`;
}

function ociRepository(number: number): string {
  return `apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata:
  name: app-${number}
spec:
  interval: 1h
  ref: { tag: 4.${number}.0 }
  url: oci://ghcr.io/home/charts/app-template
`;
}

function externalSecret(number: number): string {
  return `apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata:
  name: app-${number}
spec:
  secretStoreRef: { kind: ClusterSecretStore, name: onepassword }
  target: { name: app-${number}-secret, template: { data: { TOKEN: "{{ .token }}" } } }
  dataFrom: [{ extract: { key: app-${number} } }]
`;
}
