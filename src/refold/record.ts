// What a folded item remembers: its target, a digest of its value, and each layer it replaced. Kept in an
// annotation as JSON, so that a later run can restore the references and fold anew.
import { Mark } from "../wire/annotation-names.ts";
import { isLayerKind } from "../layer/held.ts";
import type { Fold, Layer, RecordedLayer } from "../model.ts";
import { describe, type Item } from "../wire/item.ts";

/** What a folded item was folded from, as its annotation holds it. */
export interface FoldRecord {
  /** `Kind/[namespace/]name`. */
  readonly target: string;
  readonly digest: string;
  /** True if no target references the item, as its users do. */
  readonly alone?: boolean;
  readonly layers: readonly RecordedLayer[];
}

export function recordOf({ stack, layers, text }: Fold): string {
  const record: FoldRecord = {
    target: describe(stack.target),
    digest: text.digest(),
    ...(stack.beside === undefined ? {} : { alone: true }),
    layers: layers.map(recordLayer),
  };
  return JSON.stringify(record);
}

function recordLayer({ item, key, priority, reference }: Layer): RecordedLayer {
  const namespace = reference === undefined ? item.namespace : reference.namespace;
  const named = reference === undefined ? key : reference.key;
  return {
    kind: item.kind,
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
export function readRecord(item: Item): FoldRecord | undefined {
  try {
    const found: unknown = JSON.parse(item.annotations.get(Mark.foldedFrom) ?? "");
    return isRecord(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(found: unknown): found is FoldRecord {
  if (typeof found !== "object" || found === null) return false;
  const { target, digest, layers } = found as Partial<FoldRecord>;
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
    typeof kind === "string" && isLayerKind(kind) && typeof name === "string" && typeof priority === "number"
  );
}
