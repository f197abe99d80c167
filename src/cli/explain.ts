// Runs `explain` and `diff`: reads what they are about, and writes the answer in the form that was asked for.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { isatty } from "node:tty";
import {
  differenceOf,
  type Explained,
  explaining,
  explainingFiles,
  pageOf,
  type Pair,
  renderAnnotated,
  renderDifference,
  renderMarkdown,
  renderText,
  type ValuesFile,
} from "../explain/index.ts";
import { count, Exit, type Outcome } from "../core/index.ts";
import type { Difference } from "../difference.ts";
import type { Explanation } from "../explanation.ts";
import type { FlagValues } from "./flags.ts";
import {
  type Configured,
  configuredBy,
  type Input,
  isFileLike,
  isTarget,
  readBuilds,
  settingsIn,
} from "./inputs.ts";
import { type Ending, type Io, uncompared, UsageError } from "./io.ts";
import { missingIn, withLeftOut } from "./left-out.ts";
import { readSides } from "./sides.ts";

/** @param words target, path and files, in this order */
export async function runExplain(
  words: readonly string[],
  flags: FlagValues<"explain">,
  io: Io,
): Promise<Outcome> {
  const { json = false, annotate = false, html, "enable-exec": enableExec = false } = flags;
  if ([json, annotate, html !== undefined].filter(Boolean).length > 1)
    throw new UsageError("expected one of `--json`, `--annotate` and `--html`");
  const configured = configuredBy(flags);
  const { env, tidily, render, directory, terminal = { stdin: isatty(0), stdout: isatty(1) } } = io;
  const { files, ...narrowedTo } = explainedBy(words, (name) => existsSync(resolve(directory, name)));
  // A user at a terminal types no stream: the working directory is meant.
  const names = files.length === 0 && terminal.stdin ? ["."] : files;
  const input = await readBuilds(names, io.stdin, { env, tidily, render, enableExec, from: directory });
  const { explanation, outcome } = await explained(input, configured, io, narrowedTo);
  if (explanation === undefined) return outcome;
  const targets = count(explanation.targets.length, "target");
  if (html !== undefined) {
    writePage(resolve(directory, html), html, pageOf(explanation));
    return { ...outcome, output: [], account: () => `wrote ${html}: ${targets}\n` };
  }
  if (json) return { ...outcome, ...textOutput(`${JSON.stringify(explanation, undefined, 2)}\n`) };
  if (annotate) return { ...outcome, ...textOutput(renderAnnotated(explanation)) };
  const colour = terminal.stdout && (env["NO_COLOR"] ?? "") === "";
  const nothing = "nothing to explain: the list has no target with layers\n";
  return {
    ...outcome,
    ...textOutput(renderText(explanation, { colour })),
    ...(explanation.targets.length === 0 ? { account: () => nothing } : {}),
  };
}

interface ExplainedPart {
  readonly target?: string;
  readonly path?: string;
  readonly files: readonly string[];
}

/** A word may be both a path in values and a file: one that exists is a file, whatever its place. */
export function explainedBy(words: readonly string[], exists: (name: string) => boolean): ExplainedPart {
  const [first] = words;
  const target = first !== undefined && isTarget(first) ? first : undefined;
  const others = target === undefined ? words : words.slice(1);
  const path = others.find((word) => !isFileLike(word) && !exists(word));
  const files = others.filter((word) => word !== path);
  return { ...(target === undefined ? {} : { target }), ...(path === undefined ? {} : { path }), files };
}

function textOutput(text: string): Pick<Outcome, "output"> {
  return { output: [Buffer.from(text, "utf8")] };
}

/** Replaces an earlier page. Any other file with that name is kept: it was named by mistake. */
function writePage(path: string, name: string, page: string): void {
  const start = page.slice(0, page.indexOf("<meta"));
  if (existsSync(path) && !isPage(path, start))
    throw new UsageError(
      `\`${name}\` exists, and is not a page of valuefold`,
      "name another file: --html takes the name of the page, and files to read come after it",
    );
  try {
    writeFileSync(path, page);
  } catch {
    throw new UsageError(`cannot write \`${name}\``, "name a file in a directory that exists");
  }
}

function isPage(path: string, start: string): boolean {
  try {
    const text = readFileSync(path, "utf8");
    return text.startsWith(start) && text.includes("valuefold explain");
  } catch {
    return false;
  }
}

/** @param words two files or directories, or revisions with the directories and files to compare */
export async function runDiff(words: readonly string[], flags: FlagValues<"diff">, io: Io): Promise<Ending> {
  const { json = false, format = json ? "json" : "text", "exit-code": exitCode = false } = flags;
  const configured = configuredBy(flags);
  const all: Explained[] = [];
  const explainedSide = async (input: Input | undefined): Promise<Explanation | undefined> => {
    if (input === undefined) return undefined;
    all.push(await explained(input, configured, io));
    return all.at(-1)?.explanation;
  };
  const pairs: Pair[] = [];
  for (const { before, after, ...build } of await readSides(words, flags["enable-exec"] ?? false, io))
    pairs.push({ ...build, before: await explainedSide(before), after: await explainedSide(after) });
  // What both sides report is printed once. The lines of a message after its first are indented.
  const reports = all.flatMap(({ outcome }) => outcome.messages.split(/^(?=\S)/m));
  const messages = [...new Set(reports)].join("");
  const failed = all.some(({ outcome }) => outcome.exitCode !== Exit.ok);
  if (all.some(({ explanation }) => explanation === undefined))
    return { exitCode: exitCode ? uncompared : Exit.faults, output: [], messages };
  const missing = all.flatMap(({ outcome }) => missingIn(outcome.diagnostics));
  const compared = differenceOf(pairs);
  const difference = { ...compared, unread: [...new Set([...compared.unread, ...missing])] };
  const differs = difference.edits.length + difference.targets.length > 0;
  const compareStatus = failed || missing.length > 0 ? uncompared : differs ? Exit.faults : Exit.ok;
  return {
    ...textOutput(differenceAs(format, difference)),
    exitCode: exitCode ? compareStatus : failed ? Exit.faults : Exit.ok,
    messages,
  };
}

function differenceAs(form: NonNullable<FlagValues<"diff">["format"]>, difference: Difference): string {
  switch (form) {
    case "text":
      return renderDifference(difference);
    case "json":
      return `${JSON.stringify(difference, undefined, 2)}\n`;
    case "markdown":
      return renderMarkdown(difference);
  }
}

async function explained(
  input: Input,
  configured: Configured,
  { prepare, supplied }: Io,
  narrowedTo: Omit<ExplainedPart, "files"> = {},
): Promise<Explained> {
  if (input.values !== undefined) return explainedFiles(input.values, configured, supplied, narrowedTo);
  await prepare(input.input);
  const found = await supplied(explaining({ ...input, form: "stream", ...configured, ...narrowedTo }));
  return withLeftOut(found, input, narrowedTo.target === undefined && narrowedTo.path === undefined);
}

function explainedFiles(
  files: readonly ValuesFile[],
  configured: Configured,
  supplied: Io["supplied"],
  { target, path }: Omit<ExplainedPart, "files">,
): Promise<Explained> {
  if (target !== undefined)
    throw new UsageError(
      `values files have no target \`${target}\``,
      "leave the target out: valuefold explain [PATH] FILE...",
    );
  const question = path === undefined ? {} : { path };
  return supplied(explainingFiles({ files, ...settingsIn(configured), ...question }));
}
