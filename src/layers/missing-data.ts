// A layer that holds no data at all, though it names a target: a misspelt or misplaced field would count as an empty layer,
// and its values would be lost. `data: {}` and `data:` are empty layers.
import { type Diagnostic, nearest } from "../diagnostic.ts";
import { isNode, type Item, atItem } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";

/** Undefined for an item that has one of the fields, or that cannot be read. */
export function missingData(item: Item): Diagnostic | undefined {
  const root = item.read();
  if (!isNode(root) || fieldsOf(item).some((field) => root.get(field) !== undefined)) return undefined;
  return {
    code: "layer-unreadable",
    severity: "error",
    ...atItem(item),
    message: `the ${item.kind} has no \`data\`, so the layer has no values`,
    hint: cureFor(item, root),
  };
}

function fieldsOf({ kind }: Item): readonly string[] {
  return kind === "Secret" ? ["data", "stringData", "binaryData"] : ["data", "binaryData"];
}

const knownFields: readonly string[] = ["apiVersion", "kind", "metadata", "immutable", "type", "sops"];

function cureFor(item: Item, root: Node): string {
  const metadata = root.get("metadata");
  if (metadata !== undefined && metadata.get("data") !== undefined)
    return "`data` is indented below `metadata`: move it to the left";
  const fields = fieldsOf(item).filter((field) => field !== "binaryData");
  const others = root.isMapping ? root.children().map((each) => each.keyText) : [];
  for (const other of others.filter((each) => !knownFields.includes(each))) {
    const near =
      fields.find((field) => field.toLowerCase() === other.toLowerCase()) ?? nearest(other, fields);
    if (near !== undefined) return `\`${other}\` is not a field of a ${item.kind}: write \`${near}\``;
    if (other === "stringData") return "a ConfigMap has no `stringData`: write `data`";
  }
  return "write the values under `data`; `data: {}` is an empty layer";
}
