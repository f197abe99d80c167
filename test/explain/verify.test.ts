// `valuefold verify`, on streams as a pipeline renders them.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { verify } from "../../src/explain/verify.ts";
import { kptInput } from "../life/kpt.ts";
import { render } from "../life/render.ts";
import { foldText, messagesOf } from "../support/fold.ts";

function check(text: string, strict = false): { exitCode: number; codes: string[] } {
  const { exitCode, diagnostics, output } = verify({ input: Buffer.from(text), strict });
  expect(output).toEqual([]);
  return { exitCode, codes: diagnostics.map(({ code }) => code) };
}

const folded = readFileSync(
  new URL("../../examples/quickstart/expected/prod-east.yaml", import.meta.url),
  "utf8",
);

test("what was folded whole passes", () => {
  expect(check(folded, true)).toEqual({ exitCode: 0, codes: [] });
});

test("a layer that was left annotated fails, unless it is local-config or kept", () => {
  const layer = readFileSync(new URL("../../examples/quickstart/regions/east.yaml", import.meta.url), "utf8");
  expect(check(`${folded}---\n${layer}`)).toEqual({ exitCode: 1, codes: ["layer-left"] });
  const annotated = (annotation: string): string =>
    layer.replace("  annotations:\n", `  annotations:\n    ${annotation}\n`);
  expect(check(`${folded}---\n${annotated('config.kubernetes.io/local-config: "true"')}`).exitCode).toBe(0);
  expect(check(`${folded}---\n${annotated('valuefold.dev/kept: "true"')}`).exitCode).toBe(0);
  // What is to be kept bears that mark once it was folded.
  expect(check(`${folded}---\n${annotated('valuefold.dev/keep: "true"')}`).exitCode).toBe(1);
});

test("a layer that cannot be read fails, though no fold takes it", () => {
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: ns}
spec: {valuesFrom: [{kind: ConfigMap, name: own}]}
`;
  const layer = (text: string): string =>
    `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: ns}\ndata: {values.yaml: ${JSON.stringify(text)}}\n`;
  expect(check(release + layer("a: {"))).toEqual({ exitCode: 1, codes: ["layer-unreadable"] });
  expect(check(release + layer("a: ${b}")).exitCode).toBe(0);
  expect(check(release + layer("a: {${b}")).exitCode).toBe(0);
});

test("the mark of a kept layer excuses it only where a folded item was made of it", () => {
  const target = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: ns}
spec: {chart: {spec: {chart: web}}}
`;
  const layer = (name: string, annotations: string): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: ns, annotations: {valuefold.dev/into: HelmRelease/web, ${annotations}}}
data: {values.yaml: "${name}: 1\\n"}
---
`;
  const copied = layer("prod", 'valuefold.dev/keep: "true", valuefold.dev/kept: "true"');
  expect(check(copied + target, true)).toEqual({ exitCode: 1, codes: ["layer-left"] });
  const { output } = foldText(layer("east", 'valuefold.dev/priority: "75"') + target);
  expect(check(`${copied}${output}`).codes).toContain("layer-left");
  const kept = foldText(layer("east", 'valuefold.dev/keep: "true"') + target).output;
  expect(check(kept, true)).toEqual({ exitCode: 0, codes: ["layer-left"] });
  // kustomize renames the layer and the target, and not what the annotation names.
  const renamed = kept
    .replaceAll("name: east", "name: p-east-94fkt2t986")
    .replaceAll('"name":"east"', '"name":"p-east"')
    .replaceAll("name: web", "name: p-web")
    .replaceAll('"web-folded"', '"p-web-folded"');
  expect(check(renamed, true).exitCode).toBe(0);
});

test("a layer that is never applied and still referenced is a warning", () => {
  const text = `apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: ns, annotations: {config.kubernetes.io/local-config: "true"}}
data: {values.yaml: "a: 1\\n"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: ns, annotations: {valuefold.dev/fold: "false"}}
spec: {valuesFrom: [{kind: ConfigMap, name: base}]}
`;
  expect(check(text)).toEqual({ exitCode: 0, codes: ["layer-left"] });
});

test("misspelt fields of references are reported as fold reports them", () => {
  const text = `apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: {name: shop, namespace: org}
spec: {configs: [{name: base, namespace: org}], extraConfigs: [{name: x, namespace: org, priority: 500}]}
`;
  expect(check(text).codes).toEqual(expect.arrayContaining(["unknown-field", "invalid-priority"]));
});

test("a folded name that dangles fails, and so does a folded item that nobody references", () => {
  const [configMap = "", ...rest] = folded.split("---\n");
  // Without the record nothing tells what the base was for.
  expect(check(rest.join("---\n"))).toEqual({ exitCode: 1, codes: ["folded-dangling", "unused-values"] });
  expect(
    check(`${folded}---\n${configMap.replace("name: ingress-nginx-folded", "name: other-folded")}`),
  ).toEqual({ exitCode: 1, codes: ["folded-dangling"] });
});

test("a generated name that kustomize did not follow into a reference is told", () => {
  const text = `apiVersion: v1
