// Fields that `set` never touches: what an item is, and text that would stand in a mapping it does not belong in.
import type { Step } from "../merge/path.ts";
import { isFromBase64 } from "./conversions.ts";
import { told, type Told } from "./faults.ts";
import type { Entry, FieldSet } from "./model.ts";

/** A fault for a field of a whole item that nobody may set; undefined for all others. */
export function misplaced(
  steps: readonly Step[],
  { path, value }: Pick<FieldSet, "path" | "value">,
  { repeat, kind }: Pick<Entry, "repeat" | "kind">,
): Told | undefined {
  const where = { repeat, ...value };
  // By its kind it is decided where secrets may go, and by its metadata whose clone it is.
  if (["kind", "apiVersion", "metadata"].includes(keysOf(steps)))
    return told(
      "repeat-path",
      where,
      `\`${path}\` says what the clone is, and stays as its template has it`,
      "clone a template of that kind; set fields of `metadata` one by one, e.g. `metadata.labels.a`",
    );
  const [first = "", second = ""] = keysOf(steps).split("/");
  const isOwnText = kind === "ConfigMap" || kind === "Secret";
  const depth =
    first === "metadata" && (second === "labels" || second === "annotations")
      ? 2
      : isOwnText && texts.includes(first)
        ? 1
        : undefined;
  if (depth !== undefined && steps.length > depth + 1)
    return told(
      "repeat-path",
      where,
      `\`${path}\` leads into a text: dots part keys`,
      `write \`${steps.slice(0, depth).map(nameOf).join(".")}[${JSON.stringify(steps.slice(depth).map(nameOf).join("."))}]\``,
    );
  if (kind === "Secret" && first === "data" && !(steps.length === 2 && isFromBase64(value)))
    return told(
      "repeat-path",
      where,
      "`data` of a Secret takes base64, and this value does not say that it is base64",
      'write `stringData` for `data`; or, if the value is base64, set it as `"{value|fromBase64}"`',
    );
  return undefined;
}

const texts: readonly string[] = ["data", "stringData", "binaryData"];

function nameOf(step: Step): string {
  return "key" in step ? step.key : "inList" in step ? `[${step.inList}]` : "*";
}

/** Keys of a path, for comparison. */
export function keysOf(steps: readonly Step[]): string {
  return steps.map((step) => ("key" in step ? step.key : "[]")).join("/");
}
