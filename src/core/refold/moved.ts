// A package that was moved to another namespace as a whole: its records still name the former one.
import type { RecordedLayer, Target } from "../../layers/index.ts";
import { type NameIndex, previousNamesOf } from "../select/names.ts";
import type { Item } from "../../krm/index.ts";
import type { FoldRecord } from "./record.ts";
import { parseObject } from "../../object-id.ts";

/**
 * The recorded layers, with those in the target's former namespace moved to its new one. Only if the folded item
 * moved as well, and never for layers that stayed. kustomize records its own moves.
 */
export function layersNow(
  { target: recorded, layers }: FoldRecord,
  item: Item,
  target: Target,
  names: NameIndex,
): readonly RecordedLayer[] {
  const { namespace: former } = parseObject(recorded);
  const { namespace: home } = target;
  const isMoved = home !== undefined && former !== home && item.namespace === home;
  if (!isMoved || former === undefined || previousNamesOf(item).length > 0) return layers;
  const isLeft = ({ kind, name: own }: RecordedLayer): boolean =>
    names.within(kind, own, former).some(({ namespace }) => namespace === former);
  return layers.map((layer): RecordedLayer => {
    const { namespace, after, behind } = layer;
    const moved = (entry: string): string => entry.replace(`/${former}/`, () => `/${home}/`);
    return {
      ...layer,
      ...(namespace === former && !isLeft(layer) ? { namespace: home } : {}),
      ...(after === undefined ? {} : { after: moved(after) }),
      ...(behind === undefined ? {} : { behind: moved(behind) }),
    };
  });
}
