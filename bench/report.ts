// Results → docs/performance.md and its plot. The prose is written by hand; what stands between marks is not.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { plot } from "./plot.ts";
import { pageTable } from "./tables.ts";
import type { WorkloadRow } from "./workload-rows.ts";

export interface Results {
  readonly machine: string;
  readonly quick: boolean;
  readonly workloads: readonly WorkloadRow[];
}

const page = "docs/performance.md";

export function writeReport({ machine, quick, workloads }: Results): void {
  const mode = quick ? "A quick run: few rounds, small inputs. " : "";
  const parts = {
    machine: `${mode}${machine}.\n`,
    results: pageTable(workloads),
  };
  let text = readFileSync(page, "utf8");
  for (const [name, made] of Object.entries(parts)) text = replaced(text, name, made);
  writeFileSync(page, text);
  writeFileSync("docs/performance.svg", plot(workloads));
  execFileSync("node_modules/.bin/oxfmt", [page], { stdio: "ignore" });
}

/** @param name what the marks around the part say */
function replaced(text: string, name: string, made: string): string {
  const [start, end] = [`<!-- bench: ${name} -->\n`, `<!-- bench: end of ${name} -->\n`];
  const [before, rest] = split(text, start);
  const [, after] = split(rest, end);
  return `${before}${start}\n${made}\n${end}${after}`;
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`${page} has no line ${mark.trim()}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
