// A Kustomization of Flux before it is built: what says whether it may differ, and whether it adds anything to its directory.
import type { BuildContent } from "../build-content.ts";
import type { EntryPart } from "../entry.ts";
import type { FluxKustomization } from "./kustomization.ts";

/** A part of a cluster: what a Kustomization builds, or the directory of the cluster itself. */
export function partOf(id: string, content: BuildContent, kustomization?: FluxKustomization): EntryPart {
  return {
    id,
    definition: kustomization === undefined ? "" : definitionOf(kustomization),
    reads: (path) => content.reads(path),
    mentions: (names) =>
      content.mentions(names) || kustomization?.variableSources.some(({ name }) => names.has(name)) === true,
    names: () => content.names(),
    targets: () => content.targets(),
    mayHave: (name) => content.mayHave(name),
  };
}

/** What Flux is given besides files. */
export function definitionOf(kustomization: FluxKustomization): string {
  const { path, source, overlay, variables, variableSources, isAlwaysSubstituted } = kustomization;
  const { fields, components, images } = overlay;
  const patches = overlay.patches.map((each) => each.fields);
  const values = [...variables.keys()].map((name) => [name, valueOf(variables, name)]);
  return JSON.stringify([
    path,
    source,
    fields,
    components,
    images,
    patches,
    values,
    variableSources,
    isAlwaysSubstituted,
  ]);
}

/** With the values of inline variables, where nothing but their name is written. */
export function filled(text: string, { variables }: FluxKustomization): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => valueOf(variables, name) ?? whole);
}

function valueOf(variables: FluxKustomization["variables"], name: string): string | undefined {
  const variable = variables.get(name);
  return variable === undefined || "stays" in variable ? undefined : variable.value;
}

/** True for one that adds nothing to what a directory holds. */
export function isPlain({
  overlay,
  variables,
  variableSources,
  isAlwaysSubstituted,
}: FluxKustomization): boolean {
  const { fields, components, patches, images } = overlay;
  const added = Object.keys(fields).length + components.length + patches.length + images.length;
  return added + variables.size + variableSources.length === 0 && !isAlwaysSubstituted;
}
