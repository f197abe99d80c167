// The controller where no other part of Flux runs: what overlays install, what it sends to notification-controller, and
// sources and programs that try to use its machine up.
import { readdirSync, readFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Entity } from "./api.ts";
import { app, folded, rendering } from "./objects.ts";
import { until } from "./processes.ts";
import { Sources } from "./simulation/sources.ts";
import { decryption, failed, grantKeys, ready } from "./steps.ts";
import { overlaid, type Replica, shortLease, World } from "./world.ts";

let world: World;
let sources: Sources;
let replica: Replica | undefined;

beforeAll(async () => {
  world = await World.start({ flux: false });
  sources = await Sources.start(world);
});

// The next controller needs the lease.
afterEach(async () => replica?.stop("SIGKILL"));

afterAll(async () => {
  sources.stop();
  await world.stop();
});

/** Killed ones keep their lease for a while: it is short. */
function start(...[name, more = [], options]: Parameters<World["startReplica"]>): Promise<Replica> {
  return world.startReplica(name, [...shortLease, ...more], options);
}

const of = (source: string, spec: object): object => ({
  sourceRef: { kind: "GitRepository", name: source, namespace: "flux-system" },
  ...spec,
});

test("alerts take the events: they are about an ExternalArtifact, and name revisions", async () => {
  const events: Event[] = [];
  const receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      events.push(JSON.parse(text) as Event);
      response.end();
    });
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as { port: number };
  replica = await start("noted", [`--events-addr=http://127.0.0.1:${port}/`]);
  await sources.push("noted", ["shop"], "0001");
  const shop = folded("shop", of("noted", { build: { path: "./apps/shop" } }));
  await world.api.apply(shop);
  const { status } = await ready(world, shop);
  const event = await until(() => events[0], "an event");
  expect(alertKinds).toContain(event.involvedObject.kind);
  expect(event.involvedObject).toMatchObject({ kind: "ExternalArtifact", name: "shop", namespace: "apps" });
  expect(event.metadata).toMatchObject({
    "source.toolkit.fluxcd.io/revision": status?.artifact?.revision,
    "source.toolkit.fluxcd.io/originRevision": "main@sha1:0001",
  });
  await gone(shop);
  receiver.close();
});

interface Event {
  readonly involvedObject: { readonly kind: string };
  readonly metadata: Readonly<Record<string, string>>;
}

/** The kinds of event sources that an Alert takes (notification-controller 1.8, api/v1/reference_types.go). */
const alertKinds =
  "Bucket GitRepository Kustomization HelmRelease HelmChart HelmRepository ImageRepository ImagePolicy ImageUpdateAutomation OCIRepository ArtifactGenerator ExternalArtifact".split(
    " ",
  );

test("an archive of many empty files is refused and removed; other sources are published", async () => {
  replica = await start("bounded", ["--max-source-files=1000"]);
  const many = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`d${index % 50}/f${index}`, ""]),
  );
  await sources.serve("bomb", { ...app("shop", "blue"), ...many }, "0001");
  await sources.push("small", ["shop"], "0001");
  const [evil, shop] = ["bomb", "small"].map((name) =>
    folded(name, of(name, { build: { path: "./apps/shop" } })),
  ) as [Entity, Entity];
  for (const each of [evil, shop]) await world.api.apply(each);
  const { ready: condition } = await failed(world, evil, "FetchFailed");
  expect(condition.message).toContain("more than 1000 files and folders");
  await ready(world, shop);
  const left = readdirSync(replica.temporary, { recursive: true }) as string[];
  expect(left.filter((name) => /\/f\d+$/u.test(name))).toEqual([]);
  for (const each of [evil, shop]) await gone(each);
});

