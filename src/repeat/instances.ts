// The instances of a Repeat: its own mapping, or what an item of the list holds. A data key of a ConfigMap or Secret is read
// as it is once its item has folded.
import { isNode, type Item } from "../krm/index.ts";
import type { FoldedData, NameIndex } from "../core/index.ts";
import { Guarded, type GuardedText, readValues } from "../layers/index.ts";
import { lineAndColumn, type Node, type ReadFault } from "../yaml/index.ts";
import { saidTwice, writtenTwice } from "../settings/index.ts";
import { refusal, refusalAs, type RepeatPlace } from "./faults.ts";
import { fromConfig, fromConfigValues, type KotsInstances } from "./kots.ts";
import { kindName, holdsAliases, type RepeatInstance, instancesIn, plainInstancesIn } from "./model.ts";
import type { SpecOfRepeat } from "./schema.ts";
import { meantOr, nearest } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";

export interface Sources {
  readonly names: NameIndex;
  readonly foldedData: FoldedData;
}

/** The instances of a Repeat, in their order. */
export function instancesOf(repeat: Item, spec: SpecOfRepeat, sources: Sources): readonly RepeatInstance[] {
  const { from, minimumCount = 0 } = spec.plain;
  const found = from === undefined ? inline(repeat, spec.node) : fromItem(repeat, spec, sources);
  const where = { repeat, field: from === undefined ? "spec.instances" : "spec.from" };
  return enough(found, minimumCount, where);
}

/** Instances, or a fault if there are fewer than a Repeat or a KOTS item says. */
export function enough(
  { instances, least = 0, counts = [] }: KotsInstances,
  minimumCount: number,
  where: RepeatPlace,
): readonly RepeatInstance[] {
  const [got, wanted] = [instances.length, Math.max(minimumCount, least)];
  if (got < wanted) {
    const hint = "add instances, or lower `minimumCount`";
    throw refusal(where, `expected at least ${wanted} instances, got ${got}`, hint);
  }
  const fewer = counts.find((each) => each.got < each.wanted);
  if (fewer === undefined) return instances;
  const message = `\`countByGroup\` of group \`${fewer.group}\` says ${fewer.wanted}, and there are ${fewer.got}`;
  throw refusal(where, message, "add the values that are missing");
}

function inline(repeat: Item, spec: Node): KotsInstances {
  const mapping = spec.get("instances");
  if (mapping === undefined) return { instances: [] };
  if (mapping.isMapping) return { instances: plainInstancesIn(mapping) };
  const message = `expected a mapping, got ${kindName(mapping)}`;
  const hint = "write each instance under a name of its own: `instances: {a: {}, b: {}}`";
  throw refusalAs("invalid-setting", { repeat, field: "spec.instances" }, message, hint);
}

type InstanceSource = NonNullable<SpecOfRepeat["plain"]["from"]>;

function fromItem(repeat: Item, spec: SpecOfRepeat, { names, foldedData }: Sources): KotsInstances {
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

/** The item that instances are read from, wherever it is if nothing says its namespace. */
function sourceOf(repeat: Item, { kind, name, namespace }: InstanceSource, names: NameIndex): Item {
  const where = { repeat, field: "spec.from" };
  const near = names.find<string>({ kind, name, namespace }, repeat);
  const found = near.length > 0 || namespace !== undefined ? near : names.named<string>(kind, name);
  const [source, second] = found;
  if (source === undefined) {
    const hint = "add the item that holds the instances, or correct the name";
    throw refusal(where, `\`${kind}/${name}\` is not in the list`, hint);
  }
  if (second === undefined) return source;
  throw refusal(where, `\`${kind}/${name}\` exists several times`, "write its `namespace`", found);
}

/** The KOTS item that a Repeat reads, and its root. */
export function kotsSource(
  repeat: Item,
  from: InstanceSource,
  names: NameIndex,
): { readonly config: Item; readonly root: Node } {
  const where = { repeat, field: "spec.from" };
  const source = sourceOf(repeat, from, names);
  const root = source.read();
  if (holdsAliases(source))
    throw refusal(
      where,
      `\`${objectText(source)}\` holds YAML aliases`,
      "write the values in place of the aliases",
      [source],
    );
  if (!isNode(root)) throw refusal(where, `\`${objectText(source)}\` cannot be read`, "correct it");
  const [twice] = writtenTwice(root);
  if (twice === undefined) return { config: source, root };
  const message = `\`${twice.field}\` of \`${objectText(source)}\` is written twice in one mapping`;
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
  const item = objectText(source);
  if (key === undefined)
    throw refusal(where, `\`${item}\` has ${keys.length} data keys`, "name one with `key`");
  const text = foldedData.textOf(source, key);
  if (text === undefined) {
    const hint = meantOr(nearest(key, keys), "add it");
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
    const hint = "correct it: instances are a mapping, and each key is in it once";
    throw refusal(where, `${name}, ${line}:${column}: ${why}`, hint);
  });
  return { instances };
}

/** One of two instances would be lost. */
function keyTwice(root: Node): Pick<ReadFault, "message" | "offset"> | undefined {
  const [twice] = writtenTwice(root);
  return twice && { message: `\`${twice.field}\` is written twice in one mapping`, offset: twice.offset };
}
