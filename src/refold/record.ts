// What a folded item remembers: its target, a digest of its value, and each layer it replaced. Kept in an
// annotation as JSON, so that a later run can restore the references and fold anew.
import { Mark } from "../wire/annotation-names.ts";
import { createHash } from "node:crypto";
import type { Fold, Layer, LayerKind, RecordedLayer } from "../model.ts";
import { formatItem } from "../diagnostic.ts";
import { type Item, refOf } from "../wire/item.ts";

export interface Record {
  /** `Kind/[namespace/]name`. */
  readonly target: string;
  readonly digest: string;
  /** True if no target references the item, as its users do. */
  readonly alone?: boolean;
  readonly layers: readonly RecordedLayer[];
}

/** Digest of a value as it is written. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

export function recordOf({ stack, layers, text }: Pick<Fold, "stack" | "layers" | "text">): string {
  const record: Record = {
    target: formatItem(refOf(stack.target)),
    digest: digestOf(text),
    ...(stack.beside === undefined ? {} : { alone: true }),
    layers: layers.map(recordLayer),
  };
  return JSON.stringify(record);
}

function recordLayer({ item, kind, key, priority, reference }: Layer): RecordedLayer {
  const namespace = reference === undefined ? item.namespace : reference.namespace;
  const named = reference === undefined ? key : reference.key;
  return {
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name: reference?.name ?? item.name,
    ...(named === undefined ? {} : { key: named }),
    ...(reference?.optional === true ? { optional: true } : {}),
    priority,
    ...(reference === undefined ? {} : { slot: reference.slot }),
    ...(reference?.index === undefined ? {} : { index: reference.index }),
  };
}

/** Reads a record; undefined if it is not one that this program wrote. */
export function readRecord(item: Item): Record | undefined {
  try {
    const found: unknown = JSON.parse(item.annotations.get(Mark.foldedFrom) ?? "");
    return isRecord(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(found: unknown): found is Record {
  if (typeof found !== "object" || found === null) return false;
  const { target, digest, layers } = found as Partial<Record>;
  return (
    typeof target === "string" &&
    typeof digest === "string" &&
    Array.isArray(layers) &&
    layers.every(isRecordedLayer)
  );
}

function isRecordedLayer(found: unknown): found is RecordedLayer {
  if (typeof found !== "object" || found === null) return false;
  const { kind, name, priority } = found as Partial<RecordedLayer>;
  return (
    (["ConfigMap", "Secret"] satisfies LayerKind[]).includes(kind as LayerKind) &&
    typeof name === "string" &&
    typeof priority === "number"
  );
}
