// Which items the records of folded items name as layers.
import { allNamesOf, isRecordedAs, readRecord } from "../../core/index.ts";
import { grouped } from "../../grouped.ts";
import type { Item } from "../../krm/index.ts";
import type { RecordedLayer } from "../../layers/index.ts";
import { hashless } from "../../object-id.ts";

/** The layers that folded items record, under their names of now: kustomize may have added a hash since. */
export class RecordedLayers {
  private readonly byName: ReadonlyMap<string, readonly RecordedLayer[]>;

  constructor(folded: readonly Item[]) {
    this.byName = grouped(
      folded.flatMap((item) => readRecord(item)?.layers ?? []),
      ({ name }) => name,
    );
  }

  have(item: Item): boolean {
    const isRecorded = (name: string, as: Pick<Item, "kind" | "namespace">): boolean =>
      (this.byName.get(name) ?? []).some(
        (each) => each.kind === as.kind && (each.namespace ?? as.namespace) === as.namespace,
      );
    return (
      isRecorded(hashless(item.name), item) ||
      allNamesOf(item).some((name) => this.byName.get(name)?.some((each) => isRecordedAs(item, each)))
    );
  }
}
