// What the directories of a checkout are: found by reading them once.
import { join } from "node:path";
import { isArgoObject } from "./argo/application.ts";
import { entriesIn, pathFault } from "./disk.ts";
import type { CheckoutObjects } from "./found-objects.ts";
import { fleetFile } from "./helm/fleet.ts";
import { valuesBeside } from "./helm/values-beside.ts";
import { kustomizationFile } from "./kustomize/tree.ts";

export class Scan {
  readonly kustomizations: string[] = [];
  /** Directories with Kustomizations of Flux. */
  readonly flux: string[] = [];
  /** Files with objects of Argo CD, by their directories. */
  readonly argo = new Map<string, readonly string[]>();
  /** Files of Rancher Fleet. */
  readonly fleets: string[] = [];
  /** Charts with values files next to them. */
  readonly charts: string[] = [];
  readonly unreadable: { readonly directory: string; readonly fault: string }[] = [];
  private readonly objects: CheckoutObjects;
  private readonly progress: ((line: string) => void) | undefined;
  private count = 0;

  constructor(directory: string, objects: CheckoutObjects, progress?: (line: string) => void) {
    this.objects = objects;
    this.progress = progress;
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

  private readIn(directory: string): void {
    const entries = entriesIn(directory)
      .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const isChart = entries.some(({ name }) => name === "Chart.yaml");
    if (kustomizationFile(directory) !== undefined) this.kustomizations.push(directory);
    const files = entries.filter((each) => each.isFile()).map(({ name }) => join(directory, name));
    this.count += files.length;
    if (isChart && valuesBeside(directory).length > 0) this.charts.push(directory);
    const fleet = fleetFile(directory);
    if (fleet !== undefined && kustomizationFile(directory) === undefined) this.fleets.push(fleet);
    this.progress?.(`${this.count} files`);
    if (!isChart && files.filter((file) => this.objects.hasKustomization(file)).length > 0)
      this.flux.push(directory);
    const argo = files.filter((file) => this.objects.in(file).some(isArgoObject));
    if (!isChart && argo.length > 0) this.argo.set(directory, argo);
    for (const entry of entries)
      if (entry.isDirectory() && !(isChart && /^(?:templates|charts|crds)$/.test(entry.name)))
        this.read(join(directory, entry.name));
  }
}
