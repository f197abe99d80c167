// A checkout of Flux, as `flux bootstrap` makes it or with a FluxInstance: one or several clusters, apps with a base and perhaps an
// overlay for each cluster.
import { type Draft, helmRelease, type Layer, type Made, type Place, yamlOf } from "./draft.ts";
import { artifact, circle, foreign, leftCircle, leftCluster, team } from "./flux-beside.ts";
import { FluxSource } from "./flux-source.ts";

/** Where nothing is left of a mapping without it. */
const removable = "alpha";

interface App {
  readonly name: string;
  readonly directory: string;
  readonly layers: readonly Layer[];
}

/** What all clusters have. */
interface Common {
  readonly apps: readonly App[];
  readonly hasOverlays: boolean;
  readonly isForeign: boolean;
  readonly isInstance: boolean;
  /** False where there is no more than a comment in place of the sync: nothing names the cluster. */
  readonly isSynced: boolean;
  /** One Kustomization for all apps. */
  readonly isArtifact: boolean;
  readonly hasTeams: boolean;
}

export function fluxCheckout(draft: Draft, place: Place): void {
  draft.traits.push("flux");
  const isInstance = draft.has("FluxInstance", 3);
  const isFolder = draft.has("subfolder artifact", 6);
  const kind = isFolder || (isInstance && draft.random.once(2)) ? "OCIRepository" : "GitRepository";
  const top = isFolder ? `${place.top}kubernetes/` : place.top;
  new FluxCheckout(draft, new FluxSource(draft, top, kind, place.repository)).make(isInstance);
}

class FluxCheckout {
  private readonly draft: Draft;
  private readonly source: FluxSource;

  constructor(draft: Draft, source: FluxSource) {
    this.draft = draft;
    this.source = source;
  }

  make(isInstance: boolean): void {
    const { draft, source } = this;
    const { random } = draft;
    const parent = random.pick(["clusters", "clusters", "clusters/eu", "flux"]);
    const apps = ["web", "dns"].slice(0, random.pick([1, 1, 2])).map((name) => this.app(name));
    const isForeign = draft.has("foreign source", 4);
    if (isForeign) foreign(draft, source);
    const hasOverlays = !draft.has("no overlays", 4);
    const isArtifact = hasOverlays && draft.has("artifact of apps", 6);
    const hasTeams = draft.has("other branch", 6);
    const isSynced = isInstance || !draft.has("not bootstrapped yet", 6);
    const common = { apps, hasOverlays, isForeign, isInstance, isSynced, isArtifact, hasTeams };
    for (const name of ["home", "prod", "stage"].slice(0, random.pick([1, 1, 2, 2, 3])))
      this.cluster(name, `${parent}/${name}`, common);
    if (draft.has("leftover Flux", 5)) leftCluster(draft, source);
    if (draft.has("leftover circle", 8)) leftCircle(draft, source);
  }

  /** The base of an app: a release, perhaps with a values file. */
  private app(name: string): App {
    const { draft, source } = this;
    const directory = `apps/base/${name}`;
    const isWithVariables = draft.random.once(2);
    const own = draft.layer(source.at(`${directory}/release.yaml`), isWithVariables);
    const below = draft.random.once(2)
      ? draft.valuesFile(source.at(`${directory}/values.yaml`), isWithVariables)
      : undefined;
    draft.write(own.file, helmRelease(name, "apps", own, below === undefined ? [] : [`${name}-values`]));
    const generated = [
      "configMapGenerator:",
      `- name: ${name}-values`,
      "  files: [values.yaml]",
      "generatorOptions: {disableNameSuffixHash: true}",
    ];
    const lines = [
      "apiVersion: kustomize.config.k8s.io/v1beta1",
      "kind: Kustomization",
      "namespace: apps",
      "resources: [release.yaml]",
      ...(below === undefined ? [] : generated),
    ];
    draft.write(source.at(`${directory}/kustomization.yaml`), lines.join("\n"));
    return { name, directory, layers: below === undefined ? [own] : [{ ...below, isApart: true }, own] };
  }

