// Records that somebody wrote or damaged, each with a digest that is right: every field is replaced by what it never is.
// A fold refuses the record, or writes an output that it folds to itself.
// @module-tag law
import { expect, test } from "vitest";
import { createHash } from "node:crypto";
import { foldText } from "../support/fold.ts";

const odd = [null, 0, 1.5, -1, 1e9, true, "", "x", "config", "ConfigMap/", ["x"], { a: 1 }, [], {}];
const digest = `sha256:${createHash("sha256").update("a: 1\n").digest("hex")}`;

const targets = {
  App: {
    slots: ["config", "extraConfigs"],
    apiVersion: "application.giantswarm.io/v1alpha1",
    spec: (name: string) => ({
      catalog: "c",
      name: "shop",
      config: { configMap: { name, namespace: "org" } },
    }),
  },
  HelmRelease: {
    slots: ["valuesFrom", "valuesFrom"],
    apiVersion: "helm.toolkit.fluxcd.io/v2",
    spec: (name: string) => ({ valuesFrom: [{ kind: "ConfigMap", name }] }),
  },
};

type Forged = Record<string, unknown> & { layers: Record<string, unknown>[] };

function recordFor(kind: keyof typeof targets): Forged {
  const [first, second] = targets[kind].slots;
  return {
    v: 2,
    target: `${kind}/org/shop`,
    digest,
    inputs: undefined,
    alone: undefined,
    rules: undefined,
    layers: [
      { kind: "ConfigMap", name: "one", namespace: "org", key: undefined, priority: 50, slot: first },
      { kind: "ConfigMap", name: "two", namespace: "org", priority: 60, slot: second, optional: undefined },
    ],
  };
}

function streamOf(kind: keyof typeof targets, record: unknown): string {
  const { apiVersion, spec } = targets[kind];
  const configMap = (name: string, key: string, text: string, annotations = {}): object => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "org", annotations },
    data: { [key]: text },
  });
  const key = kind === "App" ? "values" : "values.yaml";
  const items = [
    configMap("shop-folded", key, "a: 1\n", { "valuefold.dev/folded-from": JSON.stringify(record) }),
    { apiVersion, kind, metadata: { name: "shop", namespace: "org" }, spec: spec("shop-folded") },
    configMap("one", key, "x: 1\n"),
    configMap("two", key, "y: 1\n"),
  ];
  return items.map((item) => `${JSON.stringify(item)}\n`).join("---\n");
}

function* forgeries(kind: keyof typeof targets): Generator<Forged> {
  const extra = ["namespace", "key", "optional", "after", "behind", "before", "local", "gone"];
  for (const value of odd) {
    for (const field of Object.keys(recordFor(kind))) yield { ...recordFor(kind), [field]: value };
    for (const field of [...Object.keys(recordFor(kind).layers[0] ?? {}), ...extra]) {
      const [first, second] = recordFor(kind).layers;
      yield { ...recordFor(kind), layers: [{ ...first, [field]: value }, { ...second }] };
      yield { ...recordFor(kind), layers: [{ ...first }, { ...second, [field]: value }] };
    }
    yield { ...recordFor(kind), layers: [value] } as unknown as Forged;
  }
}

test.each(["App", "HelmRelease"] as const)("%s", (kind) => {
  const counts = { folded: 0, refused: 0 };
  for (const record of forgeries(kind)) {
    const shown = JSON.stringify(record);
    const first = foldText(streamOf(kind, record));
    expect([shown, [0, 1].includes(first.exitCode)]).toEqual([shown, true]);
    if (first.exitCode === 1) {
      counts.refused++;
      continue;
    }
    counts.folded++;
    const second = foldText(first.output);
    expect([shown, second.exitCode, second.output]).toEqual([shown, 0, first.output]);
  }
  expect(counts.folded).toBeGreaterThan(10);
  expect(counts.refused).toBeGreaterThan(100);
});

test("a long chain of layers, each after the next one, ends", () => {
  const all = Array.from({ length: 12_000 }, (_, index) => index);
  const layers = all.map((index) => ({
    kind: "ConfigMap",
    namespace: "org",
    name: `l${index}`,
    priority: 25,
    slot: "extraConfigs",
    after: `ConfigMap/org/l${index + 1}`,
  }));
  const items = all.map(
    (index) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l${index}, namespace: org}\ndata: {values: "a: ${index}"}\n`,
  );
  const { exitCode, output } = foldText(
    [...items, streamOf("App", { ...recordFor("App"), layers })].join("---\n"),
  );
  expect(exitCode).toBe(0);
  // The last of the record is the lowest.
  expect(output).toMatch(/a: 0\n/);
});
