// What users do to layers.
import {
  type Around,
  configsIn,
  fresh,
  layersIn,
  pickOne,
  type Proposal,
  steps,
  targetsIn,
} from "./choices.ts";
import { find, idOf, isLayerKind, type KubeObject, type LayerKind, noteOf } from "./repository.ts";
import type { Change } from "./documents.ts";
import { dataChange, namedKey, newLayer, renamedKey } from "./layer-data.ts";

const into = "valuefold.dev/into";

export const layerEdits: Readonly<Record<string, Proposal>> = {
  "add-annotated-layer": (around) => addAnnotated(around, targetsIn(around, "App", "HelmRelease")),
  "add-layer-in-place": (around) => addAnnotated(around, configsIn(around)),
  "edit-layer": (around) => onLayer(around, (layer) => dataChange(around, layer)),
  "comment-in-layer": (around) => onLayer(around, (layer) => dataChange(around, layer, "# more to say\n")),
  "delete-layer": ({ ...around }) => {
    const layer = pickOne(around.random, layersIn(around));
    return layer && steps({ do: "remove", id: idOf(layer) });
  },
  "rename-layer": (around) => onNamed(around, () => [[["metadata", "name"], `l${fresh(around)}`]]),
  "move-layer": (around) =>
    onNamed(around, ({ metadata }) => [
      [["metadata", "namespace"], metadata.namespace === "org" ? "other" : "org"],
    ]),
  "layer-priority": (around) =>
    onAnnotated(around, () => [[["metadata", "annotations", "valuefold.dev/priority"], priority(around)]]),
  "layer-into": (around) => onLayer(around, (layer) => annotate(around, layer)),
  "layer-key": (around) => onLayer(around, (layer) => renamedKey(around, layer)),
  "layer-named-key": (around) => onAnnotated(around, (layer) => namedKey(around, layer)),
  "layer-keep": (around) => onLayer(around, (layer) => [toggle(layer, "valuefold.dev/keep", "true")]),
  "layer-substitute": (around) =>
    onLayer(around, (layer) => [toggle(layer, "kustomize.toolkit.fluxcd.io/substitute", "disabled")]),
};

function onLayer(around: Around, change: (layer: KubeObject) => readonly Change[]): ReturnType<Proposal> {
  const layer = pickOne(around.random, layersIn(around));
  return layer && changing(layer, change(layer));
}

/** A folded item that stays holds layers by name: under another name such a layer is a new one, which applies again. */
function onNamed(around: Around, change: (layer: KubeObject) => readonly Change[]): ReturnType<Proposal> {
  const isHeld = (layer: KubeObject): boolean => {
    const shown = find(around.rendered, idOf(layer));
    return noteOf(layer, into) === undefined && shown !== undefined && noteOf(shown, into) !== undefined;
  };
  const layer = pickOne(
    around.random,
    layersIn(around).filter((each) => !isHeld(each)),
  );
  return layer && changing(layer, change(layer));
}

function onAnnotated(around: Around, change: (layer: KubeObject) => readonly Change[]): ReturnType<Proposal> {
  const layer = pickOne(
    around.random,
    layersIn(around).filter((one) => noteOf(one, into) !== undefined),
  );
  return layer && changing(layer, change(layer));
}

function changing(layer: KubeObject, changes: readonly Change[]): ReturnType<Proposal> {
  return changes.length === 0 ? undefined : steps({ do: "change", id: idOf(layer), changes });
}

function toggle(layer: KubeObject, key: string, value: string): Change {
  const path = ["metadata", "annotations", key];
  return noteOf(layer, key) === undefined ? [path, value] : [path];
}

function priority({ random }: Around): string {
  return String(random.pick([10, 25, 25, 25, 49, 50, 50, 75, 75, 100]));
}

function targetName(
  { random }: Around,
  layer: { kind: string; namespace: string },
  target: KubeObject,
): string {
  const { name, namespace = "" } = target.metadata;
  const isFar = namespace !== layer.namespace || random.once(4);
  if (!isFar && random.once(12) && !isLayerKind(target.kind)) return `${target.kind}/*`;
  return `${target.kind}/${isFar ? `${namespace}/` : ""}${name}`;
}

function intoText(
  around: Around,
  layer: { kind: string; namespace: string },
  targets: readonly KubeObject[],
): string {
  const { random } = around;
  const fitting = targets.filter(
    ({ kind, metadata }) =>
      layer.kind !== "Secret" || (metadata.namespace === layer.namespace && kind !== "ConfigMap"),
  );
  const count = random.once(4) ? 2 : 1;
  const chosen = new Set(
    fitting.length === 0 ? [] : Array.from({ length: count }, () => random.pick(fitting)),
  );
  return [...chosen].map((target) => targetName(around, layer, target)).join(", ");
}

function addAnnotated(around: Around, targets: readonly KubeObject[]): ReturnType<Proposal> {
  const { random } = around;
  const place = {
    kind: random.pick<LayerKind>(["ConfigMap", "ConfigMap", "Secret"]),
    namespace: random.once(8) ? "other" : "org",
  };
  const named = intoText(around, place, targets);
  if (named === "") return undefined;
  const notes = { [into]: named, ...(random.once(3) ? {} : { "valuefold.dev/priority": priority(around) }) };
  // An overlay only adds layers in place: what it patches counts as the base (docs/targets.md).
  const isFixed = around.pipeline === "overlay" && targets.every(({ kind }) => isLayerKind(kind));
  const name = `${isFixed ? "c" : "l"}${fresh(around)}`;
  return steps(newLayer(around, { ...place, name, notes }));
}

function annotate(around: Around, layer: KubeObject): readonly Change[] {
  const { random } = around;
  const isOut = noteOf(layer, into) !== undefined && random.once(3);
  const [name, rank] = [into, "valuefold.dev/priority"].map((key) => ["metadata", "annotations", key]);
  if (name === undefined || rank === undefined) return [];
  if (isOut) return [[name], [rank], [["metadata", "annotations", "valuefold.dev/key"]]];
  const { kind, metadata } = layer;
  const targets = targetsIn(around, "App", "HelmRelease");
  const text = intoText(around, { kind, namespace: metadata.namespace ?? "" }, targets);
  return text === "" ? [] : [[name, text]];
}
