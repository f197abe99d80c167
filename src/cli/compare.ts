// Runs `compare`: explains each build by itself, and writes what differs in the form that was asked for.
import {
  Comparing,
  comparisonCsv,
  comparisonMarkdown,
  pathSteps,
  renderComparison,
} from "../explain/index.ts";
import type { Comparison } from "../comparison.ts";
import { Exit, type Outcome, renderDiagnostics } from "../core/index.ts";
import { buildPerWord, eachBuild } from "./builds.ts";
import { explained, messagesOf, questionFrom } from "./explained.ts";
import type { FlagValues } from "./flags.ts";
import { configuredBy } from "./inputs.ts";
import { type Ending, type Io, UsageError } from "./io.ts";
import { missingIn } from "./left-out.ts";

/** @param words builds, and perhaps a target and a path */
export async function runCompare(
  words: readonly string[],
  flags: FlagValues<"compare">,
  io: Io,
): Promise<Ending> {
  const { json = false, format = json ? "json" : "text", all = false } = flags;
  const configured = configuredBy(flags);
  const { target, path, files } = questionFrom(io.directory, words);
  if (files.length < 2)
    throw new UsageError(
      "expected two builds or more",
      "name directories, or stacks of values files: valuefold compare clusters/*",
    );
  const steps = path === undefined ? undefined : pathSteps(path);
  if (steps !== undefined && "code" in steps) return failed(renderDiagnostics([steps]));
  const builds = buildPerWord(files, io.directory);
  const comparing = new Comparing({ ...(target && { target }), ...(steps && { steps }), all });
  const outcomes: Outcome[] = [];
  for await (const { name, input } of eachBuild(builds, flags["enable-exec"] ?? false, io)) {
    const { explanation, outcome } = await explained(input, configured, io);
    outcomes.push(outcome);
    for (const missing of missingIn(outcome.diagnostics)) comparing.addUnread(`${name}: ${missing}`);
    if (explanation === undefined) comparing.addUnread(name);
    else comparing.add(name, explanation);
  }
  const comparison = comparing.comparison();
  return {
    exitCode: outcomes.some(({ exitCode }) => exitCode !== Exit.ok) ? Exit.faults : Exit.ok,
    output: [Buffer.from(comparisonAs(format, comparison), "utf8")],
    messages: messagesOf(outcomes),
  };
}

function failed(messages: string): Ending {
  return { exitCode: Exit.faults, output: [], messages };
}

function comparisonAs(form: NonNullable<FlagValues<"compare">["format"]>, comparison: Comparison): string {
  switch (form) {
    case "text":
      return renderComparison(comparison);
    case "json":
      return `${JSON.stringify(comparison, undefined, 2)}\n`;
    case "markdown":
      return comparisonMarkdown(comparison);
    case "csv":
      return comparisonCsv(comparison);
  }
}
