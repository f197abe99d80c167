// A package that was moved to another namespace as a whole: records still tell the one it was folded in.
import type { RecordedLayer, Target } from "../model.ts";
import { type NameIndex, previousNamesOf } from "../select/names.ts";
import type { Item } from "../wire/item.ts";
import type { FoldRecord } from "./record.ts";

/**
 * The recorded layers, those in the target's former namespace taken along to its new one. Only where the folded item
 * moved as well, and never those that stayed after. kustomize remembers by itself what it moved.
 */
export function layersNow(
  { target: recorded, layers }: FoldRecord,
  item: Item,
  target: Target,
  names: NameIndex,
): readonly RecordedLayer[] {
  const [, former, name] = recorded.split("/");
  const { namespace: home } = target;
  const isMoved = name !== undefined && home !== undefined && former !== home && item.namespace === home;
  if (!isMoved || former === undefined || previousNamesOf(item).length > 0) return layers;
  const isLeft = ({ kind, name: own }: RecordedLayer): boolean =>
    names.within(kind, own, former).some(({ namespace }) => namespace === former);
  const moved = (entry: string): string => entry.replace(`/${former}/`, () => `/${home}/`);
  return layers.map((layer): RecordedLayer => {
    const { namespace, after, before } = layer;
    return {
      ...layer,
      ...(namespace === former && !isLeft(layer) ? { namespace: home } : {}),
      ...(after === undefined ? {} : { after: moved(after) }),
      ...(before === undefined ? {} : { before: moved(before) }),
    };
  });
}
