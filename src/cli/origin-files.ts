// The files that a build was made of: which file an item is from, by which name, and where in it the text of a data key is.
// A text is found only if the file has exactly the same.
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Files, TextPlace } from "../explain/index.ts";
import {
  annotate,
  childOf,
  childrenOf,
  decodeStream,
  type Edit,
  encode,
  hashSuffix,
  Holdings,
  isLayerItem,
  isNode,
  isSameIn,
  isScalar,
  isText,
  type Item,
  lineAndColumn,
  listAt,
  Mark,
  metadataOf,
  type Node,
  normalizeText,
  placeOf,
  replaceText,
  scalarText,
  textAt,
} from "../core/index.ts";

/** Reads a file, if it is there. */
type Read = (path: string) => Uint8Array | undefined;

/** Finds texts of a build in its files. @param from the directory that names of files start from */
export function originFiles(from: string, read: Read = readBytes): Files {
  const streamOf = streamsIn(from, read);
  return {
    findText(item, key, text) {
      const { file } = placeOf(item);
      const stream = file === undefined ? undefined : streamOf(file);
      if (file === undefined || stream === undefined) return undefined;
      const wanted = { item, key, text: normalized(text) };
      return inItem(stream, wanted, file) ?? inGenerator(stream, wanted, { from, file, read });
    },
  };
}

/** Files as items, each read once. */
function streamsIn(from: string, read: Read): (file: string) => Stream | undefined {
  const streams = new Map<string, Stream | undefined>();
  return (file) => {
    if (!streams.has(file)) streams.set(file, readStream(resolve(from, file), read));
    return streams.get(file);
  };
}

interface SourceOptions {
  readonly userPath: (path: string) => string;
  readonly from: string;
  readonly hasFormerNames: boolean;
}

/**
 * What kustomize built, with two annotations corrected: origins lead from `from` and not from the wrapper, where it was
 * built; and, if it is asked for, an item that kustomize renamed has its former name, as a function in the build sees it.
 * @param userPath the user's file, by the path that kustomize read it by
 */
export function withSources(
  bytes: Uint8Array,
  { userPath, from, hasFormerNames }: SourceOptions,
): Uint8Array {
  const envelope = decodeStream(bytes);
  if (!("items" in envelope)) return bytes;
  const streamOf = streamsIn(from, readBytes);
  const built = new Set(envelope.items.map(({ kind, name }) => `${kind}/${name.replace(hashSuffix, "")}`));
  const edits = envelope.items.flatMap((item): Edit[] => {
    const metadata = metadataOf(item);
    const origin = metadata && childOf(metadata, "annotations");
    const node = origin && childOf(origin, Mark.origin);
    if (node === undefined || !isScalar(node)) return [];
    const seen = originFrom(scalarText(node), userPath, from);
    const former = hasFormerNames ? formerName(item, streamOf(fileOf(seen)), built) : undefined;
    const own = [replaceText(node, seen), ...marksOf(item, former)];
    item.release();
    return own;
  });
  return Buffer.concat(encode(envelope, edits, []));
}

/** A path that does not leave the wrapper is one in a remote repository, and stays as it is. */
function originFrom(origin: string, userPath: (path: string) => string, from: string): string {
  return origin.replace(
    /^(path|configuredIn): (\.\.\/.+)$/m,
    (_, field: string, path: string) => `${field}: ${relative(from, userPath(path))}`,
  );
}

function fileOf(origin: string): string {
  return /^(?:path|configuredIn): (.+)$/m.exec(origin)?.[1] ?? "";
}

/**
 * The name of an item in its file. kustomize only adds to names, so it is part of the item's name. If several names are, the
 * one that counts has a prefix and a suffix with which all names in the file are built; if that leaves several, none is taken.
 * @param built kinds and names of what was built, without hashes
 */
function formerName(
  { apiVersion, kind, name }: Item,
  stream: Stream | undefined,
  built: ReadonlySet<string>,
): string | undefined {
  if (stream === undefined) return undefined;
  const items = stream.items.filter((each) => each.kind === kind && each.apiVersion === apiVersion);
  const generated = generatorsIn(stream, kind).flatMap((each) => textAt(each, "name") ?? []);
  const names = [...new Set([...items.map((each) => each.name), ...generated])];
  const parts = names.filter((each) => each !== "" && name.includes(each));
  const isShared = (part: string): boolean => {
    const { prefix, suffix } = addedTo(part, name);
    return names.every((each) => built.has(`${kind}/${prefix}${each}${suffix}`));
  };
  const [only, second] = parts.length < 2 ? parts : parts.filter(isShared);
  return second === undefined ? only : undefined;
}

