// Shortcuts for tests: text in, explanation and its views out; and what single layers hold, read by another library.
import { parse, parseAllDocuments } from "yaml";
import { type Explained, explaining } from "../../src/explain/explain.ts";
import type { ExplainCall } from "../../src/explain/explainer.ts";
import type { ExplainedLayer, Explanation } from "../../src/explanation.ts";
import { unsupplied } from "../../src/core/fold.ts";
import { messagesOf } from "./fold.ts";

export function explainText(
  input: string | Uint8Array,
  config?: string,
  asked: Partial<ExplainCall> = {},
): Explained {
  return unsupplied(
    explaining({
      input: typeof input === "string" ? Buffer.from(input, "utf8") : input,
      form: "stream",
      ...(config === undefined ? {} : { config: Buffer.from(config, "utf8") }),
      ...asked,
    }),
  );
}

export function explanationOf(input: string, config?: string): Explanation {
  const { explanation, outcome } = explainText(input, config);
  if (explanation === undefined) throw new Error(messagesOf(outcome));
  return explanation;
}

export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: { readonly [key: string]: string };
  readonly stringData?: { readonly [key: string]: string };
  readonly spec?: {
    readonly values?: object;
    readonly valuesFrom?: readonly { readonly name: string; readonly literal?: boolean }[];
  };
}

export function manifestsOf(stream: string): Manifest[] {
  return parseAllDocuments(stream).map((document) => document.toJS() as Manifest);
}

/** As a consumer reads it, near enough: YAML 1.1, no numbers beyond doubles. */
export function meaning(text: string): unknown {
  return (
    parse(text, {
      version: "1.1",
      merge: true,
      uniqueKeys: false,
      logLevel: "silent",
      // Dates are text to every consumer.
      customTags: (tags) => tags.filter((tag) => typeof tag === "string" || !tag.tag.endsWith(":timestamp")),
    }) ?? {}
  );
}

/** What a layer of an explanation holds; undefined for a value at a path that needs Helm's grammar. */
export function valuesOfLayer(
  layer: ExplainedLayer,
  manifests: readonly Manifest[],
  target: { readonly kind: string; readonly name: string },
): unknown {
  if (layer.slot === "spec.values") return named(manifests, target)?.spec?.values;
  const found = manifests.find(
    ({ kind, metadata }) =>
      kind === layer.kind && metadata.name === layer.name && metadata.namespace === layer.namespace,
  );
  const texts = {
    ...(found?.kind === "Secret"
      ? Object.fromEntries(Object.entries(found.data ?? {}).map(([key, text]) => [key, decoded(text)]))
      : found?.data),
    ...found?.stringData,
  };
  if (layer.why === "label") return nested(texts);
  if (layer.setsPath === undefined) return meaning(texts[layer.key ?? ""] ?? "");
  return valueAtPath(layer, texts[layer.key ?? "values.yaml"] ?? "", named(manifests, target));
}

function valueAtPath(
  { setsPath: path = "", slot = "" }: ExplainedLayer,
  text: string,
  target: Manifest | undefined,
): unknown {
  const index = Number(/\d+/.exec(slot)?.[0]);
  const isLiteral = target?.spec?.valuesFrom?.[index]?.literal === true;
  const isPlain = /^\w*$/.test(text) && !path.includes("[");
  return isPlain ? nestedAt(path, isLiteral ? text : typedAsHelm(text)) : undefined;
}

/** As `--set` reads it. */
function typedAsHelm(text: string): unknown {
  if (/^(?:0|[1-9]\d*)$/.test(text)) return Number(text);
  const words: { readonly [text: string]: unknown } = { true: true, false: false, null: null };
  return text in words ? words[text] : text;
}

function nestedAt(path: string, value: unknown): unknown {
  return path.split(".").reduceRight((inner, key) => ({ [key]: inner }), value);
}

function named(
  manifests: readonly Manifest[],
  { kind, name }: { readonly kind: string; readonly name: string },
): Manifest | undefined {
  return manifests.find((each) => each.kind === kind && each.metadata.name === name);
}

function decoded(text: string | null): string {
  return Buffer.from(text ?? "", "base64").toString("utf8");
}

/** Kyma's dotted keys. */
function nested(texts: { readonly [key: string]: string }): object {
  const root = {};
  for (const [key, text] of Object.entries(texts)) {
    const path = key.split(".");
    let at: { [key: string]: unknown } = root;
    for (const part of path.slice(0, -1)) at = (at[part] ??= {}) as typeof at;
    at[path.at(-1) ?? ""] = text === "true" ? true : text === "false" ? false : text;
  }
  return root;
}
