// A source of an Application, once it is known where it is, and the files that it may read.
import { join } from "node:path";
import { kustomizationFile } from "../kustomize/tree.ts";
import { fieldIn, listIn, textIn } from "../placed.ts";
import type { ApplicationSource, SourceType } from "./application.ts";
import { isChart } from "./helm-source.ts";
import type { FoundRepository } from "./repositories.ts";
import { isInside } from "./value-files.ts";

export interface PlacedSource {
  readonly source: ApplicationSource;
  readonly type: SourceType | undefined;
  readonly repository: FoundRepository | undefined;
  /** Its directory, where that is here. */
  readonly directory: string | undefined;
}

/** What Argo CD finds in a directory. */
export function typeOf(directory: string): SourceType {
  if (isChart(directory)) return "chart";
  return kustomizationFile(directory) === undefined ? "directory" : "kustomize";
}

/** True for a file, as a real path, that one of the sources may read. */
export function mayRead(sources: readonly PlacedSource[], path: string): boolean {
  return sources.some(({ source, repository, directory }) => {
    if (directory !== undefined && isInside(path, directory)) return true;
    const named = namedFiles(source, sources);
    // Names of files may have patterns and variables in them: any file of their repository may be meant.
    return repository !== undefined && named.some((file) => file === path || file.includes("*"));
  });
}

/** The files that a source names, as far as their names are known; `*` for any. */
function namedFiles(source: ApplicationSource, sources: readonly PlacedSource[]): readonly string[] {
  const helm = fieldIn(source.fields, "helm");
  const written = [
    ...listIn(fieldIn(helm, "valueFiles")),
    ...listIn(fieldIn(helm, "fileParameters")).flatMap((each) => fieldIn(each, "path") ?? []),
  ].map((each) => textIn(each) ?? "");
  const own = sources.find((each) => each.source === source);
  return written.map((name) => {
    const [first = "", ...rest] = name.split("/");
    const other = sources.find((each) => `$${textIn(fieldIn(each.source.fields, "ref"))}` === first);
    if (/[$*?[{]/.test(other === undefined ? name : rest.join("/"))) return "*";
    if (other?.repository !== undefined) return join(other.repository.top, ...rest);
    if (name.startsWith("/")) return join(own?.repository?.top ?? "", name);
    return own?.directory === undefined ? "" : join(own.directory, name);
  });
}
