// What is built by itself: the strongly connected components that no other one reaches, one of each.
import { array, assert, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { rootsOf } from "../../src/sources/map/roots.ts";

test("of a circle its first one, and what nothing reaches", () => {
  const next = new Map([
    ["clusters/home", ["clusters/home/flux-system", "infra"]],
    ["clusters/home/flux-system", ["clusters/home"]],
    ["infra", []],
    ["alone", ["alone"]],
    ["above", ["alone"]],
  ]);
  expect(rootsOf([...next.keys()], (each) => next.get(each) ?? []).toSorted()).toEqual([
    "above",
    "clusters/home",
  ]);
});

test("random graphs: as each pair of things that reach each other says", () => {
  const nodes = 7;
  const edges = array(array(integer({ min: 0, max: nodes - 1 }), { maxLength: 3 }), {
    minLength: nodes,
    maxLength: nodes,
  });
  assert(
    property(edges, (next) => {
      const all = next.map((_, node) => node);
      const reached = all.map((start) => {
        const seen = new Set([start]);
        for (const each of seen) for (const other of next[each] ?? []) seen.add(other);
        return seen;
      });
      const reaches = (from: number, to: number): boolean => reached[from]?.has(to) === true;
      const isRoot = (node: number): boolean =>
        all.every((each) => !reaches(each, node) || reaches(node, each));
      const roots = rootsOf(all, (node) => next[node] ?? []);
      // One of each circle, and each thing is reached from a root.
      const circles = new Set(
        all.filter(isRoot).map((node) => all.find((each) => reaches(node, each) && reaches(each, node))),
      );
      expect(roots.every(isRoot)).toBe(true);
      expect(roots).toHaveLength(circles.size);
      expect(all.every((node) => roots.some((root) => reaches(root, node)))).toBe(true);
    }),
  );
});
