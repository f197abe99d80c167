// What Flux changes in the objects of a release before the cluster has them → kustomizations over its chart: each of its
// `postRenderers`, and `commonMetadata` after them.
import type { Item } from "../../krm/index.ts";
import type { ChartPatches } from "../../explain/index.ts";
import type { Place } from "../../explanation.ts";
import { nothingAdded } from "../kustomize/overlay.ts";
import { chartPatches, type PatchStage } from "../kustomize/over-chart.ts";
import { dropped, type PatchStep, withField } from "../kustomize/patch-steps.ts";
import type { Kustomization } from "../kustomize/tree.ts";
import { fieldIn, holdsSecret, listIn, membersIn, opened, type Placed, plainIn, textIn } from "../placed.ts";
import type { ObjectPlaces } from "../object-places.ts";
import { placedField } from "../placed-object.ts";
import type { SourceText } from "../kustomize/marks.ts";
import { specOf } from "../items.ts";
import { asFields, type Fields } from "../plain.ts";

/** Undefined where nothing is changed. */
export function postRenderers(item: Item, places: ObjectPlaces): ChartPatches | undefined {
  const spec = specOf(item);
  const field = ["postRenderers", "commonMetadata"].find((each) => spec?.get(each) !== undefined);
  if (spec === undefined || field === undefined) return undefined;
  // Which objects get the changes is otherwise then.
  if (spec.get("postRenderStrategy") !== undefined) return { shown: `spec.${field}` };
  return chartPatches(`spec.${field}`, () => {
    const [renderers, metadata] = ["postRenderers", "commonMetadata"].map((name) =>
      placedField(item, places, "spec", name),
    );
    const all = listIn(renderers).map((each) => fieldIn(each, "kustomize"));
    if (all.some((each) => [...membersIn(each).keys()].some((key) => key !== "patches" && key !== "images")))
      return undefined;
    const place = places.findItem(item) ?? { of: "text" as const };
    const stages = all.flatMap((each) => (each === undefined ? [] : rendererStage(each, place)));
    return metadata === undefined ? stages : [...stages, metadataStage(metadata, place)];
  });
}

function rendererStage(kustomize: Placed, at: Place): PatchStage {
  const [patches, images] = ["patches", "images"].map((name) => listIn(fieldIn(kustomize, name)));
  const sourceOf = (each: Placed): SourceText | undefined => {
    const text = fieldIn(each, "patch");
    return text && opened(text).source;
  };
  const overlaid = (patches ?? []).map((each) => ({ fields: fieldsOf(each), source: sourceOf(each) }));
  const top = kustomization({
    ...(overlaid.length > 0 && { patches: overlaid.map(({ fields }) => fields) }),
    ...(images !== undefined && images.length > 0 && { images: images.map(fieldsOf) }),
  });
  const steps = [...listed("patches", patches ?? []), ...listed("images", images ?? [])].map(
    ({ field, index, each }): PatchStep => ({
      is: field === "patches" ? "patch" : "kustomization",
      at: (field === "patches" ? sourceOf(each)?.placeAt(0) : undefined) ?? each.at ?? at,
      ...(holdsSecret(each) && { isSecret: true }),
      without: (copy) => withField(copy, top, field, (all) => dropped(all, index)),
    }),
  );
  const overlay = { ...nothingAdded, patches: overlaid };
  return { tree: { top, all: [top], faults: [], overlay }, directory: top.directory, shown: same, steps };
}

function listed(field: string, all: readonly Placed[]) {
  return all.map((each, index) => ({ field, index, each }));
}

function fieldsOf(each: Placed): Fields {
  return asFields(plainIn(each));
}

/** It changes the metadata of the objects, and nothing below. */
function metadataStage(metadata: Placed, at: Place): PatchStage {
  const parts = [
    { name: "labels", kind: "LabelTransformer" },
    { name: "annotations", kind: "AnnotationsTransformer" },
  ].map((part) => ({ ...part, pairs: membersIn(fieldIn(metadata, part.name)) }));
  const written = (leftOut?: Placed): readonly string[] =>
    parts.flatMap(({ name, kind, pairs }) => {
      const kept = [...pairs].filter(([, each]) => each !== leftOut);
      if (kept.length === 0) return [];
      const own = Object.fromEntries(kept.map(([key, each]) => [key, textIn(each) ?? ""]));
      const fieldSpecs = [{ path: `metadata/${name}`, create: true }];
      const transformer = { apiVersion: "builtin", kind, metadata: { name }, [name]: own, fieldSpecs };
      return [`${JSON.stringify(transformer, undefined, 1)}\n`];
    });
  const top = kustomization({ transformers: written() });
  const steps = parts.flatMap(({ pairs }) =>
    [...pairs.values()].map((each): PatchStep => ({
      is: "kustomization",
      at: each.at ?? at,
      ...(holdsSecret(each) && { isSecret: true }),
      without: (copy) => withField(copy, top, "transformers", () => written(each)),
    })),
  );
  const tree = { top, all: [top], faults: [], overlay: undefined };
  return { tree, directory: top.directory, shown: same, steps };
}

/** It has no files: nothing is at this path. */
function kustomization(fields: Kustomization["fields"]): Kustomization {
  return {
    directory: "/valuefold/release",
    fileName: "kustomization.yaml",
    fields,
    root: undefined,
    isBroken: false,
    faults: [],
    entered: new Set(),
    others: new Map(),
    functions: new Map(),
  };
}

function same(path: string): string {
  return path;
}
