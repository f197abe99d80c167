// The settings of a run without any: most runs then load no schema. A test compares them with the schema.
import { appKind } from "../kinds.ts";
import { textAt } from "../wire/item.ts";
import { hasKey } from "../yaml/key.ts";
import { isNull } from "../yaml/resolve.ts";
import { childrenOf, isScalar, type Node, valueOf } from "../yaml/tape.ts";
import type { Settings } from "./settings.ts";

export const ownKind = "ValueFold";
export const ownApiVersion = "valuefold.dev/v1alpha1";

export const defaultSettings: Settings = {
  app: { unseen: [...appKind.unseen] },
  onTie: "listOrder",
  verify: { only: false, strict: false, unfolded: false },
  output: { name: "{name}-folded", hashSuffix: "auto" },
};

/** True if a function config sets nothing: there is no config, or one of ours with no more than a head. */
export function setsNothing(config: Node | undefined): boolean {
  if (config === undefined || isNothing(config)) return true;
  const isOwn = textAt(config, "kind") === ownKind && textAt(config, "apiVersion") === ownApiVersion;
  return isOwn && childrenOf(valueOf(config)).every((entry) => head.some((key) => hasKey(entry, key)));
}

/** True for an empty text, and for null. */
export function isNothing(config: Node): boolean {
  const value = valueOf(config);
  return isScalar(value) && isNull(value);
}

const head = ["apiVersion", "kind", "metadata"];
