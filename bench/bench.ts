// The bench: the built program beside a copy loop and its peers, whole processes in turn, and how its time
// grows. Absolute times of shared machines say little: compare ratios. docs/performance.md says more.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EarlierRow, earlierName, isInHistory, measureEarlier, mustNotLose } from "./earlier-rows.ts";
import { checkoutName, type CheckoutRow, measureCheckouts } from "./checkout-rows.ts";
import { coldStart, type GrowthRow, measureGrowth, namesOf } from "./growth-rows.ts";
import { growth } from "./inputs/growth.ts";
import { quickWorkloads, smallest, workloads } from "./inputs/workloads.ts";
import { machineLine } from "./machine.ts";
import { greatestExponent, readOptions } from "./options.ts";
import { writeReport } from "./report.ts";
import { checkoutTable, earlierTable, growthTable, medianTable, ratioTable } from "./tables.ts";
import { buildTools } from "./tools.ts";
import { measureWorkload, type WorkloadRow } from "./workload-rows.ts";

const options = readOptions(process.argv.slice(2));
let passed = 0;
let failed = 0;

/** A row that fails is told, and the others go on. */
function row<T>(name: string, measure: (folder: string) => T, check?: (made: T) => void): T[] {
  if (!name.includes(options.only)) return [];
  console.error(name);
  const folder = mkdtempSync(join(tmpdir(), "valuefold-bench-"));
  try {
    const made = measure(folder);
    check?.(made);
    passed++;
    return [made];
  } catch (error) {
    failed++;
    console.error(`failed: ${name}: ${error instanceof Error ? error.message : "unknown"}`);
    return [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function workloadRows(): WorkloadRow[] {
  return workloads
    .filter(({ name }) => !options.quick || options.only !== "" || quickWorkloads.has(name))
    .flatMap((each) => row(each.name, (folder) => measureWorkload(each, options.workloads, folder)));
}

function growthRows(): GrowthRow[] {
  const { growth: bounds, shrink } = options;
  let coldMs: number | undefined;
  return growth.flatMap((each) =>
    namesOf(each).flatMap((name) =>
      row(
        name,
        (folder) => {
          coldMs ??= coldStart(written(folder), bounds);
          return measureGrowth(each, name, { bounds, folder, coldMs, shrink });
        },
        options.check ? mustNotGrow : undefined,
      ),
    ),
  );
}

function written(folder: string): string {
  const path = join(folder, "smallest");
  writeFileSync(path, smallest());
  return path;
}

function mustNotGrow({ cpuMs, sizes, exponent = 1, limit }: GrowthRow): void {
  if (cpuMs.length < sizes.length) throw new Error(limit);
  if (exponent > greatestExponent) throw new Error(`exponent ${exponent.toFixed(2)} > ${greatestExponent}`);
}

/** In a clone without the commit the row says so; in CI it fails. */
function earlierRows(): EarlierRow[] {
  if (!isInHistory() && process.env["CI"] === undefined) {
    console.error(`${earlierName}: not measured, the commit is not in this clone`);
    return [];
  }
  return row(
    earlierName,
    (folder) => measureEarlier(options.growth, options.quick, folder),
    mustNotLose,
  ).flat();
}

/** Questions build with the engine; the fold never loads it. */
function checkoutRows(): CheckoutRow[] {
  return row(checkoutName, (folder) => measureCheckouts(options.quick, folder)).flat();
}

buildTools();
const results = {
  machine: machineLine(),
  quick: options.quick,
  workloads: workloadRows(),
  growth: growthRows(),
  earlier: earlierRows(),
  checkouts: checkoutRows(),
};
if (options.write && failed === 0) writeReport(results);
console.log(`${results.machine}\n
valuefold over the other: **wall** / CPU / peak memory; below 1 it needs less\n
${ratioTable(results.workloads)}
medians: wall ms / CPU ms / peak MiB\n
${medianTable(results.workloads)}
growth: CPU ms less the cold start\n
${growthTable(results.growth)}
${earlierName}: least CPU ms
${earlierTable(results.earlier)}
${checkoutName}: CPU ms
${checkoutTable(results.checkouts)}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
