// The directories that ResourceSets build by the Kustomizations that they make, before anything is made.
import type { Item } from "../../krm/index.ts";
import { isProvider, isResourceSet } from "./resource-sets.ts";
import { specOf } from "../items.ts";

/** The paths of Kustomizations that sets make, as far as inputs that are here give them. @param items sets and their providers, among others */
export function pathsOfSets(items: readonly Item[]): readonly string[] {
  const providers = items.filter(isProvider);
  return items.filter(isResourceSet).flatMap((each) => pathsIn(each, providers));
}

function pathsIn(set: Item, providers: readonly Item[]): readonly string[] {
  const spec = specOf(set);
  if (spec === undefined) return [];
  // What a selector takes is looked for in all of them.
  const names = spec.list("inputsFrom").map((each) => each.textAt("name"));
  const defaults = providers
    .filter(({ name }) => names.some((each) => each === undefined || each === name))
    .flatMap((each) => specOf(each)?.get("defaultValues") ?? []);
  const inputs = [...spec.list("inputs"), ...defaults]
    .filter((each) => each.isMapping)
    .map((each) => new Map([...each.entries()].map(([key, { text }]) => [key, text])));
  const written = spec
    .list("resources")
    .filter((each) => each.textAt("kind") === "Kustomization")
    .flatMap((each) => each.get("spec")?.textAt("path") ?? []);
  const template = (spec.textAt("resourcesTemplate") ?? "").split(/^---$/m);
  const inTemplate = template
    .filter((each) => /^kind: *Kustomization\s*$/m.test(each))
    .flatMap((each) => /^ {2}path: *["']?([^\n"']+)/m.exec(each)?.[1] ?? []);
  return [...written, ...inTemplate]
    .flatMap((path) => (inputs.length === 0 ? [path] : inputs.map((each) => withInputs(path, each))))
    .filter((path) => !path.includes("<<"));
}

function withInputs(path: string, inputs: ReadonlyMap<string, string>): string {
  return path.replaceAll(/<< *inputs\.([\w-]+) *>>/g, (whole, name: string) => inputs.get(name) ?? whole);
}
