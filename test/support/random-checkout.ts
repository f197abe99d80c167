// Random checkouts whose layout is known before they are written: as `flux bootstrap` makes them, and Argo CD with an app of apps
// that manages itself. So the roots, the values of each release, and what an edit changes follow from how it was made.
import { Random } from "./nasty-yaml.ts";

interface Root {
  readonly name: string;
  readonly kind: "Flux" | "Argo CD" | "kustomization";
}

export interface BuiltRelease {
  readonly root: string;
  /** `Kind/namespace/name`. */
  readonly target: string;
  /** By their paths, with dots. */
  readonly values: ReadonlyMap<string, string>;
}

export interface ExpectedEffect {
  readonly root: string;
  readonly target: string;
  readonly path: string;
  readonly what: "changes" | "hidden";
  readonly from?: string;
  readonly to?: string;
}

export interface RandomCheckout {
  /** What is special about it. */
  readonly traits: readonly string[];
  readonly files: ReadonlyMap<string, string>;
  /** The URL of `origin` in a clone. */
  readonly origin: string;
  readonly roots: readonly Root[];
  readonly releases: readonly BuiltRelease[];
  readonly edit: {
    readonly file: string;
    readonly text: string;
    readonly effects: readonly ExpectedEffect[];
  };
  /** False where another source than this repository may be meant: then less may be compared, and that is said. */
  readonly isFollowed: boolean;
}

/** A value in a file: its text is nowhere else in the checkout. */
interface Leaf {
  readonly path: string;
  readonly text: string;
}

/** Values in one file. */
interface Layer {
  readonly file: string;
  readonly leaves: readonly Leaf[];
}

/** A release as it was made: its layers, lowest first. */
interface Made {
  readonly root: string;
  readonly target: string;
  readonly layers: readonly Layer[];
  /** Variables that are replaced in it; absent where none are. */
  readonly variables?: Readonly<Record<string, string>>;
}

export function randomCheckout(seed: number): RandomCheckout {
  const random = new Random(seed);
  return random.once(2) ? new FluxCheckout(random).made() : new ArgoCheckout(random).made();
}

const paths = ["alpha", "beta.one", "beta.two", "gamma.deep.er"];

/** What both kinds share: files, layers and the edit. */
abstract class Checkout {
  protected readonly random: Random;
  protected readonly files = new Map<string, string>();
  protected readonly traits: string[] = [];
  protected readonly roots: Root[] = [];
  private readonly all: Made[] = [];
  private readonly loose: Layer[] = [];
  private count = 0;
  /** The repository on its host. */
  protected readonly repository = "acme/fleet";

  constructor(random: Random) {
    this.random = random;
  }

  protected abstract build(): void;

  protected get isFollowed(): boolean {
    return true;
  }

  made(): RandomCheckout {
    this.build();
    this.left();
    const { traits, files, roots, isFollowed } = this;
    return {
      traits,
      files,
      origin: this.url(this.has("fork", 8) ? "someone/fork" : this.repository),
      roots,
      releases: this.all.map((each) => ({ ...each, values: valuesOf(each) })),
      edit: this.edit(),
      isFollowed: isFollowed && !traits.includes("fork"),
    };
  }

  protected write(file: string, text: string): void {
    this.files.set(file, `${text.trimEnd()}\n`);
  }

  protected has(trait: string, times: number): boolean {
    if (!this.random.once(times)) return false;
    this.traits.push(trait);
    return true;
  }

  /** One of the spellings of a repository's URL. */
  protected url(repository: string): string {
    const end = this.random.pick(["", ".git"]);
    const host = "git.example";
    return this.random.pick([
      `ssh://git@${host}/${repository}${end}`,
      `git@${host}:${repository}${end}`,
      `https://${host}/${repository}${end}`,
    ]);
  }

  /** Values at some paths, each with a text of its own. */
  protected layer(file: string, isWithVariables = false): Layer {
    const some = paths.filter(() => this.random.once(2));
    const leaves = (some.length === 0 ? ["alpha"] : some).map((path) => {
      const variable = isWithVariables && this.random.once(3) ? "-${site}" : "";
      return { path, text: `v${++this.count}x${variable}` };
    });
    return { file, leaves };
  }

