// What the page calls things.
import type { ExplainedLayer, LayerReason, LayerState, Place } from "../../../explanation.ts";

interface NamedTarget {
  readonly build?: string | undefined;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** `App/org/shop`; with its build where there are several. */
export function titleOf({ build, kind, namespace, name }: NamedTarget): string {
  const title = [kind, namespace, name].filter((part) => part !== undefined).join("/");
  return build === undefined ? title : `${build}: ${title}`;
}

/** A layer by its name, or by why it is there. */
export function nameOf(layer: Pick<ExplainedLayer, "name" | "why">): string {
  if (layer.name !== undefined) return layer.name;
  switch (layer.why) {
    case "own":
      return "the target's own values";
    case "patch":
      return "a patch";
    case "catalog":
      return "the catalog's values";
    case "platform":
      return "the platform's values";
    case "parameter":
      return "parameters";
    case "chart":
      return "the chart's defaults";
    case "reference":
    case "annotation":
    case "label":
    case "file":
      return "a layer without a name";
  }
}

export function whyOf({ why, slot }: Pick<ExplainedLayer, "why" | "slot">): string {
  if (slot !== undefined) return why === "reference" ? slot : `${wordFor[why]}, ${slot}`;
  return wordFor[why];
}

const wordFor: Readonly<Record<LayerReason, string>> = {
  reference: "referenced",
  annotation: "annotation",
  label: "label",
  own: "in the target",
  patch: "patches the target",
  catalog: "bound by its catalog",
  platform: "bound by the platform",
  file: "values file",
  parameter: "parameters",
  chart: "the chart's defaults",
};

/** What is special about a layer; nothing is about one that is folded. */
export const stateTexts: Readonly<Record<LayerState, { name: string; meaning: string } | undefined>> = {
  folded: undefined,
  apart: { name: "not folded", meaning: "stays a layer of its own: its consumer merges it" },
  late: { name: "late", meaning: "not in the list: the cluster binds it" },
  unseen: { name: "unseen", meaning: "its values are unknown" },
  sealed: { name: "encrypted", meaning: "was not decrypted" },
  unreadable: { name: "unreadable", meaning: "is in the list, and cannot be read" },
};

/** Most layers hold their values there, so it says nothing. */
export function isUsualKey(key: string | undefined): boolean {
  return key === undefined || key === "values.yaml" || key === "values";
}

/** `file:line:column`; a place in a layer's text starts with the layer. */
export function placeText(at: Place | undefined, layer?: NamedTarget & { readonly key?: string }): string {
  if (at === undefined) return "";
  const owner = [[layer?.kind, layer?.name].filter(Boolean).join("/"), layer?.key].filter(Boolean).join(" ");
  const start = {
    file: [at.file],
    text: [at.file, owner === "" ? "text" : owner],
  }[at.of];
  const where = [start.filter(Boolean).join(" "), at.line, at.column].filter((part) => part !== undefined);
  return [where.join(":"), at.key].filter((part) => part !== undefined).join(" ");
}

/** `1 value`, `2 values` */
export function count(number: number, noun: string): string {
  // Commas cost as much as all else of a cell.
  const digits = number < 1000 ? `${number}` : number.toLocaleString("en");
  return `${digits} ${noun}${number === 1 ? "" : "s"}`;
}
