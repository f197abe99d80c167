// All fields of one clone: those that are there at once, then those that must be added, one after the other. Fields that
// `set` never touches are faults.
import { type Edit, type Node, parsePath, scalarText, type Step } from "../core/index.ts";
import { isFromBase64 } from "./conversions.ts";
import { isFailure, fail, type Failure } from "./faults.ts";
import { setField } from "./fields.ts";
import { type Entry, type FieldSet, type Filled, isResource, type Scope } from "./model.ts";
import { asksSecret, fill, fillAsBase64, fillAsText, fillText } from "./placeholders.ts";

/** A field, where it is and what it is to be in one scope. */
export interface FieldValue {
  readonly set: FieldSet;
  readonly steps: readonly Step[];
  readonly filled: Filled;
}

/** What the fields of a clone are to be. */
export function fieldValues(entry: Entry, scope: Scope, sinkKind: string): FieldValue[] | Failure {
  const wanted: FieldValue[] = [];
  for (const set of entry.sets) {
    const steps = filledSteps(set, scope, entry);
    if (isFailure(steps))
      return sinkKind !== "Secret" && asksSecret(set.path, scope) ? escapes(entry, set, sinkKind) : steps;
    const fault = isResource(entry) ? misplaced(steps.steps, set, entry) : undefined;
    if (fault !== undefined) return fault;
    const filler = isBase64(steps.steps, sinkKind)
      ? fillAsBase64
      : isText(steps.steps, sinkKind)
        ? fillAsText
        : fill;
    const filled = filler(set.value, scope, entry.repeat);
    // A failed conversion says what the value is not, so it comes second.
    const isSecret = isFailure(filled) ? asksSecret(scalarText(set.value.node), scope) : filled.secret;
    if ((isSecret || steps.secret) && !(sinkKind === "Secret" && isData(steps.steps)))
      return escapes(entry, set, sinkKind);
    if (isFailure(filled)) return filled;
    wanted.push({ set, steps: steps.steps, filled });
  }
  return wanted;
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

/** The one place of a Secret that is secret: labels and annotations are not. */
function isData([first]: readonly Step[]): boolean {
  return first !== undefined && "key" in first && (first.key === "data" || first.key === "stringData");
}

export function escapes(
  entry: Entry,
  { path, value }: Pick<FieldSet, "path" | "value">,
  sinkKind: string,
): Failure {
  return fail(
    "secret-into-configmap",
    { repeat: entry.repeat, ...value },
    `a value of a Secret would go into \`${path}\` of a ${sinkKind}`,
    "set it under `data` or `stringData` of a Secret, or keep the instances in a ConfigMap; `{name}` may go anywhere",
  );
}

/** Keys of the path may hold placeholders. What they stand for is a key, whatever is in it. */
function filledSteps(
  { steps, path, value }: FieldSet,
  scope: Scope,
  { repeat }: Entry,
): { steps: readonly Step[]; secret: boolean } | Failure {
  if (!path.includes("{")) return { steps, secret: false };
  let secret = false;
  const filled: Step[] = [];
  for (const step of steps) {
    const text = "key" in step ? step.key : "inList" in step ? step.inList : "";
    const where = { repeat, ...value };
    const found = text.includes("{") ? fillText(text, scope, where) : undefined;
    if (found !== undefined && isFailure(found)) return found;
    secret ||= found?.secret === true;
    if (found === undefined) filled.push(step);
    else filled.push("key" in step ? { key: found.text } : { inList: found.text });
  }
  return { steps: filled, secret };
}

/** The edits of fields that are there; what has to wait until these are made is left. */
export function editsOf(
  root: Node,
  wanted: readonly FieldValue[],
  entry: Entry,
): { readonly edits: readonly Edit[]; readonly left: readonly FieldValue[] } | Failure {
  const edits: Edit[] = [];
  const left: FieldValue[] = [];
  for (const one of wanted) {
    const change = setField(root, one.steps, one.filled, { repeat: entry.repeat, ...one.set.value });
    if (isFailure(change)) return change;
    const waits =
      left.length > 0 || change.adds || change.edits.some((edit) => edits.some((other) => meet(edit, other)));
    if (waits && edits.length > 0) left.push(one);
    else if (waits)
      return {
        edits: change.edits,
        left: wanted.slice(wanted.indexOf(one) + (change.again === true ? 0 : 1)),
      };
    else for (const each of change.edits) edits.push(each);
  }
  return { edits, left };
}

function meet(a: Edit, b: Edit): boolean {
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
  // By its kind it is decided where secrets may go, and by its metadata whose clone it is.
  if (["kind", "apiVersion", "metadata"].includes(keysOf(steps)))
    return fail(
      "repeat-path",
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
      "repeat-path",
      where,
      `\`${path}\` leads into a text: dots part keys`,
      `write \`${steps.slice(0, depth).map(nameOf).join(".")}[${JSON.stringify(steps.slice(depth).map(nameOf).join("."))}]\``,
    );
  if (kind === "Secret" && first === "data" && !(steps.length === 2 && isFromBase64(value)))
    return fail(
      "repeat-path",
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
