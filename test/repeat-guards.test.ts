// Repeats that would leak, lose or mangle something: each is refused, and says how it is meant.
import { describe, expect, test } from "vitest";
import { foldText } from "./support/fold.ts";

/** A stream of a Repeat with one entry, and what else is there. */
function streamOf(instances: string, clone: string, ...items: readonly string[]): string {
  const repeat = `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: {name: r}\nspec:\n  ${instances}\n  clone:\n  - ${clone}\n`;
  return [repeat, ...items].join("---\n");
}

function refusal(input: string): string {
  const { exitCode, diagnostics } = foldText(input);
  expect(exitCode).toBe(1);
  return diagnostics.map(({ code, message, hint }) => `${code}: ${message}; ${hint}`).join("\n");
}

const source =
  "apiVersion: v1\nkind: Secret\nmetadata: {name: inst}\nstringData:\n  i.yaml: 'a: {pw: hunter2, k: kind}'\n";
const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: tpl}\n";
const fromSecret = "from: {kind: Secret, name: inst}";

describe("what an item is stays as its template has it", () => {
  test.for([
    "kind: ConfigMap",
    "'[\"kind\"]': ConfigMap",
    "apiVersion: v2",
    "metadata: '{value}'",
    "'[\"{name}kind\"]': ConfigMap",
  ])("%s", (set) => {
    const instances = set.includes("{name}") ? "from: {kind: Secret, name: inst, key: j.yaml}" : fromSecret;
    const named = source.replace("i.yaml: 'a:", 'j.yaml: \'"":');
    const clone = `{kind: Secret, name: tpl, as: "t-a", set: {${set}, stringData.pw: "{value.pw}"}}`;
    expect(refusal(streamOf(instances, clone, set.includes("{name}") ? named : source, secret))).toMatch(
      /^repeat-path: .* says what the clone is, and stays as its template has it; clone a template/,
    );
  });
});

const config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: tpl}\ndata: {a: b}\n";
const aClone = '{kind: ConfigMap, name: tpl, as: "c-{name}"}';

describe("instances are a mapping", () => {
  test.for([
    ["[a, b]", /^invalid-setting: `spec.instances`: expected a mapping, got a sequence/],
    ["{a: {}, a: {b: 1}}", /^invalid-setting: `spec.instances`: `a` is written twice in one mapping/],
    ["{a: {x: {k: 1, k: 2}}}", /^invalid-setting: `spec.instances`: `k` is written twice/],
  ] as const)("%s", ([instances, told]) => {
    expect(refusal(streamOf(`instances: ${instances}`, aClone, config))).toMatch(told);
  });
});
