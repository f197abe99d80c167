// What the engine renders is what `helm template` prints, of Helm 3 and of Helm 4, and each text is from the line that it names.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ask, type EngineAnswer } from "../../src/engine/index.ts";
import { counted } from "../fuzz/tally.ts";
import { addTemplates } from "../support/random-templates.ts";
import { type StampedChart, stampedChart } from "../support/stamped-chart.ts";
import { seededRandom, writeTree } from "../support/stamped-tree.ts";

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 60);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20_261_128);
const tools = new URL(".tools/", import.meta.url).pathname;
const programs = { 3: "helm-3.d/helm", 4: "helm" } as const;
// The program that is built here takes another version than Helm's releases do.
const kubeVersion = "v1.33.0";

const folder = mkdtempSync(join(tmpdir(), "valuefold-manifests-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tally = { templates: 0, stamps: 0, refused: 0 };

/** By template, in the order in which they are printed; undefined where Helm refuses. */
function byHelm(at: string, version: 3 | 4, values: readonly string[]): Map<string, string> | undefined {
  const args = ["template", "shop", "chart", "-n", "apps", "--kube-version", kubeVersion];
  const run = spawnSync(
    join(tools, programs[version]),
    [...args, ...values.flatMap((each) => ["-f", each])],
    {
      cwd: at,
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    },
  );
  if (run.status !== 0) return undefined;
  const texts = new Map<string, string>();
  const parts = run.stdout.split(/(?:^|(?<=\n))---\n# Source: shop\/(.*)\n/);
  for (let i = 1; i < parts.length; i += 2) {
    const [name = "", text = ""] = parts.slice(i, i + 2);
    texts.set(name, (texts.has(name) ? `${texts.get(name)}---\n` : "") + text);
  }
  return texts;
}

interface Rendered {
  readonly templates: readonly { name: string; pieces: readonly (readonly [number, number, number])[] }[];
  readonly places: readonly { file: string; line: number }[];
}

/** The program cuts white space off at the end of the last document that is no hook. */
const trimmed = (texts: ReadonlyMap<string, string>): [string, string][] =>
  [...texts].map(([name, text]) => [name, text.trimEnd().replaceAll(/\s*\n---\n/g, "\n---\n")]);

/** Each text that names its line is from there. */
function judgePlaces(answer: EngineAnswer): void {
  const { templates, places } = answer as unknown as Rendered;
  for (const { name, pieces } of templates) {
    const lines = Buffer.from(answer.files.get(name) ?? [])
      .toString("utf8")
      .split("\n");
    for (const [number, line] of lines.entries())
      for (const stamp of line.matchAll(/(?<![\w./-])(?:charts\/\w+\/)*templates\/[\w./-]+#\d+/g)) {
        const before = pieces.filter(
          ([at, column]) => at < number || (at === number && column <= stamp.index),
        );
        const { file, line: from } = places[before.at(-1)?.[2] ?? -1] ?? {};
        expect(`${file}#${from}`, `${name}: ${line}`).toBe(stamp[0]);
        tally.stamps++;
      }
  }
}

async function judge(made: StampedChart, at: string, version: 3 | 4): Promise<void> {
  const values = made.given.slice(0, 1);
  const inChart = [...made.files].filter(([name]) => name.startsWith("chart/"));
  const files = new Map([...inChart, ["values", made.files.get(values[0] ?? "") ?? ""]]);
  const request = {
    op: "manifests",
    ask: "render",
    helm: version,
    release: "shop",
    namespace: "apps",
    kubeVersion,
  };
  const answer = await ask({ ...request, files });
  if (answer.cut !== undefined) throw new Error(answer.cut);
  const expected = byHelm(at, version, values);
  expect(answer.error, String(answer.error))[expected === undefined ? "toBeDefined" : "toBeUndefined"]();
  if (expected === undefined) return void tally.refused++;
  const texts = new Map(
    [...answer.files].map(([name, bytes]) => [name, Buffer.from(bytes).toString("utf8")]),
  );
  expect(trimmed(texts)).toEqual(trimmed(expected));
  tally.templates += texts.size;
  judgePlaces(answer);
}

test("random charts render as `helm template` does, and each piece of text is from its line", async () => {
  const next = seededRandom(seed);
  const random = (below: number): number => Math.floor(next() * below);
  for (let run = 0; run < runs; run++) {
    const made = stampedChart(random);
    made.files.delete("chart/templates/values.yaml");
    addTemplates(made, random);
    const at = join(folder, String(run));
    writeTree(made, at);
    for (const version of [3, 4] as const)
      await judge(made, at, version).catch((error: unknown) => {
        throw new Error(`seed ${seed}, run ${run}, Helm ${version}, ${at}`, { cause: error });
      });
  }
  counted(runs);
  expect(tally.stamps).toBeGreaterThan(runs * 10);
  expect(tally.refused).toBeLessThan(runs);
});
