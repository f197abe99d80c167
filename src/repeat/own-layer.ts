// The top layer of a clone of an App or a HelmRelease: its instance's own values, in an item that names the clone.
import { leafOf } from "../merge/tree.ts";
import { writeValues } from "../merge/write.ts";
import { Mark } from "../wire/annotation-names.ts";
import { type NewItem, renderItem } from "../wire/render.ts";
import { childrenOf, isMapping, type Node, valueOf } from "../yaml/tape.ts";
import { standalone } from "../yaml/standalone.ts";
import type { Made, Making } from "./clone.ts";
import type { Decision } from "./decision.ts";
import { readDraft } from "./draft.ts";
import { isTold, told, type Told } from "./faults.ts";
import { layerOrigin } from "./layer-origin.ts";
import { near } from "./origin.ts";
import { kindName } from "./conversions.ts";
import { fill } from "./placeholders.ts";

/** Above all that targets of a kind may name. */
const top: { readonly [kind: string]: string } = { App: "150", HelmRelease: "100" };
const keys: { readonly [kind: string]: string } = { App: "values", HelmRelease: "values.yaml" };

/** Undefined for an instance without values. */
export function makeLayer(making: Making, namespace: string | undefined): Layer | Told | undefined {
  const { entry, scope } = making;
  if (entry.values === undefined) return undefined;
  const filled = fill(entry.values, scope, entry.repeat);
  if (isTold(filled)) return filled;
  const where = { repeat: entry.repeat, ...entry.values };
  const value = "node" in filled ? valueOf(filled.node) : undefined;
  if (value === undefined || !isMapping(value)) {
    const got = value === undefined ? "text" : kindName(value);
    const hint = 'let one placeholder stand alone: `values: "{value.values}"`';
    return told("repeat-path", where, `expected a mapping of values, got ${got}`, hint);
  }
  if (childrenOf(value).length === 0) return undefined;
  const root = standalone(value);
  const layer =
    root === undefined
      ? undefined
      : layerOf(making, namespace, value, writeValues(leafOf(root)), filled.secret);
  if (layer !== undefined) return layer;
  return told("repeat-path", where, "the values cannot stand by themselves", "write them as a plain mapping");
}

/** A layer as an item, and what it is called. */
interface Layer {
  readonly made: Made;
  readonly named: Decision["named"];
}

function layerOf(
  { entry, embedding, name }: Making,
  namespace: string | undefined,
  values: Node,
  text: Uint8Array,
  secret: boolean,
): Layer | undefined {
  const item: NewItem = {
    kind: secret ? "Secret" : "ConfigMap",
    name: `${name}-values`,
    namespace,
    labels: new Map(),
    annotations: new Map([
      [Mark.into, `${entry.kind}/${name}`],
      [Mark.priority, top[entry.kind] ?? ""],
    ]),
    dataKey: keys[entry.kind] ?? "values",
    text,
    unencoded: true,
  };
  const isBlock = embedding.type === "block";
  const rendered = renderItem(item, embedding, "instead");
  const draft = {
    text: rendered,
    origin: near(entry.repeat.start),
    column: isBlock ? embedding.column : 0,
    dashed: isBlock,
  };
  const read = readDraft(draft);
  if (read === undefined) return undefined;
  const origin = layerOrigin(values, read.root, read.offset, item.dataKey, entry.repeat);
  return {
    made: { draft: { ...draft, origin }, ...read },
    named: { apiVersion: "v1", kind: item.kind, name: item.name, namespace },
  };
}
