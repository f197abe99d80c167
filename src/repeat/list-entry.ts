// An entry that clones an element: what its path may lead to.
import { referenceFieldsOf } from "../core/index.ts";
import { refusal, type RepeatPlace } from "./faults.ts";
import type { Entry, ListEntry } from "./model.ts";
import { stepsOf } from "./setting.ts";

/** @param at where the path is written */
export function listEntry(
  common: Omit<ListEntry, "path" | "pathField" | "steps" | "element">,
  path: string,
  at: RepeatPlace,
): Entry {
  const steps = stepsOf(path);
  const last = steps?.at(-1);
  const isPlain = steps?.every((step) => "key" in step || ("inList" in step && step.inList !== "*")) === true;
  if (steps === undefined || last === undefined || !isPlain || !("inList" in last) || steps.length < 2)
    throw refusal(
      at,
      "expected the path of one list element",
      "e.g. `spec.ports[0]` or `spec.ports[name=tpl]`",
    );
  const list = (path.startsWith("spec.") ? path.slice("spec.".length) : "").replace(/[.[].*$/, "");
  if (referenceFieldsOf(common.kind).includes(list))
    throw refusal(
      at,
      "the fold itself rewrites this list",
      "clone the layers, each with the annotation `valuefold.dev/into`",
    );
  if (common.kind === "Secret")
    throw refusal(at, "a Secret holds no lists", "clone the whole Secret with `as`");
  return { ...common, path, pathField: at.field, steps: steps.slice(0, -1), element: last.inList };
}
