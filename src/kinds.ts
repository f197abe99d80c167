// What is known of each kind of target: facts, without code. A new kind is an entry here, a folder of front/ and a line in
// front/all.ts, which the compiler demands, then `npm run schema`; the order is that of messages only. Settings, stages and other wings derive their lists of kinds from this file.

export interface TargetKind {
  readonly kind: string;
  /** What kubectl calls it, too. */
  readonly shortNames?: readonly string[];
  /** The versions that valuefold knows, the newest first; empty for a kind without items. */
  readonly apiVersions: readonly string[];
  /** The priority of an annotated layer without `valuefold.dev/priority`. */
  readonly defaultPriority: number;
  readonly maxPriority: number;
  /** How to override a layer of the top priority, where there is a way. */
  readonly above?: string;
  /** Data key of folded items; empty for a kind that is edited in place. */
  readonly dataKey: string;
  /** True if the consumer waits for a layer without the data key; else it goes on without the layer. */
  readonly waitsForKey?: boolean;
  /** The fields that name layers. The fold rewrites them. */
  readonly references?: ReferenceFields;
  /** Priorities at which the platform may bind values that no target names, unless a setting says otherwise. */
  readonly unseen?: readonly number[];
  /** True if the consumer merges all ConfigMaps before all Secrets: such a target has a stack of each. */
  readonly stackPerKind?: boolean;
  /** True if an item of the kind is a target only where a layer names it; the result goes into the item itself. */
  readonly inPlace?: boolean;
  /** False if readers of an item may not read Secrets: no Secret is a layer of it. */
  readonly mayHoldSecrets?: false;
  /** True if the list has no items of the kind. Such targets are folded only if a selector asks for the kind. */
  readonly withoutItem?: boolean;
  /** The label by which items are layers of the kind. */
  readonly layerLabel?: string;
}

/** Fields of `spec` that name ConfigMaps and Secrets. */
interface ReferenceFields {
  /** Each names one ConfigMap (`configMap.name`) and one Secret (`secret.name`): its priority. */
  readonly slots: { readonly [field: string]: number };
  /** Each is a list of entries with `kind` and `name`. */
  readonly lists: readonly string[];
  /** The priority of an entry that names none. */
  readonly listPriority: number;
}

/** Priorities: apiextensions-application v1alpha1. */
export const appKind = {
  kind: "App",
  apiVersions: ["application.giantswarm.io/v1alpha1"],
  defaultPriority: 25,
  maxPriority: 150,
  dataKey: "values",
  references: { slots: { config: 50, userConfig: 100 }, lists: ["extraConfigs"], listPriority: 25 },
  unseen: [0, 1, 100, 150],
  stackPerKind: true,
} as const satisfies TargetKind;

/** The data key is Flux' default for a reference without one. */
export const helmReleaseKind = {
  kind: "HelmRelease",
  shortNames: ["hr"],
  apiVersions: [
    "helm.toolkit.fluxcd.io/v2",
    "helm.toolkit.fluxcd.io/v2beta2",
    "helm.toolkit.fluxcd.io/v2beta1",
  ],
  defaultPriority: 75,
  maxPriority: 100,
  above: "only inline values are above: patch `spec.values` of the HelmRelease",
  dataKey: "values.yaml",
  waitsForKey: true,
  references: { slots: {}, lists: ["valuesFrom"], listPriority: 50 },
} as const satisfies TargetKind;

const inPlace = {
  apiVersions: ["v1"],
  defaultPriority: 50,
  maxPriority: 150,
  dataKey: "",
  inPlace: true,
} as const;

const configMapKind = {
  kind: "ConfigMap",
  shortNames: ["cm"],
  ...inPlace,
  mayHoldSecrets: false,
} as const satisfies TargetKind;
const secretKind = { kind: "Secret", ...inPlace } as const satisfies TargetKind;

/** Components of Kyma: their layers are ConfigMaps and Secrets labelled `installer: overrides`. */
export const kymaKind = {
  kind: "Kyma",
  apiVersions: [],
  defaultPriority: 0,
  maxPriority: Number.MAX_SAFE_INTEGER,
  dataKey: "values.yaml",
  stackPerKind: true,
  withoutItem: true,
  layerLabel: "installer",
} as const satisfies TargetKind;

const kinds = [appKind, helmReleaseKind, configMapKind, secretKind, kymaKind] as const;

