// Every annotation that valuefold reads or writes, by its meaning. No other file spells one.

export const ownPrefix = "valuefold.dev/";

export const Mark = {
  /** Names the targets of a layer. */
  into: "valuefold.dev/into",
  priority: "valuefold.dev/priority",
  /** cluster-operator's older annotation for a layer's priority; applies where ours is absent. */
  priorityBefore: "cluster-operator.giantswarm.io/app-config-priority",
  key: "valuefold.dev/key",
  format: "valuefold.dev/format",
  keep: "valuefold.dev/keep",
  /** On a layer that was folded and is kept: `verify` takes it for proof that the fold ran. */
  kept: "valuefold.dev/kept",
  fold: "valuefold.dev/fold",
  /** The record of a folded item: what it was folded from. */
  foldedFrom: "valuefold.dev/folded-from",
  /** On a target, where its output becomes the next input: the references that its folded items replaced. */
  foldedReferences: "valuefold.dev/folded-references",
  /** On a target edited in place, where its output becomes the next input: digests by data key. */
  foldedKeys: "valuefold.dev/folded-keys",
  /** On a clone: which Repeat made it, of which template, for which instance. */
  repeatedFrom: "valuefold.dev/repeated-from",
  /** What Repeats of earlier versions left where the output is the next input: they are refused. */
  templateOf: "valuefold.dev/template-of",
  repeatedLists: "valuefold.dev/repeated-lists",

  /** The record of a rendered item: the files that each line was made from. */
  renderedFrom: "valuefold.dev/rendered-from",
  /** Prefix of the labels that name the render of an item. */
  owner: "valuefold.dev/owner-",

  /** On a ConfigMap that a build made, for the explanation only: its data keys that hold values of Secrets. */
  fromSecret: "internal.valuefold.dev/from-secret",

  /** Says that an item is never applied. */
  localConfig: "config.kubernetes.io/local-config",
  /** The file an item came from: kpt's, its older form, and what kustomize's `originAnnotations` write. */
  path: "internal.config.kubernetes.io/path",
  legacyPath: "config.kubernetes.io/path",
  origin: "config.kubernetes.io/origin",

  /** Used by kpt to find its own copy of an item; kustomize writes it, too. */
  id: "internal.config.kubernetes.io/id",
  kustomizeId: "kustomize.config.k8s.io/id",
  needsHashSuffix: "internal.config.kubernetes.io/needsHashSuffix",
  previousNames: "internal.config.kubernetes.io/previousNames",
  previousNamespaces: "internal.config.kubernetes.io/previousNamespaces",
  previousKinds: "internal.config.kubernetes.io/previousKinds",
  prefixes: "internal.config.kubernetes.io/prefixes",
  suffixes: "internal.config.kubernetes.io/suffixes",

  /** What Flux does to an object later; labels of the same names apply as well. */
  substitute: "kustomize.toolkit.fluxcd.io/substitute",
  decrypt: "kustomize.toolkit.fluxcd.io/decrypt",
  watch: "reconcile.fluxcd.io/watch",

  /** The order in which Argo CD applies objects. */
  syncWave: "argocd.argoproj.io/sync-wave",
} as const;

/** With the value `disabled`: objects that differ in these must not be folded together. */
export const offMarks = [Mark.substitute, Mark.decrypt] as const;
