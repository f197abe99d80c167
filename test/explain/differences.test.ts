// `diff`: cases to read, and its reach against what rendering both sides shows.
import { existsSync, readdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { differenceOf } from "../../src/explain/diff/diff.ts";
import { renderMarkdown } from "../../src/explain/diff/markdown.ts";
import { renderDifference } from "../../src/explain/diff/view.ts";
import { explanationOf, meaning } from "../support/explain.ts";
import { arbitraryText } from "../support/generate-values.ts";
import { worldOf } from "../support/world.ts";

const folder = new URL("differences/", import.meta.url);

test.for(readdirSync(folder))("%s", async (name) => {
  const own = new URL(`${name}/`, folder);
  const side = (file: string): string => new URL(file, own).pathname;
  const config = existsSync(side("config.yaml")) ? ["-c", side("config.yaml")] : [];
  const run = async (form: string): Promise<string> => {
    const args = ["diff", ...config, "--format", form, "--exit-code", "before.yaml", "after.yaml"];
    const { exitCode, output, messages } = await runCommand(args, worldOf("", { directory: own.pathname }));
    return `exit ${exitCode}\n${messages}\n${Buffer.concat(output).toString("utf8")}`;
  };
  await expect(await run("text")).toMatchFileSnapshot(side("output.txt"));
  await expect(await run("markdown")).toMatchFileSnapshot(side("comment.txt"));
  expect(await run("json")).toContain('"kind": "Difference"');
});

interface Layer {
  readonly name: string;
  readonly into: string;
  readonly priority: number;
  readonly text: string;
}

const targets = ["one", "two", "three"];

function streamOf(layers: readonly Layer[]): string {
  const apps = targets.map(
    (name) =>
      `apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: ${name}, namespace: org}\nspec: {}\n`,
  );
  const items = layers.map(
    ({ name, into, priority, text }) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org, annotations: {valuefold.dev/into: "App/${into}", valuefold.dev/priority: "${priority}"}}\ndata: {values: ${JSON.stringify(text)}}\n`,
  );
  return [...apps, ...items].join("---\n");
}

const arbitraryLayers = fc.array(
  fc.record({ into: fc.constantFrom("*", "*", ...targets), text: arbitraryText() }),
  { minLength: 2, maxLength: 6 },
);

function layersOf(drawn: readonly { readonly into: string; readonly text: string }[]): Layer[] {
  return drawn.map((layer, index) => ({ ...layer, name: `layer${index}`, priority: 10 + index * 10 }));
}

const arbitraryEdit = fc.record({
  at: fc.nat(5),
  what: fc.constantFrom("text", "text", "text", "remove", "into", "priority"),
  text: arbitraryText(),
  into: fc.constantFrom("*", ...targets),
});

type DrawnEdit = typeof arbitraryEdit extends fc.Arbitrary<infer E> ? E : never;

function edited(layers: readonly Layer[], { at, what, text, into }: DrawnEdit): Layer[] {
  const chosen = at % layers.length;
  return layers.flatMap((layer, index): Layer[] => {
    if (index !== chosen) return [layer];
    if (what === "remove") return [];
    if (what === "text") return [{ ...layer, text }];
    return what === "into" ? [{ ...layer, into }] : [{ ...layer, priority: 95 }];
  });
}

/** The leaves of what a target gets, as rendering it shows. */
async function rendered(stream: string, target: string): Promise<Map<string, string>> {
  const { output } = await runCommand(["values", `App/${target}`, "-"], worldOf(stream));
  const leaves = new Map<string, string>();
  const visit = (value: unknown, path: readonly string[]): void => {
    const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
    const entries = isMapping ? Object.entries(value) : [];
    if (entries.length === 0) leaves.set(JSON.stringify(path), JSON.stringify(value));
    for (const [key, inner] of entries) visit(inner, [...path, key]);
  };
  const values = meaning(Buffer.concat(output).toString("utf8"));
  if (Object.keys(values as object).length > 0) visit(values, []);
  return leaves;
}

async function reachOf(before: string, after: string): Promise<string[]> {
  const reach: string[] = [];
  for (const target of targets) {
    const [a, b] = [await rendered(before, target), await rendered(after, target)];
    for (const path of new Set([...a.keys(), ...b.keys()]))
      if (a.get(path) !== b.get(path)) reach.push(`App/org/${target} ${path}`);
  }
  return reach.toSorted();
}

/** Two spellings of one value are one edit to us, and none to a program. */
function isSpelling(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined) return false;
  return JSON.stringify(meaning(`v: ${from}`)) === JSON.stringify(meaning(`v: ${to}`));
}

const seen = { changes: 0, hidden: 0, order: 0, added: 0, removed: 0, none: 0 };

describe("its reach", { tags: "law" }, () => {
  const numRuns = Number(process.env["VALUEFOLD_RUNS"] ?? 60);

  test("is what rendering both sides shows", async () => {
    const property = fc.asyncProperty(arbitraryLayers, arbitraryEdit, async (drawn, edit) => {
      const layers = layersOf(drawn);
      const [before, after] = [streamOf(layers), streamOf(edited(layers, edit))];
      const found = differenceOf([{ before: explanationOf(before), after: explanationOf(after) }]);
      const effects = found.edits.flatMap((each) => each.effects);
      // A target that has lost its last layer, or got its first, is told as a whole.
      const lone = new Set(found.targets.map(({ target }) => target));
      const expected = (await reachOf(before, after)).filter((each) => !lone.has(each.split(" ")[0] ?? ""));
      const told = effects
        .filter(({ what, from, to }) => what === "changes" && !isSpelling(from, to))
        .map(({ target, path }) => `${target} ${JSON.stringify(path)}`);
      expect([...new Set(told)].toSorted()).toEqual(expected);
      for (const { what } of effects) seen[what]++;
      for (const { what } of found.edits) if (what === "order") seen.order++;
      seen.added += found.edits.filter(({ what }) => what === "layer-added").length;
      seen.removed += found.edits.filter(({ what }) => what === "layer-removed").length;
      if (found.edits.length === 0) seen.none++;
    });
    await fc.assert(property, { numRuns });
  });

  test("and all kinds of edits occur", () => {
    for (const [kind, count] of Object.entries(seen)) expect([kind, count > 0]).toEqual([kind, true]);
  });

  test("an explanation does not differ from itself", () => {
    const property = fc.property(arbitraryLayers, (drawn) => {
      const explained = (): ReturnType<typeof explanationOf> => explanationOf(streamOf(layersOf(drawn)));
      const found = differenceOf([{ before: explained(), after: explained() }]);
      expect([found.edits, found.targets, found.changed]).toEqual([[], [], 0]);
    });
    fc.assert(property, { numRuns: 50 });
  });
});

test("a comment that would be too long says what it leaves out", () => {
  const values = (value: string): string =>
    Array.from({ length: 900 }, (_, index) => `key${index}: ${value.repeat(30)}\n`).join("");
  const stream = (value: string): string =>
    streamOf([{ name: "base", into: "*", priority: 10, text: values(value) }]);
  const found = differenceOf([{ before: explanationOf(stream("a")), after: explanationOf(stream("b")) }]);
  const comment = renderMarkdown(found);
  expect(comment.length).toBeLessThan(65_536);
  expect(comment).toMatch(/\d+ more edits left out/);
});

test("a comment shows the element of a long list that changes", () => {
  const list = (own: string): string =>
    `env:\n${Array.from({ length: 60 }, (_, index) => `- {name: N${index}, value: ${index === 40 ? own : index}}\n`).join("")}`;
  const stream = (own: string): string =>
    streamOf([{ name: "base", into: "*", priority: 10, text: list(own) }]);
  const found = differenceOf([{ before: explanationOf(stream("old")), after: explanationOf(stream("new")) }]);
  expect(renderMarkdown(found)).toContain(
    "`[…, {name: N40, value: old}, …]` → `[…, {name: N40, value: new}, …]`",
  );
});

test("nothing of a secret is in a difference, in any form", async () => {
  const secret = (value: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: org, annotations: {valuefold.dev/into: App/one}}\nstringData: {values: ${JSON.stringify(`password: ${value}\nnested: {a: ${value}}\n`)}}\n`;
  const side = (value: string): string => `${streamOf([])}---\n${secret(value)}`;
  for (const [was, is] of [
    ["c4n4ry1", "c4n4ry2"],
    ["c4n4ry1", "null"],
  ] as const) {
    const found = differenceOf([{ before: explanationOf(side(was)), after: explanationOf(side(is)) }]);
    expect(found.changed).toBe(1);
    const told = JSON.stringify(found) + renderMarkdown(found);
    expect(told).not.toContain("c4n4ry");
    expect(told).not.toContain("null");
  }
});

