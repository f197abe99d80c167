// Layers that give no file to any instance because their folder is not there: with `stage: prd` for `prod`, say, all apps
// would lose the layer `stages/<< stage >>`.
import { type Diagnostic, nearest } from "../diagnostic.ts";
import { type Instance, namesOf, partsOf } from "./instances.ts";
import type { Loaded } from "./load.ts";
import { askLists, type RenderSteps } from "./need.ts";
import type { Render } from "./read-settings.ts";
import type { LayerOf } from "./schema.ts";
import { filled, variablesIn } from "./variables.ts";

/** @param loaded all instances of one render, without faults */
export function* missingLayers(
  loaded: readonly Loaded[],
  isStrict: boolean,
): RenderSteps<readonly Diagnostic[]> {
  const [first] = loaded;
  if (first === undefined) return [];
  const used = new Set(loaded.flatMap(({ files }) => files.map(({ layer }) => layer)));
  const faults: Diagnostic[] = [];
  for (const layer of first.instance.schema.layers.filter(({ id }) => !used.has(id)))
    for (const each of yield* missingLayer(layer, first.instance, isStrict)) faults.push(each);
  return faults;
}

/** A layer that may have files in several folders is missing if none of these exists. */
function* missingLayer(
  layer: LayerOf,
  instance: Instance,
  isStrict: boolean,
): RenderSteps<readonly Diagnostic[]> {
  const paths = foldersOf(layer, instance);
  let missing: MissingPath | undefined;
  for (const path of paths) {
    const found = yield* firstMissing(path, instance.root);
    if (found === undefined) return [];
    missing ??= found;
  }
  return missing === undefined ? [] : [missingFolder(layer, missing, isStrict)];
}

/** A folder on the way to a file. */
interface Folder {
  readonly name: string;
  /** True if a variable is part of the name. */
  readonly isFilled: boolean;
}

/** The folders that a layer has for all instances: each path as far as it is the same for all of them. */
function foldersOf(layer: LayerOf, { render, variables }: Instance): readonly (readonly Folder[])[] {
  const own = ownVariables(render);
  return partsOf(layer).map(({ part, kind }) => {
    const path = `${layer.path.directory}/${layer[part].path.directory}/${layer[part][kind].name}`;
    const folders = path.split("/").slice(0, -1);
    const end = folders.findIndex((name) => variablesIn(name).some((variable) => own.has(variable)));
    return (end < 0 ? folders : folders.slice(0, end)).flatMap((text) => {
      const shared = filled(text, variables);
      const isFilled = variablesIn(text).length > 0;
      return namesOf("text" in shared ? shared.text : "").map((name) => ({ name, isFilled }));
    });
  });
}

/** Variables that each instance has a value of its own for: an app may lack a layer. */
function ownVariables({ scope, instances }: Render): ReadonlySet<string> {
  const named = [...instances.values()].flatMap((variables) => [...variables.keys()]);
  return new Set(scope === undefined ? named : [...named, scope.variable]);
}

interface MissingPath {
  readonly path: readonly string[];
  /** The folder in its place that has nearly its name. */
  readonly near: string | undefined;
}

/** Undefined for a folder that the schema itself names, unless it looks misspelt: a stage may have no folder for apps. */
function* firstMissing(folders: readonly Folder[], root: string): RenderSteps<MissingPath | undefined> {
  const path = folders.map(({ name }) => name);
  const asks = [...path, ""].map((_, depth) => ({
    root,
    path: path.slice(0, depth),
    wanted: "folders" as const,
  }));
  const answers = yield* askLists(asks);
  const depth = answers.findIndex((answer) => "missing" in answer);
  const above = answers[depth - 1];
  const folder = folders[depth - 1];
  if (above === undefined || !("names" in above) || folder === undefined) return undefined;
  const near = nearest(folder.name, above.names);
  return folder.isFilled || near !== undefined ? { path: path.slice(0, depth), near } : undefined;
}

function missingFolder({ id }: LayerOf, { path, near }: MissingPath, isStrict: boolean): Diagnostic {
  return {
    code: "missing-path",
    severity: isStrict ? "error" : "warning",
    message: `layer \`${id}\` has no file for any instance`,
    reason: `\`${path.join("/")}\` is not there`,
    at: { text: `schema, layer ${id}` },
    hint:
      near === undefined
        ? "correct the variable or the schema, or add the folder"
        : `did you mean \`${[...path.slice(0, -1), near].join("/")}\`?`,
  };
}
