// A field of an object with all that is in it, and where each part is written. It may come of a file, of a build, of a template
// or of several of these: whoever reads the field does not see which.
import { lineIndex, type Node } from "../yaml/index.ts";
import { type ChainValue, hidden, inBrackets, newScalar, oneLine } from "../explain/index.ts";
import type { Place, Variable } from "../explanation.ts";
import type { SourceText } from "./kustomize/marks.ts";
import { distinct } from "../grouped.ts";
import { remembered } from "../remembered.ts";

export type PlacedMembers = ReadonlyMap<string, Placed>;

type PlainScalar = string | number | boolean | null;

export interface Placed {
  readonly value: PlacedMembers | readonly Placed[] | PlainScalar | SecretScalar;
  readonly at: Place | undefined;
  /** The scalar as a file has it; absent for what is made. */
  readonly written?: Node;
  /** What a text is read from, where lines of the one are lines of the other. */
  readonly source?: SourceText | undefined;
  /** What a template filled in. */
  readonly variables?: readonly Variable[];
  /** The same for a line of a text, 1-based. */
  readonly variablesAt?: (line: number) => readonly Variable[];
}

type SecretParts = Pick<Placed, "value" | "written" | "source">;

let heldIn: (value: SecretScalar) => SecretParts;

/** What a build took from a Secret. Only `opened`, `plainIn`, `valuesIn` and `spelledIn` give it: a test lists who asks them. */
class SecretScalar {
  readonly #held: SecretParts;

  static {
    heldIn = (value) => value.#held;
  }

  constructor({ value, written, source }: SecretParts) {
    this.#held = { value, source, ...(written && { written }) };
  }
}

/** What is known of a part of a document. */
export interface PlacedPart {
  readonly at?: Place | undefined;
  /** What a text is read from, if nothing of it was changed. */
  readonly source?: SourceText | undefined;
  /** True for a scalar that a Secret set, or a part of it. */
  readonly isSecret?: boolean;
}

/** @param partAt asked for each part by its path */
export function placed(
  node: Node,
  partAt: (node: Node, path: readonly string[]) => PlacedPart,
  path: readonly string[] = [],
): Placed {
  const value = node.value;
  const { at, source, isSecret } = partAt(node, path);
  if (value.isMapping) {
    const members = [...value.entries()].map(([key, entry]): [string, Placed] => [
      key,
      placed(entry, partAt, [...path, key]),
    ]);
    return { value: new Map(members), at };
  }
  if (value.isSequence) {
    const elements = value.children().map((child, index) => placed(child, partAt, [...path, String(index)]));
    return { value: elements, at };
  }
  const own = { value: scalarIn(value), at, written: value, source };
  return isSecret === true ? hide(own) : own;
}

/** Many objects may be made of one: it is looked through once. */
const withSecrets = new WeakMap<Placed, boolean>();

/** True for what has something of a Secret in it. */
export function holdsSecret(field: Placed): boolean {
  return remembered(
    withSecrets,
    field,
    () => isHidden(field) || [...membersIn(field).values(), ...listIn(field)].some(holdsSecret),
  );
}

export function isHidden(field: Placed | undefined): boolean {
  return field?.value instanceof SecretScalar;
}

/** The same with each part hidden. */
export function hide(field: Placed): Placed {
  const { value, written: _, source: _source, ...rest } = field;
  if (value instanceof SecretScalar) return field;
  if (value instanceof Map) {
    const members = [...membersIn(field)].map(([key, each]): [string, Placed] => [key, hide(each)]);
    return { ...rest, value: new Map(members) };
  }
  return { ...rest, value: Array.isArray(value) ? listIn(field).map(hide) : new SecretScalar(field) };
}

/** A scalar as it is, for what is hidden itself. */
export function opened(field: Placed): Placed {
  return field.value instanceof SecretScalar ? { ...field, ...heldIn(field.value) } : field;
}

/** Of what is no scalar it is null. */
export function scalarIn(value: Node): PlainScalar {
  if (!value.isScalar) return null;
  const { type, text } = value.resolved();
  if (type === "null") return null;
  if (type === "bool") return text === "true";
  return type === "int" || type === "float" ? Number(text) : value.text;
}

/** A text that is made of another one. */
export function placedText(
  text: string,
  { at }: Pick<Placed, "at">,
  more: Pick<Placed, "source" | "variables" | "variablesAt"> = {},
): Placed {
  return { value: text, at, ...more };
}

export function membersIn(field: Placed | undefined): PlacedMembers {
  return field?.value instanceof Map ? (field.value as PlacedMembers) : noMembers;
}

const noMembers: PlacedMembers = new Map();

export function listIn(field: Placed | undefined): readonly Placed[] {
  return Array.isArray(field?.value) ? (field.value as readonly Placed[]) : [];
}

/** A field below others. */
export function fieldIn(field: Placed | undefined, ...keys: readonly string[]): Placed | undefined {
  return keys.reduce<Placed | undefined>((at, key) => membersIn(at).get(key), field);
}

/** A scalar as a text; undefined for anything else, and for nothing. What is hidden has no text of its own. */
export function textIn(field: Placed | undefined): string | undefined {
  const value = field?.value;
  if (value instanceof SecretScalar) return hidden;
  return value === undefined || value === null || typeof value === "object" ? undefined : String(value);
}

export function isTrue(field: Placed | undefined): boolean {
  return field?.value === true;
}

/** As JavaScript values, with what is hidden. */
export function plainIn(field: Placed): unknown {
  const { value } = opened(field);
  if (value instanceof Map)
    return Object.fromEntries([...(value as PlacedMembers)].map(([key, each]) => [key, plainIn(each)]));
  return Array.isArray(value) ? (value as readonly Placed[]).map(plainIn) : value;
}

/** Its values, one by one, with what is hidden: a list is one value, and so is an empty mapping. */
export function valuesIn(field: Placed, path: readonly string[] = []): readonly ChainValue[] {
  const members = membersIn(field);
  if (field.value instanceof Map && members.size > 0)
    return [...members].flatMap(([key, each]) => valuesIn(each, [...path, key]));
  const variables = variablesIn(field);
  return [
    {
      path,
      text: spelledIn(field),
      at: field.at ?? { of: "text" },
      ...(variables.length === 0 ? {} : { variables }),
    },
  ];
}

function variablesIn(field: Placed): readonly Variable[] {
  const inside = [...membersIn(field).values(), ...listIn(field)].flatMap(variablesIn);
  const all = [...(field.variables ?? []), ...inside];
  return distinct(all, ({ name }) => name);
}

/** One line of YAML. */
export function spelledIn(field: Placed, scalar: (node: Node) => string = oneLine): string {
  const { value, written } = opened(field);
  if (written !== undefined) return scalar(written);
  if (Array.isArray(value))
    return `[${(value as readonly Placed[]).map((each) => spelledIn(each, inBrackets)).join(", ")}]`;
  if (!(value instanceof Map)) return newScalar(value);
  const entries = [...(value as PlacedMembers)].map(
    ([key, each]) => `${newScalar(key)}: ${spelledIn(each, inBrackets)}`,
  );
  return `{${entries.join(", ")}}`;
}

/** The places of a file. @param file how they name it */
export function placesOfFile(file: string, bytes: Uint8Array): (offset: number) => Place {
  let index: ReturnType<typeof lineIndex> | undefined;
  return (offset) => ({ of: "file", file, ...(index ??= lineIndex(bytes))(offset) });
}
