// Explains one input, or several entries as one.
import { type Explained, explaining, explainingFiles, type ReadValuesFile } from "../explain/index.ts";
import { Exit, type Outcome } from "../report/index.ts";
import type { Steps } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { parseObject } from "../object-id.ts";
import { type Configured, type OwnSettingsOf, settingsIn } from "./configured.ts";
import type { CheckoutEntry, Input, WantedParts } from "./entry.ts";
import { inSources } from "./source-places.ts";
import { isUnmatched, unbuiltIn, withLeftOut } from "./left-out.ts";
import { readEntries, type CheckoutInput } from "./read-entries.ts";
import { effectsOn } from "./rendered/effects.ts";
import type { WantedObject } from "./rendered/made-objects.ts";
import { isOfMade, noObject, objectIn, type Question, wantedObject } from "./rendered/object-question.ts";
import { Releases } from "./rendered/releases.ts";
import { isOfLackingApis } from "./rendered/render.ts";
import { UsageError } from "./usage-error.ts";

/** What explaining gets of its caller. */
export interface ExplainOptions {
  /** The settings for an input that may have some of its own. */
  readonly configured: (input: OwnSettingsOf) => Configured;
  /** True if an input's own settings are used where it has some. */
  readonly isOwn: boolean;
  /** Runs steps with what they need of SOPS. */
  readonly supplied: <T>(steps: Steps<T>) => Promise<T>;
  /** Called with an input before the work on it begins. */
  readonly prepare: (input: Uint8Array) => Promise<void>;
  /** Shows a line on a terminal; an empty one clears it. */
  readonly progress?: (line: string) => void;
  /** True to say what becomes of values in the objects that charts make. */
  readonly hasManifests?: boolean;
}

/** A way to understand a question, and what has to be read for it. */
export interface Attempt {
  readonly question: Question;
  readonly wanted: WantedParts | undefined;
}

/** Which to try in turn, until one finds something. The question as it is asked is among them. */
export function attemptsAt(question: Question, entries: readonly CheckoutEntry[]): readonly Attempt[] {
  const { target, path } = question;
  // A word that is no path in values may be the name of a target.
  const isWord = target === undefined && path !== undefined && /^(?:[\w-]+|[\w.-]+@[\w.-]+)$/.test(path);
  const name = isWord ? { target: path } : undefined;
  // Of a whole checkout little has to be built to know whether it has a target.
  const isCheckout = entries.some(({ isFound }) => isFound);
  const wanted = wantedBy(question);
  return [
    ...(name && isCheckout ? [{ question: name, wanted: wantedBy(name) }] : []),
    { question, wanted },
    // What has a name that no file shows is found then, and what has nearly the name.
    ...(wanted ? [{ question, wanted: undefined }] : []),
    ...(name && !isCheckout ? [{ question: name, wanted: undefined }] : []),
  ];
}

function wantedBy({ target }: Question): WantedParts | undefined {
  const { name } = parseObject(target ?? "");
  return name === "" ? undefined : { target: name };
}

/** Entries as one explanation. Targets of several name theirs. An object that is no target may be what a chart makes. */
export async function explainedEntries(
  entries: readonly CheckoutEntry[],
  how: ExplainOptions,
  question: Question,
): Promise<Explained> {
  const targets = isOfMade(question) ? undefined : await explainedTargets(entries, how, question);
  const wanted = targets?.explanation === undefined ? wantedObject(question) : undefined;
  if (targets !== undefined && wanted === undefined) return targets;
  const made = wanted && (await explainedObject(entries, how, wanted));
  if (made?.explanation !== undefined) return made;
  const isRemoved = made?.outcome.diagnostics.some(({ code }) => code === "no-target") === true;
  return targets === undefined || isRemoved ? withoutObject(question, made) : withNotesOf(made, targets);
}

