// Each line of the failure list in docs/flux-controller.md.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { conditionOf } from "./api.ts";
import { app, configMap, external, folded, gitSource, kustomization, rendering } from "./objects.ts";
import { until } from "./processes.ts";
import { applied, decryption, failed, grantKeys, push, ready, reconcile } from "./steps.ts";
import { shortLease, World } from "./world.ts";

let world: World;
const shop = folded("shop", { build: { path: "./apps/shop" }, verify: {} });

beforeAll(async () => {
  world = await World.start();
  world.repository.push({ ...app("shop", "blue"), ...app("till", "red") });
  await world.api.apply(gitSource(world.repository.url));
  await world.api.apply(shop);
  await world.api.apply(kustomization("shop"));
  await applied(world, "shop", "color: blue");
});

afterAll(() => world.stop());

function storedFiles(): readonly string[] {
  const folder = join(world.controller?.storage ?? "", "externalartifact/apps/shop");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".tar.gz"))
    .map((name) => join(folder, name));
}

test.each([
  ["is deleted", (file: string) => rmSync(file)],
  ["is corrupted", (file: string) => writeFileSync(file, "x")],
])("a stored file that %s is made again with the same digest", async (_, break_) => {
  const before = await ready(world, shop);
  storedFiles().forEach(break_);
  const after = await reconcile(world, shop);
  expect(after.status?.artifact).toEqual(before.status?.artifact);
  const url = (await world.api.get(external("shop"))).status?.artifact?.url ?? "";
  expect((await fetch(url)).headers.get("content-type")).toBe("application/gzip");
});

test("an ExternalArtifact that is edited or deleted comes back", async () => {
  const before = await world.api.get(external("shop"));
  const restored = (): Promise<true> =>
    until(async () => {
      const found = await world.api.find(external("shop"));
      return found?.status?.artifact?.digest === before.status?.artifact?.digest ? true : undefined;
    }, "it is back");
  await world.api.patch(before, { status: { artifact: { digest: `sha256:${"0".repeat(64)}` } } }, "/status");
  await restored();
  await world.api.delete(before);
  await restored();
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const condition = { type: "Ready", status: "False", reason: "X", message: "x", lastTransitionTime };
  const edit = { artifact: { revision: "latest@sha256:0" }, conditions: [condition] };
  await world.api.patch(before, { status: edit }, "/status");
  await until(async () => {
    const found = await world.api.get(external("shop"));
    const isBack = found.status?.artifact?.revision === before.status?.artifact?.revision;
    return isBack && conditionOf(found)?.status === "True" ? true : undefined;
  }, "revision and condition are back");
});

test("an ExternalArtifact that is edited while a new controller starts comes back, too", async () => {
  await world.controller?.stop();
  await world.startController();
  await ready(world, shop);
  const before = await world.api.get(external("shop"));
  await reconcile(world, shop);
  await world.api.patch(before, { status: { artifact: { digest: `sha256:${"0".repeat(64)}` } } }, "/status");
  await until(async () => {
    const found = await world.api.get(external("shop"));
    return found.status?.artifact?.digest === before.status?.artifact?.digest ? true : undefined;
  }, "it is back");
});

test("a broken build names what kustomize says, and none of our paths", async () => {
  await push(world, { "apps/shop/kustomization.yaml": "resources: [no-such-file.yaml]\n" });
  const { ready: condition, object } = await failed(world, shop, "BuildFailed");
  expect(condition.message).toContain("no-such-file.yaml");
  expect(condition.message).not.toMatch(/\/tmp|tree-|fold-/u);
  expect(object.status?.failures?.[0]?.step).toBe("build");
  await push(world, app("shop", "green"));
  await applied(world, "shop", "color: green");
});

