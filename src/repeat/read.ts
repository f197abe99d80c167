// A Repeat's own text → what it says, or what is wrong with it.
import { saidTwice, writtenTwice } from "../config/written-twice.ts";
import { childOf, isNode, type Item } from "../wire/item.ts";
import { toPlain } from "../yaml/plain.ts";
import { childrenOf, isMapping, isSequence, type Node, valueOf } from "../yaml/tape.ts";
import * as v from "valibot";
import { isTold, told, type Told } from "./faults.ts";
import type { Entry } from "./model.ts";
import { entryOf } from "./read-entry.ts";
import { RepeatSpec } from "./schema.ts";
import { schemaFaults } from "./schema-faults.ts";
import { holdsAliases } from "./templates.ts";

export interface Spec {
  readonly node: Node;
  readonly plain: RepeatSpec;
  readonly entries: readonly Entry[];
}

/** Reads the spec; all that is wrong with it. */
export function readSpec(repeat: Item): Spec | { readonly faults: readonly Told[] } {
  const root = repeat.read();
  const node = isNode(root) ? childOf(root, "spec") : undefined;
  const where = { repeat, field: "spec" };
  if (node === undefined || !isMapping(node))
    return {
      faults: [
        told("invalid-setting", where, "expected a mapping", "say `instances` (or `from`) and `clone` there"),
      ],
    };
  // A few aliases may stand for millions of values.
  if (holdsAliases(repeat))
    return { faults: [told("invalid-setting", where, "YAML aliases stand in the Repeat", "write them out")] };
  const twice = isNode(root) ? keysTwice(root, repeat) : [];
  if (twice.length > 0) return { faults: twice };
  const outcome = v.safeParse(RepeatSpec, toPlain(node, null));
  if (!outcome.success) return { faults: schemaFaults(outcome.issues, repeat) };
  const { instances, from } = outcome.output;
  if ((instances === undefined) === (from === undefined))
    return {
      faults: [told("invalid-setting", where, "expected either `instances` or `from`", "say one of them")],
    };
  const found = childrenOf(listAt(node, "clone")).map((child, index) =>
    entryOf(valueOf(child), index, repeat),
  );
  const faults = found.filter(isTold);
  if (faults.length > 0) return { faults };
  return { node, plain: outcome.output, entries: found.flatMap((one) => (isTold(one) ? [] : [one])) };
}

function keysTwice(root: Node, repeat: Item): Told[] {
  const isInList = root.doc.bytes === repeat.bytes;
  return writtenTwice(root).map(({ field, offset }) => {
    const where = { repeat, field, ...(isInList ? { offset } : {}) };
    return told("invalid-setting", where, saidTwice.message, saidTwice.hint);
  });
}

function listAt(node: Node, key: string): Node {
  const list = childOf(node, key);
  if (list === undefined || !isSequence(list)) throw new Error("a list that the schema demands is not there");
  return list;
}
