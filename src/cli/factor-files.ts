// The files of `factor`: those that it reads, and where it may write. It overwrites nothing but the files that it was given,
// and those only where git has them.
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isSopsFile, readValues } from "../layers/index.ts";
import { unsupplied } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { contentsOf, mergingFiles } from "../explain/index.ts";
import { formatOf, isOwnName, type OutputFile, type FactoredFile } from "../factor/index.ts";
import type { Io } from "./io.ts";
import { changedFiles, readNamed, UsageError } from "../sources/index.ts";
import { replaceFiles, writing, type WrittenFile } from "./output-file.ts";

/** A source, and the path of its file: links are followed. */
export interface FileSource extends FactoredFile {
  readonly path: string;
}

/** Files that can be read and have values. */
interface FilesRead {
  readonly sources: readonly FileSource[];
  readonly diagnostics: readonly Diagnostic[];
  /** Which files are left out, and why. */
  readonly notes: readonly string[];
}

/**
 * Reads files, each once: a link is the file that it leads to.
 * @param isSpelled true where what reads them is not known: keys are compared as they are spelled
 */
export function readSources(names: readonly string[], directory: string, isSpelled = false): FilesRead {
  const diagnostics: Diagnostic[] = [];
  const notes: string[] = [];
  const known = new Map<string, string>();
  const sources = names.flatMap((name): readonly FileSource[] => {
    const bytes = readNamed(resolve(directory, name));
    const path = realpathSync(resolve(directory, name));
    const first = known.get(path);
    known.set(path, name);
    if (first !== undefined) notes.push(`\`${name}\` is the file \`${first}\`, so it is left out`);
    const found = first === undefined ? readSource(name, bytes, isSpelled) : [];
    if ("root" in found) {
      if (found.hasKeysTwice) notes.push(`\`${name}\` has keys twice: the last one of each counts`);
      return [{ ...found, path }];
    }
    diagnostics.push(...found);
    if (first === undefined && found.length === 0) notes.push(`\`${name}\` has no values, so it is left out`);
    return [];
  });
  return { sources, diagnostics, notes };
}

/** Otherwise what is wrong; nothing, for a file without values. */
function readSource(
  name: string,
  bytes: Uint8Array,
  isSpelled: boolean,
): (FactoredFile & { readonly hasKeysTwice: boolean }) | readonly Diagnostic[] {
  if (contentsOf(bytes) === "manifests")
    throw new UsageError(
      `\`${name}\` holds manifests, and no values`,
      "name the directories that are built: valuefold factor overlays/*",
    );
  const { root, faults, notes } = readValues(bytes, formatOf(isSpelled));
  const isSound = faults.length === 0 && !notes.some(({ code }) => code === "several-documents");
  const hasKeysTwice = notes.some(({ code }) => code === "duplicate-key");
  if (isSound && !isSopsFile(bytes)) return root === undefined ? [] : { name, bytes, root, hasKeysTwice };
  const { diagnostics } = unsupplied(mergingFiles({ files: [{ name, bytes }] }));
  // Whatever a merge does without the file: layers made without it are not those of all files.
  const isSaid = diagnostics.some(({ severity }) => severity === "error");
  return isSaid ? diagnostics : diagnostics.map((each) => ({ ...each, severity: "error" }));
}

/** Paths of files, from the folder that all of them are in. */
export function pathsIn(folder: string, sources: readonly FileSource[]): readonly string[] {
  const paths = sources.map(({ path }) => relative(folder, path).split(sep).join("/"));
  const taken = paths.find(isOwnName);
  if (taken !== undefined)
    throw new UsageError(
      `\`${taken}\` is the name of a file that \`factor\` makes`,
      "rename it; an existing base goes below: --below FILE",
    );
  return paths;
}

/** The deepest folder that all files are in. */
export function folderOf(sources: readonly FileSource[]): string {
  const [first = "", ...others] = sources.map(({ path }) => dirname(path));
  let folder = first;
  while (!others.every((other) => `${other}${sep}`.startsWith(folder === sep ? sep : `${folder}${sep}`)))
    folder = dirname(folder);
  return folder;
}

/** The values of a chart belong to the chart: Helm puts them below all files anyway. */
export function refuseChartValues(sources: readonly FileSource[]): void {
  const own = sources.find(
    ({ path }) => basename(path) === "values.yaml" && existsSync(join(dirname(path), "Chart.yaml")),
  );
  if (own !== undefined)
    throw new UsageError(
      `\`${own.name}\` has the defaults of a chart, which stay as they are`,
      "leave it out, or take out of the files what it says already: --below FILE",
    );
}

/** @throws UsageError unless git can bring back every file */
export async function requireClean(folder: string, files: readonly string[], { env }: Io): Promise<void> {
  const changed = await changedFiles(["HEAD", undefined], { env, from: folder });
  if (changed === undefined)
    throw new UsageError("`--in-place` needs a git work tree", "write elsewhere: --out DIR");
  const { top, files: dirty } = changed;
  if (files.some((file) => dirty.includes(relative(top, resolve(folder, file)))))
    throw new UsageError(
      "`--in-place` needs a clean git work tree: git does not have all of these files as they are",
      "commit them first, or write elsewhere: --out DIR",
    );
}

/** Writes over the files that were given, and next to them. @throws UsageError if another file would be overwritten */
export function writeInPlace(folder: string, name: string, outputs: readonly OutputFile[]): void {
  const taken = outputs.find(({ path }) => isOwnName(path) && isTaken(join(folder, path)));
  if (taken !== undefined)
    throw new UsageError(`\`${taken.path}\` exists already`, "rename it, or write elsewhere: --out DIR");
  writing(name, () => replaceFiles(inFolder(folder, outputs)));
}

/** True for a link to nothing, too: what is written there would be anywhere. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** @throws UsageError if two files would be one, or one would be elsewhere: objects may have any name */
function inFolder(folder: string, outputs: readonly OutputFile[]): readonly WrittenFile[] {
  const paths = outputs.map(({ path }) => resolve(folder, path));
  const index = paths.findIndex(
    (path, place) => paths.indexOf(path) < place || !path.startsWith(join(folder, sep)),
  );
  const [wrong] = outputs.slice(index);
  if (index >= 0 && wrong !== undefined)
    throw new UsageError(
      `\`${wrong.path}\` cannot be written: it is the path of two files, or of none in this directory`,
      "rename the object or the file that it is named after",
    );
  return outputs.map(({ text }, place) => ({ path: paths[place] ?? "", parts: [text] }));
}

/** @throws UsageError unless a folder is new or empty */
export function requireEmpty(folder: string, name: string): void {
  if (existsSync(folder) && (!isFolder(folder) || readdirSync(folder).length > 0))
    throw new UsageError(`\`${name}\` is not an empty directory`, "name a new one after --out");
}

function isFolder(path: string): boolean {
  return existsSync(join(path, "."));
}

/** Writes all files, or none. */
export function writeOut(folder: string, name: string, outputs: readonly OutputFile[]): void {
  const files = inFolder(folder, outputs);
  const isNew = !existsSync(folder);
  writing(name, () => {
    try {
      for (const { path } of files) mkdirSync(dirname(path), { recursive: true });
      replaceFiles(files);
    } catch (error) {
      // It was new or empty, so all of it is from here.
      const made = isNew ? [folder] : readdirSync(folder).map((each) => join(folder, each));
      for (const each of made) rmSync(each, { recursive: true, force: true });
      throw error;
    }
  });
}
