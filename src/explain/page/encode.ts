// An explanation → its form in the page.
import type {
  ExplainedLayer,
  ExplainedStack,
  ExplainedTarget,
  ExplainedValue,
  Explanation,
  OverriddenValue,
  Place,
} from "../../explanation.ts";
import type { Noted } from "../notes.ts";
import type { EncodedLayer, EncodedPage, EncodedStack, EncodedTarget, Ground, LayerForm } from "./encoded.ts";
import { writeNumber } from "./numbers.ts";
import { type Row, RowWriter } from "./rows.ts";

export function encode({ targets }: Explanation): EncodedPage {
  const tables = new Tables();
  const encoded = targets.map((target) => encodeTarget(target, tables));
  return {
    strings: tables.strings.all,
    paths: tables.paths.all.join(""),
    grounds: tables.grounds.all,
    layers: tables.layers.all,
    targets: encoded,
  };
}

/** Things that are written once, and named by their number. */
class Once<Thing> {
  readonly all: Thing[] = [];
  private readonly numbers = new Map<string, number>();

  numberOf(key: string, make: () => Thing): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.all.length);
    return this.all.push(make()) - 1;
  }
}

class Tables {
  readonly strings = new Once<string>();
  readonly paths = new Once<string>();
  readonly grounds = new Once<Ground>();
  readonly layers = new Once<LayerForm>();

  string(text: string): number {
    return this.strings.numberOf(text, () => text);
  }

  path(keys: readonly string[]): number {
    let path = 0;
    for (const key of keys) {
      const step = writeNumber(path) + writeNumber(this.string(key));
      path = 1 + this.paths.numberOf(step, () => step);
    }
    return path;
  }

  /** From 1: a value may have no place. */
  ground({ line: _line, column: _column, ...ground }: Place): number {
    return 1 + this.grounds.numberOf(JSON.stringify(ground), () => ground);
  }

  layer({ id: _id, sets: _sets, overridden: _overridden, ...form }: ExplainedLayer): number {
    return this.layers.numberOf(JSON.stringify(form), () => form);
  }
}

function encodeTarget(target: ExplainedTarget, tables: Tables): EncodedTarget {
  const ids = target.stacks.flatMap(({ layers }) => layers.map(({ id }) => id));
  const places = new Map(ids.map((id, place) => [id, place]));
  return { ...target, stacks: target.stacks.map((stack) => encodeStack(stack, places, tables)) };
}

function encodeStack(
  { values, layers, ...stack }: ExplainedStack,
  places: ReadonlyMap<string, number>,
  tables: Tables,
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

function notedOf({ elements, rule, protected: who, schema }: ExplainedValue): Noted {
  return {
    ...(elements && { elements }),
    ...(rule !== undefined && { rule }),
    ...(who !== undefined && { protected: who }),
    ...(schema && { schema }),
  };
}

function encodeLayer(layer: ExplainedLayer, tables: Tables): EncodedLayer {
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
