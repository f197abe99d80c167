// Runs `compare`: explains each build by itself, and writes what differs in the form that was asked for.
import {
  Comparing,
  explainTargets,
  type SourceTarget,
  comparisonCsv,
  comparisonMarkdown,
  comparisonPage,
  pathSteps,
  renderComparison,
  type ViewOptions,
} from "../explain/index.ts";
import type { Comparison } from "../comparison.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { count } from "../core/index.ts";
import { grouped } from "../grouped.ts";
import { Exit, type Outcome, legibleText } from "../report/index.ts";
import {
  type Attempt,
  attemptsAt,
  type CheckoutEntry,
  entryPerWord,
  explainedEntry,
  type Question,
  isEntry,
  looseMatch,
  missingIn,
  readEntries,
  UsageError,
} from "../sources/index.ts";
import { explainingBy, questionIn } from "./question.ts";
import { terminalOf, widthFor, workspaceOf } from "./here.ts";
import type { FlagValues } from "./flags.ts";
import type { CommandResult, Io } from "./io.ts";
import { checkPage } from "./page-file.ts";

type CompareForm = NonNullable<FlagValues<"compare">["output"]>;

/** @param words builds, and perhaps a target and a path */
export async function runCompare(
  words: readonly string[],
  flags: FlagValues<"compare">,
  io: Io,
): Promise<CommandResult> {
  checkPage(flags, terminalOf(io).stdout);
  // A word that names a directory names a build.
  const { files, ...question } = questionIn(words, (word) => isEntry(word, io.directory));
  return comparisonOf(files, question, flags, io);
}

async function comparisonOf(
  files: readonly string[],
  question: Question,
  flags: FlagValues<"compare">,
  io: Io,
): Promise<CommandResult> {
  const workspace = workspaceOf(io, flags);
  const entries = entryPerWord(files.length === 0 ? ["."] : files, workspace);
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw new UsageError(`two builds are named \`${twice}\``, "give each its own name, or name it once");
  const isOpen = question.target === undefined && question.path === undefined;
  const applications =
    isOpen && entries.length < 2
      ? await applicationsOfOneChart(entries, io)
      : await applicationsNamed(entries, question, io);
  if (applications !== undefined && applications.targets.length > 1)
    return applicationsCompared(applications, flags, io);
  if (entries.length < 2)
    throw new UsageError(
      tooFew(applications),
      "name two clusters, two stacks of values files, or a pattern: valuefold compare 'shop-*'",
    );
  let last: CommandResult | undefined;
  for (const attempt of attemptsAt(question, entries)) {
    const { isFound, ...result } = await attempted(entries, attempt, flags, io);
    if (isFound) return result;
    if (attempt.question === question) last = result;
  }
  return last as CommandResult;
}

function tooFew(named: NamedApplications | undefined): string {
  const [only] = named?.targets ?? [];
  if (named === undefined) return "nothing to compare";
  if (only === undefined) return `nothing to compare: no Application fits \`${named.pattern}\``;
  return `\`${named.pattern}\` fits \`${only.name}\` only`;
}

/** The comparison, if it has what is asked for. */
async function attempted(
  entries: readonly CheckoutEntry[],
  attempt: Attempt,
  flags: FlagValues<"compare">,
  io: Io,
): Promise<CommandResult & { readonly isFound: boolean }> {
  const { target, path } = attempt.question;
  const steps = path === undefined ? undefined : pathSteps(path);
  if (steps !== undefined && "code" in steps) return { ...failed([steps]), isFound: false };
  const { all = false } = flags;
  const comparing = new Comparing({ ...(target && { target }), ...(steps && { steps }), all });
  const outcomes = await compareEntries(entries, comparing, { flags, io, attempt });
  const diagnostics = outcomes.flatMap((each) => each.diagnostics);
  const comparison = comparing.comparison();
  const missing = missingFrom(comparison, attempt.question);
  if (missing !== undefined) return { ...failed([...diagnostics, missing]), isFound: false };
  const exitCode = outcomes.some((each) => each.exitCode !== Exit.ok) ? Exit.faults : Exit.ok;
  return { ...comparedAs(comparison, exitCode, { diagnostics, flags, io }), isFound: true };
}

function comparedAs(
  comparison: Comparison,
  exitCode: CommandResult["exitCode"],
  {
    diagnostics,
    flags,
    io,
  }: { readonly diagnostics: readonly Diagnostic[]; readonly flags: FlagValues<"compare">; readonly io: Io },
): CommandResult {
  const { output: form = "text", "output-file": file } = flags;
  const made = comparisonAs(form, comparison, {
    isVerbose: flags.verbose === true,
    width: widthFor(flags, io),
  });
  const text = form === "text" || form === "markdown" ? legibleText(made) : made;
  const written = `wrote ${file}: ${count(comparison.builds.length, "build")}\n`;
  const account = form === "html" && file !== undefined ? { account: () => ({ text: written }) } : {};
  return { exitCode, output: [Buffer.from(text, "utf8")], diagnostics, ...account };
}