function addedTo(former: string, name: string): { readonly prefix: string; readonly suffix: string } {
  const at = name.indexOf(former);
  return { prefix: name.slice(0, at), suffix: name.slice(at + former.length).replace(hashSuffix, "") };
}

/** What kustomize annotates for functions, and removes from its output. */
function marksOf(item: Item, former: string | undefined): Edit[] {
  const { name, namespace = "default" } = item;
  if (former === undefined || former === name) return [];
  const { prefix, suffix } = addedTo(former, name);
  return annotate(item, {
    [Mark.previousNames]: former,
    [Mark.previousNamespaces]: namespace,
    [Mark.prefixes]: prefix,
    [Mark.suffixes]: suffix,
    [Mark.kustomizeId]: "1",
  });
}

/** A file as items. */
interface Stream {
  readonly bytes: Uint8Array;
  readonly items: readonly Item[];
}

interface Wanted {
  readonly item: Item;
  readonly key: string;
  readonly text: string;
}

/** The same for files that will be removed: all that it may read is read now. @param input what was built of them */
export function keptOriginFiles(from: string, input: Uint8Array): Files {
  const kept = new Map<string, Uint8Array | undefined>();
  const keep = (path: string): Uint8Array | undefined => {
    if (!kept.has(path)) kept.set(path, readBytes(path));
    return kept.get(path);
  };
  const built = decodeStream(input);
  const items = "items" in built ? built.items.filter(isLayerItem) : [];
  for (const file of new Set(items.flatMap((item) => placeOf(item).file ?? []))) {
    const stream = readStream(resolve(from, file), keep);
    for (const generator of [...generatorsIn(stream, "ConfigMap"), ...generatorsIn(stream, "Secret")])
      for (const { path } of filesOf(generator)) keep(resolve(from, join(dirname(file), path)));
  }
  return originFiles(from, (path) => kept.get(path));
}

function readStream(path: string, read: Read): Stream | undefined {
  const bytes = read(path);
  const envelope = bytes === undefined ? undefined : decodeStream(bytes);
  return envelope !== undefined && "items" in envelope ? envelope : undefined;
}

function readBytes(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Line ends, and white space at the end, may change in a build. */
function normalized(bytes: Uint8Array): string {
  return Buffer.from(normalizeText(bytes)).toString("latin1").trimEnd();
}

/** The same text with the same key, of an item in the file. */
function inItem({ bytes, items }: Stream, { item, key, text }: Wanted, file: string): TextPlace | undefined {
  const holdings = new Holdings();
  for (const each of items.filter(({ kind }) => kind === item.kind)) {
    const own = holdings.textOf(each, key);
    const start = holdings.literalAt(each, key);
    if (start === undefined || !isText(own) || !isSameIn(normalized, own, text)) continue;
    const { line, column } = lineAndColumn(bytes, start.offset);
    return { file, line: line - start.line + 1, column };
  }
  return undefined;
}

/** A file that a generator in a kustomization names for the key, with the same text. */
function inGenerator(
  stream: Stream,
  { item, key, text }: Wanted,
  { from, file, read }: { readonly from: string; readonly file: string; readonly read: Read },
): TextPlace | undefined {
  const own = generatorsIn(stream, item.kind).filter((each) =>
    item.name.includes(textAt(each, "name") ?? "?"),
  );
  for (const { path } of own.flatMap(filesOf).filter((each) => each.key === key)) {
    const name = join(dirname(file), path);
    const bytes = read(resolve(from, name));
    if (bytes !== undefined && normalized(bytes) === text) return { file: name, line: 1, column: 1 };
  }
  return undefined;
}

/** The generators of ConfigMaps or Secrets in a kustomization; none in any other file. */
function generatorsIn(stream: Stream | undefined, kind: string): readonly Node[] {
  const root = stream?.items[0]?.read();
  if (root === undefined || !isNode(root)) return [];
  if (kind === "ConfigMap") return listAt(root, "configMapGenerator");
  return kind === "Secret" ? listAt(root, "secretGenerator") : [];
}

/** The files of a generator, by data key: `values=prod.yaml`, or a path of which the last part is the key. */
function filesOf(generator: Node): { readonly key: string; readonly path: string }[] {
  const files = childOf(generator, "files");
  const entries = files === undefined ? [] : childrenOf(files).filter((entry) => isScalar(entry));
  return entries.map((entry) => {
    const [, own, path = ""] = /^(?:([^=]*)=)?(.*)$/.exec(scalarText(entry)) ?? [];
    return { key: own ?? path.slice(path.lastIndexOf("/") + 1), path };
  });
}
