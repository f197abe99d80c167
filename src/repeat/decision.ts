// What becomes of one clone, as the stages of a round tell it each other.
import type { Edit, Embedding } from "../wire/envelope.ts";
import type { Named } from "../wire/item.ts";
import type { Clone } from "./clones.ts";
import type { Draft } from "./draft.ts";
import type { Siblings } from "./groups.ts";
import type { Naming } from "./siblings.ts";
import type { Round, Wanted } from "./wanted.ts";

export interface Decision {
  readonly key: string;
  readonly wanted: Wanted;
  readonly named: Pick<Named, "apiVersion" | "kind" | "name" | "namespace">;
  readonly present: Clone | undefined;
  /** Its text, where it is made or made again. */
  readonly draft: Draft | undefined;
  /** True if it was made from its template again: what was folded for it counts no more. */
  readonly anew: boolean;
  /** Changes of one that is left as it is. */
  readonly keptEdits: readonly Edit[];
  readonly contentEnd: number;
}

export interface Beside {
  readonly byKey: ReadonlyMap<string, Clone>;
  /** Keys of clones that an earlier run made. */
  readonly before: ReadonlySet<string>;
  readonly namings: readonly Naming[];
  readonly siblings: Siblings;
  readonly embedding: Embedding;
  readonly round: Round;
}
