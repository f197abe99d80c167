// Several controllers: two replicas of which one leads, and two shards.
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, createServer, type Server } from "node:net";
import { once } from "node:events";
import type { Entity } from "./api.ts";
import { app, external, folded, gitSource, kustomization } from "./objects.ts";
import { seconds, until } from "./processes.ts";
import { applied, push, ready } from "./steps.ts";
import { type Replica, World } from "./world.ts";

let world: World;
const shop = folded("shop", { build: { path: "./apps/shop" } });

beforeAll(async () => {
  world = await World.start();
  await world.controller?.stop();
  world.repository.push({ ...app("shop", "blue"), ...app("till", "red") });
  await world.api.apply(gitSource(world.repository.url));
});

afterAll(() => world.stop());

/** What a Service with a readiness probe does: it passes connections on to the replica that answers. */
async function startService(
  backends: () => readonly Replica[],
): Promise<{ server: Server; address: string }> {
  const server = createServer((client) => {
    client.on("error", () => undefined);
    const next = ([first, ...others]: readonly Replica[]): void => {
      if (first === undefined) return void client.resetAndDestroy();
      const backend = connect(Number(new URL(first.url).port), "127.0.0.1");
      backend.on("connect", () => client.pipe(backend).pipe(client));
      backend.on("error", () =>
        backend.bytesRead === 0 && backend.connecting ? client.destroy() : next(others),
      );
    };
    next(backends());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { server, address: `127.0.0.1:${address.port}` };
}

async function isLeader({ url }: Replica): Promise<boolean> {
  return fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  );
}

test("a second replica takes over from a leader that is killed; nothing is applied again", async () => {
  const replicas: Replica[] = [];
  const { server, address } = await startService(() => replicas);
  const flags = [
    "--leader-election-lease-duration=6s",
    "--leader-election-renew-deadline=4s",
    "--leader-election-retry-period=1s",
  ];
  for (const name of ["one", "two"])
    replicas.push(await world.startReplica(name, flags, { advertised: address }));
  await world.api.apply(shop);
  await world.api.apply(kustomization("shop"));
  await applied(world, "shop", "color: blue");
  const [first, second] = replicas as [Replica, Replica];
  const [leader, other] = (await isLeader(first)) ? [first, second] : [second, first];
  expect([await isLeader(leader), await isLeader(other)]).toEqual([true, false]);
  const before = await world.api.get(external("shop"));

  const begun = Date.now();
  await leader.stop("SIGKILL");
  await until(async () => ((await isLeader(other)) ? true : undefined), "the other one leads");
  // Its storage is empty: it makes the same file, with the same digest and address.
  const { url = "" } = before.status?.artifact ?? {};
  await until(
    async () => ((await fetch(url)).status === 200 ? true : undefined),
    "the artifact is served again",
  );
  console.log(`killed leader: served again after ${seconds(begun)} s, with a lease of 6 s`);
  expect((await world.api.get(external("shop"))).status?.artifact).toEqual(before.status?.artifact);
  await push(world, app("shop", "green"));
  await applied(world, "shop", "color: green");
  await other.stop();
  server.close();
});

test("a shard has its own lease and its own objects", async () => {
  const shards = ["shard1", "shard2"];
  const replicas = new Map<string, Replica>();
  for (const shard of shards)
    replicas.set(
      shard,
      await world.startReplica(shard, [`--watch-label-selector=sharding.fluxcd.io/key=${shard}`]),
    );
  const objects = shards.map((shard): [string, Entity] => [
    shard,
    folded(`of-${shard}`, { build: { path: "./apps/till" } }, { "sharding.fluxcd.io/key": shard }),
  ]);
  const unlabelled = folded("unlabelled", { build: { path: "./apps/till" } });
  for (const [, each] of objects) await world.api.apply(each);
  await world.api.apply(unlabelled);
  for (const [shard, each] of objects) {
    await ready(world, each);
    const { url } = (await world.api.get(external(each.metadata.name))).status?.artifact ?? {};
    expect(url?.startsWith(replicas.get(shard)?.url ?? "-")).toBe(true);
  }
  expect((await world.api.get(unlabelled)).status?.conditions).toBeUndefined();

  const [[, moved] = ["", unlabelled]] = objects;
  await world.api.apply({
    ...moved,
    metadata: { ...moved.metadata, labels: { "sharding.fluxcd.io/key": "shard2" } },
  });
  await until(async () => {
    const { url } = (await world.api.get(external(moved.metadata.name))).status?.artifact ?? {};
    return url?.startsWith(replicas.get("shard2")?.url ?? "-") === true ? true : undefined;
  }, "the other shard serves it");
});
