// The words of a question that finds nothing, read another way: the other order, one word as two, the last part of a build's name.
//
//     explain podinfo.replicaCount        → valuefold explain podinfo replicaCount
//     values podinfo staging              → valuefold values podinfo clusters/staging
//     explain HelmRelease podinfo         → valuefold explain HelmRelease/podinfo
import type { Explained } from "../explain/index.ts";
import type { Outcome } from "../report/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import {
  type CheckoutEntry,
  entriesAndRest,
  isTarget,
  type Question,
  UsageError,
  type Workspace,
} from "../sources/index.ts";
import type { QuestionWords } from "./question.ts";

/** The outcome of a question that found nothing, with the command that finds something. @param find asks another question */
export async function withReading(
  outcome: Outcome,
  { files, target, path }: QuestionWords,
  entries: readonly CheckoutEntry[],
  find: (question: Question) => Promise<Explained>,
): Promise<Outcome> {
  if (!outcome.diagnostics.some(isNothing)) return outcome;
  const build = path === undefined ? undefined : buildNamed(path, entries);
  if (build !== undefined && target !== undefined)
    return hinted(outcome, commandOf("explain", [target, build]));
  for (const reading of otherReadings({ target, path })) {
    const { explanation } = await find(reading);
    if (explanation === undefined) continue;
    const { target: own, path: at = [] } = reading;
    return hinted(outcome, commandOf("explain", [own, at, files].flat()));
  }
  return outcome;
}

/** One that has a target. */
type AimedQuestion = Question & { readonly target: string };

function otherReadings({
  target,
  path,
}: Partial<Record<keyof Question, string | undefined>>): readonly AimedQuestion[] {
  if (target !== undefined && path !== undefined) {
    const named = `${target}/${path}`;
    return [...(isTarget(named) ? [{ target: named }] : []), { target: path, path: target }];
  }
  const [, name, rest] = /^((?:[^./]+\/)*[^./]+)\.(.+)$/.exec(target ?? path ?? "") ?? [];
  return name === undefined || rest === undefined ? [] : [{ target: name, path: rest }];
}

/** The build whose name ends in a word, if one does. */
function buildNamed(word: string, entries: readonly CheckoutEntry[]): string | undefined {
  const [only, other] = entries.filter(({ name }) => name.endsWith(`/${word}`));
  return other === undefined ? only?.name : undefined;
}

/** Words that do not exist, one of which is the last part of a build's name. @throws UsageError with the command that was meant */
export function checkBuilds(
  command: "explain" | "values",
  words: readonly string[],
  absent: readonly string[],
  workspace: Workspace,
): void {
  if (absent.length === 0) return;
  const entries = entriesAndRest(["."], workspace);
  for (const word of absent) {
    const build = buildNamed(word, entries);
    if (build === undefined) continue;
    const meant = words.map((each) => (each === word ? build : each));
    throw new UsageError(`\`${word}\` does not exist`, `did you mean: ${commandOf(command, meant)}`);
  }
}

/** As a shell reads it. */
export function commandOf(command: string, words: readonly string[]): string {
  const quoted = words.map((word) =>
    /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return ["valuefold", command, ...quoted].join(" ");
}

function isNothing({ code, severity }: Diagnostic): boolean {
  return severity === "error" && (code === "no-value" || code === "no-target");
}

function hinted(outcome: Outcome, command: string): Outcome {
  const hint = `did you mean: ${command}`;
  return {
    ...outcome,
    diagnostics: outcome.diagnostics.map((each) => (isNothing(each) ? { ...each, hint } : each)),
  };
}
