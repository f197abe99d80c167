// Checkouts that a stranger wrote are read, and nothing else: whatever their files, links, archives and `.git` name, nothing
// outside is shown, no program runs, no connection is made, and each run ends. VALUEFOLD_HOSTILE says how many;
// VALUEFOLD_SURVEY=1 goes on after a breach, and counts them by law and attack.
import { expect, test } from "vitest";
import { counted } from "../fuzz/tally.ts";
import { type Breach, breachesIn, removed } from "./hostile-world.ts";

const checkouts = Number(process.env["VALUEFOLD_HOSTILE"] ?? process.env["VALUEFOLD_RUNS"] ?? 39);
const first = Number(process.env["VALUEFOLD_SEED"] ?? 20261127);
const isSurvey = process.env["VALUEFOLD_SURVEY"] !== undefined;
const mostBad = isSurvey ? Infinity : 1;
const jobs = 2;

interface Case {
  readonly seed: number;
  readonly attacks: readonly string[];
  readonly breaches: readonly Breach[];
  readonly folder: string;
}

const saidOf = ({ seed, attacks, breaches, folder }: Case): string =>
  [
    `seed ${seed}: ${attacks.join(", ")}, in ${folder}`,
    ...breaches.map(({ law, command, detail }) => `  ${law}: valuefold ${command}\n    ${detail}`),
  ].join("\n");

test(`nothing outside of ${checkouts} hostile checkouts is shown, run or asked`, async () => {
  const bad: Case[] = [];
  let next = first;
  const work = async (): Promise<void> => {
    while (next < first + checkouts && bad.length < mostBad) {
      const seed = next++;
      const { breaches, checkout, folder } = await breachesIn(seed);
      if (breaches.length > 0) bad.push({ seed, attacks: checkout.attacks, breaches, folder });
      else removed(folder);
      if (breaches.length > 0 && isSurvey) console.log(saidOf(bad.at(-1) as Case));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  counted(checkouts);
  expect(bad.map(saidOf).join("\n\n")).toBe("");
}, 36_000_000);
