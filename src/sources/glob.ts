// Patterns of paths, as Go's doublestar reads them: `*` and `?` within a name, `**` for any directories, `[a-c]`, `{a,b}`.
import { join } from "node:path";
import { isDirectory, namesAt } from "./disk.ts";

/** True for a path that fits a pattern in which `*` fits a `/`, too. */
export function isLooseMatch(pattern: string, path: string): boolean {
  return alternativesOf(pattern).some((each) => {
    const source = each
      .replaceAll(/[.+^${}()|\\]/g, "\\$&")
      .replaceAll(/\*+/g, ".*")
      .replaceAll("?", ".")
      .replaceAll("[!", "[^");
    try {
      return new RegExp(`^${source}$`).test(path);
    } catch {
      return false;
    }
  });
}

/** The files and directories that fit, in lexical order, directory by directory. @param pattern an absolute one */
export function pathsThatFit(pattern: string): readonly string[] {
  const parts = pattern.split("/").slice(1);
  return [...new Set(alternativesOf(parts.join("/")).flatMap((each) => fitting("/", each.split("/"))))];
}

/** True for a path that fits a pattern as a whole, without `**`: Go's `path.Match`. */
export function isMatch(pattern: string, path: string): boolean {
  const [parts, names] = [pattern.split("/"), path.split("/")];
  return parts.length === names.length && parts.every((part, index) => nameFits(part, names[index] ?? ""));
}

function fitting(directory: string, [part, ...rest]: readonly string[]): readonly string[] {
  if (part === undefined) return [directory];
  if (part === "**") {
    const here = rest.length === 0 ? [directory] : fitting(directory, rest);
    const below = namesIn(directory)
      .map((name) => join(directory, name))
      .flatMap((path) =>
        isDirectory(path) ? fitting(path, [part, ...rest]) : rest.length === 0 ? [path] : [],
      );
    return [...here, ...below];
  }
  return namesIn(directory)
    .filter((name) => nameFits(part, name))
    .map((name) => join(directory, name))
    .filter((path) => rest.length === 0 || isDirectory(path))
    .flatMap((path) => fitting(path, rest));
}

function namesIn(directory: string): readonly string[] {
  try {
    return namesAt(directory).toSorted((a, b) => (a < b ? -1 : 1));
  } catch {
    return [];
  }
}

function nameFits(part: string, name: string): boolean {
  const source = part.replaceAll(
    /\\(.)|\[([!^])?((?:\\.|[^\]\\])+)\]|[*?]|[.+^${}()|[\]\\]/g,
    (whole, escaped, not, range) => {
      if (escaped !== undefined) return `\\u{${String(escaped).codePointAt(0)?.toString(16)}}`;
      if (range !== undefined)
        return `[${not === undefined ? "" : "^"}${String(range).replaceAll("[", "\\[")}]`;
      if (whole === "*") return "[^/]*";
      return whole === "?" ? "[^/]" : `\\${whole}`;
    },
  );
  try {
    return new RegExp(`^${source}$`, "u").test(name);
  } catch {
    return false;
  }
}

/** `{a,b}` is one pattern for each of the two. */
function alternativesOf(pattern: string): readonly string[] {
  const open = pattern.indexOf("{");
  const close = closeOf(pattern, open);
  if (open < 0 || close < 0) return [pattern];
  const [before, after] = [pattern.slice(0, open), pattern.slice(close + 1)];
  return choicesIn(pattern.slice(open + 1, close)).flatMap((choice) =>
    alternativesOf(before + choice + after),
  );
}

function closeOf(pattern: string, open: number): number {
  let depth = 0;
  for (let at = open; at >= 0 && at < pattern.length; at++) {
    if (pattern[at] === "{") depth++;
    if (pattern[at] === "}" && --depth === 0) return at;
  }
  return -1;
}

function choicesIn(text: string): readonly string[] {
  const choices = [""];
  let depth = 0;
  for (const character of text) {
    depth += Number(character === "{") - Number(character === "}");
    if (character === "," && depth === 0) choices.push("");
    else choices[choices.length - 1] += character;
  }
  return choices;
}
