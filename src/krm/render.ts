// Text of a new ConfigMap or Secret, in the form of its surroundings.
import { doubleQuote, isLiteralSafe, quote, quoteReadably } from "../yaml/index.ts";
import type { Embedding } from "./envelope.ts";
import { literalBlock } from "./literal.ts";

export interface NewItem {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  readonly namespace: string | undefined;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  readonly dataKey: string;
  readonly text: Uint8Array;
  /** For a Secret: in `stringData`, as text. */
  readonly unencoded: boolean;
  /** For a Secret with text that is sealed already: its SOPS metadata. */
  readonly sops?: object;
}

/** @param place before another item (with the separator between them), or instead of an item */
export function renderItem(item: NewItem, embedding: Embedding, place: "before" | "instead"): Buffer {
  const before = place === "before";
  if (embedding.type === "flow")
    return Buffer.from(`${JSON.stringify(asObject(item))}${before ? ", " : ""}`, "utf8");
  if (embedding.type === "block") {
    const pad = " ".repeat(embedding.column);
    const rest = headLines(item).map((line) => `${pad}  ${line}\n`);
    const head = `- apiVersion: v1\n${rest.join("")}`;
    return withData(head, item, `${pad}  `, before ? pad : "");
  }
  const lead = embedding.inline ? "\n" : "";
  const head = `${lead}apiVersion: v1\n${headLines(item).join("\n")}\n`;
  return withData(head, item, "", before ? `---${embedding.inline ? "" : "\n"}` : "");
}

/** The text of an item: the lines before its value, the value and its key, and the lines after it. */
function withData(head: string, item: NewItem, pad: string, tail: string): Buffer {
  const key = `${pad}  ${quote(item.dataKey)}:`;
  const rest = `${sopsLines(item)
    .map((line) => `${pad}${line}\n`)
    .join("")}${tail}`;
  if (item.text.length === 0) return Buffer.from(`${head}${key} ""\n${rest}`, "utf8");
  const isOneWord = item.sops !== undefined || (item.kind === "Secret" && !item.unencoded);
  const around = { before: `${head}${key} `, after: rest };
  const block = isOneWord ? undefined : literalBlock(item.text, pad.length + 4, around);
  if (block !== undefined) return block;
  const text = dataText(item);
  const lines = isOneWord ? [`${key} ${text}`] : textLines(key, text, `${pad}    `);
  return Buffer.from(`${head}${lines.join("\n")}\n${rest}`, "utf8");
}

function asObject(item: NewItem): object {
  const { kind, name, namespace, labels, annotations, dataKey, sops } = item;
  const placed = namespace === undefined ? {} : { namespace };
  const labelled = labels.size === 0 ? {} : { labels: Object.fromEntries(labels) };
  const metadata = { name, ...placed, ...labelled, annotations: Object.fromEntries(annotations) };
  const sealed = sops === undefined ? {} : { sops };
  return { apiVersion: "v1", kind, metadata, [partOf(item)]: { [dataKey]: dataText(item) }, ...sealed };
}

/** The lines of an item between its apiVersion and its data. */
function headLines(item: NewItem): string[] {
  const { kind, name, namespace, labels, annotations } = item;
  return [
    `kind: ${kind}`,
    "metadata:",
    `  name: ${quote(name)}`,
    ...(namespace === undefined ? [] : [`  namespace: ${quote(namespace)}`]),
    ...entries("labels", labels),
    ...entries("annotations", annotations),
    `${partOf(item)}:`,
  ];
}

function sopsLines({ sops }: NewItem): string[] {
  return sops === undefined ? [] : ["sops:", ...nestedLines(sops, "  ")];
}

/** Nested mappings and lists of scalars as block lines. */
function nestedLines(value: object, pad: string): string[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (Array.isArray(inner) && inner.length > 0)
      return [`${pad}${quote(key)}:`, ...inner.flatMap((item: unknown) => itemLines(item, pad))];
    if (isFilled(inner)) return [`${pad}${quote(key)}:`, ...nestedLines(inner, `${pad}  `)];
    return [`${pad}${quote(key)}: ${scalarLine(inner)}`];
  });
}

function itemLines(item: unknown, pad: string): string[] {
  if (!isFilled(item)) return [`${pad}- ${scalarLine(item)}`];
  return nestedLines(item, `${pad}  `).map((line, index) =>
    index === 0 ? `${pad}- ${line.slice(pad.length + 2)}` : line,
  );
}

function isFilled(value: unknown): value is object {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  );
}

function scalarLine(value: unknown): string {
  return typeof value === "string" ? quote(value) : JSON.stringify(value);
}

function entries(title: string, map: ReadonlyMap<string, string>): string[] {
  if (map.size === 0) return [];
  return [`  ${title}:`, ...[...map].map(([key, value]) => `    ${quote(key)}: ${quoteReadably(value)}`)];
}

function partOf({ kind, unencoded }: NewItem): "data" | "stringData" {
  return kind === "Secret" && unencoded ? "stringData" : "data";
}

function dataText(item: NewItem): string {
  const { buffer, byteOffset, length } = item.text;
  const encoded = item.kind === "Secret" && !item.unencoded && item.sops === undefined;
  return Buffer.from(buffer, byteOffset, length).toString(encoded ? "base64" : "utf8");
}

/** Text that is not plain ASCII, or is easier to read in quotes. */
function textLines(key: string, text: string, pad: string): string[] {
  if (!isLiteralSafe(text)) return [`${key} ${doubleQuote(text)}`];
  const end = text.slice(text.trimEnd().length);
  const isBlankAtEnd = end.endsWith("\n") && end.indexOf("\n") < end.length - 1;
  const header = `|${/^\n*[ \t]/.test(text) ? "2" : ""}${isBlankAtEnd ? "+" : ""}`;
  const lines = text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => (line === "" ? "" : pad + line));
  return [`${key} ${header}`, ...lines];
}
