// Paths of the settings `merge` and `protect` that no target has a value at. Such a path may be misspelt: then its rule
// silently does nothing.
import type { Settings } from "../../settings/index.ts";
import { type Diagnostic, meantOr, nearest } from "../../diagnostic.ts";
import { isAnyKeys, isKey, parsePath, type Step } from "../../merge/index.ts";
import type { Node } from "../../yaml/index.ts";
import type { JudgedDocument, JudgedTarget } from "../../layers/index.ts";
import { isForTarget } from "./protection.ts";

interface Sought {
  readonly field: string;
  readonly path: string;
  readonly steps: readonly Step[];
  readonly rule: Parameters<typeof isForTarget>[1];
  /** Whether any stack was searched, and whether all layers of each could be read. */
  isLooked: boolean;
  isKnown: boolean;
  /** A similar key, which the path may mean. */
  near?: string;
}

export class UnmatchedPaths {
  /** Paths without a match so far. */
  private sought: Sought[];

  constructor({ merge = [], protect = [] }: Settings) {
    this.sought = [
      ...merge.flatMap((rule, index) => soughtFor(rule, `spec.merge[${index}].path`)),
      ...protect.flatMap((rule, index) => soughtFor(rule, `spec.protect[${index}].path`)),
    ];
  }

  /** True once each path has a value somewhere. */
  get isDone(): boolean {
    return this.sought.length === 0;
  }

  /** @param documents of a stack */
  look(documents: readonly JudgedDocument[], target: JudgedTarget["target"]): void {
    const meant = this.sought.filter(({ rule }) => isForTarget(target, rule));
    if (meant.length === 0) return;
    const found = new Set(meant.filter((each) => documents.some((document) => isIn(document, each))));
    this.sought = this.sought.filter((each) => !found.has(each));
    const isKnown = documents.every(({ unknown = "unseen" }) => unknown === "unseen");
    for (const each of meant) {
      each.isLooked = true;
      each.isKnown &&= isKnown;
    }
  }

  /** @param isStrict true to include paths without a similar key */
  found(isStrict: boolean): Diagnostic[] {
    return this.sought.flatMap(({ field, path, near, isLooked, isKnown }): Diagnostic[] => {
      if (!isLooked || (near === undefined && !(isStrict && isKnown))) return [];
      const hint = meantOr(near, "remove it, or correct it");
      const message = `\`${field}\`: no target has a value at \`${path}\``;
      return [{ code: "unmatched-selector", severity: "warning", field, message, hint }];
    });
  }
}

function isIn({ root, isSecret }: JudgedDocument, sought: Sought): boolean {
  if (root === undefined) return false;
  return has(root, sought.steps, [0], (near) => {
    // A message never names a key of a Secret.
    if (!isSecret) sought.near ??= near;
  });
}

function soughtFor(rule: Sought["rule"] & { readonly path: string }, field: string): Sought[] {
  const steps = parsePath(rule.path);
  if ("wrongAt" in steps) return [];
  return [{ field, path: rule.path, steps, rule, isLooked: false, isKnown: true }];
}

/** True if there is a value at the end of the steps. @param at the steps reached so far; each node is visited once */
function has(
  node: Node,
  steps: readonly Step[],
  at: readonly number[],
  onNear: (key: string) => void,
): boolean {
  const states = closed(steps, at);
  if (states.includes(steps.length)) return true;
  const value = node.value;
  if (value.isSequence) {
    const inside = states.flatMap((state) => ("inList" in (steps[state] as Step) ? state + 1 : []));
    return inside.length > 0 && value.children().some((child) => has(child, steps, inside, onNear));
  }
  if (!value.isMapping) return false;
  const entries = value.members().map((entry) => ({ entry, key: entry.key }));
  for (const { entry, key } of entries) {
    const next = states.flatMap((state) => after(steps[state] as Step, state, key));
    if (next.length > 0 && has(entry, steps, next, onNear)) return true;
  }
  for (const state of states) {
    const step = steps[state] as Step;
    if (!("key" in step) || entries.some(({ key }) => isKey(step.key, key))) continue;
    const near = nearest(
      step.key,
      entries.map(({ key }) => key),
      Math.floor((step.key.length + 1) / 4),
    );
    if (near !== undefined) onNear(near);
  }
  return false;
}

/** `**` also matches no key. */
function closed(steps: readonly Step[], at: readonly number[]): number[] {
  const states = new Set(at);
  for (const state of states) {
    if (isAnyKeys(steps[state])) states.add(state + 1);
  }
  return [...states];
}

function after(step: Step, state: number, key: string): number[] {
  if ("any" in step) return [step.any === "keys" ? state : state + 1];
  return "key" in step && isKey(step.key, key) ? [state + 1] : [];
}
