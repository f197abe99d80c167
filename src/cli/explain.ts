// Runs `explain`: where values come from, in the form that was asked for.
import { isatty } from "node:tty";
import { pageOf, renderAnnotated, renderOverview, renderText } from "../explain/index.ts";
import { count, type Outcome } from "../core/index.ts";
import type { Explanation } from "../explanation.ts";
import { explainedBuilds, questionFrom } from "./explained.ts";
import type { FlagValues } from "./flags.ts";
import { type Io, UsageError } from "./io.ts";
import { isColoured } from "./ending.ts";
import { sourceLinks, writePage } from "./page-file.ts";

/** @param words target, path and files */
export async function runExplain(
  words: readonly string[],
  flags: FlagValues<"explain">,
  io: Io,
): Promise<Outcome> {
  const { json = false, annotate = false, html, "enable-exec": enableExec = false } = flags;
  const links = sourceLinks(flags, io.directory);
  if ([json, annotate, html !== undefined].filter(Boolean).length > 1)
    throw new UsageError("expected one of `--json`, `--annotate` and `--html`");
  const { env, directory, terminal = { stdin: isatty(0), stdout: isatty(1) } } = io;
  const { files, ...question } = questionFrom(directory, words);
  // A user at a terminal types no stream: the working directory is meant.
  const names = files.length === 0 ? [terminal.stdin ? "." : "-"] : files;
  const { explanation, outcome } = await explainedBuilds(names, enableExec, flags, io, question);
  if (explanation === undefined) return outcome;
  if (html !== undefined) {
    writePage(directory, html, pageOf(explanation, links));
    const targets = count(explanation.targets.length, "target");
    return { ...outcome, output: [], account: () => ({ text: `wrote ${html}: ${targets}\n` }) };
  }
  if (json) return { ...outcome, ...textOutput(`${JSON.stringify(explanation, undefined, 2)}\n`) };
  if (annotate) return { ...outcome, ...textOutput(renderAnnotated(explanation)) };
  const colour = isColoured(env, terminal.stdout && flags.output === undefined);
  const isOverview =
    explanation.targets.length > 1 && question.target === undefined && question.path === undefined;
  const text = isOverview
    ? renderOverview(explanation, { colour })
    : renderText(explanation, { colour, isVerbose: flags.verbose === true });
  const closing = closingOf(explanation, isOverview);
  return {
    ...outcome,
    ...textOutput(text),
    ...(closing === undefined ? {} : { account: () => ({ text: closing }) }),
  };
}

function textOutput(text: string): Pick<Outcome, "output"> {
  return { output: [Buffer.from(text, "utf8")] };
}

function closingOf({ targets }: Explanation, isOverview: boolean): string | undefined {
  const [first] = targets;
  if (first === undefined) return "nothing to explain: the list has no target with layers\n";
  if (!isOverview) return undefined;
  const named = targets.find(({ kind }) => kind !== "Values") ?? first;
  const example = named.kind === "Values" ? "'**'" : `${named.kind}/${named.name}`;
  return `name a target or a path to see values: valuefold explain ${example} ...\n`;
}
