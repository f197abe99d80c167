// What to do about a path that cannot be read.
import { basename, dirname, extname, join, relative } from "node:path";
import { meantOr, nearest } from "../diagnostic.ts";
import { codeOf, existsSync, isDirectory, namesAt, outsideCode } from "./disk.ts";

/** A name that is nearly the one, if there is one. */
export function pathHint(error: unknown): string {
  const path = error instanceof Error && "path" in error ? String(error.path) : "";
  if (codeOf(error) === outsideCode)
    return "what leads out of the repository is not read: make it a file of it";
  const near = codeOf(error) === "ENOENT" ? nearPath(path) : undefined;
  if (near === path) return "it is a link to a file that is gone: correct the link";
  return meantOr(near && (relative(".", near) || "."), "name a file or directory that exists");
}

/** What is there and has nearly the path: a name with a few other letters, or with more or fewer of them at its end. */
export function nearPath(path: string): string | undefined {
  const above = dirname(path);
  const folder = existsSync(above) || above === path ? above : nearPath(above);
  const names = folder !== undefined && isDirectory(folder) ? namesAt(folder) : [];
  const name = basename(path);
  // Most names have the same ending, which makes no two of them alike.
  const mostEdits = Math.max(2, Math.ceil((name.length - extname(name).length) / 3));
  const near = names.includes(name)
    ? name
    : (nearest(name, names, mostEdits) ?? names.find((each) => isStart(name, each) || isStart(each, name)));
  return near && folder && join(folder, near);
}

const shortestStart = 3;

function isStart(start: string, name: string): boolean {
  return start.length >= shortestStart && name.startsWith(start);
}
