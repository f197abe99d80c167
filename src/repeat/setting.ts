// All fields of one clone: those that its template has are set at once; missing ones are added one after the other. Fields
// that `set` may not change are faults.
import { type Edit, Guarded, type Node, parsePath, type Sink, type Step } from "../core/index.ts";
import { fill, fillAsBase64, fillAsText, fillText, isFromBase64 } from "./placeholders.ts";
import { fail, failAs, type Failure, isFailure } from "./faults.ts";
import { setField } from "./fields.ts";
import { type Content, type Entry, type FieldSet, isResource, type Scope } from "./model.ts";

/** A field: its path and its content for one scope. */
export interface FieldValue {
  readonly set: FieldSet;
  readonly steps: readonly Step[];
  readonly content: Content;
}

/** The contents of the fields of a clone. @param sink the item that is cloned, or that holds the list */
export function fieldValues(entry: Entry, scope: Scope, sink: Sink): FieldValue[] | Failure {
  const values: FieldValue[] = [];
  for (const set of entry.sets) {
    const value = fieldValue(set, scope, entry, sink);
    if (isFailure(value)) return value;
    values.push(value);
  }
  return values;
}

function fieldValue(set: FieldSet, scope: Scope, entry: Entry, sink: Sink): FieldValue | Failure {
  const path = filledSteps(set, scope, entry);
  if (!path.mayGoTo(sink, fieldOf(set.steps))) return escapes(entry, set, sink.kind);
  const steps = path.writeTo(sink, fieldOf(set.steps));
  if ("fault" in steps) return steps;
  const fault = isResource(entry) ? misplaced(steps, set, entry) : undefined;
  if (fault !== undefined) return fault;
  const filler = isBase64(steps, sink.kind) ? fillAsBase64 : isText(steps, sink.kind) ? fillAsText : fill;
  const filled = filler(set.value, scope, entry.repeat);
  if (!filled.mayGoTo(sink, fieldOf(steps))) return escapes(entry, set, sink.kind);
  const content = filled.writeTo(sink, fieldOf(steps));
  return isFailure(content) ? content : { set, steps, content };
}

/** The field at the root of the item that a path leads into. */
function fieldOf([first]: readonly Step[]): string {
  return first !== undefined && "key" in first ? first.key : "";
}

/** Where Kubernetes takes nothing but text: labels, annotations, data. */
function isText(steps: readonly Step[], kind: string): boolean {
  const [first, second] = steps.map((step) => ("key" in step ? step.key : ""));
  if (first === "metadata") return steps.length === 3 && (second === "labels" || second === "annotations");
  return (
    steps.length === 2 &&
    (first === "data" || first === "stringData") &&
    (kind === "ConfigMap" || kind === "Secret")
  );
}

/** Where Kubernetes takes base64. */
function isBase64(steps: readonly Step[], kind: string): boolean {
  const [first] = steps.map((step) => ("key" in step ? step.key : ""));
  return (
    steps.length === 2 &&
    ((kind === "Secret" && first === "data") || (kind === "ConfigMap" && first === "binaryData"))
  );
}

export function escapes(
  entry: Entry,
  { path, value }: Pick<FieldSet, "path" | "value">,
  sinkKind: string,
): Failure {
  return failAs(
    "secret-into-configmap",
    { repeat: entry.repeat, ...value },
    `a value of a Secret would go into \`${path}\` of a ${sinkKind}`,
    "set it under `data` or `stringData` of a Secret, or keep the instances in a ConfigMap; `{name}` may go anywhere",
  );
}

