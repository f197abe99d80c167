// The words behind `explain`: a target, a path in its values, and what to read.

/** How what was asked for is told. */
export interface ExplainInvocation {
  readonly command: "explain";
  readonly files: readonly string[];
  readonly target: string | undefined;
  readonly path: string | undefined;
  readonly form: "text" | "json" | "annotated";
  /** File that the page is written to. */
  readonly html: string | undefined;
  readonly enableExec: boolean;
}

interface Misused {
  readonly command: "misused";
  readonly message: string;
}

interface Options {
  readonly json?: boolean | undefined;
  readonly annotate?: boolean | undefined;
  readonly html?: string | undefined;
  readonly "enable-exec"?: boolean | undefined;
}

/** @param words target, path and files, in this order */
export function readExplain(words: readonly string[], values: Options): ExplainInvocation | Misused {
  const { json = false, annotate = false, html } = values;
  if ([json, annotate, html !== undefined].filter(Boolean).length > 1)
    return { command: "misused", message: "expected one of `--json`, `--annotate` and `--html`" };
  const [target, afterTarget] = taken(words, isTarget);
  const [path, files] = taken(afterTarget, (text) => !isFileLike(text));
  return {
    command: "explain",
    target,
    path,
    files,
    form: json ? "json" : annotate ? "annotated" : "text",
    html,
    enableExec: values["enable-exec"] === true,
  };
}

/** The first word, if it is of a kind, and the others. */
function taken(
  words: readonly string[],
  isOfKind: (text: string) => boolean,
): [string | undefined, readonly string[]] {
  const [first, ...others] = words;
  return first !== undefined && isOfKind(first) ? [first, others] : [undefined, words];
}

/** Kinds start with a capital; a folder that does is written `./Folder`. */
function isTarget(text: string): boolean {
  return /^[A-Z][A-Za-z]*\/[^/]+(?:\/[^/]+)?$/.test(text) && !isManifest(text);
}

/** A path in values has no slash outside brackets. */
export function isFileLike(text: string): boolean {
  return (
    text === "-" ||
    /^\.{1,2}$/.test(text) ||
    isManifest(text) ||
    text.replaceAll(/\[[^\]]*\]/g, "").includes("/")
  );
}

/** True for the name of a YAML or JSON file. */
export function isManifest(text: string): boolean {
  return /\.(?:ya?ml|json)$/.test(text);
}
