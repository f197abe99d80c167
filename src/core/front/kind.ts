// What every stage may know of a kind of target: facts without code. A kind declares its own in `kind.ts` of its folder.

export interface TargetKind {
  readonly kind: string;
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
  /** True if the consumer merges all ConfigMaps before all Secrets: such a target has a stack of each. */
  readonly stackPerKind?: boolean;
  /** True if an item of the kind is a target only where a layer names it; the result goes into the item itself. */
  readonly inPlace?: boolean;
  /** True if the list has no items of the kind. Such targets are folded only if a selector asks for the kind. */
  readonly withoutItem?: boolean;
  /** The label by which items are layers of the kind. */
  readonly layerLabel?: string;
}

/** Fields of `spec` that name ConfigMaps and Secrets. */
interface ReferenceFields {
  /** Each names one ConfigMap (`configMap.name`) and one Secret (`secret.name`). */
  readonly slots: readonly string[];
  /** Each is a list of entries with `kind` and `name`. */
  readonly lists: readonly string[];
}
