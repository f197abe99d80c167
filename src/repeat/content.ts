// The content of an item, whatever its spelling, the order of its keys and the notes of orchestrators on it. By it a clone
// that a user edited differs from one that was only written again.
import {
  childrenOf,
  entriesOf,
  isMapping,
  isSequence,
  Mark,
  type Node,
  resolveScalar,
  scalarText,
  valueOf,
} from "../core/index.ts";
import { hash } from "node:crypto";

/** Annotations by which others find an item again, or in which the fold remembers something. */
const notes: readonly string[] = [
  Mark.repeatedFrom,
  Mark.repeatedLists,
  Mark.templateOf,
  Mark.foldedKeys,
  Mark.kept,
  Mark.localConfig,
  Mark.legacyPath,
  Mark.origin,
  Mark.kustomizeId,
  "config.kubernetes.io/index",
  "config.k8s.io/id",
  "alpha.config.kubernetes.io/transformations",
];

/** True for what an orchestrator or valuefold writes on an item, and takes off again. */
export function isNote(annotation: string): boolean {
  return notes.includes(annotation) || annotation.startsWith("internal.config.kubernetes.io/");
}

/** Lists in which elements are cloned: their content before that. */
type Collapsed = ReadonlyMap<number, readonly string[]>;

export interface Content {
  /** All of it. */
  readonly whole: string;
  /** Without what the fold itself writes in it: references. */
  readonly own: string;
}

/** Fields that the fold rewrites. */
export const folded: ReadonlyMap<string, readonly string[]> = new Map([
  ["App", ["config", "userConfig", "extraConfigs"]],
  ["HelmRelease", ["valuesFrom"]],
]);

/** The content of an item, as digests. */
export function contentOf(root: Node, kind: string, collapsed: Collapsed = new Map()): Content {
  const parts = new Map<string, string>();
  for (const [key, entry] of entriesOf(root)) {
    const value = valueOf(entry);
    if (key === "metadata" && isMapping(value)) parts.set(key, metadataText(value));
    else if (key !== "status") parts.set(key, textOf(value, collapsed));
  }
  const own = new Map(parts);
  const spec = entriesOf(root).get("spec");
  const names = folded.get(kind);
  if (names !== undefined && spec !== undefined && isMapping(valueOf(spec)))
    own.set(
      "spec",
      mappingText(valueOf(spec), collapsed, (key) => !names.includes(key)),
    );
  const annotated = isEditedInPlace(root);
  if (annotated) for (const key of ["data", "stringData", "binaryData"]) own.delete(key);
  return { whole: digest(joined(parts)), own: digest(joined(own)) };
}

/** Of an element of a list. */
export function elementContent(element: Node): string {
  return digest(textOf(valueOf(element), new Map()));
}

function digest(text: string): string {
  return hash("sha256", text, "hex").slice(0, 20);
}

function isEditedInPlace(root: Node): boolean {
  const metadata = entriesOf(root).get("metadata");
  const annotations =
    metadata === undefined || !isMapping(valueOf(metadata))
      ? undefined
      : entriesOf(valueOf(metadata)).get("annotations");
  return (
    annotations !== undefined &&
    isMapping(valueOf(annotations)) &&
    entriesOf(valueOf(annotations)).has(Mark.foldedKeys)
  );
}

function metadataText(metadata: Node): string {
  const parts = new Map<string, string>();
  for (const [key, entry] of entriesOf(metadata)) {
    const value = valueOf(entry);
    if (key !== "annotations" || !isMapping(value)) parts.set(key, textOf(value, new Map()));
    else {
      const text = mappingText(value, new Map(), (name) => !isNote(name));
      if (text !== "{}") parts.set(key, text);
    }
  }
  return joined(parts);
}

function textOf(value: Node, collapsed: Collapsed): string {
  if (isMapping(value)) return mappingText(value, collapsed);
  if (isSequence(value)) {
    const instead = collapsed.get(value.row);
    return `[${(instead ?? childrenOf(value).map((child) => elementText(child, collapsed))).join(",")}]`;
  }
  const { type, text } = resolveScalar(value);
  if (type === "float") return `float ${Number(scalarText(value))}`;
  return type === "string" || type === "merge" ? JSON.stringify(scalarText(value)) : `${type} ${text}`;
}

/** The content of an element. */
export function elementText(element: Node, collapsed: Collapsed): string {
  return textOf(valueOf(element), collapsed);
}

function mappingText(
  value: Node,
  collapsed: Collapsed,
  counts: (key: string) => boolean = () => true,
): string {
  const parts = new Map<string, string>();
  for (const [key, entry] of entriesOf(value))
    if (counts(key)) parts.set(key, textOf(valueOf(entry), collapsed));
  return joined(parts);
}

function joined(parts: ReadonlyMap<string, string>): string {
  const lines = [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${lines.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
}
