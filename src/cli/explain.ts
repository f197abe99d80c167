// Runs `explain`: where values come from, in the form that was asked for.
import {
  type Explained,
  markdownManifests,
  pageOf,
  renderAnnotated,
  renderAnswers,
  renderEffects,
  renderManifests,
  renderOverview,
  renderText,
  type ViewOptions,
} from "../explain/index.ts";
import { count } from "../core/index.ts";
import { Exit, type Outcome, legible, legibleText } from "../report/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Explanation } from "../explanation.ts";
import { isJudgedKind } from "../kinds.ts";
import { objectText } from "../object-id.ts";
import {
  entriesAndRest,
  explainedEntries,
  UsageError,
  type CheckoutEntry,
  type Question,
} from "../sources/index.ts";
import { terminalOf, widthFor, wordsOrHere, workspaceOf } from "./here.ts";
import { absentIn, explainingBy, questionFrom } from "./question.ts";
import { checkBuilds, withReading } from "./readings.ts";
import type { FlagValues } from "./flags.ts";
import type { Io } from "./io.ts";
import { isColoured } from "./ending.ts";
import { checkPage, sourceLinks } from "./page-file.ts";

/** @param words target, path and files */
export async function runExplain(
  words: readonly string[],
  flags: FlagValues<"explain">,
  io: Io,
): Promise<Outcome> {
  const { output: asked = "text" } = flags;
  const { directory } = io;
  sourceLinks(flags, directory);
  checkPage(flags, terminalOf(io).stdout);
  const { files, note, ...question } = questionFrom(directory, words);
  const workspace = workspaceOf(io, flags);
  checkBuilds("explain", words, absentIn(directory, files), workspace);
  const entries = entriesAndRest(wordsOrHere(files, io), workspace, files.length > 0);
  const isOpen = question.target === undefined && question.path === undefined;
  const list = isOpen && asked === "text" ? entryList(entries) : undefined;
  if (list !== undefined) return list;
  const hasManifests = flags.manifests === true;
  const ask = (each: Question): Promise<Explained> =>
    explainedEntries(entries, { ...explainingBy(flags, io), hasManifests }, each);
  const explained = await ask(question);
  // Nothing is known but that no target has this name: then the directory is meant.
  const errors = explained.outcome.diagnostics.filter(({ severity }) => severity === "error");
  const isUnknown = errors.length > 0 && errors.every(({ code }) => code === "no-target");
  if (note !== undefined && explained.explanation === undefined && isUnknown)
    return runExplain(
      words.map((word) => (word === question.target ? `./${word}` : word)),
      flags,
      io,
    );
  const diagnostics = [...(note ? [note] : []), ...explained.outcome.diagnostics];
  const outcome = { ...explained.outcome, diagnostics };
  if (explained.explanation === undefined) return withReading(outcome, { ...question, files }, entries, ask);
  return shownOutput({ ...explained, explanation: explained.explanation, outcome }, flags, io, isOpen);
}

/** @param isOpen true without a target and a path */
function shownOutput(
  { explanation, outcome, path }: Explained & { readonly explanation: Explanation },
  flags: FlagValues<"explain">,
  io: Io,
  isOpen: boolean,
): Outcome {
  const { output: asked = "text", "output-file": file } = flags;
  checkForm(explanation, asked);
  const look = {
    colour: isColoured(io.env, terminalOf(io).stdout && file === undefined),
    width: widthFor(flags, io),
    isVerbose: flags.verbose === true,
  };
  const isWhole = isOpen || flags.verbose === true || flags.format !== undefined;
  const diagnostics = isWhole ? outcome.diagnostics : aboutTargets(explanation, outcome.diagnostics);
  return outputOf(explanation, { ...outcome, diagnostics }, { flags, io, look, isOpen, path });
}

/** @throws UsageError for a form that cannot show what is explained */
function checkForm({ manifests }: Explanation, form: NonNullable<FlagValues<"explain">["output"]>): void {
  if (manifests !== undefined && form !== "text" && form !== "json" && form !== "markdown")
    throw new UsageError(
      `\`-o ${form}\` shows values, and no manifests`,
      "write `-o markdown` for a table of the fields, or `-o json`",
    );
  if (manifests === undefined && form === "markdown")
    throw new UsageError("`-o markdown` shows what charts make of an object, and no values");
}

