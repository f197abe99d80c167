// How CPU time grows with an input: three sizes, each twice the one before.
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Growth } from "./inputs/growth.ts";
import { valuefold } from "./programs.ts";
import { type Bounds, interleaved, type Job, leastCpu, runOnce, TooSlow } from "./timing.ts";

type Command = "function" | "fold" | "verify";

export interface GrowthRow {
  readonly name: string;
  readonly sizes: readonly number[];
  /** Of the largest input that could be made. */
  readonly megabytes: number;
  /** Per size, less the cold start; fewer than sizes if the others took longer than they may. */
  readonly cpuMs: readonly number[];
  /** Of the last step: 1 if time grows as the input does. Unset if there is too little to tell. */
  readonly exponent: number | undefined;
  readonly limit: string;
}

interface Scene {
  readonly bounds: Bounds;
  readonly folder: string;
  /** What the program needs for next to nothing. */
  readonly coldMs: number;
  readonly shrink: number;
}

/** The input itself, and what is done with its output. */
export function namesOf({ name, after = [] }: Growth): string[] {
  return [name, ...after.map((again) => nameOf(name, again))];
}

const nameOf = (name: string, again: "fold" | "verify"): string =>
  `${name}; ${again === "fold" ? "folded again" : "verified"}`;

/** @param name one of `namesOf` */
export function measureGrowth(growth: Growth, name: string, scene: Scene): GrowthRow {
  const { bounds, folder, coldMs } = scene;
  const { limitSeconds } = bounds;
  const again = growth.after?.find((each) => nameOf(growth.name, each) === name);
  const smallest = Math.ceil(growth.size / scene.shrink);
  const sizes = [smallest, 2 * smallest, 4 * smallest];
  const jobs = sizes.map((size): Job => {
    const input = join(folder, `growth${size}`);
    writeFileSync(input, growth.make(size));
    return { command: commandOf(growth.command ?? "function"), input };
  });
  const inTime = untilTooSlow(jobs, (job) => {
    if (again === undefined) return job;
    const folded = `${job.input}-folded`;
    runOnce(job, limitSeconds, folded);
    return { command: commandOf(again === "verify" ? "verify" : "function"), input: folded };
  });
  const megabytes = statSync((inTime.at(-1) ?? jobs.at(-1))?.input ?? "").size / 1e6;
  // The warm-up counts.
  const first = untilTooSlow(inTime, (job) => runOnce(job, limitSeconds));
  const rest = interleaved(inTime.slice(0, first.length), { ...bounds, rounds: bounds.rounds - 1 });
  const cpuMs = first.map((run, at) => Math.max(0, leastCpu([run, ...(rest[at] ?? [])]) - coldMs));
  return { name, sizes, megabytes, cpuMs, exponent: exponentOf(cpuMs), limit: `> ${limitSeconds} s` };
}

const commandOf = (command: Command): readonly string[] =>
  (command === "function" ? valuefold() : valuefold(command)).command;

/** CPU time of the least there is to do. */
export function coldStart(input: string, { limitSeconds }: Bounds): number {
  const job = { command: commandOf("function"), input };
  return leastCpu([1, 2, 3, 4, 5].map(() => runOnce(job, limitSeconds)));
}

/** Sizes ascend: what is larger than the first that is too slow is too slow as well. */
function untilTooSlow<A, B>(jobs: readonly A[], step: (job: A) => B): B[] {
  const done: B[] = [];
  try {
    for (const job of jobs) done.push(step(job));
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error;
  }
  return done;
}

/** Below this the cold start's own noise decides. */
const leastMs = 15;

function exponentOf(cpuMs: readonly number[]): number | undefined {
  const [before, last] = [cpuMs.at(-2) ?? 0, cpuMs.at(-1) ?? 0];
  return before < leastMs ? undefined : Math.log2(last / before);
}
