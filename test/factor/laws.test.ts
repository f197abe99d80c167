// What holds for every set: layers of a set share nothing more, the order of files changes no more than ties, a layer is its
// file with lines taken out, and a merge with a fault proves nothing.
// @module-tag law
import { describe, expect, test } from "vitest";
import { headOfTree, leafOf, membersOf, type Tree } from "../../src/merge/tree.ts";
import { mergeAll } from "../../src/merge/merge-all.ts";
import { withMembers } from "../../src/merge/branch.ts";
import { factor, type Factored } from "../../src/factor/factor.ts";
import { hunt, type Failure } from "../fuzz/hunt.ts";
import { copiedSet } from "../support/copied-set.ts";
import { modes, plain, sourcesOf, textsOf } from "../support/factored.ts";

function linesOf({ base, middles, own }: Factored): number {
  return [base, ...middles, ...own].reduce((sum, { part }) => sum + (part?.lines ?? 0), 0);
}

/** Runs a law over random sets. */
function law(name: string, check: (texts: readonly string[]) => Failure | undefined): void {
  test(name, () => hunt({ name: `factor-${name.replaceAll(" ", "-")}`, cases: 30, make: copiedSet, check }));
}

law("layers share nothing more", (texts) => {
  for (const [mode, options] of Object.entries(modes)) {
    // A list that keeps its order for the sake of `$(X)` may be free once X is in the base.
    if (options.reorder && texts.some((text) => text.includes("$("))) continue;
    const listKeys = factor({ ...options, sources: sourcesOf(texts), below: [] }).listKeys.map(
      ({ rule }) => rule,
    );
    const own = { ...options, findListKeys: false, middle: false, listKeys, below: [] };
    const once = factor({ ...own, sources: sourcesOf(texts) });
    if (once.own.some(({ part }) => part === undefined)) continue;
    const layers = once.own.map(({ text }) => Buffer.from(text).toString());
    const again = factor({ ...own, sources: sourcesOf(layers) });
    if (again.base.part !== undefined)
      return {
        kind: `${mode}: a second base`,
        detail: [...textsOf(once), "=====\n", ...textsOf(again)].join("---\n"),
      };
  }
  return undefined;
});

law("without ties the order of files changes nothing", (texts) => {
  const options = { ...plain, shared: "all" as const, below: [] };
  const forth = factor({ ...options, sources: sourcesOf(texts) });
  const back = factor({ ...options, sources: sourcesOf(texts.toReversed()) });
  if (linesOf(forth) === linesOf(back)) return undefined;
  return { kind: "other lines", detail: [...textsOf(forth), "=====\n", ...textsOf(back)].join("---\n") };
});

law("a layer is its file with lines taken out", (texts) => {
  const sources = sourcesOf(texts);
  const made = factor({ ...plain, sources, below: [] });
  for (const [index, { bytes }] of sources.entries()) {
    const file = bytes.toString();
    // Brackets are opened where something between them goes, and aliases are written out.
    if (/[&*{[]/.test(file)) continue;
    const left = file.split("\n").map((line) => line.trim());
    for (const line of Buffer.from(made.own[index]?.text ?? [])
      .toString()
      .split("\n")) {
      const at = left.indexOf(line.trim());
      if (at < 0 && line !== "{}" && line !== "")
        return { kind: "a new line", detail: `${line}\nin ${file}` };
      left.splice(at, 1);
    }
  }
  return undefined;
});

describe("the proof", () => {
  const texts = ["a: 1\nb: {x: 1}\nc: [1, 2]\nd: text\n", "a: 1\nb: {x: 2}\nc: [1, 2]\nd: text\n"];
  const faulty = (change: (tree: Tree) => Tree) => (roots: Parameters<typeof mergeAll>[0]) => {
    const merged = mergeAll(roots);
    return merged && change(merged);
  };
  const without = (key: string) => (tree: Tree) => {
    const members = membersOf(tree)?.values() ?? [];
    return withMembers(
      tree,
      members.filter((each) => headOfTree(each).key !== key),
    );
  };

  test("holds with the merge as it is", () => {
    expect(factor({ ...plain, sources: sourcesOf(texts), below: [] }).unproven).toEqual([]);
  });

  test.for([
    ["loses a key", faulty(without("a"))],
    ["loses a layer", (roots: Parameters<typeof mergeAll>[0]) => mergeAll(roots.slice(0, 1))],
    ["turns the layers round", (roots: Parameters<typeof mergeAll>[0]) => mergeAll(roots.toReversed())],
    ["gives nothing", () => undefined],
    ["gives one layer twice", (roots: Parameters<typeof mergeAll>[0]) => roots[1] && leafOf(roots[1])],
  ] as const)("fails for a merge that %s", ([, merge]) => {
    const made = factor({
      ...plain,
      sources: sourcesOf([...texts, "a: 2\nb: {x: 1}\nc: [2, 1]\nd: text\n"]),
      below: [],
      merge,
    });
    expect(made.unproven.length).toBeGreaterThan(0);
  });
});
