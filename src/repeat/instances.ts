// The instances of a Repeat: its own mapping, or what an item of the list holds.
import {
  childOf,
  describe,
  type FoldedData,
  isMapping,
  isNode,
  type Item,
  type NameIndex,
  type Node,
  saidTwice,
  writtenTwice,
} from "../core/index.ts";
import { kindName } from "./conversions.ts";
import { fromData } from "./data-source.ts";
import { isFailure, fail, type Failure, type Where } from "./faults.ts";
import { fromConfig, fromConfigValues, type KotsInstances } from "./kots.ts";
import { type Instance, plainInstancesIn } from "./model.ts";
import type { Spec } from "./read.ts";
import { holdsAliases } from "./templates.ts";

export interface Sources {
  readonly names: NameIndex;
  readonly foldedData: FoldedData;
}

/** The instances of a Repeat, in their order. */
export function instancesOf(repeat: Item, spec: Spec, sources: Sources): readonly Instance[] | Failure {
  const { from, minimumCount = 0 } = spec.plain;
  const found = from === undefined ? inline(repeat, spec.node) : fromItem(repeat, spec, sources);
  if (isFailure(found)) return found;
  const least = Math.max(minimumCount, found.least ?? 0);
  const where = { repeat, field: from === undefined ? "spec.instances" : "spec.from" };
  if (found.instances.length < least)
    return fail(
      "repeat-count",
      where,
      `expected at least ${least} instances, got ${found.instances.length}`,
      "add instances, or lower `minimumCount`",
    );
  const counted = found.counts?.find(({ wanted, got }) => got < wanted);
  if (counted !== undefined)
    return fail(
      "repeat-count",
      where,
      `\`countByGroup\` of group \`${counted.group}\` says ${counted.wanted}, and there are ${counted.got}`,
      "add the values that are missing",
    );
  return found.instances;
}

function inline(repeat: Item, spec: Node): KotsInstances | Failure {
  const mapping = childOf(spec, "instances");
  if (mapping === undefined) return { instances: [] };
  const where = { repeat, field: "spec.instances" };
  if (!isMapping(mapping))
    return fail(
      "invalid-setting",
      where,
      `expected a mapping, got ${kindName(mapping)}`,
      "write each instance under a name of its own: `instances: {a: {}, b: {}}`",
    );
  return { instances: plainInstancesIn(mapping) };
}

/** The items that instances may be read from; several are ambiguous. */
export function sourcesOf(
  { kind, name, namespace }: NonNullable<Spec["plain"]["from"]>,
  repeat: Item,
  names: NameIndex,
): readonly Item[] {
  const near = names.find<string>({ kind, name, namespace }, repeat);
  if (near.length > 0 || namespace !== undefined) return near;
  return names.named<string>(kind, name);
}

function fromItem(repeat: Item, spec: Spec, { names, foldedData }: Sources): KotsInstances | Failure {
  const { from } = spec.plain;
  const where: Where = { repeat, field: "spec.from" };
  if (from === undefined) return { instances: [] };
  const { kind, name } = from;
  const found = sourcesOf(from, repeat, names);
  const [source, second] = found;
  if (source === undefined)
    return fail(
      "repeat-target",
      where,
      `\`${kind}/${name}\` is not in the list`,
      "add the item that holds the instances, or correct the name",
    );
  if (second !== undefined)
    return fail(
      "repeat-target",
      where,
      `\`${kind}/${name}\` is there several times`,
      "say its `namespace`",
      found,
    );
  if (kind === "ConfigMap" || kind === "Secret") return fromData(source, from.key, foldedData, where);
  return fromKots(source, spec.plain, where);
}

function fromKots(
  source: Item,
  { from, minimumCount }: Spec["plain"],
  where: Where,
): KotsInstances | Failure {
  const root = source.read();
  if (holdsAliases(source))
    return fail("repeat-target", where, `\`${describe(source)}\` holds YAML aliases`, "write it out", [
      source,
    ]);
  if (!isNode(root))
    return fail("repeat-target", where, `\`${describe(source)}\` cannot be read`, "correct it");
  const [twice] = writtenTwice(root);
  if (twice !== undefined)
    return fail(
      "repeat-target",
      where,
      `\`${twice.field}\` of \`${describe(source)}\` is written twice in one mapping`,
      saidTwice.hint,
      [source],
    );
  const asked = from ?? {};
  return from?.kind === "Config"
    ? fromConfig(root, asked, where)
    : fromConfigValues(root, asked, where, minimumCount === 0);
}
