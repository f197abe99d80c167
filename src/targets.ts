// Which items receive values, and which layers say so themselves by annotation.
import {
  annotationFault,
  parseWish,
  priorityOf,
  type TargetKind,
  unknownAnnotations,
  type Wish,
} from "./annotations.ts";
import { type Diagnostic, nearest } from "./diagnostic.ts";
import { isLayerKind } from "./layers.ts";
import type { Layer, LayerKind } from "./model.ts";
import { hasName, likeliest, NameIndex } from "./names.ts";
import { describe, type Item, refOf } from "./wire/item.ts";

/** A layer that names its targets itself. */
interface Annotated {
  readonly layer: Layer;
  /** The targets it was found to mean. */
  readonly targets: ReadonlySet<Item>;
}

export interface TargetSelection {
  readonly targets: readonly Item[];
  readonly annotated: readonly Annotated[];
  readonly diagnostics: readonly Diagnostic[];
}

export function selectTargets(items: readonly Item[], kinds: readonly TargetKind[]): TargetSelection {
  const targets = items.filter(
    (item) =>
      item.name !== "" &&
      item.annotations.get("valuefold.dev/fold") !== "false" &&
      kindOf(item, kinds) !== undefined,
  );
  const index = new NameIndex(targets);
  const diagnostics: Diagnostic[] = items.flatMap(unknownAnnotations);
  const annotated = items
    .filter((item) => item.annotations.has("valuefold.dev/into"))
    .flatMap((item) => annotatedLayer(item, { targets, index }, kinds, diagnostics));
  return { targets, annotated, diagnostics };
}

function kindOf({ kind, apiVersion }: Item, kinds: readonly TargetKind[]): TargetKind | undefined {
  return kinds.find((candidate) => candidate.kind === kind && candidate.apiVersions.includes(apiVersion));
}

function annotatedLayer(
  item: Item,
  { targets, index }: Candidates,
  kinds: readonly TargetKind[],
  diagnostics: Diagnostic[],
): Annotated[] {
  if (!isLayerKind(item.kind)) {
    diagnostics.push(
      annotationFault(item, "into", "only a ConfigMap or a Secret can be a layer", "remove the annotation"),
    );
    return [];
  }
  if (item.name === "") {
    diagnostics.push(
      annotationFault(item, "into", "a layer needs a name", "give the item a `metadata.name`"),
    );
    return [];
  }
  const wishes = (item.annotations.get("valuefold.dev/into") ?? "").split(",").map((text) => text.trim());
  return wishes.flatMap((text) => {
    const wish = parseWish(text, kinds);
    if (typeof wish === "string") {
      diagnostics.push(
        annotationFault(item, "into", wish, "write `Kind/name` or `Kind/namespace/name`, several by commas"),
      );
      return [];
    }
    const meant = meantBy(wish, item, { targets, index });
    if (meant.length > 1 && wish.name !== "*") diagnostics.push(ambiguous(item, text, meant));
    if (meant.length === 0) diagnostics.push(orphan(item, text, wish, targets));
    diagnostics.push(...meant.flatMap((target) => crossing(item, target)));
    const priority = priorityOf(item, wish.kind, diagnostics);
    return [
      {
        layer: toLayer(item, item.kind as LayerKind, priority),
        targets: new Set(meant),
      },
    ];
  });
}

function toLayer(item: Item, kind: LayerKind, priority: number): Layer {
  return { item, kind, priority, key: item.annotations.get("valuefold.dev/key"), reference: undefined };
}

interface Candidates {
  readonly targets: readonly Item[];
  readonly index: NameIndex;
}

/** A name means one target; of two prefixed copies the one that the layer came along with. */
function meantBy(wish: Wish, layer: Item, { targets, index }: Candidates): readonly Item[] {
  const candidates = wish.name === "*" ? targets : index.named(wish.kind.kind, wish.name);
  const found = candidates.filter((target) => means(wish, layer, target));
  return wish.name === "*" ? found : likeliest(found, wish.name, layer);
}

function ambiguous(item: Item, text: string, meant: readonly Item[]): Diagnostic {
  return {
    code: "ambiguous-reference",
    severity: "error",
    item: refOf(item),
    field: "metadata.annotations[valuefold.dev/into]",
    message: `\`${text}\` is there ${meant.length} times`,
    hint: "give the targets different names, or put the layer beside the right one",
    at: { text: describe(item) },
    also: meant.map((target) => ({ text: describe(target) })),
  };
}

function means({ kind, namespace, name }: Wish, layer: Item, target: Item): boolean {
  if (target.kind !== kind.kind || target.namespace !== (namespace ?? layer.namespace)) return false;
  return name === "*" || hasName(target, name);
}

/** A Secret must not take its values into another namespace: whoever reads that one may not read this one. */
function crossing(layer: Item, target: Item): Diagnostic[] {
  if (layer.kind !== "Secret" || layer.namespace === target.namespace) return [];
  return [
    {
      code: "secret-across-namespaces",
      severity: "error",
      item: refOf(layer),
      at: { text: describe(layer) },
      message: `a Secret cannot be a layer of \`${describe(target)}\` in another namespace`,
      hint: "put the Secret into the target's namespace",
      field: "metadata.annotations[valuefold.dev/into]",
    },
  ];
}

function orphan(item: Item, text: string, wish: Wish, targets: readonly Item[]): Diagnostic {
  const names = targets.filter(({ kind }) => kind === wish.kind.kind).map(({ name }) => name);
  const near = nearest(wish.name, names);
  const severity = wish.name === "*" ? "warning" : "error";
  const found = targets.find(({ kind, name }) => kind === wish.kind.kind && name === wish.name);
  const hint =
    found !== undefined
      ? `the list has \`${describe(found)}\`: name its namespace, or put the layer there`
      : near !== undefined
        ? `did you mean \`${wish.kind.kind}/${near}\`?`
        : "correct the annotation `valuefold.dev/into`, or add the target to this build";
  return {
    code: "orphan-layer",
    severity,
    item: refOf(item),
    field: "metadata.annotations[valuefold.dev/into]",
    message: `no target \`${text}\` in the list`,
    hint,
    at: { text: describe(item) },
  };
}
