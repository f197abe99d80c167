// The places of values as the user knows them: in a file if FILEs, orchestrators or origins name it, else in the text of
// their layer.
import type { Place, Variable } from "../explanation.ts";
import type { Chain } from "./chain.ts";
import { type Document, lineIndex, type Node } from "../yaml/index.ts";
import type { Holdings, Layer, LayerReader } from "../layers/index.ts";
import {
  type Item,
  Mark,
  type Named,
  originAt,
  placeOf,
  readRendered,
  type RenderedRecord,
} from "../krm/index.ts";
import type { placesIn } from "../report/index.ts";
import { remembered } from "../remembered.ts";

/** Where the text of a data key begins in a file of the user's: lines of the one are lines of the other. */
export interface TextPlace {
  readonly file: string;
  /** Absent where lines of the text are no lines of the file. */
  readonly line?: number;
  /** Of the first character of every line. */
  readonly column?: number;
  /** True for a column of a line that variables before it have not moved; absent where there are none. */
  readonly hasColumn?: (line: number, column: number) => boolean;
  /** Other texts under the same key that a build replaced by it, highest first. */
  readonly over?: readonly Place[];
  /** What replaced variables in a value of the text. */
  readonly variablesOf?: (value: Node) => readonly Variable[];
}

/** What only the edge knows: it reads the files that a build was made of. */
export interface FilePlaces {
  /** Where an item begins in the file that it is from. */
  findItem(item: Item): Place | undefined;
  /** Which file set the text of a data key. */
  findText(item: Item, key: string, text: Uint8Array): TextPlace | undefined;
  /** Where a document sets what an item has at a path outside of its values; undefined if a build changed it. */
  fieldAt?(item: Item, path: readonly string[], own: Node): Place | undefined;
  /** The documents that set what is at a path of an item. */
  chainAt(item: Item, path: readonly string[], values: Node): Chain | undefined;
}

/** Those of the file or the build that an item is from. */
export type FilesOf = (item: Item) => FilePlaces | undefined;

/** Where an object has values in itself. */
export const inlinePath = ["spec", "values"];

interface World {
  readonly layers: LayerReader;
  readonly holdings: Holdings;
  /**
   * Finds offsets in named files, those of text that a Repeat made near what it was made for, unless only the exact place
   * is needed. Absent if the input is not a file.
   */
  readonly sourceOf:
    | ((offset: number, isExact: boolean) => ReturnType<ReturnType<typeof placesIn>> | undefined)
    | undefined;
  readonly filesOf: FilesOf | undefined;
}

type Base = Pick<Place, "of" | "file"> & { readonly line: number; readonly column: number };

export class Places {
  private readonly world: World;
  private readonly bases = new WeakMap<Layer, Base>();
  private readonly texts = new WeakMap<Layer, Partial<TextPlace>>();
  private readonly renders = new WeakMap<Item | Named, RenderedRecord | undefined>();
  private readonly indexes = new WeakMap<Document, ReturnType<typeof lineIndex>>();

  constructor(world: World) {
    this.world = world;
  }

  /** The file of an item, and its line where that is known. */
  ofItem(item: Item | Named): Place | undefined {
    const { file, offset } = placeOf(item);
    const own = "start" in item ? this.world.filesOf?.(item)?.findItem(item) : undefined;
    return own ?? this.inFile(offset, false) ?? (file === undefined ? undefined : { of: "file", file });
  }

  /** A layer: its item, or the file its text was taken from. */
  ofLayer(layer: Layer): Place | undefined {
    const item = this.ofItem(layer.item);
    if (item?.line !== undefined || layer.dotted !== undefined) return item;
    const { of, ...base } = this.baseOf(layer);
    return of === "file" ? { of, ...base } : item;
  }

  /** The places of texts that a build replaced by that of a layer. */
  replacedBy(layer: Layer): readonly Place[] {
    return layer.dotted === undefined ? (this.textOf(layer).over ?? []) : [];
  }

  /** A value of a layer. */
  ofValue(layer: Layer, node: Node, path: readonly string[]): Place {
    const { item, dotted } = layer;
    if (dotted !== undefined) return this.ofDotted(item, dotted, path);
    const origin = originOf(this.renderOf(item), () => this.lineOf(node).line);
    if (origin !== undefined) return { of: "file", ...origin };
    const own = this.lineOf(node);
    const { column = 1, ...place } = moved(this.baseOf(layer), own);
    return this.textOf(layer).hasColumn?.(own.line, own.column) === false ? place : { ...place, column };
  }

  /** What a value overrides in the files that its layer was rendered from. */
  overriddenInRender({ item, dotted }: Layer, node: Node): Place[] {
    const record = dotted === undefined ? this.renderOf(item) : undefined;
    if (record === undefined || record.overridden.length === 0) return [];
    const { line } = this.lineOf(node);
    return record.overridden
      .filter((each) => each.line === line)
      .map(({ file, from }) => ({ of: "file", file, ...(from === undefined ? {} : { line: from }) }));
  }

