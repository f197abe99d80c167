// What Flux, Argo CD and kpt do to an object because of its labels and annotations, as far as it changes what a layer is:
// whether the cluster gets its text at all, whether its variables are filled in, and when it is applied.
import { Mark, offMarks, type Item } from "../krm/index.ts";
import type { Layer } from "./model.ts";
import { labelOf } from "./metadata.ts";

/** True if Flux leaves a step out for the object: it reads the mark as a label or as an annotation, and one suffices. */
export function isOff(item: Item, mark: (typeof offMarks)[number]): boolean {
  return item.annotations.get(mark) === "disabled" || labelOf(item, mark) === "disabled";
}

/** The marks that Flux obeys for an object. */
export function marksInEffect(item: Item): readonly string[] {
  return offMarks.filter((mark) => isOff(item, mark));
}

/** The values of a mark: annotation and label. */
function valuesOf(item: Item, mark: string): readonly string[] {
  return [item.annotations.get(mark) ?? [], labelOf(item, mark) ?? []].flat();
}

interface Exemption {
  readonly mark: string;
  /** The values in lower case; any value without them. */
  readonly values?: readonly string[];
  readonly readsLabels?: true;
}

/**
 * Marks by which an applier does not bring the object's text to the cluster, or does so only once: fluxcd/pkg ssa compares in
 * any case, labels too. kpt (cli-utils) and Argo CD read annotations. A hook is an object of its own life; `Skip` is never applied.
 */
const exemptions: readonly Exemption[] = [
  { mark: "kustomize.toolkit.fluxcd.io/ssa", values: ["ifnotpresent", "ignore"], readsLabels: true },
  { mark: "kustomize.toolkit.fluxcd.io/reconcile", values: ["disabled"], readsLabels: true },
  { mark: "client.lifecycle.config.k8s.io/mutation", values: ["ignore"] },
  { mark: "argocd.argoproj.io/hook" },
  { mark: "helm.sh/hook" },
];

/** The mark by which the cluster may have another text of the object than the list; undefined for an object like any other. */
export function exemptionOf(item: Item): string | undefined {
  if (item.annotations.size === 0 && !item.labelled) return undefined;
  const found = exemptions.find(({ mark, values, readsLabels }) => {
    const own = item.annotations.get(mark);
    const all = readsLabels === true ? valuesOf(item, mark) : own === undefined ? [] : [own];
    return all.some((value) => values === undefined || values.includes(value.toLowerCase()));
  });
  return found?.mark;
}

/** Argo CD applies objects in the order of their waves. */
function waveOf({ annotations }: Item): number {
  const wave = Number(annotations.get(Mark.syncWave) ?? 0);
  return Number.isInteger(wave) ? wave : 0;
}

/** The first of the waves of some items: what replaces them must be there as early. Undefined for the usual one. */
export function firstWave(items: readonly Item[]): string | undefined {
  const first = items.map(waveOf).reduce((least, wave) => Math.min(least, wave));
  return first === 0 ? undefined : String(first);
}

/** A layer that is never applied reaches its consumer only by a fold, unless valuefold itself marked it. */
export function needsFold({ reference, item, markedByUs }: Layer): boolean {
  if (reference === undefined) return true;
  return item.annotations.get(Mark.localConfig) === "true" && markedByUs !== true;
}
