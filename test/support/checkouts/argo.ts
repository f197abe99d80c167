// A checkout of Argo CD: Applications of a folder, perhaps with an app of apps, an Argo CD that deploys itself, and sets over
// directories.
import { application, argoObject, type Root } from "./argo-application.ts";
import { type Draft, type Layer, type Place, yamlOf } from "./draft.ts";

export function argoCheckout(draft: Draft, place: Place): void {
  draft.traits.push("argo");
  new ArgoCheckout(draft, place).make();
}

class ArgoCheckout {
  private readonly draft: Draft;
  private readonly place: Place;
  /** The folder of the root. */
  private readonly root: string;
  private readonly isManaged: boolean;
  private readonly hasRoot: boolean;
  /** The folder of the Applications. */
  private readonly apps: string;
  private readonly files: string[] = [];

  constructor(draft: Draft, place: Place) {
    this.draft = draft;
    this.place = place;
    this.root = draft.random.pick(["argocd", "bootstrap", "."]);
    this.isManaged = this.root === "argocd" && draft.has("self-management", 2);
    this.hasRoot = this.isManaged || draft.has("app of apps", 2);
    this.apps = this.hasRoot ? inFolder(this.root, "apps") : this.root;
    if (this.root === ".") draft.traits.push("top folder");
  }

  make(): void {
    const { draft, place } = this;
    const { random } = draft;
    const root: Root = {
      draft,
      place,
      root: this.name(this.root),
      chart: draft.chart(`${place.top}charts/shop`, "shop"),
      shared: draft.valuesFile(`${place.top}envs/base.yaml`),
      put: (name, text) => this.put(name, text),
      fileOf: (name) => this.fileOf(name),
    };
    for (const name of ["one", "two", "three"].slice(0, 1 + random.below(3))) application(root, name);
    if (draft.has("set over charts", 3)) this.setOverCharts();
    if (draft.has("set over folders", 3)) this.setOverFolders();
    if (this.isManaged) this.manage();
    const isListed = this.hasRoot && draft.has("listed apps", 2);
    if (!this.hasRoot && this.root !== "." && draft.has("circle of Applications", 3))
      this.put("again", this.deploying("again", this.apps));
    if (this.hasRoot) this.top(isListed);
    if (isListed)
      draft.write(this.at(`${this.apps}/kustomization.yaml`), `resources: [${this.files.join(", ")}]`);
    draft.roots.push({ name: this.name(this.root), kind: "Argo CD" });
  }

  /** The Application that deploys the others. */
  private top(isListed: boolean): void {
    const path = this.draft.random.pick(["", "./"]);
    const isDeep = !isListed && this.draft.random.once(2);
    const text = this.deploying("root", this.apps, isDeep ? ["    directory: {recurse: true}"] : [], path);
    this.draft.write(this.at(inFolder(this.root, "root.yaml")), text);
  }

  private manage(): void {
    this.put("self", this.deploying("argocd", "argocd"));
    this.draft.write(this.at("argocd/ns.yaml"), "apiVersion: v1\nkind: Namespace\nmetadata: {name: argocd}");
    this.draft.write(this.at("argocd/kustomization.yaml"), "resources: [ns.yaml]");
  }

  /** A chart in each directory, of which a set makes an Application. */
  private setOverCharts(): void {
    const { draft, place } = this;
    for (const name of ["cart", "mail"]) {
      const directory = `${place.top}services/${name}`;
      const layers: Layer[] = [draft.chart(directory, name)];
      if (draft.random.once(2)) layers.push(draft.valuesFile(`${directory}/more.yaml`));
      draft.releases.push({ root: this.name(this.root), target: `Application/argocd/${name}`, layers });
    }
    const hidden = draft.has("excluded directory", 2);
    if (hidden) draft.loose.push(draft.chart(`${place.top}services/off`, "off"));
    const helm = ["      helm: {ignoreMissingValueFiles: true, valueFiles: [more.yaml]}"];
    this.set("services", { hidden: hidden ? "services/off" : undefined, source: helm });
  }

  /** In each directory a kustomization with an Application. */
  private setOverFolders(): void {
    const { draft, place } = this;
    for (const name of ["north", "south"]) {
      const layer = draft.layer(`${place.top}regions/${name}/app.yaml`);
      const source = ["    repoURL: https://charts.example", "    chart: shop", "    targetRevision: 1.0.0"];
      const values = ["    helm:", "      valuesObject:", ...yamlOf(layer, "        ")];
      draft.write(layer.file, argoObject(name, ["  source:", ...source, ...values]));
      draft.write(`${place.top}regions/${name}/kustomization.yaml`, "resources: [app.yaml]");
      const target = `Application/argocd/${name}`;
      draft.releases.push({ root: this.name(this.root), target, layers: [layer] });
    }
    this.set("regions", { prefix: "region-" });
  }

  private set(
    folder: string,
    more: {
      readonly hidden?: string | undefined;
      readonly source?: readonly string[];
      readonly prefix?: string;
    },
  ): void {
    const { draft, place } = this;
    const [path, name] = draft.random.pick([
      ["{{.path.path}}", "{{.path.basename}}"],
      ["{{path}}", "{{path.basename}}"],
    ] as const);
    const { hidden, source = [], prefix = "" } = more;
    const lines = [
      "apiVersion: argoproj.io/v1alpha1",
      "kind: ApplicationSet",
      `metadata: {name: ${folder}, namespace: argocd}`,
      "spec:",
      ...(path.startsWith("{{.") ? ["  goTemplate: true"] : []),
      "  generators:",
      "  - git:",
      `      repoURL: ${draft.url(place.repository)}`,
      "      revision: HEAD",
      "      directories:",
      `      - {path: "${place.start}${folder}/*"}`,
      ...(hidden === undefined ? [] : [`      - {path: "${place.start}${hidden}", exclude: true}`]),
      "  template:",
      `    metadata: {name: "${prefix}${name}"}`,
      "    spec:",
      "      project: default",
      "      source:",
      `        repoURL: ${draft.url(place.repository)}`,
      `        path: "${path}"`,
      "        targetRevision: HEAD",
      ...source.map((line) => `  ${line}`),
      `      destination: {server: https://kubernetes.default.svc, namespace: "${name}"}`,
    ];
    this.put(folder, lines.join("\n"));
  }

  private deploying(name: string, path: string, more: readonly string[] = [], dot = ""): string {
    const { draft, place } = this;
    return argoObject(name, [
      "  source:",
      `    repoURL: ${draft.url(place.repository)}`,
      `    path: ${dot}${place.start}${path}`,
      "    targetRevision: HEAD",
      ...more,
    ]);
  }

  private put(name: string, text: string): void {
    this.files.push(`${name}.yaml`);
    this.draft.write(this.fileOf(name), text);
  }

  private fileOf(name: string): string {
    return this.at(inFolder(this.apps, `${name}.yaml`));
  }

  private at(path: string): string {
    return `${this.place.top}${path}`;
  }

  /** Of a folder of the place. */
  private name(folder: string): string {
    return (folder === "." ? this.place.top.replace(/\/$/, "") : this.at(folder)) || ".";
  }
}

const inFolder = (folder: string, name: string): string => (folder === "." ? name : `${folder}/${name}`);