  private cluster(name: string, directory: string, common: Common): void {
    const { draft, source } = this;
    const system = `${directory}/flux-system`;
    const { isInstance, isSynced } = common;
    const region = !isInstance && isSynced && draft.has("variables of the sync", 4) ? name : undefined;
    const start = isInstance ? this.instance(directory) : this.bootstrap(system, directory, isSynced, region);
    const hasList = draft.has("flux-system kustomization", 2);
    if (hasList)
      draft.write(
        source.at(`${system}/kustomization.yaml`),
        `resources:\n${start.map((each) => `- ${each}\n`).join("")}`,
      );
    const cluster = new Cluster(draft, source, name, directory);
    cluster.hasFolders = common.isSynced;
    cluster.region = region;
    if (common.isSynced && draft.has("own source", 4)) cluster.useOwnSource();
    if (common.isForeign) cluster.put("infra.yaml", source.sync("infra", "./infra", cluster.sourceName));
    if (common.isArtifact) artifact(draft, source, cluster);
    for (const app of common.apps) cluster.deploy(app, common);
    if (common.hasTeams) team(draft, source, cluster);
    if (common.isSynced && draft.has("circle of Kustomizations", 5)) circle(draft, source, cluster);
    if (draft.has("cluster kustomization", 4) && hasList)
      draft.write(
        source.at(`${directory}/kustomization.yaml`),
        `resources: [${["flux-system", ...cluster.files].join(", ")}]`,
      );
    const root = { name: source.at(directory), kind: "Flux" } as const;
    draft.roots.push(common.isSynced ? root : { ...root, isGuess: true });
  }

  /** @returns the names of its files */
  private bootstrap(
    system: string,
    directory: string,
    isSynced: boolean,
    region: string | undefined,
  ): readonly string[] {
    const { draft, source } = this;
    const spelled = draft.random.pick([`./${directory}`, `./${directory}`, directory, `./${directory}/`]);
    const more = region === undefined ? [] : ["  postBuild:", `    substitute: {region: ${region}}`];
    const sync = [source.object("flux-system"), source.sync("flux-system", spelled, "flux-system", more)];
    const text = isSynced ? sync.join("\n---\n") : "# flux bootstrap writes this";
    draft.write(source.at(`${system}/gotk-sync.yaml`), text);
    if (draft.random.once(2)) return ["gotk-sync.yaml"];
    const namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: flux-system}";
    draft.write(source.at(`${system}/gotk-components.yaml`), namespace);
    return ["gotk-components.yaml", "gotk-sync.yaml"];
  }

  private instance(directory: string): readonly string[] {
    const { draft, source } = this;
    const spelled = draft.random.pick([`./${directory}`, directory, `${directory}/`]);
    draft.write(source.at(`${directory}/flux-system/flux.yaml`), source.instance(spelled));
    return ["flux.yaml"];
  }
}

/** What is in the directory of a cluster. */
export class Cluster {
  readonly name: string;
  readonly directory: string;
  /** From its directory. */
  readonly files: string[] = [];
  sourceName = "flux-system";
  /** What the sync has as a variable. */
  region: string | undefined;
  /** False where nothing names the directory: it is known by the files that are in it. */
  hasFolders = true;
  private readonly draft: Draft;
  private readonly source: FluxSource;

  constructor(draft: Draft, source: FluxSource, name: string, directory: string) {
    this.draft = draft;
    this.source = source;
    this.name = name;
    this.directory = directory;
  }

  useOwnSource(): void {
    this.sourceName = "fleet";
    this.put("source.yaml", this.source.object(this.sourceName));
  }

  /** Flux takes what is in folders, too. */
  put(file: string, text: string, folder = this.folder()): void {
    this.files.push(`${folder}${file}`);
    this.draft.write(this.source.at(`${this.directory}/${folder}${file}`), text);
  }

  /** A Kustomization for an app: of its overlay, or of the base. */
  deploy(app: App, { hasOverlays, isForeign, isArtifact }: Common): void {
    const { draft, source } = this;
    const { name } = app;
    const over = hasOverlays ? this.overlay(app) : [];
    if (isArtifact) return this.release(name, [...app.layers, ...over]);
    const path = hasOverlays ? `apps/${this.name}/${name}` : app.directory;
    const more = isForeign && draft.random.once(2) ? ["  dependsOn: [{name: infra}]"] : [];
    const variables = draft.random.once(2) ? { site: `at${this.name}` } : undefined;
    if (variables !== undefined) more.push("  postBuild:", ...this.substituted(name, variables.site));
    const patch = draft.has("inline patch", 4) ? this.patched(name) : undefined;
    if (patch !== undefined) more.push(...patch.lines);
    const [file, folder] = patch?.at ?? [draft.random.pick([`${name}.yaml`, `a-${name}.yaml`])];
    const spelled = source.spelled(path);
    const filled = this.region === undefined ? spelled : spelled.replace(`/${this.region}/`, "/${region}/");
    this.put(file, source.sync(name, filled, this.sourceName, more), folder);
    this.release(name, [...app.layers, ...over, ...(patch === undefined ? [] : [patch.layer])], variables);
  }

