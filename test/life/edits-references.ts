// What users do to the references a target holds.
import {
  type Around,
  fresh,
  layersIn,
  pickOne,
  type Proposal,
  shownEntries,
  steps,
  targetsIn,
} from "./choices.ts";
import { newLayer } from "./layer-data.ts";
import { entriesOf, idIn, keyOf, type List, listOf } from "./places.ts";
import {
  type Entry,
  find,
  idOf,
  type KubeObject,
  type LayerKind,
  objectsOf,
  type HelmEntry,
} from "./repository.ts";
import type { Step } from "./steps.ts";

type Where = "front" | "middle" | "end";

export const referenceEdits: Readonly<Record<string, Proposal>> = {
  "reference-in-front": (around) => refer(around, "front"),
  "reference-in-the-middle": (around) => refer(around, "middle"),
  "reference-at-the-end": (around) => refer(around, "end"),
  "reference-late-bound": (around) => refer(around, around.random.pick(["front", "middle", "end"]), true),
  "remove-reference": (around) => {
    const shown = pickOne(around.random, shownEntries(around));
    return shown && steps({ do: "drop", ...shown });
  },
  "reference-priority": (around) => reprioritise(around),
  "reference-optional": (around) => makeOptional(around),
  "late-bound-appears": (around) => appears(around),
};

/** A new or an old layer, named by a target. */
function refer(around: Around, where: Where, late = false): ReturnType<Proposal> {
  const { random, rendered } = around;
  const target = pickOne(random, targetsIn(around, "App", "HelmRelease"));
  if (target === undefined) return undefined;
  const [id, list] = [idOf(target), listOf(target.kind)];
  const made = late ? lateOne(around) : layerFor(around, target);
  const entry = entryFor(around, target, made);
  if (isListed(around, id, list, entry)) return undefined;
  const count = entriesOf(rendered, id, list).length;
  if (where === "middle" && count < 2) return undefined;
  const at = where === "front" ? 0 : where === "end" ? count : 1 + random.below(count - 1);
  return steps(...made.steps, { do: "insert", id, list, entry, at });
}

interface Named {
  readonly kind: LayerKind;
  readonly name: string;
  readonly namespace: string;
  readonly steps: readonly Step[];
}

function lateOne(around: Around): Named {
  const { random } = around;
  const kind = random.pick<LayerKind>(["ConfigMap", "ConfigMap", "Secret"]);
  return { kind, name: `l9${fresh(around)}`, namespace: "org", steps: [] };
}

export function layerFor(around: Around, target: KubeObject): Named {
  const { random } = around;
  const home = target.metadata.namespace ?? "";
  const old = layersIn(around).filter(({ metadata }) => target.kind === "App" || metadata.namespace === home);
  const one = random.once(2) ? pickOne(random, old) : undefined;
  if (one !== undefined)
    return {
      kind: one.kind as LayerKind,
      name: one.metadata.name,
      namespace: one.metadata.namespace ?? "",
      steps: [],
    };
  const kind = random.pick<LayerKind>(["ConfigMap", "ConfigMap", "Secret"]);
  const namespace = target.kind === "App" && random.once(10) ? "other" : home;
  const name = `l${fresh(around)}`;
  return { kind, name, namespace, steps: [newLayer(around, { name, kind, namespace, notes: {} })] };
}

function entryFor({ random }: Around, target: KubeObject, { kind, name, namespace }: Named): Entry {
  if (target.kind === "HelmRelease")
    return {
      kind,
      name,
      ...(random.once(5) ? { optional: true } : {}),
      ...(random.once(14) ? { targetPath: "a.b" } : {}),
    };
  const priority = random.pick([25, 25, 25, undefined, undefined, 50, 60, 75, 100]);
  const isShort = kind === "ConfigMap" && random.once(2);
  return {
    ...(isShort ? {} : { kind: kind === "Secret" ? "secret" : "configMap" }),
    name,
    namespace,
    ...(priority === undefined ? {} : { priority }),
  };
}

function isListed({ sources, rendered }: Around, id: string, list: List, entry: Entry): boolean {
  const home = find(sources, id)?.metadata.namespace;
  const key = keyOf(list, entry, home);
  return [sources, rendered].some((side) =>
    entriesOf(side, id, list).some((each) => keyOf(list, each, home) === key),
  );
}

function reprioritise(around: Around): ReturnType<Proposal> {
  const { random } = around;
  const shown = pickOne(
    random,
    shownEntries(around).filter(({ list }) => list === "extraConfigs"),
  );
  if (shown === undefined) return undefined;
  const priority = random.pick([10, 25, 25, 50, 75, 100]);
  if (isListed(around, shown.id, shown.list, { ...shown.entry, priority })) return undefined;
  return steps({ do: "priority", id: shown.id, entry: shown.entry, priority });
}

function makeOptional(around: Around): ReturnType<Proposal> {
  const helm = shownEntries(around).filter(({ list }) => list === "valuesFrom");
  const shown = pickOne(around.random, helm);
  if (shown === undefined) return undefined;
  const { optional, ...rest } = shown.entry as HelmEntry;
  const at = entriesOf(around.rendered, shown.id, "valuesFrom").indexOf(shown.entry);
  const entry = optional === true ? rest : { ...rest, optional: true };
  return steps({ do: "drop", ...shown }, { do: "insert", id: shown.id, list: "valuesFrom", entry, at });
}

/** An object that references have named before it was there. */
function appears(around: Around): ReturnType<Proposal> {
  const { random, sources } = around;
  const there = new Set(objectsOf(sources).map(idOf));
  const wanted = objectsOf(sources).flatMap((target) => namedBy(target));
  const id = pickOne(
    random,
    wanted.filter((each) => !there.has(each)),
  );
  const [kind, namespace = "", name = ""] = id?.split("/") ?? [];
  if (id === undefined || !/^l\d/.test(name)) return undefined;
  const notes = random.once(6) ? { "kustomize.toolkit.fluxcd.io/substitute": "disabled" } : {};
  return steps(newLayer(around, { name, kind: kind as LayerKind, namespace, notes }));
}

function namedBy({ kind, metadata, spec = {} }: KubeObject): string[] {
  if (kind !== "App" && kind !== "HelmRelease") return [];
  const list = listOf(kind);
  return (spec[list] ?? []).map((entry) => idIn(list, entry, metadata.namespace));
}
