// What random charts make, as `explain` follows them: the values are those that `helm template` gives to `explain -`, and each names the
// line where it is written.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments, stringify } from "yaml";
import { runCommand } from "../../src/cli/commands.ts";
import type { ExplainedTarget, ExplainedValue, Explanation } from "../../src/explanation.ts";
import { counted } from "../fuzz/tally.ts";
import { namespace, type StampedMakers, stampedMakers } from "../support/stamped-makers.ts";
import { seededRandom, writeTree } from "../support/stamped-tree.ts";
import { worldOf } from "../support/world.ts";

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 20);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20_261_128);
const helm = new URL(".tools/helm", import.meta.url).pathname;

const tally = { targets: 0, values: 0, filled: 0 };

interface MadeObject {
  readonly kind?: string;
  readonly metadata?: { readonly name: string };
  readonly spec?: {
    readonly values?: object;
    readonly chart?: { readonly spec: { readonly chart: string } };
    readonly source?: {
      readonly path: string;
      readonly helm: { readonly values?: string; readonly valuesObject?: object };
    };
  };
}

/** What Helm makes of a chart, and of those that it deploys in turn. */
function rendered(folder: string, chart: string, name: string, values: readonly string[]): string {
  const words = ["template", name, chart, "-n", namespace, ...values.flatMap((each) => ["-f", each])];
  const run = spawnSync(helm, words, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 26 });
  expect(run.status, run.stderr).toBe(0);
  const below = parseAllDocuments(run.stdout).map((document): string => {
    const { kind, metadata, spec } = (document.toJS() ?? {}) as MadeObject;
    const own = kind === "Application" ? spec?.source?.path : spec?.chart?.spec.chart;
    if (own === undefined || !own.includes("level") || metadata === undefined) return "";
    const given = spec?.values ?? spec?.source?.helm.valuesObject;
    const file = join(folder, "values", `${metadata.name}.yaml`);
    writeFileSync(file, given === undefined ? (spec?.source?.helm.values ?? "") : stringify(given));
    return rendered(folder, own, metadata.name, [file]);
  });
  return [run.stdout, ...below].join("\n---\n");
}

async function explained(folder: string, stdin: string, words: readonly string[]): Promise<Explanation> {
  const { output, messages } = await runCommand(
    ["explain", ...words, "--json"],
    worldOf(stdin, { directory: folder }),
  );
  const text = Buffer.concat(output).toString("utf8");
  expect(text, messages).not.toBe("");
  return JSON.parse(text) as Explanation;
}

const idOf = ({ kind, name }: Pick<ExplainedTarget, "kind" | "name">): string => `${kind}/${name}`;

function valuesOf({ stacks }: ExplainedTarget): readonly ExplainedValue[] {
  return stacks.flatMap(({ values }) => values).filter(({ mapping }) => mapping !== true);
}

/** A value is at the line that it names, and one that a template fills has the line of the value behind it. */
function judgePlaces(target: ExplainedTarget, files: ReadonlyMap<string, string>): void {
  // Values in a text have no lines behind them.
  const isText = target.stacks.some(({ layers }) =>
    layers.some(({ slot }) => slot === "spec.source.helm.values"),
  );
  // A chart's own list has a line for each element, and its boolean has none.
  const isStamped = ({ text = "" }: ExplainedValue): boolean => !/^(?:\[.*|true|false)$/.test(text);
  for (const value of valuesOf(target).filter(isStamped)) judgePlace(value, files, isText);
}

function judgePlace(
  { text = "", at, variables = [] }: ExplainedValue,
  files: ReadonlyMap<string, string>,
  isText: boolean,
): void {
  const [place, ...behind] = [...text.matchAll(/([\w./-]+)#(\d+)/g)]
    .map(([, file, line]) => `${file}:${line}`)
    .toReversed();
  const line = files.get(at?.file ?? "")?.split("\n")[(at?.line ?? 0) - 1] ?? "";
  const about = `${text} at ${at?.file}:${at?.line}: ${line}`;
  expect(place, about).toBeDefined();
  tally.values++;
  // A mapping that is written as a whole.
  if (line.includes("toYaml")) return;
  expect(`${at?.file}:${at?.line}`, about).toBe(place);
  const [below] = behind;
  // A chart's own values are named by no line.
  if (isText || below === undefined || /charts\/\w+\/values\.yaml/.test(below)) return;
  if (!line.includes(".Values.")) return;
  expect(
    variables.map((each) => `${each.at.file}:${each.at.line}`),
    about,
  ).toEqual([below]);
  tally.filled++;
}

/** A checkout in which no chart makes anything: what Helm made is the list. */
function withoutTemplates(files: ReadonlyMap<string, string>, folder: string): string {
  const bare = join(folder, "bare");
  writeTree({ files: new Map([...files].filter(([name]) => !name.includes("/templates/"))) }, bare);
  mkdirSync(join(bare, ".git"));
  return bare;
}

async function judge({ files, root }: StampedMakers): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-makers-"));
  try {
    writeTree({ files }, folder);
    mkdirSync(join(folder, ".git"));
    const list = rendered(
      folder,
      "charts/level0",
      "root",
      root.given.map((each) => join(folder, each)),
    );
    const source = files.get("root.yaml")?.split("---\n")[0] ?? "";
    const expected = await explained(withoutTemplates(files, folder), `${source}---\n${list}`, ["-"]);
    const words = ["root.yaml", ...(files.has("layer.yaml") ? ["layer.yaml"] : [])];
    const found = await explained(folder, "", words);
    const made = found.targets.filter(({ name }) => name !== "root");
    expect(made.map(idOf).toSorted()).toEqual(expected.targets.map(idOf).toSorted());
    const byId = new Map(expected.targets.map((each) => [idOf(each), each]));
    for (const target of made) {
      const textsOf = (each: ExplainedTarget): object =>
        Object.fromEntries(valuesOf(each).map(({ path, text }) => [path.join("."), text]));
      expect(textsOf(target), idOf(target)).toEqual(textsOf(byId.get(idOf(target)) as ExplainedTarget));
      judgePlaces(target, files);
      tally.targets++;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test(`what ${runs} random charts make has the values that Helm gives to it, and their lines`, async () => {
  for (let run = 0; run < runs; run++) {
    const made = stampedMakers(seededRandom(seed + run));
    await judge(made).catch((error: unknown) => {
      const texts = [...made.files].map(([name, text]) => `# ${name}\n${text}`).join("");
      throw new Error(`seed ${seed + run}\n${texts}`, { cause: error });
    });
  }
  console.log(JSON.stringify(tally));
  counted(runs);
  expect(tally.targets).toBeGreaterThan(runs);
  expect(tally.filled).toBeGreaterThan(runs / 2);
});
