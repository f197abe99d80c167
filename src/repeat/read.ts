// A Repeat's own text → its entries, or what is wrong with it.
import * as v from "valibot";
import {
  childOf,
  childrenOf,
  factsOf,
  type FoldedData,
  isMapping,
  isNode,
  isRepeat,
  isSequence,
  type Item,
  keyText,
  listAt,
  NameIndex,
  type Node,
  referencingKinds,
  saidTwice,
  type Step,
  textAt,
  toPlain,
  valueOf,
  writtenTwice,
} from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { attempt, faultAt, refusal, refusalAs, Refused } from "./faults.ts";
import { instancesOf } from "./instances.ts";
import { declaredRepeats } from "./kots-templates.ts";
import { listEntry } from "./list-entry.ts";
import {
  type Entry,
  type FieldSet,
  holdsAliases,
  type Pattern,
  type Repeat,
  type ResourceEntry,
} from "./model.ts";
import { cloneMissing, RepeatSpec, schemaFaults, type Spec } from "./schema.ts";
import { namesOf, refuseMisplaced, stepsOf } from "./setting.ts";

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

function entriesOf(repeat: Item, { node }: Spec): readonly Entry[] {
  const faults: Diagnostic[] = [];
  const entries = listAt(node, "clone").flatMap(
    (each, index) => attempt(faults, () => entryOf(valueOf(each), index, repeat)) ?? [],
  );
  if (faults.length > 0) throw new Refused(...faults);
  return entries;
}

function specOf(repeat: Item): Spec {
  const root = repeat.read();
  const node = isNode(root) ? childOf(root, "spec") : undefined;
  const wrong = (message: string, hint: string): Refused =>
    refusalAs("invalid-setting", { repeat, field: "spec" }, message, hint);
  if (!isNode(root) || node === undefined || !isMapping(node))
    throw wrong("expected a mapping", "write `instances` (or `from`) and `clone` there");
  // A few aliases may mean millions of values.
  if (holdsAliases(repeat)) throw wrong("the Repeat holds YAML aliases", "write them out");
  const twice = keysTwice(root, repeat);
  if (twice.length > 0) throw new Refused(...twice);
  const { success, output, issues } = v.safeParse(RepeatSpec, toPlain(node, null));
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

function entryOf(node: Node, index: number, repeat: Item): Entry {
  const field = `spec.clone[${index}]`;
  const pattern = (key: string): Pattern | undefined => {
    const found = childOf(node, key);
    return found === undefined ? undefined : { node: found, field: `${field}.${key}` };
  };
  const [as, path, values] = [pattern("as"), textAt(node, "path"), pattern("values")];
  const where = { repeat, field };
  if ((as === undefined) === (path === undefined))
    throw refusalAs(
      "invalid-setting",
      where,
      "expected either `path` or `as`",
      "`path` clones a list element, `as` names clones of the whole item",
    );
  const sets = setsOf(childOf(node, "set"), field, repeat);
  const common = {
    repeat,
    field,
    apiVersion: textAt(node, "apiVersion"),
    kind: textAt(node, "kind") ?? "",
    name: textAt(node, "name") ?? "",
    namespace: textAt(node, "namespace"),
    each: pattern("each"),
    sets,
  };
  if (as !== undefined) return wholeEntry({ ...common, as, values });
  if (values !== undefined)
    throw refusalAs(
      "invalid-setting",
      { repeat, ...values },
      "a list element has no layer",
      "write `values` next to `as`",
    );
  return listEntry(common, path ?? "", { repeat, field: `${field}.path` });
}

function wholeEntry(entry: ResourceEntry): Entry {
  const { sets, kind, values, repeat } = entry;
  const whole = sets.find(({ steps }) => steps.length === 0);
  if (whole !== undefined)
    throw refusalAs(
      "invalid-setting",
      { repeat, ...whole.value },
      "expected fields by path",
      "write `set: {path: value}`",
    );
  const renamed = sets.find(({ steps }) => namesOf(steps).join("/") === "metadata/name");
  if (renamed !== undefined)
    throw refusalAs(
      "invalid-setting",
      { repeat, ...renamed.value },
      "the name of a clone is `as`",
      "write it there",
    );
  for (const set of sets) refuseMisplaced(set.steps, set, entry);
  if (values !== undefined && factsOf(kind)?.references === undefined)
    throw refusalAs(
      "invalid-setting",
      { repeat, ...values },
      `a ${kind} has no layers`,
      `\`values\` is only for ${referencingKinds.map((each) => each.kind).join(" or ")}`,
    );
  return entry;
}

function setsOf(node: Node | undefined, entry: string, repeat: Item): FieldSet[] {
  const field = `${entry}.set`;
  if (node === undefined) return [];
  if (isSequence(node))
    throw refusalAs(
      "invalid-setting",
      { repeat, field },
      "expected fields by path, or one scalar, got a list",
      "write `set: {path: value}`",
    );
  if (!isMapping(node)) return [{ steps: [], path: "the element", value: { node, field } }];
  const sets: FieldSet[] = [];
  for (const child of childrenOf(node)) {
    const path = keyText(child);
    const steps = stepsOf(path);
    const at = { node: valueOf(child), field: `${field}[${JSON.stringify(path)}]` };
    if (steps === undefined || steps.some(isWild))
      throw refusal(
        { repeat, ...at },
        "expected the path of one field",
        'keys joined by dots, `[0]`, `[name=x]`, or `["a.b/c"]`',
      );
    sets.push({ steps, path, value: at });
  }
  return sets;
}

function isWild(step: Step): boolean {
  return "any" in step || ("inList" in step && step.inList === "*");
}