  private release(name: string, layers: readonly Layer[], variables?: Made["variables"]): void {
    const root = this.source.at(this.directory);
    const made: Made = { root, target: `HelmRelease/apps/${name}`, layers };
    this.draft.releases.push({ ...made, ...(variables && { variables }) });
  }

  /** A patch in a file of its own, or two in the kustomization. */
  private overlay({ name, layers }: App): readonly Layer[] {
    const { draft, source } = this;
    const path = `apps/${this.name}/${name}`;
    const file = source.at(`${path}/kustomization.yaml`);
    const resources = `resources: [../../base/${name}]`;
    if (draft.has("two patches in one file", 4)) {
      const both = [draft.layer(file), draft.layer(file)];
      const inlined = both.flatMap((each) => [
        "- patch: |",
        ...patchOf(name, each).map((line) => `    ${line}`),
      ]);
      draft.write(file, [resources, "patches:", ...inlined].join("\n"));
      return both;
    }
    const over = this.removing(draft.layer(source.at(`${path}/patch.yaml`)), layers.at(-1));
    const removed = (over.removes ?? []).map((each) => `    ${each}: null`);
    draft.write(over.file, [...patchOf(name, over), ...removed].join("\n"));
    draft.write(file, [resources, "patches: [{path: patch.yaml}]"].join("\n"));
    return [over];
  }

  /** Perhaps takes away a value that the release has. Without any other one it is no layer, and an edit of it is not named. */
  private removing(over: Layer, own: Layer | undefined): Layer {
    const has = (layer: Layer | undefined): boolean =>
      layer?.leaves.some(({ path }) => path === removable) === true;
    const mayRemove = has(own) && own?.leaves.length !== 1 && !has(over);
    return mayRemove && this.draft.has("removed by a patch", 2) ? { ...over, removes: [removable] } : over;
  }

  private substituted(name: string, site: string): readonly string[] {
    if (!this.draft.has("substituteFrom", 2)) return [`    substitute: {site: ${site}}`];
    const map = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vars-${name}, namespace: flux-system}\ndata: {site: ${site}}`;
    this.put(`vars-${name}.yaml`, map);
    return [`    substituteFrom: [{kind: ConfigMap, name: vars-${name}}]`];
  }

  /** A patch in the Kustomization's own file. */
  private patched(name: string): {
    readonly lines: readonly string[];
    readonly layer: Layer;
    readonly at: readonly [string, string];
  } {
    const at = [`patched-${name}.yaml`, this.folder()] as const;
    const layer = this.regional(this.draft.layer(this.source.at(`${this.directory}/${at[1]}${at[0]}`)));
    const lines = patchOf(name, layer).map((line) => `        ${line}`);
    return { lines: ["  patches:", "    - patch: |", ...lines], layer, at };
  }

  /** The sync replaces its variable in the Kustomizations that it builds, and so in their patches. */
  private regional(layer: Layer): Layer {
    const { region } = this;
    if (region === undefined) return layer;
    const leaves = layer.leaves.map(({ path, text }) => ({ path, text: `${text}-\${region}` }));
    return { ...layer, leaves, variables: { region } };
  }

  private folder(): string {
    return this.hasFolders && this.draft.random.once(5) ? "more/" : "";
  }
}

/** What an overlay or a Kustomization changes in a release. */
function patchOf(name: string, layer: Layer): string[] {
  return [
    "apiVersion: helm.toolkit.fluxcd.io/v2",
    "kind: HelmRelease",
    `metadata: {name: ${name}, namespace: apps}`,
    "spec:",
    "  values:",
    ...yamlOf(layer, "    "),
  ];
}