kind: ConfigMap
metadata: {name: shop-base-94fkt2t986, namespace: org}
data: {values.yaml: "a: 1"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: org}
spec: {valuesFrom: [{kind: ConfigMap, name: shop-base}]}
`;
  const { diagnostics } = verify({ input: Buffer.from(text), strict: false });
  expect(diagnostics.map(({ code, hint }) => [code, hint?.includes("shop-base-94fkt2t986")])).toEqual([
    ["unresolved-reference", true],
  ]);
});

test("any other reference that is not there warns, with the nearest name; --strict fails", () => {
  const dangling = folded.replace(
    "      name: ingress-nginx-folded\n      namespace: org-demo\n    secret",
    "      name: ingress-nginx-bases\n      namespace: org-demo\n    secret",
  );
  const rest = dangling.split("---\n").slice(1).join("---\n");
  expect(check(rest)).toEqual({ exitCode: 0, codes: ["unresolved-reference", "unused-values"] });
  expect(check(rest, true)).toEqual({ exitCode: 1, codes: ["unresolved-reference", "unused-values"] });
  expect(messagesOf(verify({ input: Buffer.from(rest), strict: false }))).toContain(
    "did you mean `ingress-nginx-base`?",
  );
});

test("a resource list can be verified, and what is no YAML is an error", () => {
  const list = readFileSync(
    new URL("../core/cases/config-and-user-config-in-a-resource-list/output.yaml", import.meta.url),
    "utf8",
  );
  expect(check(list)).toEqual({ exitCode: 0, codes: [] });
  expect(check("a: [b\n")).toEqual({ exitCode: 1, codes: ["input-unreadable"] });
  expect(check("")).toEqual({ exitCode: 1, codes: ["not-a-resource-list"] });
});

const release = (name: string, more = ""): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: org${more}}\nspec: {valuesFrom: []}\n`;
const layerOf = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: of-${name}, namespace: org, annotations: {valuefold.dev/into: HelmRelease/${name}}}\ndata: {values.yaml: "a: 1"}\n`;

test("a layer that was not to be folded passes: by selectors, or `fold: false`", () => {
  const stream = [layerOf("one"), release("one")].join("---\n");
  const config = (spec: string): Uint8Array =>
    Buffer.from(`apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: ${spec}\n`);
  const codeOf = (spec: string): number =>
    verify({ input: Buffer.from(stream), strict: true, config: config(spec) }).exitCode;
  expect(check(stream).exitCode).toBe(1);
  expect(codeOf("{targets: [{kind: HelmRelease, name: two}]}")).toBe(0);
  expect(codeOf("{targets: [{kind: HelmRelease, name: one}]}")).toBe(1);

  expect(codeOf("{layres: keep}")).toBe(3);
  const alone = [layerOf("one"), release("one", ', annotations: {valuefold.dev/fold: "false"}')].join(
    "---\n",
  );
  expect(check(alone).exitCode).toBe(0);
  expect(check([layerOf("gone"), release("one")].join("---\n")).exitCode).toBe(1);
});

test("what a target that is left alone references is referenced", () => {
  const alone = folded.replace(
    /(kind: App\nmetadata:\n)/,
    `$1  annotations: {valuefold.dev/fold: "false"}\n`,
  );
  expect(alone).not.toBe(folded);
  expect(check(alone)).toEqual({ exitCode: 0, codes: [] });
});

test("a folded item that was edited warns", () => {
  const edited = folded.replace("replicas: 3", "replicas: 99");
  expect(edited).not.toBe(folded);
  expect(check(edited)).toEqual({ exitCode: 0, codes: ["folded-edited"] });
});

test("a target that cannot be read fails, unless it is left alone: nobody would know what it names", () => {
  const target = (fold: string): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nbad: [1\nmetadata:\n  name: shop\n  namespace: org\n  annotations:\n    valuefold.dev/fold: "${fold}"\nspec:\n  chart: {}\n`;
  expect(check(target("true"))).toEqual({ exitCode: 1, codes: ["item-unreadable"] });
  expect(check(target("false")).codes).not.toContain("item-unreadable");
});

/** Hints of the diagnostics with a code. */
function hintsOf(text: string, code: string): readonly (string | undefined)[] {
  const { diagnostics } = verify({ input: Buffer.from(text), strict: false });
  return diagnostics.filter((each) => each.code === code).map(({ hint }) => hint);
}

test("a layer that was left beside folded items was added above the function", () => {
  const layer = readFileSync(new URL("../../examples/quickstart/regions/east.yaml", import.meta.url), "utf8");
  expect(hintsOf(layer, "layer-left")[0]).toMatch(/^run valuefold in this pipeline/);
  expect(hintsOf(`${folded}---\n${layer}`, "layer-left")[0]).toMatch(
    /run the function also in the kustomization/,
  );
});

