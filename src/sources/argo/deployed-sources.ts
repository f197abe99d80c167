// The directories that objects of Argo CD deploy, as far as that is known before any set is made.
import { dirname } from "node:path";
import type { Item } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";
import { looseMatch, pathMatch } from "../glob.ts";
import { specOf } from "../items.ts";

interface DeployedSource {
  readonly source: Node;
  readonly generators: readonly Node[];
}

/** The sources of an Application, or of those that a set makes. */
export function deployedSources(item: Item): readonly DeployedSource[] {
  const spec = /^Application(?:Set)?$/.test(item.kind) ? specOf(item) : undefined;
  const own = item.kind === "Application" ? spec : spec?.get("template")?.get("spec");
  if (spec === undefined || own === undefined) return [];
  const single = own.get("source");
  const generators = spec.list("generators").flatMap(gitGenerators);
  return [...(single === undefined ? [] : [single]), ...own.list("sources")].map((source) => ({
    source,
    generators,
  }));
}

function gitGenerators(generator: Node): readonly Node[] {
  const own = generator.get("git");
  const below = ["matrix", "merge"].flatMap((name) => generator.get(name)?.list("generators") ?? []);
  return [...(own === undefined ? [] : [own]), ...below.flatMap(gitGenerators)];
}

/** Which directories the path of a template may be. */
export function madePaths(path: string, generators: readonly Node[]): (directory: string) => boolean {
  if (!/^\{\{ *\.?path(?:\.path)? *\}\}$/.test(path)) return pathMatch(path.replaceAll(/\{\{.*?\}\}/g, "*"));
  const named = (field: string, isExcluding: boolean): readonly string[] =>
    generators
      .flatMap((each) => each.list(field))
      .filter((each) => (each.textAt("exclude") === "true") === isExcluding)
      .flatMap((each) => each.textAt("path") ?? []);
  const files = named("files", false).flatMap((each) => looseMatch(dirname(each)) ?? []);
  const included = [...named("directories", false).map(pathMatch), ...files];
  const excluded = named("directories", true).map(pathMatch);
  return (directory) => included.some((fits) => fits(directory)) && !excluded.some((fits) => fits(directory));
}

/** Which files of a directory are deployed, where no kustomization says so. */
export function isDeployedBy(fields: Node | undefined): (path: string) => boolean {
  const [include, exclude] = ["include", "exclude"].map((name) => fields && fields.textAt(name));
  const isDeep = fields?.textAt("recurse") === "true";
  return (path) =>
    (isDeep || !path.includes("/")) &&
    (!include || looseMatch(include)?.(path) === true) &&
    (!exclude || looseMatch(exclude)?.(path) !== true);
}
