// What the library reads and a Go reader refuses, or takes for something else: told row by row.
import type { ReadFault } from "./fault.ts";
import { resolveKey, resolveValue } from "./resolve.ts";
import {
  type Document,
  Field,
  field,
  fieldCount,
  isFlow,
  isScalar,
  Kind,
  kindOf,
  type Node,
  parentOf,
} from "./tape.ts";

export function foreignFaults(doc: Document): ReadFault[] {
  const faults: ReadFault[] = [];
  for (let row = 0; row < doc.rows.length / fieldCount; row++) {
    const node = { doc, row };
    const parent = parentOf(node);
    const isBetweenBrackets = parent !== undefined && isFlow(parent);
    const [keyStart, keyEnd] = [field(node, Field.keyStart), field(node, Field.keyEnd)];
    const [start, body, end] = [field(node, Field.start), field(node, Field.body), field(node, Field.end)];
    if (keyStart >= 0 && resolveKey(node) === undefined) faults.push(misfit(keyStart));
    if (start < body && isScalar(node) && resolveValue(node) === undefined) faults.push(misfit(start));
    if (!isBetweenBrackets) continue;
    if (field(node, Field.keyKind) === Kind.plain) faults.push(...unquoted(node, keyStart, keyEnd));
    if (kindOf(node) === Kind.plain) faults.push(...unquoted(node, body, end));
  }
  return faults;
}

function misfit(offset: number): ReadFault {
  return { code: "syntax", message: "the tag does not fit its text", offset };
}

/** In plain text between brackets Go takes a `?` for the mark of a key, wherever it stands, and a `:` at its start. */
function unquoted({ doc }: Node, from: number, to: number): ReadFault[] {
  const isColon = from < to && doc.bytes[from] === 0x3a;
  const found = isColon ? 0 : doc.bytes.subarray(from, to).indexOf(0x3f);
  if (found < 0) return [];
  const got = isColon ? "that starts with `:`" : "that holds a `?`";
  return [{ code: "syntax", message: `between brackets text ${got} needs quotes`, offset: from + found }];
}
