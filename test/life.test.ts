// Lives of repositories: whatever users do between renders, the values stay those of what they wrote. VALUEFOLD_LIFE_ROUNDS
// says how many rounds are lived, VALUEFOLD_SEED which. VALUEFOLD_LIFE_SURVEY=1 collects all kinds of failure;
// VALUEFOLD_LIFE_PIPELINES and VALUEFOLD_LIFE_WITHOUT (names of edits) narrow it down. VALUEFOLD_LIFE_REPLAY names a folder of
// lives that were written down; they are lived again instead.
// @module-tag law
import { expect, test } from "vitest";
import { counted } from "./fuzz/tally.ts";
import type { Pipeline } from "./life/choices.ts";
import { left } from "./life/edits.ts";
import { type Failure, live, relive } from "./life/life.ts";
import { shrink } from "./life/shrink.ts";
import { describeFailure, keep, kept, type Kind, kindOf, table } from "./life/survey.ts";

const rounds = Number(process.env["VALUEFOLD_LIFE_ROUNDS"] ?? 500);
const firstSeed = Number(process.env["VALUEFOLD_SEED"] ?? 20_261_201);
const isSurvey = process.env["VALUEFOLD_LIFE_SURVEY"] === "1";
const all: readonly Pipeline[] = ["kpt", "plain", "overlay"];
const chosen = process.env["VALUEFOLD_LIFE_PIPELINES"]?.split(",") ?? all;
const kindsOfLife = all
  .filter((pipeline) => chosen.includes(pipeline))
  .flatMap((pipeline) => [false, true].map((nasty) => ({ pipeline, nasty })));

const replayed = process.env["VALUEFOLD_LIFE_REPLAY"];

for (const [name, { pipeline, seed, rounds: past }] of replayed === undefined ? [] : kept(replayed)) {
  test(`${name} again`, () => {
    const failure = relive(pipeline, seed, past);
    expect(failure && describeFailure(failure)).toBeUndefined();
  });
}

const edits = new Map<string, number>();
const refused = new Map<string, number>();

for (const { pipeline, nasty } of replayed === undefined ? kindsOfLife : []) {
  const share = Math.ceil(rounds / kindsOfLife.length);
  test(`${pipeline}${nasty ? ", nasty texts" : ""}: ${share} rounds`, () => {
    const kinds = new Map<string, Kind>();
    for (let lived = 0, seed = firstSeed; lived < share; seed++) {
      const life = live(pipeline, seed, nasty);
      lived += life.rounds;
      counted(life.rounds);
      add(edits, life.edits);
      add(refused, life.refused);
      if (life.failure !== undefined) note(life.failure, kinds, nasty);
    }
    if (isSurvey) console.log(`\n${table(kinds)}`);
    expect([...kinds.keys()]).toEqual([]);
  });
}

test.skipIf(replayed !== undefined)("every edit occurs", () => {
  if (isSurvey)
    console.log(
      [...edits].map(([name, count]) => `${name}: ${count}, refused ${refused.get(name) ?? 0}`).join("\n"),
    );
  const isWhole = kindsOfLife.length === all.length * 2;
  const missing = [...left].filter((name) => isWhole && !edits.has(name));
  // A few edits are rare: they need some thousand rounds.
  expect(missing.slice(rounds < 10_000 ? 5 : 0)).toEqual([]);
});

function note(failure: Failure, kinds: Map<string, Kind>, nasty: boolean): void {
  const example = shrink(failure);
  const kind = kindOf(example);
  const known = kinds.get(kind);
  if (known === undefined) {
    const folder = keep(example, `${example.pipeline}${nasty ? "-nasty" : ""}-${example.seed}`);
    if (!isSurvey) throw new Error(`${describeFailure(example)}\n  in ${folder}`);
  }
  kinds.set(kind, { example: known?.example ?? example, count: (known?.count ?? 0) + 1 });
}

function add(sums: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
}
