// The fold under the real SDK's `run()`: the same values, and what the SDK's wire loses on the way.
// @module-tag law
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { foldText } from "./support/fold.ts";

const program = join(mkdtempSync(join(tmpdir(), "valuefold-sdk-")), "fold.cjs");

beforeAll(async () => {
  const entryPoints = [new URL("../examples/kpt-sdk/fold.ts", import.meta.url).pathname];
  await build({
    entryPoints,
    outfile: program,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "silent",
  });
});

function runSdk(input: string): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync(process.execPath, ["--no-deprecation", program], {
    input,
    encoding: "utf8",
  });
  return { status, stdout };
}

const list = `apiVersion: config.kubernetes.io/v1beta1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: zeta, namespace: org}
  data: {values: "a: 1\\nm: {x: 1}\\n"}
- apiVersion: v1 # first
  kind: ConfigMap
  metadata: {name: dup}
  data: {a: one}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: dup}
  data: {a: two}
- apiVersion: example.com/v1
  kind: Thing
  metadata: {name: scalars}
  spec: {octal: 0755, exponent: 1e3, long: 12345678901234567890, date: 2001-12-14, text: "0o755"}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: user, namespace: org}
  data: {values: "a: 2\\nm: {y: 2}\\n"}
- apiVersion: application.giantswarm.io/v1alpha1
  kind: App
  metadata: {name: shop, namespace: org}
  spec:
    catalog: x
    kubeConfig: {inCluster: true}
    config: {configMap: {name: zeta, namespace: org}}
    userConfig: {configMap: {name: user, namespace: org}}
functionConfig: {apiVersion: valuefold.dev/v1alpha1, kind: ValueFold, metadata: {name: fold}}
`;

interface List {
  readonly apiVersion: string;
  readonly metadata?: object;
  readonly functionConfig?: object;
  readonly items: readonly {
    kind: string;
    metadata: { name: string };
    data?: { values?: string; a?: string };
    spec?: object;
  }[];
}

test("the SDK's run() folds to the same values", () => {
  const valuesOf = (text: string): string | undefined =>
    (parse(text) as List).items.find(({ metadata }) => metadata.name === "shop-folded")?.data?.values;
  expect(valuesOf(runSdk(list).stdout)).toBe(valuesOf(foldText(list).output));
});

test("what its wire loses, and ours keeps", () => {
  const sdk = runSdk(list).stdout;
  const own = foldText(list).output;
  const [lost, kept] = [parse(sdk) as List, parse(own) as List];
  const dups = ({ items }: List): unknown[] =>
    items.filter(({ metadata }) => metadata.name === "dup").map(({ data }) => data?.a);
  expect([dups(lost), dups(kept)]).toEqual([["two"], ["one", "two"]]);
  const order = ({ items }: List): string[] => items.map(({ metadata }) => metadata.name);
  expect(order(lost)).toEqual(["shop", "scalars", "dup", "shop-folded", "user", "zeta"]);
  expect(order(kept)).toEqual(["zeta", "dup", "dup", "scalars", "user", "shop-folded", "shop"]);
  expect([sdk.includes("# first"), own.includes("# first")]).toEqual([false, true]);
  const changed = [
    "octal: 493",
    "exponent: 1000",
    "long: 12345678901234567000",
    "date: '2001-12-14T00:00:00.000Z'",
    "text: 0o755",
  ];
  for (const line of changed)
    expect(sdk).toContain(`${line}
`);
  expect(own).toContain(
    '{octal: 0755, exponent: 1e3, long: 12345678901234567890, date: 2001-12-14, text: "0o755"}',
  );
  expect([lost.apiVersion, lost.functionConfig, lost.metadata]).toEqual([
    "config.kubernetes.io/v1",
    undefined,
    { name: "output" },
  ]);
  expect([kept.apiVersion, kept.metadata]).toEqual(["config.kubernetes.io/v1beta1", undefined]);
  expect(kept.functionConfig).toBeDefined();
});

test("what is no list ends well for the SDK, and as an error for us", () => {
  for (const input of ["", "apiVersion: v1\nkind: ConfigMap\n"]) {
    const { status, stdout } = runSdk(input);
    expect([status, (parse(stdout) as List).items]).toEqual([0, []]);
  }
  expect(foldText("kind: ConfigMap # no ResourceList\n").exitCode).toBe(1);
});
