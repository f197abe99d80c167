// Values in objects of a build: data keys of ConfigMaps, and the inline values of HelmReleases. Secrets are counted, and not read.
import { decodeStream, isNode, type Item } from "../krm/index.ts";
import { grouped } from "../grouped.ts";
import { helmReleaseKind, usualDataKeys } from "../kinds.ts";
import { hashless } from "../object-id.ts";
import { isSopsFile, readValues } from "../layers/index.ts";
import { type Node, standalone, textOf } from "../yaml/index.ts";
import type { FactoredFile } from "./factor.ts";
import { formatOf } from "./prove.ts";

/** Kinds of objects that have values themselves. */
export type ValuesKind = "ConfigMap" | typeof inlineKind;

const inlineKind = helmReleaseKind.kind;

/** One object that several builds have. */
export interface SharedObject {
  readonly kind: ValuesKind;
  /** Undefined where it has none, or another one in each build. */
  readonly namespace: string | undefined;
  readonly name: string;
  /** The data key that has the values; none where the values are inline. */
  readonly dataKey: string | undefined;
  /** Named as their builds are. */
  readonly sources: readonly FactoredFile[];
}

export interface BuiltObjects {
  readonly name: string;
  readonly input: Uint8Array;
}

interface ObjectsFound {
  readonly objects: readonly SharedObject[];
  /** How many Secrets the builds have. */
  readonly secrets: number;
  /** Objects with values that cannot be read, as `Kind/name`. */
  readonly unread: readonly string[];
  /** Objects of which no two builds have the same one, as `Kind/name`: their namespaces differ, or a build has two. */
  readonly unpaired: readonly string[];
}

interface ObjectDraft extends SharedObject {
  readonly sources: FactoredFile[];
}

/** Objects with values that two builds or more have, by kind, namespace and name; a hash at the end of the name is no part of it. */
export function sharedObjects(builds: readonly BuiltObjects[]): ObjectsFound {
  const found = new Map<string, ObjectDraft>();
  const unread = new Set<string>();
  let secrets = 0;
  for (const { name: build, input } of builds) {
    const envelope = decodeStream(input);
    const items = "items" in envelope ? envelope.items : [];
    secrets += items.filter(({ kind }) => kind === "Secret").length;
    for (const { object, bytes } of items.flatMap(valuesIn)) {
      const { root, isSound } = rootIn(bytes, object.kind);
      if (!isSound && isOfValues(object)) unread.add(titleOf(object));
      if (root === undefined) continue;
      const key = JSON.stringify(object);
      const known = found.get(key) ?? { ...object, sources: [] };
      found.set(key, known);
      known.sources.push({ name: build, bytes, root });
    }
  }
  const groups = grouped(found.values(), ({ kind, name, dataKey }) => JSON.stringify([kind, name, dataKey]));
  const all = [...groups.values()].map((group) => joined(group, builds));
  return {
    objects: all.flatMap((group) => group.filter(isShared)),
    secrets,
    unread: [...unread],
    unpaired: all.filter(isUnpaired).flatMap(([first]) => (first === undefined ? [] : titleOf(first))),
  };
}

/** Objects of one kind and name are one where no build has two of them: the namespace may follow from the build. */
function joined(group: readonly ObjectDraft[], builds: readonly BuiltObjects[]): readonly ObjectDraft[] {
  const [first, second] = group;
  const sources = group.flatMap((each) => each.sources);
  if (first === undefined || second === undefined || !isPaired(sources)) return group;
  const inOrder = builds.flatMap(({ name }) => sources.filter((source) => source.name === name));
  return [{ ...first, namespace: undefined, sources: inOrder }];
}

/** A build with two objects of one name does not say which of them is meant. */
function isPaired(sources: readonly FactoredFile[]): boolean {
  return buildsOf(sources) === sources.length;
}

function buildsOf(sources: readonly FactoredFile[]): number {
  return new Set(sources.map(({ name }) => name)).size;
}

function isShared({ sources }: SharedObject): boolean {
  return sources.length > 1 && isPaired(sources);
}

/** True if several builds have an object of that name, and none or not all can be paired. */
function isUnpaired(group: readonly ObjectDraft[]): boolean {
  const isInSome = ({ sources }: ObjectDraft): boolean => buildsOf(sources) > 1;
  const lost = group.some((each) => isInSome(each) && !isShared(each));
  return lost || (!group.some(isShared) && buildsOf(group.flatMap(({ sources }) => sources)) > 1);
}

/** An object, and the text of its values. */
interface ItemValues {
  readonly object: Omit<SharedObject, "sources">;
  readonly bytes: Uint8Array;
}

function valuesIn(item: Item): readonly ItemValues[] {
  const { kind, namespace, name } = item;
  const root = kind === "ConfigMap" || kind === inlineKind ? item.read() : undefined;
  if (root === undefined || !isNode(root)) return [];
  if (kind !== "ConfigMap") {
    const bytes = inlineIn(root);
    return bytes === undefined
      ? []
      : [{ object: { kind: inlineKind, namespace, name, dataKey: undefined }, bytes }];
  }
  const found = dataIn(root);
  return found === undefined
    ? []
    : [
        {
          object: { kind, namespace, name: hashless(name), dataKey: found.dataKey },
          bytes: found.bytes,
        },
      ];
}

/** The root of one document of values that is not sealed; an empty one has none, and is sound. */
function rootIn(
  bytes: Uint8Array,
  kind: ValuesKind,
): { readonly root: Node | undefined; readonly isSound: boolean } {
  const { root, faults, notes } = readValues(bytes, formatOf(kind === "ConfigMap"));
  const isOne = faults.length === 0 && !notes.some(({ code }) => code === "several-documents");
  const isSound = isOne && !isSopsFile(bytes);
  return { root: isSound ? root : undefined, isSound };
}

function titleOf({ kind, name }: ItemValues["object"]): string {
  return `${kind}/${name}`;
}

/** False for a ConfigMap that may hold anything else. */
function isOfValues({ kind, dataKey = "" }: ItemValues["object"]): boolean {
  return kind === inlineKind || usualDataKeys.includes(dataKey);
}

/** The only data key, else one with a usual name. */
function dataIn(root: Node): { readonly dataKey: string; readonly bytes: Uint8Array } | undefined {
  const entries = (root.get("data") ?? root).children();
  const usual = usualDataKeys.flatMap((key) => entries.find((entry) => entry.keyText === key) ?? []);
  const [entry] = entries.length === 1 ? entries : usual;
  if (root.get("data") === undefined || entry === undefined || !entry.value.isScalar) return undefined;
  return { dataKey: entry.keyText, bytes: Buffer.from(entry.value.text, "utf8") };
}

function inlineIn(root: Node): Uint8Array | undefined {
  const values = (root.get("spec") ?? root).get("values");
  const own = values !== undefined && values.isMapping ? standalone(values) : undefined;
  return own === undefined ? undefined : Buffer.from(textOf(own.doc), "latin1");
}