/** What the charts could not be asked for, as far as it is not said. */
function withNotesOf(made: Explained | undefined, targets: Explained): Explained {
  const { diagnostics } = targets.outcome;
  const said = new Set(diagnostics.map(({ message }) => message));
  const notes = (made?.outcome.diagnostics ?? []).filter(
    ({ severity, message }) => severity === "info" && !said.has(message),
  );
  return { ...targets, outcome: { ...targets.outcome, diagnostics: [...diagnostics, ...notes] } };
}

async function explainedTargets(
  entries: readonly CheckoutEntry[],
  how: ExplainOptions,
  question: Question,
): Promise<Explained> {
  let found: Explained | undefined;
  for (const attempt of attemptsAt(question, entries)) {
    const all: Explained[] = [];
    for await (const read of readEntries(entries, attempt.wanted, how.progress)) {
      const one = await explainedEntry(read, how, attempt.question);
      all.push(isOneBuild(entries) ? one : inBuild(one, read.name));
    }
    const own = joined(all);
    if (own.explanation !== undefined) return { ...own, path: attempt.question.path };
    if (attempt.question === question) found = own;
  }
  return found as Explained;
}

/** What the charts of all entries make of an object. */
async function explainedObject(
  entries: readonly CheckoutEntry[],
  how: ExplainOptions,
  wanted: WantedObject,
): Promise<Explained> {
  const all: Explained[] = [];
  for await (const read of readEntries(entries, undefined, how.progress)) {
    const one =
      read.input instanceof UsageError
        ? await explainedEntry(read, how)
        : await objectIn(read.input, wanted, (input) => explained(input, how));
    all.push(isOneBuild(entries) ? one : inBuild(one, read.name));
  }
  const found = joined(all);
  return found.explanation === undefined ? found : withoutLackingApis(found);
}

/** Other charts do not matter once one makes the object. */
function withoutLackingApis({ explanation, outcome }: Explained): Explained {
  const diagnostics = outcome.diagnostics.filter((each) => !isOfLackingApis(each));
  return { explanation, outcome: { ...outcome, diagnostics } };
}

/** @param made what charts were asked; undefined where the question names no object */
function withoutObject(question: Question, made: Explained | undefined): Explained {
  const all = made?.outcome.diagnostics ?? [];
  const isSaid = all.some(({ code }) => code === "no-target");
  const diagnostics = isSaid ? all : [...all, noObject(question)];
  return { explanation: undefined, outcome: { exitCode: Exit.faults, output: [], diagnostics } };
}

function isOneBuild(entries: readonly CheckoutEntry[]): boolean {
  return entries.filter(({ unfollowed }) => unfollowed === undefined).length < 2;
}

/** A build, or why there is none. */
export function explainedEntry(
  { name, input, isGuess }: CheckoutInput,
  how: ExplainOptions,
  question: Question = {},
): Promise<Explained> {
  if (!(input instanceof UsageError)) return explained(input, how, question);
  return Promise.resolve({ explanation: undefined, outcome: failedBuild(name, input, isGuess) });
}

/** A build among several that cannot be read. @param isGuess true if nothing says that it is one */
export function failedBuild(name: string, { message, hint, reason }: UsageError, isGuess = false): Outcome {
  const at = { text: name, isFile: true } as const;
  const why = reason.length === 0 ? {} : { reason: reason.join(": ") };
  const severity = isGuess ? "warning" : "error";
  const fault: Diagnostic = { code: "not-built", severity, message, ...why, hint, at };
  return { exitCode: isGuess ? Exit.ok : Exit.faults, output: [], diagnostics: [fault] };
}

function inBuild({ explanation, outcome }: Explained, build: string): Explained {
  if (explanation === undefined) return { explanation, outcome };
  const targets = explanation.targets.map((target) => ({ build, ...target }));
  const manifests = explanation.manifests?.map((each) => ({ build, ...each }));
  return { explanation: { ...explanation, targets, ...(manifests && { manifests }) }, outcome };
}

