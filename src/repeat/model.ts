// What a Repeat holds once it is read: instances, and what is cloned for each.
import { Guarded } from "../layers/index.ts";
import { isFault, Node, readDocument } from "../yaml/index.ts";
import { isNode, type Item } from "../krm/index.ts";
import type { Step } from "../merge/index.ts";
import type { RepeatPlace } from "./faults.ts";

export interface Repeat {
  readonly item: Item;
  readonly entries: readonly CloneEntry[];
  /** In their order. */
  readonly instances: readonly RepeatInstance[];
}

export interface RepeatInstance {
  readonly name: string;
  readonly value: Guarded<Node>;
}

/** What a clone is made for: an instance, or an entry of the mapping that `each` names in it. */
export interface Scope {
  readonly instance: RepeatInstance;
  /** One of those under `each`. */
  readonly item?: RepeatInstance;
}

export type CloneEntry = ResourceEntry | ListEntry;

interface Common {
  readonly repeat: Item;
  /** Its path: `spec.clone[0]`; in a KOTS Config `spec.groups[0].items[0].templates[0]`. */
  readonly field: string;
  /** The KOTS item that has it among its `templates`. */
  readonly declared?: DeclaredBy;
  readonly apiVersion: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly each: WrittenField | undefined;
  readonly sets: readonly FieldSet[];
}

/** An item of a KOTS Config: `[[repl .port ]]` in the template is filled in. */
interface DeclaredBy {
  readonly config: Item;
  readonly name: string;
}

/** `{kind: Deployment, name: worker, as: "worker-{name}"}`: a whole item is cloned. */
export interface ResourceEntry extends Common {
  readonly as: WrittenField;
  readonly values: WrittenField | undefined;
}

/** `{kind: Service, name: proxy, path: "spec.ports[0]"}`: an element of a list is cloned. */
export interface ListEntry extends Common {
  readonly path: string;
  readonly pathField: string;
  /** The path of the list. */
  readonly steps: readonly Step[];
  /** The element in it: an index, or `key=value`. */
  readonly element: string;
}

/** A text of the Repeat, perhaps with placeholders, and its path. */
export interface WrittenField {
  readonly text: string;
  readonly field: string;
}

/** What a pattern comes to: text, or a value that is copied. */
export type FieldContent = { readonly text: string } | { readonly node: Node };

/** A field that each clone sets. */
export interface FieldSet {
  /** Empty for the element itself. */
  readonly steps: readonly Step[];
  readonly path: string;
  /** What is set. */
  readonly node: Node;
  readonly field: string;
}

export function isResource(entry: CloneEntry): entry is ResourceEntry {
  return "as" in entry;
}

export function isList(entry: CloneEntry): entry is ListEntry {
  return "path" in entry;
}

/** An entry, or a field of it, as the place of a fault. */
export function entryPlace(
  entry: Pick<CloneEntry, "repeat" | "declared" | "field">,
  { field }: { readonly field: string } = entry,
): RepeatPlace {
  return { repeat: entry.declared?.config ?? entry.repeat, field };
}

/** The instances in a guarded content. Their names are not secret; their values may be. */
export function instancesIn<T>(
  source: Guarded<T>,
  mappingIn: (content: T) => Node | undefined,
): readonly RepeatInstance[] {
  return source.named((content) => {
    const mapping = mappingIn(content);
    return mapping === undefined ? [] : namedValues(mapping);
  });
}

/** Entries of a mapping; null removes one. */
function namedValues(mapping: Node): readonly { readonly name: string; readonly value: Node }[] {
  return [...mapping.value.entries().values()].flatMap((entry) => {
    // A name is what is written: a plain `on` or `no` is one, too.
    const name = entry.keyText;
    const value = entry.value;
    return value.isScalar && value.isNull ? [] : [{ name, value }];
  });
}

/** Instances of a mapping in a Repeat or a KOTS item. */
export function plainInstancesIn(mapping: Node): readonly RepeatInstance[] {
  return namedValues(mapping).map(({ name, value }) => ({ name, value: Guarded.plain(value) }));
}

/** A mapping of instances from text that was put together here. */
export function instancesFrom(text: string): readonly RepeatInstance[] {
  const doc = readDocument(Buffer.from(text, "utf8"));
  return isFault(doc) ? [] : plainInstancesIn(new Node(doc));
}

/** A change in one place could show in another. */
export function holdsAliases(item: Item): boolean {
  const root = item.read();
  if (!isNode(root) || root.doc.targets.size === 0) return false;
  const isInside = (row: number): boolean => row >= root.row && row < root.nextRow;
  return [...root.doc.targets].some(([alias, anchor]) => isInside(alias) || isInside(anchor));
}

/** The kind of a value, for messages. */
export function kindName(value: Node): string {
  if (value.isMapping) return "a mapping";
  return value.isSequence ? "a sequence" : value.isNull ? "null" : "a scalar";
}
