// What ConfigMaps and Secrets hold in one run: the place of each data key's value, and what it holds once its item is
// folded in place, or once SOPS has opened it. There is one per run, and every stage gets it; items never change.
import { isNode, type Item, Mark } from "../krm/index.ts";
import {
  type ReadFault,
  firstTextInLiteral,
  placesInLiteral,
  scalarBytes,
  Kind,
  type Node,
} from "../yaml/index.ts";
import { bytesFor, guard, type GuardedText } from "./guarded.ts";
import { type HeldTexts, isText, type Text } from "./held.ts";
import { hasSeal } from "./metadata.ts";
import type { SopsFault } from "./sealed.ts";
import type { ReadValues } from "./values.ts";

/** The data of a ConfigMap or Secret. */
export interface Contents {
  readonly keys: Map<string, Datum>;
  /** True for a SOPS-encrypted manifest that is not open. */
  readonly sealed: boolean;
  /** Why it could not be opened. */
  readonly fault?: SopsFault;
}

/** The value under one data key. */
interface Datum {
  /** True under a Secret's `data`. */
  readonly encoded: boolean;
  /** True if the text was sealed, and is plain here only. */
  readonly opened?: boolean;
  /** True if a build took it from a Secret: it is where it is, and is not shown. */
  readonly taken?: boolean;
  readonly fault?: SopsFault;
  /** Its place in the input, or what it holds since. */
  readonly value: Node | Uint8Array;
  /** The value decoded, on first use. */
  decoded?: GuardedText | ReadFault;
  /** What it was read as, since then. */
  readAs?: ReadValues[];
  /** The places of its lines in the input, on first use. */
  places?: (line: number, column: number) => number;
}

/** What an opened document holds under one data key. */
export interface OpenedKey {
  readonly text: Uint8Array;
  readonly encoded: boolean;
}

const nothing: Contents = { keys: new Map(), sealed: false };

export class Holdings implements HeldTexts {
  private readonly known = new Map<Item, Contents | ReadFault>();
  /** Items that hold something else than the input says. */
  private readonly changed = new Set<Item>();
  private readonly mayBeSealed: boolean;
  private readonly isOfBuild: boolean;

  /**
   * @param mayBeSealed false if the input holds nothing that looks like what SOPS writes, base64 aside
   * @param isOfBuild true if the input may say what a build took from Secrets
   */
  constructor(mayBeSealed = true, isOfBuild = false) {
    this.mayBeSealed = mayBeSealed;
    this.isOfBuild = isOfBuild;
  }

  /** What an item holds now, read once; a fault if it cannot be read. */
  read(item: Item): Contents | ReadFault {
    let contents = this.known.get(item);
    if (contents === undefined) this.known.set(item, (contents = readContents(item, this.isOfBuild)));
    return contents;
  }

  /** Lets go of what can be read again. */
  release(item: Item): void {
    if (this.changed.has(item)) return;
    this.known.delete(item);
    item.release();
  }

  /** What an item holds, an unreadable one taken for an empty one. */
  of(item: Item): Contents {
    const contents = this.read(item);
    return "code" in contents ? nothing : contents;
  }

  /** The data keys, in the order they are written. */
  keysOf(item: Item): readonly string[] {
    return [...this.of(item).keys.keys()];
  }

  has(item: Item, key: string): boolean {
    return this.of(item).keys.has(key);
  }

  /** True for an item that can be read, and holds nothing under the key. */
  lacks(item: Item, key: string): boolean {
    const contents = this.read(item);
    return !("code" in contents) && !contents.keys.has(key);
  }

  /** True for a value under a Secret's `data`. */
  isEncoded(item: Item, key: string): boolean {
    return this.of(item).keys.get(key)?.encoded === true;
  }

  /** True for a SOPS-encrypted manifest that is not open. */
  isManifestSealed(item: Item): boolean {
    return this.of(item).sealed;
  }

