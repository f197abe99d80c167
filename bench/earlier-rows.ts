// The program beside its own at an earlier commit, so that a loss is seen that no single change shows.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { apps } from "./inputs/workloads.ts";
import { listOf } from "./inputs/items.ts";
import { valuefold } from "./programs.ts";
import { type Bounds, interleaved, leastCpu } from "./timing.ts";
import { tool } from "./tools.ts";

/** Of 2026-11-23, before the start of the program grew by a half without a row that showed it. */
const earlier = "206a5c9105c9d5b56f20c24bda58adf75595677c";

/** Of least CPU times, taken in turn: on a busy machine two programs that are alike differ by a tenth. */
const greatestRatio = 1.6;

export interface EarlierRow {
  readonly name: string;
  /** The least of all rounds. */
  readonly cpuMs: number;
  readonly earlierMs: number;
}

/** Only a program that hangs takes longer, on a loaded machine, too. */
const patience = 60;

export const earlierName = `beside ${earlier.slice(0, 8)}`;

export function isInHistory(): boolean {
  return spawnSync("git", ["cat-file", "-e", `${earlier}^{commit}`], { stdio: "ignore" }).status === 0;
}

/** @throws where the commit is not in this history, or cannot be built */
export function measureEarlier(bounds: Bounds, isQuick: boolean, folder: string): EarlierRow[] {
  const program = earlierProgram();
  const measured = (count: number, rounds: number, ...words: readonly string[]): EarlierRow => {
    const input = join(folder, `apps${count}`);
    writeFileSync(input, listOf(apps(count)));
    const programs = [valuefold().command, [process.execPath, program]];
    const jobs = programs.map((command) => ({ command: [...command, ...words], input }));
    const [own = [], other = []] = interleaved(jobs, { ...bounds, rounds, limitSeconds: patience });
    const name = count === 1 ? "1 App × 3" : `${count} Apps × 3`;
    return {
      name: [name, ...words].join(", "),
      cpuMs: leastCpu(own),
      earlierMs: leastCpu(other),
    };
  };
  // A call with a word loads more code.
  return [measured(1, 15), measured(1, 15, "fold"), isQuick ? measured(1000, 4) : measured(3000, 6)];
}

export function mustNotLose(rows: readonly EarlierRow[]): void {
  for (const { name, cpuMs, earlierMs } of rows)
    if (cpuMs / earlierMs > greatestRatio)
      throw new Error(`${name}: ${(cpuMs / earlierMs).toFixed(2)} > ${greatestRatio} of the CPU time`);
}

/** Built once for each version of Node, whose compiled code it holds. */
function earlierProgram(): string {
  const home = resolve(tool(`earlier-${earlier.slice(0, 8)}-${process.version}`));
  const program = join(home, "dist/valuefold.cjs");
  if (existsSync(program)) return program;
  const unfinished = `${home}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const archive = execFileSync("git", ["archive", earlier], { maxBuffer: 1 << 30 });
    execFileSync("tar", ["-x", "-C", unfinished], { input: archive });
    symlinkSync(resolve("node_modules"), join(unfinished, "node_modules"));
    const build = ["--import", "tsx", "scripts/build.ts"];
    execFileSync(process.execPath, build, { cwd: unfinished, stdio: ["ignore", "ignore", "inherit"] });
    rmSync(home, { recursive: true, force: true });
    renameSync(unfinished, home);
    return program;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
