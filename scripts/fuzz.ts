// `npm run fuzz -- --minutes N [--seed S] [--only NAME]`: all generators in turn, with fresh seeds, until the time is over. Prints
// seeds and cases; a failure is made smaller, written to a folder, and makes the exit status 1.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

interface Generator {
  readonly name: string;
  readonly files: readonly string[];
  /** About as many as take ten seconds. */
  readonly runs: number;
  readonly oracles?: readonly string[];
}

const own = (name: string, runs: number): Generator => ({ name, files: [`test/fuzz/${name}.test.ts`], runs });
const properties = (name: string, runs: number, ...more: readonly string[]): Generator => ({
  name,
  files: [name, ...more].map((each) => `test/${each}.test.ts`),
  runs,
});
const oracle = (name: string, runs: number, ...oracles: readonly string[]): Generator => ({
  name,
  files: [`test/real/${name}.test.ts`],
  runs,
  oracles,
});

const generators: readonly Generator[] = [
  own("mutants", 4000),
  own("records", 1500),
  own("places", 1500),
  own("in-place", 3000),
  own("repeats", 400),
  own("renders", 400),
  own("sizes", 6),
  properties("life", 1000),
  properties("core/laws", 500, "core/in-place"),
  properties("core/scan", 20_000),
  properties("explain/explain", 300, "explain/lints-brief", "explain/values-files", "explain/judged"),
  properties("explain/differences", 100, "explain/compare", "explain/places"),
  properties("core/list-rules", 500, "core/scalars", "core/protect"),
  properties("repeat/repeat", 60, "repeat/repeat-brackets", "render/render-marks"),
  properties("schema/schema", 200, "core/kyma", "core/secrets"),
  properties("core/reader/fast-reader", 1000),
  properties("factor/random-sets", 150, "factor/laws"),
  oracle("values-oracle", 3000, "flux-oracle"),
  oracle("flux-oracle", 600, "flux-oracle"),
  oracle("app-oracle", 300, "app-oracle"),
  properties("sources/plain-texts", 10),
  oracle("checkouts", 6, "kustomize"),
  oracle("origins", 40, "kustomize"),
  oracle("plain-texts", 6, "kustomize"),
];

const { values: asked } = parseArgs({
  options: { minutes: { type: "string" }, seed: { type: "string" }, only: { type: "string" } },
});
const minutes = Number(asked.minutes ?? 5);
const firstSeed = Number(asked.seed ?? Math.floor(Math.random() * 2 ** 30));
const chosen = generators.filter(({ name }) => asked.only === undefined || name === asked.only);
if (!(minutes > 0) || !Number.isSafeInteger(firstSeed) || chosen.length === 0) {
  console.error(
    `usage: npm run fuzz -- --minutes N [--seed S] [--only NAME]\n  names: ${generators.map(({ name }) => name).join(", ")}`,
  );
  process.exit(2);
}

const end = Date.now() + minutes * 60_000;
const root = new URL("..", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "valuefold-fuzz-"));
const sums = new Map<string, number>();
console.log(`seed ${firstSeed}, ${minutes} minutes, failures go to ${folder}`);

/** The Go programs it needs are there, or are built; without Go it is skipped, and in CI that is a failure. `npm run test:real` installs kustomize. */
function isReady({ name, oracles = [] }: Generator): boolean {
  const missing = oracles.filter((each) => !existsSync(join(root, "test/real/.tools", each)));
  const isBuilt = missing.every((each) => {
    const cwd = join(root, "test/real", each);
    return (
      spawnSync("go", ["build", "-o", `../.tools/${each}`, "."], {
        cwd,
        stdio: ["ignore", "ignore", "inherit"],
      }).status === 0
    );
  });
  if (!isBuilt) console.error(`SKIPPED: ${name} needs Go`);
  return isBuilt;
}

/** Runs a generator; false where a case failed. */
function run({ name, files, runs }: Generator, seed: number): boolean {
  const tally = join(folder, "cases");
  rmSync(tally, { force: true });
  const start = Date.now();
  const env = {
    ...process.env,
    VALUEFOLD_FUZZ: folder,
    VALUEFOLD_SEED: String(seed),
    VALUEFOLD_RUNS: String(runs),
    VALUEFOLD_ORACLE_RUNS: String(runs),
    VALUEFOLD_LIFE_ROUNDS: String(runs),
  };
  const { status, stdout, stderr } = spawnSync(
    "npx",
    ["vitest", "run", "--config", "vitest.fuzz.config.ts", "--reporter=dot", ...files],
    {
      cwd: root,
      env,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  const cases = (existsSync(tally) ? readFileSync(tally, "utf8") : "")
    .split("\n")
    .reduce((sum, each) => sum + Number(each), 0);
  sums.set(name, (sums.get(name) ?? 0) + cases);
  console.log(
    `${status === 0 ? "ok    " : "FAILED"} ${name}: seed ${seed}, ${cases} cases, ${Math.round((Date.now() - start) / 1000)} s`,
  );
  if (status === 0) return true;
  console.error(
    `${stdout}\n${stderr}\nagain: npm run fuzz -- --minutes ${minutes} --seed ${seed} --only ${name}`,
  );
  return false;
}

const ready = chosen.filter(isReady);
const isWhole = ready.length > 0 && (ready.length === chosen.length || process.env["CI"] === undefined);
const failed = new Set<string>();

/** Where the time does not suffice for all, another seed starts with another one. One that failed is not run again. */
function runAll(): void {
  const first = firstSeed % ready.length;
  for (let turn = 0; turn === 0 || (Date.now() < end && failed.size < ready.length); turn++) {
    const one = ready[(first + turn) % ready.length];
    const seed = (firstSeed + Math.floor(turn / ready.length) * 1_000_003) % 2 ** 30;
    if (one !== undefined && !failed.has(one.name) && !run(one, seed)) failed.add(one.name);
  }
}

if (isWhole) runAll();
const total = [...sums.values()].reduce((sum, each) => sum + each, 0);
const each = [...sums].map(([name, cases]) => `${name} ${cases}`).join(", ");
console.log(`${total} cases, ${failed.size === 0 ? "none" : [...failed].join(", ")} failed: ${each}`);
process.exit(isWhole && failed.size === 0 ? 0 : 1);
