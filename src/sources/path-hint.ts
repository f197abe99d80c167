// What to do about a path that cannot be read.
import { basename, dirname, extname, join, relative } from "node:path";
import { meantOr, nearest } from "../diagnostic.ts";
import { codeOf, existsSync, namesAt, outsideCode } from "./disk.ts";

/** A name that is nearly the one, if there is one. */
export function pathHint(error: unknown): string {
  const path = error instanceof Error && "path" in error ? String(error.path) : "";
  if (codeOf(error) === outsideCode)
    return "what leads out of the repository is not read: make it a file of it";
  const folder = dirname(path);
  const names = codeOf(error) === "ENOENT" && existsSync(folder) ? namesAt(folder) : [];
  const name = basename(path);
  if (names.includes(name)) return "it is a link to a file that is gone: correct the link";
  // Most names have the same ending, which makes no two of them alike.
  const near = nearest(name, names, Math.max(2, Math.ceil((name.length - extname(name).length) / 3)));
  return meantOr(
    near && (relative(".", join(folder, near)) || "."),
    "name a file or a directory that is there",
  );
}
