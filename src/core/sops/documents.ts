// Which documents in an item SOPS has sealed, the formats in which Flux would read and write them, and the values of an
// opened manifest. Pure: opening itself is an effect (program.ts). Flux: kustomize-controller's decryptor.
import type { SealedText } from "./need.ts";
import {
  requestToOpen,
  isText,
  decodeBase64,
  type Holdings,
  type OpenedKey,
  labelOf,
} from "../../layers/index.ts";
import { Mark, type Item } from "../../krm/index.ts";

/** A sealed text, and the item it is from. */
export interface SealedDocument extends SealedText {
  readonly item: Item;
  /** Its data key; undefined for a whole manifest. */
  readonly key: string | undefined;
}

/** Sealed documents of a Secret: itself, or its data values. A sealed ConfigMap is never opened. */
export function sealedDocumentsOf(item: Item, mac: "auto" | "strict", holdings: Holdings): SealedDocument[] {
  if (item.kind !== "Secret" || isNeverDecrypted(item)) return [];
  if (holdings.isManifestSealed(item)) return [manifestOf(item, mac)];
  return holdings.keysOf(item).flatMap((key) => valueDocument(item, key, holdings));
}

/** Flux passes such a Secret on as it is, so no other program may open it, either. */
function isNeverDecrypted(item: Item): boolean {
  const marks = [item.annotations.get(Mark.decrypt), labelOf(item, Mark.decrypt)];
  return marks.some((mark) => mark?.toLowerCase() === "disabled");
}

/**
 * kustomize and kpt reorder keys and add some, so a manifest's MAC cannot be valid; each value stays authenticated
 * with its path. Manifests that valuefold sealed are read without one, too.
 */
function manifestOf(item: Item, mac: "auto" | "strict"): SealedDocument {
  const verified = mac === "strict" && !item.annotations.has(Mark.foldedFrom);
  return { item, key: undefined, text: standaloneText(item), input: "yaml", output: "json", verified };
}

/** The item's text as a document of its own: without its dash and its column. */
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
function valueDocument(item: Item, key: string, holdings: Holdings): SealedDocument[] {
  const text = holdings.textOf(item, key);
  // Flux decrypts values in `data`, and never `stringData`.
  if (!isText(text) || !text.isUtf8() || !holdings.isEncoded(item, key)) return [];
  if (!holdings.isSealed(item, key)) return [];
  const bytes = requestToOpen(text);
  const isJson = jsonMarker.test(Buffer.from(bytes).toString("latin1"));
  const output = /\.ya?ml$/.test(key) ? "yaml" : key.endsWith(".json") ? "json" : "binary";
  const input = isJson ? (output === "binary" ? "binary" : "json") : "yaml";
  return [{ item, key, text: bytes, input, output, verified: true }];
}

/** Reads the JSON that sops made of a manifest; undefined for other text. Never throws: a message would quote it. */
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
      const encoded = part === "data";
      const text = bytesOf(value ?? "", encoded);
      if (text === undefined) return undefined;
      keys.set(key, { text, encoded });
    }
  }
  return keys;
}

function bytesOf(value: unknown, encoded: boolean): Uint8Array | undefined {
  if (typeof value !== "string") return undefined;
  return encoded ? decodeBase64(value) : Buffer.from(value, "utf8");
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
