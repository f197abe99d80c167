// What an edit does, by all that a tree comes to before and after it: the judge of `diff`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Difference } from "../../src/difference.ts";
import type { Entry } from "../../src/public.ts";
import { listOf, valuesIn } from "./checkout-world.ts";

/** The values of each target; undefined for a build that fails. */
type Built = ReadonlyMap<string, string> | undefined;

/** Builds, by name. */
export type Tree = ReadonlyMap<string, Built>;

/** All of two trees is built. A directory that only one of them lists is looked at in the other one, too. */
export async function treesOf(old: string, now: string): Promise<readonly [Tree, Tree]> {
  const [before, after] = [await listed(old), await listed(now)];
  return [await treeOf(old, before, after), await treeOf(now, after, before)];
}

async function listed(repo: string): Promise<ReadonlyMap<string, Entry>> {
  return new Map((await listOf(repo)).map((each) => [each.name, each]));
}

async function treeOf(
  repo: string,
  own: ReadonlyMap<string, Entry>,
  others: ReadonlyMap<string, Entry>,
): Promise<Tree> {
  const tree = new Map<string, Built>();
  for (const [build, entry] of own) tree.set(build, await builtBy(entry));
  for (const [build, { name, kind }] of others) {
    if (own.has(build) || !existsSync(join(repo, name))) continue;
    const [only, second] = await listOf(join(repo, name));
    if (only?.kind === kind && second === undefined) tree.set(build, await builtBy(only));
  }
  return tree;
}

async function builtBy(entry: Entry): Promise<Built> {
  const { ok, explanation } = await entry.explain();
  if (!ok) return undefined;
  const targets = (explanation?.targets ?? []).map((target) => {
    const { kind, namespace, name } = target;
    const own = [kind, ...(namespace === undefined ? [] : [namespace]), name].join("/");
    return [
      own === "Values/merged" ? "the merged values" : own,
      valuesIn({ targets: [target] })
        .toSorted()
        .join("\n"),
    ] as const;
  });
  return new Map(targets);
}

/** Each target that differs, with its build; undefined where a build fails on a side. */
export function changesBetween(before: Tree, after: Tree): readonly string[] | undefined {
  if ([before, after].some((tree) => [...tree.values()].includes(undefined))) return undefined;
  const builds = [...new Set([...before.keys(), ...after.keys()])];
  return builds.flatMap((build) => {
    const [old, now] = [before, after].map((tree) => tree.get(build) ?? new Map<string, string>());
    return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].flatMap((target) => {
      const [was, is] = [old?.get(target), now?.get(target)];
      if (was === is) return [];
      const what = was === undefined ? "added" : is === undefined ? "removed" : "changes";
      return [`${what} ${target} in ${build}`];
    });
  });
}

/** The same of what `diff` reports. @param only the build, where no other is named */
export function changesIn({ edits, targets }: Difference, only: string | undefined): readonly string[] {
  const name = (build = only ?? "?"): string => build || ".";
  const changed = edits.flatMap(({ effects }) =>
    effects
      .filter(({ what }) => what === "changes")
      .map(({ target, build }) => `changes ${target} in ${name(build)}`),
  );
  const alone = targets.map(({ what, target, build }) => `${what} ${target} in ${name(build)}`);
  return [...new Set([...changed, ...alone])];
}
