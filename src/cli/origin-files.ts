// The files that a build was made of: where the text of a data key stands in them. A text counts as found only where it
// is the very same.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Files, TextPlace } from "../explain/places.ts";
import { Holdings } from "../layer/holdings.ts";
import { isText } from "../layer/held.ts";
import { reveal } from "../layer/guarded.ts";
import { decodeStream } from "../wire/decode.ts";
import { childOf, isNode, type Item, listAt, textAt } from "../wire/item.ts";
import { placeOf } from "../wire/place.ts";
import { scalarText } from "../yaml/scalar.ts";
import { childrenOf, isScalar, lineAndColumn } from "../yaml/tape.ts";
import { normalizeText } from "../yaml/text.ts";

/** @param from the directory that names of files are told from */
export function originFiles(from: string): Files {
  const streams = new Map<string, Stream | undefined>();
  return {
    findText(item, key, text) {
      const { file } = placeOf(item);
      if (file === undefined) return undefined;
      if (!streams.has(file)) streams.set(file, readStream(resolve(from, file)));
      const stream = streams.get(file);
      if (stream === undefined) return undefined;
      const wanted = normalized(text);
      return (
        inItem(stream, { item, key, wanted }, file) ??
        inGenerator(stream, { item, key, wanted }, { from, file })
      );
    },
  };
}

/** A file as items. */
export interface Stream {
  readonly bytes: Uint8Array;
  readonly items: readonly Item[];
}

interface Sought {
  readonly item: Item;
  readonly key: string;
  readonly wanted: string;
}

export function readStream(path: string): Stream | undefined {
  const bytes = readBytes(path);
  const envelope = bytes === undefined ? undefined : decodeStream(bytes);
  return bytes === undefined || envelope === undefined || !("items" in envelope)
    ? undefined
    : { bytes: envelope.bytes, items: envelope.items };
}

function readBytes(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Line ends and what stands behind the last line may change on the way. */
function normalized(bytes: Uint8Array): string {
  return Buffer.from(normalizeText(bytes)).toString("latin1").trimEnd();
}

/** The same text under the same key of an item in the file. */
function inItem(
  { bytes, items }: Stream,
  { item, key, wanted }: Sought,
  file: string,
): TextPlace | undefined {
  const holdings = new Holdings();
  for (const each of items.filter(({ kind }) => kind === item.kind)) {
    const text = holdings.textOf(each, key);
    const start = holdings.literalAt(each, key);
    if (start === undefined || !isText(text) || normalized(reveal(text, each)) !== wanted) continue;
    const { line, column } = lineAndColumn(bytes, start.offset);
    return { file, line: line - start.line + 1, column };
  }
  return undefined;
}

/** A file that a generator of a kustomization names for the key, with the same text. */
function inGenerator(
  { items }: Stream,
  { item, key, wanted }: Sought,
  { from, file }: { readonly from: string; readonly file: string },
): TextPlace | undefined {
  const list = item.kind === "Secret" ? "secretGenerator" : "configMapGenerator";
  const root = items[0]?.read();
  if (root === undefined || !isNode(root)) return undefined;
  const named = listAt(root, list).filter((each) => item.name.includes(textAt(each, "name") ?? "?"));
  for (const generator of named) {
    const files = childOf(generator, "files");
    for (const entry of files === undefined ? [] : childrenOf(files)) {
      if (!isScalar(entry)) continue;
      const [, own, path = ""] = /^(?:([^=]*)=)?(.*)$/.exec(scalarText(entry)) ?? [];
      if ((own ?? path.slice(path.lastIndexOf("/") + 1)) !== key) continue;
      const name = join(dirname(file), path);
      const bytes = readBytes(resolve(from, name));
      if (bytes !== undefined && normalized(bytes) === wanted) return { file: name, line: 1, column: 1 };
    }
  }
  return undefined;
}
