// `diff`, done: both sides are built and explained, and the difference is told in the form that was asked for.
import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import {
  differenceOf,
  type Explained,
  explaining,
  type Pair,
  renderDifference,
  renderMarkdown,
} from "../explain/index.ts";
import type { Difference } from "../difference.ts";
import { Exit } from "../core/index.ts";
import { isDirectory, type Tidily, UsageError } from "./build.ts";
import type { DiffInvocation } from "./diff-line.ts";
import { type Input, readBuilds } from "./inputs.ts";
import { keptOriginFiles } from "./origin-files.ts";
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
  const here = { directory, tidily: world.tidily };
  const read = async (name: string): Promise<Explained> =>
    explained(await readOne([name], here, invocation, world), world);
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
  const old = await readRevision(before, named, invocation, world);
  const now =
    revision === undefined
      ? await readSide(named, here, invocation, world)
      : await readRevision(revision, named, invocation, world);
  const lost = named.find((name) => !old.names.has(name) && !now.names.has(name));
  if (lost !== undefined)
    throw new UsageError(
      `\`${lost}\` is on neither side`,
      "name directories or files of the repository as one sees them from here",
    );
  const all = [...new Set([...now.builds.keys(), ...old.builds.keys()])];
  const sides: Sides[] = [];
  for (const build of all) {
    const [older, newer] = [old.builds.get(build), now.builds.get(build)];
    sides.push({
      ...(all.length < 2 ? {} : { build }),
      before: older && (await explained(older, world)),
      after: newer && (await explained(newer, world)),
    });
  }
  return sides;
}

/** What was read of one side: the names that are there, and what is explained by itself. */
interface Side {
  readonly names: ReadonlySet<string>;
  /** Each directory, and all plain files as one list. */
  readonly builds: ReadonlyMap<string, Input>;
}

/** Its files are gone once they are read: a signal during the work on them leaves nothing behind. */
function readRevision(
  revision: string,
  names: readonly string[],
  invocation: DiffInvocation,
  world: Asking,
): Promise<Side> {
  return world.tidily((stop) =>
    atRevision(revision, { env: world.env, stop }, async (directory) => {
      // A signal ends the process behind all of this, not behind one build.
      const around = { directory, tidily: inTime(stop) };
      const { names: there, builds } = await readSide(names, around, invocation, world);
      const kept = [...builds].map(([name, input]): [string, Input] => [
        name,
        input.sources === undefined ? input : { ...input, sources: keptOriginFiles(directory, input.input) },
      ]);
      return { names: there, builds: new Map(kept) };
    }),
  );
}

function inTime(stop: AbortSignal | undefined): Tidily {
  return (work) => work(stop);
}

interface Around {
  readonly directory: string;
  readonly tidily: Tidily;
}

async function readSide(
  names: readonly string[],
  around: Around,
  invocation: DiffInvocation,
  world: Asking,
): Promise<Side> {
  const pathOf = (name: string): string => join(around.directory, name);
  const there = names.filter((name) => !isAbsolute(name) && existsSync(pathOf(name)));
  const plain = there.filter((name) => !isDirectory(pathOf(name)));
  const builds = new Map<string, Input>();
  for (const name of there) {
    const isPlain = plain.includes(name);
    const label = isPlain ? labelOf(names) : name;
    if (!builds.has(label))
      builds.set(label, await readOne(isPlain ? plain : [name], around, invocation, world));
  }
  return { names: new Set(there), builds };
}

function readOne(
  names: readonly string[],
  { directory, tidily }: Around,
  { enableExec }: DiffInvocation,
  { env, stdin }: Asking,
): Promise<Input> {
  return readBuilds(names, stdin, { env, enableExec, from: directory, tidily });
}

/** The one list that plain files are. */
function labelOf([only = "", second]: readonly string[]): string {
  return second === undefined ? only : "plain files";
}

async function explained(input: Input, { supplied, prepare, config }: Asking): Promise<Explained> {
  await prepare(input.input);
  return supplied(explaining({ ...input, form: "stream", ...config }));
}

function isThere(name: string, from: string): boolean {
  return name === "-" || existsSync(resolve(from, name));
}
