// Every edit by name, how often each is tried, and which errors may answer it. An error that is not in the table is a
// failure, so that none goes by unseen.
import type { Around, Pipeline, Proposal } from "./choices.ts";
import { layerEdits } from "./edits-layers.ts";
import { referenceEdits } from "./edits-references.ts";
import { foldedEdits, settingEdits } from "./edits-folded.ts";
import { slotEdits } from "./edits-slots.ts";
import { targetEdits } from "./edits-targets.ts";
import { isLayerKind, noteOf, objectOf, type Repository } from "./repository.ts";
import type { Edit } from "./steps.ts";

const proposals: Readonly<Record<string, Proposal>> = {
  ...layerEdits,
  ...referenceEdits,
  ...slotEdits,
  ...targetEdits,
  ...settingEdits,
  ...foldedEdits,
};

/** What a repository grows by before it is rendered for the first time: few targets, and many layers for each. */
const seeds = ["add-app", "add-app", "add-release"];
const growing = (
  "add-app add-release add-config add-layer-in-place add-deployment add-bystander " +
  "add-annotated-layer add-annotated-layer add-annotated-layer fill-slot fill-slot set-unseen set-unseen " +
  "reference-in-front reference-in-front reference-in-the-middle reference-at-the-end reference-at-the-end " +
  "reference-at-the-end reference-late-bound reference-late-bound"
).split(" ");

/** Edits that an overlay cannot make, or that kustomize has another meaning for. */
const notInOverlays = new Set([
  "delete-layer",
  "rename-layer",
  "move-layer",
  "delete-target",
  "rename-target",
  "move-target",
  "move-everything",
  "remove-deployment",
  "delete-folded",
  "rename-folded",
  "remove-folded-reference",
  "edit-folded-key",
  "set-output-name",
]);

/** Rare ones: they end in an error, mostly, or change everything at once. */
const rare = new Set([
  ...Object.keys(foldedEdits),
  ...Object.keys(settingEdits),
  "delete-target",
  "rename-target",
  "move-target",
  "move-everything",
]);

const editNames: readonly string[] = Object.keys(proposals);

function namesIn(pipeline: Pipeline): readonly string[] {
  if (pipeline === "kpt") return editNames;
  const absent = (name: string): boolean =>
    pipeline === "plain" ? name in foldedEdits || name === "replace-folded-slot" : notInOverlays.has(name);
  return editNames.filter((name) => !absent(name));
}

/** Edits that a life makes more of than of others, so that all of them occur in few lives. */
function favouritesOf(seed: number, pipeline: Pipeline): readonly string[] {
  const names = namesIn(pipeline);
  return [names[(seed * 2) % names.length] ?? "", names[(seed * 2 + 1) % names.length] ?? ""];
}

/** @param grown how many edits the repository has grown by before its first render; undefined after it */
export function propose(around: Around, grown: number | undefined): Edit | undefined {
  const { random } = around;
  const name = grown === undefined ? nameOf(around) : growth(random, grown);
  const proposed = left.has(name) ? proposals[name]?.(around) : undefined;
  return proposed === undefined ? undefined : { name, ...proposed };
}

/** Some lives prune their layers from the start. */
function growth(random: Around["random"], grown: number): string {
  if (grown > 0 && random.once(150)) return "set-layers-prune";
  return random.pick(grown === 0 ? seeds : growing);
}

/** Edits whose failures are known can be left out, to see what else there is. */
export const left: ReadonlySet<string> = new Set(
  editNames.filter((name) => !(process.env["VALUEFOLD_LIFE_WITHOUT"] ?? "").split(",").includes(name)),
);

function nameOf({ random, pipeline, seed, sources: { settings } }: Around): string {
  // Layers that were pruned are only in what a slot names.
  if (settings.layers === "prune" && pipeline !== "plain" && random.once(4)) return "replace-folded-slot";
  if (random.once(3)) return random.pick(favouritesOf(seed, pipeline));
  const name = random.pick(namesIn(pipeline));
  return random.once(3) || (rare.has(name) && !random.once(3))
    ? random.pick(Object.keys(referenceEdits))
    : name;
}

/** Errors that say what the user did. */
const answers: Readonly<Record<string, readonly string[]>> = {
  "add-annotated-layer": ["name-taken"],
  "add-layer-in-place": ["base-lost", "not-exact", "several-documents", "folded-edited", "layer-unreadable"],
  "edit-layer": ["not-exact", "layer-unreadable"],
  "delete-layer": [],
  "rename-layer": [],
  "move-layer": ["orphan-layer", "secret-across-namespaces"],
  "layer-into": ["secret-across-namespaces", "secret-into-configmap", "orphan-layer"],
  "layer-key": [],
  "layer-named-key": ["several-keys"],
  "layer-substitute": ["not-exact"],
  "rename-target": ["orphan-layer", "folded-dangling"],
  "move-target": ["orphan-layer", "secret-across-namespaces", "folded-dangling", "folded-dangling"],
  "delete-target": ["orphan-layer", "folded-dangling"],
  // A layer may have moved away while nobody folded.
  "fold-again": ["secret-across-namespaces"],
  "move-everything": [
    "orphan-layer",
    "folded-dangling",
    "folded-edited",
    "secret-across-namespaces",
    "name-taken",
  ],
  "set-on-tie": ["tie"],
  "set-output-name": ["name-taken"],
  "edit-folded": ["folded-edited"],
  "rename-folded": ["folded-dangling", "name-taken", "folded-dangling", "folded-edited"],
  "delete-folded": ["name-taken", "folded-dangling", "folded-edited"],
  "remove-folded-reference": ["folded-dangling", "name-taken"],
  "replace-folded-slot": ["folded-dangling", "name-taken"],
  "edit-folded-key": ["folded-edited", "base-lost"],
};

export function allowedCodes(edits: readonly Edit[], sources: Repository): ReadonlySet<string> {
  const codes = edits.flatMap(({ name }) => answers[name] ?? []);
  return new Set([...codes, ...standing(sources)]);
}

/** Errors that lie in wait once something was set or written, whatever is done next. */
function standing({ settings, files }: Repository): string[] {
  const layers = files.map(objectOf).filter(({ kind }) => isLayerKind(kind));
  const hasTwoKeys = layers.some(
    ({ data, stringData }) => Object.keys({ ...data, ...stringData }).length > 1,
  );
  const isBroken = layers.some(
    ({ data = {}, ...layer }) =>
      noteOf(layer, "valuefold.dev/into") !== undefined &&
      Object.values(data).some((text) => text.includes("{b: ${")),
  );
  // Once its layers are pruned, a folded item that moved with its target is a layer, with the name that a new one would have.
  const isPruned = layers.some(({ metadata }) => metadata.name.startsWith("shop"));
  return [
    ...(isPruned ? ["name-taken"] : []),
    ...(settings.onTie === "error" ? ["tie"] : []),
    ...(hasTwoKeys ? ["several-keys"] : []),
    ...(isBroken ? ["layer-unreadable"] : []),
  ];
}
