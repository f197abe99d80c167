// What the user typed → what is measured, and how long.
import { parseArgs } from "node:util";
import type { Bounds } from "./timing.ts";

export interface Options {
  readonly quick: boolean;
  /** Fail where time grows faster than the input. */
  readonly check: boolean;
  /** Write the results into `docs`. */
  readonly write: boolean;
  /** Only rows whose name holds this. */
  readonly only: string;
  readonly workloads: Bounds;
  readonly growth: Bounds;
  /** By how much growth inputs are smaller than they should be. */
  readonly shrink: number;
}

/** The greatest exponent that `--check` lets pass. */
export const greatestExponent = 1.25;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      rounds: { type: "string" },
    },
  });
  const { quick, check, write, only } = values;
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(rounds >= 1)) throw new Error("--rounds: expected a number of 1 or more");
  const workloads = quick
    ? { rounds: 3, limitSeconds: 30, budgetSeconds: 5 }
    : { rounds: 11, limitSeconds: 120, budgetSeconds: 150 };
  const growth = quick
    ? { rounds: 1, limitSeconds: 5, budgetSeconds: 5 }
    : { rounds: 5, limitSeconds: 20, budgetSeconds: 40 };
  return {
    quick,
    check,
    // Some rows alone would take the place of all.
    write: only === "" && (write || !quick),
    only,
    workloads: { ...workloads, rounds: rounds ?? workloads.rounds },
    growth: { ...growth, rounds: rounds ?? growth.rounds },
    shrink: quick ? 32 : 1,
  };
}
