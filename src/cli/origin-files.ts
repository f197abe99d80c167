// The files that a build was made of: where the text of a data key stands in them. A text counts as found only where it
// is the very same.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Files, TextPlace } from "../explain/index.ts";
import {
  childOf,
  childrenOf,
  decodeStream,
  Holdings,
  isLayerItem,
  isNode,
  isSameIn,
  isScalar,
  isText,
  type Item,
  lineAndColumn,
  listAt,
  type Node,
  normalizeText,
  placeOf,
  scalarText,
  textAt,
} from "../core/index.ts";

/** Reads a file, if it is there. */
type Read = (path: string) => Uint8Array | undefined;

/** @param from the directory that names of files are told from */
export function originFiles(from: string, read: Read = readBytes): Files {
  const streams = new Map<string, Stream | undefined>();
  return {
    findText(item, key, text) {
      const { file } = placeOf(item);
      if (file === undefined) return undefined;
      if (!streams.has(file)) streams.set(file, readStream(resolve(from, file), read));
      const stream = streams.get(file);
      if (stream === undefined) return undefined;
      const wanted = normalized(text);
      return (
        inItem(stream, { item, key, wanted }, file) ??
        inGenerator(stream, { item, key, wanted }, { from, file, read })
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

/** The same once the files are gone: what it may read is read now. @param input what was built of them */
export function keptOriginFiles(from: string, input: Uint8Array): Files {
  const kept = new Map<string, Uint8Array | undefined>();
  const keep = (path: string): Uint8Array | undefined => {
    if (!kept.has(path)) kept.set(path, readBytes(path));
    return kept.get(path);
  };
  const built = decodeStream(input);
  const items = "items" in built ? built.items.filter(isLayerItem) : [];
  for (const file of new Set(items.flatMap((item) => placeOf(item).file ?? []))) {
    const root = readStream(resolve(from, file), keep)?.items[0]?.read();
    if (root === undefined || !isNode(root)) continue;
    for (const generator of generators.flatMap((list) => listAt(root, list)))
      for (const { path } of filesOf(generator)) keep(resolve(from, join(dirname(file), path)));
  }
  return originFiles(from, (path) => kept.get(path));
}

const generators = ["configMapGenerator", "secretGenerator"];

export function readStream(path: string, read: Read = readBytes): Stream | undefined {
  const bytes = read(path);
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
    if (start === undefined || !isText(text) || !isSameIn(normalized, text, wanted)) continue;
    const { line, column } = lineAndColumn(bytes, start.offset);
    return { file, line: line - start.line + 1, column };
  }
  return undefined;
}

/** A file that a generator of a kustomization names for the key, with the same text. */
function inGenerator(
  { items }: Stream,
  { item, key, wanted }: Sought,
  { from, file, read }: { readonly from: string; readonly file: string; readonly read: Read },
): TextPlace | undefined {
  const list = item.kind === "Secret" ? "secretGenerator" : "configMapGenerator";
  const root = items[0]?.read();
  if (root === undefined || !isNode(root)) return undefined;
  const named = listAt(root, list).filter((each) => item.name.includes(textAt(each, "name") ?? "?"));
  for (const { path } of named.flatMap(filesOf).filter((each) => each.key === key)) {
    const name = join(dirname(file), path);
    const bytes = read(resolve(from, name));
    if (bytes !== undefined && normalized(bytes) === wanted) return { file: name, line: 1, column: 1 };
  }
  return undefined;
}

/** What a generator takes from files, by data key. */
function filesOf(generator: Node): { readonly key: string; readonly path: string }[] {
  const files = childOf(generator, "files");
  const entries = files === undefined ? [] : childrenOf(files).filter((entry) => isScalar(entry));
  return entries.map((entry) => {
    const [, own, path = ""] = /^(?:([^=]*)=)?(.*)$/.exec(scalarText(entry)) ?? [];
    return { key: own ?? path.slice(path.lastIndexOf("/") + 1), path };
  });
}
