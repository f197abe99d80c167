// The settings of a run without any: most runs then load no schema. A test compares them with the schema.
import { appKind } from "../kinds.ts";
import { hasKey, type Node } from "../yaml/index.ts";
import type { Settings } from "./settings.ts";

export const ownKind = "ValueFold";
export const ownApiVersion = "valuefold.dev/v1alpha1";
/** The file with the settings of a checkout, at its top. */
export const checkoutFile = ".valuefold.yaml";

export const defaultSettings: Settings = {
  app: { unseen: [...appKind.unseen] },
  onTie: "listOrder",
  verify: { only: false, strict: false, unfolded: false },
  output: { name: "{name}-folded", hashSuffix: "auto" },
};

/** True if a function config sets nothing: there is no config, or one of ours with no more than a head. */
export function setsNothing(config: Node | undefined): boolean {
  if (config === undefined || isNothing(config)) return true;
  const isOwn = config.textAt("kind") === ownKind && config.textAt("apiVersion") === ownApiVersion;
  return isOwn && config.value.children().every((entry) => head.some((key) => hasKey(entry, key)));
}

/** True for an empty text, and for null. */
export function isNothing(config: Node): boolean {
  const value = config.value;
  return value.isScalar && value.isNull;
}

const head = ["apiVersion", "kind", "metadata"];
