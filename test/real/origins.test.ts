// Where values of a kustomization are from. Each value of a random tree is the file and the line where it stands, so what
// real kustomize builds says what the right answers are.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { runCommand } from "../../src/cli/commands.ts";
import type { Explanation } from "../../src/explanation.ts";
import { counted } from "../fuzz/tally.ts";
import { seededRandom, type StampedTree, stampedTree, writeTree } from "../support/stamped-tree.ts";
import { worldOf } from "../support/world.ts";
import { type Built, judge, type Tally, tools } from "./stamps.ts";

const trees = Number(process.env["VALUEFOLD_TREES"] ?? process.env["VALUEFOLD_RUNS"] ?? 60);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20261123);

async function judgeTree(tree: StampedTree, tally: Tally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-origins-"));
  writeTree(tree, folder);
  const build = spawnSync("kustomize", ["build", tree.top], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: tools },
  });
  if (build.status !== 0) tally.refused++;
  else {
    const world = worldOf("", { directory: folder, env: { PATH: tools } });
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
