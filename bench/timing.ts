// Measuring whole processes. Node cannot tell what a child used, so a small program of ours runs it.
import { spawnSync } from "node:child_process";
import { tool } from "./tools.ts";

/** What one process took. */
export interface Taken {
  readonly wallMs: number;
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  readonly peakMiB: number;
}

export interface Run extends Taken {
  readonly bytes: number;
}

/** A command, and the file that is its stdin. */
export interface Job {
  readonly command: readonly string[];
  readonly input: string;
}

/** A run took longer than it may; it was ended. */
export class TooSlow extends Error {
  override readonly name = "TooSlow";
}

interface Answer {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly maxRssKiB: number;
  readonly bytes: number;
  readonly status: number;
  readonly timedOut: boolean;
  readonly stderr: string;
}

/** No more than a program needs: certificates for Node, for one, cost it more than its own start. */
const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"] };

/** @param output the file that gets its stdout; without one it is counted and dropped */
export function runOnce({ command, input }: Job, limitSeconds: number, output?: string): Run {
  const out = output === undefined ? [] : ["-out", output];
  const args = ["-limit", String(limitSeconds), ...out, input, ...command];
  const { stdout, stderr, error } = spawnSync(tool("timer"), args, { encoding: "utf8", env: environment });
  if (error !== undefined || stdout === "") throw new Error(`the timer failed: ${error?.message ?? stderr}`);
  const answer = JSON.parse(stdout) as Answer;
  if (answer.timedOut) throw new TooSlow(`> ${limitSeconds} s`);
  if (answer.status !== 0) throw new Error(`exit ${answer.status}: ${answer.stderr.trim().slice(-500)}`);
  const { wallMs, cpuMs, maxRssKiB, bytes } = answer;
  return { wallMs, cpuMs, bytes, peakMiB: maxRssKiB / 1024 };
}

export interface Bounds {
  readonly rounds: number;
  /** No process may take longer. */
  readonly limitSeconds: number;
  /** No new round begins after this. */
  readonly budgetSeconds: number;
}

/** Round by round, each job once, so that what else the machine does meets them all. One list per job. */
export function interleaved(jobs: readonly Job[], { rounds, limitSeconds, budgetSeconds }: Bounds): Run[][] {
  const runs = jobs.map((): Run[] => []);
  const started = performance.now();
  for (let round = 0; round < rounds; round++) {
    if (round > 0 && performance.now() - started > budgetSeconds * 1000) break;
    for (const [at, job] of jobs.entries()) runs[at]?.push(runOnce(job, limitSeconds));
  }
  return runs;
}

/** Noise only ever adds, so the least of all runs says most. */
export function leastCpu(runs: readonly Taken[]): number {
  return Math.min(...runs.map(({ cpuMs }) => cpuMs));
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** Measure by measure, of as many runs or pairs of runs as there are. */
export function medians(taken: readonly Taken[]): Taken {
  return {
    wallMs: median(taken.map(({ wallMs }) => wallMs)),
    cpuMs: median(taken.map(({ cpuMs }) => cpuMs)),
    peakMiB: median(taken.map(({ peakMiB }) => peakMiB)),
  };
}

/** Medians of the ratios within each round. */
export function ratios(ours: readonly Taken[], theirs: readonly Taken[]): Taken {
  return medians(
    ours.flatMap((own, round) => {
      const other = theirs[round];
      if (other === undefined) return [];
      return {
        wallMs: own.wallMs / other.wallMs,
        cpuMs: own.cpuMs / other.cpuMs,
        peakMiB: own.peakMiB / other.peakMiB,
      };
    }),
  );
}
