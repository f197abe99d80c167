// Two sides of a target whose sources have other places in its list → the sources of one chart have one name on both.
import type { ExplainedStack, ExplainedTarget, Explanation } from "../../explanation.ts";
import { grouped } from "../../grouped.ts";
import { objectText } from "../../object-id.ts";
import type { NamedRelease, Releases } from "./releases.ts";

/** A side of a comparison, and its releases. */
interface NamedSide {
  readonly explanation?: Explanation | undefined;
  readonly releases: Releases;
}

/** What the sources of an old side are called on the new one. */
type SourceNames = ReadonlyMap<string, string>;

/** The old side, with sources named as the new side names those of the same charts. */
export function withMovedSources<T extends NamedSide>(old: T, now: NamedSide): T {
  const targets = old.explanation?.targets ?? [];
  const moved = new Map(
    targets.flatMap((target): [string, SourceNames][] => {
      const names = namesOf(old.releases.named(target), now.releases.named(target));
      return [...names].every(([was, is]) => was === is) ? [] : [[objectText(target), names]];
    }),
  );
  if (moved.size === 0) return old;
  const others = new Map((now.explanation?.targets ?? []).map((each) => [objectText(each), each]));
  const named = (explanation: Explanation | undefined): Explanation | undefined =>
    explanation && {
      ...explanation,
      targets: explanation.targets.map((each) => {
        const id = objectText(each);
        return withNames(each, moved.get(id), others.get(id)?.stacks ?? []);
      }),
    };
  return {
    ...old,
    explanation: named(old.explanation),
    releases: old.releases.withSources((target, source) => nameIn(moved.get(target), source)),
  };
}

/** A chart that a target has once on each side is one source. What has another place now leaves its name. */
function namesOf(old: readonly NamedRelease[], now: readonly NamedRelease[]): SourceNames {
  const [before, after] = [onlyOnes(old), onlyOnes(now)];
  const kept = [...before].flatMap(([chart, was]): [string, string][] => {
    const is = after.get(chart);
    return is === undefined ? [] : [[was, is]];
  });
  const [names, taken] = [new Map(kept), new Set(kept.map(([, is]) => is))];
  const others = old.map(nameOf).filter((name) => !names.has(name));
  return new Map([
    ...names,
    ...others.map((name): [string, string] => [name, taken.has(name) ? goneName(name) : name]),
  ]);
}

function goneName(source: string): string {
  return `${source} before`;
}

/** The sources of charts that a target has once, by what names them. */
function onlyOnes(releases: readonly NamedRelease[]): ReadonlyMap<string, string> {
  const byChart = grouped(releases, ({ chart }) => JSON.stringify([chart?.repository, chart?.name]));
  return new Map(
    [...byChart].flatMap(([chart, [only, second]]): [string, string][] =>
      only === undefined || second !== undefined ? [] : [[chart, nameOf(only)]],
    ),
  );
}

const onlySource = "spec.source";

/** The only source of an Application has no name. */
function nameOf({ source = onlySource }: Pick<NamedRelease, "source">): string {
  return source;
}

function nameIn(names: SourceNames | undefined, source: string | undefined): string | undefined {
  const name = names?.get(nameOf({ source })) ?? source;
  return name === onlySource ? undefined : name;
}

function withNames(
  target: ExplainedTarget,
  names: SourceNames | undefined,
  others: readonly ExplainedStack[],
): ExplainedTarget {
  if (names === undefined) return target;
  const charts = new Map(others.map((each) => [nameOf(each), each.chart]));
  const renamed = ({ source, chart: own, ...stack }: ExplainedStack): ExplainedStack => {
    const [was, name] = [nameOf({ source }), nameIn(names, source)];
    const is = nameOf({ source: name });
    const chart = charts.has(is) ? charts.get(is) : own;
    // What the new side does not have is shown as it is written.
    const slotIn = (slot: string): string =>
      is !== goneName(was) && slot.startsWith(`${was}.`) ? is + slot.slice(was.length) : slot;
    const layers = stack.layers.map(({ slot, ...layer }) => ({
      ...layer,
      ...(slot !== undefined && { slot: slotIn(slot) }),
    }));
    return {
      ...stack,
      layers,
      ...(name !== undefined && { source: name }),
      ...(chart !== undefined && { chart }),
    };
  };
  return { ...target, stacks: target.stacks.map(renamed) };
}
