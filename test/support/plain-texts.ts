// Values with plain texts that mean something else between brackets, and checkouts that carry them: each prints them to be read
// again.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { runCommand } from "../../src/cli/commands.ts";
import type { Difference } from "../../src/difference.ts";
import type { Comparison } from "../../src/comparison.ts";
import type { Explanation } from "../../src/explanation.ts";
import type { Random } from "./nasty-yaml.ts";
import { worldOf } from "./world.ts";

const scalars = [
  [
    "zone, rack",
    "a,b",
    "labels=[a,b]",
    "x]",
    "x}",
    "a{b",
    "a[0]",
    "a {b:c}",
    "${1}:2381",
    "${A}, ${B}",
    "?x",
  ],
  ["a:b", "http://x:1/?q=[1]", "a#b", "a?b", ":x", "-x", "--x, y", "::x", "a:,", "a'b", 'a "b", c', "a * b"],
  ["null, x", "~x", "yes, no", "1,000", "0755", "1e3", ".5", "true", "<<x", "a\tb, c", "é, ü", "a & b"],
  ["'a, b'", '"a, b"', "'it''s'", "!!str 1", "!!str a]b", "first\n    second, third", "a @b"],
].flat();

/** A mapping in block form. */
export function plainTexts(random: Random, depth = 2): string {
  const lines = ["a", "b", "c, d", "e"].flatMap((key) => entry(random, key, depth));
  return lines.join("\n");
}

function entry(random: Random, key: string, depth: number): readonly string[] {
  const text = (): string => random.pick(scalars);
  const indented = (inner: string, by: string): string => inner.replaceAll(/^/gm, by);
  switch (depth > 0 ? random.below(5) : random.below(2)) {
    case 0:
      return [`${key}: ${text()}`];
    case 1:
      return [`${key}:`, `- ${text()}`, `- ${text()}`];
    case 2:
      return random.once(2)
        ? [`${key}:`, `- x: ${text()}`, `  y, z: ${text()}`, `- x: ${text()}`]
        : [`${key}:`, `- x:`, `  - ${text()}`, `  - ${text()}`];
    case 3:
      return [`${key}:`, indented(plainTexts(random, depth - 1), "  ")];
    default:
      return [`${key}:`, `- ${indented(plainTexts(random, depth - 1), "  ").trimStart()}`];
  }
}

type Files = Readonly<Record<string, string>>;

/** A directory whose one target has the values. */
export interface Carrier {
  readonly target: string;
  readonly files: (values: string) => Files;
}

const url = "https://git.example/org/deploy.git";
const repository: Files = {
  ".git/config": `[remote "origin"]\n  url = ${url}\n`,
  "chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
};

function block(values: string, indent: number): string {
  return values.replaceAll(/^/gm, " ".repeat(indent));
}

const source = `source: {repoURL: ${url}, path: chart}`;
function sourceWith(values: string, indent: number): string {
  const [start, inner] = [" ".repeat(indent), block(values, indent + 6)];
  return `${start}source:\n${start}  repoURL: ${url}\n${start}  path: chart\n${start}  helm:\n${start}    valuesObject:\n${inner}\n`;
}

function set(template: string, generated: string): string {
  return `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: shops, namespace: argocd}\nspec:\n  goTemplate: true\n  generators:\n  - list:\n      elements:\n      - env: prod\n${generated}  template:\n    metadata: {name: 'shop-{{.env}}'}\n    spec:\n${template}`;
}

const release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop}\n";

/** Those that no other program builds. */
export const carriers: Readonly<Record<string, Carrier>> = {
  "an Application": {
    target: "Application/shop",
    files: (values) => ({
      ...repository,
      "apps/a.yaml": `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: argocd}\nspec:\n${sourceWith(values, 2)}`,
    }),
  },
  "an ApplicationSet": {
    target: "Application/shop-prod",
    files: (values) => ({ ...repository, "apps/a.yaml": set(sourceWith(values, 6), "") }),
  },
  "a patch of an ApplicationSet": {
    target: "Application/shop-prod",
    files: (values) => ({
      ...repository,
      "apps/a.yaml": `${set(`      ${source}\n`, "")}  templatePatch: |\n    spec:\n${sourceWith(values, 6)}`,
    }),
  },
  "a bundle of Fleet": {
    target: "Bundle/apps",
    files: (values) => ({ "apps/fleet.yaml": `helm:\n  chart: shop\n  values:\n${block(values, 4)}\n` }),
  },
  "a file of a bundle of Fleet": {
    target: "Bundle/apps",
    files: (values) => ({
      "apps/fleet.yaml": "helm:\n  chart: shop\n  valuesFiles: [v.yaml]\n",
      "apps/v.yaml": `${values}\n`,
    }),
  },
  "a HelmRelease": {
    target: "HelmRelease/shop",
    files: (values) => ({ "apps/a.yaml": `${release}spec:\n  values:\n${block(values, 4)}\n` }),
  },
};

const built = { "apps/shop.yaml": `${release}spec:\n  values:\n    own: 1\n` };

