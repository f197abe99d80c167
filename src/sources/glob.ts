// Patterns of paths, as Go's doublestar reads them: `*` and `?` within a name, `**` for any directories, `[a-c]`, `{a,b}`.
import { join, normalize, relative, resolve } from "node:path";
import { isDirectory, isThere, namesAt, realPathOf } from "./disk.ts";

/** Of `{a,b}{a,b}…` there are more than can be tried. */
const mostAlternatives = 1000;
const mostSteps = 20_000;
/** Alternatives that are tried with each path of a checkout. */
const mostTried = 200;

/** Whether a path fits a pattern in which `*` fits a `/`, too; undefined for a pattern with too many alternatives. */
export function looseMatch(pattern: string): ((path: string) => boolean) | undefined {
  const all = alternativesOf(pattern)?.map(partsOf);
  return all && ((path) => all.some((parts) => fits(parts, path)));
}

/** Whether a path fits any of some patterns as a whole, `**` included; undefined for patterns with too many alternatives. */
export function treeMatch(patterns: readonly string[]): ((path: string) => boolean) | undefined {
  const all = patterns.flatMap((each) => alternativesOf(each) ?? Array<string>(mostTried + 1).fill(each));
  if (all.length > mostTried) return undefined;
  const parts = all.map((each) => each.split("/").map(nameMatch));
  return (path) => {
    const names = path.split("/");
    return parts.some((each) => fitsAll(each, names));
  };
}

function nameMatch(pattern: string): FittingPart<string> {
  if (pattern === "**") return "*";
  const parts = partsOf(pattern);
  return (name) => fits(parts, name);
}

/**
 * The files and directories that fit, in lexical order, directory by directory; undefined for a pattern with too many
 * alternatives. @param pattern an absolute one
 */
export function pathsThatFit(pattern: string): readonly string[] | undefined {
  const all = alternativesOf(pattern.split("/").slice(1).join("/"));
  const walks = all?.map((each) => new PatternWalk(each.split("/")));
  const found = walks?.flatMap((each) => each.all());
  return found && walks?.every((each) => each.isWhole) ? [...new Set(found)] : undefined;
}

/** As a shell does it, for sides that no shell can look into; a word that exists, or that fits nothing by its form, is a name. */
export function expanded(word: string, from: string): readonly string[] {
  if (!isPattern(word) || isThere(resolve(from, word))) return [word];
  const parts = normalize(word).split("/");
  const isHidden = (name: string, at: number): boolean =>
    name.startsWith(".") && parts[at]?.startsWith(".") !== true;
  const found = (pathsThatFit(resolve(from, word)) ?? []).map((path) => relative(from, path));
  return found.filter((path) => !path.split("/").some(isHidden));
}

export function isPattern(word: string): boolean {
  return /[*?[]/.test(word);
}

/** Whether a path fits a pattern as a whole, without `**`: Go's `path.Match`. */
export function pathMatch(pattern: string): (path: string) => boolean {
  const parts = pattern.split("/").map(partsOf);
  return (path) => {
    const names = path.split("/");
    return parts.length === names.length && parts.every((part, at) => fits(part, names[at] ?? ""));
  };
}

/** A walk along a pattern. `**` leads to a directory in many ways: what follows it there is looked for once. */
class PatternWalk {
  private readonly pattern: readonly string[];
  private readonly parts: readonly NameParts[];
  private readonly seen = new Set<string>();
  /** False once it has too many steps: links to directories may lead to each other in any number of ways. */
  isWhole = true;

  constructor(pattern: readonly string[]) {
    this.pattern = pattern;
    this.parts = pattern.map(partsOf);
  }

  /** What is above the first pattern need not be listed, and may be out of reach. */
  all(): readonly string[] {
    const first = this.pattern.findIndex(
      (part, at) => /[*?[\\]/.test(part) || at + 1 === this.pattern.length,
    );
    return this.from(join("/", ...this.pattern.slice(0, first)), first);
  }

  /** @param at the first part of the pattern that is left */
  private from(directory: string, at: number, above: readonly string[] = []): readonly string[] {
    const id = `${at} ${directory}`;
    if (this.seen.has(id)) return [];
    this.isWhole &&= this.seen.size < mostSteps;
    if (!this.isWhole) return [];
    this.seen.add(id);
    if (at === this.pattern.length) return [directory];
    const isLast = at + 1 === this.pattern.length;
    if (this.pattern[at] === "**") {
      const below = namesIn(directory).map((name) => join(directory, name));
      // A link to a directory above leads around in a circle.
      const all = [...above, realPathOf(directory)];
      const isEntered = (path: string): boolean => isDirectory(path) && !all.includes(realPathOf(path));
      return [
        ...this.from(directory, at + 1),
        ...below.flatMap((path) =>
          isEntered(path) ? this.from(path, at, all) : isLast && !isDirectory(path) ? [path] : [],
        ),
      ];
    }
    return namesIn(directory)
      .filter((name) => fits(this.parts[at] ?? [], name))
      .map((name) => join(directory, name))
      .filter((path) => isLast || isDirectory(path))
      .flatMap((path) => this.from(path, at + 1));
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return namesAt(directory);
  } catch {
    return [];
  }
}

/** What fits one of several; `*` fits any number of them. */
type FittingPart<T> = "*" | ((each: T) => boolean);
/** What fits a character each. */
type NameParts = readonly FittingPart<string>[];

function partsOf(pattern: string): NameParts {
  const all = pattern.matchAll(/\\(.)|\[([!^])?((?:\\.|[^\]\\])+)\]|\*+|[^]/gu);
  return [...all].map(([whole, escaped, not, range]) => {
    if (range !== undefined) return rangeOf(range, not !== undefined);
    if (whole.startsWith("*")) return "*";
    return whole === "?" ? () => true : (character) => character === (escaped ?? whole);
  });
}

/** One that is not valid fits nothing. */
function rangeOf(range: string, isNot: boolean): (character: string) => boolean {
  try {
    const characters = new RegExp(`^[${isNot ? "^" : ""}${range.replaceAll("[", "\\[")}]$`, "u");
    return (character) => characters.test(character);
  } catch {
    return () => false;
  }
}

function fits(parts: NameParts, text: string): boolean {
  return fitsAll(parts, Array.from(text));
}

/** Only the last `*` is tried again: an earlier one could not do better. */
function fitsAll<T>(parts: readonly FittingPart<T>[], all: readonly T[]): boolean {
  let [part, at] = [0, 0];
  let last: { readonly part: number; at: number } | undefined;
  while (at < all.length) {
    const own = parts[part];
    if (own === "*") last = { part: ++part, at };
    else if (own?.(all[at] as T) === true) [part, at] = [part + 1, at + 1];
    else if (last !== undefined) [part, at] = [last.part, ++last.at];
    else return false;
  }
  return parts.slice(part).every((each) => each === "*");
}

/** `{a,b}` is one pattern for each of the two. */
function alternativesOf(pattern: string): readonly string[] | undefined {
  const found: string[] = [];
  const left = [pattern];
  for (let step = 0; step < 2 * mostAlternatives; step++) {
    const next = left.pop();
    if (next === undefined) return found;
    const open = next.indexOf("{");
    const close = closeOf(next, open);
    if (open < 0 || close < 0) found.push(next);
    else {
      const [before, after] = [next.slice(0, open), next.slice(close + 1)];
      const choices = choicesIn(next.slice(open + 1, close));
      if (choices.length + left.length + found.length > mostAlternatives) return undefined;
      left.push(...choices.toReversed().map((choice) => before + choice + after));
    }
  }
  return undefined;
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
