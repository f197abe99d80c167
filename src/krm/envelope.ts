// The input and output form: the wire envelope of a KRM function, or a plain YAML stream.
import type { ReadFault, Node } from "../yaml/index.ts";
import type { Item } from "./item.ts";

export type Form = "resource-list" | "stream";

/** How an item is embedded, and so how a new one is written before it. `list` is the same for all items of one list. */
export type Embedding =
  | { readonly type: "block"; readonly column: number; readonly list: number }
  | { readonly type: "flow"; readonly list: number }
  /** `separator` is where the `---` before it starts; its own start if there is none. */
  | { readonly type: "document"; readonly inline: boolean; readonly separator: number };

export interface Envelope {
  readonly form: Form;
  readonly bytes: Buffer;
  readonly items: readonly Item[];
  readonly embeddings: ReadonlyMap<Item, Embedding>;
  readonly functionConfig: Node | undefined;
  /** Where `results` go: what to replace, and whether the list is written in brackets. */
  readonly results: { readonly start: number; readonly end: number; readonly flow: boolean };
}

/** The input could not be split. Offsets count in the whole input. */
export interface WireFault {
  readonly kind: "not-a-resource-list" | "input-unreadable";
  readonly fault: ReadFault;
}
