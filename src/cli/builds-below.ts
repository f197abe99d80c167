// A directory that is no build itself: the kustomizations in it are, each by itself.
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { kustomizationFile } from "./kustomize/tree.ts";
import { packageName } from "./kptfile.ts";
import { kustomizationsIn } from "./manifests.ts";

/** The directories with a kustomization in a directory that has none, and is no package. */
export function buildsBelow(directory: string): readonly string[] {
  if (!existsSync(directory) || kustomizationFile(directory) !== undefined) return [];
  if (existsSync(join(directory, packageName))) return [];
  // The one that is built is seldom the first one, which is the base.
  return kustomizationsIn(directory)
    .map((folder) => relative(directory, folder))
    .toReversed();
}
