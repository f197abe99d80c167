// Many builds, one by one in their order: several are read at a time, as kustomize uses one core for each.
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { type Input, isDirectory, readBuilds } from "./inputs.ts";
import type { Io } from "./io.ts";
import type { BuildOptions } from "./kustomize.ts";

/** A build and its name. */
export interface Build {
  readonly name: string;
  readonly input: Input;
}

/** Words that make one build. */
export interface BuildWords {
  readonly name: string;
  readonly words: readonly string[];
}

/** Each directory is a build, and all plain files are one list. */
export function buildsIn(words: readonly string[], directory: string): readonly BuildWords[] {
  const isPlain = (word: string): boolean => !isDirectory(resolve(directory, word));
  const plain = words.filter(isPlain);
  const [first] = plain;
  return words.flatMap((word): BuildWords[] => {
    if (!isPlain(word)) return [{ name: word, words: [word] }];
    return word === first ? [{ name: "plain files", words: plain }] : [];
  });
}

/** The builds that words name, in their order. */
export async function* eachBuild(
  builds: readonly BuildWords[],
  enableExec: boolean,
  { env, tidily, render, directory, stdin }: Io,
): AsyncGenerator<Build> {
  const options: BuildOptions = { env, tidily, render, enableExec, from: directory };
  const most = availableParallelism();
  const open: Promise<Build>[] = [];
  for (const { name, words } of builds) {
    open.push(readBuilds(words, stdin, options).then((input) => ({ name, input })));
    if (open.length >= most) yield (await open.shift()) as Build;
  }
  for (const build of open) yield await build;
}
