// A Repeat's own text → its entries, or what is wrong with it.
import * as v from "valibot";
import { type FoldedData, isRepeat, NameIndex } from "../core/index.ts";
import { isNode, type Item } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";
import { saidTwice, writtenTwice } from "../settings/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { entryOf } from "./entries.ts";
import { attempt, faultAt, refusalAs, Refused } from "./faults.ts";
import { instancesOf } from "./instances.ts";
import { declaredRepeats } from "./kots-templates.ts";
import { type CloneEntry, holdsAliases, type Repeat } from "./model.ts";
import { cloneMissing, RepeatSpec, schemaFaults, type SpecOfRepeat } from "./schema.ts";

/** What the Repeats of a list say. Without `clone`, the items of a KOTS Config say what is cloned. */
export function readRepeats(
  items: readonly Item[],
  foldedData: FoldedData,
  faults: Diagnostic[],
): readonly Repeat[] {
  const sources = { names: new NameIndex(items), foldedData };
  return items.filter(isRepeat).flatMap((item) => {
    const found = attempt(faults, () => {
      const spec = specOf(item);
      if (spec.plain.clone === undefined) return declaredRepeats(item, spec, sources, faults);
      return [{ item, entries: entriesOf(item, spec), instances: instancesOf(item, spec, sources) }];
    });
    return found ?? [];
  });
}

function entriesOf(repeat: Item, { node }: SpecOfRepeat): readonly CloneEntry[] {
  const faults: Diagnostic[] = [];
  const entries = node
    .list("clone")
    .flatMap(
      (each, index) =>
        attempt(faults, () => entryOf(each.value, { repeat, field: `spec.clone[${index}]` })) ?? [],
    );
  if (faults.length > 0) throw new Refused(...faults);
  return entries;
}

function specOf(repeat: Item): SpecOfRepeat {
  const root = repeat.read();
  const node = isNode(root) ? root.get("spec") : undefined;
  const wrong = (message: string, hint: string): Refused =>
    refusalAs("invalid-setting", { repeat, field: "spec" }, message, hint);
  if (!isNode(root) || node === undefined || !node.isMapping)
    throw wrong("expected a mapping", "write `instances` (or `from`) and `clone` there");
  // A few aliases may mean millions of values.
  if (holdsAliases(repeat)) throw wrong("the Repeat holds YAML aliases", "write them out");
  const twice = keysTwice(root, repeat);
  if (twice.length > 0) throw new Refused(...twice);
  const { success, output, issues } = v.safeParse(RepeatSpec, node.plain(null));
  if (!success) throw new Refused(...schemaFaults(issues, repeat));
  const { instances, from, clone } = output;
  if ((instances === undefined) === (from === undefined))
    throw wrong("expected either `instances` or `from`", "write one of them");
  // The items of a KOTS Config may say themselves what is cloned.
  if (clone === undefined && from?.kind !== "Config") throw new Refused(cloneMissing(repeat));
  return { node, plain: output };
}

function keysTwice(root: Node, repeat: Item): Diagnostic[] {
  const isInList = root.doc.bytes === repeat.bytes;
  return writtenTwice(root).map(({ field, offset }) => {
    const where = { repeat, field, ...(isInList ? { offset } : {}) };
    return faultAt("invalid-setting", where, saidTwice.message, saidTwice.hint);
  });
}
