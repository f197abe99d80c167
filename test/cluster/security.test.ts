// Each line of the security list in docs/flux-controller.md that needs a cluster; hostile archives and builds are in
// the controller's own tests.
import { readFileSync, writeFileSync } from "node:fs";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { conditionOf, type Entity, Refused } from "./api.ts";
import { app, external, folded, gitSource, rendering } from "./objects.ts";
import { seconds, tools, until } from "./processes.ts";
import { decryption, failed, grantKeys, push, ready } from "./steps.ts";
import { World } from "./world.ts";

let world: World;

beforeAll(async () => {
  world = await World.start();
  world.repository.push(app("shop", "blue"));
  await world.api.apply(gitSource(world.repository.url));
  await world.api.apply(folded("shop", { build: { path: "./apps/shop" } }));
  await ready(world, folded("shop", {}));
});

afterAll(() => world.stop());

function refusal(work: Promise<unknown>): Promise<number | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error instanceof Refused ? error.code : -1),
  );
}

test("the controller reads no Secrets, and writes only what it must", async () => {
  const api = world.asController();
  const of = (kind: string): Entity => ({
    apiVersion: "v1",
    kind,
    metadata: { name: "x", namespace: "apps" },
  });
  expect(await refusal(api.list(of("Secret")))).toBe(403);
  expect(await refusal(api.get(of("Secret")))).toBe(403);
  expect(await refusal(api.get(of("ConfigMap")))).toBe(403);
  expect(await refusal(api.apply(of("ConfigMap")))).toBe(403);
  expect(await refusal(api.patch(gitSource(""), { spec: { suspend: true } }))).toBe(403);
});

test("a tenant with all rights may neither make our ExternalArtifact nor change its status", async () => {
  const api = world.asTenant();
  const spec = {
    sourceRef: { apiVersion: "flux.valuefold.dev/v1alpha1", kind: "FoldedArtifact", name: "evil" },
  };
  expect(await refusal(api.apply({ ...external("evil"), spec }))).toBe(422);
  const change = { status: { artifact: { url: "http://evil" } } };
  expect(await refusal(api.patch(external("shop"), change, "/status"))).toBe(422);
  expect(await refusal(api.patch(external("shop"), { metadata: { labels: { a: "b" } } }))).toBe(422);
  // Those of other controllers are no matter of ours.
  const other = { sourceRef: { apiVersion: "v1", kind: "ConfigMap", name: "x" } };
  expect(await refusal(api.apply({ ...external("other"), spec: other }))).toBeUndefined();
  await world.api.delete(external("other"));
});

test("the schema refuses what cannot be meant", async () => {
  const refused = [
    {},
    { build: {}, sourceRef: { kind: "HelmRepository", name: "x" } },
    { build: {}, interval: "soon" },
    { build: {}, interval: "9999999999h" },
    { build: {}, retryInterval: "8761h" },
    { build: {}, timeout: "1h".repeat(20) },
    { build: {}, fold: {} },
    { build: {}, fold: { path: "a", settings: {} } },
    { build: {}, decryption: { provider: "vault", secretRef: { name: "x" } } },
    { render: [] },
  ];
  for (const spec of refused) expect(await refusal(world.api.apply(folded("bad", spec)))).toBe(422);
});

test("only exact paths of artifacts are served, and nothing is listed", async () => {
  const { url = "", path = "" } = (await world.api.get(external("shop"))).status?.artifact ?? {};
  const base = url.slice(0, -path.length);
  expect((await fetch(url)).status).toBe(200);
  expect(await (await fetch(base)).text()).toBe("");
  const others = [
    "externalartifact",
    "externalartifact/apps/shop/",
    `${path}.lock`,
    "../ca.key",
    "%2e%2e/ca.key",
  ];
  for (const each of others) expect((await fetch(base + each)).status).toBe(404);
  expect((await fetch(url, { method: "PUT" })).status).toBe(405);
});

test.each([
  ["/etc", "is outside of `--root`"],
  ["../../..", "is outside of `--root`"],
])("settings of a render that name %s read nothing", async (directory, message) => {
  const evil = folded("evil", { render: [{ settings: { ...rendering, directory } }] });
  await world.api.apply(evil);
  expect((await failed(world, evil, "RenderFailed")).ready.message).toContain(message);
  await gone(evil);
});

test.each([
  ["a path that leads out", { path: "../../../../../../etc/passwd" }, "there is no file"],
  ["keys", { settings: { sops: { keys: "/etc" } } }, "sops.keys and sops.allowPlaintext"],
  ["plain text", { settings: { sops: { allowPlaintext: true } } }, "sops.keys and sops.allowPlaintext"],
  ["sops, and no keys", { settings: { sops: {} } }, "name keys in spec.decryption"],
  [
    "a schema that leads out",
    {
      settings: { schemas: [{ targets: [{ kind: "ConfigMap" }], key: "values.yaml", file: "/proc/1/comm" }] },
    },
    "outside of the source",
  ],
])("settings of a fold with %s are refused", async (_, fold, message) => {
  const evil = folded("evil", { build: { path: "./apps/shop" }, fold });
  await world.api.apply(evil);
  expect((await failed(world, evil, "FoldFailed")).ready.message).toContain(message);
  await gone(evil);
});