  /** True if the value cannot be read: its item is sealed, or it is a SOPS file itself. */
  isSealed(item: Item, key: string): boolean {
    const { sealed, keys } = this.of(item);
    if (sealed) return true;
    const datum = keys.get(key);
    if (datum === undefined || datum.opened === true || this.isPlainlyOpen(datum)) return false;
    const text = this.textOf(item, key);
    return isText(text) && text.isSopsFile();
  }

  /** A literal block is in the input as it is: if the input has no sign of a seal, the block has none. */
  private isPlainlyOpen({ value, encoded }: Datum): boolean {
    const isVerbatim = !encoded && !(value instanceof Uint8Array) && value.kind === Kind.literal;
    return isVerbatim && !this.mayBeSealed;
  }

  /** True if the value was sealed and is plain here only. */
  isOpened(item: Item, key: string): boolean {
    return this.of(item).keys.get(key)?.opened === true;
  }

  /** True if a build took the value, or a part of it, from a Secret. */
  isTaken(item: Item, key: string): boolean {
    return this.of(item).keys.get(key)?.taken === true;
  }

  /** Why a sealed value could not be opened; undefined if nothing tried. */
  openingFault(item: Item, key: string | undefined): SopsFault | undefined {
    const { keys, fault } = this.of(item);
    return (key === undefined ? undefined : keys.get(key)?.fault) ?? fault;
  }

  /** The value, decoded; undefined if it is not there; a fault where it is not text or not base64. */
  textOf(item: Item, key: string): Text {
    const contents = this.read(item);
    if ("code" in contents) return contents;
    const datum = contents.keys.get(key);
    if (datum === undefined) return undefined;
    return (datum.decoded ??= decoded(datum, contents.sealed, item));
  }

  /** The place of a line and column of a value in the input; of the whole value, if it is not a literal block. */
  offsetOf(item: Item, key: string, { line, column }: { line: number; column: number }): number | undefined {
    const datum = this.of(item).keys.get(key);
    if (datum === undefined || datum.value instanceof Uint8Array) return undefined;
    if (datum.value.kind !== Kind.literal) return datum.value.start;
    return (datum.places ??= placesInLiteral(datum.value))(line, column);
  }

  /** The start of a value's text in the input, and its line, if it is a literal block. */
  literalAt(item: Item, key: string): { readonly offset: number; readonly line: number } | undefined {
    const value = this.of(item).keys.get(key)?.value;
    if (value === undefined || value instanceof Uint8Array || value.kind !== Kind.literal) return undefined;
    return firstTextInLiteral(value);
  }

  /**
   * What a data key holds once its item's own layers are folded into it.
   * @param taken true where one of them holds what a build took from a Secret
   */
  amend(item: Item, key: string, text: GuardedText, taken: boolean): void {
    const known = this.of(item).keys.get(key);
    const { encoded = false, opened = false } = known ?? {};
    const isTaken = taken || known?.taken === true;
    this.put(item, key, { value: bytesFor(text, item), encoded, opened, taken: isTaken });
  }

  /** Removes a data key from its item. */
  drop(item: Item, key: string): void {
    const contents = this.read(item);
    this.changed.add(item);
    if (!("code" in contents)) contents.keys.delete(key);
  }

  /** What a sealed manifest holds, once it is opened. */
  openManifest(item: Item, opened: ReadonlyMap<string, OpenedKey>): void {
    this.changed.add(item);
    const keys = new Map(
      [...opened].map(([key, { text, encoded }]) => [key, { value: text, encoded, opened: true }]),
    );
    this.known.set(item, { keys, sealed: false });
  }

  /** What a data value that is a SOPS file holds, once it is opened. */
  openKey(item: Item, key: string, text: Uint8Array): void {
    this.put(item, key, { value: text, encoded: true, opened: true });
  }

