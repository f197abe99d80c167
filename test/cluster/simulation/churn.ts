// Months of pushes, accelerated: does anything of the controller grow? test/cluster/run --churn [ROUNDS]
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { conditionOf } from "../api.ts";
import { folded } from "../objects.ts";
import { seconds, until } from "../processes.ts";
import { type Replica, World } from "../world.ts";
import { memoryOf } from "./measure.ts";
import { Sources } from "./sources.ts";

const rounds = Number(process.argv[2] ?? 500);
const apps = Array.from({ length: 20 }, (_, index) => `app-${index}`);
const reports = 10;

const world = await World.start({ flux: false });
const sources = await Sources.start(world);
try {
  await churn(await world.startReplica("controller"));
} finally {
  sources.stop();
  await world.stop();
}

async function churn(replica: Replica): Promise<void> {
  for (const name of apps)
    await world.api.apply(
      folded(name, {
        sourceRef: { kind: "GitRepository", name: "fleet", namespace: "flux-system" },
        build: { path: `./apps/${name}` },
        retryInterval: "1h",
      }),
    );
  const begun = Date.now();
  console.log(
    "pushes | seconds | RSS MiB | descriptors | goroutines | files stored | files in /tmp | events in the API server",
  );
  for (let round = 1; round <= rounds; round++) {
    const revision = `push-${round}`;
    // Every fifth push is broken for all of them.
    await sources.push("fleet", apps, revision, round % 5 === 0 ? "[broken" : revision);
    await until(async () => ((await isDone(revision)) ? true : undefined), revision, 120);
    if (round % Math.ceil(rounds / reports) === 0)
      console.log(`${round} | ${seconds(begun)} | ${await state(replica)}`);
  }
}

async function isDone(revision: string): Promise<boolean> {
  const found = await world.api.list(folded("x", {}));
  return found.every(
    (each) =>
      each.status?.lastAttemptedRevision?.endsWith(revision) === true &&
      conditionOf(each, "Reconciling")?.reason !== "Progressing",
  );
}

async function state({ pid, metrics, storage }: Replica): Promise<string> {
  const text = await (await fetch(metrics)).text();
  const goroutines = /^go_goroutines (\d+)/mu.exec(text)?.[1] ?? "?";
  const events = await world.api.list({
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "x", namespace: "apps" },
  });
  const files = [storage, join(world.folder, "controller-tmp")].map(
    (folder) => readdirSync(folder, { recursive: true }).length,
  );
  return [memoryOf(pid), readdirSync(`/proc/${pid}/fd`).length, goroutines, ...files, events.length].join(
    " | ",
  );
}
