// What is rendered: each instance with its variables, and the files that its layers may have.
import type { Diagnostic } from "../diagnostic.ts";
import type { FileRequest } from "./need.ts";
import type { Render } from "./read-settings.ts";
import type { LayerOf, PartKind, Schema } from "./schema.ts";
import { filled, unknownVariable, type Variables } from "./variables.ts";
import { errorAt, inInstance } from "./faults.ts";

export interface Instance {
  readonly render: Render;
  readonly schema: Schema;
  readonly name: string;
  readonly variables: Variables;
  /** The directory, as the edge finds it. */
  readonly root: string;
}

export const partKinds = ["configMap", "secret"] as const;
export const parts = ["values", "templates", "patches"] as const;
type PartName = (typeof parts)[number];

/** A file that a layer may have. */
export interface Slot {
  readonly layer: LayerOf;
  readonly part: PartName;
  readonly kind: PartKind;
  readonly ask: FileRequest;
  /** Which pieces must be there. */
  readonly required: readonly boolean[];
}

export function slotsOf(instance: Instance): {
  readonly slots: readonly Slot[];
  readonly faults: readonly Diagnostic[];
} {
  const outcomes = instance.schema.layers.flatMap((layer) =>
    parts.flatMap((part) =>
      partKinds
        .filter((kind) => layer[part][kind].name !== "")
        .map((kind) => slotOf(layer, part, kind, instance)),
    ),
  );
  return {
    slots: outcomes.flatMap((outcome) => ("ask" in outcome ? [outcome] : [])),
    faults: outcomes.flatMap((outcome) => ("faults" in outcome ? outcome.faults : [])),
  };
}

function slotOf(
  layer: LayerOf,
  part: PartName,
  kind: PartKind,
  { variables, root, name }: Instance,
): Slot | { readonly faults: readonly Diagnostic[] } {
  const { path, [kind]: file } = layer[part];
  const paths = [layer.path.directory, path.directory, file.name].map((text) => pathIn(text, variables));
  const at = { text: `schema, layer ${layer.id}, ${part}` };
  // A path that leads up may come from a value of this instance; an unknown variable is the schema's fault, reported once.
  const atInstance = { ...at, ...inInstance(name) };
  const faults = paths.flatMap((each) =>
    "fault" in each ? [{ ...each.fault, at: each.fault.code === "file-refused" ? atInstance : at }] : [],
  );
  if (faults.length > 0) return { faults };
  const pieces = paths.map((each) => ("names" in each ? each.names : []));
  return {
    layer,
    part,
    kind,
    ask: { root, pieces },
    required: [layer.path.required, path.required, file.required],
  };
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
