// What the bench runs: built once, and again when its sources or pins change.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { compile } from "../packaging/executable.ts";
import { runtimeOf } from "../packaging/registries.ts";
import { targetsNamed } from "../packaging/targets.ts";

const here = import.meta.dirname;
const folder = join(here, ".tools");

export const tool = (name: string): string => join(folder, name);

const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

/** Go modules: where they are, and which package of them is the program. */
const goPrograms = {
  timer: { at: "timer", main: "." },
  go: { at: "peers/go", main: "." },
  yq: { at: "peers/yq", main: "github.com/mikefarah/yq/v4" },
};

const kptPrograms = ["kpt-yaml", "kpt-js-yaml"];

export function buildTools(): void {
  const version = goVersion();
  mkdirSync(folder, { recursive: true });
  for (const [name, { at, main }] of Object.entries(goPrograms)) {
    const stamp = `${version} ${digestOf(join(here, at))}`;
    if (existsSync(tool(name)) && stampOf(name) === stamp) continue;
    console.error(`building ${name}`);
    const args = ["build", "-buildvcs=false", "-trimpath", "-o", tool(name), main];
    execFileSync("go", args, { cwd: join(here, at), env: environment, stdio: ["ignore", 2, 2] });
    writeFileSync(tool(`${name}.version`), stamp);
  }
  for (const name of kptPrograms) {
    // The same way our own program is built, so that they start as fast as they can.
    buildSync({
      entryPoints: [join(here, "peers", name, "fold.ts")],
      outfile: tool(`${name}.cjs`),
      bundle: true,
      platform: "node",
      target: "node20",
      format: "cjs",
      minifySyntax: true,
      minifyWhitespace: true,
    });
  }
}

/** Our own program as an executable, if `npm run package` has brought the runtimes: they are too large for a bench. */
export function buildExecutable(): boolean {
  const [target] = targetsNamed([`${process.platform}-${process.arch}`]);
  if (target === undefined || !existsSync(runtimeOf(target))) {
    console.error("no column for the executable: `npm run package` brings what it is made of");
    return false;
  }
  compile(target, runtimeOf(target), tool("executable"));
  return true;
}

export function goVersion(): string {
  const { stdout, status } = spawnSync("go", ["env", "GOVERSION"], { encoding: "utf8", env: environment });
  if (status === 0) return stdout.trim();
  throw new Error(
    "the bench builds its timer and two peers from their Go modules: install Go (1.26 or later)",
  );
}

function digestOf(path: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(path).toSorted()) hash.update(readFileSync(join(path, name)));
  return hash.digest("hex");
}

function stampOf(name: string): string | undefined {
  const path = tool(`${name}.version`);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
