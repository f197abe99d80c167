// Which data key of its item a layer takes, its values, and whether it can be read at all. Values are read once for
// all stacks that use them. A sealed item is never looked into. Front ends never see any of this: the fold
// guards what it makes of the values.
import type { Diagnostic } from "../diagnostic.ts";
import { usualDataKeys } from "../kinds.ts";
import type { Layer } from "./model.ts";
import { type Item, Mark, atItem } from "../krm/index.ts";
import { type ReadFault, lineIndex } from "../yaml/index.ts";
import { nestedText } from "./dotted.ts";
import { bytesToMerge } from "./guarded.ts";
import { isText, type Text } from "./held.ts";
import type { Holdings } from "./holdings.ts";
import { binaryKeysOf } from "./metadata.ts";
import { missingData } from "./missing-data.ts";
import { isOff } from "./treatment.ts";
import type { SopsFault } from "./sealed.ts";
import { readValues, type ReadValues, type Values } from "./values.ts";

/** How many layers, and how much text of them, stay at hand. */
const mostRecent = 64;
const mostRecentBytes = 4 * 1024 * 1024;

/** How Flux fills in the variables of a layer: in its text, or, in base64, not at all. */
export type Filling = "filled" | "encoded" | undefined;

/** Reads layers out of what items hold in this run. */
export class LayerReader {
  /** Of layers that are no data key: by the keys they are made of, or by what their items hold. */
  private readonly values = new WeakMap<object, ReadValues[]>();
  private readonly recent: { readonly item: Item; readonly bytes: number }[] = [];
  private recentBytes = 0;
  private readonly lines = new WeakMap<Uint8Array, ReturnType<typeof lineIndex>>();
  private readonly holdings: Holdings;

  constructor(holdings: Holdings) {
    this.holdings = holdings;
  }

  /** The data key a layer takes; undefined for an item without data, or where `keyFault` finds no rule that picks one. */
  keyOf({ item, key, reference }: Layer): string | undefined {
    const contents = this.holdings.read(item);
    if ("code" in contents) return undefined;
    const [only] = contents.keys.keys();
    if (key !== undefined || contents.keys.size < 2) return key ?? only;
    if (reference !== undefined) return undefined;
    return usualDataKeys.find((each) => contents.keys.has(each));
  }

  /** True where the item is there, and has no such data key: its consumer goes on without it, or waits. */
  lacksKey({ item, key, dotted }: Layer): boolean {
    return key !== undefined && dotted === undefined && this.holdings.lacks(item, key);
  }

  /** True for a SOPS-encrypted manifest, or a data value that is a SOPS file. */
  isSealed(layer: Layer): boolean {
    if (layer.dotted !== undefined) return false;
    const key = this.keyOf(layer);
    return key === undefined
      ? this.holdings.isManifestSealed(layer.item)
      : this.holdings.isSealed(layer.item, key);
  }

  /** True if the layer was sealed and is plain here only. */
  isOpened(layer: Layer): boolean {
    const key = this.keyOf(layer);
    return key !== undefined && this.holdings.isOpened(layer.item, key);
  }

  /** True for what only ever reaches a Secret. */
  staysSecret(layer: Layer): boolean {
    return layer.item.kind === "Secret" || this.isOpened(layer);
  }

  /** True for what is never shown: what stays secret, and what a build took from a Secret. */
  isSecret(layer: Layer): boolean {
    return this.staysSecret(layer) || this.isTaken(layer);
  }

  /** Flat dotted keys are a layer together. */
  isTaken(layer: Layer): boolean {
    const { item, dotted } = layer;
    const key = this.keyOf(layer);
    const keys = dotted === undefined ? (key === undefined ? [] : [key]) : this.holdings.keysOf(item);
    return keys.some((each) => this.holdings.isTaken(item, each));
  }

  /** Why a sealed layer could not be opened; undefined if nothing tried. */
  openingFault(layer: Layer): SopsFault | undefined {
    return this.holdings.openingFault(layer.item, this.keyOf(layer));
  }

  /** Values of a layer. Never throws; what is wrong with the text is among the values' faults. */
  valuesOf(layer: Layer): Values {
    const { format } = layer;
    const known = this.readOf(layer);
    for (const one of known) if (one.format === format) return one.values;
    const values = this.asSubstituted(layer, this.readLayer(layer));
    known.push({ format, values });
    this.remember(layer, values.text.length);
    return values;
  }

  /** Where Flux substitutes nothing, `${…}` is text like any other. */
  private asSubstituted({ item }: Layer, values: Values): Values {
    if (!values.substituted || !isOff(item, Mark.substitute)) return values;
    return { ...values, variable: false, substituted: false };
  }

  /** What a layer's text was read as so far. */
  private readOf(layer: Layer): ReadValues[] {
    const { dotted } = layer;
    const contents = this.holdings.read(layer.item);
    const key = this.keyOf(layer);
    const datum = key === undefined || "code" in contents ? undefined : contents.keys.get(key);
    if (dotted === undefined && datum !== undefined) return (datum.readAs ??= []);
    const source = dotted ?? contents;
    let known = this.values.get(source);
    if (known === undefined) this.values.set(source, (known = []));
    return known;
  }

