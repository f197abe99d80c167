// What users do to settings, and to what they find in the repository though they never wrote it.
import {
  type Around,
  foldedIn,
  fresh,
  pickOne,
  type Proposal,
  steps,
  targetsIn,
  visible,
} from "./choices.ts";
import type { Change } from "./documents.ts";
import { entriesOf, idIn, listOf } from "./places.ts";
import { find, idOf, isFolded, type KubeObject, noteOf, objectsOf, type Settings } from "./repository.ts";

export const settingEdits: Readonly<Record<string, Proposal>> = {
  "set-layers-local": (around) => setLayers(around, "local"),
  "set-layers-keep": (around) => setLayers(around, "keep"),
  "set-layers-prune": (around) => setLayers(around, "prune"),
  "set-layers-unset": (around) => setLayers(around, "unset"),
  "set-unseen": ({ random }) =>
    steps({ do: "set", settings: { unseen: random.pick([[], [], [0], [75], [100], [0, 1, 100, 150]]) } }),
  "set-hash-suffix": ({ random }) => steps({ do: "set", settings: { hashSuffix: random.once(2) } }),
  "set-output-name": ({ random }) =>
    steps({
      do: "set",
      settings: { name: random.pick(["{name}-{kind}", "{name}-folded", "{name}-values"]) },
    }),
  "set-on-tie": () => steps({ do: "set", settings: { onTie: "error" } satisfies Settings }),
};

/** Once layers were pruned they are gone, and no other setting brings them back. */
function setLayers(
  { sources: { settings } }: Around,
  layers: NonNullable<Settings["layers"]>,
): ReturnType<Proposal> {
  const { layers: now = "unset" } = settings;
  return now === "prune" || now === layers ? undefined : steps({ do: "set", settings: { layers } });
}

/** What the user finds in the repository though he never wrote it. */
export const foldedEdits: Readonly<Record<string, Proposal>> = {
  "edit-folded": (around) => onFolded(around, (object) => [[...dataPath(object), "edited: by hand\n"]]),
  "rename-folded": (around) => onFolded(around, () => [[["metadata", "name"], `mine${fresh(around)}`]]),
  "delete-folded": (around) => {
    // One that nothing names would leave no trace.
    const named = foldedIn(around).filter((object) => isNamed(object, around));
    const object = pickOne(around.random, named);
    return object && steps({ do: "remove-rendered", id: idOf(object) });
  },
  "remove-folded-reference": (around) => removeFoldedReference(around),
  "edit-folded-key": (around) => editFoldedKey(around),
};

function isNamed({ metadata }: KubeObject, { rendered }: Around): boolean {
  return objectsOf(rendered).some(({ spec }) => JSON.stringify(spec ?? {}).includes(`"${metadata.name}"`));
}

function dataPath(object: KubeObject): [string[]] {
  const part = object.stringData === undefined ? "data" : "stringData";
  return [[part, Object.keys(object[part] ?? {})[0] ?? "values"]];
}

function onFolded(around: Around, change: (object: KubeObject) => readonly Change[]): ReturnType<Proposal> {
  const object = pickOne(
    around.random,
    foldedIn(around).filter(({ kind, stringData }) => kind === "ConfigMap" || stringData !== undefined),
  );
  return object && steps({ do: "change-rendered", id: idOf(object), changes: change(object) });
}

function removeFoldedReference(around: Around): ReturnType<Proposal> {
  const { rendered, random } = around;
  const found = targetsIn(around, "App", "HelmRelease").flatMap((target) => {
    const [id, list] = [idOf(target), listOf(target.kind)];
    return entriesOf(rendered, id, list).flatMap((entry, index) => {
      const named = find(rendered, idIn(list, entry, target.metadata.namespace));
      return named !== undefined && isFolded(named) ? [{ id, list, index }] : [];
    });
  });
  const one = pickOne(random, found);
  return one && steps({ do: "change-rendered", id: one.id, changes: [[["spec", one.list, one.index]]] });
}

function editFoldedKey(around: Around): ReturnType<Proposal> {
  const folded = visible(around).flatMap(({ kind, metadata }) => {
    const object = find(around.rendered, `${kind}/${metadata.namespace ?? ""}/${metadata.name}`);
    return object !== undefined && noteOf(object, "valuefold.dev/folded-keys") !== undefined ? [object] : [];
  });
  const object = pickOne(around.random, folded);
  return (
    (object &&
      object.kind === "ConfigMap" &&
      steps({
        do: "change-rendered",
        id: idOf(object),
        changes: [[["data", "values.yaml"], "by: hand\n"]],
      })) ||
    undefined
  );
}
