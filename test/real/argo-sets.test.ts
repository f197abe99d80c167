// The Applications that ApplicationSets make, and their values: those of the controller's own generators and templates.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { runCommand } from "../../src/cli/commands.ts";
import type { Explanation } from "../../src/explanation.ts";
import { counted } from "../fuzz/tally.ts";
import { type RandomSet, randomSet } from "../support/random-application-set.ts";
import { seededRandom, writeTree } from "../support/stamped-tree.ts";
import { worldOf } from "../support/world.ts";
import { Oracle } from "./oracle.ts";

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 60);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20261125);

interface Application {
  readonly metadata: { readonly name: string };
}

interface Answer {
  readonly values?: readonly unknown[];
  readonly applications?: readonly Application[];
  readonly error?: string;
}

const oracle = new Oracle<object, Answer>("argo-oracle");
afterAll(() => oracle.close());

async function ran(
  folder: string,
  ...words: readonly string[]
): Promise<{ text: string; status: number; messages: string }> {
  const given = [...words, "--clusters", "clusters.yaml", "set/set.yaml"];
  const { output, exitCode, messages } = await runCommand(given, worldOf("", { directory: folder }));
  return { text: Buffer.concat(output).toString("utf8"), status: exitCode, messages };
}

async function judge(
  { files, set, clusters }: RandomSet,
  tally: { made: number; failed: number },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-sets-"));
  try {
    writeTree({ files }, folder);
    mkdirSync(join(folder, "set"));
    writeFileSync(join(folder, "set/set.yaml"), JSON.stringify(set));
    spawnSync("git", ["init", "-q"], { cwd: folder });
    spawnSync("git", ["add", "-A", "."], { cwd: folder });
    writeFileSync(join(folder, "clusters.yaml"), JSON.stringify(clusters));
    const answer = await oracle.ask({ repo: folder, set, clusters });
    const { applications = [] } = answer;
    const explained = await ran(folder, "explain", "--json");
    const { targets } = JSON.parse(explained.text === "" ? '{"targets": []}' : explained.text) as Explanation;
    // The controller takes none of several with one name.
    const once = applications.filter(
      ({ metadata: { name } }) => applications.filter((each) => each.metadata.name === name).length === 1,
    );
    const names = once.map(({ metadata }) => metadata.name).toSorted();
    expect(targets.map(({ name }) => name).toSorted(), `${answer.error}\n${explained.messages}`).toEqual(
      names,
    );
    if (answer.error !== undefined) tally.failed++;
    for (const app of answer.error === undefined ? once.slice(0, 6) : []) {
      const values = await ran(folder, "values", app.metadata.name);
      const expected = await oracle.ask({ repo: folder, app });
      expect(values.status, `${values.messages}\n${expected.error}`).toBe(
        expected.error === undefined ? 0 : 1,
      );
      if (expected.error !== undefined) continue;
      expect(parseAllDocuments(values.text, { version: "1.1" })[0]?.toJS()).toEqual(expected.values?.[0]);
      tally.made++;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test(`what ${runs} random ApplicationSets make is what Argo CD makes of them`, async () => {
  const tally = { made: 0, failed: 0 };
  for (let index = 0; index < runs; index++) {
    const made = randomSet(seededRandom(seed + index));
    try {
      await judge(made, tally);
    } catch (error) {
      throw new Error(`seed ${seed + index}\n${JSON.stringify(made.set, undefined, 2)}`, { cause: error });
    }
  }
  console.log(JSON.stringify(tally));
  counted(runs);
  expect(tally.made).toBeGreaterThan(runs / 4);
});
