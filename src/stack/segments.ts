// Which layers of a stack are adjacent and alike, and whether a run of them is worth folding.
import { Mark, fluxMarks } from "../wire/annotation-names.ts";
import { labelOf } from "../layer/metadata.ts";
import { formatItem } from "../diagnostic.ts";
import type { Barrier, Layer, Reason, Stack, StackEntry, Target } from "../model.ts";
import { describe } from "../wire/item.ts";
import { hasName } from "../select/names.ts";
import { readRecord } from "../refold/record.ts";

/** A run of one layer stays as it is, unless nothing else would bring the layer to its consumer. */
export function isWorthFolding(layers: readonly Layer[]): boolean {
  return layers.length > 1 || layers.some(needsFold);
}

function isFolded({ item }: Layer): boolean {
  return item.annotations.has(Mark.foldedFrom);
}

/** A layer that an earlier run did not see, or could not fold. */
function isNew(layer: Layer): boolean {
  return needsFold(layer) && layer.known !== true;
}

/** A layer that is never applied reaches its consumer in a fold only; unless it was valuefold that marked it so. */
export function needsFold({ reference, item, marked }: Layer): boolean {
  if (reference === undefined) return true;
  return item.annotations.get(Mark.localConfig) === "true" && marked !== true;
}

/** Layers that may fold, or a place that nothing folds across; and why it begins here. */
export type Segment =
  | { readonly layers: readonly Layer[]; readonly why: Reason }
  | { readonly barrier: () => Reason };

/** Adjacent layers with nothing between them that are alike in namespace and in what Flux does to them. */
export function segmentsOf(stack: Stack): Segment[] {
  const segments: Segment[] = [];
  let open: Layer[] | undefined;
  for (const entry of stack.entries) {
    const barrier = barrierIn(entry, stack.target);
    if ("barrier" in entry || barrier !== undefined) {
      segments.push({ barrier: barrier ?? nothing });
      open = undefined;
      continue;
    }
    const lower = open?.at(-1);
    const why = lower === undefined ? nothing() : whyUnlike(lower, entry.layer, stack);
    if (open !== undefined && why === undefined) open.push(entry.layer);
    else segments.push({ layers: (open = [entry.layer]), why: why ?? nothing() });
  }
  return segments;
}

function keyNamed(reference: Barrier["reference"]): string {
  return `\`${reference?.key ?? "values.yaml"}\``;
}

function nothing(): Reason {
  return { why: "", cure: "" };
}

/** What nothing folds across, as a text that is made only where somebody is told. */
function barrierIn(entry: StackEntry, target: Target): (() => Reason) | undefined {
  if ("barrier" in entry) return () => whyBarred(entry.barrier);
  const why = whyOfAnother(entry.layer, target);
  return why === undefined ? undefined : () => why;
}

function whyBarred({ why, priority, reference }: Barrier): Reason {
  const named = reference === undefined ? "a reference" : `\`${formatItem(reference)}\``;
  switch (why) {
    case "late-bound":
      return {
        why: `${named} between them is not in the list: the cluster binds it`,
        cure: "add it to what is folded, if it is in this repository",
      };
    case "no-key":
      return {
        why: `${named} between them has no key ${keyNamed(reference)}: the cluster may bind one`,
        cure: "name a key that it has, or add the key",
      };
    case "unseen":
      return {
        why: `the platform may bind values at priority ${priority} (setting \`app.unseen\`)`,
        cure: "leave the priority out of `app.unseen` if nothing is bound there",
      };
    case "sealed":
      return { why: `${named} between them is sealed`, cure: "set `sops` to open it" };
    case "reserved":
      return {
        why: "the catalog `default` reserves the slot between them",
        cure: "put the values into `extraConfigs` instead",
      };
    case "ambiguous":
      return {
        why: `${named} between them is there more than once`,
        cure: "give the items different names",
      };
    case "target-path":
      return {
        why: `${named} between them sets one value by its \`targetPath\``,
        cure: "write the value into a layer instead",
      };
  }
}

/** What was folded for another target is as good as bound late: a first run did not see it. */
function whyOfAnother({ item }: Layer, target: Target): Reason | undefined {
  const record = item.annotations.has(Mark.foldedFrom) ? readRecord(item) : undefined;
  if (record === undefined) return undefined;
  const [kind, name] = [record.target.split("/")[0], record.target.split("/").at(-1) ?? ""];
  if (kind === target.kind && hasName(target, name)) return undefined;
  return {
    why: `\`${describe(item)}\` between them was folded for \`${record.target}\``,
    cure: `name the layers of \`${record.target}\` instead of its folded item`,
  };
}

/** Why two neighbours are never folded into one; undefined where they may be. */
function whyUnlike(a: Layer, b: Layer, { atHome, whole }: Stack): Reason | undefined {
  const treated = areTreatedAlike(a, b) ? undefined : treatedDifferently;
  if (whole === true) return treated;
  if (a.item.kind !== b.item.kind) return ofTwoKinds;
  if (atHome !== true && a.item.namespace !== b.item.namespace) return inTwoNamespaces;
  if (a.holds === true || b.holds === true) return holdsLayers;
  // What an earlier run left apart stays apart, though the merged values may not show the reason any more.
  if ((isFolded(a) && !isNew(b)) || (isFolded(b) && !isNew(a))) return foldedEarlier;
  return treated;
}

const treatedDifferently: Reason = {
  why: "Flux treats the two objects differently",
  cure: "give both the same `kustomize.toolkit.fluxcd.io` annotations and labels",
};
const ofTwoKinds: Reason = {
  why: "one is a ConfigMap, the other a Secret",
  cure: "bring layers of one kind together, if their order does not matter",
};
const inTwoNamespaces: Reason = {
  why: "they lie in two namespaces",
  cure: "put them into one namespace",
};
const holdsLayers: Reason = {
  why: "one was folded earlier, and holds layers that are there",
  cure: "fold what was rendered before the first fold",
};
const foldedEarlier: Reason = {
  why: "one was folded earlier, and its own layers are gone",
  cure: "nothing is wrong; to have one item, fold base and overlay in one run",
};

/** True if Flux does the same to both objects later. */
export function areTreatedAlike(a: Layer, b: Layer): boolean {
  return fluxMarks.every((mark) => fluxMark(a, mark) === fluxMark(b, mark));
}

function fluxMark({ item }: Layer, mark: string): string | undefined {
  return item.annotations.get(mark) ?? labelOf(item, mark);
}
