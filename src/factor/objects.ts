// Values in objects of a build: data keys of ConfigMaps, and the inline values of HelmReleases. Secrets are counted, and not read.
import {
  decodeStream,
  hashSuffix,
  helmReleaseKind,
  isNode,
  isSopsFile,
  isMapping,
  childOf,
  type Item,
  keyText,
  type Node,
  childrenOf,
  isScalar,
  readValues,
  scalarText,
  standalone,
  textOf,
  usualDataKeys,
  valueOf,
} from "../core/index.ts";
import type { Source } from "./factor.ts";
import { formatOf } from "./prove.ts";

/** Kinds of objects that have values themselves. */
export type ValuesKind = "ConfigMap" | typeof inlineKind;

const inlineKind = helmReleaseKind.kind;

/** One object that several builds have. */
export interface SharedObject {
  readonly kind: ValuesKind;
  readonly name: string;
  /** The data key that has the values; none where the values are inline. */
  readonly dataKey: string | undefined;
  /** Named as their builds are. */
  readonly sources: readonly Source[];
}

export interface Build {
  readonly name: string;
  readonly input: Uint8Array;
}

interface ObjectsFound {
  readonly objects: readonly SharedObject[];
  /** How many Secrets the builds have. */
  readonly secrets: number;
}

/** Objects with values that two builds or more have, by kind and name; a hash at the end of the name is no part of it. */
export function sharedObjects(builds: readonly Build[]): ObjectsFound {
  const found = new Map<string, SharedObject & { readonly sources: Source[] }>();
  let secrets = 0;
  for (const { name, input } of builds) {
    const envelope = decodeStream(input);
    const items = "items" in envelope ? envelope.items : [];
    secrets += items.filter(({ kind }) => kind === "Secret").length;
    for (const { item, dataKey, bytes } of items.flatMap(valuesIn)) {
      const own = item.kind === inlineKind ? item.name : item.name.replace(hashSuffix, "");
      const key = `${item.kind}/${own} ${dataKey}`;
      const kind = item.kind as ValuesKind;
      const known = found.get(key) ?? { kind, name: own, dataKey, sources: [] };
      const { root, notes } = readValues(bytes, formatOf(kind === "ConfigMap"));
      if (root === undefined || notes.some(({ code }) => code === "several-documents")) continue;
      known.sources.push({ name, bytes, root });
      found.set(key, known);
    }
  }
  return { objects: [...found.values()].filter(({ sources }) => isShared(sources)), secrets };
}

/** A build with two objects of one name in two namespaces does not say which of them is meant. */
function isShared(sources: readonly Source[]): boolean {
  return sources.length > 1 && new Set(sources.map(({ name }) => name)).size === sources.length;
}

interface ItemValues {
  readonly item: Item;
  readonly dataKey: string | undefined;
  readonly bytes: Uint8Array;
}

function valuesIn(item: Item): readonly ItemValues[] {
  const root = item.kind === "ConfigMap" || item.kind === inlineKind ? item.read() : undefined;
  if (root === undefined || !isNode(root)) return [];
  const found = item.kind === "ConfigMap" ? dataIn(root) : inlineIn(root);
  return found === undefined || isSopsFile(found.bytes) ? [] : [{ item, ...found }];
}

/** The only data key, else one with a usual name. */
function dataIn(root: Node): Omit<ItemValues, "item"> | undefined {
  const entries = childrenOf(childOf(root, "data") ?? root);
  const usual = usualDataKeys.flatMap((key) => entries.find((entry) => keyText(entry) === key) ?? []);
  const [entry] = entries.length === 1 ? entries : usual;
  if (childOf(root, "data") === undefined || entry === undefined || !isScalar(valueOf(entry)))
    return undefined;
  return { dataKey: keyText(entry), bytes: Buffer.from(scalarText(valueOf(entry)), "utf8") };
}

function inlineIn(root: Node): Omit<ItemValues, "item"> | undefined {
  const values = childOf(childOf(root, "spec") ?? root, "values");
  const own = values !== undefined && isMapping(values) ? standalone(values) : undefined;
  return own === undefined
    ? undefined
    : { dataKey: undefined, bytes: Buffer.from(textOf(own.doc), "latin1") };
}
