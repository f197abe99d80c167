// Paths of the settings `merge` and `protect` that no value of a target has: misspelt, perhaps, and then lists are replaced
// and values set as if nobody had said anything.
import type { Settings } from "../config/settings.ts";
import { type Diagnostic, nearest } from "../diagnostic.ts";
import type { LayerReader } from "../layer/layers.ts";
import { isKey, parsePath, type Step } from "../merge/path.ts";
import type { Stack } from "../model.ts";
import { textOfKey } from "../yaml/key.ts";
import { childrenOf, isMapping, isSequence, type Node, valueOf } from "../yaml/tape.ts";
import { entryNodes } from "../yaml/view.ts";
import { isForTarget } from "./protection.ts";
import { readStack } from "./stack-entries.ts";

interface Sought {
  readonly field: string;
  readonly path: string;
  readonly steps: readonly Step[];
  readonly rule: { readonly targets?: Settings["targets"] };
  /** Whether a stack was looked at, and whether all of each could be. */
  isLooked: boolean;
  isKnown: boolean;
  /** The key that the path perhaps means. */
  near?: string;
}

export class UnmatchedPaths {
  /** Those that nothing has matched yet. */
  private sought: Sought[];
  private readonly reader: LayerReader;

  constructor({ merge = [], protect = [] }: Settings, reader: LayerReader) {
    this.reader = reader;
    this.sought = [
      ...merge.flatMap((rule, index) => soughtFor(rule, `spec.merge[${index}].path`)),
      ...protect.flatMap((rule, index) => soughtFor(rule, `spec.protect[${index}].path`)),
    ];
  }

  /** @param inline values that the target holds itself, where the stack is the one that they override */
  look(stack: Stack, inline: Node | undefined): void {
    if (this.sought.length === 0) return;
    const asked = this.sought.filter(({ rule }) => isForTarget(stack.target, rule));
    if (asked.length === 0) return;
    const standings = [...readStack(stack, this.reader), ...(inline === undefined ? [] : [{ root: inline }])];
    const found = new Set(asked.filter((each) => standings.some((standing) => this.isIn(standing, each))));
    this.sought = this.sought.filter((each) => !found.has(each));
    const isKnown = standings.every(({ state, barrier }) => state === undefined && isUnseen(barrier?.why));
    for (const each of asked) {
      each.isLooked = true;
      each.isKnown &&= isKnown;
    }
  }

  /** @param isStrict true where those are wanted, too, that nothing is nearly meant by */
  found(isStrict: boolean): Diagnostic[] {
    return this.sought.flatMap(({ field, path, near, isLooked, isKnown }): Diagnostic[] => {
      if (!isLooked || (near === undefined && !(isStrict && isKnown))) return [];
      const hint = near === undefined ? "take it out, or correct it" : `did you mean \`${near}\`?`;
      const message = `\`${field}\`: no target has a value at \`${path}\``;
      return [{ code: "unmatched-selector", severity: "warning", field, message, hint }];
    });
  }

  private isIn({ root, layer }: ReturnType<typeof readStack>[number], sought: Sought): boolean {
    if (root === undefined) return false;
    // A key of a Secret is not for messages.
    const isOpen = layer === undefined || !this.reader.isSecret(layer);
    return has(root, sought.steps, [0], (near) => {
      if (isOpen) sought.near ??= near;
    });
  }
}

function soughtFor(rule: Sought["rule"] & { readonly path: string }, field: string): Sought[] {
  const steps = parsePath(rule.path);
  if ("wrongAt" in steps) return [];
  return [{ field, path: rule.path, steps, rule, isLooked: false, isKnown: true }];
}

function isUnseen(why: string | undefined): boolean {
  return why === undefined || why === "unseen";
}

/** True if something is where the steps lead. @param at how far they may have come; each node is looked at once */
function has(
  node: Node,
  steps: readonly Step[],
  at: readonly number[],
  onNear: (key: string) => void,
): boolean {
  const states = closed(steps, at);
  if (states.includes(steps.length)) return true;
  const value = valueOf(node);
  if (isSequence(value)) {
    const inside = states.flatMap((state) => ("inList" in (steps[state] as Step) ? state + 1 : []));
    return inside.length > 0 && childrenOf(value).some((child) => has(child, steps, inside, onNear));
  }
  if (!isMapping(value)) return false;
  const entries = entryNodes(value).map((entry) => ({ entry, key: textOfKey(entry) }));
  for (const { entry, key } of entries) {
    const next = states.flatMap((state) => behind(steps[state] as Step, state, key));
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

/** `**` stands for no key, too. */
function closed(steps: readonly Step[], at: readonly number[]): number[] {
  const states = new Set(at);
  for (const state of states) {
    const step = steps[state];
    if (step !== undefined && "any" in step && step.any === "keys") states.add(state + 1);
  }
  return [...states];
}

function behind(step: Step, state: number, key: string): number[] {
  if ("any" in step) return [step.any === "keys" ? state : state + 1];
  return "key" in step && isKey(step.key, key) ? [state + 1] : [];
}