test("a folded item that kustomize renamed without its reference is named, with the cure", () => {
  const renamed = folded.replace(/(kind: ConfigMap\nmetadata:\n {2}name: )(\S+-folded)/, "$1eu-$2");
  const [hint] = hintsOf(renamed, "folded-dangling");
  expect(hint).toContain("eu-ingress-nginx-folded");
  expect(hint).toContain("valuefold print name-reference");
});

const keep = "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {layers: keep}\n";
const app = (name: string, more: string, values: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org${more}}\ndata: {values.yaml: "${values}"}\n`;
const into = (priority: number): string =>
  `, annotations: {valuefold.dev/into: HelmRelease/shop, valuefold.dev/priority: "${priority}"}`;
const lowLayer = app("low", into(60), "a: 1");
const highLayer = app("high", into(80), "a: 2");
const named = app("named", "", "b: ${b}");
const shop = release("shop").replace("[]", "[{kind: ConfigMap, name: named}]");
const unfolded = [lowLayer, highLayer, named, shop].join("---\n");
const foldedAndKept = foldText(unfolded, keep).output;

/** Codes and what is said of folds, of a list whose layers were kept and one text of it replaced since. */
function since(before: string, after: string, more = ""): readonly string[] {
  expect(foldedAndKept).toContain(before);
  const text = foldedAndKept.replace(before, () => after) + more;
  const { diagnostics } = verify({ input: Buffer.from(text), strict: false, config: Buffer.from(keep) });
  return diagnostics
    .filter(({ severity }) => severity !== "info")
    .map(({ code, message }) => (code === "folded-stale" ? message.replace(/^.* now: /, "") : code));
}

test("a folded item is stale once its layers give something else, each told by what has changed", () => {
  const nothing = since("a: 1", "a: 1");
  expect(nothing).toEqual([]);
  expect(since(highLayer, app("high", into(80), "a: 3"))).toEqual(["its layers give other values now"]);
  expect(since(named, app("named", "", "b: 2"))).toEqual(["its layers give other values now"]);
  expect(since(highLayer, app("high", into(55), "a: 2"))).toEqual([
    "`ConfigMap/org/high` has priority 55 now, and had 80",
  ]);
  expect(since(highLayer, app("high", "", "a: 2"))).toContain(
    "`ConfigMap/org/high` is no longer a layer of its target",
  );
});

test("what is not there to be looked at is no stale fold: pruned, filled in by Flux, or not to be folded now", () => {
  expect(since(`${highLayer}---\n`, "")).toEqual([]);
  const filled = foldedAndKept.replaceAll("${b}", "filled");
  expect(verify({ input: Buffer.from(filled), strict: false, config: Buffer.from(keep) }).exitCode).toBe(0);
  const changed = foldedAndKept.replace("a: 1", "a: 9");
  const waiting = { input: Buffer.from(changed), strict: false, config: Buffer.from(keep), unfolded: true };
  expect(verify(waiting).exitCode).toBe(0);
});

test("a list that was sorted since is as it was, though ties would go another way now", () => {
  const tied = [app("b", into(60), "a: 1"), app("a", into(60), "a: 2"), release("shop")].join("---\n");
  const [first = "", second = "", ...rest] = foldText(tied, keep).output.split("---\n");
  const sorted = { input: Buffer.from([second, first, ...rest].join("---\n")), strict: false };
  const { diagnostics } = verify({ ...sorted, config: Buffer.from(keep) });
  expect(diagnostics.map(({ code }) => code)).not.toContain("folded-stale");
});

test("under `layers: keep` a layer that no record tells was left", () => {
  const added = `---\n${app("new", into(90), "c: 3")}`;
  expect(since("a: 1", "a: 1", added)).toEqual(["layer-left"]);
  const { exitCode } = verify({ input: Buffer.from(unfolded), strict: false, config: Buffer.from(keep) });
  expect(exitCode).toBe(1);
});

test("under kpt a layer whose file is gone is told", () => {
  const files = [lowLayer, highLayer, release("shop")].map((text, at) => ({ path: `${at}.yaml`, text }));
  const { files: rendered, folded: first } = render({ files, settings: {} }, "kpt");
  expect(first.exitCode).toBe(0);
  const left = rendered.filter(({ path }) => path !== "1.yaml");
  const { diagnostics } = verify({
    input: Buffer.from(kptInput({ files: left, settings: {} })),
    strict: false,
  });
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ["folded-stale", expect.stringMatching(/`ConfigMap\/org\/high` is no longer in the list$/)],
  ]);
});

test("before the fold, what would keep it from folding is found", () => {
  const broken = unfolded.replace("a: 1", "a: [1");
  const before = { input: Buffer.from(broken), strict: false, unfolded: true };
  expect(verify(before).diagnostics).toContainEqual(
    expect.objectContaining({ code: "layer-unreadable", severity: "error" }),
  );
});
