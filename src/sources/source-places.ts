// Places in what kustomize built → the same in the files that it read: no user knows the lines of a build.
import { bytesToPrint, Holdings, isLayerItem, isText, type LayerItem } from "../layers/index.ts";
import type { Diagnostic, Position } from "../diagnostic.ts";
import type { Place } from "../explanation.ts";
import type { Item } from "../krm/index.ts";
import { objectText } from "../object-id.ts";
import type { TextPlace } from "../explain/index.ts";
import type { Input } from "./entry.ts";
import { itemsIn, nodeIn } from "./items.ts";

/** A line and a column of a text as those of its file. */
function moved({ file, line: first = 1, column: indent = 1 }: TextPlace, line: number, column: number) {
  return { file, line: first + line - 1, column: indent + column - 1 };
}

export function inSources(
  diagnostics: readonly Diagnostic[],
  { input, sources }: Pick<Input, "input" | "sources">,
): readonly Diagnostic[] {
  if (sources === undefined || diagnostics.length === 0) return diagnostics;
  const items = new Map(itemsIn(input).map((item): [string, Item] => [objectText(item), item]));
  const holdings = new Holdings();
  const inFile = (position: Position): Position => {
    const { text, line, column = 1, source, ...rest } = position;
    if (source === undefined || source.file !== undefined) return position;
    const [name = "", key] = text.split(" ");
    const item = layerItem(items.get(name));
    const held = item === undefined || key === undefined ? undefined : holdings.textOf(item, key);
    // The text of a Secret is not looked for: its place stays that of the item.
    const value = held !== undefined && isText(held) ? bytesToPrint(held, false) : undefined;
    const start = item && key && value && sources(item)?.findText(item, key, value);
    const place = { text, ...(line === undefined ? {} : { line, column }), ...rest };
    if (!start || start.line === undefined || line === undefined)
      return rest.file === undefined ? position : place;
    return { ...place, source: moved(start, line, column) };
  };
  const placeOf = (at: Position, field: string | undefined): Position => {
    const item = items.get(at.text);
    const place = item && field !== undefined ? fieldPlace(item, field, sources) : undefined;
    if (at.source?.file !== undefined || place?.file === undefined || place.line === undefined)
      return inFile(at);
    return { text: at.text, source: { file: place.file, line: place.line, column: place.column ?? 1 } };
  };
  return diagnostics.map((each) => ({
    ...each,
    ...(each.at === undefined ? {} : { at: placeOf(each.at, each.field) }),
    ...(each.also === undefined ? {} : { also: each.also.map(inFile) }),
  }));
}

function layerItem(item: Item | undefined): LayerItem | undefined {
  return item !== undefined && isLayerItem(item) ? item : undefined;
}

/** Where a field of an item is written: `spec.valuesFrom[0]`. */
function fieldPlace(item: Item, field: string, sources: NonNullable<Input["sources"]>): Place | undefined {
  if (!/^spec(?:\.\w+|\[\d+\])+$/.test(field)) return undefined;
  const path = field.split(/[.[\]]+/).filter((step) => step !== "");
  const node = nodeIn(item, path);
  return node && sources(item)?.fieldAt?.(item, path, node);
}
