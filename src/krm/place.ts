// The position of an item, for messages: its name, its file if the orchestrator annotates one, and its offset in the input,
// from which the edge finds file and line.
import type { ItemRef, Position } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import { Mark } from "./annotation-names.ts";
import { isNode, type Item, type Named, refOf } from "./item.ts";

/** A component is not an item and has no position. */
export function placeOf(item: Item | Named): Position {
  const file = fileOf(item);
  return {
    text: objectText(item),
    ...(file === undefined ? {} : { file }),
    ...("start" in item ? { offset: item.start } : {}),
  };
}

/** What a diagnostic says of the item that it is about. */
export function atItem(item: Item | Named): { readonly item: ItemRef; readonly at: Position } {
  return { item: refOf(item), at: placeOf(item) };
}

/** The file an item came from: kpt's path, or what kustomize writes with `buildMetadata: [originAnnotations]`. */
function fileOf(item: Item | Named): string | undefined {
  const { file } = refOf(item);
  if (file !== undefined || !item.annotations.has(Mark.origin) || !("read" in item)) return file;
  // For a generated item only the kustomization is known.
  const origin = originOf(item);
  return /^(?:path|configuredIn): (.+)$/m.exec(origin)?.[1];
}

/** The annotation has several lines, which a peek at the item leaves out. */
function originOf(item: Item): string {
  const root = item.read();
  const metadata = isNode(root) ? root.get("metadata") : undefined;
  const annotations = metadata?.get("annotations");
  const value = annotations?.get(Mark.origin);
  return value !== undefined && value.isScalar ? value.text : "";
}
