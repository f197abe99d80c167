// What the directories of a checkout are: found by reading them once.
import { join } from "node:path";
import { isWholeArgoObject } from "../argo/application.ts";
import { entriesIn, pathFault } from "../disk.ts";
import type { CheckoutObjects } from "./objects.ts";
import { fleetFile } from "../helm/fleet.ts";
import { valuesBeside } from "../helm/values-beside.ts";
import { kustomizationFile } from "../kustomize/tree.ts";
import { isHelmfile, type Unfollowed } from "../unfollowed.ts";

interface ScanOptions {
  /** True for a file or a directory that is not looked at. @param path a real path */
  readonly isIgnored: (path: string) => boolean;
  readonly progress: ((line: string) => void) | undefined;
}

export class Scan {
  readonly kustomizations: string[] = [];
  /** Directories with Kustomizations of Flux, or with ResourceSets. */
  readonly flux: string[] = [];
  /** Files with objects of Argo CD. */
  readonly argo: string[] = [];
  /** Files of Rancher Fleet. */
  readonly fleets: string[] = [];
  /** Charts with values files next to them, and those that make targets. */
  readonly charts: string[] = [];
  /** What nothing here follows. */
  readonly unfollowed: Unfollowed[] = [];
  /** Files with releases. */
  readonly targets: string[] = [];
  readonly unreadable: { readonly directory: string; readonly fault: string }[] = [];
  private readonly objects: CheckoutObjects;
  private readonly options: ScanOptions;
  private count = 0;

  constructor(directory: string, objects: CheckoutObjects, options: ScanOptions) {
    this.objects = objects;
    this.options = options;
    this.read(directory);
  }

  private read(directory: string): void {
    try {
      this.readIn(directory);
    } catch (error) {
      const fault = pathFault(error);
      if (fault === undefined) throw error;
      this.unreadable.push({ directory, fault });
    }
  }

  private isAsked(chart: string): boolean {
    return valuesBeside(chart).length > 0 || this.objects.index.madeBy(chart) !== undefined;
  }

  private readIn(directory: string): void {
    const entries = entriesIn(directory)
      .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
      .filter(({ name }) => !this.options.isIgnored(join(directory, name)));
    const isChart = entries.some(({ name }) => name === "Chart.yaml");
    const isBuild = kustomizationFile(directory) !== undefined;
    if (isBuild) this.kustomizations.push(directory);
    const files = entries.filter((each) => each.kind === "file").map(({ name }) => join(directory, name));
    this.count += files.length;
    // The folder is read where there is no such file.
    const helmfile = isChart ? undefined : entries.findLast(({ name }) => isHelmfile(name));
    if (helmfile !== undefined)
      this.unfollowed.push({ kind: "helmfile", path: join(directory, helmfile.name) });
    if (isChart && this.isAsked(directory)) this.charts.push(directory);
    const fleet = fleetFile(directory);
    if (fleet !== undefined) this.fleets.push(fleet);
    this.options.progress?.(`looking for builds: ${this.count} files`);
    const isHolder = (file: string): boolean =>
      isBuild ? this.objects.hasKustomization(file) : this.objects.hasWhole(file);
    // All YAML below it would be built, templates included.
    if (!isChart && files.some(isHolder)) this.flux.push(directory);
    this.argo.push(...files.filter((file) => this.objects.in(file).some(isWholeArgoObject)));
    this.targets.push(...files.filter((file) => this.objects.hasTarget(file)));
    for (const entry of entries)
      if (entry.kind === "directory" && !(isChart && /^(?:templates|charts|crds)$/.test(entry.name)))
        this.read(join(directory, entry.name));
  }
}
