// Where the text of a schema comes from, and the faults of a schema itself.
import type { Node } from "../yaml/index.ts";
import { pathText } from "../merge/index.ts";
import type { Diagnostic, ItemRef, Position } from "../diagnostic.ts";

export interface SchemaText {
  /** The document. Its text is the name that messages use. */
  readonly position: Position;
  /** The item that contains it. Absent for a file, and for a schema in the settings. */
  readonly item?: ItemRef;
  /** For a schema in the settings: its path there. */
  readonly field?: string;
  /** The position of a byte offset; absent for a schema in the settings, which has only a path of keys. */
  readonly locate?: (offset: number) => Partial<Position>;
}

/** A schema, or another part of its document. */
export interface SchemaPart {
  readonly resource: { readonly source: SchemaText };
  readonly node: Node;
  /** Keys and indices from the top of the document. */
  readonly path: readonly string[];
}

/** A keyword of a schema. */
export function keywordIn({ resource, node, path }: SchemaPart, keyword: string): SchemaPart {
  return { resource, node: node.value.entry(keyword) ?? node, path: [...path, keyword] };
}

export function positionIn({ resource, node, path }: SchemaPart): Position {
  const { position, locate } = resource.source;
  // A schema in a function config has no lines: its path identifies the place.
  if (locate === undefined) return { ...position, text: position.text + path.map(step).join("") };
  const entry = node.entryStart;
  return { ...position, ...locate(entry < 0 ? node.start : entry) };
}

/** What is wrong with a schema itself. */
export function schemaFault(
  part: SchemaPart,
  message: string,
  more: Partial<Pick<Diagnostic, "code" | "hint" | "also" | "reason">> = {},
): Diagnostic {
  const { item, field: own } = part.resource.source;
  const place = own === undefined ? undefined : own + part.path.map(step).join("");
  return {
    code: "invalid-schema",
    severity: "error",
    // The results of a KRM function have no field for a path in the settings.
    message: place === undefined ? message : `\`${place}\`: ${message}`,
    at: positionIn(part),
    hint: "correct the schema at this place",
    ...(item === undefined ? {} : { item }),
    ...(place === undefined ? {} : { field: place }),
    ...more,
  };
}

/** A key as a part of a path. */
export function step(key: string): string {
  const text = pathText([key]);
  return text.startsWith("[") ? text : `.${text}`;
}
