// New layers, and what is changed in what a layer holds.
import { type Around, fileFor, fresh } from "./choices.ts";
import type { Change } from "./documents.ts";
import { nastyValues } from "./nasty.ts";
import { type KubeObject, type LayerKind, noteOf } from "./repository.ts";
import type { Step } from "./steps.ts";
import { layerText } from "./texts.ts";
import { valuesText } from "./values.ts";

export function newLayer(
  around: Around,
  {
    name = `l${fresh(around)}`,
    ...place
  }: {
    name?: string;
    kind: LayerKind;
    namespace: string;
    notes: Readonly<Record<string, string>>;
    key?: string;
  },
): Step {
  const { random } = around;
  const text = freshValues(around, place.kind);
  const shape = { key: "values.yaml", ...place, name, text };
  return { do: "put", file: fileFor(around, layerText(shape, random)) };
}

function freshValues({ random, nasty }: Around, kind: string): string {
  if (nasty && !random.once(3)) return nastyValues(random, kind === "Secret");
  return random.once(40) && kind === "ConfigMap"
    ? "a: {b: ${v1}}\n"
    : valuesText(random, { secret: kind === "Secret", variables: kind === "ConfigMap" });
}

/** Where the values stand, and how they are written there. */
function datumOf(layer: KubeObject): { path: [string, string]; text: string; encoded: boolean } | undefined {
  const part = layer.stringData === undefined ? "data" : "stringData";
  const [first] = Object.entries(layer[part] ?? {});
  if (first === undefined) return undefined;
  const encoded = layer.kind === "Secret" && part === "data";
  const text = encoded ? Buffer.from(first[1], "base64").toString("utf8") : first[1];
  return { path: [part, first[0]], text, encoded };
}

export function dataChange(around: Around, layer: KubeObject, more?: string): readonly Change[] {
  const datum = datumOf(layer);
  if (datum === undefined) return [];
  const { path, text, encoded } = datum;
  const next = more === undefined ? freshValues(around, layer.kind) : `${text.replace(/\n?$/, "\n")}${more}`;
  return [[path, encoded ? Buffer.from(next, "utf8").toString("base64") : next]];
}

export function renamedKey({ random }: Around, layer: KubeObject): readonly Change[] {
  const datum = datumOf(layer);
  if (datum === undefined) return [];
  const { path } = datum;
  const key = random.pick(["values", "values.yaml", "values.yaml", "prod.yaml"]);
  const value = (path[0] === "data" ? layer.data : layer.stringData)?.[path[1]];
  return key === path[1] ? [] : [[path], [[path[0], key], value]];
}

/** A second key, and the annotation that says which one counts; or only one again. */
export function namedKey(around: Around, layer: KubeObject): readonly Change[] {
  const datum = datumOf(layer);
  if (datum === undefined) return [];
  const { path, encoded } = datum;
  const note = ["metadata", "annotations", "valuefold.dev/key"];
  if (noteOf(layer, "valuefold.dev/key") !== undefined) return [[note], [[path[0], "second.yaml"]]];
  const text = freshValues(around, layer.kind);
  const value = encoded ? Buffer.from(text, "utf8").toString("base64") : text;
  return [
    [note, around.random.pick([path[1], "second.yaml"])],
    [[path[0], "second.yaml"], value],
  ];
}
