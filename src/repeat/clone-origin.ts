// What a clone records: which Repeat made it, of which template, for which instance. `explain` shows it; no run looks for it.
import { type Item, Mark } from "../krm/index.ts";

/** Where a clone comes from. */
export interface CloneOrigin {
  /** Name of the Repeat. */
  readonly repeat: string;
  /** `Kind/name`, as the Repeat spells it. */
  readonly template: string;
  readonly instance: string;
  /** Name of the entry under `each`. */
  readonly item?: string;
  /** `values` for a clone's own top layer. */
  readonly part?: "values";
}

/** `made` is there only if an earlier version made the clone under kpt: a digest of its content. */
export function readCloneOrigin({
  annotations,
}: Pick<Item, "annotations">): (CloneOrigin & { readonly made?: string }) | undefined {
  const found = parsed(annotations.get(Mark.repeatedFrom));
  return isOrigin(found) ? found : undefined;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

function isOrigin(found: unknown): found is CloneOrigin {
  return (
    typeof found === "object" &&
    found !== null &&
    ["repeat", "template", "instance"].every(
      (key) => typeof (found as Record<string, unknown>)[key] === "string",
    )
  );
}