function joined(all: readonly Explained[]): Explained {
  const [only, second] = all;
  if (only !== undefined && second === undefined) return only;
  const found = all.flatMap(({ explanation }) => explanation ?? []);
  const [first] = found;
  // A build may lack what others have; what was not built of it may have that, too.
  const outcomes = all.map((each) =>
    first !== undefined && isWithout(each) ? onlyUnbuilt(each.outcome) : each.outcome,
  );
  const targets = found.flatMap((each) => each.targets);
  const manifests = found.flatMap((each) => each.manifests ?? []);
  return {
    explanation: first && { ...first, targets, ...(first.manifests && { manifests }) },
    outcome: {
      exitCode: outcomes.find(({ exitCode }) => exitCode !== Exit.ok)?.exitCode ?? Exit.ok,
      output: [],
      diagnostics: outcomes.flatMap(({ diagnostics }) => diagnostics),
    },
  };
}

function onlyUnbuilt({ diagnostics }: Outcome): Outcome {
  const unbuilt = unbuiltIn(diagnostics);
  const isBroken = unbuilt.some(({ severity }) => severity === "error");
  return { exitCode: isBroken ? Exit.faults : Exit.ok, output: [], diagnostics: unbuilt };
}

function isWithout({ explanation, outcome }: Explained): boolean {
  return (
    explanation === undefined &&
    outcome.diagnostics.some(({ code }) => code === "no-target" || code === "no-value")
  );
}

/** What settings of a checkout do not match here may be in another build: `verify` reports it. */
export async function explained(
  input: Input,
  how: ExplainOptions,
  question: Question = {},
): Promise<Explained> {
  const releases = new Releases();
  const found = await explainedAs(how.hasManifests === true ? releases.in(input) : input, how, question);
  const { explanation, outcome } =
    how.hasManifests === true ? await effectsOn(found, releases, question) : found;
  if (!how.isOwn || input.checkout === undefined) return { explanation, outcome };
  const diagnostics = outcome.diagnostics.filter((each) => !isUnmatched(each));
  return { explanation, outcome: { ...outcome, diagnostics } };
}

async function explainedAs(input: Input, how: ExplainOptions, question: Question): Promise<Explained> {
  const { prepare, supplied } = how;
  const configured = how.configured(input);
  if (input.values !== undefined) return explainedFiles(input.values, input, configured, supplied, question);
  await prepare(input.input);
  const found = await supplied(explaining({ ...input, form: "stream", ...configured, ...question }));
  const outcome = { ...found.outcome, diagnostics: inSources(found.outcome.diagnostics, input) };
  const isWhole = question.target === undefined && question.path === undefined;
  return withLeftOut({ explanation: withSettings(found.explanation, how, input), outcome }, input, isWhole);
}

function failedWith(fault: Diagnostic): Explained {
  return { explanation: undefined, outcome: { exitCode: Exit.faults, output: [], diagnostics: [fault] } };
}

/** The settings of the build's own fold are named: the user did not name them. */
function withSettings(
  explanation: Explained["explanation"],
  { isOwn }: ExplainOptions,
  { own }: Input,
): Explained["explanation"] {
  if (explanation === undefined || !isOwn || own === undefined) return explanation;
  const targets = explanation.targets.map((target) => ({ ...target, settings: own.file }));
  return { ...explanation, targets };
}

function explainedFiles(
  files: readonly ReadValuesFile[],
  { overChart, helm }: Input,
  configured: Configured,
  supplied: ExplainOptions["supplied"],
  { target, path }: Question,
): Promise<Explained> {
  if (target !== undefined)
    return Promise.resolve(
      failedWith({
        code: "no-target",
        severity: "error",
        message: `values files have no target \`${target}\``,
        hint: "leave the target out: valuefold explain [PATH] FILE...",
      }),
    );
  const asked = { files, overChart, helm, ...settingsIn(configured), ...(path !== undefined && { path }) };
  return supplied(explainingFiles(asked));
}
