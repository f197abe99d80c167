// What in a checkout builds what, as a graph: directories that Flux or kustomize builds, files with objects of Argo CD, files of
// Fleet. A root is what no other one reaches; of a circle, the directory that a sync of Flux names.
import { dirname, relative } from "node:path";
import { isNode, type Item } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";
import { realPathOf } from "../disk.ts";
import { FluxSources } from "../flux/sources.ts";
import { looseMatch } from "../glob.ts";
import { postRenderersOf } from "../helm/fleet.ts";
import { kustomizationFile } from "../kustomize/tree.ts";
import { directoryAt, isWhole, type Locator } from "../locator.ts";
import { yamlIn } from "../manifest-index.ts";
import type { CheckoutObjects } from "./objects.ts";
import { type OwnBuild, OwnBuilds } from "./own-build.ts";
import { type Reach, reachOf } from "./reach.ts";
import { rootsOf } from "./roots.ts";
import type { Scan } from "./scan.ts";

interface CheckoutRoots {
  /** Directories that Flux builds. */
  readonly flux: readonly string[];
  /** Files with objects of Argo CD. */
  readonly argo: readonly string[];
  readonly kustomizations: readonly string[];
}

export class Builds {
  private readonly locator: Locator;
  private readonly objects: CheckoutObjects;
  private readonly own: OwnBuilds;
  private readonly reaches = new Map<string, Reach>();
  /** Directories that are built by a Kustomization in them, with the directories that have it. */
  private readonly synced = new Map<string, string>();
  private flux: ReadonlySet<string> = new Set();
  private argo: ReadonlySet<string> = new Set();
  private fleets: ReadonlySet<string> = new Set();
  private kustomizations: ReadonlySet<string> = new Set();
  private readonly edges = new Map<string, readonly string[]>();
  private readonly held = new Map<string, readonly string[]>();
  private readonly deployed = new Set<string>();

  constructor(locator: Locator, objects: CheckoutObjects) {
    this.locator = locator;
    this.objects = objects;
    this.own = new OwnBuilds(objects);
  }

  reachOf(directory: string): Reach {
    const reach = this.reaches.get(directory) ?? reachOf(directory, this.locator, this.objects, this.own);
    this.reaches.set(directory, reach);
    return reach;
  }

  rootsIn(scan: Scan): CheckoutRoots {
    this.findSyncs(scan.flux);
    this.kustomizations = new Set(scan.kustomizations.filter((each) => !this.isComponent(each)));
    const holders = [...this.kustomizations].filter((each) => this.own.at(each).holding.length > 0);
    this.flux = new Set([...byDepth([...this.synced.keys()]), ...byDepth([...scan.flux, ...holders])]);
    this.argo = new Set(byDepth([...scan.argo.values()].flat()));
    this.fleets = new Set(scan.fleets);
    const all = [...this.fleets, ...this.flux, ...this.kustomizations, ...this.argo];
    const roots = rootsOf(all, (each) => this.next(each)).toSorted();
    return {
      flux: roots.filter((each) => this.flux.has(each)),
      argo: roots.filter((each) => this.argo.has(each)),
      kustomizations: roots.filter((each) => this.kustomizations.has(each) && !this.flux.has(each)),
    };
  }

  /** True for one that is built for sure: a sync of Flux builds it. */
  isSynced(directory: string): boolean {
    return this.synced.has(directory);
  }

  /** True for a directory that an Application deploys. Known once the roots are. */
  isDeployed(directory: string): boolean {
    return this.deployed.has(realPathOf(directory));
  }

  private findSyncs(directories: readonly string[]): void {
    for (const directory of directories) {
      const files = yamlIn(directory);
      const sources = new FluxSources(this.locator);
      for (const item of files.flatMap((file) => this.objects.in(file))) sources.add(item);
      for (const { path, file } of this.objects.kustomizationsIn(files)) {
        const built = sources.addOwn(path, realPathOf(file));
        if (built !== undefined && !this.synced.has(built)) this.synced.set(built, directory);
      }
    }
  }

