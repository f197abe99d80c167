// Values over a chart with subcharts are what Helm 3 and Helm 4 compute, and each names the line where it is written.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { explainTargets, fileDocument, type SourceStack, valuesOfTarget } from "../../src/explain/index.ts";
import type { ExplainedValue } from "../../src/explanation.ts";
import { openPath } from "../../src/sources/disk.ts";
import { readChart } from "../../src/sources/helm/chart.ts";
import type { HelmVersion } from "../../src/sources/helm/deployed.ts";
import { overChart } from "../../src/sources/helm/over-chart.ts";
import { counted } from "../fuzz/tally.ts";
import { type StampedChart, stampedChart } from "../support/stamped-chart.ts";
import { seededRandom, writeTree } from "../support/stamped-tree.ts";

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 80);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20261127);
const programs = { 3: "helm-3.d/helm", 4: "helm" } as const;
const tools = new URL(".tools/", import.meta.url).pathname;

interface Tally {
  right: number;
  over: number;
  removed: number;
  refused: number;
  /** Charts of which subcharts have other globals if they are given what was computed. */
  otherGlobals: number;
}

function helm(folder: string, version: HelmVersion, files: readonly string[]): unknown {
  const args = ["template", "shop", "chart", ...files.flatMap((file) => ["-f", file])];
  const { status, stdout } = spawnSync(join(tools, programs[version]), args, {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) return undefined;
  const all = parseAllDocuments(stdout).map(
    (each) => each.toJS() as { kind?: string; values?: unknown } | null,
  );
  return all.find((each) => each?.kind === "Values")?.values ?? {};
}

/** Leaves by their paths: mappings without members are what Helm makes of subcharts and globals. */
function leavesOf(value: unknown, path: readonly string[] = []): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[path.join("."), value]];
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

/** A null that takes nothing away is there or not, as the values came. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(members.map(([key, each]) => [key, withoutNulls(each)]));
}

const ofSubchart = /^(?:red|blue|green)2?$/;

/** Without what Helm makes of subcharts: mappings without members, and the globals of their parents. */
function written(value: unknown, isInSubchart = false): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).flatMap(([key, each]) => {
    if (isInSubchart && key === "global") return [];
    const own = written(each, ofSubchart.test(key));
    return ofSubchart.test(key) && Object.keys(own ?? {}).length === 0 ? [] : [[key, own] as const];
  });
  return Object.fromEntries(members);
}

/** Each stamp is at its line. A value that Helm brings to other paths keeps its own. */
function judgeOrigins(values: readonly ExplainedValue[], tally: Tally): void {
  const judgeOne = ({ text = "", at }: Pick<ExplainedValue, "text" | "at">, kind: "right" | "over"): void => {
    const [, file, line] = /^"([^"#{]+)#(\d+)"$/.exec(text) ?? [];
    if (file === undefined) return;
    expect([at?.file, at?.line], text).toEqual([file, Number(line)]);
    tally[kind]++;
  };
  for (const value of values) {
    judgeOne(value, "right");
    for (const each of value.over) judgeOne(each, "over");
  }
}

/** The values files over the chart; undefined where Helm and we refuse them. */
async function overFiles(
  { given }: StampedChart,
  folder: string,
  version: HelmVersion,
): Promise<SourceStack | undefined> {
  openPath(folder);
  const { chart, faults } = await readChart(join(folder, "chart"), (path) => path.slice(folder.length + 1));
  expect(faults).toEqual([]);
  if (chart === undefined) throw new Error("no chart");
  const documents = given.map((name) => {
    const bytes = readFileSync(join(folder, name));
    const facts = { name, why: "file", state: "folded" } as const;
    return fileDocument(bytes, facts, { endsLine: () => version === 4 }).document;
  });
  const { faults: refusals, ...stack } = await overChart(chart, documents, version);
  return refusals.length > 0 ? undefined : stack;
}

async function judge(made: StampedChart, folder: string, version: HelmVersion, tally: Tally): Promise<void> {
  const expected = helm(folder, version, made.given);
  const stack = await overFiles(made, folder, version);
  expect(stack === undefined).toBe(expected === undefined);
  if (stack === undefined) return void tally.refused++;
  const target = { kind: "Chart", name: "shop", stacks: [stack] };
  const text = Buffer.from(valuesOfTarget(target)).toString("utf8");
  expect(written(withoutNulls(parse(text))), text).toEqual(written(withoutNulls(expected)));
  // What Helm makes of the output is what it makes of the files.
  writeTree({ files: new Map([["values-of-all.yaml", text]]) }, folder);
  if (!made.isDeep) judgeAgain(withoutNulls(helm(folder, version, ["values-of-all.yaml"])), expected, tally);
  const [own] = explainTargets([target]).targets[0]?.stacks ?? [];
  judgeValues(own?.values ?? [], expected);
  judgeOrigins(own?.values ?? [], tally);
  tally.removed += own?.removed?.length ?? 0;
}

/** A null among globals may take away more or less, as it depends on which mappings of charts Helm happens to share. */
function judgeAgain(again: unknown, expected: unknown, tally: Tally): void {
  const [one, other] = [again, withoutNulls(expected)];
  if (!isDeepStrictEqual(one, other)) tally.otherGlobals++;
  expect(written(one)).toEqual(written(other));
}

/** What is said of each value is so; globals of parents are only shown where they override something. */
function judgeValues(values: readonly ExplainedValue[], expected: unknown): void {
  const leaves = values.filter(({ mapping }) => mapping !== true);
  const said = new Map(leaves.map(({ path, text }) => [path.join("."), parse(text ?? "") as unknown]));
  const there = new Map(leavesOf(expected));
  for (const [path, value] of said)
    expect([path, there.has(path) ? there.get(path) : {}]).toEqual([path, value]);
  for (const [path, value] of there)
    if (!said.has(path)) expect(path, String(value)).toMatch(/(?:^|\.)global(?:\.|$)/);
}

function numbers(from: number): (below: number) => number {
  const random = seededRandom(from);
  return (below) => Math.floor(random() * below);
}

test.for([3, 4] as const)(`values of ${runs} random charts are those of Helm %s`, async (version) => {
  const tally: Tally = { right: 0, over: 0, removed: 0, refused: 0, otherGlobals: 0 };
  for (let index = 0; index < runs; index++) {
    const made = stampedChart(numbers(seed + index));
    const folder = mkdtempSync(join(tmpdir(), "valuefold-chart-"));
    try {
      writeTree(made, folder);
      await judge(made, folder, version, tally);
    } catch (error) {
      const files = [...made.files].map(([name, text]) => `# ${name}\n${text}`).join("");
      throw new Error(`seed ${seed + index}\n${files}`, { cause: error });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  console.log(JSON.stringify(tally));
  counted(runs);
  expect(tally.right).toBeGreaterThan(runs);

  expect(tally.otherGlobals).toBeLessThan(2 + runs * 0.02);
  execFileSync(join(tools, programs[version]), ["version", "--short"]);
});
