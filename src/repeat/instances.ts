// The instances of a Repeat: its own mapping, or what an item of the list holds. A data key of a ConfigMap or Secret is read
// as it is once its item has folded.
import {
  childOf,
  describe,
  type FoldedData,
  Guarded,
  type GuardedText,
  isMapping,
  isNode,
  type Item,
  lineAndColumn,
  type NameIndex,
  type Node,
  type ReadFault,
  readValues,
  saidTwice,
  writtenTwice,
} from "../core/index.ts";
import { refusal, refusalAs, type RepeatPlace } from "./faults.ts";
import { fromConfig, fromConfigValues, type KotsInstances } from "./kots.ts";
import { kindName, holdsAliases, type Instance, instancesIn, plainInstancesIn } from "./model.ts";
import type { Spec } from "./schema.ts";
import { meantOr, nearest } from "../diagnostic.ts";

export interface Sources {
  readonly names: NameIndex;
  readonly foldedData: FoldedData;
}

/** The instances of a Repeat, in their order. */
export function instancesOf(repeat: Item, spec: Spec, sources: Sources): readonly Instance[] {
  const { from, minimumCount = 0 } = spec.plain;
  const found = from === undefined ? inline(repeat, spec.node) : fromItem(repeat, spec, sources);
  const where = { repeat, field: from === undefined ? "spec.instances" : "spec.from" };
  return enough(found, minimumCount, where);
}

/** Instances, or a fault if there are fewer than a Repeat or a KOTS item says. */
export function enough(found: KotsInstances, minimumCount: number, where: RepeatPlace): readonly Instance[] {
  const least = Math.max(minimumCount, found.least ?? 0);
  if (found.instances.length < least)
    throw refusal(
      where,
      `expected at least ${least} instances, got ${found.instances.length}`,
      "add instances, or lower `minimumCount`",
    );
  const counted = found.counts?.find(({ wanted, got }) => got < wanted);
  if (counted !== undefined)
    throw refusal(
      where,
      `\`countByGroup\` of group \`${counted.group}\` says ${counted.wanted}, and there are ${counted.got}`,
      "add the values that are missing",
    );
  return found.instances;
}

function inline(repeat: Item, spec: Node): KotsInstances {
  const mapping = childOf(spec, "instances");
  if (mapping === undefined) return { instances: [] };
  const where = { repeat, field: "spec.instances" };
  if (!isMapping(mapping))
    throw refusalAs(
      "invalid-setting",
      where,
      `expected a mapping, got ${kindName(mapping)}`,
      "write each instance under a name of its own: `instances: {a: {}, b: {}}`",
    );
  return { instances: plainInstancesIn(mapping) };
}

/** The items that instances may be read from; several are ambiguous. */
function sourcesOf({ kind, name, namespace }: From, repeat: Item, names: NameIndex): readonly Item[] {
  const near = names.find<string>({ kind, name, namespace }, repeat);
  if (near.length > 0 || namespace !== undefined) return near;
  return names.named<string>(kind, name);
}

type From = NonNullable<Spec["plain"]["from"]>;

function fromItem(repeat: Item, spec: Spec, { names, foldedData }: Sources): KotsInstances {
  const { from, minimumCount } = spec.plain;
  const where: RepeatPlace = { repeat, field: "spec.from" };
  if (from === undefined) return { instances: [] };
  if (from.kind === "ConfigMap" || from.kind === "Secret") {
    return fromData(sourceOf(repeat, from, names), from.key, foldedData, where);
  }
  const { root } = kotsSource(repeat, from, names);
  return from.kind === "Config"
    ? fromConfig(root, from, where)
    : fromConfigValues(root, from, where, minimumCount === 0);
}

function sourceOf(repeat: Item, from: From, names: NameIndex): Item {
  const where = { repeat, field: "spec.from" };
  const { kind, name } = from;
  const found = sourcesOf(from, repeat, names);
  const [source, second] = found;
  if (source === undefined)
    throw refusal(
      where,
      `\`${kind}/${name}\` is not in the list`,
      "add the item that holds the instances, or correct the name",
    );
  if (second === undefined) return source;
  throw refusal(where, `\`${kind}/${name}\` is there several times`, "write its `namespace`", found);
}

/** The KOTS item that a Repeat reads, and its root. */
export function kotsSource(
  repeat: Item,
  from: From,
  names: NameIndex,
): { readonly config: Item; readonly root: Node } {
  const where = { repeat, field: "spec.from" };
  const source = sourceOf(repeat, from, names);
  const root = source.read();
  if (holdsAliases(source))
    throw refusal(where, `\`${describe(source)}\` holds YAML aliases`, "write it out", [source]);
  if (!isNode(root)) throw refusal(where, `\`${describe(source)}\` cannot be read`, "correct it");
  const [twice] = writtenTwice(root);
  if (twice === undefined) return { config: source, root };
  const message = `\`${twice.field}\` of \`${describe(source)}\` is written twice in one mapping`;
  throw refusal(where, message, saidTwice.hint, [source]);
}

function fromData(
  source: Item,
  wanted: string | undefined,
  foldedData: FoldedData,
  where: RepeatPlace,
): KotsInstances {
  const keys = foldedData.keysOf(source);
  const key = wanted ?? (keys.length === 1 ? keys[0] : undefined);
  const item = describe(source);
  if (key === undefined)
    throw refusal(where, `\`${item}\` has ${keys.length} data keys`, "name one with `key`");
  const text = foldedData.textOf(source, key);
  if (text === undefined) {
    const near = nearest(key, keys);
    const hint = meantOr(near, "add it");
    throw refusal(where, `\`${item}\` has no data key \`${key}\``, hint);
  }
  if ("why" in text)
    throw refusal(where, `\`${key}\` of \`${item}\` cannot be read: ${text.why}`, "correct it");
  return inText(text, `\`${key}\` of \`${item}\``, where);
}

function inText(held: GuardedText, name: string, where: RepeatPlace): KotsInstances {
  const source = Guarded.of(held);
  const instances = instancesIn(source, (bytes) => {
    const { root, faults, text } = readValues(bytes);
    const fault = faults[0] ?? (root === undefined ? undefined : keyTwice(root));
    if (fault === undefined) return root;
    const { line, column } = lineAndColumn(text, fault.offset ?? 0);
    // The message shows where a Secret is wrong, not what it holds.
    const why = source.isSecret ? "cannot be read" : fault.message;
    throw refusal(
      where,
      `${name}, ${line}:${column}: ${why}`,
      "correct it: instances are a mapping, and each key is there once",
    );
  });
  return { instances };
}

/** One of two instances would be lost. */
function keyTwice(root: Node): Pick<ReadFault, "message" | "offset"> | undefined {
  const [twice] = writtenTwice(root);
  return twice && { message: `\`${twice.field}\` is written twice in one mapping`, offset: twice.offset };
}
