// Which folders are in scope: what an include matches and no exclude. Exact includes that find nothing are misses, unless
// an exclude matches them, too. Regular expressions are those of Go's `regexp`: RE2's syntax, linear time, matching
// anywhere in the text.
import { RE2JS } from "re2js";
import { type Diagnostic, meantOr, nearest } from "../diagnostic.ts";
import type { RenderSpec } from "./settings.ts";
import { errorAt } from "./faults.ts";

export interface Scoped {
  /** In order of their names. */
  readonly names: readonly string[];
  readonly misses: readonly string[];
}

type SchemaScope = NonNullable<RenderSpec["scope"]>;

/** @param names all folders there are */
export function inScope(
  names: readonly string[],
  { includes, excludes }: Pick<SchemaScope, "includes" | "excludes">,
): Scoped {
  const known = new Set(names);
  const [isIn, isOut] = [matcherOf(includes), matcherOf(excludes)];
  return {
    names: [...known].filter((name) => isIn(name) && !isOut(name)).toSorted((a, b) => (a < b ? -1 : 1)),
    misses: [...new Set(includes.exact)].filter((name) => !known.has(name) && !isOut(name)),
  };
}

function matcherOf({ exact, regex }: SchemaScope["includes"]): (name: string) => boolean {
  const named = new Set(exact);
  const patterns = regex.map(compilePattern);
  return (name) => named.has(name) || patterns.some((pattern) => pattern?.matches(name) === true);
}

export function patternFaults(scope: Pick<SchemaScope, "includes" | "excludes">): Diagnostic[] {
  return (["includes", "excludes"] as const).flatMap((side) =>
    [...scope[side].regex.entries()]
      .filter(([, source]) => compilePattern(source) === undefined)
      .map(([index, source]) => notAPattern(source, `spec.scope.${side}.regex[${index}]`)),
  );
}

function notAPattern(source: string, field: string): Diagnostic {
  return errorAt(
    "invalid-setting",
    undefined,
    `\`${source}\` is not a regular expression of RE2`,
    "RE2 has neither lookaround nor backreferences: https://github.com/google/re2/wiki/Syntax",
    field,
  );
}

/** @param isStrict whether a miss fails the run */
export function missed(
  name: string,
  all: readonly string[],
  directories: string,
  isStrict: boolean,
): Diagnostic {
  const near = nearest(name, all);
  return {
    code: "scope-miss",
    severity: isStrict ? "error" : "warning",
    message: `the include \`${name}\` is not a folder in \`${directories}\``,
    field: "spec.scope.includes.exact",
    hint: meantOr(near, "take it out, or add the folder"),
  };
}

/** @param files those that the directories hold in place of folders */
export function nothingMatched(directories: string, files: readonly string[]): Diagnostic {
  const [file] = files;
  return errorAt(
    "scope-empty",
    undefined,
    `the scope matches no folder in \`${directories}\``,
    file === undefined
      ? "correct its includes and excludes: if nothing is rendered, Flux and Argo CD remove all apps"
      : `a scope finds folders, and there are files here (\`${file}\`): name the instances under \`spec.instances\``,
    "spec.scope",
  );
}

export function missingScope(path: string): Diagnostic {
  return errorAt(
    "missing-path",
    undefined,
    `the folder \`${path}\` of the scope does not exist`,
    "correct the path, or take it out: its instances would be left out and pruned",
    "spec.scope.directories",
  );
}

export interface PathPattern {
  matches(text: string): boolean;
}

/** Undefined for what RE2 does not take. Its message quotes the pattern and is not shown. */
export function compilePattern(source: string): PathPattern | undefined {
  try {
    const compiled = RE2JS.compile(source);
    return { matches: (text) => compiled.matcher(text).find() };
  } catch {
    return undefined;
  }
}
