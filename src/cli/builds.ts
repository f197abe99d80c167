// Many builds, one by one in their order: several are read at a time, as kustomize uses one core for each.
import { availableParallelism } from "node:os";
import { type Input, readBuilds } from "./inputs.ts";
import type { Io } from "./io.ts";
import type { BuildOptions } from "./kustomize.ts";

/** A build and its name, which is the word that names it. */
export interface Build {
  readonly name: string;
  readonly input: Input;
}

/** The builds that words name, in their order. */
export async function* eachBuild(
  words: readonly string[],
  enableExec: boolean,
  { env, tidily, directory, stdin }: Io,
): AsyncGenerator<Build> {
  const options: BuildOptions = { env, tidily, enableExec, from: directory };
  const most = availableParallelism();
  const open: Promise<Build>[] = [];
  for (const name of words) {
    open.push(readBuilds([name], stdin, options).then((input) => ({ name, input })));
    if (open.length >= most) yield (await open.shift()) as Build;
  }
  for (const build of open) yield await build;
}