  /** What replaced variables in a value of a layer, as far as it may be shown. */
  variablesOf(layer: Layer, node: Node): readonly Variable[] {
    const { variablesOf } = layer.dotted === undefined ? this.textOf(layer) : {};
    const isShown = variablesOf !== undefined && !node.value.isMapping && !this.world.layers.isSecret(layer);
    return isShown ? variablesOf(node) : [];
  }

  /** The file that set the text of a layer. */
  private textOf(layer: Layer): Partial<TextPlace> {
    const { layers, filesOf } = this.world;
    return remembered(
      this.texts,
      layer,
      () =>
        filesOf?.(layer.item)?.findText(layer.item, layers.keyOf(layer) ?? "", layers.valuesOf(layer).text) ??
        {},
    );
  }

  /** The documents that set what the target holds itself, if a build made it of several; else nothing. */
  chainOf(target: Item, values: Node): Chain | undefined {
    return this.world.filesOf?.(target)?.chainAt(target, inlinePath, values);
  }

  /** A value that the target holds itself. */
  ofInline(target: Item, node: Node): Place {
    const found = this.inFile(node.offset);
    if (found !== undefined) return found;
    const { file } = placeOf(target);
    return file === undefined ? { of: "text" } : { of: "file", file };
  }

  private ofDotted(item: Item, dotted: readonly string[], path: readonly string[]): Place {
    const full = path.join(".");
    const key = dotted.find((each) => each === full || full.startsWith(`${each}.`)) ?? full;
    const offset = this.world.holdings.offsetOf(item, key, { line: 1, column: 1 });
    return { ...(this.inFile(offset) ?? this.ofItem(item) ?? { of: "text" }), key };
  }

  /** What a rendered item records of itself; undefined for any other. */
  private renderOf(item: Item | Named): RenderedRecord | undefined {
    const text = item.annotations.get(Mark.renderedFrom);
    if (text === undefined) return undefined;
    return remembered(this.renders, item, () => readRendered(text));
  }

  private baseOf(layer: Layer): Base {
    const key = this.world.layers.keyOf(layer) ?? "";
    return remembered(this.bases, layer, () => this.baseIn(layer.item, key, this.textOf(layer)));
  }

  /** Where the text of a data key begins. */
  ofText(item: Layer["item"], key: string, own: Uint8Array): Place {
    const base = this.baseIn(item, key, this.world.filesOf?.(item)?.findText(item, key, own) ?? {});
    // A text that is no block has its place on the line of its key.
    const offset = this.world.holdings.offsetOf(item, key, { line: 1, column: 1 });
    return base.of === "file" ? base : (this.inFile(offset) ?? base);
  }

  private baseIn(item: Layer["item"], key: string, found: Partial<TextPlace>): Base {
    const { holdings } = this.world;
    const { file: named, line: first, column: indent = 1 } = found;
    if (named !== undefined && first !== undefined)
      return { of: "file", file: named, line: first, column: indent };
    if (named !== undefined) return { of: "text", file: named, line: 1, column: 1 };
    const text = holdings.literalAt(item, key);
    const { file, line, column } = this.inFile(text?.offset) ?? {};
    if (text !== undefined && file !== undefined && line !== undefined && column !== undefined)
      return { of: "file", file, line: line - text.line + 1, column };
    const from = placeOf(item).file;
    return { of: "text", ...(from === undefined ? {} : { file: from }), line: 1, column: 1 };
  }

  private inFile(offset: number | undefined, isExact = true): Place | undefined {
    if (offset === undefined) return undefined;
    const { file, line, column } = this.world.sourceOf?.(offset, isExact) ?? {};
    return file === undefined || line === undefined || column === undefined
      ? undefined
      : { of: "file", file, line, column };
  }

  private lineOf(node: Node): { line: number; column: number } {
    const { doc, offset } = node;
    return remembered(this.indexes, doc, () => lineIndex(doc.bytes))(offset);
  }
}

function originOf(record: RenderedRecord | undefined, line: () => number): ReturnType<typeof originAt> {
  return record === undefined || record.segments.length === 0 ? undefined : originAt(record, line());
}

function moved(base: Base, { line, column }: { line: number; column: number }): Place {
  return { ...base, line: base.line + line - 1, column: base.column + column - 1 };
}

/** A place in words: `stages/prod.yaml:15:17`, or the layer's own name and key. */
export function placeText(place: Place | undefined, named: string): string {
  if (place === undefined) return named;
  const { of, file, line, column, key } = place;
  const at = line === undefined ? "" : `:${line}${column === undefined ? "" : `:${column}`}`;
  const dotted = key === undefined ? "" : ` ${key}`;
  if (of === "file") return `${file ?? named}${at}${dotted}`;
  const inside = `${named}${at}${dotted}`;
  if (file === undefined) return inside;
  return named === "" || inside === "" ? file : `${file} (${inside})`;
}