  /** What one builds: directories, and files that are in them. */
  private next(each: string): readonly string[] {
    const known = this.edges.get(each) ?? this.nextOf(each);
    this.edges.set(each, known);
    return known;
  }

  private nextOf(each: string): readonly string[] {
    if (this.argo.has(each)) return this.deployedBy([each]);
    if (this.fleets.has(each)) return postRenderersOf(each).map((own) => realPathOf(own));
    if (!this.flux.has(each))
      return this.kustomizations.has(each)
        ? [...this.own.at(each).files.directories.filter((own) => own !== each), ...this.heldBy(each)]
        : [];
    const sync = this.synced.get(each);
    const reached = [...this.reachOf(each).builds].flatMap(([directory, { files }]) => [
      ...files.directories.filter((own) => !this.objects.holdsKustomization(own)),
      ...this.heldBy(directory),
    ]);
    return sync === undefined ? reached : [...reached, sync];
  }

  /** Files with objects of Argo CD, what those deploy, and the directories of files with what Flux builds more of. */
  private heldBy(directory: string): readonly string[] {
    const known = this.held.get(directory) ?? this.holdersIn(this.own.at(directory));
    this.held.set(directory, known);
    return known;
  }

  private holdersIn({ files: { files }, holding }: OwnBuild): readonly string[] {
    const argo = files.filter((file) => this.argo.has(file));
    return [...argo, ...holding.map((file) => dirname(file)), ...this.deployedBy(argo)];
  }

  private deployedBy(files: readonly string[]): readonly string[] {
    return files.flatMap((file) =>
      this.objects.in(file).flatMap((item) =>
        sourcesIn(item).flatMap((source) => {
          const path = source.textAt("path");
          const directory = path === undefined ? undefined : this.directoryOf(source, path, file);
          return directory === undefined
            ? []
            : this.inDeployed(directory, isDeployedBy(source.get("directory")));
        }),
      ),
    );
  }

  private directoryOf(source: Node, path: string, file: string): string | undefined {
    const url = source.textAt("repoURL");
    const found = this.locator.locate({ url, path: isWhole(path) ? undefined : path, file });
    return "top" in found ? directoryAt(found.top, path) : undefined;
  }

  private inDeployed(directory: string, isDeployed: (path: string) => boolean): readonly string[] {
    const path = realPathOf(directory);
    this.deployed.add(path);
    if (kustomizationFile(path) !== undefined) return [path];
    return [...this.argo].filter((file) => file.startsWith(`${path}/`) && isDeployed(relative(path, file)));
  }

  private isComponent(directory: string): boolean {
    return this.own.at(directory).files.tree?.top?.fields["kind"] === "Component";
  }
}

/** The sources of an Application, as far as no template says which. */
function sourcesIn(item: Item): readonly Node[] {
  const root = item.kind === "Application" ? item.read() : undefined;
  const spec = root !== undefined && isNode(root) ? root.get("spec") : undefined;
  if (spec === undefined) return [];
  const single = spec.get("source");
  return [...(single === undefined ? [] : [single]), ...spec.list("sources")];
}

/** Which files of a directory are deployed, where no kustomization says so. */
function isDeployedBy(fields: Node | undefined): (path: string) => boolean {
  const [include, exclude] = ["include", "exclude"].map((name) => fields && fields.textAt(name));
  const isDeep = fields?.textAt("recurse") === "true";
  return (path) =>
    (isDeep || !path.includes("/")) &&
    (!include || looseMatch(include)?.(path) === true) &&
    (!exclude || looseMatch(exclude)?.(path) !== true);
}

/** The topmost first. */
function byDepth(paths: readonly string[]): readonly string[] {
  const depth = (path: string): number => path.split("/").length;
  return paths.toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}
