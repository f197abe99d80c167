// `valueFiles` of an Argo CD source → the files, in the order in which Helm takes them: a file counts once, where it comes
// first, and one that is named outright has its own place, whatever patterns fit it.
import { dirname, isAbsolute, join, normalize, resolve } from "node:path";
import { nearest } from "../../diagnostic.ts";
import type { Place } from "../../explanation.ts";
import { existsSync, isDirectory, linkAt, realPathOf } from "../disk.ts";
import { isPattern, pathsThatFit } from "../glob.ts";
import { isHidden, type Placed, textIn } from "../placed.ts";
import type { ArgoEnvironment } from "./environment.ts";
import { isIn } from "../tree.ts";

/** Where names of files start. */
export interface FileRoots {
  /** The chart's directory; undefined for a chart that is not here. */
  readonly chart: string | undefined;
  /** The top of the repository that has the chart. */
  readonly top: string;
  /** The checkout of the source that `$name` means; undefined for one that is not here, or none. */
  readonly refs: ReadonlyMap<string, string | undefined>;
  /** True for one of `sources`: a first `$name` is nothing but a reference there. */
  readonly isOneOfSeveral?: boolean;
}

/** A file that is named, or that a pattern fits; or why there is none. */
export type ValueFile = { readonly at: Place | undefined; readonly written: string } & NamedFile;

type NamedFile =
  | { readonly path: string }
  | { readonly fault: string }
  /** `isAny` for one that may be any file here. */
  | { readonly unseen: string; readonly isAny?: true };

const hidden = { unseen: "a Secret gives it its name", isAny: true } as const;

/** @param ignoresMissing as `ignoreMissingValueFiles` says */
export function valueFilesIn(
  entries: readonly Placed[],
  roots: FileRoots,
  environment: ArgoEnvironment,
  ignoresMissing: boolean,
): readonly ValueFile[] {
  const found = entries.map((entry) => {
    if (isHidden(entry)) return { written: "…", at: entry.at, found: hidden };
    const written = textIn(entry) ?? "";
    return { written, at: entry.at, found: fileAt(written, roots, environment) };
  });
  const outright = new Set(
    found.flatMap(({ found: own }) => ("path" in own && !isPattern(own.path) ? own.path : [])),
  );
  const seen = new Set<string>();
  const once = (paths: readonly string[]): readonly string[] =>
    paths.filter((path) => !seen.has(path) && seen.add(path));
  return found.flatMap(({ written, at, found: own }): readonly ValueFile[] => {
    const about = { written, at };
    if (!("path" in own)) return [{ ...about, ...own }];
    if (isPattern(own.path)) {
      const all = pathsThatFit(own.path);
      if (all === undefined) return [{ ...about, fault: "its pattern has too many alternatives" }];
      if (all.length === 0) return ignoresMissing ? [] : [{ ...about, fault: "no file fits it" }];
      if (!all.every((path) => isIn(realPathOf(path), realPathOf(own.top))))
        return [{ ...about, fault: "a file that fits it is outside of the repository" }];
      return once(all.filter((path) => !outright.has(path) && !isDirectory(path))).map((path) => ({
        ...about,
        path,
      }));
    }
    if (isDirectory(own.path)) return [{ ...about, fault: "it is a directory" }];
    if (existsSync(own.path)) return once([own.path]).map((path) => ({ ...about, path }));
    return ignoresMissing ? [] : [{ ...about, fault: "it does not exist" }];
  });
}

/** One file, named as `fileParameters` do. */
export function fileAt(
  written: string,
  { chart, top, refs, isOneOfSeveral = false }: FileRoots,
  environment: ArgoEnvironment,
): { readonly path: string; readonly top: string } | Exclude<NamedFile, { readonly path: string }> {
  const [name = ""] = written.split("/");
  const isReference = refs.has(name);
  if (isOneOfSeveral && name.startsWith("$") && !isReference) return { fault: noReference(name, refs) };
  // What a reference means is found before names are filled in.
  const { text, unknown } = environment.filled(isReference ? written.slice(name.length) : written);
  if (unknown !== undefined) return { unseen: `\`$${unknown}\` is known in the cluster only`, isAny: true };
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return { unseen: "a URL is not read" };
  const start = isReference ? refs.get(name) : chart;
  if (start === undefined)
    return { unseen: isReference ? `the source of \`${name}\` is not here` : "the chart is not here" };
  const root = isReference ? start : top;
  const path = delinked(isAbsolute(text) ? join(root, text) : join(start, text));
  if (isIn(path, root) && path !== normalize(root)) return { path, top: root };
  return { fault: "it is outside of the repository" };
}

function noReference(name: string, refs: FileRoots["refs"]): string {
  const near = nearest(name, [...refs.keys()]);
  const cure = near === undefined ? "" : `: did you mean \`${near}\`?`;
  return `no source has \`ref: ${name.slice(1)}\`${cure}`;
}

/** The file that a link leads to; a link above it stays. */
function delinked(path: string, most = 10): string {
  const link = linkAt(path);
  return link !== undefined && most > 0 ? delinked(resolve(dirname(path), link), most - 1) : normalize(path);
}
