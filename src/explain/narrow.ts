// An explanation with the values of one path only, and what to say where there are none.
import { type Diagnostic, meantOr, nearest } from "../diagnostic.ts";
import type { ExplainedStack, ExplainedValue, Explanation, RemovedValue } from "../explanation.ts";
import { endOfPath } from "./path-end.ts";
import { isOfFiles } from "./titles.ts";
import { compare, parsePath, pathText, type Step } from "../merge/index.ts";

/** A path with wildcards, read. */
export type PathSteps = readonly Step[];

/** Targets and stacks without such a value are left out. */
export function narrowed(explanation: Explanation, path: string): Explanation | Diagnostic {
  const steps = parsePath(path);
  if ("wrongAt" in steps) return badPath(path, steps.wrongAt);
  const targets = explanation.targets.flatMap((target) => {
    const stacks = target.stacks.flatMap((stack) => narrowedStack(stack, steps));
    return stacks.length === 0 ? [] : { ...target, stacks };
  });
  return targets.length === 0 ? noValue(explanation, path, steps) : { ...explanation, targets };
}

function narrowedStack(stack: ExplainedStack, steps: PathSteps): ExplainedStack[] {
  const isThere = (value: ExplainedValue | RemovedValue): boolean =>
    isAtPath(value, steps) && endOfPath(value, steps) === undefined;
  const values = stack.values.filter(isThere);
  const removed = (stack.removed ?? []).filter(isThere);
  if (values.length === 0 && removed.length === 0) return [];
  return [{ ...stack, values, ...(stack.removed && { removed }) }];
}

/** A value above a path hides everything that lower layers set below it. */
export function isAtPath(
  { path, mapping, elements }: Pick<ExplainedValue, "path" | "mapping" | "elements">,
  steps: PathSteps,
): boolean {
  const found = compare(path, steps, elements);
  const isWild = steps.some((step) => "any" in step);
  return found === "inside" || (found === "above" && path.length > 0 && mapping !== true && !isWild);
}

export function badPath(path: string, wrongAt: number): Diagnostic {
  return {
    code: "no-value",
    severity: "error",
    message: `\`${path}\` is not a path: it cannot be read from character ${wrongAt}`,
    hint: 'write keys with dots between them, others as `["a.b"]`, `*` for any key and `**` for any keys; name a folder `./folder`',
  };
}

function noValue({ targets }: Explanation, path: string, steps: PathSteps): Diagnostic {
  const fault = { code: "no-value", severity: "error", message: `no value at \`${path}\`` } as const;
  const all = targets.flatMap(({ stacks }) => stacks.flatMap(({ values }) => values));
  const above = all.find((each) => isAtPath(each, steps));
  const end = above && endOfPath(above, steps);
  if (above !== undefined && end !== undefined)
    return {
      ...fault,
      reason: end.why,
      hint: meantOr(end.near, `ask for \`${pathText(above.path)}\` to see all of it`),
    };
  const known = new Set<string>();
  for (const value of all) addPaths(value.path, known);
  const names = targets.flatMap((target) => (isOfFiles(target) ? [] : target.name));
  const own = path.replace(/^spec\.values\./, "");
  const near =
    [...known].find((each) => each.endsWith(`.${path}`) || (own !== path && each === own)) ??
    [...known].find((each) => beginsAlike(each, path)) ??
    nearest(path, known) ??
    names.find((each) => each.startsWith(path)) ??
    nearest(path, names);
  const hint = meantOr(near, "no layer sets it; to name a folder, write `./folder`");
  return { ...fault, hint };
}

/** `replicas` and `replicaCount`: the same keys above, and three quarters of the last one. */
function beginsAlike(known: string, path: string): boolean {
  const start = Math.ceil((path.lastIndexOf(".") + 1 + 3 * path.length) / 4);
  return path.length > 4 && known.startsWith(path.slice(0, start)) && !known.slice(start).includes(".");
}

function addPaths(path: readonly string[], known: Set<string>): void {
  for (let length = path.length; length > 0; length--) {
    const text = pathText(path.slice(0, length));
    if (known.has(text)) return;
    known.add(text);
  }
}
