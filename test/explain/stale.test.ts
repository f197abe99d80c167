// Stale folds where it is easily overlooked: one layer twice, renamed ones, those that nobody can read, and none at all.
import { expect, test } from "vitest";
import { verify } from "../../src/explain/verify.ts";
import { foldText } from "../support/fold.ts";
import { kptInput } from "../life/kpt.ts";
import { render } from "../life/render.ts";

const keep = "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {layers: keep}\n";

function layer(name: string, values: string, annotations = ""): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org${annotations}}\ndata: {values.yaml: "${values}"}\n`;
}

function release(...layers: readonly string[]): string {
  const list = layers.map((name) => `{kind: ConfigMap, name: ${name}}`).join(", ");
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {chart: {}, valuesFrom: [${list}]}\n`;
}

/** What is said of stale folds in a list that was folded, and changed since. */
function staleSince(items: readonly string[], change: (folded: string) => string): readonly string[] {
  const { output } = foldText(items.join("---\n"), keep);
  const text = change(output);
  expect(text).not.toBe(output);
  const { diagnostics } = verify({ input: Buffer.from(text), strict: false, config: Buffer.from(keep) });
  return diagnostics.flatMap(({ code, message }) =>
    code === "folded-stale" ? message.replace(/^.* now: /, "") : [],
  );
}

const changed = ["its layers give other values now"];

test("a layer that lies in its stack twice is looked at twice", () => {
  const items = [layer("low", "a: 1"), layer("high", "{a: 2, b: 1}"), release("low", "high", "low")];
  expect(staleSince(items, (text) => text.replace("{a: 2, b: 1}", "{a: 2, b: 2}"))).toEqual(changed);
  expect(staleSince(items, (text) => `${text}---\n${layer("other", "c: 1")}`)).toEqual([]);
});

test("a layer that kustomize has renamed since is the one that was recorded", () => {
  const items = [layer("low", "a: 1"), layer("high", "a: 2"), release("low", "high")];
  const previous =
    ", annotations: {internal.config.kubernetes.io/previousNames: low, internal.config.kubernetes.io/previousNamespaces: org, internal.config.kubernetes.io/previousKinds: ConfigMap}";
  const renamed = (values: string) => (text: string) =>
    text.replace(layer("low", "a: 1"), layer("eu-low", values, previous));
  expect(staleSince(items, renamed("a: 1"))).toEqual([]);
  expect(staleSince(items, renamed("{a: 1, b: 2}"))).toEqual(changed);
});

test("of a layer that cannot be read any more nobody says that it gives something else", () => {
  const items = [layer("low", "a: 1"), layer("high", "a: 2"), release("low", "high")];
  expect(staleSince(items, (text) => text.replace('"a: 1"', '"a: [1"'))).toEqual([]);
});

const app = `apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: {name: shop, namespace: org}
spec: {catalog: x, kubeConfig: {inCluster: true}}
`;

test.for([
  ["HelmRelease", release()],
  ["App", app],
] as const)("under kpt a fold of %s whose layers are all gone is told", ([kind, target]) => {
  const into = `, annotations: {valuefold.dev/into: ${kind}/shop}`;
  const texts = [layer("low", "a: 1", into), layer("high", "a: 2", into), target];
  const files = texts.map((text, at) => ({ path: `${at}.yaml`, text }));
  const { files: rendered } = render({ files, settings: {} }, "kpt");
  const left = rendered.filter(({ path }) => path !== "0.yaml" && path !== "1.yaml");
  const input = Buffer.from(kptInput({ files: left, settings: {} }));
  const { diagnostics } = verify({ input, strict: false });
  expect(diagnostics.map(({ code }) => code)).toEqual(["folded-stale"]);
});

test("overrides of a component are no annotated layers, and not missed as such", () => {
  const override = (name: string, data: object): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: kyma-installer, labels: {installer: overrides, component: istio}}\ndata: ${JSON.stringify(data)}\n`;
  const kyma =
    "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {targets: [{kind: Kyma}], layers: keep}\n";
  const { output } = foldText(
    [override("a", { "x.y": "1" }), override("b", { "x.y": "2" })].join("---\n"),
    kyma,
  );
  expect(output).toContain("istio-folded");
  const codes = (text: string): readonly string[] =>
    verify({ input: Buffer.from(text), strict: false, config: Buffer.from(kyma) }).diagnostics.map(
      ({ code }) => code,
    );
  expect(codes(output)).not.toContain("folded-stale");
  expect(codes(output.replace('"x.y":"2"', '"x.y":"3"'))).toContain("folded-stale");
});
