// What users do to the slots of an App.
import { type Around, namesFolded, pickOne, type Proposal, steps, targetsIn } from "./choices.ts";
import type { Change } from "./documents.ts";
import { layerFor } from "./edits-references.ts";
import { find, idOf, type KubeObject, type LayerKind } from "./repository.ts";

export const slotEdits: Readonly<Record<string, Proposal>> = {
  "fill-slot": (around) => slot(around, "empty"),
  "replace-slot": (around) => slot(around, "plain"),
  "replace-folded-slot": (around) => slot(around, "folded"),
  "empty-slot": (around) => emptySlot(around),
};

const slotKeys = { ConfigMap: "configMap", Secret: "secret" } as const;

function slot(around: Around, state: State): ReturnType<Proposal> {
  const { random } = around;
  const app = pickOne(random, targetsIn(around, "App"));
  if (app === undefined) return undefined;
  const which = random.pick(["config", "userConfig"] as const);
  const made = layerFor(around, app);
  const key = slotKeys[made.kind];
  if (stateOf(around, app, which, made.kind) !== state) return undefined;
  const changes: Change[] = [
    [["spec", which, key, "name"], made.name],
    [["spec", which, key, "namespace"], made.namespace],
  ];
  return steps(...made.steps, { do: "change", id: idOf(app), changes });
}

/** `lost`: it names a fold that was deleted. Once the name is gone as well, nothing tells that there was one. */
type State = "empty" | "plain" | "folded" | "lost";

function stateOf(
  { sources, rendered }: Around,
  app: KubeObject,
  which: "config" | "userConfig",
  kind: LayerKind,
): State {
  const [own, shown] = [sources, rendered].map(
    (side) => find(side, idOf(app))?.spec?.[which]?.[slotKeys[kind]],
  );
  if (!shown?.name) return "empty";
  const entry = { ...shown, name: shown.name, kind: slotKeys[kind] };
  if (namesFolded(rendered, "extraConfigs", entry, app.metadata.namespace)) return "folded";
  return own?.name === shown.name ? "plain" : "lost";
}

function emptySlot(around: Around): ReturnType<Proposal> {
  const { random } = around;
  const app = pickOne(random, targetsIn(around, "App"));
  const which = random.pick(["config", "userConfig"] as const);
  const kind = random.pick<LayerKind>(["ConfigMap", "Secret"]);
  if (app === undefined || stateOf(around, app, which, kind) !== "plain") return undefined;
  return steps({ do: "change", id: idOf(app), changes: [[["spec", which, slotKeys[kind]]]] });
}
