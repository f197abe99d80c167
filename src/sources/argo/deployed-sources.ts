// The directories that objects of Argo CD deploy, as far as that is known before any set is made.
import { dirname } from "node:path";
import type { Item } from "../../krm/index.ts";
import { looseMatch, pathMatch } from "../glob.ts";
import { fieldIn, listIn, type Placed, textIn } from "../placed.ts";
import { placesNowhere } from "../object-places.ts";
import { placedObject } from "../placed-object.ts";
import { sourcesOf } from "./application.ts";
import { chosen } from "./git-generator.ts";

interface DeployedSource {
  readonly source: Placed;
  readonly generators: readonly Placed[];
}

/** The sources of an Application, or of those that a set makes: what a plugin makes of a directory is not read here. */
export function deployedSources(item: Item): readonly DeployedSource[] {
  const { spec } = (/^Application(?:Set)?$/.test(item.kind) && placedObject(item, placesNowhere)) || {};
  const own = item.kind === "Application" ? spec : fieldIn(spec, "template", "spec");
  const generators = listIn(fieldIn(spec, "generators")).flatMap(gitGenerators);
  const sources = own === undefined ? [] : sourcesOf(own).map(({ fields }) => fields);
  return sources
    .filter((fields) => fieldIn(fields, "plugin") === undefined)
    .map((source) => ({ source, generators }));
}

function gitGenerators(generator: Placed): readonly Placed[] {
  const below = ["matrix", "merge"].flatMap((name) => listIn(fieldIn(generator, name, "generators")));
  return [fieldIn(generator, "git") ?? [], below.flatMap(gitGenerators)].flat();
}

/** Which directories the path of a template may be. */
export function madePaths(path: string, generators: readonly Placed[]): (directory: string) => boolean {
  if (!/^\{\{ *\.?path(?:\.path)? *\}\}$/.test(path)) return pathMatch(path.replaceAll(/\{\{.*?\}\}/g, "*"));
  const listed = (field: string): readonly Placed[] =>
    generators.flatMap((each) => listIn(fieldIn(each, field)));
  const isChosen = chosen(listed("directories"), pathMatch);
  const files = listed("files").flatMap(
    (each) => looseMatch(dirname(textIn(fieldIn(each, "path")) ?? "")) ?? [],
  );
  return (directory) => isChosen(directory) || files.some((fits) => fits(directory));
}
