// `diff`, done: both sides are built and explained, and the difference is told in the form that was asked for.
import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { differenceOf, type Pair } from "../diff/diff.ts";
import { renderMarkdown } from "../diff/markdown.ts";
import { renderDifference } from "../diff/view.ts";
import type { Difference } from "../difference.ts";
import { type Explained, explaining } from "../explain/explain.ts";
import { Exit } from "../report/outcome.ts";
import { UsageError } from "./build.ts";
import type { DiffInvocation } from "./diff-line.ts";
import { readBuilds } from "./inputs.ts";
import type { Asking, Ending } from "./asking.ts";
import { atRevision } from "./revisions.ts";

export async function runDiff(invocation: DiffInvocation, world: Asking): Promise<Ending> {
  const sides = await explainedSides(invocation, world);
  const all = sides.flatMap(({ before, after }) => [before, after]);
  const messages = [...new Set(all.map((side) => side?.outcome.messages ?? ""))].join("");
  if (all.some((side) => side !== undefined && side.explanation === undefined))
    return { exitCode: Exit.faults, output: [], messages };
  const difference = differenceOf(sides.map(pairOf));
  const isOther = difference.edits.length + difference.targets.length > 0;
  const failed = all.some((side) => side !== undefined && side.outcome.exitCode !== Exit.ok);
  return {
    exitCode: failed || (invocation.exitCode && isOther) ? Exit.faults : Exit.ok,
    output: [Buffer.from(rendered(difference, invocation.form), "utf8")],
    messages,
  };
}

function rendered(difference: Difference, form: DiffInvocation["form"]): string {
  switch (form) {
    case "text":
      return renderDifference(difference);
    case "json":
      return `${JSON.stringify(difference, undefined, 2)}\n`;
    case "markdown":
      return renderMarkdown(difference);
  }
}

/** A build before and after; undefined where it is not there. */
interface Sides {
  readonly build?: string;
  readonly before: Explained | undefined;
  readonly after: Explained | undefined;
}

function pairOf({ build, before, after }: Sides): Pair {
  return {
    ...(build === undefined ? {} : { build }),
    before: before?.explanation,
    after: after?.explanation,
  };
}

async function explainedSides(invocation: DiffInvocation, world: Asking): Promise<Sides[]> {
  const { before, after, files } = invocation;
  const { directory } = world;
  const read = (name: string): Promise<Explained> => explainOne(name, directory, invocation, world);
  if (isThere(before, directory)) {
    if (after === undefined || files.length > 0)
      throw new UsageError(
        "expected two files or directories",
        "or two git revisions, and the directories to compare",
      );
    return [{ before: await read(before), after: await read(after) }];
  }
  const isRevision = after === undefined || !isThere(after, directory);
  const [revision, builds] = isRevision ? [after, files] : [undefined, [after, ...files]];
  const named = builds.length === 0 ? ["."] : builds;
  const old = await atRevision(before, world.env, (from) => explainAll(named, from, invocation, world));
  const now =
    revision === undefined
      ? await explainAll(named, directory, invocation, world)
      : await atRevision(revision, world.env, (from) => explainAll(named, from, invocation, world));
  const lost = named.findIndex((_, index) => old[index] === undefined && now[index] === undefined);
  if (lost >= 0)
    throw new UsageError(
      `\`${named[lost] ?? ""}\` is on neither side`,
      "name directories or files of the repository as one sees them from here",
    );
  return named.map((build, index) => ({
    ...(named.length < 2 ? {} : { build }),
    before: old[index],
    after: now[index],
  }));
}

async function explainAll(
  names: readonly string[],
  from: string,
  invocation: DiffInvocation,
  world: Asking,
): Promise<(Explained | undefined)[]> {
  const all: (Explained | undefined)[] = [];
  for (const name of names)
    all.push(
      !isAbsolute(name) && existsSync(join(from, name))
        ? await explainOne(name, from, invocation, world)
        : undefined,
    );
  return all;
}

async function explainOne(
  name: string,
  from: string,
  { enableExec }: DiffInvocation,
  { env, stdin, supplied, prepare, config }: Asking,
): Promise<Explained> {
  const input = readBuilds([name], stdin, { env, enableExec, from });
  await prepare(input.input);
  return supplied(explaining({ ...input, form: "stream", ...config }));
}

function isThere(name: string, from: string): boolean {
  return name === "-" || existsSync(resolve(from, name));
}
