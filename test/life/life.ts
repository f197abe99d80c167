// A repository's life: rounds of edits, each followed by a render. Everything follows from the seed; a life that breaks a
// law is lived again with fewer edits, until each edit that is left is needed.
import { Random } from "../support/nasty-yaml.ts";
import type { Around, Pipeline } from "./choices.ts";
import { allowedCodes, propose } from "./edits.ts";
import { brokenByRefusal, brokenLaw } from "./laws.ts";
import { type Rendered, render } from "./render.ts";
import type { Broken } from "./round.ts";
import { resourced } from "./pruned.ts";
import type { Repository } from "./repository.ts";
import { applyEdit, type Edit, type Pair } from "./steps.ts";

type Rounds = readonly (readonly Edit[])[];

export interface Failure {
  readonly pipeline: Pipeline;
  readonly seed: number;
  readonly round: number;
  readonly law: Broken["law"] | "error" | "bug";
  readonly detail: string;
  readonly rounds: Rounds;
  readonly input: string;
  readonly output: string;
}

export interface Lived {
  readonly rounds: number;
  readonly edits: ReadonlyMap<string, number>;
  /** How many rounds ended in an error that names what the user did. */
  readonly refused: ReadonlyMap<string, number>;
  readonly failure?: Failure;
}

const empty: Repository = { files: [], settings: {} };
const longestLife = 8;

/** Lives a life whose edits follow from the seed. */
export function live(pipeline: Pipeline, seed: number, nasty: boolean): Lived {
  const random = new Random(seed);
  const count = 2 + random.below(longestLife - 1);
  const life = new Life(pipeline, seed);
  for (let at = 0; at < count && !life.isOver; at++) {
    const failure = life.round((pair) => proposals(pair, { pipeline, random, seed, nasty }, at === 0));
    if (failure !== undefined) return { ...life.lived(), failure };
  }
  return life.lived();
}

/** Lives a life of known edits again. */
export function relive(pipeline: Pipeline, seed: number, rounds: Rounds): Failure | undefined {
  const life = new Life(pipeline, seed);
  for (const edits of rounds) {
    if (life.isOver) return undefined;
    const failure = life.round((pair) => replayed(pair, edits));
    if (failure !== undefined) return failure;
  }
  return undefined;
}

interface Edited {
  readonly pair: Pair;
  readonly edits: readonly Edit[];
}

function proposals(start: Pair, kind: Omit<Around, keyof Pair>, isFirst: boolean): Edited {
  const edits: Edit[] = [];
  let pair = start;
  const { random } = kind;
  const wanted = isFirst ? 7 + random.below(8) : 1 + random.below(2) * random.below(3);
  for (let tries = 0; edits.length < wanted && tries < 60; tries++) {
    const edit = propose({ ...pair, ...kind }, isFirst ? edits.length : undefined);
    const next = edit === undefined ? undefined : applyEdit(pair, edit);
    if (edit === undefined || next === undefined) continue;
    edits.push(edit);
    pair = next;
  }
  return { pair, edits };
}

function replayed(start: Pair, edits: readonly Edit[]): Edited {
  let pair = start;
  const done = edits.filter((edit) => {
    const next = applyEdit(pair, edit);
    pair = next ?? pair;
    return next !== undefined;
  });
  return { pair, edits: done };
}

class Life {
  private pair: Pair = { sources: empty, rendered: empty };
  private readonly past: (readonly Edit[])[] = [];
  private readonly counts = new Map<string, number>();
  private readonly refusals = new Map<string, number>();

  private readonly pipeline: Pipeline;
  private readonly seed: number;

  constructor(pipeline: Pipeline, seed: number) {
    this.pipeline = pipeline;
    this.seed = seed;
  }

  /** True once nobody could say what the sources are. */
  isOver = false;

  lived(): Lived {
    return { rounds: this.past.length, edits: this.counts, refused: this.refusals };
  }

