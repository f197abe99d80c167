// The top layer of a clone of an App or a HelmRelease: its instance's own values, in an item that names the clone. Its
// values are found in the Repeat again, line by line, where they were copied as they are.
import { extentOf, lineIndex, type Node, standalone } from "../yaml/index.ts";
import { factsOf } from "../kinds.ts";
import { leafOf, writeValues } from "../merge/index.ts";
import { Mark, renderItem } from "../krm/index.ts";
import type { PlaceInInput } from "../report/index.ts";
import { type CloneInputs, type MadeClone, ownNotes } from "./clone.ts";
import { Draft, madeFor } from "./draft.ts";
import { refusal } from "./faults.ts";
import { entryPlace, kindName } from "./model.ts";
import { fillIn } from "./placeholders.ts";

/** Undefined for an instance without values. */
export function makeLayer(making: CloneInputs, namespace: string | undefined): MadeClone | undefined {
  const { entry, scope, embedding, name } = making;
  const facts = factsOf(entry.kind);
  if (entry.values === undefined || facts === undefined) return undefined;
  // A Secret if its values may be in nothing else.
  const kind = scope.instance.value.isSecret ? "Secret" : "ConfigMap";
  const named = { apiVersion: "v1", kind, name: `${name}-values`, namespace } as const;
  const item = {
    ...named,
    labels: new Map<string, string>(),
    annotations: new Map([
      [Mark.into, `${entry.kind}/${name}`],
      // Above all other layers of the clone.
      [Mark.priority, String(facts.maxPriority)],
      ...ownNotes(making, named, { part: "values" }),
    ]),
    dataKey: facts.dataKey,
    unencoded: true,
  };
  const where = entryPlace(entry, entry.values);
  const content = fillIn(entry.values.text, { scope, where, sink: item, field: "data", into: "its layer" });
  const values = "node" in content ? content.node.value : undefined;
  if (values === undefined || !values.isMapping) {
    const got = values === undefined ? "a string" : kindName(values);
    const hint = 'write one placeholder alone: `values: "{value.values}"`';
    throw refusal(where, `expected a mapping of values, got ${got}`, hint);
  }
  if (values.children().length === 0) return undefined;
  const root = standalone(values);
  if (root === undefined)
    throw refusal(where, "the values are not a document by themselves", "write them as a plain mapping");
  const text = writeValues(leafOf(root));
  const made = renderItem({ ...item, text }, embedding, "instead");
  // Instances in a data key are lines of another text.
  const isInList = values.doc.bytes === entry.repeat.bytes;
  const origin = isInList ? originOfLines(made, text, values) : madeFor(entry.repeat.start);
  return { draft: Draft.ofText(made, embedding, origin), named };
}

/**
 * The lines of a layer's text are the last of its item. Each ends as the line of the Repeat does that it was made of.
 * @param made the item @param text of the layer @param values what it was made of
 */
function originOfLines(made: Buffer, text: Uint8Array, values: Node): PlaceInInput {
  const { bytes } = values.doc;
  const [start, end] = spanOf(values);
  const lineIn = lineIndex(made);
  const first = lineIn(made.length - 1).line - lineEnds(text, 0, text.length).length;
  // Few runs need them.
  let ends: readonly number[] | undefined;
  return (offset) => {
    ends ??= lineEnds(bytes, start, end);
    const given = ends[lineIn(offset).line - first - 1];
    const rest = made.subarray(offset, made.indexOf(0x0a, offset));
    const at = given === undefined ? start : given - rest.length;
    const isExact = given !== undefined && bytes.subarray(at, given).equals(rest);
    return { at: isExact ? at : start, isExact };
  };
}

/** The values with the comments above them. */
function spanOf(values: Node): readonly [start: number, end: number] {
  const children = values.children();
  const [first, last] = [children[0] as Node, children.at(-1) as Node];
  if (values.isFlow) return [values.start, values.end];
  return [extentOf(first).comments, extentOf(last).end];
}

function lineEnds(bytes: Uint8Array, start: number, end: number): readonly number[] {
  const ends: number[] = [];
  for (let at = start; at < end; at = (ends.at(-1) ?? at) + 1) {
    const found = bytes.indexOf(0x0a, at);
    ends.push(found < 0 || found > end ? end : found);
  }
  return ends;
}