test("settings in a ConfigMap, which spell keys otherwise, are refused", async () => {
  const config =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\ndata: { sops.allowPlaintext: 'true' }\n";
  await push(world, { "fold.yaml": config });
  const evil = folded("evil", { build: { path: "./apps/shop" }, fold: { path: "fold.yaml" } });
  await world.api.apply(evil);
  expect((await failed(world, evil, "FoldFailed")).ready.message).toContain('of kind "ConfigMap"');
  await gone(evil);
});

test("a build that leads out of the source, or needs a network, is refused", async () => {
  await push(world, { "remote/kustomization.yaml": `resources: ['${world.repository.url}/x.yaml']\n` });
  for (const [path, message] of [
    ["../../../../etc", "there is no folder"],
    ["./remote", "nothing is fetched"],
  ] as const) {
    const evil = folded("evil", { build: { path } });
    await world.api.apply(evil);
    expect((await failed(world, evil, "BuildFailed")).ready.message).toContain(message);
    await gone(evil);
  }
});

test("an alias bomb ends its child; other objects go on, and the controller stays small", async () => {
  const bomb = ["x0: &x0 [a,a,a,a,a,a,a,a,a,a]"];
  for (let depth = 1; depth < 9; depth++)
    bomb.push(`x${depth}: &x${depth} [${Array.from({ length: 10 }, () => `*x${depth - 1}`).join(",")}]`);
  const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\n";
  await push(world, { "bomb/b.yaml": `${head}${bomb.join("\n")}\n` });
  const evil = folded("evil", { build: { path: "./bomb" }, timeout: "30s" });
  await world.api.apply(evil);
  await failed(world, evil, "BuildFailed", 90);
  expect(rssOf(world.controller?.pid ?? 0)).toBeLessThan(200);
  await push(world, app("shop", "green"));
  await ready(world, folded("shop", {}));
  await gone(evil);
});

test("sealed layers stay sealed in what is published, with keys and without", async () => {
  const key = join(world.folder, "key.agekey");
  succeed("age-keygen", ["-o", key]);
  const recipient = /public key: (\S+)/u.exec(readFileSync(key, "utf8"))?.[1] ?? "";
  const plainFile = join(world.folder, "plain.yaml");
  writeFileSync(plainFile, "password: hunter2\n");
  const sealed = succeed("sops", ["--config", "/dev/null", "encrypt", "--age", recipient, plainFile]);
  await push(world, {
    "layers/apps/shop/values.yaml": "color: blue\n",
    "layers/apps/shop/secret.yaml": sealed,
  });
  await grantKeys(world, readFileSync(key, "utf8"));
  const opened = folded("opened", { render: [{ settings: { ...rendering, sops: {} } }], decryption });
  await world.api.apply(opened);
  const first = await ready(world, opened);
  const text = await publishedText("opened");
  expect(text).toContain("kind: Secret");
  expect(text).toContain("ENC[AES256_GCM");
  expect(text).not.toContain("hunter2");
  expect(text).not.toContain(Buffer.from("password: hunter2\n").toString("base64"));
  // Sealing gives other bytes each time: without a change they are kept.
  await push(world, { README: "nothing\n" });
  const again = await until(async () => {
    const found = await world.api.get(opened);
    return found.status?.lastPublishedRevision === first.status?.lastPublishedRevision ? undefined : found;
  }, "the commit is folded");
  expect(again.status?.artifact?.digest).toBe(first.status?.artifact?.digest);
  expect(world.controller?.log()).not.toContain("AGE-SECRET-KEY");
  expect(world.controller?.log()).not.toContain("hunter2");
});

test("sops contacts no vault that a sealed document names", async () => {
  let contacts = 0;
  const vault = createServer((_, response) => {
    contacts++;
    response.statusCode = 400;
    response.end();
  });
  vault.listen(0, "127.0.0.1");
  await once(vault, "listening");
  const address = `http://127.0.0.1:${(vault.address() as { port: number }).port}`;
  await push(world, {
    "layers/apps/shop/values.yaml": "color: blue\n",
    "layers/apps/shop/secret.yaml": sealedFor(address),
  });
  await grantKeys(world, "AGE-SECRET-KEY-1");
  const evil = folded("evil", {
    render: [{ settings: { ...rendering, sops: {} } }],
    decryption,
    timeout: "20s",
  });
  await world.api.apply(evil);
  await failed(world, evil, "RenderFailed");
  await gone(evil);
  // It would be contacted without the confinement.
  const env = { PATH: `${tools}:/usr/bin:/bin`, HOME: world.folder };
  const decrypt = "--config /dev/null decrypt --input-type yaml --output-type yaml".split(" ");
  const sops = spawn(`${tools}sops`, decrypt, { env, stdio: ["pipe", "ignore", "ignore"] });
  const before = contacts;
  sops.stdin.end(sealedFor(address));
  await once(sops, "exit");
  vault.close();
  expect([before, contacts > 0]).toEqual([0, true]);
});

