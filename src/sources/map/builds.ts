// What in a checkout builds what, as a graph: directories that Flux or kustomize builds, files with objects of Argo CD, files of
// Fleet. A root is what no other one reaches; of a circle, the directory that a sync of Flux names.
import { dirname, relative } from "node:path";
import { deployedSources, madePaths } from "../argo/deployed-sources.ts";
import { realPathOf } from "../disk.ts";
import { isResourceSet } from "../flux/resource-sets.ts";
import { pathsOfSets } from "../flux/set-paths.ts";
import { FluxSources, isSyncOf } from "../flux/sources.ts";
import { postRenderersOf } from "../helm/fleet.ts";
import { kustomizationFile } from "../kustomize/tree.ts";
import { directoryAt, isWhole, type Locator } from "../locator.ts";
import { isIn } from "../tree.ts";
import { yamlIn } from "../manifest-index.ts";
import type { CheckoutObjects, PlacedPath } from "./objects.ts";
import { type OwnBuild, OwnBuilds } from "./own-build.ts";
import { type Reach, reachOf } from "./reach.ts";
import { rootsOf } from "./roots.ts";
import type { Scan } from "./scan.ts";
import { isDeployedBy } from "../argo/directory-source.ts";
import { fieldIn, type Placed, textIn } from "../placed.ts";
import { remembered } from "../../remembered.ts";

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
    return remembered(this.reaches, directory, () =>
      reachOf(directory, this.locator, this.objects, this.own),
    );
  }

  rootsIn(scan: Scan): CheckoutRoots {
    this.objects.leaveOut(this.partsIn(scan.kustomizations));
    const flux = scan.flux.filter((each) => this.objects.holdsKustomization(each));
    this.findSyncs(flux);
    this.kustomizations = new Set(scan.kustomizations.filter((each) => !this.isComponent(each)));
    const holders = [...this.kustomizations].filter((each) => this.own.at(each).holding.length > 0);
    this.flux = new Set([...byDepth([...this.synced.keys()]), ...byDepth([...flux, ...holders])]);
    this.argo = new Set(byDepth(scan.argo.filter((file) => this.objects.in(file).length > 0)));
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

  /** Those that no build has, and no Application or bundle deploys; none where any may be built. Known once the roots are. */
  unbuiltOf(files: readonly string[]): readonly string[] {
    if (files.length === 0) return [];
    const reaches = [...this.flux].map((each) => this.reachOf(each));
    const reached = reaches.flatMap(({ builds }) => [...builds.values()]);
    const isOpen = reached.some(({ items }) => items.some(({ item }) => isResourceSet(item)));
    if (isOpen || reaches.some(({ mayHaveAll }) => mayHaveAll)) return [];
    const own = [...reached, ...[...this.kustomizations].map((each) => this.own.at(each))];
    const built = new Set<string>();
    for (const { files: each } of new Set(own)) for (const file of each.files) built.add(file);
    const folders = [...this.deployed, ...[...this.fleets].map((each) => dirname(each))];
    const left = files.filter((file) => !built.has(file) && !folders.some((each) => isIn(file, each)));
    // A build may have a file by way of a link.
    const real = new Set(left.length === 0 ? [] : [...built].map((each) => realPathOf(each)));
    return left.filter((file) => !real.has(file));
  }

  /** True for a directory that an Application deploys. Known once the roots are. */
  isDeployed(directory: string): boolean {
    return this.deployed.has(realPathOf(directory));
  }

  /** The files that kustomizations have, and not as manifests: patches, mostly. */
  private partsIn(kustomizations: readonly string[]): ReadonlySet<string> {
    const [files, manifests] = [new Set<string>(), new Set<string>()];
    for (const each of kustomizations.map((directory) => this.objects.index.filesOf(directory))) {
      for (const file of each.files) files.add(file);
      for (const file of each.manifests) manifests.add(file);
    }
    return new Set([...files].filter((each) => !manifests.has(each)));
  }

  private findSyncs(directories: readonly string[]): void {
    for (const directory of directories) {
      const files = yamlIn(directory);
      const sources = new FluxSources(this.locator);
      for (const { item, file } of this.objects.itemsIn(files)) sources.add(item, realPathOf(file));
      for (const each of this.objects.kustomizationsIn(files)) this.addSync(each, sources);
    }
    const sources = new FluxSources(this.locator);
    for (const each of this.objects.syncsInValues)
      if (isSyncOf(each.path, each.file, this.locator)) this.addSync(each, sources);
  }

  private addSync({ path, file }: PlacedPath, sources: FluxSources): void {
    const built = sources.addOwn(path, realPathOf(file));
    if (built !== undefined && !this.synced.has(built)) this.synced.set(built, dirname(file));
  }

  /** What one builds: directories, and files that are in them. */
  private next(each: string): readonly string[] {
    return remembered(this.edges, each, () => this.nextOf(each));
  }

  private nextOf(each: string): readonly string[] {
    if (this.argo.has(each)) return this.deployedBy([each]);
    if (this.fleets.has(each)) return [dirname(each), ...postRenderersOf(each)].map((own) => realPathOf(own));
    if (!this.flux.has(each))
      return this.kustomizations.has(each)
        ? [...this.own.at(each).files.directories.filter((own) => own !== each), ...this.heldBy(each)]
        : [];
    const sync = this.synced.get(each);
    const reached = [...this.reachOf(each).builds].flatMap(([directory, { files }]) => [
      ...files.directories.filter((own) => !this.objects.holdsKustomization(own)),
      ...this.heldBy(directory),
    ]);
    return [...reached, ...this.madeBySets(each), ...(sync === undefined ? [] : [sync])];
  }

  /** Kustomizations with a path that a ResourceSet may give: what it makes is not known here. */
  private madeBySets(directory: string): readonly string[] {
    const items = [...this.reachOf(directory).builds.values()].flatMap((each) => each.items);
    const paths = pathsOfSets(items.map(({ item }) => item));
    const made = new Set(paths.map((each) => directoryAt(this.locator.top, each)));
    return [...this.kustomizations].filter((each) => made.has(each));
  }

  /** Files with objects of Argo CD, what those deploy, and the directories of files with what Flux builds more of. */
  private heldBy(directory: string): readonly string[] {
    return remembered(this.held, directory, () => this.holdersIn(this.own.at(directory)));
  }

  private holdersIn({ files: { files }, holding }: OwnBuild): readonly string[] {
    const argo = files.filter((file) => this.argo.has(file));
    return [...argo, ...holding.map((file) => dirname(file)), ...this.deployedBy(argo)];
  }

  private deployedBy(files: readonly string[]): readonly string[] {
    return files.flatMap((file) =>
      this.objects
        .in(file)
        .flatMap((item) =>
          deployedSources(item).flatMap(({ source, generators }) =>
            this.directoriesOf(source, generators, file).flatMap((each) =>
              this.inDeployed(each, isDeployedBy(fieldIn(source, "directory"))),
            ),
          ),
        ),
    );
  }

  /** @param generators those of its set: what they make of its path is known as far as it is a path in git */
  private directoriesOf(source: Placed, generators: readonly Placed[], file: string): readonly string[] {
    const [url, path] = ["repoURL", "path"].map((name) => textIn(fieldIn(source, name)));
    if (path === undefined) return [];
    const isTemplate = path.includes("{{");
    const found = this.locator.locate({ url, path: isWhole(path) || isTemplate ? undefined : path, file });
    if (!("top" in found)) return [];
    const { top } = found;
    if (!isTemplate) return [directoryAt(top, path) ?? []].flat();
    const isMade = madePaths(path, generators);
    return this.objects.index.foldersBelow(top).filter((each) => isMade(relative(top, each)));
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

/** The topmost first. */
function byDepth(paths: readonly string[]): readonly string[] {
  const depth = (path: string): number => path.split("/").length;
  return paths.toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}
