// What in a checkout builds what: directories with Kustomizations of Flux, kustomizations, files with objects of Argo CD, files of
// Fleet. A root is one that no other reaches; of a circle, the directory that a sync of Flux names.
import { dirname, relative } from "node:path";
import { realPathOf } from "./disk.ts";
import { type Closure, closureOf } from "./closure.ts";
import { deployedBy } from "./deployed.ts";
import { fluxPath, isFluxKustomization } from "./flux/kustomization.ts";
import { FluxSources } from "./flux/sources.ts";
import type { CheckoutObjects } from "./found-objects.ts";
import { postRenderersOf } from "./helm/fleet.ts";
import { kustomizationFile } from "./kustomize/tree.ts";
import { yamlIn } from "./manifest-index.ts";
import type { Repository } from "./repository.ts";
import { rootsOf } from "./roots.ts";
import type { Scan } from "./scan.ts";

interface CheckoutRoots {
  /** Directories that Flux builds. */
  readonly flux: readonly string[];
  /** Files with objects of Argo CD. */
  readonly argo: readonly string[];
  readonly kustomizations: readonly string[];
}

export class CheckoutBuilds {
  private readonly repository: Repository;
  private readonly objects: CheckoutObjects;
  private readonly closures = new Map<string, Closure>();
  /** Directories that are built by a Kustomization in them, with the directories that have it. */
  private readonly synced = new Map<string, string>();
  private readonly flux: ReadonlySet<string>;
  private readonly argo: ReadonlySet<string>;
  private readonly fleets: ReadonlySet<string>;
  private readonly kustomizations: ReadonlySet<string>;
  private readonly edges = new Map<string, readonly string[]>();
  private readonly deployed = new Set<string>();

  constructor(scan: Scan, repository: Repository, objects: CheckoutObjects) {
    this.repository = repository;
    this.objects = objects;
    this.findSyncs(scan.flux);
    this.kustomizations = new Set(scan.kustomizations.filter((each) => !this.isComponent(each)));
    const holders = [...this.kustomizations].filter((each) =>
      this.filesOf(each).some((file) => objects.hasKustomization(file)),
    );
    this.flux = new Set([...byDepth([...this.synced.keys()]), ...byDepth([...scan.flux, ...holders])]);
    this.argo = new Set(byDepth([...scan.argo.values()].flat()));
    this.fleets = new Set(scan.fleets);
  }

  roots(): CheckoutRoots {
    const { flux, argo, fleets, kustomizations } = this;
    const all = [...fleets, ...flux, ...kustomizations, ...argo];
    const roots = rootsOf(all, (each) => this.next(each)).toSorted();
    return {
      flux: roots.filter((each) => flux.has(each)),
      argo: roots.filter((each) => argo.has(each)),
      kustomizations: roots.filter((each) => kustomizations.has(each) && !flux.has(each)),
    };
  }

  closureOf(directory: string): Closure {
    const closure = this.closures.get(directory) ?? closureOf(directory, this.repository, this.objects);
    this.closures.set(directory, closure);
    return closure;
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
    const { top, remotes } = this.repository;
    for (const directory of directories) {
      const items = yamlIn(directory).flatMap((file) =>
        this.objects.in(file).map((item) => ({ item, file })),
      );
      const sources = new FluxSources(top, remotes);
      for (const { item } of items) sources.add(item);
      for (const { item, file } of items.filter((each) => isFluxKustomization(each.item))) {
        const path = fluxPath(item);
        const built = path && sources.addOwn(path, realPathOf(file));
        if (built !== undefined && !this.synced.has(built)) this.synced.set(built, directory);
      }
    }
  }

  private filesOf(directory: string): readonly string[] {
    return this.objects.index.filesOf(directory).files;
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
        ? [...this.otherKustomizations(each), ...this.holdersIn(this.filesOf(each))]
        : [];
    const { directories, files } = this.closureOf(each);
    const sync = this.synced.get(each);
    return [
      ...[...directories].filter((own) => !this.hasOwnKustomization(own)),
      ...this.holdersIn([...files]),
      ...(sync === undefined ? [] : [sync]),
    ];
  }

  /** Files with objects of Argo CD, what those deploy, and the directories of files with Kustomizations of Flux. */
  private holdersIn(files: readonly string[]): readonly string[] {
    const argo = files.filter((file) => this.argo.has(file));
    const flux = files.filter((file) => this.objects.hasKustomization(file)).map((file) => dirname(file));
    return [...argo, ...flux, ...this.deployedBy(argo)];
  }

  private deployedBy(files: readonly string[]): readonly string[] {
    const items = files.flatMap((file) => this.objects.in(file));
    return items
      .flatMap((item) => deployedBy(item, this.repository))
      .flatMap(({ directory, isDeployed }) => {
        const path = realPathOf(directory);
        this.deployed.add(path);
        if (kustomizationFile(path) !== undefined) return [path];
        return [...this.argo].filter(
          (file) => file.startsWith(`${path}/`) && isDeployed(relative(path, file)),
        );
      });
  }

  private hasOwnKustomization(directory: string): boolean {
    return yamlIn(directory).some((file) => this.objects.hasKustomization(file));
  }

  private otherKustomizations(directory: string): readonly string[] {
    const { all } = this.objects.index.treeOf(directory);
    return all.map((each) => each.directory).filter((each) => each !== directory);
  }

  private isComponent(directory: string): boolean {
    return this.objects.index.treeOf(directory).top?.fields["kind"] === "Component";
  }
}

/** The topmost first. */
function byDepth(paths: readonly string[]): readonly string[] {
  const depth = (path: string): number => path.split("/").length;
  return paths.toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}
