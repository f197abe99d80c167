// Why two layers did not fold into one. Every reason is here, with its cure: what is between the layers
// (barriers), how they differ, what their values do where they meet, and size. A reason names items and paths, never a value.
import {
  type Barrier,
  type Layer,
  type Reason,
  type Stack,
  type Target,
  isOff,
  needsFold,
} from "../../layers/index.ts";
import { readRecord } from "../refold/record.ts";
import { isRecordedTarget } from "../select/names.ts";
import { Mark, offMarks } from "../../krm/index.ts";
import type { Split } from "./splits.ts";
import { objectText } from "../../object-id.ts";

/** Why nothing folds across a barrier. */
export function whyBarred({ why, priority, reference, mark }: Barrier): Reason {
  const named = reference === undefined ? "a reference" : `\`${objectText(reference)}\``;
  switch (why) {
    case "late-bound":
      return {
        why: `${named} is between them and not in this build: the cluster binds it`,
        cure: "add it to what is folded, if it is in this repository",
      };
    case "no-key":
      return {
        why: `${named} between them has no key ${keyNamed(reference)}: the cluster may bind one`,
        cure: "name a key that it has, or add the key",
      };
    case "exempt":
      return {
        why: `${named} between them has \`${mark}\`: the cluster may have another version of it`,
        cure: "remove the mark if the version in the repository is to apply",
      };
    case "unseen":
      return {
        why: `the platform may bind values at priority ${priority} (setting \`app.unseen\`)`,
        cure: "leave the priority out of `app.unseen` if nothing is bound there",
      };
    case "reserved":
      return {
        why: "the catalog `default` reserves the slot between them",
        cure: "put the values into `extraConfigs` instead",
      };
    case "ambiguous":
      return {
        why: `${named} between them is in the list more than once`,
        cure: "give the items different names",
      };
    case "target-path":
      return {
        why: `${named} between them sets one value by its \`targetPath\``,
        cure: "write the value into a layer instead",
      };
  }
}

/** A fold for another target is as good as late-bound: the first run did not see it. */
export function whyOfAnother({ item }: Layer, target: Target): Reason | undefined {
  const record = item.annotations.has(Mark.foldedFrom) ? readRecord(item) : undefined;
  if (record === undefined) return undefined;
  if (isRecordedTarget(target, record)) return undefined;
  return {
    why: `\`${objectText(item)}\` between them was folded for \`${record.target}\``,
    cure: `name the layers of \`${record.target}\` instead of its folded item`,
  };
}

/** Why two neighbours are never folded into one; undefined where they may be. */
export function whyUnlike(a: Layer, b: Layer, { atHome, whole }: Stack): Reason | undefined {
  const treated = areTreatedAlike(a, b) ? undefined : treatedDifferently;
  if (whole === true) return treated;
  if (a.item.kind !== b.item.kind) return ofTwoKinds;
  if (atHome !== true && a.item.namespace !== b.item.namespace) return inTwoNamespaces;
  if (a.containsListedLayers === true || b.containsListedLayers === true) return listedLayersInside;
  // Layers that an earlier fold could not merge stay separate, even if the merged values no longer show why.
  if ((isFolded(a) && !isNew(b)) || (isFolded(b) && !isNew(a))) return foldedEarlier;
  return treated;
}

export const treatedDifferently: Reason = {
  why: "Flux treats the two objects differently",
  cure: "give both the same `kustomize.toolkit.fluxcd.io` annotations and labels",
};
const ofTwoKinds: Reason = {
  why: "one is a ConfigMap, the other a Secret",
  cure: "put layers of one kind next to each other, if their order does not matter",
};
const inTwoNamespaces: Reason = {
  why: "they are in two namespaces",
  cure: "put them into one namespace",
};
const listedLayersInside: Reason = {
  why: "one was folded earlier, and contains layers that are in the list",
  cure: "fold what was rendered before the first fold",
};
const foldedEarlier: Reason = {
  why: "one was folded earlier, and its own layers are gone",
  cure: "nothing is wrong; to have one item, fold base and overlay in one run",
};

function keyNamed(reference: Barrier["reference"]): string {
  return `\`${reference?.key ?? "values.yaml"}\``;
}

function isFolded({ item }: Layer): boolean {
  return item.annotations.has(Mark.foldedFrom);
}

/** A layer that an earlier run did not see, or could not fold. */
function isNew(layer: Layer): boolean {
  return needsFold(layer) && layer.foldedBefore !== true;
}

/** True if Flux does the same to both objects later. */
export function areTreatedAlike(a: Layer, b: Layer): boolean {
  return offMarks.every((mark) => isOff(a.item, mark) === isOff(b.item, mark));
}

/** For a layer that is sealed, or that does not parse before Flux has substituted its variables. */
export function unreadable({ item }: Layer, isSealed: boolean): Reason {
  return {
    why: `only the cluster can read \`${objectText(item)}\``,
    cure: isSealed
      ? "set `sops` to decrypt it"
      : "quote its `${…}`, so that it is YAML before Flux substitutes them",
  };
}

/** The bound of a ConfigMap or Secret. */
export const tooLarge: Reason = {
  why: "the folded value would pass 1 MiB",
  cure: "make the layers smaller: a Kubernetes object holds no more",
};

export const filledApart: Reason = {
  why: "Flux substitutes variables in one of them and not in the other",
  cure: "write both as `stringData`, or both as `data`",
};

/** @param path absent where it may not be shown */
export function splitReason(split: Split, path: readonly string[] | undefined): Reason {
  if (split === "variable")
    return {
      why: "a plain `${…}` meets a mapping, and may be one itself after substitution",
      cure: "quote the `${…}` if it is a string, or give both layers the same form there",
    };
  const place = path === undefined ? "a path" : `\`${path.join(".")}\``;
  return {
    why: `${place} is a mapping in the upper layer and not in the lower one, and a still lower layer may have one`,
    cure: `give ${place} one form in all layers`,
  };
}
