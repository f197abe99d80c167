// Paths in values, as users type them.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, parsePath, pathText, type Step } from "../../src/merge/path.ts";
import { cpuClock } from "../support/cpu.ts";

describe("a path is read", () => {
  test.for([
    ["a", [{ key: "a" }]],
    ["a.b-c.d_e", [{ key: "a" }, { key: "b-c" }, { key: "d_e" }]],
    ['annotations["a.b/c"].d', [{ key: "annotations" }, { key: "a.b/c" }, { key: "d" }]],
    ['["\\u0041\\"]"]', [{ key: 'A"]' }]],
    ["*.b", [{ any: "key" }, { key: "b" }]],
    ["**.tag", [{ any: "keys" }, { key: "tag" }]],
    ["env[0].value", [{ key: "env" }, { inList: "0" }, { key: "value" }]],
    ["env[*]", [{ key: "env" }, { inList: "*" }]],
    ["env[name=LOG].value", [{ key: "env" }, { inList: "name=LOG" }, { key: "value" }]],
    ["a\u00e4 b", [{ key: "a\u00e4 b" }]],
  ] as const)("%s", ([text, steps]) => {
    expect(parsePath(text)).toEqual(steps);
  });

  test.for([
    ["", 1],
    [".a", 1],
    ["a.", 2],
    ["a..b", 2],
    ["a[", 2],
    ['a["b"', 2],
    ["a[b]", 2],
    ["a[0]b", 5],
    ['a["\\x"]', 2],
  ] as const)("%s is none, from character %s on", ([text, wrongAt]) => {
    expect(parsePath(text)).toEqual({ wrongAt });
  });
});

describe("a value is at a path, or below, or above it", () => {
  test.for([
    [["a", "b"], "a", "inside"],
    [["a"], "a", "inside"],
    [["a"], "a.b", "above"],
    [["b"], "a", undefined],
    [["ab"], "a", undefined],
    [["a", "x", "b"], "a.*.b", "inside"],
    [["a", "b"], "a.*.b", "above"],
    [["a", "x", "y", "tag"], "**.tag", "inside"],
    [["tag"], "**.tag", "inside"],
    [["env"], "env[0].value", "inside"],
    [["a.b/c"], '["a.b/c"]', "inside"],
  ] as const)("%j and %s", ([path, text, expected]) => {
    const steps = parsePath(text);
    if ("wrongAt" in steps) throw new Error(text);
    expect(compare(path, steps)).toBe(expected);
  });
});

test.for([[["a", "b"]], [["a.b", "c"]], [["", "*"]], [['"', "x[0]"]], [["__proto__", "a b"]]] as const)(
  "%j is written so that it reads back",
  ([path]) => {
    expect(parsePath(pathText(path))).toEqual(path.map((key) => ({ key })));
  },
);

/** Matching as it reads: exponential where several `**` follow each other. */
function plainCompare(path: readonly string[], steps: readonly Step[]): "inside" | "above" | undefined {
  const [step, ...left] = steps;
  if (step === undefined) return "inside";
  const [key, ...deeper] = path;
  if (key === undefined) return "above";
  if ("any" in step && step.any === "keys") {
    const here = plainCompare(path, left);
    return here === "inside" ? here : (plainCompare(deeper, steps) ?? here);
  }
  return "key" in step && step.key !== key ? undefined : plainCompare(deeper, left);
}

test("paths match as they read, however many `**` they hold", () => {
  const key = fc.constantFrom("a", "b", "c");
  const step = fc.oneof(key, fc.constant("*"), fc.constant("**"));
  fc.assert(
    fc.property(
      fc.array(key, { maxLength: 7 }),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      (path, texts) => {
        const steps = parsePath(texts.join("."));
        if ("wrongAt" in steps) throw new Error("the path has a mistake");
        expect(compare(path, steps)).toBe(plainCompare(path, steps));
      },
    ),
    { numRuns: 1000 },
  );
});

test("twelve `**` over two hundred keys end at once", () => {
  const path = Array.from({ length: 200 }, () => "a");
  const steps = parsePath(`${"**.a.".repeat(12)}q`);
  if ("wrongAt" in steps) throw new Error("the path has a mistake");
  const elapsed = cpuClock();
  expect(compare(path, steps)).toBe("above");
  expect(elapsed()).toBeLessThan(10);
});
