// All kinds of target, and what follows from their facts. A kind is listed here, and its front end in all.ts: the compiler
// demands the second. Settings, stages and other wings derive their lists of kinds from this one.
import { appKind } from "./app/kind.ts";
import { helmReleaseKind } from "./helm-release/kind.ts";
import { configMapKind, secretKind } from "./in-place/kind.ts";
import type { TargetKind } from "./kind.ts";
import { kymaKind } from "./kyma/kind.ts";

const kinds = [appKind, helmReleaseKind, configMapKind, secretKind, kymaKind] as const;

type Kind = (typeof kinds)[number];
export type KindName = Kind["kind"];
export type KindWithoutItem = Extract<Kind, { withoutItem: true }>["kind"];

export const targetKinds: readonly TargetKind[] = kinds;
export const kindNames: readonly KindName[] = kinds.map(({ kind }) => kind);

/** Facts of a kind; undefined for a kind that is no target. */
export function factsOf(kind: string): TargetKind | undefined {
  return targetKinds.find((each) => each.kind === kind);
}

/** The fields of `spec` that the fold rewrites in an item of the kind. */
export function referenceFieldsOf(kind: string): readonly string[] {
  const { slots = [], lists = [] } = factsOf(kind)?.references ?? {};
  return [...slots, ...lists];
}

const references = targetKinds.flatMap((each) => each.references ?? []);

/** The kinds that reference layers. */
export const referencingKinds = targetKinds.filter((each) => each.references !== undefined);
/** Lists of references, whatever the kind. */
export const referenceLists: readonly string[] = references.flatMap(({ lists }) => lists);
/** All fields of references, whatever the kind. */
export const referenceFields: readonly string[] = references.flatMap(({ slots, lists }) => [
  ...slots,
  ...lists,
]);
/** Data keys that usually hold values. */
export const usualDataKeys: readonly string[] = [
  ...new Set(targetKinds.flatMap(({ dataKey }) => (dataKey === "" ? [] : dataKey))),
];
/** Labels that make an item a layer. */
export const layerLabels: readonly string[] = targetKinds.flatMap(({ layerLabel }) => layerLabel ?? []);
