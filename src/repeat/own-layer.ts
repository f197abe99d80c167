// The top layer of a clone of an App or a HelmRelease: its instance's own values, in an item that names the clone. Its
// values are found in the Repeat again, line by line, where they were copied as they are.
import { entryPlace, type Filled, kindName } from "./model.ts";
import {
  childOf,
  childrenOf,
  extentOf,
  factsOf,
  Field,
  field,
  firstChildOf,
  isFlow,
  isMapping,
  type Item,
  Kind,
  kindOf,
  leafOf,
  Mark,
  type NewItem,
  type Node,
  type Origin,
  placesInLiteral,
  renderItem,
  standalone,
  valueOf,
  writeValues,
} from "../core/index.ts";
import { type CloneInputs, type MadeClone, noted, ownNotes, type UnnotedDraft } from "./clone.ts";
import { fill } from "./placeholders.ts";
import { madeFor, readDraft } from "./draft.ts";
import { isFailure, fail, type Failure } from "./faults.ts";

/** Undefined for an instance without values. */
export function makeLayer(
  making: CloneInputs,
  namespace: string | undefined,
): MadeClone | Failure | undefined {
  const { entry, scope } = making;
  if (entry.values === undefined) return undefined;
  const filled = fill(entry.values, scope, entry.repeat);
  const item = layerItem(making, namespace, filled);
  if (item === undefined) return undefined;
  const content = filled.writeTo(item, "data");
  if (isFailure(content)) return content;
  const where = entryPlace(entry, entry.values);
  const value = "node" in content ? valueOf(content.node) : undefined;
  if (value === undefined || !isMapping(value)) {
    const got = value === undefined ? "text" : kindName(value);
    const hint = 'write one placeholder alone: `values: "{value.values}"`';
    return fail(where, `expected a mapping of values, got ${got}`, hint);
  }
  if (childrenOf(value).length === 0) return undefined;
  const root = standalone(value);
  const draft =
    root === undefined ? undefined : layerOf(making, { ...item, text: writeValues(leafOf(root)) }, value);
  const named = { apiVersion: "v1", kind: item.kind, name: item.name, namespace };
  if (draft !== undefined) return { draft: noted(draft, ownNotes(making, named, { part: "values" })), named };
  return fail(where, "the values are not a document by themselves", "write them as a plain mapping");
}

/** The item of a layer: a Secret if its values may be in nothing else. */
function layerItem(
  { entry, name }: CloneInputs,
  namespace: string | undefined,
  values: Filled,
): Omit<NewItem, "text"> | undefined {
  const facts = factsOf(entry.kind);
  if (facts === undefined) return undefined;
  return {
    kind: values.isSecret ? "Secret" : "ConfigMap",
    name: `${name}-values`,
    namespace,
    labels: new Map(),
    annotations: new Map([
      [Mark.into, `${entry.kind}/${name}`],
      // Above all other layers of the clone.
      [Mark.priority, String(facts.maxPriority)],
    ]),
    dataKey: facts.dataKey,
    unencoded: true,
  };
}

function layerOf({ entry, embedding }: CloneInputs, item: NewItem, values: Node): UnnotedDraft | undefined {
  const isBlock = embedding.type === "block";
  const rendered = renderItem(item, embedding, "instead");
  const draft = {
    text: rendered,
    origin: madeFor(entry.repeat.start),
    column: isBlock ? embedding.column : 0,
    dashed: isBlock,
  };
  const read = readDraft(draft);
  if (read === undefined) return undefined;
  const origin = layerOrigin(values, read.root, read.offset, item.dataKey, entry.repeat);
  return { draft: { ...draft, origin }, ...read };
}

/** A line of the layer's values, and the same in the Repeat: the offsets of their equal text. */
interface Line {
  readonly made: number;
  readonly given: number;
}

/** @param values what the layer was made of @param layer its root @param lead what is before it in its document */
function layerOrigin(values: Node, layer: Node, lead: number, key: string, repeat: Item): Origin {
  // Instances in a data key are lines of another text.
  if (values.doc.bytes !== repeat.bytes) return madeFor(repeat.start);
  const start = isFlow(values) ? field(values, Field.start) : firstLineOf(values);
  const data = childOf(layer, "data") ?? childOf(layer, "stringData");
  const text = data === undefined ? undefined : childOf(data, key);
  // Few runs need them.
  let lines: readonly Line[] | undefined;
  return (offset) => {
    lines ??= text === undefined || kindOf(text) !== Kind.literal ? [] : linesOf(text, values, start);
    const line = lines.findLast(({ made }) => made <= offset + lead);
    return line === undefined
      ? { at: start, isExact: false }
      : { at: line.given + offset + lead - line.made, isExact: true };
  };
}

function firstLineOf(values: Node): number {
  const first = firstChildOf(values) ?? values;
  const { comments } = extentOf(first);
  return comments === field(first, Field.entry) ? comments : comments + field(first, Field.column);
}

/** Empty if a line differs in the two: brackets over several lines, a text that was written again. */
function linesOf(text: Node, values: Node, start: number): Line[] {
  const [made, given] = [text.doc.bytes, values.doc.bytes];
  const body = placesInLiteral(text)(1, 1);
  const copied = made.toString("latin1", body, field(text, Field.end)).trimEnd();
  if (isFlow(values)) {
    const own = given.toString("latin1", start, field(values, Field.end));
    return copied === own && !own.includes("\n") ? [{ made: body, given: start }] : [];
  }
  const [pad, column] = [columnOf(made, body), columnOf(given, start)];
  const lines: Line[] = [];
  let [at, from] = [body - pad, start - column];
  for (const line of copied.split("\n")) {
    const own = given.toString("latin1", from + column, Math.max(from + column, lineEnd(given, from)));
    if (own.trimEnd() !== (lines.length === 0 ? line : line.slice(pad)).trimEnd()) return [];
    lines.push({ made: at + pad, given: from + column });
    at = lineEnd(made, at) + 1;
    from = lineEnd(given, from) + 1;
  }
  return lines;
}

function columnOf(bytes: Buffer, offset: number): number {
  return offset - (bytes.lastIndexOf(0x0a, offset - 1) + 1);
}

function lineEnd(bytes: Buffer, offset: number): number {
  const found = bytes.indexOf(0x0a, offset);
  return found < 0 ? bytes.length : found;
}
