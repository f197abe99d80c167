// Explanations of many builds → the values that differ. Takes one build at a time and keeps only what is new in it: most
// builds share most values and their origins.
import type { ComparedTarget, Comparison } from "../../comparison.ts";
import { parsePath } from "../../merge/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { isNamedAs } from "../../object-id.ts";
import type { ExplainedStack, ExplainedTarget, Explanation } from "../../explanation.ts";
import { unseenChanges, unseenIn } from "../hidden.ts";
import { layerNamesOf, stackId } from "../titles.ts";
import { badPath, isAtPath, type PathSteps } from "../narrow.ts";
import { Rows } from "./rows.ts";
import { grouped } from "../../grouped.ts";
import { remembered } from "../../remembered.ts";

/** Which values are compared; all, if nothing is said. */
export interface ComparedPart {
  /** `Kind/name` or `Kind/namespace/name`. */
  readonly target?: string;
  readonly steps?: PathSteps;
  /** True for rows of values that are equal in all builds, too. */
  readonly all?: boolean;
}

/** A path with wildcards, or what is wrong with it. */
export function pathSteps(path: string): PathSteps | Diagnostic {
  const steps = parsePath(path);
  return "wrongAt" in steps ? badPath(path, steps.wrongAt) : steps;
}

export class Comparing {
  private readonly builds: string[] = [];
  private readonly unread = new Set<string>();
  /** Builds without an explanation. */
  private readonly failed = new Set<number>();
  /** By kind, namespace and name. */
  private readonly targets = new Map<string, ComparingTarget>();
  private readonly options: ComparedPart;

  constructor(options: ComparedPart = {}) {
    this.options = options;
  }

  /** Compares a build with those before. */
  add(name: string, explanation: Explanation): void {
    const build = this.builds.push(name) - 1;
    for (const target of explanation.targets) if (this.isWanted(target)) this.addTarget(target, build);
  }

  /** A build that cannot be read: it is in no group, and lacks no target. */
  addFailed(name: string): void {
    this.failed.add(this.builds.push(name) - 1);
    this.unread.add(name);
  }

  /** A part of a build that is not compared. */
  addUnread(name: string): void {
    this.unread.add(name);
  }

  comparison(): Comparison {
    const { builds, failed } = this;
    const all = this.options.all === true;
    const readable = [...builds.keys()].filter((build) => !failed.has(build));
    const found = joined([...this.targets.values()]);
    const targets = found
      .map((one) => one.compared(readable, all))
      .toSorted((a, b) => byText(a.name, b.name) || byText(a.kind, b.kind));
    const unread = [...new Set([...this.unread, ...this.unseenInSome(found)])];
    return { kind: "Comparison", version: 1, builds, targets, unread };
  }

  /** What the cluster has for some builds only, or above other layers, may make them differ. */
  private unseenInSome(targets: readonly ComparingTarget[]): readonly string[] {
    const stacks = targets.flatMap((each) => each.allRows());
    return stacks.flatMap(({ unseen }) => {
      const [first, ...others] = [...unseen.values()];
      const names = new Set(others.flatMap((each) => unseenChanges(first ?? [], each)));
      return [...unseen].flatMap(([build, layers]) =>
        layers.flatMap(({ name }) => (names.has(name) ? `${this.builds[build] ?? ""}: ${name}` : [])),
      );
    });
  }

  private isWanted(target: ExplainedTarget): boolean {
    const { target: wanted } = this.options;
    return wanted === undefined || isNamedAs(target, wanted);
  }

  private addTarget(target: ExplainedTarget, build: number): void {
    const { kind, namespace, name, stacks } = target;
    const key = JSON.stringify([kind, namespace, name]);
    const known = remembered(this.targets, key, () => new ComparingTarget(target));
    known.builds.add(build);
    for (const stack of stacks) this.addStack(stack, known.rowsOf(stackId(kind, stack)), build);
  }

  private addStack({ layers, values }: ExplainedStack, rows: Rows, build: number): void {
    const names = layerNamesOf(layers);
    for (const { id, state, setsPath, sets } of layers)
      if (state === "sealed" || state === "unreadable" || (setsPath !== undefined && sets === undefined))
        this.unread.add(`${this.builds[build] ?? ""}: ${names.get(id) ?? id}`);
    rows.unseen.set(build, unseenIn(layers, names));
    const { steps } = this.options;
    for (const value of values)
      if (value.mapping !== true && (steps === undefined || isAtPath(value, steps)))
        rows.add(value, build, names);
  }
}

/** In the order of their code units, which is the same on every machine. */
function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** One target in all builds that have it. */
class ComparingTarget {
  readonly builds = new Set<number>();
  readonly kind: string;
  readonly name: string;
  private namespace: string | undefined;
  private readonly stacks = new Map<string, Rows>();

  constructor({ kind, namespace, name }: ExplainedTarget) {
    this.kind = kind;
    this.name = name;
    this.namespace = namespace;
  }

  allRows(): readonly Rows[] {
    return [...this.stacks.values()];
  }

  rowsOf(stack: string): Rows {
    return remembered(this.stacks, stack, () => new Rows());
  }

  /** Takes over what another target has, which is in other builds. */
  join(other: ComparingTarget): void {
    if (other.namespace !== this.namespace) this.namespace = undefined;
    for (const build of other.builds) this.builds.add(build);
    for (const [stack, rows] of other.stacks) this.rowsOf(stack).join(rows);
  }

  /** @param readable builds that could have the target */
  compared(readable: readonly number[], all: boolean): ComparedTarget {
    const { kind, namespace, name, builds } = this;
    const absent = readable.filter((build) => !builds.has(build));
    const own = [...this.stacks].map(([stack, rows]) => rows.compared(stack, [...builds], all));
    return {
      kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      ...(absent.length === 0 ? {} : { absentIn: absent }),
      equal: own.reduce((sum, { equal }) => sum + equal, 0),
      rows: own.flatMap(({ rows }) => rows),
    };
  }
}

/** Targets of one kind and name are one where no build has two of them: the namespace may follow from the build. */
function joined(targets: readonly ComparingTarget[]): ComparingTarget[] {
  return [...grouped(targets, ({ kind, name }) => `${kind}/${name}`).values()].flatMap((all) => {
    const [first, ...others] = all;
    const builds = new Set(all.flatMap((each) => [...each.builds]));
    const total = all.reduce((sum, each) => sum + each.builds.size, 0);
    if (first === undefined || builds.size < total) return all;
    for (const other of others) first.join(other);
    return [first];
  });
}
