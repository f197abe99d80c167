// A kind that is read is one file and one line: here it is one that the program does not know.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { readKinds, type ReadKinds } from "../../src/sources/read-kinds.ts";
import { shelfKind } from "../support/shelf-kind.ts";
import { worldOf } from "../support/world.ts";

beforeAll(() => {
  (readKinds as ReadKinds[]).push(shelfKind);
});

const files = {
  "config.yaml": `apiVersion: helm.cattle.io/v1
kind: HelmChartConfig
metadata:
  name: traefik
spec:
  valuesContent: "replicas: 2"
`,
  "base/shelf.yaml": `apiVersion: shops.example/v1
kind: Shelf
metadata:
  name: tea
spec:
  owner: ann
  stock:
    green: 3
    black: 5
    tins: [small, large]
`,
  "base/kustomization.yaml": "resources: [shelf.yaml]\n",
  "prod/kustomization.yaml": `namePrefix: prod-
namespace: shops
resources: [../base]
patches:
  - path: more.yaml
  - target:
      kind: Shelf
    patch: |
      - op: replace
        path: /spec/stock/tins/1
        value: huge
`,
  "prod/more.yaml": `apiVersion: shops.example/v1
kind: Shelf
metadata:
  name: tea
spec:
  stock:
    black: 8
    white: 1
`,
};

async function explained(...words: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-kinds-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const { output, messages, exitCode } = await runCommand(
    ["explain", ...words],
    worldOf("", { directory: folder }),
  );
  expect(messages).toBe("");
  expect(exitCode).toBe(0);
  return Buffer.concat(output).toString("utf8");
}

test("what a kustomization builds of it has the places of the files that set it", async () => {
  expect(await explained("prod")).toMatchInlineSnapshot(`
    "Shelf/shops/prod-tea  base/shelf.yaml:1:1
    values; highest first
      C  a patch                  prod/kustomization.yaml:9:7  patch       sets 1 value
      B  a patch                  prod/more.yaml:1:1           patch       sets 2 values
      A  the target's own values  base/shelf.yaml:1:1          spec.stock  sets 3 values, 2 of them overridden

    black: 8               B prod/more.yaml:7:12
      over 5               A base/shelf.yaml:9:12
    green: 3               A base/shelf.yaml:8:12
    tins: [small, huge]    C prod/kustomization.yaml:11:16
      over [small, large]  A base/shelf.yaml:10:11  list replaced whole
    white: 1               B prod/more.yaml:8:12
    "
  `);
});

test("a file has its places", async () => {
  expect(await explained("base/shelf.yaml")).toMatchInlineSnapshot(`
    "Shelf/tea  base/shelf.yaml:1:1
    values; highest first
      A  the target's own values  base/shelf.yaml:8:5  spec.stock  sets 3 values

    green: 3              A base/shelf.yaml:8:12
    black: 5              A base/shelf.yaml:9:12
    tins: [small, large]  A base/shelf.yaml:10:11
    "
  `);
});

test.for([
  ["prod", "Shelf/prod-tea"],
  ["config.yaml", "HelmChartConfig/traefik"],
] as const)("it is asked for by its kind and name: %s %s", async (words) => {
  expect(await explained(...words)).toMatch(/^(?:Shelf|HelmChartConfig)\//);
});