  protected release(made: Made): void {
    this.all.push(made);
  }

  /** Folders that nothing deploys. */
  private left(): void {
    if (this.has("leftover manifests", 4)) {
      const layer = this.layer("docs/old/release.yaml");
      this.write(layer.file, helmRelease("old", "old", layer, []));
      this.loose.push(layer);
    }
    if (this.has("leftover kustomization", 4)) {
      const layer = this.layer("attic/release.yaml");
      this.write(layer.file, helmRelease("attic", "attic", layer, []));
      this.write("attic/kustomization.yaml", "resources: [release.yaml]");
      this.roots.push({ name: "attic", kind: "kustomization" });
      this.release({ root: "attic", target: "HelmRelease/attic/attic", layers: [layer] });
    }
    if (this.has("other files", 2)) {
      this.write(".github/workflows/ci.yaml", "on: push\njobs: {}");
      this.write("README.md", "# fleet");
    }
  }

  private edit(): RandomCheckout["edit"] {
    const layers = [...new Set([...this.all.flatMap((each) => each.layers), ...this.loose])];
    const layer = this.random.pick(layers);
    const leaf = this.random.pick(layer.leaves);
    const is = { ...leaf, text: leaf.text.replace("v", "new") };
    const before = this.files.get(layer.file) ?? "";
    const effects = this.all
      .filter((each) => each.layers.includes(layer))
      .map((each): ExpectedEffect => {
        const { path } = leaf;
        const winner = each.layers.findLast(({ leaves }) => leaves.some((own) => own.path === path));
        const about = { root: each.root, target: each.target, path };
        if (winner !== layer) return { ...about, what: "hidden" };
        return { ...about, what: "changes", from: filled(leaf.text, each), to: filled(is.text, each) };
      });
    const text = before.replace(
      new RegExp(`\\b${leaf.text.replaceAll(/[${}]/g, "\\$&")}(?![\\w$-])`),
      () => is.text,
    );
    if (text === before) throw new Error(`${layer.file} has no ${leaf.text}`);
    return { file: layer.file, text, effects };
  }
}

function filled(text: string, { variables }: Made): string {
  return variables === undefined
    ? text
    : text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => variables[name] ?? "");
}

function valuesOf(made: Made): ReadonlyMap<string, string> {
  return new Map(
    made.layers.flatMap(({ leaves }) => leaves.map(({ path, text }) => [path, filled(text, made)] as const)),
  );
}

/** Lines of YAML of a layer. */
function yamlOf({ leaves }: Layer, indent = ""): string[] {
  const lines: string[] = [];
  const open: string[] = [];
  for (const { path, text } of leaves) {
    const keys = path.split(".");
    for (const [depth, key] of keys.entries()) {
      const own = keys.slice(0, depth + 1).join(".");
      if (open.includes(own)) continue;
      open.push(own);
      lines.push(`${indent}${"  ".repeat(depth)}${key}:${depth === keys.length - 1 ? ` ${text}` : ""}`);
    }
  }
  return lines;
}

function helmRelease(
  name: string,
  namespace: string,
  layer: Layer | undefined,
  valuesFrom: readonly string[],
): string {
  return [
    "apiVersion: helm.toolkit.fluxcd.io/v2",
    "kind: HelmRelease",
    `metadata: {name: ${name}, namespace: ${namespace}}`,
    "spec:",
    "  interval: 5m",
    `  chart: {spec: {chart: ${name}, sourceRef: {kind: HelmRepository, name: charts}}}`,
    ...(valuesFrom.length === 0
      ? []
      : ["  valuesFrom:", ...valuesFrom.map((each) => `  - {kind: ConfigMap, name: ${each}}`)]),
    ...(layer === undefined ? [] : ["  values:", ...yamlOf(layer, "    ")]),
  ].join("\n");
}

