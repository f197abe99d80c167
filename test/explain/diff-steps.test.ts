// How much `diff` looks at, counted: what it costs to find the edit behind a change must not grow with all other edits.
import { expect, test, vi } from "vitest";
import { differenceOf } from "../../src/explain/diff/diff.ts";
import type { Explanation, ExplainedValue } from "../../src/explanation.ts";
import { explanationOf } from "../support/explain.ts";

/** A HelmRelease that names its layers in this order. */
function release(layers: readonly { readonly name: string; readonly text: string }[]): string {
  const references = layers.map(({ name }) => `{kind: ConfigMap, name: ${name}}`);
  const items = layers.map(
    ({ name, text }) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org}\ndata: {values.yaml: ${JSON.stringify(text)}}\n`,
  );
  return [
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {valuesFrom: [${references.join(", ")}]}\n`,
    ...items,
  ].join("---\n");
}

const lines = (size: number, line: (at: number) => string): string =>
  Array.from({ length: size }, (_, at) => `${line(at)}\n`).join("");

/** The same explanation, with every look at a step of a path counted. */
function watched({ targets, ...rest }: Explanation, look: () => void): Explanation {
  const watch = (value: ExplainedValue): ExplainedValue => ({
    ...value,
    path: watchedPath(value.path, look),
  });
  return {
    ...rest,
    targets: targets.map(({ stacks, ...target }) => ({
      ...target,
      stacks: stacks.map((stack) => ({ ...stack, values: stack.values.map(watch) })),
    })),
  };
}

function watchedPath(path: readonly string[], look: () => void): readonly string[] {
  return new Proxy(path, {
    get: (steps, name) => {
      if (name === "0") look();
      return Reflect.get(steps, name) as unknown;
    },
  });
}

/** How often a step is looked at for each of so many entries. */
function looks(before: string, after: string, size: number): number {
  let count = 0;
  const [old, now] = [before, after].map((text) => watched(explanationOf(text), () => count++));
  expect(differenceOf([{ before: old, after: now }]).edits.length).toBeGreaterThanOrEqual(size);
  return count / size;
}

test.for<[string, (size: number) => [string, string]]>([
  [
    "layers that change places, and edits beside what they change",
    (size) => {
      const layer = (name: string, is: number): { name: string; text: string } => ({
        name,
        text: lines(size, (at) => `k${at}: ${name}`) + lines(size, (at) => `${name}${at}: ${is}`),
      });
      return [release([layer("a", 1), layer("b", 1)]), release([layer("b", 2), layer("a", 2)])];
    },
  ],
  [
    "texts that were over mappings",
    (size) => {
      const base = { name: "a", text: lines(size, (at) => `m${at}: {x: 1}`) };
      const over = (text: string): { name: string; text: string } => ({ name: "b", text });
      return [release([base, over(lines(size, (at) => `m${at}: t`))]), release([base, over("z: 1\n")])];
    },
  ],
])("%s", ([, sides]) => {
  const [few, many] = [100, 400].map((size) => looks(...sides(size), size));
  expect(many).toBeLessThan((few ?? 0) * 1.2);
});

test("layers with another hash, in another order", () => {
  const named = (size: number, digit: string): { name: string; text: string }[] =>
    Array.from({ length: size }, (_, at) => ({
      name: `l${at}-${digit.repeat(10)}`,
      text: `k${at}: 1\n`,
    }));
  const cuts = (size: number): number => {
    const [before, after] = [named(size, "4"), named(size, "2").toReversed()].map((all) =>
      explanationOf(release(all)),
    );
    const replace = vi.spyOn(String.prototype, "replace");
    const { edits } = differenceOf([{ before, after }]);
    const count = replace.mock.calls.length;
    replace.mockRestore();
    expect(edits).toEqual([]);
    return count / size;
  };
  expect(cuts(200)).toBeLessThan(cuts(50) * 1.2);
});
