// One entry of `clone`, or one template of a KOTS item: what it says, or what is wrong with it.
import { factsOf, referenceFieldsOf, referencingKinds } from "../kinds.ts";
import type { Node } from "../yaml/index.ts";
import { parsePath, type Step } from "../merge/index.ts";
import { refusal, refusalAs, type Refused } from "./faults.ts";
import {
  type CloneEntry,
  entryPlace,
  type FieldSet,
  type ListEntry,
  type ResourceEntry,
  type WrittenField,
} from "./model.ts";
import { namesOf, refuseMisplaced } from "./setting.ts";

/** Where an entry is written. */
type EntryPlace = Pick<CloneEntry, "repeat" | "declared" | "field">;

/** An entry of `clone`. */
export function entryOf(node: Node, place: EntryPlace): CloneEntry {
  const written = (key: string): WrittenField | undefined => {
    const text = node.textAt(key);
    return text === undefined ? undefined : { text, field: `${place.field}.${key}` };
  };
  const [as, path, values] = [written("as"), written("path"), written("values")];
  const common = {
    ...place,
    apiVersion: node.textAt("apiVersion"),
    kind: node.textAt("kind") ?? "",
    name: node.textAt("name") ?? "",
    namespace: node.textAt("namespace"),
    each: written("each"),
    sets: setsOf(node.get("set"), place),
  };
  if (as !== undefined && path === undefined) return wholeEntry({ ...common, as, values });
  if (as !== undefined || path === undefined) {
    const hint = "`path` clones a list element, `as` names clones of the whole item";
    throw wrong(place, "expected either `path` or `as`", hint);
  }
  if (values === undefined) return listEntry(common, path);
  throw wrong({ ...place, ...values }, "a list element has no layer", "write `values` next to `as`");
}

/** One of the `templates` of a KOTS item. KOTS names a clone by the key of its value. */
export function declaredEntry(node: Node, place: Required<EntryPlace>): CloneEntry {
  const text = (key: string): string | undefined => node.textAt(key) || undefined;
  const [kind, name, path] = [text("kind"), text("name"), text("yamlPath")];
  if (kind === undefined || name === undefined) {
    const hint = "write the kind and the name of the item that is cloned";
    throw refusal(entryPlace(place), "expected `kind` and `name`", hint);
  }
  const of = { apiVersion: text("apiVersion"), kind, name, namespace: text("namespace") };
  const common = { ...place, ...of, each: undefined, sets: [] };
  if (path !== undefined) return listEntry(common, { text: path, field: `${place.field}.yamlPath` });
  return { ...common, as: { text: "{name}", field: `${place.field}.name` }, values: undefined };
}

function wrong(place: EntryPlace, message: string, hint: string): Refused {
  return refusalAs("invalid-setting", entryPlace(place), message, hint);
}

function wholeEntry(entry: ResourceEntry): CloneEntry {
  const { sets, kind, values } = entry;
  for (const set of sets) {
    const place = { ...entry, field: set.field };
    if (set.steps.length === 0) throw wrong(place, "expected fields by path", "write `set: {path: value}`");
    if (namesOf(set.steps).join("/") === "metadata/name")
      throw wrong(place, "the name of a clone is `as`", "write it there");
    refuseMisplaced(set.steps, set, entry);
  }
  if (values === undefined || factsOf(kind)?.references !== undefined) return entry;
  const hint = `\`values\` is only for ${referencingKinds.map((each) => each.kind).join(" or ")}`;
  throw wrong({ ...entry, ...values }, `a ${kind} has no layers`, hint);
}

function listEntry(
  common: Omit<ListEntry, "path" | "pathField" | "steps" | "element">,
  { text: path, field }: WrittenField,
): CloneEntry {
  const at = entryPlace(common, { field });
  const steps = parsePath(path);
  const [list, last] = "wrongAt" in steps ? [] : [steps.slice(0, -1), steps.at(-1)];
  if (
    list === undefined ||
    last === undefined ||
    !("inList" in last) ||
    list.length === 0 ||
    isWild([...list, last])
  )
    throw refusal(
      at,
      "expected the path of one list element",
      "e.g. `spec.ports[0]` or `spec.ports[name=tpl]`",
    );
  const [first = "", name = ""] = namesOf(list);
  if (first === "spec" && referenceFieldsOf(common.kind).includes(name)) {
    const hint = "clone the layers, each with the annotation `valuefold.dev/into`";
    throw refusal(at, "the fold itself rewrites this list", hint);
  }
  if (common.kind === "Secret")
    throw refusal(at, "a Secret holds no lists", "clone the whole Secret with `as`");
  return { ...common, path, pathField: field, steps: list, element: last.inList };
}

function setsOf(node: Node | undefined, place: EntryPlace): readonly FieldSet[] {
  const field = `${place.field}.set`;
  if (node === undefined) return [];
  if (node.isSequence) {
    const message = "expected fields by path, or one scalar, got a list";
    throw wrong({ ...place, field }, message, "write `set: {path: value}`");
  }
  if (!node.isMapping) return [{ steps: [], path: "the element", node, field }];
  return node.children().map((child) => {
    const path = child.keyText;
    const steps = parsePath(path);
    const own = { path, node: child.value, field: `${field}[${JSON.stringify(path)}]` };
    if (!("wrongAt" in steps) && !isWild(steps)) return { ...own, steps };
    const hint = 'keys joined by dots, `[0]`, `[name=x]`, or `["a.b/c"]`';
    throw refusal({ repeat: place.repeat, field: own.field }, "expected the path of one field", hint);
  });
}

function isWild(steps: readonly Step[]): boolean {
  return steps.some((step) => "any" in step || ("inList" in step && step.inList === "*"));
}