test("a fault that only an edit mends is not retried", async () => {
  await push(world, { "apps/shop/prod.yaml": "- broken\n" });
  const { object } = await failed(world, shop, "FoldFailed");
  const settled = await reconcile(world, object);
  await new Promise((resolve) => setTimeout(resolve, 5000));
  expect(await world.api.get(shop)).toEqual(settled);
  // So is it by a push that does not touch it.
  await push(world, { "other/README": "x\n" });
  const kept = await until(async () => {
    const found = await world.api.get(shop);
    return found.status?.lastAttemptedRevision === settled.status?.lastAttemptedRevision ? undefined : found;
  }, "the push is seen");
  expect(kept.status?.failures).toEqual(settled.status?.failures);
  const events = await world.api.list({
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "x", namespace: "apps" },
  });
  const warnings = events.filter((each) => {
    const { type, involvedObject } = each as unknown as { type: string; involvedObject: { kind: string } };
    return (
      type === "Warning" &&
      involvedObject.kind === "FoldedArtifact" &&
      JSON.stringify(each).includes("not-a-mapping")
    );
  });
  expect(warnings).toHaveLength(1);
  expect((warnings[0] as unknown as { count: number }).count).toBe(1);
  await push(world, app("shop", "green"));
  await ready(world, shop);
});

test("a source that does not exist, and one of its own name", async () => {
  const lost = folded("lost", { build: {}, sourceRef: { kind: "GitRepository", name: "no-such" } });
  const own = folded("own", { build: {}, sourceRef: { kind: "ExternalArtifact", name: "own" } });
  await world.api.apply(lost);
  await world.api.apply(own);
  expect((await failed(world, lost, "SourceNotReady")).ready.message).toBe(
    "GitRepository apps/no-such does not exist",
  );
  const { object } = await failed(world, own, "ValidationFailed");
  expect(conditionOf(object, "Stalled")?.status).toBe("True");
  for (const each of [lost, own]) await world.api.delete(each);
});

test("an ExternalArtifact of another owner is left alone", async () => {
  const foreign = {
    ...external("till"),
    spec: { sourceRef: { apiVersion: "v1", kind: "ConfigMap", name: "x" } },
  };
  await world.api.apply(foreign);
  const till = folded("till", { build: { path: "./apps/till" } });
  await world.api.apply(till);
  expect(conditionOf((await failed(world, till, "OwnerConflict")).object, "Stalled")?.status).toBe("True");
  expect((await world.api.get(foreign)).status?.artifact).toBeUndefined();
  await world.api.delete(till);
  await until(async () => ((await world.api.find(till)) === undefined ? true : undefined), "it is gone");
  expect(await world.api.find(foreign)).toBeDefined();
  await world.api.apply(till);
  await failed(world, till, "OwnerConflict");
  await world.api.delete(foreign);
  await ready(world, till);
  await world.api.delete(till);
});

test("without notification-controller the status does not wait", async () => {
  await world.controller?.stop();
  await world.startController(["--events-addr=http://127.0.0.1:9/"]);
  await ready(world, shop);
  const begun = Date.now();
  await push(world, app("shop", "loud"));
  await until(async () => {
    const { status } = await world.api.get(shop);
    return status?.lastPublishedRevision === status?.lastAttemptedRevision ? true : undefined;
  }, "it is published");
  await push(world, { "apps/shop/prod.yaml": "- broken\n" });
  await failed(world, shop, "FoldFailed");
  expect(Date.now() - begun).toBeLessThan(60_000);
  await push(world, app("shop", "green"));
  await applied(world, "shop", "color: green");
  await world.controller?.stop();
  await world.startController();
});

test("kill -9 leaves nothing behind that the next start does not remove", async () => {
  const temporary = join(world.folder, "controller-tmp");
  writeFileSync(join(temporary, "important.txt"), "mine\n");
  await world.controller?.stop();
  await world.startController(shortLease);
  await ready(world, shop);
  await push(world, app("shop", "killed"));
  await world.controller?.stop("SIGKILL");
  await world.startController(shortLease);
  await applied(world, "shop", "color: killed");
  await push(world, app("shop", "green"));
  await applied(world, "shop", "color: green");
  const runs = readdirSync(join(temporary, "valuefold-controller"));
  expect([readdirSync(temporary).toSorted(), runs.length]).toEqual([
    ["important.txt", "valuefold-controller"],
    1,
  ]);
});

