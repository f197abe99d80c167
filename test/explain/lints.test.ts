// What `verify` finds odd about layers: files for each finding, named by its code up to the first dot, with nothing else
// to find in them.
import { wings } from "../../src/wings.ts";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { explainText } from "../support/explain.ts";
import { foldText, messagesOf } from "../support/fold.ts";
import { foldSync } from "../../src/index.ts";
import { verify, verifyingList } from "../../src/explain/verify.ts";
import { folding, unsupplied } from "../../src/core/fold.ts";

const folder = new URL("lints/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

function read(file: string): Buffer {
  return readFileSync(new URL(file, folder));
}

function configWith(verifySettings: object): Buffer {
  const spec = JSON.stringify({ verify: verifySettings });
  return Buffer.from(`{apiVersion: valuefold.dev/v1alpha1, kind: ValueFold, spec: ${spec}}`);
}

test.for(files)("%s", async (file) => {
  const [code = ""] = file.split(".");
  const input = read(file);
  const isUsuallyOff = code === "idle-value";
  const on = isUsuallyOff ? { config: configWith({ lints: { [code]: "warning" } }) } : {};
  const found = verify({ input, files: [{ name: file, start: 0 }], strict: false, unfolded: true, ...on });
  if (isUsuallyOff) expect(verify({ input, strict: false, unfolded: true }).diagnostics).toEqual([]);
  expect(found.exitCode).toBe(0);
  expect(new Set(found.diagnostics.map((each) => each.code))).toEqual(new Set([code]));
  await expect(messagesOf(found)).toMatchFileSnapshot(new URL(file.replace(/yaml$/, "txt"), folder).pathname);
  const asError = verify({
    input,
    strict: false,
    unfolded: true,
    config: configWith({ lints: { [code]: "error" } }),
  });
  expect(asError.exitCode).toBe(1);
  const off = verify({
    input,
    strict: false,
    unfolded: true,
    config: configWith({ lints: { [code]: "off" } }),
  });
  expect(off.diagnostics).toEqual([]);
});

test("layers that change something, however little and however late, are not idle", () => {
  const layer = (name: string, priority: number, text: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: org\n  annotations: {valuefold.dev/into: App/shop, valuefold.dev/priority: "${priority}"}\ndata:\n  values: |\n${text}`;
  const app =
    "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec: {}\n";
  const stream = [
    layer("first", 10, "    same: 1\n    one: 1\n    late: 1\n"),
    layer("second", 20, "    two: 2\n"),
    layer("top", 30, "    one: 3\n    two: 3\n"),
    layer("again", 40, "    same: 1\n    late: 4\n"),
    app,
  ];
  const { diagnostics } = verify({ input: Buffer.from(stream.join("---\n")), strict: false, unfolded: true });
  expect(diagnostics).toEqual([]);
});

test("the empty Secret that `render` writes for every app is neither idle nor unused", () => {
  const rendered = (kind: string, name: string, text: string): string =>
    `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: org, annotations: {valuefold.dev/rendered-from: '{"files":[],"lines":[]}'}}\ndata: {values.yaml: "${text}"}\n`;
  const release =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {valuesFrom: [{kind: ConfigMap, name: shop}, {kind: Secret, name: shop}]}\n";
  const found = (text: string): string[] => {
    const secrets = [rendered("Secret", "shop", ""), rendered("Secret", "cart", "")];
    const input = [release, rendered("ConfigMap", "shop", text), ...secrets].join("---\n");
    return verify({ input: Buffer.from(input), strict: true }).diagnostics.map(({ code }) => code);
  };
  expect(found("a: 1")).toEqual([]);
  expect(found("")).toEqual([]);
});

test("a folded item too large for a client-side apply", () => {
  const text = `    long: ${"x".repeat(200_000)}\n    other: ${"y".repeat(70_000)}\n`;
  const layer = (name: string, priority: number): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: org\n  annotations: {valuefold.dev/into: App/shop, valuefold.dev/priority: "${priority}"}\ndata:\n  values: |\n${text}`;
  const app =
    "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec: {}\n";
  const { output } = foldText([layer("a", 10), layer("b", 20), app].join("---\n"));
  const { diagnostics } = verify({ input: Buffer.from(output), strict: true });
  expect(diagnostics.map(({ code }) => code)).toEqual(["too-large-to-apply"]);
});

test("a reference that is there is not taken for one that kustomize did not follow", () => {
  const input = readFileSync(
    new URL("../core/cases/hashed-name-not-followed/input.yaml", import.meta.url),
    "utf8",
  );
  const codes = (text: string): string[] =>
    foldText(text)
      .diagnostics.map(({ code }) => code)
      .filter((code) => code === "unresolved-reference");
  expect(codes(input)).toEqual(["unresolved-reference"]);
  const there =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop-base, namespace: org}\ndata: {values.yaml: 'a: 1'}\n---\n";
  expect(codes(there + input)).toEqual([]);
});