type KindFacts = (typeof kinds)[number];
export type KindName = KindFacts["kind"];
export type KindWithoutItem = Extract<KindFacts, { withoutItem: true }>["kind"];

export const targetKinds: readonly TargetKind[] = kinds;
export const kindNames: readonly KindName[] = kinds.map(({ kind }) => kind);

/** Kinds whose values are read and judged, and that no fold writes to. */
const readKinds = ["Application", "HelmChart", "Chart", "Bundle"] as const;

/** The priority of a values file: that of an entry in the list of a HelmRelease. */
export const filePriority: number = helmReleaseKind.references.listPriority;

/** Kinds that settings may name where they judge values. */
export const judgedKinds = [...kindNames, ...readKinds] as const;

/** Kinds of targets that are edited in place: the item gets the result. */
export const inPlaceKinds = kindNames.filter((kind) => factsOf(kind)?.inPlace === true);

/** True for a kind that is a target wherever it is: other ConfigMaps and Secrets are layers. */
export function isJudgedKind(kind: string): boolean {
  return judgedKinds.some((each) => each === kind) && !inPlaceKinds.some((each) => each === kind);
}

/** `app` is the kind App in lower case, too. */
const readShortNames: Readonly<Record<string, readonly string[]>> = { Application: ["app"] };

/** True if a word means a kind, as kubectl reads words: in any case, or by a short name. */
export function isKindNamed(kind: string, word: string): boolean {
  const lower = word.toLowerCase();
  const shortNames = factsOf(kind)?.shortNames ?? readShortNames[kind] ?? [];
  return kind.toLowerCase() === lower || shortNames.includes(lower);
}

/** Kinds of Kubernetes that users ask for, with the words that kubectl has for them. */
const usualKinds: Readonly<Record<string, readonly string[]>> = {
  CronJob: ["cj"],
  CustomResourceDefinition: ["crd"],
  DaemonSet: ["ds"],
  Deployment: ["deploy"],
  HorizontalPodAutoscaler: ["hpa"],
  Ingress: ["ing"],
  Job: [],
  Namespace: ["ns"],
  NetworkPolicy: ["netpol"],
  PersistentVolumeClaim: ["pvc"],
  PodDisruptionBudget: ["pdb"],
  Service: ["svc"],
  ServiceAccount: ["sa"],
  StatefulSet: ["sts"],
};

/** The kind of Kubernetes that a word means, as kubectl reads it; undefined for another word. */
export function usualKind(word: string): string | undefined {
  const lower = word.toLowerCase();
  const found = Object.entries(usualKinds).find(
    ([kind, short]) => kind.toLowerCase() === lower || short.includes(lower),
  );
  return found?.[0] ?? (["ConfigMap", "Secret"] as const).find((kind) => isKindNamed(kind, word));
}

/** True for a word that means a kind of targets. */
export function isTargetKind(word: string): boolean {
  return judgedKinds.some((kind) => isKindNamed(kind, word));
}

/** Facts of a kind; undefined for a kind that is no target. */
export function factsOf(kind: string): TargetKind | undefined {
  return targetKinds.find((each) => each.kind === kind);
}

/** The fields of `spec` that the fold rewrites in an item of the kind. */
export function referenceFieldsOf(kind: string): readonly string[] {
  const { slots = {}, lists = [] } = factsOf(kind)?.references ?? {};
  return [...Object.keys(slots), ...lists];
}

const references = targetKinds.flatMap((each) => each.references ?? []);

/** The kinds that reference layers. */
export const referencingKinds = targetKinds.filter((each) => each.references !== undefined);
/** Lists of references, whatever the kind. */
export const referenceLists: readonly string[] = references.flatMap(({ lists }) => lists);
/** All fields of references, whatever the kind. */
export const referenceFields: readonly string[] = references.flatMap(({ slots, lists }) => [
  ...Object.keys(slots),
  ...lists,
]);
/** The highest priority that a reference can have, whatever the kind. */
export const topPriority = Math.max(...referencingKinds.map(({ maxPriority }) => maxPriority));
/** Data keys that usually hold values. */
export const usualDataKeys: readonly string[] = [
  ...new Set(targetKinds.flatMap(({ dataKey }) => (dataKey === "" ? [] : dataKey))),
];
/** Labels that make an item a layer. */
export const layerLabels: readonly string[] = targetKinds.flatMap(({ layerLabel }) => layerLabel ?? []);
