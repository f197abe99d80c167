// A Repeat's own text → its entries, or what is wrong with it.
import * as v from "valibot";
import {
  childOf,
  childrenOf,
  factsOf,
  isMapping,
  isNode,
  isSequence,
  type Item,
  keyText,
  listAt,
  type Node,
  referenceFieldsOf,
  referencingKinds,
  saidTwice,
  type Step,
  textAt,
  toPlain,
  valueOf,
  writtenTwice,
} from "../core/index.ts";
import { fail, failAs, type Failure, isFailure, type RepeatPlace } from "./faults.ts";
import {
  type Entry,
  type FieldSet,
  holdsAliases,
  type ListEntry,
  type Pattern,
  type ResourceEntry,
} from "./model.ts";
import { cloneMissing, RepeatSpec, schemaFaults } from "./schema.ts";
import { keysOf, misplaced, stepsOf } from "./setting.ts";

export interface Spec {
  readonly node: Node;
  readonly plain: RepeatSpec;
  readonly entries: readonly Entry[];
}

/** Reads the spec; all that is wrong with it. */
export function readSpec(repeat: Item): Spec | { readonly faults: readonly Failure[] } {
  const root = repeat.read();
  const node = isNode(root) ? childOf(root, "spec") : undefined;
  const where = { repeat, field: "spec" };
  if (node === undefined || !isMapping(node))
    return {
      faults: [
        failAs(
          "invalid-setting",
          where,
          "expected a mapping",
          "write `instances` (or `from`) and `clone` there",
        ),
      ],
    };
  // A few aliases may mean millions of values.
  if (holdsAliases(repeat))
    return { faults: [failAs("invalid-setting", where, "the Repeat holds YAML aliases", "write them out")] };
  const twice = isNode(root) ? keysTwice(root, repeat) : [];
  if (twice.length > 0) return { faults: twice };
  const outcome = v.safeParse(RepeatSpec, toPlain(node, null));
  if (!outcome.success) return { faults: schemaFaults(outcome.issues, repeat) };
  const { instances, from, clone } = outcome.output;
  if ((instances === undefined) === (from === undefined))
    return {
      faults: [
        failAs("invalid-setting", where, "expected either `instances` or `from`", "write one of them"),
      ],
    };
  // The items of a KOTS Config may say themselves what is cloned.
  if (clone === undefined && from?.kind !== "Config") return { faults: [cloneMissing(repeat)] };
  const found = listAt(node, "clone").map((child, index) => entryOf(valueOf(child), index, repeat));
  const faults = found.filter(isFailure);
  if (faults.length > 0) return { faults };
  return { node, plain: outcome.output, entries: found.flatMap((one) => (isFailure(one) ? [] : [one])) };
}

function keysTwice(root: Node, repeat: Item): Failure[] {
  const isInList = root.doc.bytes === repeat.bytes;
  return writtenTwice(root).map(({ field, offset }) => {
    const where = { repeat, field, ...(isInList ? { offset } : {}) };
    return failAs("invalid-setting", where, saidTwice.message, saidTwice.hint);
  });
}

function entryOf(node: Node, index: number, repeat: Item): Entry | Failure {
  const field = `spec.clone[${index}]`;
  const pattern = (key: string): Pattern | undefined => {
    const found = childOf(node, key);
    return found === undefined ? undefined : { node: found, field: `${field}.${key}` };
  };
  const [as, path, values] = [pattern("as"), textAt(node, "path"), pattern("values")];
  const where = { repeat, field };
  if ((as === undefined) === (path === undefined))
    return failAs(
      "invalid-setting",
      where,
      "expected either `path` or `as`",
      "`path` clones a list element, `as` names clones of the whole item",
    );
  const sets = setsOf(childOf(node, "set"), field, repeat);
  if (isFailure(sets)) return sets;
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
    return failAs(
      "invalid-setting",
      { repeat, ...values },
      "a list element has no layer",
      "write `values` next to `as`",
    );
  return listEntry(common, path ?? "", { repeat, field: `${field}.path` });
}

function wholeEntry(entry: ResourceEntry): Entry | Failure {
  const { sets, kind, values, repeat } = entry;
  const whole = sets.find(({ steps }) => steps.length === 0);
  if (whole !== undefined)
    return failAs(
      "invalid-setting",
      { repeat, ...whole.value },
      "expected fields by path",
      "write `set: {path: value}`",
    );
  const renamed = sets.find(({ steps }) => keysOf(steps) === "metadata/name");
  if (renamed !== undefined)
    return failAs(
      "invalid-setting",
      { repeat, ...renamed.value },
      "the name of a clone is `as`",
      "write it there",
    );
  for (const set of sets) {
    const fault = misplaced(set.steps, set, entry);
    if (fault !== undefined) return fault;
  }
  if (values !== undefined && factsOf(kind)?.references === undefined)
    return failAs(
      "invalid-setting",
      { repeat, ...values },
      `a ${kind} has no layers`,
      `\`values\` is only for ${referencingKinds.map((each) => each.kind).join(" or ")}`,
    );
  return entry;
}

/** @param at where the path is written */
export function listEntry(
  common: Omit<ListEntry, "path" | "pathField" | "steps" | "element">,
  path: string,
  at: RepeatPlace,
): Entry | Failure {
  const steps = stepsOf(path);
  const last = steps?.at(-1);
  const isPlain = steps?.every((step) => "key" in step || ("inList" in step && step.inList !== "*")) === true;
  if (steps === undefined || last === undefined || !isPlain || !("inList" in last) || steps.length < 2)
    return fail(
      at,
      "expected the path of one list element",
      "e.g. `spec.ports[0]` or `spec.ports[name=tpl]`",
    );
  const list = (path.startsWith("spec.") ? path.slice("spec.".length) : "").replace(/[.[].*$/, "");
  if (referenceFieldsOf(common.kind).includes(list))
    return fail(
      at,
      "the fold itself rewrites this list",
      "clone the layers, each with the annotation `valuefold.dev/into`",
    );
  if (common.kind === "Secret")
    return fail(at, "a Secret holds no lists", "clone the whole Secret with `as`");
  return { ...common, path, pathField: at.field, steps: steps.slice(0, -1), element: last.inList };
}

function setsOf(node: Node | undefined, entry: string, repeat: Item): FieldSet[] | Failure {
  const field = `${entry}.set`;
  if (node === undefined) return [];
  if (isSequence(node))
    return failAs(
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
      return fail(
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
