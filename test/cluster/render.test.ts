// examples/render as FoldedArtifacts: scope, failures and misses in one object.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { external, folded, gitSource } from "./objects.ts";
import { decryption, failed, grantKeys, push, ready } from "./steps.ts";
import { World } from "./world.ts";

let world: World;
const example = new URL("../../examples/render/", import.meta.url).pathname;

function filesIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}

beforeAll(async () => {
  world = await World.start();
  world.repository.push(filesIn(example));
  await world.api.apply(gitSource(world.repository.url));
  await grantKeys(world, readFileSync(join(example, "../sops/throw-away.agekey"), "utf8"));
});

afterAll(() => world.stop());

const settings = {
  directory: "config",
  schema: "schema.yaml",
  variables: { installation: "fermi" },
  scope: { variable: "app", directories: "default/apps", includes: { exact: ["ingress-nginx"] } },
  destination: { namespace: "apps", naming: { suffix: "konfiguration" } },
  sops: {},
};

test("settings in a file of the source", async () => {
  const fermi = folded("fermi", { render: [{ path: "fermi/render.yaml" }], decryption });
  await world.api.apply(fermi);
  const { status } = await ready(world, fermi);
  expect(status?.artifact?.items).toBe(4);
  expect(status?.misses).toBeUndefined();
});

test("an include that finds nothing is a miss, and the rest is published", async () => {
  const includes = { exact: ["ingress-nginx", "no-such-operator"] };
  const scoped = folded("scoped", {
    render: [{ settings: { ...settings, scope: { ...settings.scope, includes } } }],
    decryption,
  });
  await world.api.apply(scoped);
  const { status } = await ready(world, scoped);
  expect(status?.misses).toEqual([
    "the include `no-such-operator` is not a folder in `default/apps`: take it out, or add the folder",
  ]);
  expect(status?.warnings).toBeGreaterThan(0);
});

test("a template that fails names its app, its file and its line; the last artifact stays", async () => {
  const scoped = folded("scoped", {});
  const before = await world.api.get(external("scoped"));
  await push(world, { "config/default/apps/ingress-nginx/values.yaml": "a: 1\nb: {{ .no.such.key }}\n" });
  const { object } = await failed(world, scoped, "RenderFailed");
  expect(object.status?.failures).toEqual([
    {
      step: "render",
      code: "template-failed",
      subject: "ingress-nginx",
      message: expect.stringContaining("") as string,
      at: expect.stringMatching(/^default\/apps\/ingress-nginx\/values\.yaml:2:/u) as string,
      hint: expect.stringContaining("") as string,
    },
  ]);
  expect((await world.api.get(external("scoped"))).status).toEqual(before.status);
});
