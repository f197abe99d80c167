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

/**
 * True for a file, as a real path, that one of the sources may read. What is in another repository may be in this one: a fork has
 * another URL.
 *
 * @param top of this repository
 */
export function mayRead(sources: readonly PlacedSource[], path: string, top: string): boolean {
  const placed = sources.map((each): PlacedSource => {
    if (each.repository !== undefined || fieldIn(each.source.fields, "chart") !== undefined) return each;
    return {
      ...each,
      repository: { top },
      directory: join(top, textIn(fieldIn(each.source.fields, "path")) ?? "."),
    };
  });
  return placed.some(
    ({ source, directory }) =>
      (directory !== undefined &&
        fieldIn(source.fields, "path") !== undefined &&
        isInside(path, directory)) ||
      // Names of files may have patterns and variables in them: any file may be meant.
      namedFiles(source, placed).some((file) => file === path || file === "*"),
  );
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
