// Many builds, one by one in their order: several are read at a time, as kustomize uses one core for each.
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { pathFault } from "./bare-faults.ts";
import { type Entry, entriesIn } from "./entries.ts";
import { pathHint } from "./failure.ts";
import { filesIn, type Input, isDirectory, readBuilds } from "./inputs.ts";
import { type Io, UsageError } from "./io.ts";
import type { BuildOptions } from "./kustomize/build.ts";
import { readAtRevision } from "./sides.ts";

/** A build and its name. Among several, one that cannot be read has its failure in place of an input. */
export interface Build {
  readonly name: string;
  readonly input: Input | UsageError;
}

/** Words that make one build. */
export interface BuildWords {
  readonly name: string;
  readonly words: readonly string[];
  /** A git revision; without one the build is read as it is now. */
  readonly revision?: string;
  /** Of an entry that was found. */
  readonly kind?: Entry["kind"];
}

/** Each directory is a build, and so is each stack; all plain files are one list. */
export function buildsIn(words: readonly string[], directory: string): readonly BuildWords[] {
  const isPlain = (word: string): boolean =>
    !isDirectory(resolve(directory, word)) && filesIn(word, directory).length < 2;
  const plain = words.filter(isPlain);
  const [first] = plain;
  return words.flatMap((word): BuildWords[] => {
    if (!isPlain(word)) return entriesAt(word, directory);
    return word === first ? [{ name: "plain files", words: plain }] : [];
  });
}

/** A directory above several builds is all of them. */
function entriesAt(word: string, directory: string): BuildWords[] {
  const path = resolve(directory, word);
  const entries = isDirectory(path) ? entriesIn(path) : [];
  if (entries.length === 0) return [{ name: word, words: [word] }];
  return entries.map((entry) => ({
    name: join(word, entry.name),
    words: [join(word, entry.name)],
    kind: entry.kind,
  }));
}

/** Each word is a build: a directory, a file, a stack of values files, or `REVISION:` with one of them. */
export function buildPerWord(words: readonly string[], directory: string): readonly BuildWords[] {
  const names = shortNames(words);
  return words.flatMap((word, index): BuildWords[] => {
    const name = names[index] ?? word;
    const isHere = existsSync(resolve(directory, word));
    const [, revision, rest = word] = isHere ? [] : (inRevision.exec(word) ?? []);
    if (revision !== undefined) return [{ name, words: filesIn(rest, directory), revision }];
    const [only, ...others] = entriesAt(word, directory);
    return only === undefined || others.length === 0
      ? [{ name, words: only?.words ?? [word] }]
      : [only, ...others];
  });
}

const inRevision = /^([^:,[\]"\s]+):(\S.*)$/;

/** True for a word that names a build, and is neither a target nor a path in values. */
export function isBuild(word: string, directory: string): boolean {
  return existsSync(resolve(directory, word)) || inRevision.test(word) || word.includes(",");
}

/** Stacks without the files that all of them have. */
function shortNames(words: readonly string[]): readonly string[] {
  const stacks = words.map((word) => word.split(","));
  const [first = []] = stacks;
  const shared = new Set(first.filter((file) => stacks.every((stack) => stack.includes(file))));
  return stacks.map((stack, index) => {
    const own = stack.filter((file) => !shared.has(file));
    return own.length === 0 ? (words[index] ?? "") : own.join(",");
  });
}

/** The builds that words name, in their order. */
export async function* eachBuild(
  builds: readonly BuildWords[],
  how: Pick<BuildOptions, "enableExec" | "asBuilt">,
  { env, tidily, render, directory, stdin, progress }: Io,
): AsyncGenerator<Build> {
  const options: BuildOptions = { env, tidily, render, ...how, from: directory };
  const most = availableParallelism();
  const open: Promise<Build>[] = [];
  const show = progressOf(builds.length, progress);
  let done = 0;
  for (const { name, words, revision } of builds) {
    const reading =
      revision === undefined
        ? readBuilds(words, stdin, options)
        : readAtRevision(revision, words, stdin, options);
    const build = orFailure(reading, builds.length > 1).then((input) => ({ name, input }));
    // A build may fail while an earlier one is waited for: it is reported in its turn.
    build.catch(() => undefined);
    open.push(build);
    if (open.length < most) continue;
    yield (await open.shift()) as Build;
    show(++done);
  }
  for (const build of open) {
    yield await build;
    show(++done);
  }
  show(0);
}

async function orFailure(reading: Promise<Input>, isOneOfMany: boolean): Promise<Input | UsageError> {
  try {
    return await reading;
  } catch (error) {
    const fault = pathFault(error);
    const mistake = fault === undefined ? error : new UsageError(fault, pathHint(error));
    if (isOneOfMany && mistake instanceof UsageError) return mistake;
    throw mistake;
  }
}

const quietMs = 2000;

/** Shows how many builds are done, once the work takes long; clears that line for 0. */
function progressOf(all: number, progress: Io["progress"]): (done: number) => void {
  const start = performance.now();
  let isShown = false;
  return (done) => {
    if (done === 0 ? !isShown : performance.now() - start < quietMs) return;
    isShown = done > 0;
    progress?.(done === 0 ? "" : `${done} of ${all} builds`);
  };
}
