// Which documents in an item SOPS has sealed, in which formats Flux would read and write them, and what an
// opened manifest says. Pure: opening itself is an effect (sops.ts). Flux: kustomize-controller's decryptor.
import { Mark } from "../wire/annotation-names.ts";
import { isUtf8 } from "node:buffer";
import { dataKeysOf, isEncoded, isManifestSealed, labelsOf } from "../layer/data-keys.ts";
import { isSealed, textOfKey } from "../layer/layers.ts";
import type { Item } from "../wire/item.ts";

type SopsFormat = "yaml" | "json" | "binary";

/** One document, opened by one run of `sops`. */
export interface SealedDocument {
  readonly item: Item;
  /** The data key it stands under; undefined for a whole manifest. */
  readonly key: string | undefined;
  readonly text: Uint8Array;
  readonly input: SopsFormat;
  readonly output: SopsFormat;
  /** Whether its MAC must fit. */
  readonly verified: boolean;
}

/** Sealed documents of a Secret: itself, or its data values. A sealed ConfigMap is never opened. */
export function sealedDocumentsOf(item: Item, mac: "auto" | "strict"): SealedDocument[] {
  if (item.kind !== "Secret" || isNeverDecrypted(item)) return [];
  if (isManifestSealed(item)) return [manifestOf(item, mac)];
  return dataKeysOf(item).flatMap((key) => valueDocument(item, key));
}

/** Flux hands such a Secret on as it is, so nobody else may open it, either. */
function isNeverDecrypted(item: Item): boolean {
  const marks = [item.annotations.get(Mark.decrypt), labelsOf(item).get(Mark.decrypt)];
  return marks.some((mark) => mark?.toLowerCase() === "disabled");
}

/**
 * kustomize and kpt put keys into another order and add some, so a manifest's MAC cannot fit; each value
 * stays authenticated with its path. What valuefold sealed itself it never expects one of.
 */
function manifestOf(item: Item, mac: "auto" | "strict"): SealedDocument {
  const verified = mac === "strict" && !item.annotations.has(Mark.foldedFrom);
  return { item, key: undefined, text: standaloneText(item), input: "yaml", output: "json", verified };
}

/** The item's text as a document of its own: its dash and its column taken away. */
function standaloneText({ bytes, start, end, column }: Item): Uint8Array {
  const lines = Buffer.from(bytes.subarray(start, end)).toString("latin1").split("\n");
  const isDash = column > 0 && /^-(?: |\r?$)/.test(lines[0] ?? "");
  const [first = "", ...rest] = lines;
  const bare = [
    isDash ? first.replace(/^- */, "") : first.trimStart(),
    ...rest.map((line) => outdented(line, column)),
  ];
  return Buffer.from(bare.join("\n"), "latin1");
}

function outdented(line: string, column: number): string {
  return line.slice(Math.min(column, /^ */.exec(line)?.[0].length ?? 0));
}

const jsonMarker = /"mac": ?"ENC\[/;

/** A data value that is a SOPS file: read by its marker, written by its key's name. */
function valueDocument(item: Item, key: string): SealedDocument[] {
  const bytes = textOfKey(item, key);
  // Flux decrypts what stands under `data`, and never `stringData`.
  if (bytes === undefined || !isUtf8(bytes) || !isEncoded(item, key)) return [];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  if (!isSealed({ item, kind: "Secret", priority: 0, key, reference: undefined })) return [];
  const isJson = jsonMarker.test(text);
  const output = /\.ya?ml$/.test(key) ? "yaml" : key.endsWith(".json") ? "json" : "binary";
  const input = isJson ? (output === "binary" ? "binary" : "json") : "yaml";
  return [{ item, key, text: bytes, input, output, verified: true }];
}

/** What an opened manifest holds, by data key: texts decoded, and whether they stand under `data`. */
export interface OpenedKey {
  readonly text: Uint8Array;
  readonly encoded: boolean;
}

/** Reads the JSON that sops made of a manifest; undefined if it is none. Never throws: a message would quote it. */
export function readOpened(json: Uint8Array): ReadonlyMap<string, OpenedKey> | undefined {
  let manifest: unknown;
  try {
    manifest = JSON.parse(Buffer.from(json).toString("utf8"));
  } catch {
    return undefined;
  }
  if (!["data", "stringData"].some((part) => isHeldIn(manifest, part))) return undefined;
  const keys = new Map<string, OpenedKey>();
  for (const part of ["data", "stringData"] as const) {
    for (const [key, value] of Object.entries(partOf(manifest, part)) as [string, unknown][]) {
      const text = value === null ? "" : value;
      const encoded = part === "data";
      if (typeof text !== "string" || (encoded && !isBase64(text))) return undefined;
      keys.set(key, { text: Buffer.from(text, encoded ? "base64" : "utf8"), encoded });
    }
  }
  return keys;
}

function isBase64(text: string): boolean {
  const packed = text.replaceAll(/\s/g, "");
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed) && packed.length % 4 !== 1;
}

function isHeldIn(manifest: unknown, part: string): boolean {
  return typeof manifest === "object" && manifest !== null && part in manifest;
}

function partOf(manifest: unknown, part: "data" | "stringData"): object {
  const found: unknown =
    typeof manifest === "object" && manifest !== null
      ? (manifest as Record<string, unknown>)[part]
      : undefined;
  return typeof found === "object" && found !== null ? found : {};
}
