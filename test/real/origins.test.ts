// Where values of a kustomization are from. Each value of a random tree is the file and the line where it stands, so what
// real kustomize builds says what the right answers are.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { runCommand } from "../../src/cli/commands.ts";
import type { ExplainedTarget, Explanation, Place } from "../../src/explanation.ts";
import { counted } from "../fuzz/tally.ts";
import { seededRandom, type StampedTree, stampedTree, writeTree } from "../support/stamped-tree.ts";
import { worldOf } from "../support/world.ts";

const trees = Number(process.env["VALUEFOLD_TREES"] ?? process.env["VALUEFOLD_RUNS"] ?? 60);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20261123);
const path = `${new URL(".tools/", import.meta.url).pathname}:${process.env["PATH"] ?? ""}`;

interface Tally {
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
    expect(at?.file, where).toMatch(/kustomization\.yaml$/);
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

interface Built {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: { readonly values?: unknown };
}

function judge(target: ExplainedTarget, built: Built, tree: StampedTree, tally: Tally): void {
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

async function judgeTree(tree: StampedTree, tally: Tally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-origins-"));
  writeTree(tree, folder);
  const build = spawnSync("kustomize", ["build", tree.top], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: path },
  });
  if (build.status !== 0) tally.refused++;
  else {
    const world = worldOf("", { directory: folder, env: { PATH: path } });
    const { output } = await runCommand(["explain", "--json", tree.top], world);
    const { targets } = JSON.parse(Buffer.concat(output).toString("utf8")) as Explanation;
    const built = parseAllDocuments(build.stdout).map((each) => each.toJS() as Built);
    const releases = built.filter(({ kind }) => kind === "HelmRelease");
    expect(targets.map(({ name }) => name).toSorted()).toEqual(
      releases.map(({ metadata }) => metadata.name).toSorted(),
    );
    for (const target of targets)
      judge(target, releases.find(({ metadata }) => metadata.name === target.name) as Built, tree, tally);
  }
  rmSync(folder, { recursive: true });
}

test(`values say where they stand, in ${trees} random trees`, async () => {
  const tally: Tally = { right: 0, weaker: 0, below: 0, removed: 0, refused: 0 };
  for (let index = 0; index < trees; index++) {
    const tree = stampedTree(seededRandom(seed + index));
    try {
      await judgeTree(tree, tally);
    } catch (error) {
      const files = [...tree.files].map(([name, text]) => `# ${name}\n${text}`).join("");
      throw new Error(`seed ${seed + index}\n${files}`, { cause: error });
    }
  }
  console.log(JSON.stringify(tally));
  counted(trees);
  expect(tally.right).toBeGreaterThan(trees * 10);
  expect(tally.refused).toBeLessThan(trees / 2);
}, 3_600_000);
