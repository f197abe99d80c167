// What commands read where no word says so, and with what.
import { existsSync, fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { isatty } from "node:tty";
import { resolve } from "node:path";
import type { Diagnostic } from "../diagnostic.ts";
import {
  type ChartPair,
  type ConfigFlags,
  configuredBy,
  isThereAsDirectory,
  type NamedChart,
  UsageError,
  type Workspace,
} from "../sources/index.ts";
import type { Io } from "./io.ts";

export function workspaceOf(
  { env, tidily, render, stdin, directory, progress, charts, onSettings }: Io,
  flags: WorkspaceFlags = {},
): Workspace {
  const { "enable-exec": enableExec = false, repo = [], chart = [], helm, clusters } = flags;
  if (clusters !== undefined && !existsSync(resolve(directory, clusters)))
    throw new UsageError(`\`--clusters ${clusters}\` does not exist`);
  return {
    env,
    tidily,
    render,
    stdin,
    from: directory,
    enableExec,
    repositories: new Map(repo.map((word) => checkoutOf(word, directory))),
    charts: charts ?? namedCharts(chart, directory),
    ...(helm === undefined ? {} : { helm: helm === "3" ? 3 : 4 }),
    ...(clusters === undefined ? {} : { clusters: resolve(directory, clusters) }),
    ...(progress && { progress }),
    ...(onSettings && { onSettings }),
    configured: (input) => configuredBy(flags, input),
  };
}

interface WorkspaceFlags extends ConfigFlags {
  readonly "enable-exec"?: boolean;
  readonly repo?: readonly string[];
  readonly clusters?: string;
  readonly chart?: readonly string[];
  readonly helm?: "3" | "4";
}

export function namedCharts(words: readonly string[], from: string): readonly NamedChart[] {
  return words.filter((word) => pairIn(word, from) === undefined).map((word) => chartOf(word, from));
}

/** `NAME=OLD,NEW`: both versions of a chart. */
export function chartPairs(words: readonly string[], from: string): readonly ChartPair[] {
  return words.flatMap((word) => pairIn(word, from) ?? []);
}

function pairIn(word: string, from: string): ChartPair | undefined {
  const [, name, old, now] = /^([^=]+)=([^,]+),([^,]+)$/.exec(word) ?? [];
  if (name === undefined || old === undefined || now === undefined) return undefined;
  const paths = [resolve(from, old), resolve(from, now)] as const;
  return paths.every((each) => existsSync(each)) ? { name, paths } : undefined;
}

/** Charts that no target has: what is printed is without their defaults. */
export function unusedCharts(charts: readonly NamedChart[]): readonly Diagnostic[] {
  return charts
    .filter(({ isUsed }) => isUsed !== true)
    .map(({ shown, target }) => ({
      code: "not-built",
      severity: "warning",
      message:
        target === undefined
          ? `\`--chart ${shown}\`: no target names a chart of that name`
          : `\`--chart ${target}=${shown}\`: no target and no chart has that name`,
      hint: "name the target, or the chart: `--chart NAME=PATH`",
    }));
}

/** `URL=DIR` */
function checkoutOf(word: string, from: string): [string, string] {
  const at = word.lastIndexOf("=");
  const directory = resolve(from, word.slice(at + 1));
  if (at <= 0 || !isThereAsDirectory(directory))
    throw new UsageError(
      `\`--repo ${word}\`: expected \`URL=DIR\`, and DIR a directory`,
      "name a checkout of the repository",
    );
  return [word.slice(0, at), directory];
}

/** `NAME=PATH` of a target or a chart, or a path: that of a chart, of an archive, or of a directory with several. */
function chartOf(word: string, from: string): NamedChart {
  const [, target, rest] = existsSync(resolve(from, word)) ? [] : (/^([^=]+)=(.+)$/.exec(word) ?? []);
  const path = rest ?? word;
  if (!existsSync(resolve(from, path)))
    throw new UsageError(
      `\`--chart ${word}\`: \`${path}\` does not exist`,
      "name a chart's directory, or an archive that `helm pull` leaves",
    );
  const named = { shown: path, path: resolve(from, path) };
  return target === undefined ? named : { ...named, target };
}

export function terminalOf({ terminal }: Io): NonNullable<Io["terminal"]> {
  return terminal ?? { stdin: isatty(0) || isNull(0), stdout: isatty(1) };
}

/** How wide tables may be; undefined where nothing is shortened: in files and pipes, and with `-v`. */
export function widthFor(
  { verbose = false, "output-file": file }: { readonly verbose?: boolean; readonly "output-file"?: string },
  { outputColumns }: Io,
): number | undefined {
  return verbose || (file !== undefined && file !== "-") ? undefined : outputColumns;
}

/** The words; without any stdin, or the working directory where nothing comes from there: a user at a terminal types no stream. */
export function wordsOrHere(words: readonly string[], io: Io): readonly string[] {
  return words.length > 0 ? words : [terminalOf(io).stdin ? "." : "-"];
}

/** True for `/dev/null`: nothing will come. */
function isNull(descriptor: number): boolean {
  return existsSync(devNull) && fstatSync(descriptor).rdev === statSync(devNull).rdev;
}
