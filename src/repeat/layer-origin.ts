// Where the values of a clone's own layer stand in its Repeat: line by line, where they were copied as they stand.
import type { Origin } from "../report/report.ts";
import { childOf, type Item } from "../wire/item.ts";
import { extentOf } from "../yaml/layout.ts";
import { placesInLiteral } from "../yaml/scalar.ts";
import { Field, field, firstChildOf, isFlow, Kind, kindOf, type Node } from "../yaml/tape.ts";
import { near } from "./origin.ts";

/** A line of the layer's values, and the same in the Repeat: offsets of what they both say. */
interface Line {
  readonly made: number;
  readonly given: number;
}

/** @param values what the layer was made of @param layer its root @param lead what stands before it in its document */
export function layerOrigin(values: Node, layer: Node, lead: number, key: string, repeat: Item): Origin {
  // Instances in a data key are lines of another text.
  if (values.doc.bytes !== repeat.bytes) return near(repeat.start);
  const start = isFlow(values) ? field(values, Field.start) : firstLineOf(values);
  const data = childOf(layer, "data") ?? childOf(layer, "stringData");
  const text = data === undefined ? undefined : childOf(data, key);
  // Few runs ask.
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

/** None where a line does not say the same in both: brackets over several lines, a text that was written anew. */
function linesOf(text: Node, values: Node, start: number): Line[] {
  const [made, given] = [text.doc.bytes, values.doc.bytes];
  const body = placesInLiteral(text)(1, 1);
  const said = made.toString("latin1", body, field(text, Field.end)).trimEnd();
  if (isFlow(values)) {
    const own = given.toString("latin1", start, field(values, Field.end));
    return said === own && !own.includes("\n") ? [{ made: body, given: start }] : [];
  }
  const [pad, column] = [columnOf(made, body), columnOf(given, start)];
  const lines: Line[] = [];
  let [at, from] = [body - pad, start - column];
  for (const line of said.split("\n")) {
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