test("what was folded is in use, also where kustomize gave it a hash behind the function", () => {
  const base = (name: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: org\ndata:\n  values.yaml: |\n    a: 1\n`;
  const layer =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: top, namespace: org, annotations: {valuefold.dev/into: HelmRelease/shop}}\ndata: {values.yaml: "a: 2"}\n';
  const release =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {valuesFrom: [{kind: ConfigMap, name: base}]}\n";
  const { output } = foldText([base("base"), layer, release].join("---\n"));
  const found = (name: string): string[] =>
    verify({
      input: Buffer.from(output.replace("name: base\n", `name: ${name}\n`)),
      strict: true,
    }).diagnostics.map(({ code }) => code);
  expect(output).toContain("name: base\n");
  expect(found("base-794m9d5mh7")).toEqual([]);
  expect(found("other-794m9d5mh7")).toEqual(["unused-values"]);
});

test("a function that only verifies changes nothing, and tells what it found", () => {
  const items = ["listed-twice.yaml", "tie.yaml"].flatMap((file) =>
    read(file)
      .toString("utf8")
      .split("---\n")
      .filter((item) => item !== ""),
  );
  const list = (spec: object): string =>
    `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.map((item) => `- ${item.trimEnd().replaceAll("\n", "\n  ")}\n`).join("")}functionConfig: ${JSON.stringify({ apiVersion: "valuefold.dev/v1alpha1", kind: "ValueFold", metadata: { name: "v" }, spec })}\n`;
  const run = (verifySettings: object): { exitCode: number; output: string } => {
    const input = list({ targets: [{ name: "shop" }], verify: verifySettings });
    const { exitCode, output } = unsupplied(
      folding({ input: Buffer.from(input), form: "resource-list", verify: verifyingList }, wings),
    );
    return { exitCode, output: Buffer.concat(output).toString("utf8") };
  };
  const left = run({ only: true });
  expect(left.exitCode).toBe(1);
  expect(left.output).toContain("layer-left");
  const unfolded = run({ only: true, unfolded: true, lints: { tie: "off" } });
  expect(unfolded.output).toContain("results:");
  expect(unfolded.output.startsWith(list({}).slice(0, list({}).indexOf("functionConfig")))).toBe(true);
});

test("nothing about a secret's value is in a finding", () => {
  const secret = (name: string, priority: number, value: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  namespace: org\n  annotations: {valuefold.dev/into: App/shop, valuefold.dev/priority: "${priority}"}\nstringData:\n  values: |\n    password: ${value}\n`;
  const app =
    "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec: {}\n";
  const told = (one: string, other: string): string => {
    const input = [secret("a", 10, one), secret("b", 20, other), app].join("---\n");
    const { diagnostics } = verify({ input: Buffer.from(input), strict: false, unfolded: true });
    return JSON.stringify([diagnostics, explainText(input).explanation]);
  };
  // Not even whether two of them are the same.
  expect(told("c4n4ry", "c4n4ry")).toBe(told("c4n4ry", "other1"));
});

test("where only verifying is wanted nothing folds, however it is called", () => {
  const input = read("listed-twice.yaml");
  const verifying = { verify: { only: true, lints: { "listed-twice": "warning" } } } as const;
  const { ok, output, diagnostics } = foldSync({ input, settings: verifying });
  expect([ok, Buffer.from(output).toString("utf8")]).toEqual([true, input.toString("utf8")]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["listed-twice"]);
  expect(Buffer.from(foldSync({ input }).output).toString("utf8")).toContain("shop-folded");
});

test("one key that sets values at two paths is not listed twice", () => {
  const release = (second: string): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec:\n  valuesFrom:\n    - {kind: Secret, name: keys, valuesKey: key, targetPath: storage.key}\n    - {kind: Secret, name: keys, valuesKey: key, targetPath: ${second}}\n`;
  const codes = (path: string): string[] =>
    verify({ input: Buffer.from(release(path)), strict: false }).diagnostics.map(({ code }) => code);
  expect(codes("attachment.key")).not.toContain("listed-twice");
  expect(codes("storage.key")).toContain("listed-twice");
});

test("what only the cluster has is counted, and listed where the settings ask for it", () => {
  const input = Buffer.from(
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {valuesFrom: [{kind: Secret, name: made-there}]}\n",
  );
  const severities = (config: object): string[] =>
    verify({ input, strict: false, config: configWith(config) }).diagnostics.map(({ severity }) => severity);
  expect(severities({})).toEqual(["info"]);
  expect(severities({ lints: { "unresolved-reference": "warning" } })).toEqual(["warning"]);
  expect(severities({ lints: { "unresolved-reference": "off" } })).toEqual([]);
  expect(severities({ strict: true, lints: { "unresolved-reference": "off" } })).toEqual(["error"]);
});
