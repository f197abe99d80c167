// The words of a question, and what explaining gets of a command.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type ExplainOptions,
  isFileLike,
  isTarget,
  type Question,
  type ConfigFlags,
  configuredBy,
} from "../sources/index.ts";
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
