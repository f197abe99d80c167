// What is rendered: each instance with its variables, and the files that its layers may have.
import type { Report } from "../report/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { FileRequest } from "./need.ts";
import type { Render } from "./read-settings.ts";
import type { LayerOf, LayerPartKind, LayoutSchema } from "./schema.ts";
import { filled, unknownVariable, type Variables } from "./variables.ts";
import { errorAt, inInstance } from "./faults.ts";

export interface RenderInstance {
  readonly render: Render;
  readonly schema: LayoutSchema;
  readonly name: string;
  readonly variables: Variables;
  /** The directory, as the edge finds it. */
  readonly root: string;
}

export const partKinds = ["configMap", "secret"] as const;
const parts = ["values", "templates", "patches"] as const;

/** Which file of a layer. */
export interface LayerPart {
  readonly layer: string;
  readonly part: (typeof parts)[number];
  readonly kind: LayerPartKind;
}

/** A file that a layer may have. */
export interface Slot extends LayerPart {
  readonly ask: FileRequest;
  /** Which pieces must be there. */
  readonly required: readonly boolean[];
}

/** The parts of a layer for which it names a file. */
export function partsOf(layer: LayerOf): readonly LayerPart[] {
  return parts.flatMap((part) =>
    partKinds
      .filter((kind) => layer[part][kind].name !== "")
      .map((kind) => ({ layer: layer.id, part, kind })),
  );
}

/** All files that an instance may have. Undefined for one whose path has a fault. */
export function slotsOf(instance: RenderInstance, report: Report): readonly (Slot | undefined)[] {
  return instance.schema.layers.flatMap((layer) =>
    partsOf(layer).map((part) => slotOf(layer, part, instance, report)),
  );
}

function slotOf(
  layer: LayerOf,
  slot: LayerPart,
  { variables, root, name }: RenderInstance,
  report: Report,
): Slot | undefined {
  const { part, kind } = slot;
  const path = [layer.path, layer[part].path];
  const file = layer[part][kind];
  const paths = [...path.map(({ directory }) => directory), file.name].map((text) => pathIn(text, variables));
  const at = { text: `schema, layer ${layer.id}, ${part}` };
  // A path that leads up may come from a value of this instance; an unknown variable is the schema's fault, reported once.
  const atInstance = { ...at, ...inInstance(name) };
  const faults = paths.flatMap((each) => ("fault" in each ? [each.fault] : []));
  report.all(faults.map((fault) => ({ ...fault, at: fault.code === "file-refused" ? atInstance : at })));
  if (faults.length > 0) return undefined;
  const pieces = paths.map((each) => ("names" in each ? each.names : []));
  return { ...slot, ask: { root, pieces }, required: [...path, file].map(({ required }) => required) };
}

/** The names of a path that is filled in; nothing in it leads up. */
export function pathIn(
  text: string,
  variables: Variables,
): { readonly names: readonly string[] } | { readonly fault: Diagnostic } {
  const path = filled(text, variables);
  if ("unknown" in path) return { fault: unknownVariable(path.unknown, variables) };
  const names = namesOf(path.text);
  return names.includes("..") || path.text.includes("\0") ? { fault: leadsUp(text) } : { names };
}

export function namesOf(path: string): readonly string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

function leadsUp(text: string): Diagnostic {
  return errorAt(
    "file-refused",
    undefined,
    `the path \`${text}\` leads out of its layer`,
    "a path of the schema, and what variables bring into it, holds no `..`",
  );
}

export function pathText(pieces: FileRequest["pieces"]): string {
  return pieces.flat().join("/");
}
