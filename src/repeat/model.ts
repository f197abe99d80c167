// What a Repeat says once it is read: instances, and what is cloned for each.
import {
  entriesOf,
  isFault,
  isNull,
  isScalar,
  type Item,
  keyText,
  type Node,
  readDocument,
  type Step,
  valueOf,
} from "../core/index.ts";

export interface Repeat {
  readonly item: Item;
  readonly entries: readonly Entry[];
  /** In their order. */
  readonly instances: readonly Instance[];
}

export interface Instance {
  readonly name: string;
  readonly value: Node;
  /** True if its values may only reach Secrets. */
  readonly secret: boolean;
}

/** What a clone is made for. */
export interface Scope {
  readonly instance: Instance;
  /** One of those under `each`. */
  readonly item?: Instance;
}

export type Entry = ResourceEntry | ListEntry;

interface Common {
  readonly repeat: Item;
  /** Its path in the Repeat: `spec.clone[0]`. */
  readonly field: string;
  readonly apiVersion: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly each: Pattern | undefined;
  readonly sets: readonly FieldSet[];
}

/** A whole item is cloned. */
export interface ResourceEntry extends Common {
  readonly as: Pattern;
  readonly values: Pattern | undefined;
}

/** An element of a list is cloned. */
export interface ListEntry extends Common {
  readonly path: string;
  /** To the list. */
  readonly steps: readonly Step[];
  /** The element in it: an index, or `key=value`. */
  readonly element: string;
}

/** A text of the Repeat and its path. */
export interface Pattern {
  readonly node: Node;
  readonly field: string;
}

/** What a pattern comes to: text, or a value that is copied. */
export type Filled = ({ readonly text: string } | { readonly node: Node }) & {
  /** True if it holds what may only reach Secrets. */
  readonly secret: boolean;
};

export interface FieldSet {
  /** None for the element itself. */
  readonly steps: readonly Step[];
  readonly path: string;
  readonly value: Pattern;
}

export function isResource(entry: Entry): entry is ResourceEntry {
  return "as" in entry;
}

export function isList(entry: Entry): entry is ListEntry {
  return "path" in entry;
}

/** An entry as the place of a fault. */
export function whereIs({ repeat, field }: Entry): { repeat: Item; field: string } {
  return { repeat, field };
}

/** Entries of a mapping; null removes one. */
export function instancesIn(mapping: Node, secret: boolean): Instance[] {
  return [...entriesOf(valueOf(mapping)).values()].flatMap((entry) => {
    // A name is what is written: a plain `on` or `no` is one, too.
    const name = keyText(entry);
    const value = valueOf(entry);
    return isScalar(value) && isNull(value) ? [] : [{ name, value, secret }];
  });
}

/** A mapping of instances from text that was put together here. */
export function instancesFrom(text: string): readonly Instance[] {
  const doc = readDocument(Buffer.from(text, "utf8"));
  return isFault(doc) ? [] : instancesIn({ doc, row: 0 }, false);
}
