// The generator `git`: files, or directories, of a repository → parameters.
import { basename, dirname, join, relative } from "node:path";
import { looseMatch, pathMatch } from "../glob.ts";
import { fieldIn, isTrue, listIn, type Placed, textIn } from "../placed.ts";
import { type Generated, type GeneratorScene, normalized } from "./generator-scene.ts";
import { flattened, nested, noParameters, type SetParameters, withValues } from "./parameters-of-sets.ts";
import { existsSync, filesBelow } from "../disk.ts";
import { allFoldersIn } from "../manifest-index.ts";

/** Where paths are looked for, and what the names of their parameters start with. */
interface Searched {
  readonly top: string;
  readonly prefix: string;
}

interface FoundPath {
  readonly path: string;
  readonly file?: string;
}

/** Files or directories of a repository. */
export async function gitParameters(own: Placed, scene: GeneratorScene): Promise<Generated> {
  const url = textIn(fieldIn(own, "repoURL")) ?? "";
  const top = scene.around.topOf(url);
  if (top === undefined)
    return scene.unseen(
      `\`${url}\`, which a generator reads, is another repository`,
      own.at,
      `name a checkout of it: --repo ${url}=DIR`,
    );
  const prefix = textIn(fieldIn(own, "pathParamPrefix")) ?? "";
  const wanted = listIn(fieldIn(own, "directories"));
  const searched = { top, prefix };
  const found =
    wanted.length > 0
      ? directories(wanted, searched, scene)
      : files(listIn(fieldIn(own, "files")), searched, scene);
  return found === undefined ? undefined : scene.withOwnValues(found, fieldIn(own, "values"));
}

function directories(
  wanted: readonly Placed[],
  { top, prefix }: Searched,
  scene: GeneratorScene,
): readonly SetParameters[] {
  return allFoldersIn(top)
    .map((path) => relative(top, path))
    .filter(chosen(wanted, pathMatch))
    .map((path) => withValues(noParameters, pathValues({ path }, prefix, scene)));
}

function files(wanted: readonly Placed[], { top, prefix }: Searched, scene: GeneratorScene): Generated {
  const found = filesBelow(top, ({ name }) => name !== ".git")
    .filter(existsSync)
    .map((path) => relative(top, path))
    .filter(chosen(wanted, pathspec))
    .toSorted((a, b) => (a < b ? -1 : 1));
  return found.flatMap((path) => {
    const root = scene.around.read(join(top, path));
    if (!("value" in root)) {
      scene.faults.push(root);
      return [];
    }
    const objects = Array.isArray(root.value) ? listIn(root) : [root];
    return objects.map((each) =>
      withValues(
        ofFile(each, scene),
        pathValues({ path: dirname(path), file: basename(path) }, prefix, scene),
      ),
    );
  });
}

function ofFile(object: Placed, { form }: GeneratorScene): SetParameters {
  const own = nested(object);
  return form.isGo ? own : { values: flattened(own.values), places: own.places };
}

/** What templates know of a path. */
function pathValues(
  { path, file }: FoundPath,
  prefix: string,
  { form }: GeneratorScene,
): Readonly<Record<string, unknown>> {
  const name = basename(path);
  const facts = {
    basename: name,
    basenameNormalized: normalized(name),
    ...(file === undefined ? {} : { filename: file, filenameNormalized: normalized(file) }),
  };
  if (form.isGo) {
    const own = { path: { path, ...facts, segments: path.split("/") } };
    return prefix === "" ? own : { [prefix]: own };
  }
  const start = prefix === "" ? "path" : `${prefix}.path`;
  const segments = path
    .split("/")
    .flatMap((each, index) => (each === "" ? [] : [[`${start}[${index}]`, each]]));
  return {
    [start]: path,
    ...Object.fromEntries([
      ...Object.entries(facts).map(([key, value]) => [`${start}.${key}`, value]),
      ...segments,
    ]),
  };
}

type Fits = (path: string) => boolean;

/** Whether one of the patterns fits, and none of those that exclude. */
export function chosen(wanted: readonly Placed[], reading: (pattern: string) => Fits): Fits {
  const [excluding, including] = [true, false].map((isExcluding) =>
    wanted
      .filter((each) => isTrue(fieldIn(each, "exclude")) === isExcluding)
      .map((each) => reading(textIn(fieldIn(each, "path")) ?? "")),
  );
  return (path) =>
    including?.some((fits) => fits(path)) === true && excluding?.some((fits) => fits(path)) !== true;
}

/** A pattern of `git ls-files`: a directory means all that is in it. */
function pathspec(pattern: string): Fits {
  const [start, fits] = [`${pattern.replace(/\/$/, "")}/`, looseMatch(pattern)];
  return (path) => path.startsWith(start) || fits?.(path) === true;
}