/** What an overlay or a Kustomization changes in a release. */
function patchOf(name: string, namespace: string, layer: Layer): string[] {
  return [
    "apiVersion: helm.toolkit.fluxcd.io/v2",
    "kind: HelmRelease",
    `metadata: {name: ${name}, namespace: ${namespace}}`,
    "spec:",
    "  values:",
    ...yamlOf(layer, "    "),
  ];
}

interface App {
  readonly name: string;
  readonly directory: string;
  readonly layers: readonly Layer[];
}

/** As `flux bootstrap` makes it, one or several clusters, apps with a base and an overlay for each cluster. */
class FluxCheckout extends Checkout {
  /** Where the artifact begins that the cluster reads. */
  private start = "";
  private isOfBucket = false;

  protected override get isFollowed(): boolean {
    return this.start === "" && !this.isOfBucket;
  }

  protected build(): void {
    this.traits.push("flux");
    if (this.has("subfolder artifact", 10)) this.start = "kubernetes/";
    const clusters = ["home", "prod", "stage"].slice(0, this.random.pick([1, 1, 2, 2, 3]));
    const parent = this.random.pick(["clusters", "clusters", "clusters/eu", "flux"]);
    const apps = ["web", "dns"].slice(0, this.random.pick([1, 1, 2])).map((name) => this.app(name));
    const isForeign = this.has("foreign source", 4);
    if (isForeign) this.foreign();
    const hasOverlays = !this.has("no overlays", 4);
    for (const cluster of clusters)
      this.cluster(cluster, `${parent}/${cluster}`, { apps, hasOverlays, isForeign });
    if (this.has("leftover Flux", 5)) {
      const layer = this.layer("old-apps/release.yaml");
      this.write(
        `${this.start}${layer.file}`,
        helmRelease("gone", "gone", { ...layer, file: `${this.start}${layer.file}` }, []),
      );
      this.write(
        `${this.start}old-cluster/apps.yaml`,
        this.sync("old-apps", "./old-apps", "flux-system").join("\n"),
      );
      this.roots.push({ name: `${this.start}old-cluster`, kind: "Flux" });
      this.release({
        root: `${this.start}old-cluster`,
        target: "HelmRelease/gone/gone",
        layers: [{ ...layer, file: `${this.start}${layer.file}` }],
      });
    }
  }

  private at(path: string): string {
    return `${this.start}${path}`;
  }

  /** The base of an app: a release, perhaps with a values file. */
  private app(name: string): App {
    const directory = `apps/base/${name}`;
    const isWithVariables = this.random.once(2);
    const own = this.layer(this.at(`${directory}/release.yaml`), isWithVariables);
    const below = this.random.once(2)
      ? this.layer(this.at(`${directory}/values.yaml`), isWithVariables)
      : undefined;
    this.write(own.file, helmRelease(name, "apps", own, below === undefined ? [] : [`${name}-values`]));
    const lines = [
      "apiVersion: kustomize.config.k8s.io/v1beta1",
      "kind: Kustomization",
      "namespace: apps",
      "resources: [release.yaml]",
    ];
    if (below !== undefined) {
      this.write(below.file, yamlOf(below).join("\n"));
      lines.push(
        "configMapGenerator:",
        `- name: ${name}-values`,
        "  files: [values.yaml]",
        "generatorOptions: {disableNameSuffixHash: true}",
      );
    }
    this.write(this.at(`${directory}/kustomization.yaml`), lines.join("\n"));
    return { name, directory, layers: below === undefined ? [own] : [below, own] };
  }

  private source(): string {
    return this.start === "" ? "GitRepository" : "OCIRepository";
  }

  private sync(name: string, path: string, source: string, more: readonly string[] = []): string[] {
    return [
      "apiVersion: kustomize.toolkit.fluxcd.io/v1",
      "kind: Kustomization",
      `metadata: {name: ${name}, namespace: flux-system}`,
      "spec:",
      "  interval: 10m0s",
      `  path: ${path}`,
      "  prune: true",
      `  sourceRef: {kind: ${this.source()}, name: ${source}}`,
      ...more,
    ];
  }