/** Applications of Argo CD that words name, each with what is asked of it. */
interface NamedApplications {
  readonly pattern: string;
  readonly targets: readonly SourceTarget[];
  readonly path: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Those whose names a pattern fits; undefined without a pattern. */
async function applicationsNamed(
  entries: readonly CheckoutEntry[],
  { target, path }: Question,
  io: Io,
): Promise<NamedApplications | undefined> {
  const [pattern, rest] = target === undefined ? [path, undefined] : [target, path];
  if (pattern === undefined || !/^[\w*?.@-]+$/.test(pattern) || !/[*?]/.test(pattern)) return undefined;
  const { all, diagnostics } = await applicationsIn(entries, io);
  const fits = looseMatch(pattern) ?? (() => false);
  const targets = all.filter(({ name }) => fits(name));
  return { pattern, targets, path: rest, diagnostics };
}

/** Without words: those that share a chart, if there is one such chart. */
async function applicationsOfOneChart(
  entries: readonly CheckoutEntry[],
  io: Io,
): Promise<NamedApplications | undefined> {
  const { all, diagnostics } = await applicationsIn(entries, io);
  const byChart = grouped(all, chartOf);
  const shared = [...byChart].filter(([chart, targets]) => chart !== undefined && targets.length > 1);
  const [first, second] = shared;
  if (first === undefined) return undefined;
  if (second === undefined)
    return { pattern: first[0] ?? "", targets: first[1], path: undefined, diagnostics };
  const named = shared.map(([chart, targets]) => `${chart} (${targets.map(({ name }) => name).join(", ")})`);
  throw new UsageError(
    `${shared.length} charts have several Applications`,
    `name those of one chart by a pattern: ${named.join("; ")}`,
  );
}

/** The chart that a target installs. */
function chartOf({ stacks }: SourceTarget): string | undefined {
  return stacks.map(({ chart, release }) => chart?.name ?? release?.shown).find((each) => each !== undefined);
}

async function applicationsIn(
  entries: readonly CheckoutEntry[],
  io: Io,
): Promise<{ readonly all: readonly SourceTarget[]; readonly diagnostics: readonly Diagnostic[] }> {
  const all: SourceTarget[] = [];
  const diagnostics: Diagnostic[] = [];
  for await (const { input } of readEntries(entries, undefined, io.progress))
    if (!(input instanceof UsageError)) {
      all.push(...(input.targets ?? []));
      diagnostics.push(...(input.unbuilt ?? []));
    }
  return { all, diagnostics };
}

/** Each is a build of its own, with the values that it comes to. */
function applicationsCompared(
  { targets, path, diagnostics }: NamedApplications,
  flags: FlagValues<"compare">,
  io: Io,
): CommandResult {
  const steps = path === undefined ? undefined : pathSteps(path);
  if (steps !== undefined && "code" in steps) return failed([steps]);
  const comparing = new Comparing({ ...(steps && { steps }), all: flags.all ?? false });
  for (const target of targets) {
    comparing.add(target.name, explainTargets([asValues(target)]));
    for (const missing of missingIn(diagnostics)) comparing.addUnread(missing);
  }
  const missing = missingFrom(comparing.comparison(), path === undefined ? {} : { path });
  if (missing !== undefined) return failed([...diagnostics, missing]);
  const isBroken = diagnostics.some(({ severity }) => severity === "error");
  return comparedAs(comparing.comparison(), isBroken ? Exit.faults : Exit.ok, { diagnostics, flags, io });
}

/** Applications are compared as what they come to: their names differ. */
function asValues({ stacks, ...target }: SourceTarget): SourceTarget {
  const { namespace: _namespace, ...rest } = target;
  return { ...rest, kind: "Values", name: "merged", stacks };
}

/** Adds every entry to the comparison. */
async function compareEntries(
  entries: readonly CheckoutEntry[],
  comparing: Comparing,
  {
    flags,
    io,
    attempt,
  }: { readonly flags: FlagValues<"compare">; readonly io: Io; readonly attempt: Attempt },
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const read of readEntries(entries, attempt.wanted, io.progress)) {
    const { name, isGuess } = read;
    const { explanation, outcome } = await explainedEntry(read, explainingBy(flags, io));
    outcomes.push(outcome);
    const unread = missingIn(outcome.diagnostics);
    // Where nothing says that it is a build, it is one if it has targets, or may have some.
    if (isGuess === true && explanation?.targets.length === 0 && unread.length === 0) continue;
    if (explanation === undefined) comparing.addFailed(name);
    else {
      for (const missing of unread) comparing.addUnread(`${name}: ${missing}`);
      comparing.add(name, explanation);
    }
  }
  return outcomes;
}

/** A target or a path that no build has. */
function missingFrom({ targets }: Comparison, { target, path }: Question): Diagnostic | undefined {
  if (targets.length === 0 && target !== undefined)
    return { code: "no-target", severity: "error", message: `no build has the target \`${target}\`` };
  if (path === undefined || targets.some(({ rows, equal }) => rows.length + equal > 0)) return undefined;
  const hint = "to name a directory, write `./DIR`";
  const what = /^[\w-]+$/.test(path) ? "a target or a value" : "a value at";
  return { code: "no-value", severity: "error", message: `no build has ${what} \`${path}\``, hint };
}

function failed(diagnostics: readonly Diagnostic[]): CommandResult {
  return { exitCode: Exit.faults, output: [], diagnostics };
}

function comparisonAs(
  form: CompareForm,
  comparison: Comparison,
  look: Pick<ViewOptions, "isVerbose" | "width">,
): string {
  switch (form) {
    case "text":
      return renderComparison(comparison, look);
    case "json":
      return `${JSON.stringify(comparison, undefined, 2)}\n`;
    case "markdown":
      return comparisonMarkdown(comparison);
    case "csv":
      return comparisonCsv(comparison);
    case "html":
      return comparisonPage(comparison);
  }
}