/** Those that kustomize builds. */
export const builtCarriers: Readonly<Record<string, Carrier>> = {
  "a chart of a kustomization": {
    target: "Chart/shop",
    files: (values) => ({
      "apps/kustomization.yaml": `helmCharts:\n- name: shop\n  repo: https://charts.example\n  releaseName: shop\n  valuesInline:\n${block(values, 4)}\n`,
    }),
  },
  "a file of a chart of a kustomization": {
    target: "Chart/shop",
    files: (values) => ({
      "apps/kustomization.yaml":
        "helmCharts:\n- {name: shop, repo: 'https://charts.example', releaseName: shop, valuesFile: v.yaml}\n",
      "apps/v.yaml": `${values}\n`,
    }),
  },
  "a patch": {
    target: "HelmRelease/shop",
    files: (values) => ({
      ...built,
      "apps/kustomization.yaml": "resources: [shop.yaml]\npatches:\n- path: patch.yaml\n",
      "apps/patch.yaml": `${release}spec:\n  values:\n    own: null\n${block(values, 4)}\n`,
    }),
  },
  "an operation": {
    target: "HelmRelease/shop",
    files: (values) => ({
      ...built,
      "apps/kustomization.yaml":
        "resources: [shop.yaml]\npatches:\n- target: {kind: HelmRelease}\n  path: patch.yaml\n",
      "apps/patch.yaml": `- op: replace\n  path: /spec/values\n  value:\n${block(values, 4)}\n`,
    }),
  },
};

/** Written into a new folder. */
function folderOf(sides: Readonly<Record<string, Files>>): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-plain-"));
  for (const [side, files] of Object.entries(sides))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, side, name)), { recursive: true });
      writeFileSync(join(folder, side, name), text);
    }
  return folder;
}

function read(text: string): unknown {
  return parse(text, { version: "1.1", merge: false, maxAliasCount: 0 }) as unknown;
}

interface Asked {
  readonly carrier: Carrier;
  readonly values: string;
  /** Other values: `diff` has both. */
  readonly others: string;
  readonly path: string;
}

/** Each command prints what the file says. */
export async function expectSameValues({ carrier, values, others, path }: Asked): Promise<void> {
  const folder = folderOf({ one: carrier.files(values), other: carrier.files(others) });
  const ran = async (...words: readonly string[]): Promise<string> => {
    const world = worldOf("", { directory: folder, env: { PATH: path } });
    const { output, messages, exitCode } = await runCommand(words, world);
    expect([exitCode, messages.includes("error[")], messages).toEqual([0, false]);
    return Buffer.concat(output).toString("utf8");
  };
  const sides = [values, others].map((text) => leavesOf(read(text)));
  const wanted = sorted(sides[0] ?? []);
  expect(sorted(leavesOf(read(await ran("values", carrier.target, "one/apps"))))).toEqual(wanted);
  const explained = JSON.parse(await ran("explain", "--json", "one/apps")) as Explanation;
  const stacks = explained.targets.flatMap((target) => target.stacks);
  const shown = stacks.flatMap((stack) => stack.values.filter(({ mapping }) => mapping !== true));
  expect(sorted(shown.map(({ path: at, text = "" }) => [at, read(text)]))).toEqual(wanted);
  const { edits } = JSON.parse(await ran("diff", "--json", "one/apps", "other/apps")) as Difference;
  const effects = edits.flatMap((edit) => edit.effects.filter(({ what }) => what === "changes"));
  expectSides(
    effects.map(({ path: at, from, to }) => [at, from, to]),
    sides,
  );
  const { targets } = JSON.parse(await ran("compare", "--json", "one/apps", "other/apps")) as Comparison;
  const rows = targets.flatMap((target) => target.rows);
  expectSides(
    rows.map(({ path: at, groups }) => {
      const textIn = (build: number): string | undefined =>
        groups.find(({ cells }) => cells.some(({ builds }) => builds.includes(build)))?.text;
      return [at, textIn(0), textIn(1)];
    }),
    sides,
  );
  rmSync(folder, { recursive: true });
}

type Shown = readonly [readonly string[], string | undefined, string | undefined];

/** What is shown is what both sides hold, and nothing that differs is left out. */
function expectSides(shown: readonly Shown[], sides: readonly (readonly Leaf[])[]): void {
  const [before, after] = sides.map((all) => new Map(all.map(([at, value]) => [JSON.stringify(at), value])));
  const keys = new Set(shown.map(([at]) => JSON.stringify(at)));
  for (const [at, was, is] of shown) {
    const key = JSON.stringify(at);
    expect([was && [read(was)], is && [read(is)]], key).toEqual(
      [before, after].map((all) => (all?.has(key) === true ? [all.get(key)] : undefined)),
    );
  }
  const all = [...new Set(sides.flatMap((side) => side.map(([at]) => JSON.stringify(at))))];
  const differing = all.filter(
    (key) =>
      before?.has(key) !== after?.has(key) ||
      JSON.stringify(before?.get(key)) !== JSON.stringify(after?.get(key)),
  );
  expect(differing.filter((key) => !keys.has(key))).toEqual([]);
}

type Leaf = readonly [readonly string[], unknown];

/** A list is one value. */
function leavesOf(value: unknown, at: readonly string[] = []): readonly Leaf[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[at, value]];
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...at, key]));
}

function sorted(leaves: readonly Leaf[]): readonly Leaf[] {
  return leaves.toSorted((a, b) => (JSON.stringify(a[0]) < JSON.stringify(b[0]) ? -1 : 1));
}