/** Keys of the path may hold placeholders. The value of one is a single key, even if it holds dots. */
function filledSteps(
  { steps, path, value }: FieldSet,
  scope: Scope,
  { repeat }: Entry,
): Guarded<readonly Step[] | Failure> {
  if (!path.includes("{")) return Guarded.plain(steps);
  const where = { repeat, ...value };
  const filled = steps.map((step): Guarded<Step | Failure> => {
    const text = "key" in step ? step.key : "inList" in step ? step.inList : "";
    if (!text.includes("{")) return Guarded.plain(step);
    return fillText(text, scope, where).map((found) => {
      if (isFailure(found)) return found;
      return "key" in step ? { key: found.text } : { inList: found.text };
    });
  });
  return Guarded.all(filled).map((all) => {
    const found: Step[] = [];
    for (const each of all) {
      if ("fault" in each) return each;
      found.push(each);
    }
    return found;
  });
}

/** The edits of fields that exist; `left` has the fields that wait for these edits. */
export function editsOf(
  root: Node,
  wanted: readonly FieldValue[],
  entry: Entry,
): { readonly edits: readonly Edit[]; readonly left: readonly FieldValue[] } | Failure {
  const edits: Edit[] = [];
  const left: FieldValue[] = [];
  for (const one of wanted) {
    const change = setField(root, one.steps, one.content, { repeat: entry.repeat, ...one.set.value });
    if (isFailure(change)) return change;
    const waits =
      left.length > 0 || change.adds || change.edits.some((edit) => edits.some((other) => meet(edit, other)));
    if (waits && edits.length > 0) left.push(one);
    else if (waits)
      return {
        edits: change.edits,
        left: wanted.slice(wanted.indexOf(one) + (change.needsText === true ? 0 : 1)),
      };
    else for (const each of change.edits) edits.push(each);
  }
  return { edits, left };
}

/** True if two edits change the same bytes. */
export function meet(a: Edit, b: Edit): boolean {
  return a.start < b.end && b.start < a.end;
}

/** A path of the Repeat; undefined for other text. */
export function stepsOf(path: string): readonly Step[] | undefined {
  const steps = parsePath(path);
  return "wrongAt" in steps ? undefined : steps;
}

/** A fault for a field of a whole item that may not be set; undefined for all others. */
export function misplaced(
  steps: readonly Step[],
  { path, value }: Pick<FieldSet, "path" | "value">,
  { repeat, kind }: Pick<Entry, "repeat" | "kind">,
): Failure | undefined {
  const where = { repeat, ...value };
  // The kind decides where secrets may go, and the metadata which clone it is.
  if (["kind", "apiVersion", "metadata"].includes(keysOf(steps)))
    return fail(
      where,
      `\`${path}\` says what the clone is, and stays as its template has it`,
      "clone a template of that kind; set fields of `metadata` one by one, e.g. `metadata.labels.a`",
    );
  const [first = "", second = ""] = keysOf(steps).split("/");
  const isOwnText = kind === "ConfigMap" || kind === "Secret";
  const depth =
    first === "metadata" && (second === "labels" || second === "annotations")
      ? 2
      : isOwnText && texts.includes(first)
        ? 1
        : undefined;
  if (depth !== undefined && steps.length > depth + 1)
    return fail(
      where,
      `\`${path}\` leads into a text: dots part keys`,
      `write \`${steps.slice(0, depth).map(nameOf).join(".")}[${JSON.stringify(steps.slice(depth).map(nameOf).join("."))}]\``,
    );
  if (kind === "Secret" && first === "data" && !(steps.length === 2 && isFromBase64(value)))
    return fail(
      where,
      "`data` of a Secret takes base64, and this value does not say that it is base64",
      'write `stringData` for `data`; or, if the value is base64, set it as `"{value|fromBase64}"`',
    );
  return undefined;
}

const texts: readonly string[] = ["data", "stringData", "binaryData"];

function nameOf(step: Step): string {
  return "key" in step ? step.key : "inList" in step ? `[${step.inList}]` : "*";
}

/** Keys of a path, for comparison. */
export function keysOf(steps: readonly Step[]): string {
  return steps.map((step) => ("key" in step ? step.key : "[]")).join("/");
}