test("while source-controller is away the last artifact stays; a new object is published once it is back", async () => {
  await world.source?.stop();
  const late = folded("late", { build: { path: "./apps/till" } });
  // Another controller has no unpacked source.
  await world.controller?.stop();
  await world.startController();
  await world.api.apply(late);
  const { ready: condition } = await failed(world, late, "FetchFailed");
  expect(condition.message).not.toContain("tree-");
  expect(conditionOf(await world.api.get(shop))?.status).toBe("True");
  await world.startSource();
  await ready(world, late, 90);
  await world.api.delete(late);
});

test("while the controller is away what is applied stays; an emptied volume gives the same artifact again", async () => {
  const before = await ready(world, shop);
  const announced = await world.api.get(external("shop"));
  const target = await applied(world, "shop", "color: green");
  await world.controller?.stop();
  rmSync(world.controller?.storage ?? "", { recursive: true });
  const asked = { metadata: { annotations: { "reconcile.fluxcd.io/requestedAt": "while-away" } } };
  await world.api.patch(kustomization("shop"), asked);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect((await world.api.get(configMap("shop"))).metadata.resourceVersion).toBe(
    target.metadata.resourceVersion,
  );

  await world.startController();
  await until(async () => (storedFiles().length > 0 ? true : undefined), "the file is there again");
  await until(async () => {
    const { status } = await world.api.get(kustomization("shop"));
    return status?.lastHandledReconcileAt === "while-away" ? true : undefined;
  }, "the Kustomization has fetched it");
  expect((await ready(world, shop)).status?.artifact).toEqual(before.status?.artifact);
  expect((await world.api.get(external("shop"))).status?.artifact).toEqual(announced.status?.artifact);
  expect((await world.api.get(configMap("shop"))).metadata.resourceVersion).toBe(
    target.metadata.resourceVersion,
  );
});

test("a full disk is named; the last artifact stays, and space mends it", async () => {
  const storage = world.controller?.storage ?? "";
  await world.controller?.stop();
  sh("mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", storage);
  try {
    await world.startController();
    await until(async () => (storedFiles().length > 0 ? true : undefined), "the file is there");
    const before = await ready(world, shop);
    expect(() => writeFileSync(join(storage, "filler"), Buffer.alloc(1 << 20))).toThrow("ENOSPC");
    await push(world, app("shop", "full"));
    const { ready: condition, object } = await failed(world, shop, "StorageFailed");
    expect(condition.message).toContain("no space left on device");
    expect(condition.message).not.toContain(world.folder);
    expect(object.status?.artifact).toEqual(before.status?.artifact);
    expect(storedFiles()).toHaveLength(1);
    rmSync(join(storage, "filler"));
    await applied(world, "shop", "color: full");
  } finally {
    await world.controller?.stop();
    sh("umount", storage);
    await world.startController();
  }
});

function sh(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}

test("a sops that hangs ends at its own limit or at spec.timeout", async () => {
  const bin = join(world.folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "sops"), "#!/bin/sh\nsleep 300\n");
  chmodSync(join(bin, "sops"), 0o755);
  await push(world, { "layers/apps/shop/secret.yaml": sealedFile });
  const hang = folded("hang", {
    render: [{ settings: { ...rendering, sops: {} } }],
    timeout: "2s",
    decryption,
  });
  await world.api.apply(hang);
  expect((await failed(world, hang, "DecryptionFailed")).ready.message).toContain("a Role must grant `get`");
  await grantKeys(world, "AGE-SECRET-KEY-1");
  const { ready: condition } = await failed(world, hang, "RenderFailed");
  expect(condition.message).toContain("took longer than spec.timeout");
  await world.api.delete(hang);
  await until(() => (isRunning(join(bin, "sops")) ? undefined : true), "no sops is left");
  rmSync(join(bin, "sops"));
});

function isRunning(program: string): boolean {
  return readdirSync("/proc").some((pid) => {
    const file = `/proc/${pid}/cmdline`;
    try {
      return /^\d+$/.test(pid) && readFileSync(file, "utf8").includes(program);
    } catch {
      return false; // it has ended in between
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
