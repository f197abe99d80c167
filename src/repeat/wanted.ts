// A round over a list: what is to be there, and the edits that bring it about.
import type { Settings } from "../config/settings.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Origin } from "../report/report.ts";
import type { Edit, Envelope } from "../wire/envelope.ts";
import type { Item } from "../wire/item.ts";
import type { CloneName } from "./names.ts";
import type { Repeat, ResourceEntry, Scope } from "./model.ts";

export interface Round {
  readonly envelope: Envelope;
  readonly settings: Settings;
  readonly repeats: readonly Repeat[];
}

export interface Outcome {
  readonly edits: readonly OriginEdit[];
  readonly faults: readonly Diagnostic[];
}

/** An edit, and where the text comes from that it puts in. */
export interface OriginEdit extends Edit {
  readonly origin?: Origin;
}

/** One clone that there is to be. */
export interface Wanted extends CloneName {
  readonly entry: ResourceEntry;
  readonly scope: Scope;
  readonly template: Item;
  readonly key: string;
}

/** What a clone's record says of whose it is. */
export function identity(
  { kind, name }: ResourceEntry,
  { instance, item }: Scope,
): { readonly template: string; readonly instance: string; readonly item?: string } {
  return {
    template: `${kind}/${name}`,
    instance: instance.name,
    ...(item === undefined ? {} : { item: item.name }),
  };
}
