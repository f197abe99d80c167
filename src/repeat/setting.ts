// The fields of one clone: what each comes to, and where it may be set. Those that are there are set at once; after each one
// that is added, the text is read again.
import type { TextEdit } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";
import type { Sink } from "../layers/index.ts";
import type { Step } from "../merge/index.ts";
import type { Draft } from "./draft.ts";
import { refusal, type Refused, type RepeatPlace } from "./faults.ts";
import { type FieldChange, setField } from "./fields.ts";
import { type FieldContent, type CloneEntry, type FieldSet, isResource, type Scope } from "./model.ts";
import { asText, fill, fillAsBase64, fillIn, type PlaceholderUse, isFromBase64 } from "./placeholders.ts";

/** A field: its path and its content for one scope. */
export interface FieldValue {
  readonly where: RepeatPlace;
  readonly steps: readonly Step[];
  readonly content: FieldContent;
}

/** The contents of the fields of a clone. @param sink the item that is cloned, or that holds the list */
export function fieldValues(entry: CloneEntry, scope: Scope, sink: Sink): readonly FieldValue[] {
  return entry.sets.map((set) => {
    const { path, field } = set;
    const where = { repeat: entry.repeat, field };
    const common = { scope, where, sink, into: `\`${path}\` of a ${sink.kind}` };
    const steps = filledSteps(set, { ...common, field: namesOf(set.steps)[0] ?? "" });
    if (isResource(entry)) refuseMisplaced(steps, set, entry);
    const filling = { ...common, field: namesOf(steps)[0] ?? "" };
    return { where, steps, content: contentAt(steps, set, filling) };
  });
}

function contentAt(steps: readonly Step[], { node }: FieldSet, filling: PlaceholderUse): FieldContent {
  const { kind } = filling.sink;
  const [first = ""] = namesOf(steps);
  const depth = textDepth(steps, kind);
  if (depth === undefined || steps.length !== depth + 1) return fill(node, filling);
  const isBase64 =
    (kind === "Secret" && first === "data") || (kind === "ConfigMap" && first === "binaryData");
  if (isBase64) return { text: fillAsBase64(node, filling) };
  return { text: asText(fill(node, filling), node.text, filling) };
}

/** Keys of the path may hold placeholders. The value of one is a single key, even if it holds dots. */
function filledSteps({ steps, path }: FieldSet, filling: PlaceholderUse): readonly Step[] {
  if (!path.includes("{")) return steps;
  const filled = (text: string): string =>
    text.includes("{") ? asText(fillIn(text, filling), text, filling) : text;
  return steps.map((step): Step => {
    if ("key" in step) return { key: filled(step.key) };
    return "inList" in step ? { inList: filled(step.inList) } : step;
  });
}

/** Keys of a path; an element of a list has none. */
export function namesOf(steps: readonly Step[]): readonly string[] {
  return steps.map((step) => ("key" in step ? step.key : "[]"));
}

/** How many steps lead to what holds nothing but text: labels, annotations, data. Undefined for other paths. */
function textDepth(steps: readonly Step[], kind: string): number | undefined {
  const [first = "", second = ""] = namesOf(steps);
  if (first === "metadata") return second === "labels" || second === "annotations" ? 2 : undefined;
  const isData = ["data", "stringData", "binaryData"].includes(first);
  return isData && (kind === "ConfigMap" || kind === "Secret") ? 1 : undefined;
}

/** Throws for a field of a whole item that may not be set. */
export function refuseMisplaced(
  steps: readonly Step[],
  { path, node, field }: Omit<FieldSet, "steps">,
  { repeat, kind }: Pick<CloneEntry, "repeat" | "kind">,
): void {
  const where = { repeat, field };
  const names = namesOf(steps);
  // The kind decides where secrets may go, and the metadata which clone it is.
  if (["kind", "apiVersion", "metadata"].includes(names.join("/")))
    throw refusal(
      where,
      `\`${path}\` says what the clone is, and stays as its template has it`,
      "clone a template of that kind; set fields of `metadata` one by one, e.g. `metadata.labels.a`",
    );
  const depth = textDepth(steps, kind);
  if (depth !== undefined && steps.length > depth + 1)
    throw refusal(
      where,
      `\`${path}\` leads into a text: dots part keys`,
      `write \`${names.slice(0, depth).join(".")}[${JSON.stringify(steps.slice(depth).map(written).join("."))}]\``,
    );
  if (kind === "Secret" && names[0] === "data" && !(steps.length === 2 && isFromBase64(node)))
    throw refusal(
      where,
      "`data` of a Secret takes base64, and this value does not say that it is base64",
      'write `stringData` for `data`; or, if the value is base64, set it as `"{value|fromBase64}"`',
    );
}

function written(step: Step): string {
  return "key" in step ? step.key : "inList" in step ? `[${step.inList}]` : "*";
}

/** A draft with fields set. @param more edits of its text as it is now; fields go before them */
export function withFields(
  draft: Draft,
  wanted: readonly FieldValue[],
  more: readonly TextEdit[],
  unfit: () => Refused,
): Draft {
  let [made, left, others] = [draft, wanted, more];
  while (left.length > 0 || others.length > 0) {
    const { root } = made;
    if (root === undefined) throw unfit();
    const { edits, count } = editsAtOnce(root, left);
    made = made.changed([...edits, ...others.filter((one) => !edits.some((edit) => meet(one, edit)))]);
    [left, others] = [left.slice(count), []];
  }
  return made;
}

/** The edits of the first fields that can be set together, and how many these are: a field that adds a key is the last. */
function editsAtOnce(
  root: Node,
  wanted: readonly FieldValue[],
): { readonly edits: readonly TextEdit[]; readonly count: number } {
  const edits: TextEdit[] = [];
  for (const [count, { steps, content, where }] of wanted.entries()) {
    const change: FieldChange = setField(root, steps, content, where);
    const isApart = change.edits.every((edit) => !edits.some((other) => meet(edit, other)));
    if (edits.length > 0 && (change.adds || !isApart)) return { edits, count };
    for (const edit of change.edits) edits.push(edit);
    if (change.adds) return { edits, count: count + 1 };
  }
  return { edits, count: wanted.length };
}

/** True if two edits change the same bytes. */
function meet(a: TextEdit, b: TextEdit): boolean {
  return a.start < b.end && b.start < a.end;
}
