// An explanation → its form in the page.
import type {
  ExplainedLayer,
  ExplainedStack,
  ExplainedTarget,
  ExplainedValue,
  Explanation,
  OverriddenValue,
} from "../../explanation.ts";
import type { Noted } from "../notes.ts";
import type {
  EncodedLayer,
  EncodedPage,
  EncodedSources,
  EncodedStack,
  EncodedTarget,
  LayerForm,
} from "./encoded.ts";
import { type Row, RowWriter } from "./rows.ts";
import { Once, Tables } from "./tables.ts";

/** Where a reader of the page finds the files that its places name. */
export interface SourceLinks {
  /** A URL with `{file}`, and perhaps `{line}`. */
  readonly template: string;
  /** What `{file}` becomes; undefined for a file without a link. */
  readonly pathOf: (file: string) => string | undefined;
}

export function encode({ targets }: Explanation, links?: SourceLinks): EncodedPage {
  const tables = new PageTables();
  const encoded = targets.map((target) => encodeTarget(target, tables));
  return {
    ...(links && { sources: sourcesOf(targets, tables, links) }),
    strings: tables.strings.all,
    paths: tables.paths.all.join(""),
    grounds: tables.grounds.all,
    layers: tables.layers.all,
    targets: encoded,
  };
}

class PageTables extends Tables {
  readonly layers = new Once<LayerForm>();

  layer({ id: _id, sets: _sets, overridden: _overridden, ...form }: ExplainedLayer): number {
    return this.layers.numberOf(JSON.stringify(form), () => form);
  }
}

function sourcesOf(
  targets: readonly ExplainedTarget[],
  { grounds, layers }: PageTables,
  { template, pathOf }: SourceLinks,
): EncodedSources {
  const places = [...targets, ...layers.all].map(({ at }) => at);
  const files = new Set([...places, ...grounds.all].flatMap((place) => place?.file ?? []));
  const linked = [...files].flatMap((file): EncodedSources["files"] => {
    const path = pathOf(file);
    return path === undefined ? [] : [path === file ? [file] : [file, path]];
  });
  return { template, files: linked };
}

function encodeTarget(target: ExplainedTarget, tables: PageTables): EncodedTarget {
  const ids = target.stacks.flatMap(({ layers }) => layers.map(({ id }) => id));
  const places = new Map(ids.map((id, place) => [id, place]));
  return { ...target, stacks: target.stacks.map((stack) => encodeStack(stack, places, tables)) };
}

function encodeStack(
  { values, layers, ...stack }: ExplainedStack,
  places: ReadonlyMap<string, number>,
  tables: PageTables,
): EncodedStack {
  const writer = new RowWriter();
  for (const value of values) {
    writer.value(rowOf(value, places, tables), tables.path(value.path), value.over.length);
    for (const over of value.over) writer.over(rowOf(over, places, tables), over.effect);
  }
  const notes = values.flatMap((value, index) => {
    const noted = notedOf(value);
    return Object.keys(noted).length === 0 ? [] : [[index, noted] as const];
  });
  const encoded = { ...stack, layers: layers.map((layer) => encodeLayer(layer, tables)), rows: writer.text };
  return notes.length === 0 ? encoded : { ...encoded, notes };
}

function notedOf({ elements, rule, protected: who, schema, rendered }: ExplainedValue): Noted {
  return {
    ...(rendered && { rendered }),
    ...(elements && { elements }),
    ...(rule !== undefined && { rule }),
    ...(who !== undefined && { protected: who }),
    ...(schema && { schema }),
  };
}

function encodeLayer(layer: ExplainedLayer, tables: PageTables): EncodedLayer {
  return [tables.layer(layer), layer.id, layer.sets ?? null, layer.overridden ?? null];
}

function rowOf(
  { by, text, at, mapping = false }: Omit<OverriddenValue, "effect">,
  places: ReadonlyMap<string, number>,
  tables: Tables,
): Row {
  const layer = places.get(by);
  if (layer === undefined) throw new Error(`no layer ${by} in the target`);
  return {
    layer,
    mapping,
    text: text === undefined ? 0 : 1 + tables.string(text),
    ground: at === undefined ? 0 : tables.ground(at),
    line: at?.line ?? 0,
    column: at?.column ?? 0,
  };
}
