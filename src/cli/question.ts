// The words of a question, and what explaining gets of a command.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type ExplainOptions,
  isFileLike,
  isTarget,
  isThereAsDirectory,
  namesTarget,
  passedOver,
  type Question,
  type ConfigFlags,
  configuredBy,
} from "../sources/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Io } from "./io.ts";

/** What explaining gets of a command: its settings, or those of the build. */
export function explainingBy(flags: ConfigFlags, { supplied, prepare, progress }: Io): ExplainOptions {
  return {
    configured: (input) => configuredBy(flags, input),
    isOwn: flags.config === undefined,
    supplied,
    prepare,
    ...(progress && { progress }),
  };
}

export interface QuestionWords extends Question {
  readonly files: readonly string[];
  /** What is reported of a word that may mean something else. */
  readonly note?: Diagnostic;
}

/**
 * The words of a question: a target, a path, and what to read. A word may be both a path in values and a file: one that exists is a file.
 * @param isBoth true for one that exists, and names a target, too: the target is meant
 */
export function questionIn(
  words: readonly string[],
  exists: (word: string) => boolean,
  isBoth: (word: string) => boolean = () => false,
): QuestionWords {
  const isWord = (word: string): boolean => !isFileLike(word) && !exists(word);
  const [first, second] = words.filter((word) => isTarget(word) || isWord(word));
  // Of two words that are no files the first is the name of a target.
  const short =
    first !== undefined && second !== undefined && isWord(first) && !isTarget(second) ? first : undefined;
  const both = words.find((word, index) => (index === 0 || isTarget(word)) && isBoth(word));
  const target = both ?? words.find((word) => isTarget(word) && !exists(word)) ?? short;
  const others = words.filter((word) => word !== target);
  const pathWord = others.find((word) => !isFileLike(word) && !exists(word));
  const files = others.filter((word) => word !== pathWord);
  // A leading dot is how yq writes paths.
  const path = pathWord?.replace(/^\.(?=[^./])/, "");
  return {
    ...(target === undefined ? {} : { target }),
    ...(path === undefined ? {} : { path }),
    files,
    ...(both === undefined ? {} : { note: bothNote(both) }),
  };
}

/** Words that are to be read, do not exist, and look like no path. */
export function absentIn(directory: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => !isFileLike(word) && !existsSync(resolve(directory, word)));
}

function bothNote(word: string): Diagnostic {
  return passedOver(
    `\`${word}\` is a target and a directory: the target is meant`,
    `name the directory \`./${word}\``,
  );
}

/** The same for words that start from a directory. */
export function questionFrom(directory: string, words: readonly string[]): QuestionWords {
  const isBoth = (word: string): boolean =>
    (isTarget(word) || !isFileLike(word)) &&
    isThereAsDirectory(resolve(directory, word)) &&
    namesTarget(word, directory);
  return questionIn(words, (word) => existsSync(resolve(directory, word)), isBoth);
}