const sealedFor = (
  vault: string,
): string => `color: ENC[AES256_GCM,data:dGVz,iv:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=,tag:aaaaaaaaaaaaaaaaaaaaaa==,type:str]
sops:
    hc_vault:
        - vault_address: ${vault}
          engine_path: transit
          key_name: k
          created_at: "2024-01-01T00:00:00Z"
          enc: vault:v1:AAAA
    lastmodified: "2024-01-01T00:00:00Z"
    mac: ENC[AES256_GCM,data:x,iv:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=,tag:aaaaaaaaaaaaaaaaaaaaaa==,type:str]
    version: 3.9.0
`;

test("a source that Go cannot read hinders no other, also for a new controller", async () => {
  const evil = gitSource(world.repository.url, "9999999999h", "evil");
  await world.source?.stop(); // it could read none of its sources
  await world.api.apply(evil);
  await world.controller?.stop();
  await world.startController();
  const { url = "" } = (await world.api.get(external("shop"))).status?.artifact ?? {};
  await until(async () => ((await fetch(url)).status === 200 ? true : undefined), "the store is served");
  const fresh = folded("fresh", { build: { path: "./apps/shop" } });
  await world.api.apply(fresh);
  expect((await failed(world, fresh, "FetchFailed")).ready.message).toContain(
    "GitRepository flux-system/fleet, http",
  );
  await world.api.delete(evil);
  await world.startSource();
  await ready(world, fresh, 90);
  await gone(fresh);
});

test("a build that fails quotes no Secret", async () => {
  const secret = "apiVersion: v1\nkind: Secret\nmetadata: { name: db }\nstringData: { password: hunter2 }\n";
  const patch = "- target: { kind: Secret }\n  patch: |\n    stringData:\n      password: hunter2\n";
  await push(world, {
    "quoted/s.yaml": secret,
    "quoted/kustomization.yaml": `resources: [s.yaml]\npatches:\n${patch}`,
  });
  const evil = folded("evil", { build: { path: "./quoted" } });
  await world.api.apply(evil);
  const { object } = await failed(world, evil, "BuildFailed");
  const events = { apiVersion: "v1", kind: "Event", metadata: { name: "x", namespace: "apps" } };
  expect(JSON.stringify([object, await world.api.list(events)])).not.toContain("hunter2");
  expect(world.controller?.log()).not.toContain("hunter2");
  await gone(evil);
});

test("a hostile namespace leaves workers to the others", { timeout: 120_000 }, async () => {
  const many = Array.from(
    { length: 12_000 },
    (_, index) => `---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: c${index} }\n`,
  );
  await push(world, { "slow/a.yaml": many.join(""), "slow/kustomization.yaml": "resources: [a.yaml]\n" });
  const hostile = Array.from({ length: 4 }, (_, index): Entity => {
    const slow = folded(`slow-${index}`, { build: { path: "./slow" }, timeout: "10m" });
    return { ...slow, metadata: { ...slow.metadata, namespace: "other" } };
  });
  for (const each of hostile) await world.api.apply(each);
  await until(async () => {
    const found = await Promise.all(hostile.map((each) => world.api.get(each)));
    const at = found.filter((each) => conditionOf(each, "Reconciling")?.reason === "Progressing");
    return at.length > 1 ? true : undefined;
  }, "the slow ones are folded");
  const begun = Date.now();
  await push(world, app("shop", "fair"));
  await until(async () => {
    return (await publishedText("shop")).includes("color: fair") ? true : undefined;
  }, "the push is published");
  console.log(`published beside four slow objects after ${seconds(begun)} s`);
  // Deleted, they free their workers at once.
  const deleted = Date.now();
  await Promise.all(hostile.map(gone));
  expect(Date.now() - deleted).toBeLessThan(60_000);
});

test("without cross-namespace references a source of another namespace is refused", async () => {
  await world.controller?.stop();
  await world.startController(["--no-cross-namespace-refs"]);
  const found = await failed(world, folded("shop", {}), "AccessDenied");
  expect(conditionOf(found.object, "Stalled")?.status).toBe("True");
});

async function gone(object: Entity): Promise<void> {
  await world.api.delete(object);
  await until(async () => ((await world.api.find(object)) === undefined ? true : undefined), "it is gone");
}

async function publishedText(name: string): Promise<string> {
  const { url = "" } = (await world.api.get(external(name))).status?.artifact ?? {};
  const archive = Buffer.from(await (await fetch(url)).arrayBuffer());
  return succeed("tar", ["-xzO"], archive);
}

function succeed(command: string, args: readonly string[], input?: Buffer): string {
  const env = { PATH: `${tools}:/usr/bin:/bin` };
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: "utf8", input });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
  return stdout;
}

/** In MiB. */
function rssOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/u.exec(text)?.[1]) / 1024;
}
