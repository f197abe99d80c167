// The element of a list that an entry clones, and its clones as text. No element is claimed by two entries.
import {
  childrenOf,
  describe,
  Field,
  field,
  isFault,
  isMapping,
  isNode,
  isSequence,
  type Item,
  keyText,
  Kind,
  kindOf,
  type Node,
  readDocument,
  type Step,
  valueOf,
} from "../core/index.ts";
import { withEdits } from "./draft.ts";
import { fail, type Failure, isFailure } from "./faults.ts";
import { indexOf } from "./fields.ts";
import { declaredEdits } from "./kots-text.ts";
import { elementText, isDashed } from "./list-edits.ts";
import { entryPlace, type ListEntry, type Scope } from "./model.ts";
import { editsOf, type FieldValue, fieldValues } from "./setting.ts";

/** One entry, and the instances that it makes clones for. */
export interface ListTask {
  readonly entry: ListEntry;
  readonly scopes: readonly Scope[];
}

/** An element that an entry clones: rows of the document, from the first on. */
export interface Claim {
  readonly entry: ListEntry;
  readonly list: Node;
  readonly at: number;
  /** The element's lines at column 0, or what is between brackets. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The element that an entry names, if no other entry has it, or what is around or inside of it. */
export function claim(entry: ListEntry, item: Item, others: readonly Claim[]): Claim | Failure {
  const where = entryPlace(entry, { field: entry.pathField });
  const path = `\`${entry.path}\` of \`${describe(item)}\``;
  const root = item.read();
  if (!isNode(root)) return fail(where, `\`${describe(item)}\` cannot be read`, "correct it", [item]);
  const list = listAt(root, entry.steps);
  if (list === undefined) {
    const hint = "correct the path; a list in it takes an index, and what is cloned itself holds no clones";
    return fail(where, `${path} leads to no list`, hint, [item]);
  }
  const children = childrenOf(list);
  const at = indexOf(list, entry.element) ?? -1;
  const element = children[at];
  if (element === undefined) {
    const message = `${path}: no element \`[${entry.element}]\` in a list of ${children.length}`;
    return fail(where, message, "correct the path, or add the element that is the template", [item]);
  }
  if (kindOf(element) === Kind.alias)
    return fail(where, "the element is a YAML alias", "write it out", [item]);
  const [from, to] = [element.row, field(element, Field.next)];
  const other = others.find((one) => from < one.to && one.from < to);
  if (other === undefined) return { entry, list, at, text: elementText(element), from, to };
  const message = `${path} meets \`${other.entry.path}\`, a template of \`Repeat/${other.entry.repeat.name}\``;
  return fail(where, message, "clone another element, or make both one entry", [item]);
}

/** The list at a path. */
function listAt(root: Node, steps: readonly Step[]): Node | undefined {
  let node: Node | undefined = root;
  for (const step of steps) {
    node = stepInto(node, step);
    if (node === undefined) return undefined;
    node = valueOf(node);
  }
  return isSequence(node) ? node : undefined;
}

function stepInto(node: Node, step: Step): Node | undefined {
  if ("key" in step && isMapping(node))
    return childrenOf(node).findLast((child) => keyText(child) === step.key);
  if (!("inList" in step) || !isSequence(node)) return undefined;
  const found = indexOf(node, step.inList);
  return found === undefined ? undefined : childrenOf(node)[found];
}

/** The texts of an element's clones. */
export function makeElements(
  { entry, scopes }: ListTask,
  template: string,
  holder: Item,
): readonly string[] | Failure {
  const texts: string[] = [];
  for (const scope of scopes) {
    const text = elementFor(scope, entry, template, holder);
    if (typeof text !== "string") return text;
    texts.push(text);
  }
  return texts;
}

/** The template's text with its fields set for one scope. */
function elementFor(scope: Scope, entry: ListEntry, template: string, holder: Item): string | Failure {
  const wanted = fieldValues(entry, scope, holder);
  if (isFailure(wanted)) return wanted;
  let left: readonly FieldValue[] = wanted;
  let text = template;
  for (let { declared: open } = entry; open !== undefined || left.length > 0; open = undefined) {
    const element = elementIn(text);
    if (element === undefined)
      return fail(
        entryPlace(entry),
        "the element that is the template cannot be read by itself",
        "write it out, without anchors",
      );
    const next = editsOf(element, left, entry);
    const declared = open === undefined ? [] : declaredEdits(element, entry, scope);
    if (isFailure(next)) return next;
    if (isFailure(declared)) return declared;
    const { bytes } = element.doc;
    text = withEdits(bytes, 0, bytes.length, [...next.edits, ...declared]).bytes.toString("utf8");
    left = next.left;
  }
  return text;
}

/** The element that a text is: after a dash, or what was between brackets. */
function elementIn(text: string): Node | undefined {
  const doc = readDocument(Buffer.from(text, "utf8"));
  if (isFault(doc)) return undefined;
  const root = { doc, row: 0 };
  return isDashed(text) ? childrenOf(root)[0] : root;
}
