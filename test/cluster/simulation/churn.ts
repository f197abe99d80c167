// Months of pushes, accelerated: does anything of the controller grow, and is anything lost when it is killed at random
// moments? test/cluster/run --churn [ROUNDS [KILLS]], KILLS being the share of rounds with a kill -9.
import { seconds } from "../processes.ts";
import { World } from "../world.ts";
import { Churn } from "./rounds.ts";
import { Sources } from "./sources.ts";

const [rounds, kills] = [Number(process.argv[2] ?? 500), Number(process.argv[3] ?? 0)];
const reports = 10;

const world = await World.start({ flux: false });
const sources = await Sources.start(world);
try {
  const churn = await Churn.start(world, sources, kills);
  const begun = Date.now();
  console.log(
    "pushes | seconds | kills | RSS MiB | descriptors | goroutines | files stored | files in /tmp | events in the API server",
  );
  for (let round = 1; round <= rounds; round++) {
    await churn.round(round);
    if (round % Math.ceil(rounds / reports) === 0) {
      await churn.served();
      const { rss, descriptors, goroutines, stored, temporary, events } = await churn.state();
      console.log(
        [round, seconds(begun), churn.kills, rss, descriptors, goroutines, stored, temporary, events].join(
          " | ",
        ),
      );
    }
  }
} finally {
  sources.stop();
  await world.stop();
}