  round(edit: (pair: Pair) => Edited): Failure | undefined {
    const { pair, edits } = edit(this.start());
    this.past.push(edits);
    for (const { name } of edits) tally(this.counts, name);
    if (pair.sources.files.length === 0) return undefined;
    let rendered: Rendered;
    try {
      rendered = render(pair.rendered, this.pipeline);
    } catch (bug) {
      return this.failed("bug", stackOf(bug), undefined);
    }
    return rendered.folded.exitCode === 0
      ? this.accept(pair, edits, rendered)
      : this.refuse(pair, edits, rendered);
  }

  /** A plain stream is folded from the sources each time; an overlay stands on a base, or on an overlay. */
  private start(): Pair {
    const { sources } = this.pair;
    if (this.pipeline === "plain") return { sources, rendered: sources };
    // What was pruned is in no base any more.
    const hasBase = this.pipeline === "overlay" && sources.settings.layers !== "prune";
    if (!hasBase || this.seed % 2 === 0 || sources.files.length === 0) return this.pair;
    const { folded, files } = render(sources, "overlay");
    return folded.exitCode === 0 ? { sources, rendered: { ...sources, files } } : this.pair;
  }

  private accept(
    { sources, rendered: before }: Pair,
    edits: readonly Edit[],
    rendered: Rendered,
  ): Failure | undefined {
    const { pipeline, seed } = this;
    let broken: Broken | undefined;
    try {
      broken = brokenLaw({ pipeline, seed, sources, before, rendered });
    } catch (bug) {
      return this.failed("bug", stackOf(bug), rendered);
    }
    const isUnknown = isMovedApart(edits, rendered) || isHidden(edits);
    if (broken !== undefined && !(broken.law === "values" && isUnknown))
      return this.failed(broken.law, broken.detail, rendered);
    const written = { files: rendered.files, settings: before.settings };
    const next = pipeline === "plain" ? sources : resourced(sources, written);
    this.isOver = next === undefined || isUnknown;
    this.pair = { sources: next ?? sources, rendered: written };
    return undefined;
  }

  /** An error that names what the user did: he takes it back. */
  private refuse({ sources }: Pair, edits: readonly Edit[], rendered: Rendered): Failure | undefined {
    const allowed = allowedCodes(edits, sources);
    const errors = rendered.folded.diagnostics.filter(({ severity }) => severity === "error");
    const unexpected = errors.find(({ code }) => !allowed.has(code));
    if (errors.length === 0 || unexpected !== undefined)
      return this.failed("error", unexpected?.code ?? "no code", rendered);
    const broken = brokenByRefusal(rendered, this.pipeline);
    if (broken !== undefined) return this.failed(broken.law, broken.detail, rendered);
    for (const { name } of edits) tally(this.refusals, name);
    return undefined;
  }

  private failed(law: Failure["law"], detail: string, rendered: Rendered | undefined): Failure {
    const { pipeline, seed } = this;
    const { input = "", folded } = rendered ?? {};
    const output =
      folded === undefined ? "" : `${folded.output}\n# ${folded.messages.replaceAll("\n", "\n# ")}`;
    return {
      pipeline,
      seed,
      law,
      detail,
      round: this.past.length - 1,
      rounds: [...this.past],
      input,
      output,
    };
  }
}

/** A base that moved otherwise than its target looks like one that was deleted. The user is told. */
function isMovedApart(edits: readonly Edit[], { folded }: Rendered): boolean {
  const isMove = edits.some(({ name }) => name === "move-everything" || name === "move-target");
  return isMove && folded.diagnostics.some(({ code }) => code === "reference-back");
}

/**
 * A folded item is known to be deleted by its name, which follows from its target's name and the settings. Where these change
 * at the same time, the reference to it looks like one to an object of the cluster.
 */
function isHidden(edits: readonly Edit[]): boolean {
  const names = new Set(edits.map(({ name }) => name));
  return names.has("delete-folded") && (names.has("rename-target") || names.has("set-output-name"));
}

/** A bug of the program's; one of the tests' own is thrown on. */
function stackOf(bug: unknown): string {
  const stack = bug instanceof Error ? (bug.stack ?? "") : "";
  if (!stack.includes("/src/")) throw bug;
  return stack;
}

function tally(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
