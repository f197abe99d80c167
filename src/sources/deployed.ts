// The directories of this repository that Applications of Argo CD deploy, as far as no template says which.
import { isNode, type Item } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";
import { plainUrl, directoryAt } from "./flux/sources.ts";
import { looseMatch } from "./glob.ts";
import type { Repository } from "./repository.ts";

export interface DeployedDirectory {
  readonly directory: string;
  /** True for a file that is deployed, where no kustomization says what is. @param path from the directory */
  readonly isDeployed: (path: string) => boolean;
}

export function deployedBy(item: Item, { top, remotes }: Repository): readonly DeployedDirectory[] {
  const root = item.kind === "Application" ? item.read() : undefined;
  const spec = root !== undefined && isNode(root) ? root.get("spec") : undefined;
  if (spec === undefined) return [];
  const single = spec.get("source");
  return [...(single === undefined ? [] : [single]), ...spec.list("sources")].flatMap((source) => {
    const url = source.textAt("repoURL");
    const isForeign =
      url !== undefined && remotes.length > 0 && !remotes.map(plainUrl).includes(plainUrl(url));
    const path = source.textAt("path");
    const directory = path === undefined || isForeign ? undefined : directoryAt(top, path);
    return directory === undefined ? [] : [{ directory, isDeployed: filterOf(source.get("directory")) }];
  });
}

function filterOf(fields: Node | undefined): DeployedDirectory["isDeployed"] {
  const [include, exclude] = ["include", "exclude"].map((name) => fields && fields.textAt(name));
  const isDeep = fields?.textAt("recurse") === "true";
  return (path) =>
    (isDeep || !path.includes("/")) &&
    (!include || looseMatch(include)?.(path) === true) &&
    (!exclude || looseMatch(exclude)?.(path) !== true);
}