const release = (values: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {${values}}\n`;

function differenceBetween(before: string, after: string): ReturnType<typeof differenceOf> {
  return differenceOf([{ before: explanationOf(before), after: explanationOf(after) }]);
}

test("whether two secrets are equal is not to be seen: an override by the same looks like one by another", () => {
  const secret = (name: string, priority: number, value: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}, namespace: org, annotations: {valuefold.dev/into: App/one, valuefold.dev/priority: "${priority}"}}\nstringData: {values: "pw: ${value}\\n"}\n`;
  const before = [streamOf([]), secret("low", 10, "abc"), secret("high", 20, "other").replace("pw", "tok")];
  const after = (value: string): string =>
    [streamOf([]), secret("low", 10, "abc"), secret("high", 20, value)].join("---\n");
  const told = (value: string): string =>
    JSON.stringify(differenceBetween(before.join("---\n"), after(value)));
  expect(told("abc")).toBe(told("xyz"));
});

test("an edit below a secret that goes says of no value that it is kept", () => {
  const layer = (kind: string, name: string, value: string): string =>
    `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: org}\n${kind === "Secret" ? "stringData" : "data"}: {values.yaml: "pw: ${value}\\n"}\n`;
  const side = (low: string, kind: string, name: string): string =>
    [
      release(`valuesFrom: [{kind: ConfigMap, name: low}, {kind: ${kind}, name: ${name}}]`),
      layer("ConfigMap", "low", low),
      layer(kind, name, "abc"),
    ].join("---\n");
  const found = differenceBetween(side("one", "Secret", "high"), side("two", "ConfigMap", "plain"));
  const told = renderDifference(found) + renderMarkdown(found);
  expect(told).toContain("hidden   HelmRelease/org/shop  is (secret), ConfigMap/org/plain:1:5");
  expect(told).not.toMatch(/keeps|is now/);
});

