// Checkouts with many files, or many clusters, in git: for questions that read the list of a checkout, and what an edit touches.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface WrittenFleet {
  readonly directory: string;
  readonly clusters: number;
}

const url = "https://git.example/acme/fleet";

/** Flux as it is bootstrapped, with an overlay for each app of a cluster, and manifests that are of no release. One base is edited. */
export function writeFleet(folder: string, clusters: number): WrittenFleet {
  const write = writer(folder);
  const apps = clusters * 20;
  for (let app = 0; app < apps; app++) writeBase(write, `apps/base/app-${app}`, app);
  for (let cluster = 0; cluster < clusters; cluster++) {
    writeCluster(write, `clusters/c-${cluster}`);
    for (let number = 0; number < 100; number++)
      writeOverlay(write, `c-${cluster}`, (cluster * 20 + number) % apps);
  }
  for (let number = 0; number < clusters * 138; number++)
    write(`infra/svc-${number % 100}/m-${number}.yaml`, manifest(number));
  committed(folder);
  return { directory: edited(folder, "apps/base/app-7/release.yaml"), clusters };
}

/** An overlay of one base for each cluster. The base is edited. */
export function writeClusters(folder: string, clusters: number): WrittenFleet {
  const write = writer(folder);
  const names = Array.from({ length: 10 }, (_, app) => `app-${app}`);
  for (const [number, name] of names.entries()) write(`base/${name}.yaml`, release(name, number));
  write("base/kustomization.yaml", `resources: [${names.map((name) => `${name}.yaml`).join(", ")}]\n`);
  for (let cluster = 0; cluster < clusters; cluster++) {
    const patches = names.slice(0, 3).map((_, app) => `- patch: |\n${patch(app, cluster, "    ")}`);
    write(
      `clusters/c-${cluster}/kustomization.yaml`,
      `resources: [../../base]\npatches:\n${patches.join("")}`,
    );
  }
  committed(folder);
  return { directory: edited(folder, "base/app-3.yaml"), clusters };
}

function edited(folder: string, file: string): string {
  const path = join(folder, file);
  writeFileSync(path, readFileSync(path, "utf8").replace("replicas: 2", "replicas: 3"));
  return folder;
}

type Write = (path: string, text: string) => void;

function writer(folder: string): Write {
  return (path, text) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
}

function committed(folder: string): void {
  const git = (...args: readonly string[]): void => {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: folder });
  };
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", url);
  git("add", "-A");
  git("commit", "-q", "-m", "one");
}

function writeBase(write: Write, directory: string, app: number): void {
  const generator = `configMapGenerator:\n- name: app-${app}-values\n  namespace: apps\n  files: [values.yaml]\ngeneratorOptions: {disableNameSuffixHash: true}\n`;
  write(`${directory}/kustomization.yaml`, `resources: [release.yaml]\n${generator}`);
  write(`${directory}/release.yaml`, release(`app-${app}`, app));
  write(`${directory}/values.yaml`, `log: {level: info}\nnumber: ${app}\n`);
}

function writeCluster(write: Write, directory: string): void {
  const source = `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\nspec: {interval: 1m, url: "${url}"}\n`;
  write(`${directory}/flux-system/gotk-sync.yaml`, `${source}---\n${sync("flux-system", `./${directory}`)}`);
  write(`${directory}/flux-system/kustomization.yaml`, "resources: [gotk-sync.yaml]\n");
}

function writeOverlay(write: Write, cluster: string, app: number): void {
  const path = `apps/${cluster}/app-${app}`;
  write(`clusters/${cluster}/apps/app-${app}.yaml`, sync(`app-${app}`, `./${path}`));
  write(`${path}/kustomization.yaml`, `resources: [../../base/app-${app}]\npatches: [{path: patch.yaml}]\n`);
  write(`${path}/patch.yaml`, patch(app, app, ""));
}

function sync(name: string, path: string): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  interval: 10m\n  path: ${path}\n  prune: true\n  sourceRef: {kind: GitRepository, name: flux-system}\n`;
}

function release(name: string, number: number): string {
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: apps}\nspec:\n  interval: 1h\n  valuesFrom: [{kind: ConfigMap, name: ${name}-values}]\n  values:\n    replicas: 2\n    image: {repository: ghcr.io/acme/${name}, tag: 1.${number}.0}\n    resources: {requests: {cpu: 10m, memory: 128Mi}}\n`;
}

function patch(app: number, value: number, indent: string): string {
  const lines = [
    "apiVersion: helm.toolkit.fluxcd.io/v2",
    "kind: HelmRelease",
    `metadata: {name: app-${app}, namespace: apps}`,
    `spec: {values: {shard: ${value}}}`,
  ];
  return lines.map((line) => `${indent}${line}\n`).join("");
}

function manifest(number: number): string {
  return `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: m-${number}, namespace: infra}\nspec:\n  replicas: 1\n  template: {spec: {containers: [{name: main, image: "ghcr.io/acme/m:1.0.0"}]}}\n`;
}