  /** Keeps the latest layers that were read; older ones are released, and read again when they are needed. */
  private remember({ item }: Layer, bytes: number): void {
    this.recent.push({ item, bytes });
    this.recentBytes += bytes;
    while (this.recent.length > mostRecent || this.recentBytes > mostRecentBytes) {
      const oldest = this.recent.shift();
      if (oldest === undefined) return;
      this.recentBytes -= oldest.bytes;
      if (oldest.item !== item) this.holdings.release(oldest.item);
    }
  }

  /** Line and column (1-based, in bytes) of an offset in the layer's text, and its place in the input. */
  locate(layer: Layer, offset: number): { line: number; column: number; offset?: number } {
    const { text } = this.valuesOf(layer);
    let index = this.lines.get(text);
    if (index === undefined) this.lines.set(text, (index = lineIndex(text)));
    const place = index(offset);
    const inInput = this.holdings.offsetOf(layer.item, this.keyOf(layer) ?? "", place);
    return inInput === undefined ? place : { ...place, offset: inInput };
  }

  /** True if nothing is wrong with the layer, and nothing seals it. */
  isReadable(layer: Layer): boolean {
    return (
      !this.isSealed(layer) && this.keyFault(layer) === undefined && this.valuesOf(layer).faults.length === 0
    );
  }

  /**
   * How Flux sees `${…}` and `$$` in the layer: it substitutes in text, and never in base64. Layers
   * of the two sorts must not be folded into one.
   */
  fillingOf(layer: Layer): Filling {
    if (!this.valuesOf(layer).substituted) return undefined;
    return this.holdings.isEncoded(layer.item, this.keyOf(layer) ?? "") ? "encoded" : "filled";
  }

  /** Several data keys and no rule that picks one; or a named key that is not there. */
  keyFault(layer: Layer): Diagnostic | undefined {
    const contents = this.holdings.read(layer.item);
    if ("code" in contents || contents.sealed || layer.dotted !== undefined) return undefined;
    const lost = binaryFault(layer, contents.keys);
    if (lost !== undefined) return lost;
    const absent = contents.keys.size === 0 && isAnnotated(layer) ? missingData(layer.item) : undefined;
    if (absent !== undefined) return absent;
    // Texts are made only for a fault: an item may have thousands of keys.
    const named = (): string => [...contents.keys.keys()].map((key) => `\`${key}\``).join(", ");
    const isOptional = layer.reference?.optional === true;
    if (layer.key !== undefined && !contents.keys.has(layer.key) && !isOptional) {
      const hint = contents.keys.size === 0 ? "the item has no data" : `its keys are ${named()}`;
      return { ...about(layer), message: `no data key \`${layer.key}\``, hint };
    }
    if (contents.keys.size < 2 || this.keyOf(layer) !== undefined) return undefined;
    const cure =
      layer.reference === undefined
        ? "name one with the annotation `valuefold.dev/key`"
        : "app-operator takes exactly one: leave one key in it";
    return { ...about(layer), message: `expected one data key, got ${named()}`, hint: cure };
  }

  private readLayer(layer: Layer): Values {
    if (layer.dotted !== undefined) return readValues(this.nested(layer, layer.dotted), layer.format);
    const text = this.textOf(layer);
    if (text === undefined) return readValues(new Uint8Array(), layer.format);
    if (isText(text)) return readValues(bytesToMerge(text), layer.format);
    return {
      root: undefined,
      isMapping: false,
      text: layer.item.bytes,
      faults: [text],
      notes: [],
      variable: false,
      substituted: false,
    };
  }

  private nested({ item }: Layer, keys: readonly string[]): Uint8Array {
    return nestedText(
      keys.map((key) => {
        const text = this.holdings.textOf(item, key);
        const bytes = isText(text) ? bytesToMerge(text) : new Uint8Array();
        return { path: key.split("."), text: Buffer.from(bytes).toString("utf8") };
      }),
    );
  }

  private textOf(layer: Layer): Text {
    const contents = this.holdings.read(layer.item);
    if ("code" in contents) return ofManifest(contents);
    const key = this.keyOf(layer);
    return key === undefined ? undefined : this.holdings.textOf(layer.item, key);
  }
}

/** The item itself is no YAML: its data keys are not at fault. */
function ofManifest({ message, ...fault }: ReadFault): ReadFault {
  const hint = "correct the YAML of the manifest at this place";
  return { ...fault, message: `the manifest cannot be read: ${message}`, hint, isInInput: true };
}

/** True for a layer that no target names: that it has no data is a mistake. */
function isAnnotated({ reference, item }: Layer): boolean {
  return reference === undefined && item.annotations.has(Mark.into);
}

/** Values in a place that no consumer reads. */
function binaryFault(layer: Layer, keys: ReadonlyMap<string, unknown>): Diagnostic | undefined {
  const isMissing = layer.key === undefined ? keys.size === 0 : !keys.has(layer.key);
  if (layer.reference !== undefined || !isMissing || binaryKeysOf(layer.item).length === 0) return undefined;
  return {
    ...about(layer),
    code: "binary-data",
    message: "the values are under `binaryData`, which no consumer reads",
    hint: "put them under `data`",
  };
}

function about({ item }: Layer): Pick<Diagnostic, "code" | "severity" | "item" | "at"> {
  return { code: "several-keys", severity: "error", ...atItem(item) };
}
