// How the places of an explanation are judged where each value is the file and the line at which it stands.
import { expect } from "vitest";
import type { ExplainedTarget, Place } from "../../src/explanation.ts";
import type { StampedTree } from "../support/stamped-tree.ts";

/** Where the real programs are. */
export const tools = `${new URL(".tools/", import.meta.url).pathname}:${process.env["PATH"] ?? ""}`;

export interface Tally {
  right: number;
  weaker: number;
  below: number;
  removed: number;
  refused: number;
}

/** `file#line`, as values are written. */
function stampOf({ file = "", line = 0 }: Place): string {
  return `${file}#${line}`;
}

function stampsIn(text: string | undefined): readonly string[] {
  return (text ?? "").match(/[\w/.-]+#\d+/g) ?? [];
}

/** Whether a place is that of a value; a kustomization without a line claims nothing more. */
function judged(
  at: Place | undefined,
  text: string | undefined,
  tree: StampedTree,
  where: string,
): "right" | "weaker" {
  const stamps = stampsIn(text);
  if (at?.line === undefined || at.of === "text") {
    expect(at?.file, where).toMatch(/kustomization\.yaml$|^[a-z]+$/);
    return "weaker";
  }
  const isEdit = text?.startsWith("[") === true && tree.edits.has(stampOf(at));
  if (stamps.length > 0 && !isEdit) expect(stamps, where).toContain(stampOf(at));
  return "right";
}

function leaves(value: unknown, at: readonly string[] = []): readonly (readonly [string, unknown])[] {
  const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
  const entries = isMapping ? Object.entries(value) : [];
  return entries.length === 0
    ? [[at.join("."), value]]
    : entries.flatMap(([key, each]) => leaves(each, [...at, key]));
}

export interface Built {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: { readonly values?: unknown };
}

export function judge(target: ExplainedTarget, built: Built, tree: StampedTree, tally: Tally): void {
  const where = `${tree.top}: ${target.name}`;
  const [stack] = target.stacks;
  if (stack === undefined) throw new Error(`${where} has no stack`);
  const own = new Set(stack.layers.filter(({ why }) => why === "own" || why === "patch").map(({ id }) => id));
  // Below an empty mapping the values of lower layers show.
  const stamped = (all: readonly (readonly [string, string])[]): ReadonlyMap<string, string> =>
    new Map(all.map(([at, text]) => [at, stampsIn(text).join()] as const).filter(([, text]) => text !== ""));
  const inline = stack.values.filter(({ by, mapping }) => own.has(by) && mapping !== true);
  const explained = stamped(inline.map(({ path: at, text = "" }) => [at.join("."), text]));
  const wanted = leaves(built.spec.values ?? {}).map(([at, value]) => [at, JSON.stringify(value)] as const);
  expect(explained, where).toEqual(stamped(wanted));
  for (const { path: at, text, at: place, over, mapping } of stack.values) {
    const found = mapping === true ? undefined : judged(place, text, tree, `${where} ${at.join(".")}`);
    if (found !== undefined) tally[found]++;
    if (!tree.isOpaque) expect(found, `${where} ${at.join(".")}: ${text}`).not.toBe("weaker");
    for (const lower of over)
      if (lower.mapping !== true && lower.at !== undefined && stampsIn(lower.text).length > 0) {
        judged(lower.at, lower.text, tree, `${where} over ${at.join(".")}`);
        tally.below++;
      }
  }
  for (const { was, text, at } of stack.removed ?? []) {
    judged(was, text, tree, `${where} removed`);
    expect(at.line, where).toBeGreaterThan(0);
    tally.removed++;
  }
}
