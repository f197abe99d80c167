// A workload beside copy loop and peers: first every outcome is compared, then all are timed in turn.
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { differenceOf, type Outcome, outcomeOf, valuesIn } from "./equality.ts";
import type { Workload } from "./inputs/workloads.ts";
import { copy, functions, type Program, valuefold, yq } from "./programs.ts";
import { type Bounds, interleaved, medians, ratios, runOnce, type Taken, TooSlow } from "./timing.ts";

/** One program on one workload; without figures it took longer than it may. */
export interface Cell {
  readonly program: string;
  readonly median?: Taken;
  /** Our figures over its: below 1 we need less. */
  readonly ratio?: Taken;
}

export interface WorkloadRow {
  readonly name: string;
  readonly apps: number | undefined;
  readonly megabytes: number;
  readonly rounds: number;
  readonly limit: string;
  /** Ours first. */
  readonly cells: readonly Cell[];
}

interface Contender extends Program {
  readonly input: string;
}

export function measureWorkload(workload: Workload, bounds: Bounds, folder: string): WorkloadRow {
  const input = join(folder, "input");
  writeFileSync(input, workload.make());
  const contenders = contendersFor(workload, input, bounds, folder);
  const [own] = contenders;
  if (own === undefined) throw new Error("nothing to measure");
  const outputs = new Map(contenders.map(({ name }) => [name, join(folder, `output of ${name}`)]));
  const finished = contenders.filter((each) => finishes(each, bounds, outputs.get(each.name)));
  if (finished[0] === own) confirm(workload, finished, outputs);
  for (const path of outputs.values()) rmSync(path, { force: true });
  // Without ours there is nothing to compare.
  const runs = finished[0] === own ? interleaved(finished, bounds) : [];
  const ours = runs[0] ?? [];
  const cells = contenders.map((each): Cell => {
    const taken = runs[finished.indexOf(each)];
    const { name: program } = each;
    return taken === undefined
      ? { program }
      : { program, median: medians(taken), ratio: ratios(ours, taken) };
  });
  const { name, apps } = workload;
  const megabytes = statSync(own.input).size / 1e6;
  return { name, apps, megabytes, cells, rounds: ours.length, limit: `> ${bounds.limitSeconds} s` };
}

function contendersFor(
  { again, alone, layers }: Workload,
  input: string,
  { limitSeconds }: Bounds,
  folder: string,
): Contender[] {
  if (alone === true) return [valuefold(), copy].map((each) => ({ ...each, input }));
  if (again !== undefined) {
    const folded = join(folder, "folded");
    const { command } = again === "verify" ? valuefold("fold") : valuefold();
    runOnce({ command, input }, limitSeconds, folded);
    const own = again === "verify" ? valuefold("verify") : valuefold();
    return [own, copy].map((each) => ({ ...each, input: folded }));
  }
  const files = (layers?.() ?? []).map((text, at) => {
    const path = join(folder, `layer${at}.yaml`);
    writeFileSync(path, text);
    return path;
  });
  const values = files.length === 0 ? [] : [{ ...yq(files), input: devNull }];
  return [...[valuefold(), copy, ...functions].map((each) => ({ ...each, input })), ...values];
}

/** The warm-up. */
function finishes(job: Contender, { limitSeconds }: Bounds, output: string | undefined): boolean {
  try {
    runOnce(job, limitSeconds, output);
    return true;
  } catch (error) {
    if (error instanceof TooSlow) return false;
    throw new Error(`${job.name}: ${error instanceof Error ? error.message : "failed"}`, { cause: error });
  }
}

/** Throws unless every program did what it was to do. */
function confirm(
  { again, targets }: Workload,
  [own, ...others]: readonly Contender[],
  outputs: ReadonlyMap<string, string>,
): void {
  const outputOf = ({ name }: Program): string => outputs.get(name) ?? "";
  for (const each of others) {
    if (each.name === copy.name && statSync(outputOf(each)).size !== statSync(each.input).size)
      throw new Error("the copy is not the input");
  }
  if (own === undefined || again === "verify") return;
  if (again === "fold" && !readFileSync(outputOf(own)).equals(readFileSync(own.input)))
    throw new Error("folding again changed something");
  const ours = outcomeOf(outputOf(own));
  if (ours.size !== targets) throw new Error(`${ours.size} of ${targets} targets`);
  for (const each of others.filter(({ name }) => name !== copy.name)) {
    const difference = isYq(each)
      ? valuesDiffer(ours, outputOf(each))
      : differenceOf(ours, outcomeOf(outputOf(each)));
    if (difference !== undefined) throw new Error(`${each.name}: ${difference}`);
  }
}

const isYq = ({ name }: Program): boolean => name === "yq";

function valuesDiffer(ours: Outcome, output: string): string | undefined {
  const theirs = valuesIn(output);
  return [...ours.values()].every(({ values }) => values === theirs) ? undefined : "values differ";
}
