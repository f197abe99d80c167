// What a Kustomization that is not followed may read all the same: its source may be this repository by another URL, such as
// that of a fork, or a folder of it.
import type { ManifestIndex } from "../manifest-index.ts";
import { directoryAt, rooted } from "../locator.ts";

/** True for a file, as a real path. @param path of the Kustomization, from the top of its source */
export function mayBeRead(
  path: string,
  { top, index }: { readonly top: string; readonly index: ManifestIndex },
): (file: string) => boolean {
  const directory = directoryAt(top, path);
  const end = rooted(path).replace(/\/$/, "");
  const found =
    directory === undefined ? index.foldersBelow(top).filter((each) => each.endsWith(end)) : [directory];
  const reads = found.flatMap((each) => index.filesOf(each).reads);
  return (file) => reads.some((each) => each.isTouchedBy(file));
}
