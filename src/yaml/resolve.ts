// Scalars and keys of a document as a Go reader sees them: by their tag, else by their text if they are not quoted.
import type { Resolved } from "./resolve-plain.ts";
import { keyText, scalarText, utf8 } from "./scalar.ts";
import { Field, field, Kind, kindOf, type Row } from "./tape.ts";
import { resolveTagged, splitProperties, tagIn } from "./tags.ts";

/** Identity of a node's key: what kind of key the consumer sees, and its text. */
export function keyOf(node: Row): Resolved {
  const text = keyText(node);
  const resolved = resolveKey(node, text) ?? { type: "string", text };
  return node.doc.spelledKeys === true ? { type: spelledType(resolved), text } : resolved;
}

/** If keys are compared by spelling, any key will do; but plain `on` next to `"on"` is two keys to some readers and one to others. */
function spelledType({ type }: Resolved): Resolved["type"] {
  return type === "null" || type === "big" ? "string" : type;
}

/** True for plain `null`, `~`, `Null`, `NULL` and nothing at all; in quotes only if a tag says so. */
export function isNull(node: Row): boolean {
  const kind = kindOf(node);
  const [start, body, end] = [field(node, Field.start), field(node, Field.body), field(node, Field.end)];
  const isShort = end - body <= "null".length + 2;
  const mayBe =
    start < body || (isPlain(kind) && (body === end || firstOfNull.includes(node.doc.bytes[body])));
  return mayBe && isShort && resolveScalar(node).type === "null";
}

/** `n`, `N` and `~`: plain text that begins otherwise is not null, and need not be decoded. */
const firstOfNull: readonly (number | undefined)[] = [0x6e, 0x4e, 0x7e];

export function resolveScalar(node: Row): Resolved {
  const text = scalarText(node);
  return resolveValue(node, text) ?? { type: "string", text };
}

/** Undefined where the key's tag does not fit its text. */
export function resolveKey(node: Row, text = keyText(node)): Resolved | undefined {
  const start = field(node, Field.keyStart);
  const isTagged = startsWithProperty(node, start);
  const tag = isTagged
    ? splitProperties(utf8(node.doc.bytes, start, field(node, Field.keyEnd))).tag
    : undefined;
  return resolveTagged(tag, text, isPlain(field(node, Field.keyKind)));
}

/** Undefined where the scalar's tag does not fit its text. */
export function resolveValue(node: Row, text = scalarText(node)): Resolved | undefined {
  const resolved = resolveTagged(tagOf(node), text, isPlain(kindOf(node)));
  // In a value `<<` is plain text.
  return resolved?.type === "merge" ? { type: "string", text } : resolved;
}

/** The tag of a value, as it is written. */
export function tagOf(node: Row): string | undefined {
  const start = field(node, Field.start);
  const body = field(node, Field.body);
  return start === body ? undefined : tagIn(utf8(node.doc.bytes, start, body));
}

function isPlain(kind: number): boolean {
  return kind === Kind.plain || kind === Kind.empty;
}

function startsWithProperty({ doc }: Row, start: number): boolean {
  return doc.bytes[start] === 0x21 || doc.bytes[start] === 0x26;
}
