// How the controller grows: objects over three shards, 100 to a source, at first and after a push that touches all of them.
// test/cluster/run --scale [OBJECTS]
import { conditionOf, type Entity } from "../api.ts";
import { folded } from "../objects.ts";
import { seconds, until } from "../processes.ts";
import { type Replica, World } from "../world.ts";
import { memoryOf, type Usage, usageOf } from "./measure.ts";
import { Sources } from "./sources.ts";

const objects = Number(process.argv[2] ?? 3000);
const perSource = 100;
const shards = 3;
const longest = 2400;
const idleSeconds = 30;

const world = await World.start({ flux: false });
const sources = await Sources.start(world);
try {
  await simulate();
} finally {
  sources.stop();
  await world.stop();
}

async function simulate(): Promise<void> {
  const replicas: Replica[] = [];
  for (let shard = 0; shard < shards; shard++)
    replicas.push(
      await world.startReplica(`shard${shard}`, [
        `--watch-label-selector=sharding.fluxcd.io/key=shard${shard}`,
      ]),
    );
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const groups = Array.from({ length: Math.ceil(objects / perSource) }, (_, group) => ({
    source: `fleet-${group}`,
    apps: Array.from(
      { length: Math.min(perSource, objects - group * perSource) },
      (__, index) => `app-${group}-${index}`,
    ),
  }));
  console.log(
    "phase | seconds | CPU ms per object: controller, children, API server and etcd | requests per object | RSS MiB of each shard",
  );
  const phase = async (name: string, per: number, work: () => Promise<unknown>): Promise<void> => {
    const [begun, before] = [Date.now(), await usageOf(replicas, world.servers)];
    await work();
    const [taken, after] = [seconds(begun), await usageOf(replicas, world.servers)];
    const each = (key: keyof Usage): string => ((after[key] - before[key]) / per).toFixed(4);
    const cpu = (["controller", "children", "server"] as const).map((key) =>
      (Number(each(key)) * 1000).toFixed(1),
    );
    console.log(
      `${name} | ${taken} | ${cpu.join(", ")} | ${Number(each("requests")).toFixed(1)} | ${replicas.map(({ pid }) => memoryOf(pid)).join(", ")}`,
    );
  };

  await phase(`${objects} new objects`, objects, async () => {
    for (const { source, apps } of groups) {
      await sources.push(source, apps, "blue");
      await Promise.all(apps.map((name, index) => create(name, source, index)));
    }
    await published("blue");
  });
  await phase("a push that touches all", objects, async () => {
    for (const { source, apps } of groups) await sources.push(source, apps, "green");
    await published("green");
  });
  await phase("a push that touches one of each source", objects, async () => {
    for (const { source, apps } of groups)
      await sources.push(source, apps, "one", "green", { [apps[0] ?? ""]: "red" });
    await published("one");
  });
  await phase("a push that breaks all", objects, async () => {
    for (const { source, apps } of groups) await sources.push(source, apps, "broken", "[broken");
    await attempted("broken");
  });
  await phase(
    `${idleSeconds} s of rest`,
    objects,
    () => new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000)),
  );
}

async function create(name: string, source: string, index: number): Promise<void> {
  const sourceRef = { kind: "GitRepository", name: source, namespace: "flux-system" };
  const labels = { "sharding.fluxcd.io/key": `shard${index % shards}` };
  await world.api.apply(folded(name, { sourceRef, build: { path: `./apps/${name}` } }, labels));
}

function published(revision: string): Promise<true> {
  return settled("lastPublishedRevision", revision, (each) => conditionOf(each)?.status === "True");
}

function attempted(revision: string): Promise<true> {
  return settled("lastAttemptedRevision", revision, (each) => conditionOf(each)?.status === "False");
}

function settled(
  field: "lastAttemptedRevision" | "lastPublishedRevision",
  revision: string,
  passes: (each: Entity) => boolean,
): Promise<true> {
  return until(
    async () => {
      const found = await world.api.list(folded("x", {}));
      const done = found.filter(
        (each) => each.status?.[field]?.endsWith(revision) === true && passes(each),
      ).length;
      if (done === objects) return true;
      process.stderr.write(`${done} of ${objects}\n`);
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return undefined;
    },
    `all are at ${revision}`,
    longest,
  );
}
