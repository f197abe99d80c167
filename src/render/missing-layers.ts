// Layers that give no file to any instance because their folder is not there: with `stage: prd` for `prod`, say, all apps
// would lose the layer `stages/<< stage >>`.
import { type Diagnostic, nearest } from "../diagnostic.ts";
import { type RenderInstance, namesOf, type LayerPart, partsOf } from "./instances.ts";
import type { Loaded } from "./load.ts";
import { askLists, type RenderSteps } from "./need.ts";
import type { Render } from "./read-settings.ts";
import type { LayerOf } from "./schema.ts";
import { filled, variablesIn } from "./variables.ts";

/**
 * A layer that may have files in several folders is missing if none of these exists.
 * @param loaded all instances of one render, without faults
 */
export function* missingLayers(
  loaded: readonly Loaded[],
  isStrict: boolean,
): RenderSteps<readonly Diagnostic[]> {
  const [first] = loaded;
  if (first === undefined) return [];
  const { instance } = first;
  const used = new Set(loaded.flatMap(({ files }) => files.map(({ layer }) => layer)));
  const faults: Diagnostic[] = [];
  for (const layer of instance.schema.layers.filter(({ id }) => !used.has(id))) {
    const found: (MissingPath | undefined)[] = [];
    for (const part of partsOf(layer))
      found.push(yield* firstMissing(sharedFolders(layer, part, instance), instance.root));
    const [missing] = found;
    if (missing !== undefined && !found.includes(undefined))
      faults.push(missingFolder(layer, missing, isStrict));
  }
  return faults;
}

/** A folder on the way to a file. */
interface Folder {
  readonly name: string;
  /** True if a variable is part of the name. */
  readonly isFilled: boolean;
}

/** The folders on the way to a file of a layer, as far as they are the same for all instances. */
function sharedFolders(
  layer: LayerOf,
  { part, kind }: LayerPart,
  { render, variables }: RenderInstance,
): Folder[] {
  const path = `${layer.path.directory}/${layer[part].path.directory}/${layer[part][kind].name}`;
  const own = ownVariables(render);
  const folders: Folder[] = [];
  for (const text of path.split("/").slice(0, -1)) {
    const names = variablesIn(text);
    if (names.some((name) => own.has(name))) break;
    const shared = filled(text, variables);
    const isFilled = names.length > 0;
    for (const name of namesOf("text" in shared ? shared.text : "")) folders.push({ name, isFilled });
  }
  return folders;
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
  const paths = [...path, ""].map((_, depth) => path.slice(0, depth));
  const answers = yield* askLists(paths.map((each) => ({ root, path: each, wanted: "folders" })));
  const depth = answers.findIndex((answer) => "missing" in answer);
  const [above, folder] = [answers[depth - 1], folders[depth - 1]];
  if (above === undefined || !("names" in above) || folder === undefined) return undefined;
  const near = nearest(folder.name, above.names);
  return folder.isFilled || near !== undefined ? { path: path.slice(0, depth), near } : undefined;
}

function missingFolder({ id }: LayerOf, { path, near }: MissingPath, isStrict: boolean): Diagnostic {
  return {
    code: "missing-path",
    severity: isStrict ? "error" : "warning",
    message: `layer \`${id}\` has no file for any instance`,
    reason: `\`${path.join("/")}\` does not exist`,
    at: { text: `schema, layer ${id}` },
    hint:
      near === undefined
        ? "correct the variable or the schema, or add the folder"
        : `did you mean \`${[...path.slice(0, -1), near].join("/")}\`?`,
  };
}
