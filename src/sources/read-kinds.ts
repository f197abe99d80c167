// The kinds of objects that are read with the place of each value. A new kind is a line here; one that is a target by itself has
// its row in a file of its own.
import { helmReleaseKind, isKindNamed, isTargetKind, kindNames } from "../kinds.ts";
import type { Item } from "../krm/index.ts";
import type { ChartOptions, FoundTargets } from "./helm/charts.ts";
import { helmChartKinds } from "./helm/helm-charts.ts";
import type { FoundObjects } from "./placed-object.ts";
import { itemsIn } from "./items.ts";

export interface ReadKinds {
  readonly kinds: readonly string[];
  /** Where values are, and what leads to them: a build has marks in their place. */
  readonly fields: readonly string[];
  /** Absent where such objects alone are no target. */
  readonly isTarget?: (item: Item) => boolean;
  readonly targets?: (objects: readonly FoundObjects[], options: ChartOptions) => Promise<FoundTargets>;
}

const setFields = ["inputs", "defaultValues", "resources", "resourcesTemplate", "steps"];

export const readKinds: readonly ReadKinds[] = [
  { kinds: [helmReleaseKind.kind], fields: ["spec.values", "spec.postRenderers", "spec.commonMetadata"] },
  { kinds: ["ConfigMap"], fields: ["data"] },
  { kinds: ["Secret"], fields: ["data", "stringData"] },
  { kinds: ["Kustomization"], fields: ["spec.patches", "spec.postBuild"] },
  {
    kinds: ["Application", "ApplicationSet"],
    fields: ["spec.source.helm", "spec.sources", "spec.generators", "spec.template"],
  },
  {
    kinds: ["ResourceSet", "ResourceSetInputProvider"],
    fields: ["spec", ...setFields.map((each) => `spec.${each}`)],
  },
  helmChartKinds,
];

/** @param kind that of a resource: a patch may have another kind than what it is for */
export function markedFields(kind: string | undefined): readonly (readonly string[])[] {
  const rows = readKinds.filter(({ kinds }) => kind === undefined || kinds.includes(kind));
  // A patch may be for any kind: its `spec` is not marked as a whole.
  const isOf = (field: string): boolean => kind !== undefined || field !== "spec";
  return rows.flatMap(({ fields }) => fields.filter(isOf).map((each) => each.split(".")));
}

/** The targets that objects are by themselves. */
export function targetsIn(
  objects: readonly FoundObjects[],
  options: ChartOptions,
): Promise<readonly FoundTargets[]> {
  return Promise.all(readKinds.flatMap(({ targets }) => targets?.(objects, options) ?? []));
}

/** True for a stream with an object that may receive values. */
export function holdsTargets(bytes: Uint8Array): boolean {
  const isRead = (item: Item): boolean => readKinds.some(({ isTarget }) => isTarget?.(item) === true);
  return itemsIn(bytes).some((item) => kindNames.some((each) => each === item.kind) || isRead(item));
}

/** True for a word that means a kind of targets: its objects are asked for as those, and not of charts. */
export function namesTargets(word: string): boolean {
  const own = readKinds.flatMap(({ kinds, targets }) => (targets === undefined ? [] : kinds));
  return isTargetKind(word) || own.some((kind) => isKindNamed(kind, word));
}