  private gitRepository(name: string): string[] {
    if (this.start !== "")
      return [
        "apiVersion: source.toolkit.fluxcd.io/v1",
        "kind: OCIRepository",
        `metadata: {name: ${name}, namespace: flux-system}`,
        "spec:",
        "  interval: 5m",
        "  url: oci://registry.example/acme/fleet",
      ];
    return [
      "apiVersion: source.toolkit.fluxcd.io/v1",
      "kind: GitRepository",
      `metadata: {name: ${name}, namespace: flux-system}`,
      "spec:",
      "  interval: 1m0s",
      "  ref: {branch: main}",
      "  secretRef: {name: flux-system}",
      `  url: ${this.url(this.repository)}`,
    ];
  }

  /** A Kustomization of another repository, and its source in a file of its own. */
  private foreign(): void {
    const kind = this.random.pick(["OCIRepository", "GitRepository"]);
    const url =
      kind === "OCIRepository" ? "oci://registry.example/policy" : "https://git.example/other/policy";
    this.write(
      this.at("infra/source.yaml"),
      `apiVersion: source.toolkit.fluxcd.io/v1\nkind: ${kind}\nmetadata: {name: policy, namespace: flux-system}\nspec: {interval: 5m, url: "${url}"}`,
    );
    this.write(
      this.at("infra/sync.yaml"),
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: policy, namespace: flux-system}\nspec: {interval: 5m, path: ${this.random.pick(["./", "./deploy"])}, prune: true, sourceRef: {kind: ${kind}, name: policy}}`,
    );
    this.write(this.at("infra/kustomization.yaml"), "resources: [source.yaml, sync.yaml]");
  }

  private cluster(
    name: string,
    directory: string,
    {
      apps,
      hasOverlays,
      isForeign,
    }: { readonly apps: readonly App[]; readonly hasOverlays: boolean; readonly isForeign: boolean },
  ): void {
    const system = `${directory}/flux-system`;
    const spelled = this.random.pick([`./${directory}`, `./${directory}`, directory, `./${directory}/`]);
    const hasComponents = this.random.once(2);
    this.write(
      this.at(`${system}/gotk-sync.yaml`),
      [...this.gitRepository("flux-system"), "---", ...this.sync("flux-system", spelled, "flux-system")].join(
        "\n",
      ),
    );
    if (hasComponents)
      this.write(
        this.at(`${system}/gotk-components.yaml`),
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: flux-system}",
      );
    if (this.has("flux-system kustomization", 2))
      this.write(
        this.at(`${system}/kustomization.yaml`),
        `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n${hasComponents ? "- gotk-components.yaml\n" : ""}- gotk-sync.yaml`,
      );
    const own: string[] = [];
    const source = this.has("own source", 4) ? "fleet" : "flux-system";
    const put = (file: string, text: string, folder = this.folder()): void => {
      own.push(`${folder}${file}`);
      this.write(this.at(`${directory}/${folder}${file}`), text);
    };
    if (source === "fleet") put("source.yaml", this.gitRepository(source).join("\n"));
    if (isForeign) put("infra.yaml", this.sync("infra", "./infra", source).join("\n"));
    for (const app of apps) this.deployed(name, directory, app, { source, hasOverlays, put, isForeign });
    if (this.has("cluster kustomization", 4) && this.files.has(this.at(`${system}/kustomization.yaml`)))
      this.write(this.at(`${directory}/kustomization.yaml`), `resources: [flux-system, ${own.join(", ")}]`);
    this.roots.push({ name: this.at(directory), kind: "Flux" });
  }

  /** A Kustomization for an app in a cluster: of its overlay, or of the base. */
  private deployed(
    cluster: string,
    directory: string,
    { name, directory: base, layers }: App,
    {
      source,
      hasOverlays,
      put,
      isForeign,
    }: {
      readonly source: string;
      readonly hasOverlays: boolean;
      readonly put: (file: string, text: string, folder?: string) => void;
      readonly isForeign: boolean;
    },
  ): void {
    const all = [...layers];
    let path = base;
    if (hasOverlays) {
      path = `apps/${cluster}/${name}`;
      const over = this.layer(this.at(`${path}/patch.yaml`));
      this.write(over.file, patchOf(name, "apps", over).join("\n"));
      this.write(
        this.at(`${path}/kustomization.yaml`),
        `resources: [../../base/${name}]\npatches: [{path: patch.yaml}]`,
      );
      all.push(over);
    }
    const more: string[] = [];
    if (isForeign && this.random.once(2)) more.push("  dependsOn: [{name: infra}]");
    let variables: Readonly<Record<string, string>> | undefined;
    if (this.random.once(2)) {
      variables = { site: `at${cluster}` };
      if (this.has("substituteFrom", 2)) {
        more.push("  postBuild:", `    substituteFrom: [{kind: ConfigMap, name: vars-${name}}]`);
        put(
          `vars-${name}.yaml`,
          `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vars-${name}, namespace: flux-system}\ndata: {site: at${cluster}}`,
        );
      } else more.push("  postBuild:", `    substitute: {site: at${cluster}}`);
    }
    const file = this.random.pick([`${name}.yaml`, `a-${name}.yaml`]);
    if (this.has("inline patch", 4)) {
      const folder = this.folder();
      const over = this.layer(this.at(`${directory}/${folder}patched-${file}`));
      const lines = patchOf(name, "apps", over).map((line) => `        ${line}`);
      more.push("  patches:", "    - patch: |", ...lines);
      put(`patched-${file}`, this.sync(name, this.spelled(path), source, more).join("\n"), folder);
      all.push(over);
    } else put(file, this.sync(name, this.spelled(path), source, more).join("\n"));
    this.release({
      root: this.at(directory),
      target: `HelmRelease/apps/${name}`,
      layers: all,
      ...(variables && { variables }),
    });
  }

  /** Flux takes what is in folders, too. */
  private folder(): string {
    return this.random.once(5) ? "more/" : "";
  }

  /** As users write a path: `..` stops at the root of the artifact. */
  private spelled(path: string): string {
    if (this.has("dots in path", 5))
      return this.random.pick([`../${path}`, `./clusters/../${path}`, `../../${path}`]);
    return this.random.pick([`./${path}`, path, `./${path}/`]);
  }
}

/** Applications of a folder, an app of apps perhaps, and Argo CD that deploys itself. */
class ArgoCheckout extends Checkout {
  protected build(): void {
    this.traits.push("argo");
    const root = this.random.pick(["argocd", "bootstrap", "."]);
    const isManaged = root === "argocd" && this.has("self-management", 2);
    const hasRoot = isManaged || this.has("app of apps", 2);
    const apps = hasRoot ? (root === "." ? "apps" : `${root}/apps`) : root;
    const chart = this.chart("charts/shop");
    const files: string[] = [];
    const put = (name: string, text: string): void => {
      files.push(`${name}.yaml`);
      this.write(apps === "." ? `${name}.yaml` : `${apps}/${name}.yaml`, text);
    };
    const at = root;
    if (root === ".") this.traits.push("top folder");
    for (const name of ["one", "two", "three"].slice(0, 1 + this.random.below(3)))
      this.application(name, at, apps, chart, put);
    if (isManaged) {
      put("self", this.plain("argocd", [`    path: argocd`, "    targetRevision: main"]));
      this.write("argocd/ns.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: argocd}");
      this.write("argocd/kustomization.yaml", "resources: [ns.yaml]");
    }
    if (hasRoot) {
      const isListed = this.has("listed apps", 2);
      if (isListed) this.write(`${apps}/kustomization.yaml`, `resources: [${files.join(", ")}]`);
      const path = this.random.pick([apps, `./${apps}`]);
      const more = !isListed && this.random.once(2) ? ["    directory: {recurse: true}"] : [];
      this.write(
        root === "." ? "root.yaml" : `${root}/root.yaml`,
        this.plain("root", [`    path: ${path}`, "    targetRevision: HEAD", ...more]),
      );
    }
    this.roots.push({ name: root, kind: "Argo CD" });
  }

  private chart(directory: string): Layer {
    const layer = this.layer(`${directory}/values.yaml`);
    this.write(`${directory}/Chart.yaml`, "apiVersion: v2\nname: shop\nversion: 1.0.0");
    this.write(`${directory}/templates/a.yaml`, "{{ toYaml .Values }}");
    this.write(layer.file, yamlOf(layer).join("\n"));
    return layer;
  }

  private plain(name: string, source: readonly string[]): string {
    return [
      "apiVersion: argoproj.io/v1alpha1",
      "kind: Application",
      `metadata: {name: ${name}, namespace: argocd}`,
      "spec:",
      "  project: default",
      "  source:",
      `    repoURL: ${this.url(this.repository)}`,
      ...source,
      "  destination: {server: https://kubernetes.default.svc, namespace: argocd}",
    ].join("\n");
  }

  private application(
    name: string,
    root: string,
    apps: string,
    chart: Layer,
    put: (name: string, text: string) => void,
  ): void {
    const env = this.layer(`envs/${name}.yaml`);
    const shared = this.sharedFile();
    for (const each of [env, shared])
      if (!this.files.has(each.file)) this.write(each.file, yamlOf(each).join("\n"));
    const file = apps === "." ? `${name}.yaml` : `${apps}/${name}.yaml`;
    const inline = this.random.once(2) ? this.layer(file) : undefined;
    const isMulti = this.has("multi-source", 2);
    const own = inline === undefined ? [] : [["valuesObject:", ...yamlOf(inline, "  ")]].flat();
    const layers: Layer[] = [];
    let lines: string[];
    if (isMulti) {
      const isLocal = this.random.once(3);
      const ref = this.random.pick(["values", "env-files"]);
      const files = [shared, env].map((each) => `$${ref}/${each.file}`);
      const helm = [`valueFiles: [${files.join(", ")}]`, ...own];
      if (isLocal) layers.push(chart);
      const first = isLocal
        ? [`- repoURL: ${this.url(this.repository)}`, "  path: charts/shop", "  targetRevision: main"]
        : ["- repoURL: https://charts.example", "  chart: shop", "  targetRevision: 1.0.0"];
      lines = [
        "  sources:",
        ...[
          ...first,
          "  helm:",
          ...helm.map((line) => `    ${line}`),
          `- repoURL: ${this.url(this.repository)}`,
          "  targetRevision: main",
          `  ref: ${ref}`,
        ].map((line) => `    ${line}`),
      ];
      layers.push(shared, env);
    } else {
      const files = [this.random.pick(["../../", "/"]), this.random.pick(["../../", "/"])].map(
        (start, index) => `${start}${[shared, env][index]?.file ?? ""}`,
      );
      const named = this.has("values.yaml named", 3) ? ["values.yaml", ...files] : files;
      const helm = [`valueFiles: [${named.join(", ")}]`, ...own];
      lines = [
        "  source:",
        `    repoURL: ${this.url(this.repository)}`,
        "    path: charts/shop",
        "    targetRevision: main",
        "    helm:",
        ...helm.map((line) => `      ${line}`),
      ];
      layers.push(chart, shared, env);
    }
    if (inline !== undefined) layers.push(inline);
    put(
      name,
      [
        "apiVersion: argoproj.io/v1alpha1",
        "kind: Application",
        `metadata: {name: ${name}, namespace: argocd}`,
        "spec:",
        "  project: default",
        ...lines,
        `  destination: {server: https://kubernetes.default.svc, namespace: ${name}}`,
      ].join("\n"),
    );
    this.release({ root, target: `Application/argocd/${name}`, layers });
  }

  private shared: Layer | undefined;

  private sharedFile(): Layer {
    return (this.shared ??= this.layer("envs/base.yaml"));
  }
}
