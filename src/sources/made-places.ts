// Where what a ResourceSet or a chart makes is written: by the lines of the texts that made it.
import type { Item } from "../krm/index.ts";
import { firstTextInLiteral, Kind, type Node, placesInLiteral } from "../yaml/index.ts";
import type { Chain, TextPlace } from "../explain/index.ts";
import type { Place, Variable } from "../explanation.ts";
import type { ObjectPlaces } from "./object-places.ts";
import type { PlacedPart } from "./placed.ts";
import { objectKey, type ObjectId } from "../object-id.ts";
import { partOf } from "./kustomize/documents.ts";
import { areEqual } from "./kustomize/marks.ts";
import { leavesOf } from "./kustomize/sayings.ts";
import { oneLine } from "../explain/index.ts";
import { nodeIn, rootOf } from "./items.ts";

/** What a template made. */
export interface PlacedLines {
  /** Where a value is written. */
  readonly placeAt: (offset: number) => Place;
  /** The same with the column of the line's first character. */
  readonly lineAt: (offset: number) => Place | undefined;
  /** What the line of the template was filled with. */
  readonly variablesAt: (offset: number) => readonly Variable[];
}

/** An object in the text that made it. */
export interface MadeObject {
  readonly item: Item;
  readonly text: PlacedLines;
  /** The same in the list, where it has another id there. */
  readonly listed?: ObjectId;
}

export class MadePlaces implements ObjectPlaces {
  private readonly made: ReadonlyMap<string, MadeObject>;

  constructor(made: readonly MadeObject[]) {
    this.made = new Map(made.map((each) => [objectKey(each.listed ?? each.item), each]));
  }

  findItem(item: Item): Place | undefined {
    const { item: own, text } = this.made.get(objectKey(item)) ?? {};
    const root = rootOf(own);
    return root && text?.placeAt(root.offset);
  }

  findText(item: Item, key: string): TextPlace | undefined {
    const { node, text } = this.madeAt(item, ["stringData", key]) ?? this.madeAt(item, ["data", key]) ?? {};
    return node && text && textPlace(node.value, text);
  }

  /** What has values of a Secret makes nothing here. */
  partAt(item: Item, path: readonly string[], own: Node): PlacedPart {
    const { node, text } = this.madeAt(item, path) ?? {};
    if (node === undefined || text === undefined || !node.value.isScalar || !areEqual(node, own)) return {};
    const source = partOf(
      node.value,
      (offset) => text.placeAt(offset),
      (offset) => text.variablesAt(offset),
    );
    return { source };
  }

  takenKeys(): readonly string[] {
    return [];
  }

  chainAt(item: Item, path: readonly string[], values: Node): Chain {
    const { node = values, text } = this.madeAt(item, path) ?? {};
    const at = this.findItem(item) ?? { of: "text" };
    const all = leavesOf([], node).map(({ path: own, node: leaf }) => {
      const variables = text?.variablesAt(leaf.offset) ?? [];
      const place = text?.placeAt(leaf.offset) ?? at;
      return { path: own, text: oneLine(leaf), at: place, ...(variables.length > 0 && { variables }) };
    });
    return { documents: [{ at, isPatch: false, isSecret: false, values: all }], removed: [] };
  }

  private madeAt(
    item: Item,
    path: readonly string[],
  ): { readonly node: Node; readonly text: PlacedLines } | undefined {
    const { item: own, text } = this.made.get(objectKey(item)) ?? {};
    const node = nodeIn(own, path);
    return node && text && { node, text };
  }
}

/** With a line only where the lines of the text are lines of the file. */
function textPlace(value: Node, text: PlacedLines): TextPlace | undefined {
  const whole = text.lineAt(value.offset);
  if (whole?.file === undefined) return undefined;
  const { file } = whole;
  if (value.kind !== Kind.literal) return { file };
  const start = firstTextInLiteral(value);
  const first = text.lineAt(start.offset);
  const offsetOf = placesInLiteral(value);
  const isSame = value.text.split("\n").every((line, index) => {
    const at = line.trim() === "" ? undefined : text.lineAt(offsetOf(index + 1, 1));
    return (
      line.trim() === "" || (at?.file === file && at.line === (first?.line ?? 0) + index + 1 - start.line)
    );
  });
  if (!isSame || first?.line === undefined) return { file };
  const { line, column = 1 } = first;
  return { file, line: line - start.line + 1, column };
}