test("as the first process of its container the controller takes ended programs out of the table", async () => {
  const bin = join(world.folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "sops"), "#!/bin/sh\nsleep 300 &\nsleep 300\n");
  chmodSync(join(bin, "sops"), 0o755);
  await grantKeys(world, "AGE-SECRET-KEY-1");
  const by = "unshare --pid --fork --mount-proc --kill-child".split(" ");
  replica = await start("first", [], { by });
  await sources.serve(
    "sealed",
    { "layers/apps/shop/values.yaml": "a: 1\n", "layers/apps/shop/secret.yaml": sealedFile },
    "0001",
  );
  const hang = folded(
    "hang",
    of("sealed", {
      render: [{ settings: { ...rendering, sops: {} } }],
      timeout: "1s",
      retryInterval: "1s",
      decryption,
    }),
  );
  await world.api.apply(hang);
  await failed(world, hang, "RenderFailed");
  // Some more runs, each of which leaves programs without a parent.
  await new Promise((resolve) => setTimeout(resolve, 5000));
  await gone(hang);
  const [controller] = processes().filter(({ parent }) => parent === replica?.pid);
  expect(controller).toBeDefined();
  await until(
    () => {
      const ended = processes().filter(({ state, parent }) => state === "Z" && parent === controller?.pid);
      return ended.length === 0 ? true : undefined;
    },
    "no ended program is left",
    60,
  );
});

interface Process {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
}

function processes(): readonly Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/u.test(name)) return [];
    try {
      const text = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state = "", parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
      return [{ pid: Number(name), state, parent: Number(parent) }];
    } catch {
      return []; // it has ended in between
    }
  });
}

const sealedFile = `color: ENC[AES256_GCM,data:dGVz,iv:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=,tag:aaaaaaaaaaaaaaaaaaaaaa==,type:str]
sops:
    age:
        - recipient: age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq
          enc: x
    lastmodified: "2024-01-01T00:00:00Z"
    mac: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]
    version: 3.9.0
`;

test("an overlay puts the controller into another namespace, with its rights and its policy", async () => {
  for (const each of overlaid(world.folder, "other", { bases: [], components: [] }))
    await world.api.apply(each);
  await sources.push("moved", ["shop"], "0001");
  replica = await start("moved", [], { user: "other-controller" });
  const shop = folded("moved", of("moved", { build: { path: "./apps/shop" } }));
  await world.api.apply(shop);
  await ready(world, shop);
  await gone(shop);
});

test("components and a shard: each Deployment has its own arguments, Service and volume", () => {
  const components = ["pod-monitor", "volume-claim", "sharded"].map((name) => `components/${name}`);
  const all = overlaid(world.folder, "flux-system", { bases: ["shard1"], components });
  const partsOf = (name: string): { readonly [key: string]: unknown } => {
    const found = (kind: string): Spec => {
      const same = all.filter((each) => each.kind === kind && each.metadata.name === name);
      expect([kind, same.length]).toEqual([kind, 1]);
      return same[0]?.spec as Spec;
    };
    const { template, selector } = found("Deployment");
    const [{ args }] = template.spec.containers;
    const valueOf = (flag: string): string | undefined =>
      args.findLast((arg) => arg.startsWith(`--${flag}=`))?.slice(flag.length + 3);
    const { app: label } = template.metadata.labels;
    expect([selector, found("Service").selector, found("NetworkPolicy").podSelector]).toEqual([
      { matchLabels: { app: label } },
      { app: label },
      { matchLabels: { app: label } },
    ]);
    return {
      label,
      account: template.spec.serviceAccountName,
      objects: valueOf("watch-label-selector"),
      address: valueOf("storage-adv-addr")?.split(".")[0],
      claim: template.spec.volumes.find((each) => each.name === "data")?.persistentVolumeClaim?.claimName,
    };
  };
  const account = "valuefold-controller";
  expect(partsOf(account)).toEqual({
    label: account,
    account,
    objects: "!sharding.fluxcd.io/key",
    address: account,
    claim: account,
  });
  expect(partsOf(`${account}-shard1`)).toEqual({
    label: `${account}-shard1`,
    account,
    objects: "sharding.fluxcd.io/key=shard1",
    address: `${account}-shard1`,
    claim: undefined,
  });
  expect(all.filter(({ kind }) => ["PodMonitor", "PersistentVolumeClaim"].includes(kind))).toHaveLength(2);
});

interface Spec {
  readonly selector: object;
  readonly podSelector: object;
  readonly template: {
    readonly metadata: { readonly labels: { readonly app: string } };
    readonly spec: {
      readonly serviceAccountName: string;
      readonly containers: readonly [{ readonly args: readonly string[] }];
      readonly volumes: readonly {
        readonly name: string;
        readonly persistentVolumeClaim?: { readonly claimName: string };
      }[];
    };
  };
}

async function gone(object: Entity): Promise<void> {
  await world.api.delete(object);
  await until(async () => ((await world.api.find(object)) === undefined ? true : undefined), "it is gone");
}
