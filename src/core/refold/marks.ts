// Which layers valuefold marked `local-config` in an earlier run, according to the records: valuefold removes only
// its own marks.
import type { Settings } from "../../settings/index.ts";
import type { RecordedLayer, Restoration, Target } from "../../layers/index.ts";
import type { NameIndex } from "../select/names.ts";
import { Mark, type Item } from "../../krm/index.ts";
import { wasMarked } from "./record.ts";

/** Layers with a mark of ours; the layers of folds that stay keep it. */
export function markedLayers(
  restorations: ReadonlyMap<Target, readonly Restoration[]>,
  names: NameIndex,
  settings: Settings,
): ReadonlySet<Item> {
  const ours = new Set<Item>();
  const held = new Set<Item>();
  const all = [...restorations].flatMap(([target, own]) => own.map((each) => ({ target, ...each })));
  for (const { target, recorded, stays } of all) {
    const layers = recorded.filter((each) => isOurs(each, settings));
    for (const item of layers.flatMap((layer) => itemsOf(layer, target, names)))
      (stays ? held : ours).add(item);
  }
  return new Set([...ours].filter((item) => !held.has(item) && item.annotations.has(Mark.localConfig)));
}

/** If a record does not say who marked it, an annotated layer is left as it is. */
function isOurs(layer: RecordedLayer, settings: Settings): boolean {
  return layer.slot === undefined ? layer.local === true : wasMarked(layer, settings);
}

function itemsOf(
  { kind, name, namespace }: RecordedLayer,
  target: Target,
  names: NameIndex,
): readonly Item[] {
  const found: readonly Item[] = names.find({ kind, name, namespace }, target);
  return found.length > 0
    ? found
    : names.within(kind, name, namespace).filter((item) => item.namespace === namespace);
}