/** Faults of the targets that are explained; those of other targets are counted. */
function aboutTargets({ targets }: Explanation, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const asked = new Set(targets.map((each) => objectText(each)));
  const isOther = ({ item }: Diagnostic): boolean =>
    item !== undefined && isJudgedKind(item.kind) && !asked.has(objectText(item));
  const others = diagnostics.filter(
    (each) => each.severity !== "info" && each.code !== "not-built" && isOther(each),
  );
  const [first] = others.toSorted((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
  if (first === undefined) return diagnostics;
  const errors = others.filter(({ severity }) => severity === "error").length;
  const counts = [count(errors, "error"), count(others.length - errors, "warning")];
  const counted: Diagnostic = {
    code: first.code,
    severity: first.severity,
    message: `${counts.filter((each) => !each.startsWith("0 ")).join(" and ")} of other targets`,
    hint: "`-v` prints them",
  };
  return [...diagnostics.filter((each) => !others.includes(each)), counted];
}

interface ExplainForm {
  readonly flags: FlagValues<"explain">;
  readonly io: Io;
  readonly look: ViewOptions;
  /** True without a target and a path. */
  readonly isOpen: boolean;
  readonly path: string | undefined;
}

function outputOf(explanation: Explanation, outcome: Outcome, form: ExplainForm): Outcome {
  const { flags, look, isOpen } = form;
  const { output: asked = "text" } = flags;
  if (asked !== "text") return { ...outcome, ...inForm(asked, explanation, form) };
  if (explanation.manifests !== undefined) return manifestsOutput(explanation, outcome, form);
  const isOverview = explanation.targets.length > 1 && isOpen;
  const text = isOverview ? renderOverview(explanation, look) : valuesText(explanation, form);
  const closing = closingOf(explanation, isOverview);
  return {
    ...outcome,
    ...textOutput(legibleText(text)),
    ...(closing === undefined ? {} : { account: () => ({ text: closing }) }),
  };
}

/** What other programs and browsers read. */
function inForm(
  asked: Exclude<NonNullable<FlagValues<"explain">["output"]>, "text">,
  explanation: Explanation,
  { flags, io }: ExplainForm,
): Pick<Outcome, "output" | "account"> {
  switch (asked) {
    case "json":
      return textOutput(`${JSON.stringify(explanation, undefined, 2)}\n`);
    case "markdown":
      return textOutput(legibleText(markdownManifests(explanation)));
    case "yaml":
      return textOutput(legibleText(renderAnnotated(explanation)));
    case "name":
      return textOutput(legibleText(namesIn(explanation)));
    case "html":
      return {
        ...textOutput(pageOf(explanation, sourceLinks(flags, io.directory))),
        account: () => ({ text: writtenLine(explanation, flags) }),
      };
  }
}

/** A target is named once, in however many builds it is. */
function namesIn({ targets }: Explanation): string {
  return [...new Set(targets.map((each) => `${objectText(each)}\n`))].join("");
}

function writtenLine({ targets }: Explanation, { "output-file": file = "-" }: FlagValues<"explain">): string {
  return file === "-" ? "" : `wrote ${file}: ${count(targets.length, "target")}\n`;
}

/** Of one path the answer; else the whole stacks. */
function valuesText(explanation: Explanation, { look, path }: ExplainForm): string {
  return path === undefined || look.isVerbose === true
    ? renderText(explanation, look)
    : renderAnswers(explanation, { ...look, path });
}

/** The fields of objects; or the values of targets, with what becomes of them. */
function manifestsOutput(explanation: Explanation, outcome: Outcome, form: ExplainForm): Outcome {
  const { flags, look } = form;
  const parts =
    flags.manifests === true
      ? [valuesText(explanation, form), renderEffects(explanation, look)]
      : [renderManifests(explanation, look)];
  const text = parts.filter((each) => each !== "").join("\n");
  return { ...outcome, ...textOutput(legibleText(text)) };
}

/** The entries that were found, where there are several; nothing is built for it. */
function entryList(entries: readonly CheckoutEntry[]): Outcome | undefined {
  const found = entries.filter(({ isFound, unfollowed }) => isFound && unfollowed === undefined);
  if (found.length < 2) return undefined;
  const rest = entries.flatMap(({ unfollowed = [] }) => unfollowed);
  const width = found.reduce((most, { name }) => Math.max(most, legible(name).length), 0);
  const line = ({ name, kind }: CheckoutEntry): string => `${legible(name).padEnd(width)}  ${kind}\n`;
  const [named, guesses] = [false, true].map((is) =>
    found.filter(({ isGuess = false }) => isGuess === is).map(line),
  );
  const heading = named?.length === 0 || guesses?.length === 0 ? [] : ["\nnothing here builds these:\n"];
  const lines = [...(named ?? []), ...heading, ...(guesses ?? [])];
  const text = "name one of them, or a target and a path: valuefold explain NAME PATH\n";
  return {
    exitCode: Exit.ok,
    ...textOutput(legibleText(lines.join(""))),
    diagnostics: rest,
    account: () => ({ text }),
  };
}

function textOutput(text: string): Pick<Outcome, "output"> {
  return { output: [Buffer.from(text, "utf8")] };
}

function closingOf({ targets }: Explanation, isOverview: boolean): string | undefined {
  const [first] = targets;
  if (first === undefined) return "nothing to explain: found no target with values\n";
  if (!isOverview) return undefined;
  const named = targets.find(({ kind }) => kind !== "Values") ?? first;
  const example = named.kind === "Values" ? "'**'" : `${named.kind}/${named.name}`;
  return `name a target or a path to see values: valuefold explain ${example} ...\n`;
}
