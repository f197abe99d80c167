// A source of an Application, once it is known where it is.
import { kustomizationFile } from "../kustomize/tree.ts";
import type { ApplicationSource, SourceType } from "./application.ts";
import { isChart } from "./helm-source.ts";

export interface PlacedSource {
  readonly source: ApplicationSource;
  readonly type: SourceType | undefined;
  /** The top of the checkout of its repository, where that is here. */
  readonly top: string | undefined;
  /** Its directory, where that is here. */
  readonly directory: string | undefined;
}

/** What Argo CD finds in a directory. */
export function typeOf(directory: string): SourceType {
  if (isChart(directory)) return "chart";
  return kustomizationFile(directory) === undefined ? "directory" : "kustomize";
}
