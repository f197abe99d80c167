// A controller that is killed at random moments of a dozen pushes: nothing is lost, nothing is left over. An hour of it is
// `test/cluster/run --churn 600 0.3`.
import { afterAll, beforeAll, expect, test } from "vitest";
import { apps, Churn } from "./simulation/rounds.ts";
import { Sources } from "./simulation/sources.ts";
import { World } from "./world.ts";

let world: World;
let sources: Sources;

beforeAll(async () => {
  world = await World.start({ flux: false });
  sources = await Sources.start(world);
});

afterAll(async () => {
  sources.stop();
  await world.stop();
});

test("killed at random moments", { timeout: 600_000 }, async () => {
  const churn = await Churn.start(world, sources, 0.5);
  for (let round = 1; round <= 12; round++) await churn.round(round);
  console.log(`12 pushes, ${churn.kills} kills`);
  await churn.served();
  // Older files are kept for a minute, and at most two of an object.
  const { stored } = await churn.state();
  expect(stored).toBeLessThanOrEqual(2 * apps.length);
  expect(churn.runs()).toBe(1);
});
