// What a Kustomization that is not followed may read all the same: its source may be this repository by another URL, such as
// that of a fork, or a folder of it.
import { dirname } from "node:path";
import type { ManifestIndex } from "../manifest-index.ts";
import { directoryAt, rooted } from "./sources.ts";

/** True for a file, as a real path. @param path of the Kustomization, from the top of its source */
export function mayBeRead(
  path: string,
  { top, index }: { readonly top: string; readonly index: ManifestIndex },
): (file: string) => boolean {
  const directory = directoryAt(top, path);
  if (directory === undefined) return (file) => file.includes(`${rooted(path).replace(/\/$/, "")}/`);
  const own = index.filesOf(directory);
  const [files, directories] = [new Set(own.files), new Set(own.directories)];
  return (file) => files.has(file) || directories.has(dirname(file));
}
