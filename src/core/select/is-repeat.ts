// Whether an item is a Repeat: all that a list without one pays for.
import { ownApiVersion } from "../config/defaults.ts";
import type { Named } from "../wire/item.ts";

export function isRepeat({ kind, apiVersion }: Pick<Named, "kind" | "apiVersion">): boolean {
  return kind === "Repeat" && apiVersion === ownApiVersion;
}
