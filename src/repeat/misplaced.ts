// Fields that `set` never touches: what an item is, and text that would stand in a mapping it does not belong in.
import type { Step } from "../merge/path.ts";
import { told, type Told } from "./faults.ts";
import type { Entry, FieldSet } from "./model.ts";

/** A fault for a field of a whole item that nobody may set; undefined for all others. */
export function misplaced(
  steps: readonly Step[],
  { path, value }: Pick<FieldSet, "path" | "value">,
  { repeat }: Pick<Entry, "repeat">,
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
  return undefined;
}

/** Keys of a path, for comparison. */
export function keysOf(steps: readonly Step[]): string {
  return steps.map((step) => ("key" in step ? step.key : "[]")).join("/");
}
