// Folds → text of new items. A folded item has the labels all its layers share and no annotation of
// theirs but Flux' own marks; it never takes over an orchestrator's annotation.
import { createHash } from "node:crypto";
import { labelsOf } from "./layers.ts";
import type { Fold, Layer } from "./model.ts";
import { foldedMark } from "./naming.ts";
import type { Setting } from "./wire/envelope.ts";
import { describe } from "./wire/item.ts";
import { doubleQuote, isLiteralSafe, quote } from "./yaml/quote.ts";

const watchLabel = "reconcile.fluxcd.io/watch";
const fluxMarks = ["kustomize.toolkit.fluxcd.io/substitute", "kustomize.toolkit.fluxcd.io/decrypt"];

/** The item before its target, as its surroundings write items. */
export function emitItem(fold: Fold, dataKey: string, setting: Setting): string {
  if (setting.type === "flow") return `${JSON.stringify(asObject(fold, dataKey))}, `;
  const lines = itemLines(fold, dataKey);
  if (setting.type === "block") {
    const pad = " ".repeat(setting.column);
    return `- ${lines.map((line, index) => (index === 0 || line === "" ? line : `${pad}  ${line}`)).join("\n")}\n${pad}`;
  }
  const document = `${lines.join("\n")}\n`;
  return setting.inline ? `\n${document}---` : `${document}---\n`;
}

function asObject(fold: Fold, dataKey: string): object {
  const { labels, annotations } = metadataOf(fold);
  const namespace = fold.namespace === undefined ? {} : { namespace: fold.namespace };
  const labelled = labels.size === 0 ? {} : { labels: Object.fromEntries(labels) };
  const metadata = { name: fold.name, ...namespace, ...labelled, annotations: Object.fromEntries(annotations) };
  return { apiVersion: "v1", kind: fold.stack.kind, metadata, data: { [dataKey]: dataText(fold) } };
}

function itemLines(fold: Fold, dataKey: string): string[] {
  const { labels, annotations } = metadataOf(fold);
  const namespace = fold.namespace === undefined ? [] : [`  namespace: ${quote(fold.namespace)}`];
  const entries = (title: string, map: ReadonlyMap<string, string>): string[] =>
    map.size === 0 ? [] : [`  ${title}:`, ...[...map].map(([key, value]) => `    ${quote(key)}: ${quoteLong(value)}`)];
  return [
    "apiVersion: v1", `kind: ${fold.stack.kind}`, "metadata:", `  name: ${quote(fold.name)}`, ...namespace,
    ...entries("labels", labels), ...entries("annotations", annotations), "data:", ...dataLines(dataKey, fold),
  ]; // prettier-ignore
}

/** Text with many double quotes reads better in single ones. */
function quoteLong(text: string): string {
  return text.includes('"') && isLiteralSafe(text) && !text.includes("\n") ? `'${text.replaceAll("'", "''")}'` : quote(text);
}

function dataText({ stack, text }: Fold): string {
  return Buffer.from(text.buffer, text.byteOffset, text.length).toString(stack.kind === "Secret" ? "base64" : "utf8");
}

function dataLines(key: string, fold: Fold): string[] {
  const text = dataText(fold);
  if (fold.stack.kind === "Secret") return [`  ${quote(key)}: ${text}`];
  if (!isLiteralSafe(text)) return [`  ${quote(key)}: ${doubleQuote(text)}`];
  const firstLine = text.split("\n").find((line) => line.trim() !== "") ?? "";
  const header = `|${firstLine.startsWith(" ") ? "2" : ""}${/\n\s*\n$/.test(text) ? "+" : ""}`;
  const lines = text.replace(/\n$/, "").split("\n").map((line) => (line === "" ? "" : `    ${line}`)); // prettier-ignore
  return [`  ${quote(key)}: ${header}`, ...lines];
}

function metadataOf(fold: Fold): { labels: Map<string, string>; annotations: Map<string, string> } {
  const layers = fold.layers.map(({ item }) => labelsOf(item));
  const [first = new Map<string, string>(), ...rest] = layers;
  const labels = new Map([...first].filter(([key, value]) => rest.every((other) => other.get(key) === value)));
  const watch = layers.map((map) => map.get(watchLabel)).find((value) => value !== undefined);
  if (watch !== undefined) labels.set(watchLabel, watch);
  const top = fold.layers[0] as Layer;
  const marks = fluxMarks.flatMap((mark) => [...top.item.annotations].filter(([key]) => key === mark));
  return { labels, annotations: new Map([[foldedMark, record(fold)], ...marks]) };
}

/** What the item was folded from: its target, a digest of its value, and every reference it replaced. */
function record(fold: Fold): string {
  const digest = `sha256:${createHash("sha256").update(fold.text).digest("hex")}`;
  const layers = fold.layers.map(({ item, kind, priority, reference, key }) => ({
    ...(reference === undefined ? {} : { slot: reference.slot }),
    kind, ...(item.namespace === undefined ? {} : { namespace: item.namespace }), name: item.name,
    ...(key === undefined ? {} : { key }), priority,
  })); // prettier-ignore
  return JSON.stringify({ target: describe(fold.stack.target), digest, layers });
}
