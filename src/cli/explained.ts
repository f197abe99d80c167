// Explains one input, or several builds as one: what the commands that ask about values have in common.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Explained,
  explaining,
  explainingFiles,
  explainTargets,
  type ValuesFile,
} from "../explain/index.ts";
import { Exit, type Outcome } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import {
  type Entry,
  type Input,
  inSources,
  isFileLike,
  isTarget,
  readEntries,
  type ReadEntry,
  UsageError,
  type Wanted,
  withLeftOut,
} from "../sources/index.ts";
import { type ConfigFlags, type Configured, configuredBy, settingsIn } from "./configured.ts";
import { type Io } from "./io.ts";

/** Which values are asked for. */
export interface Question {
  readonly target?: string;
  readonly path?: string;
}

/** The words of a question: a target, a path, and what to read. A word may be both a path in values and a file: one that exists is a file. */
export function questionIn(
  words: readonly string[],
  exists: (name: string) => boolean,
): Question & { readonly files: readonly string[] } {
  const isWord = (word: string): boolean => !isFileLike(word) && !exists(word);
  const [first, second] = words.filter((word) => isTarget(word) || isWord(word));
  // Of two words that are no files the first is the name of a target.
  const short =
    first !== undefined && second !== undefined && isWord(first) && !isTarget(second) ? first : undefined;
  const target = words.find((word, index) => isTarget(word) && (index === 0 || !exists(word))) ?? short;
  const others = words.filter((word) => word !== target);
  const path = others.find((word) => !isFileLike(word) && !exists(word));
  const files = others.filter((word) => word !== path);
  return { ...(target === undefined ? {} : { target }), ...(path === undefined ? {} : { path }), files };
}

/** The same for words that start from a directory. */
export function questionFrom(directory: string, words: readonly string[]): ReturnType<typeof questionIn> {
  return questionIn(words, (name) => existsSync(resolve(directory, name)));
}

/** Entries as one explanation. Targets of several name theirs. */
export async function explainedEntries(
  entries: readonly Entry[],
  flags: ConfigFlags,
  io: Io,
  question: Question,
): Promise<Explained> {
  const all: Explained[] = [];
  let isNameable = true;
  for await (const read of readEntries(entries, wantedBy(question), io.progress)) {
    const one = await explainedEntry(read, flags, io, question);
    isNameable &&= read.input instanceof UsageError || read.input.values === undefined;
    all.push(entries.length < 2 ? one : inBuild(one, read.name));
  }
  const found = joined(all);
  const other = found.explanation === undefined && isNameable ? asName(question) : undefined;
  const named = other && (await explainedEntries(entries, flags, io, other));
  return named?.explanation === undefined ? found : named;
}

/** What cannot bear on a target does not have to be built. */
export function wantedBy({ target }: Question): Wanted | undefined {
  const name = target?.split("/").at(-1);
  return name === undefined || name === "" ? undefined : { target: name };
}

/** A word that is no path in values may be the name of a target. */
export function asName({ target, path }: Question): Question | undefined {
  return target === undefined && path !== undefined && /^[\w-]+$/.test(path) ? { target: path } : undefined;
}

/** A build, or why there is none. */
export function explainedEntry(
  { name, input }: ReadEntry,
  flags: ConfigFlags,
  io: Io,
  question: Question = {},
): Promise<Explained> {
  if (!(input instanceof UsageError)) return explained(input, flags, io, question);
  return Promise.resolve({ explanation: undefined, outcome: failedBuild(name, input) });
}

/** A build among several that cannot be read. */
export function failedBuild(name: string, { message, hint, reason }: UsageError): Outcome {
  const at = { text: name, isFile: true } as const;
  const why = reason.length === 0 ? {} : { reason: reason.join(": ") };
  const fault: Diagnostic = { code: "not-built", severity: "error", message, ...why, hint, at };
  return { exitCode: Exit.faults, output: [], diagnostics: [fault] };
}

function inBuild({ explanation, outcome }: Explained, build: string): Explained {
  if (explanation === undefined) return { explanation, outcome };
  const targets = explanation.targets.map((target) => ({ build, ...target }));
  return { explanation: { ...explanation, targets }, outcome };
}

function joined(all: readonly Explained[]): Explained {
  const [only, second] = all;
  if (only !== undefined && second === undefined) return only;
  const found = all.flatMap(({ explanation }) => explanation ?? []);
  const [first] = found;
  // A build may lack what others have.
  const counted = first === undefined ? all : all.filter((each) => !isWithout(each));
  const outcomes = counted.map(({ outcome }) => outcome);
  return {
    explanation: first && { ...first, targets: found.flatMap(({ targets }) => targets) },
    outcome: {
      exitCode: outcomes.find(({ exitCode }) => exitCode !== Exit.ok)?.exitCode ?? Exit.ok,
      output: [],
      diagnostics: outcomes.flatMap(({ diagnostics }) => diagnostics),
    },
  };
}

function isWithout({ explanation, outcome }: Explained): boolean {
  return (
    explanation === undefined &&
    outcome.diagnostics.some(({ code }) => code === "no-target" || code === "no-value")
  );
}

export async function explained(
  input: Input,
  flags: ConfigFlags,
  { prepare, supplied }: Io,
  question: Question = {},
): Promise<Explained> {
  const configured = configuredBy(flags, input.own);
  if (input.values !== undefined) return explainedFiles(input.values, configured, supplied, question);
  await prepare(input.input);
  const found = await supplied(explaining({ ...input, form: "stream", ...configured, ...question }));
  const outcome = { ...found.outcome, diagnostics: inSources(found.outcome.diagnostics, input) };
  const objects = { explanation: withSettings(found.explanation, flags, input), outcome };
  return withLeftOut(
    withTargets(objects, input, question),
    input,
    question.target === undefined && question.path === undefined,
  );
}

/** With targets that are no objects of the list. What is asked for may be on either side. */
function withTargets(objects: Explained, { targets }: Input, question: Question): Explained {
  if (targets === undefined) return objects;
  const own = explainTargets(targets, question);
  if ("code" in own)
    return objects.explanation === undefined && isWithout(objects) ? failedWith(own) : objects;
  if (objects.explanation === undefined && !isWithout(objects)) return objects;
  const { explanation = own, outcome } = objects;
  const all = explanation === own ? own.targets : [...explanation.targets, ...own.targets];
  const isFound = objects.explanation === undefined;
  return {
    explanation: { ...explanation, targets: all },
    outcome: isFound ? { exitCode: Exit.ok, output: [], diagnostics: [] } : outcome,
  };
}

function failedWith(fault: Diagnostic): Explained {
  return { explanation: undefined, outcome: { exitCode: Exit.faults, output: [], diagnostics: [fault] } };
}

/** The settings of the build's own fold are named: the user did not name them. */
function withSettings(
  explanation: Explained["explanation"],
  { config }: ConfigFlags,
  { own }: Input,
): Explained["explanation"] {
  if (explanation === undefined || config !== undefined || own === undefined) return explanation;
  const targets = explanation.targets.map((target) => ({ ...target, settings: own.file }));
  return { ...explanation, targets };
}

function explainedFiles(
  files: readonly ValuesFile[],
  configured: Configured,
  supplied: Io["supplied"],
  { target, path }: Question,
): Promise<Explained> {
  if (target !== undefined)
    throw new UsageError(
      `values files have no target \`${target}\``,
      "leave the target out: valuefold explain [PATH] FILE...",
    );
  const narrowed = path === undefined ? {} : { path };
  return supplied(explainingFiles({ files, ...settingsIn(configured), ...narrowed }));
}