test("a text under a key of a target is a value, too", () => {
  const stream = (text: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: t, namespace: org}\ndata: {motd: hello}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: l, namespace: org, annotations: {valuefold.dev/into: ConfigMap/t}}\ndata: {motd: ${text}}\n`;
  const { edits, changed } = differenceBetween(stream("one"), stream("two"));
  expect(changed).toBe(1);
  expect(edits.map(({ layer, was, is }) => [layer, was, is])).toEqual([
    ["ConfigMap/org/l motd", '"one"', '"two"'],
  ]);
});

test("a mapping in the place of a value is an edit of the layer that has it, and nothing has moved", () => {
  const layers = (text: string): Layer[] => [
    { name: "low", into: "one", priority: 10, text: "b: 1\n" },
    { name: "high", into: "one", priority: 20, text },
  ];
  const { edits } = differenceBetween(streamOf(layers("c: 1\n")), streamOf(layers("c: 1\nb: {k: 1}\n")));
  expect(edits.map(({ what, layer }) => [what, layer])).toEqual([["value", "ConfigMap/org/high"]]);
});

test("a layer that cannot be read any more is not gone: what it sets is unknown", () => {
  const layer = (text: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: org}\ndata: {values.yaml: "${text}"}\n`;
  const stream = (text: string): string =>
    [release("valuesFrom: [{kind: ConfigMap, name: a}]"), layer(text)].join("---\n");
  const { edits } = differenceBetween(stream("x: 1"), stream("x: [1"));
  expect(edits.map(({ what }) => what)).toEqual(["layer-unknown"]);
  expect(edits[0]?.effects.map(({ from, to }) => [from, to])).toEqual([["1", undefined]]);
  expect(renderDifference(differenceBetween(stream("x: 1"), stream("x: [1")))).toContain(
    "x  1 → (unknown)\n",
  );
  const back = differenceBetween(stream("x: [1"), stream("x: 1"));
  expect(renderMarkdown(back)).toContain("| (unknown) → `1` |");
  // What lies below it is not what holds: nobody knows what does.
  const entries = "valuesFrom: [{kind: ConfigMap, name: low}, {kind: ConfigMap, name: a}]";
  const low = layer("x: 0").replace("name: a", "name: low");
  const over = (text: string): string => [release(entries), low, layer(text)].join("---\n");
  const lost = differenceBetween(over("x: 1"), over("x: [1")).edits.flatMap(({ effects }) => effects);
  expect(lost.map(({ from, to, by }) => [from, to, by])).toEqual([["1", undefined, undefined]]);
  const late = differenceBetween(stream("x: 1"), release("valuesFrom: [{kind: ConfigMap, name: a}]"));
  expect(late.edits.map(({ what }) => what)).toEqual(["layer-unknown"]);
});

test("an override by the same changes nothing, and is not hidden by itself", () => {
  const low: Layer = { name: "low", into: "one", priority: 10, text: "a: 1\n" };
  const { edits, changed } = differenceBetween(
    streamOf([low]),
    streamOf([low, { ...low, name: "high", priority: 20 }]),
  );
  expect([changed, edits.map(({ effects }) => effects)]).toEqual([0, [[]]]);
});
