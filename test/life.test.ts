// Lives of repositories: whatever users do between renders, the values stay those of what they wrote. VALUEFOLD_LIFE_ROUNDS
// says how many rounds are lived, VALUEFOLD_SEED which; VALUEFOLD_LIFE_SURVEY=1 collects all kinds of failure.
import { expect, test } from "vitest";
import type { Pipeline } from "./life/choices.ts";
import { namesIn } from "./life/edits.ts";
import { live } from "./life/life.ts";
import { shrink } from "./life/shrink.ts";
import { describeFailure, keep, type Kind, kindOf, table } from "./life/survey.ts";

const rounds = Number(process.env["VALUEFOLD_LIFE_ROUNDS"] ?? 500);
const firstSeed = Number(process.env["VALUEFOLD_SEED"] ?? 20_261_201);
const isSurvey = process.env["VALUEFOLD_LIFE_SURVEY"] === "1";
const pipelines = (process.env["VALUEFOLD_LIFE_PIPELINES"] ?? "kpt,plain,overlay").split(",") as Pipeline[];

for (const pipeline of pipelines) {
  test(`${pipeline}: ${Math.ceil(rounds / 3)} rounds`, () => {
    const edits = new Map<string, number>();
    const refused = new Map<string, number>();
    const kinds = new Map<string, Kind>();
    for (let lived = 0, seed = firstSeed; lived < rounds / 3; seed++) {
      const life = live(pipeline, seed);
      lived += life.rounds;
      add(edits, life.edits);
      add(refused, life.refused);
      if (life.failure !== undefined) fail(life.failure, kinds);
    }
    report(pipeline, edits, refused, kinds);
    expect([...kinds.keys()]).toEqual([]);
    const few = namesIn(pipeline).filter((name) => (edits.get(name) ?? 0) < rounds / 1500);
    expect(few).toEqual([]);
  });
}

function fail(failure: Parameters<typeof shrink>[0], kinds: Map<string, Kind>): void {
  const example = shrink(failure);
  const kind = kindOf(example);
  const known = kinds.get(kind);
  if (known === undefined) {
    const folder = keep(example, `${example.pipeline}-${example.seed}`);
    if (!isSurvey) throw new Error(`${describeFailure(example)}\n  in ${folder}`);
  }
  kinds.set(kind, { example: known?.example ?? example, count: (known?.count ?? 0) + 1 });
}

function add(sums: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
}

function report(
  pipeline: Pipeline,
  edits: ReadonlyMap<string, number>,
  refused: ReadonlyMap<string, number>,
  kinds: ReadonlyMap<string, Kind>,
): void {
  if (!isSurvey) return;
  const counts = [...edits].map(([name, count]) => `${name}: ${count} (${refused.get(name) ?? 0} refused)`);
  console.log(`${pipeline}\n${counts.join("\n")}\n\n${table(kinds)}`);
}
