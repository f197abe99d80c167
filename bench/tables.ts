// Rows → tables in Markdown.
import type { CheckoutRow } from "./checkout-rows.ts";
import type { EarlierRow } from "./earlier-rows.ts";
import type { GrowthRow } from "./growth-rows.ts";
import { programNames } from "./programs.ts";
import type { Taken } from "./timing.ts";
import type { Cell, WorkloadRow } from "./workload-rows.ts";

/** The table of the page: what we needed, and our wall time over that of others. */
export function pageTable(rows: readonly WorkloadRow[]): string {
  const others = ["executable", "Go", "kpt SDK, js-yaml", "yq"];
  return tableOf(
    ["workload", "MB", "ms", "MiB", ...others],
    rows.map((row) => {
      const own = row.cells.find(({ program }) => program === "valuefold")?.median;
      const figures = own === undefined ? [row.limit, ""] : [own.wallMs.toFixed(0), own.peakMiB.toFixed(0)];
      const ratio = ({ limit }: WorkloadRow, cell: Cell): string =>
        cell.ratio === undefined ? limit : digits(cell.ratio.wallMs);
      return [row.name, digits(row.megabytes), ...figures, ...cellsOf(row, others, ratio)];
    }),
  );
}

/** Ours over theirs: wall time, CPU time, peak memory. */
export function ratioTable(rows: readonly WorkloadRow[]): string {
  const cell = ({ limit }: WorkloadRow, { ratio }: Cell): string =>
    ratio === undefined
      ? limit
      : `**${digits(ratio.wallMs)}** / ${digits(ratio.cpuMs)} / ${digits(ratio.peakMiB)}`;
  return tableOf(
    ["workload", "MB", ...programNames],
    rows.map((row) => [row.name, digits(row.megabytes), ...cellsOf(row, programNames, cell)]),
  );
}

/** What each needed, in this run on this machine. */
export function medianTable(rows: readonly WorkloadRow[]): string {
  const programs = ["valuefold", ...programNames];
  const cell = ({ limit }: WorkloadRow, { median }: Cell): string =>
    median === undefined ? limit : takenText(median);
  return tableOf(
    ["workload", "rounds", ...programs],
    rows.map((row) => [row.name, String(row.rounds), ...cellsOf(row, programs, cell)]),
  );
}

/** One line per question. */
export function checkoutTable(rows: readonly CheckoutRow[]): string {
  const figure = (ms: number | undefined): string => ms?.toFixed(0) ?? "–";
  return tableOf(
    ["question", "builds", "native", "wasm", "kustomize alone", "MiB"],
    rows.map(({ name, builds, nativeMs, wasmMs, kustomizeMs, peakMiB }) => {
      const times = [nativeMs, wasmMs, kustomizeMs].map(figure);
      return [name, String(builds), ...times, peakMiB.toFixed(0)];
    }),
  );
}

/** One line per input: its time, then its exponent and those of what is done with its output. */
export function growthTable(rows: readonly GrowthRow[]): string {
  const exponentOf = (name: string): string =>
    rows.find((row) => row.name === name)?.exponent?.toFixed(2) ?? "";
  const inputs = rows.filter(({ name }) => !name.includes("; "));
  return tableOf(
    ["input", "MB", "CPU ms", "exponent", "folded again", "verified"],
    inputs.map((row) => [
      row.name,
      digits(row.megabytes),
      row.cpuMs[row.sizes.length - 1]?.toFixed(0) ?? row.limit,
      row.exponent?.toFixed(2) ?? "–",
      exponentOf(`${row.name}; folded again`),
      exponentOf(`${row.name}; verified`),
    ]),
  );
}

/** Ours over our own of an earlier commit. */
export function earlierTable(rows: readonly EarlierRow[]): string {
  return tableOf(
    ["input", "CPU ms", "earlier", "ratio"],
    rows.map(({ name, cpuMs, earlierMs }) => [
      name,
      cpuMs.toFixed(0),
      earlierMs.toFixed(0),
      (cpuMs / earlierMs).toFixed(2),
    ]),
  );
}

function takenText({ wallMs, cpuMs, peakMiB }: Taken): string {
  return `${wallMs.toFixed(0)} / ${cpuMs.toFixed(0)} / ${peakMiB.toFixed(0)}`;
}

/** In the order of the columns; a program that does not know the workload has an empty cell. */
function cellsOf(
  row: WorkloadRow,
  programs: readonly string[],
  text: (row: WorkloadRow, cell: Cell) => string,
): string[] {
  return programs.map((name) => {
    const cell = row.cells.find(({ program }) => program === name);
    return cell === undefined ? "" : text(row, cell);
  });
}

/** Two significant digits or one decimal: more would be noise. */
function digits(value: number): string {
  if (value >= 10) return value.toFixed(0);
  return value >= 1 ? value.toFixed(1) : value.toPrecision(2);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  const rule = line(head.map((_cell, at) => (at === 0 ? "---" : "--:")));
  return `${line(head)}${rule}${rows.map(line).join("")}`;
}