  /** Remembers why an item, or one key of it, stays sealed: reported if it would have been folded. */
  keepSealed(item: Item, key: string | undefined, fault: SopsFault): void {
    const datum = key === undefined ? undefined : this.of(item).keys.get(key);
    if (key !== undefined && datum !== undefined) this.put(item, key, { ...datum, fault });
    else this.change(item, { fault });
  }

  private put(item: Item, key: string, datum: Datum): void {
    const contents = this.read(item);
    this.changed.add(item);
    if (!("code" in contents)) contents.keys.set(key, datum);
  }

  /** An item that cannot be read stays so. */
  private change(item: Item, change: Partial<Contents>): void {
    const contents = this.read(item);
    this.changed.add(item);
    if (!("code" in contents)) this.known.set(item, { ...contents, ...change });
  }
}

function readContents(item: Item, isOfBuild: boolean): Contents | ReadFault {
  const root = item.read();
  if (!isNode(root)) return root;
  const keys = new Map<string, Datum>();
  const mark = isOfBuild ? item.annotations.get(Mark.fromSecret) : undefined;
  const taken = mark === undefined ? [] : keysNamedIn(mark);
  for (const part of item.kind === "Secret" ? ["data", "stringData"] : ["data"]) {
    const mapping = root.get(part);
    if (mapping === undefined || (mapping.isScalar && mapping.isNull)) continue;
    if (!mapping.isMapping) return notData(mapping, part);
    const encoded = item.kind === "Secret" && part === "data";
    for (const child of mapping.children()) {
      const key = child.keyText;
      keys.set(key, { value: child.value, encoded, taken: taken.includes(key) });
    }
  }
  return { keys, sealed: hasSeal(item) };
}

/** The keys that a build named. An annotation that no build wrote may hold anything: it names none. */
function keysNamedIn(mark: string): readonly unknown[] {
  try {
    const keys: unknown = JSON.parse(mark);
    return Array.isArray(keys) ? keys : [];
  } catch {
    return [];
  }
}

/** The API server refuses it. */
function notData(node: Node, part: string): ReadFault {
  const message = `expected a mapping under \`${part}\`, got ${node.isScalar ? "text" : "a list"}`;
  return {
    code: "syntax",
    message,
    hint: "write each key and its text on lines of their own",
    ...placeOfKey(node),
  };
}

function decoded(datum: Datum, sealed: boolean, { kind }: Item): GuardedText | ReadFault {
  const bytes = bytesOf(datum, sealed);
  return bytes instanceof Uint8Array ? guard(bytes, kind === "Secret" || datum.opened === true) : bytes;
}

function bytesOf({ value, encoded }: Datum, sealed: boolean): Uint8Array | ReadFault {
  if (value instanceof Uint8Array) return value;
  if (!value.isScalar)
    return {
      code: "syntax",
      message: `expected a string under the data key, got ${value.isMapping ? "a mapping" : "a list"}`,
      hint: `write \`|\` after the key, so that what follows is a string: \`${value.keyText}: |\``,
      ...placeOfKey(value),
    };
  // The API server takes a null for no text at all. What SOPS has sealed is text, whatever it looks like.
  if (!encoded || sealed) return value.isNull ? new Uint8Array() : scalarBytes(value);
  const text = value.isNull ? "" : value.text;
  const notBase64 = { code: "syntax", message: "expected base64 under `data`" } as const;
  const hint = "encode it, or write the text under `stringData`";
  return decodeBase64(text) ?? { ...notBase64, hint, ...placeOfKey(value) };
}

function placeOfKey(value: Node): Pick<ReadFault, "offset" | "isInInput"> {
  const key = value.keyStart;
  return { offset: key < 0 ? value.offset : key, isInInput: true };
}

/** Bytes of base64 text, wrapped or not; undefined for other text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const packed = text.replaceAll(/\s/g, "");
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(packed) && packed.length % 4 !== 1;
  return isBase64 ? Buffer.from(packed, "base64") : undefined;
}
