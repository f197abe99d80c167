// Where cloned elements are in their lists. Indices count against the list as it was: elements cloned before one move it.
import {
  childrenOf,
  isFault,
  isMapping,
  isSequence,
  keyText,
  type Node,
  readDocument,
  type Step,
  valueOf,
} from "../core/index.ts";
import { elementContent, elementText, type ListRecord } from "./record.ts";
import { indexOf } from "./fields.ts";
import { stepsOf } from "./setting.ts";

/** A record, the list that it is about, and the index of its first clone. */
export interface PlacedRecord {
  readonly record: ListRecord;
  readonly list: Node;
  readonly at: number;
}

/** Records with their lists, shorter paths first. A list may be gone. */
export function placedIn(root: Node, records: readonly ListRecord[]): PlacedRecord[] {
  const placed: PlacedRecord[] = [];
  const withSteps = records.flatMap((record) => {
    const steps = stepsOf(record.path);
    return steps === undefined ? [] : [{ record, steps }];
  });
  for (const { record, steps } of withSteps.toSorted((a, b) => a.steps.length - b.steps.length)) {
    const list = listAt(root, steps.slice(0, -1), placed);
    if (list !== undefined) placed.push({ record, list, at: 0 });
  }
  return placed.map((one) => ({
    ...one,
    at: one.record.index + shiftBefore(one.list, one.record.index, placed),
  }));
}

/** The list at a path; indices count in lists as they were. Undefined if it is not there. */
export function listAt(
  root: Node,
  steps: readonly Step[],
  placed: readonly Omit<PlacedRecord, "at">[],
): Node | undefined {
  let node = root;
  for (const step of steps) {
    const next = stepInto(node, step, placed);
    if (next === undefined) return undefined;
    node = valueOf(next);
  }
  return isSequence(node) ? node : undefined;
}

function stepInto(node: Node, step: Step, placed: readonly Omit<PlacedRecord, "at">[]): Node | undefined {
  if ("key" in step && isMapping(node))
    return childrenOf(node).findLast((child) => keyText(child) === step.key);
  if (!("inList" in step) || !isSequence(node)) return undefined;
  const found = indexOf(node, step.inList);
  if (found === undefined) return undefined;
  const isIndex = /^\d+$/.test(step.inList);
  if (isIndex && placed.some(({ list, record }) => list.row === node.row && record.index === found))
    return undefined;
  return childrenOf(node)[isIndex ? found + shiftBefore(node, found, placed) : found];
}

/** How far an element has moved since the list was as it was. */
export function shiftBefore(list: Node, index: number, placed: readonly Omit<PlacedRecord, "at">[]): number {
  return placed
    .filter((one) => one.list.row === list.row && one.record.index < index)
    .reduce((sum, { record }) => sum + record.clones.length - 1, 0);
}

/** What each list was before elements were cloned in it; undefined where clones are not as they were made. */
export function collapsedIn(
  root: Node,
  records: readonly ListRecord[],
): ReadonlyMap<number, readonly string[]> | undefined {
  const placed = placedIn(root, records);
  if (placed.length < records.length) return undefined;
  const collapsed = new Map<number, readonly string[]>();
  for (const { list } of placed) {
    if (collapsed.has(list.row)) continue;
    const own = placed.filter((one) => one.list.row === list.row).toSorted((a, b) => b.at - a.at);
    const texts = childrenOf(list).map((child) => elementText(child, new Map()));
    const digests = childrenOf(list).map(elementContent);
    for (const { record, at } of own) {
      if (!record.clones.every(([, digest], index) => digests[at + index] === digest)) return undefined;
      const template = elementIn(record.template);
      if (template === undefined) return undefined;
      texts.splice(at, record.clones.length, elementText(template, new Map()));
    }
    collapsed.set(list.row, texts);
  }
  return collapsed;
}

/** The element that a record's text is: after a dash, or what was between brackets. */
export function elementIn(text: string): Node | undefined {
  const doc = readDocument(Buffer.from(text, "utf8"));
  if (isFault(doc)) return undefined;
  const root = { doc, row: 0 };
  return isDashed(text) ? childrenOf(root)[0] : root;
}

/** True for the lines of a block list. */
export function isDashed(text: string): boolean {
  return /^(?:[ \t]*(?:#[^\n]*)?\n)*-(?:[ \n]|$)/.test(text);
}
