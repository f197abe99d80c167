// What users do to targets, to what is rendered, to settings and to everything else.
import {
  type Around,
  configsIn,
  fileFor,
  fresh,
  layersIn,
  pickOne,
  type Proposal,
  put,
  steps,
  targetsIn,
} from "./choices.ts";
import { newLayer } from "./layer-data.ts";
import { idOf, isLayerKind, type KubeObject, type LayerKind, noteOf } from "./repository.ts";
import { appText, bystanders, configText, catalogText, deploymentText, releaseText } from "./texts.ts";
import { valuesText } from "./values.ts";
import type { Step } from "./steps.ts";

export const targetEdits: Readonly<Record<string, Proposal>> = {
  "add-app": (around) => put(around, appText(`shop${fresh(around)}`, "org", around.random)),
  "add-release": (around) => addRelease(around),
  "add-config": (around) => addConfig(around),
  "add-deployment": (around) => addDeployment(around),
  "add-bystander": (around) => addBystander(around),
  "add-catalog": (around) => addCatalog(around),
  "move-everything": ({ random }) => {
    const [from, to] = random.once(3) ? (["other", "org"] as const) : (["org", "other"] as const);
    return steps({ do: "move", from, to });
  },
  "remove-deployment": (around) => removal(around, targetsIn(around, "Deployment")),
  "delete-target": (around) => removal(around, targetsIn(around, "App", "HelmRelease")),
  "rename-target": (around) => onTarget(around, () => [[["metadata", "name"], `shop${fresh(around)}`]]),
  "move-target": (around) =>
    onTarget(around, ({ metadata }) => [
      [["metadata", "namespace"], metadata.namespace === "org" ? "other" : "org"],
    ]),
  "fold-false": (around) =>
    onTarget(around, (target) =>
      noteOf(target, fold) === undefined ? [[["metadata", "annotations", fold], "false"]] : [],
    ),
  "fold-again": (around) =>
    onTarget(around, (target) =>
      noteOf(target, fold) === undefined ? [] : [[["metadata", "annotations", fold]]],
    ),
  "edit-target": (around) => onTarget(around, () => [[["spec", "note"], `n${around.random.below(1000)}`]]),
  "edit-inline-values": (around) => inlineValues(around),
  "edit-config": (around) => editConfig(around),
};

const fold = "valuefold.dev/fold";

function removal({ random }: Around, objects: readonly KubeObject[]): ReturnType<Proposal> {
  const object = pickOne(random, objects);
  return object && steps({ do: "remove", id: idOf(object) });
}

type Changes = Extract<Step, { do: "change" }>["changes"];

function onTarget(around: Around, change: (target: KubeObject) => Changes): ReturnType<Proposal> {
  const target = pickOne(around.random, targetsIn(around, "App", "HelmRelease"));
  const changes = target === undefined ? [] : change(target);
  return target === undefined || changes.length === 0
    ? undefined
    : steps({ do: "change", id: idOf(target), changes });
}

function addRelease(around: Around): ReturnType<Proposal> {
  const { random } = around;
  const inline = random.once(2) ? "" : `  values: ${inlineText(around)}\n`;
  return put(around, releaseText(`shop${fresh(around)}`, "org", inline, random));
}

function inlineText({ random }: Around): string {
  return random.pick(["{}", "{a: 1}", "{a: {b: {c: 1}}}", "{b: null}", "{b: [1]}"]);
}

function inlineValues(around: Around): ReturnType<Proposal> {
  const target = pickOne(around.random, targetsIn(around, "HelmRelease"));
  if (target === undefined) return undefined;
  const value = { a: { [around.random.pick(["a", "b"])]: around.random.pick([1, null, "x"]) } };
  return steps({ do: "change", id: idOf(target), changes: [[["spec", "values"], value]] });
}

function addConfig(around: Around): ReturnType<Proposal> {
  const { random, pipeline } = around;
  const kind = random.pick<LayerKind>(["ConfigMap", "ConfigMap", "Secret"]);
  const hasOwn = pipeline !== "kpt" && random.once(2);
  const own = hasOwn ? valuesText(random, { secret: kind === "Secret", variables: false }) : undefined;
  return put(around, configText(kind, `config${fresh(around)}`, own));
}

function editConfig(around: Around): ReturnType<Proposal> {
  const config = pickOne(around.random, configsIn(around));
  if (config === undefined) return undefined;
  const part = config.kind === "Secret" ? "stringData" : "data";
  return steps({
    do: "change",
    id: idOf(config),
    changes: [[[part, "own.txt"], `own ${around.random.below(1000)}`]],
  });
}

function addDeployment(around: Around): ReturnType<Proposal> {
  const { random } = around;
  const of = pickOne(random, random.once(3) ? configsIn(around) : layersIn(around));
  if (of === undefined || !isLayerKind(of.kind)) return undefined;
  const { name, namespace = "" } = of.metadata;
  return put(around, deploymentText(`web${fresh(around)}`, namespace, of.kind, name));
}

function addBystander(around: Around): ReturnType<Proposal> {
  const text = around.random.pick(bystanders);
  return put({ ...around, nasty: false }, text);
}

/** The Catalog that app-operator would pick for most Apps, and what it names. */
function addCatalog(around: Around): ReturnType<Proposal> {
  const { random } = around;
  const kind = random.pick<LayerKind>(["ConfigMap", "Secret"]);
  const name = `l${fresh(around)}`;
  const layer = newLayer(around, { name, kind, namespace: "default", notes: {} });
  const catalog = { do: "put", file: fileFor({ ...around, nasty: false }, catalogText(kind, name)) } as const;
  return random.once(5) ? steps(catalog) : steps(layer, catalog);
}
