// Patches that random trees do not make: what two overlays share, what changes the objects that a patch selects, nulls, links;
// and what a checkout must not make a program fetch or quote.
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";
import { tools } from "./stamps.ts";

function release(name: string, values: string, metadata = ""): string {
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}${metadata}}\nspec:\n  values: ${values}\n`;
}

function treeOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-layers-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function run(folder: string, args: readonly string[], env = {}): Promise<string> {
  const world = worldOf("", { directory: folder, env: { PATH: tools, ...env } });
  const { output, messages } = await runCommand([...args], world).catch((error: unknown) => {
    const { message, reason } = error as { message: string; reason: readonly string[] };
    return { output: [], messages: [message, ...reason].join("\n") };
  });
  return Buffer.concat(output).toString("utf8") + messages;
}

/** The value lines of what `explain` prints, without layers. */
async function origins(folder: string, name: string, top = "."): Promise<string> {
  const text = await run(folder, ["explain", `HelmRelease/${name}`, top]);
  const [, ...values] = text.split("\n\n");
  return values.join("\n").replaceAll(/ {2,}([A-Z] )?/g, " ");
}

test("what two overlays of one build share comes after the resource of each", async () => {
  const overlay = "resources: [release.yaml]\ncomponents: [../../common]\n";
  const folder = treeOf({
    "top/kustomization.yaml": "resources: [../apps/one, ../apps/two]\n",
    "apps/one/kustomization.yaml": overlay,
    "apps/two/kustomization.yaml": overlay,
    "apps/one/release.yaml": release("one", "{k: base, d: gone}"),
    "apps/two/release.yaml": release("two", "{k: base, d: gone}"),
    "common/kustomization.yaml":
      "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: p.yaml, target: {kind: HelmRelease}}]\n",
    "common/p.yaml": release("any", "{k: shared, d: null}"),
  });
  for (const name of ["one", "two"]) {
    const text = await origins(folder, name, "top");
    expect(text).toContain(`k: shared common/p.yaml:5:15\n over base apps/${name}/release.yaml:5:15`);
    expect(text).toContain("removed by common/p.yaml:5:26");
  }
});

test("operations reach what their target selects when they apply", async () => {
  const folder = treeOf({
    "kustomization.yaml":
      "resources: [r.yaml]\npatches:\n- target: {labelSelector: env=prod}\n  patch: |\n    - {op: replace, path: /spec/values/a, value: 5}\n- path: p.yaml\n",
    "r.yaml": release("r", "{a: 2}"),
    "p.yaml": release("r", "{a: 7}", ", labels: {env: prod}"),
  });
  expect(await origins(folder, "r")).toContain("a: 7 p.yaml:5:15\n over 2 r.yaml:5:15");
});

test("what is copied has the line of what it is copied from, and overrides what was there", async () => {
  const folder = treeOf({
    "base/kustomization.yaml": "resources: [shop.yaml]\n",
    "base/shop.yaml": release("shop", "{old: one, src: two, all: {list: [l], in: i}, gone: g}"),
    "prod/kustomization.yaml": `resources: [../base]\npatches:\n${[
      "  - {op: copy, from: /spec/values/src, path: /spec/values/new}\n  - {op: copy, from: /spec/values/src, path: /spec/values/old}\n  - {op: copy, from: /spec/values/all, path: /spec/values/more}\n  - {op: move, from: /spec/values/gone, path: /spec/values/moved}",
      "  - {op: replace, path: /spec/values/new, value: three}\n  - {op: replace, path: /spec/values/more/in, value: four}",
    ]
      .map((text) => `- target: {kind: HelmRelease}\n  patch: |-\n${text.replaceAll(/^/gm, "  ")}\n`)
      .join("")}`,
    "repl/kustomization.yaml":
      "resources: [../base]\nreplacements:\n- source: {kind: HelmRelease, fieldPath: spec.values.src}\n  targets: [{select: {kind: HelmRelease}, fieldPaths: [spec.values.old]}]\n",
  });
  const text = await origins(folder, "shop", "prod");
  expect(text).toContain("old: two base/shop.yaml:5:27\n over one base/shop.yaml:5:17\n");
  expect(text).toContain("new: three prod/kustomization.yaml:11:52\n over two base/shop.yaml:5:27\n");
  expect(text).toContain(" list: [l] base/shop.yaml:5:44\n");
  expect(text).toContain(" over i base/shop.yaml:5:53\n");
  expect(text).toContain("gone removed by prod/kustomization.yaml:8:7");
  const replaced = await origins(folder, "shop", "repl");
  expect(replaced).toContain("old: two base/shop.yaml:5:27\n over one base/shop.yaml:5:17\n");
});

test("Flux replaces variables though none is defined, where it is asked to", async () => {
  const folder = treeOf({
    "clusters/ks.yaml":
      "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec:\n  path: ./apps\n  sourceRef: {kind: GitRepository, name: flux-system}\n  postBuild: {substituteStrategy: Always}\n",
    "apps/shop.yaml": release("shop", '{dns: "${dns:=ClusterFirst}", host: "${host}", "k${gone}": 1}'),
    ".git/config": "",
  });
  const text = await origins(folder, "shop", "clusters");
  expect(text).toContain("dns: ClusterFirst apps/shop.yaml:5:17\n");
  expect(text).toMatch(/host: null apps\/shop.yaml:5:/);
  expect(text).toMatch(/k: 1 apps\/shop.yaml:5:/);
});

test("an empty key takes no line away", async () => {
  const folder = treeOf({
    "kustomization.yaml":
      "resources: [k.yaml]\npatches:\n- target: {kind: HelmRelease}\n  patch: |-\n    - {op: replace, path: /spec/values/d, value: v}\n    - {op: add, path: /spec/values/m/, value: w}\n    - {op: copy, from: /spec/values/m/, path: /spec/values/c}\n",
    "k.yaml": release("shop", '{d: x, "": y, m: {"": z, a: b}, list: [{"": q}]}'),
  });
  const text = await origins(folder, "shop");
  expect(text).toContain("d: v kustomization.yaml:5:50\n over x k.yaml:5:15\n");
  expect(text).toContain('"": "y" k.yaml:5:22\n');
  expect(text).toContain('"": w kustomization.yaml:6:47\n');
  expect(text).toContain("c: w kustomization.yaml:6:47\n");
  expect(text).toContain('list: [{"": q}] k.yaml:5:');
});

test.for([
  ["a null", `{path: null.yaml}`],
  ["a null above it", `{path: above.yaml}`],
  ["an operation", `{target: {kind: HelmRelease}, patch: '[{"op": "remove", "path": "/spec/values/p/c"}]'}`],
  [
    "a directive",
    `{patch: '{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: r}, spec: {values: {p: {c: {$patch: delete}}}}}'}`,
  ],
])("a mapping that %s takes away, and that nulls make anew, is of the nulls", async ([, removal]) => {
  const folder = treeOf({
    "kustomization.yaml": `resources: [r.yaml]\npatches:\n- {path: more.yaml}\n- ${removal}\n- {path: again.yaml}\n`,
    "r.yaml": release("r", "{p: {k: v, c: {a: 1}}}"),
    "more.yaml": release("r", "{p: {c: {b: 2}}}"),
    "null.yaml": release("r", "{p: {c: null}}"),
    "above.yaml": release("r", "{p: null}"),
    "again.yaml": release("r", "{p: {c: {d: null}}}"),
  });
  expect(await origins(folder, "r")).toMatch(/c: \{\} again\.yaml:5:\d+\n/);
});

test("nulls, empty lists and keys that YAML 1.1 reads as booleans have their lines", async () => {
  const folder = treeOf({
    "kustomization.yaml":
      "resources: [r.yaml]\npatches: [{path: p.yaml}, {path: q.yaml}, {path: o.yaml, target: {kind: HelmRelease}}]\n",
    "r.yaml": release("r", "{on: 1, y: 2, l: [a], m: {a: 1}, e: []}", ", namespace: n"),
    "p.yaml": release("r", "{m: {a: null}, y: 3}", ", namespace: n"),
    "q.yaml": release("r", "{m: {zz: null}, l: [null]}", ", namespace: n"),
    "o.yaml": "- {op: add, path: /spec/values/e/-, value: 4}\n",
  });
  const text = await origins(folder, "n/r");
  expect(text).toContain('"on": 1 r.yaml:5:16');
  expect(text).toContain('"y": 3 p.yaml:5:');
  expect(text).toContain("m: {} p.yaml:5:");
  expect(text).toContain("l: [null] q.yaml:5:");
  expect(text).toContain("e: [4] o.yaml:1:");
});

test("a base may be a link, and a replacement is of the kustomization that has it", async () => {
  const folder = treeOf({
    "top/kustomization.yaml": "resources: [base]\n",
    "real/kustomization.yaml":
      "resources: [r.yaml]\nreplacements:\n- source: {kind: HelmRelease, fieldPath: metadata.name}\n  targets:\n  - select: {kind: HelmRelease}\n    fieldPaths: [spec.values.url]\n    options: {delimiter: /, index: 1}\n",
    "real/r.yaml": release("r", "{url: x/HOST/y, a: 1}"),
  });
  symlinkSync("../real", join(folder, "top/base"));
  const text = await origins(folder, "r", "top");
  expect(text).toContain("a: 1 real/r.yaml:5:");
  expect(text).toContain("url: x/r/y real/kustomization.yaml\n over x/HOST/y real/r.yaml:5:");
});

test("a value that a build takes from a Secret is hidden", async () => {
  const folder = treeOf({
    "kustomization.yaml":
      "resources: [r.yaml, s.yaml]\nreplacements:\n- source: {kind: Secret, fieldPath: stringData.plain}\n  targets:\n  - select: {kind: HelmRelease}\n    fieldPaths: [spec.values.token]\n    options: {create: true}\n",
    "r.yaml": release("r", "{a: 1}"),
    "s.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {plain: canary}\n",
  });
  for (const args of [
    ["explain", "."],
    ["explain", "--json", "."],
    ["explain", "HelmRelease/r", "."],
  ])
    expect(await run(folder, args)).not.toContain("canary");
});

test.for([
  ["an element of a list", "spec.values.users.0", "", "{users: [x]}"],
  ["one of several elements", "spec.values.users.1", "", "{users: [x, 'y', z]}"],
  ["a part of a text", "spec.values.url", "    options: {delimiter: ':', index: 1}\n", "{url: 'a:b'}"],
  [
    "a part of an element",
    "spec.values.users.0",
    "    options: {delimiter: ':', index: 1}\n",
    "{users: ['a:b', c]}",
  ],
] as const)(
  "a value of a Secret that a replacement puts into %s is hidden",
  async ([, path, options, values]) => {
    const folder = treeOf({
      "kustomization.yaml": `resources: [r.yaml, s.yaml]\nreplacements:\n- source: {kind: Secret, fieldPath: stringData.plain}\n  targets:\n  - select: {kind: HelmRelease}\n    fieldPaths: [${path}]\n${options}`,
      "r.yaml": release("r", values),
      "s.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {plain: canary}\n",
    });
    for (const args of [
      ["explain", "."],
      ["explain", "--json", "."],
    ])
      expect(await run(folder, args)).not.toContain("canary");
  },
);

const chartOf = (spec: string): string =>
  `apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: r}\nspec: ${spec}\n`;
const applicationOf = (spec: string): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: r}\nspec: {source: {repoURL: x, path: chart, helm: ${spec}}}\n`;

test.for([
  ["HelmChart", "spec.valuesContent", chartOf("{valuesContent: 'a: 1'}")],
  ["HelmChart", "spec.set.canary", chartOf("{valuesContent: 'a: 1', set: {x: y}}")],
  ["Application", "spec.source.helm.values", applicationOf("{values: 'a: 1'}")],
  ["Application", "spec.source.helm.valuesObject.a", applicationOf("{valuesObject: {a: b}}")],
  [
    "Application",
    "spec.source.helm.parameters.0.value",
    applicationOf("{parameters: [{name: a, value: b}]}"),
  ],
  ["Application", "spec.source.helm.parameters.0.name", applicationOf("{parameters: [{name: a, value: b}]}")],
] as const)("a text of a Secret in a %s, at %s, is hidden", async ([kind, path, object]) => {
  const isText = /alues(?:Content)?$/.test(path);
  const tree = (word: string): string =>
    treeOf({
      "kustomization.yaml": `resources: [r.yaml, s.yaml]\nreplacements:\n- source: {kind: Secret, fieldPath: stringData.${isText ? "text" : "word"}}\n  targets:\n  - select: {kind: ${kind}}\n    fieldPaths: [${path}]\n    options: {create: true}\n`,
      "chart/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n",
      "r.yaml": object,
      "s.yaml": `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {text: 'k3y: [${word}]', word: ${word}}\n`,
      "config.yaml":
        "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec:\n  protect: [{path: '**.x', above: 1}, {path: '*', above: 1}]\n  schemas: [{schema: {additionalProperties: false}}]\n",
    });
  const [folder, other] = [tree("c4nary"), tree("c4nary-too")];
  const flags = ["-c", join(folder, "config.yaml"), "--repo", `x=${folder}`];
  for (const args of [["explain"], ["explain", "--json"], ["verify"], ["compare", other], ["diff", other]]) {
    const text = await run(folder, [...args, ...flags, "."]);
    expect(text).not.toContain("c4nary");
    expect(text).not.toContain("error[usage]");
  }
  expect(await run(folder, ["verify", ...flags, "."])).not.toContain("k3y");
  const values = await run(folder, ["values", `${kind}/r`, "--repo", `x=${folder}`, "."]);
  expect(values).not.toContain("c4nary");
  expect(values).toMatch(/warning\[(?:values-missing|not-built)\]/);
});

const configMapFile =
  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {values.yaml: 'a: http://b', one: x, other: 'z: open'}\n";
const referring = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r}\nspec:\n  valuesFrom:\n  - {kind: ConfigMap, name: c}\n  - {kind: ConfigMap, name: c, valuesKey: other}\n  - {kind: ConfigMap, name: c, valuesKey: one, targetPath: deep.one}\n`;

test.for([
  ["a text", "stringData.text", "data.[values.yaml]", ""],
  [
    "a part of a text",
    "stringData.word",
    "data.[values.yaml]",
    "    options: {delimiter: '://', index: 1}\n",
  ],
  ["a value at a path", "stringData.word", "data.one", ""],
] as const)(
  "%s that a replacement takes from a Secret into a ConfigMap is hidden",
  async ([, from, to, options]) => {
    const tree = (word: string): string =>
      treeOf({
        "kustomization.yaml": `resources: [r.yaml, s.yaml, c.yaml]\nreplacements:\n- source: {kind: Secret, fieldPath: ${from}}\n  targets:\n  - select: {kind: ConfigMap}\n    fieldPaths: ["${to}"]\n${options}`,
        "r.yaml": referring,
        "c.yaml": configMapFile,
        "s.yaml": `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {text: 'k3y: [${word}]', word: ${word}}\n`,
      });
    const [folder, other] = [tree("c4nary"), tree("c4nary-too")];
    for (const args of [
      ["explain"],
      ["explain", "--json"],
      ["explain", "HelmRelease/r"],
      ["verify"],
      ["compare", other],
      ["diff", other],
    ])
      expect(await run(folder, [...args, "."])).not.toContain("c4nary");
    const values = await run(folder, ["values", "HelmRelease/r", "."]);
    expect(values).not.toContain("c4nary");
    expect(values).toContain("z: open");
    expect(values).toContain("warning[values-missing]");
    expect(await run(folder, ["values", "--secrets", "HelmRelease/r", "."])).toContain("c4nary");
  },
);

test.for([
  ["of a layer of a ConfigMap", "lay"],
  ["of a ConfigMap that is edited in place", "c"],
] as const)("what a replacement takes from a Secret into the text %s is hidden", async ([, name]) => {
  const map = (own: string, annotations: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${own}${annotations}}\ndata: {values: 'a: 1'}\n`;
  const folder = treeOf({
    "kustomization.yaml": `resources: [c.yaml, lay.yaml, s.yaml]\nreplacements:\n- source: {kind: Secret, fieldPath: stringData.text}\n  targets:\n  - select: {kind: ConfigMap, name: ${name}}\n    fieldPaths: [data.values]\n`,
    "c.yaml": map("c", ""),
    "lay.yaml": map("lay", ", annotations: {valuefold.dev/into: ConfigMap/c}"),
    "s.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {text: 'b: c4nary'}\n",
  });
  for (const args of [
    ["explain"],
    ["explain", "--json"],
    ["verify"],
    ["values", "ConfigMap/c"],
    ["doctor"],
  ]) {
    const text = await run(folder, [...args, "."]);
    expect(text).not.toContain("c4nary");
    expect(text).not.toContain("error[bug]");
  }
});

test("what comes of a Secret is hidden in flat keys, too, and no Repeat gets it", async () => {
  const into = (name: string, path: string): string =>
    `resources: [o.yaml, s.yaml]\nreplacements:\n- source: {kind: Secret, fieldPath: stringData.text}\n  targets:\n  - select: {kind: ConfigMap, name: ${name}}\n    fieldPaths: ["${path}"]\n`;
  const secretText = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {text: 'k: c4nary'}\n";
  const overrides = (name: string, order: number): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: n, labels: {installer: overrides, install-order: '${order}'}}\ndata: {a.b: x, c: y}\n`;
  const kyma = treeOf({
    "kustomization.yaml": into("one", "data.c"),
    "o.yaml": `${overrides("one", 1)}---\n${overrides("two", 2)}`,
    "s.yaml": secretText,
    "c.yaml": "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {targets: [{kind: Kyma}]}\n",
  });
  const shown = await run(kyma, ["explain", "-c", join(kyma, "c.yaml"), "."]);
  expect(shown).toContain("over (secret)");
  expect(shown).not.toContain("c4nary");
  const repeated = treeOf({
    "kustomization.yaml": into("from", "data.v"),
    "o.yaml":
      "apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata: {name: r}\nspec:\n  from: {kind: ConfigMap, name: from, key: v}\n  clone: [{kind: ConfigMap, name: t, as: 't-{name}', set: {data.values: '{value}'}}]\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: from}\ndata: {v: x}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: t, annotations: {valuefold.dev/into: HelmRelease/h}}\ndata: {values: ''}\n---\n" +
      release("h", "{a: 1}"),
    "s.yaml": secretText,
  });
  const refused = await run(repeated, ["explain", "."]);
  expect(refused.replaceAll(/\n +/g, " ")).toContain("a build took it from a Secret");
  expect(refused).not.toContain("c4nary");
});

test("keys with spaces, fields in another case: what comes of a Secret is hidden", async () => {
  for (const [field, key] of [
    ["replacements", "pw y"],
    ["Replacements", "pw"],
  ]) {
    const folder = treeOf({
      "kustomization.yaml": `resources: [r.yaml, c.yaml, s.yaml]\n${field}:\n- source: {kind: Secret, fieldPath: stringData.plain}\n  targets:\n  - select: {kind: ConfigMap}\n    fieldPaths: ["data.${key}"]\n`,
      "r.yaml": `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r}\nspec:\n  valuesFrom: [{kind: ConfigMap, name: c, valuesKey: ${key}, targetPath: x}]\n`,
      "c.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {${key}: x}\n`,
      "s.yaml": secretFile,
    });
    expect(await run(folder, ["explain", "HelmRelease/r", "."])).not.toContain("c4nary");
    expect(await run(folder, ["values", "HelmRelease/r", "."])).not.toContain("c4nary");
  }
});

test("a variable of Flux that a replacement takes from a Secret is not filled in", async () => {
  const folder = treeOf({
    "kustomization.yaml":
      "resources: [k.yaml, s.yaml]\nreplacements:\n- source: {kind: Secret, fieldPath: stringData.plain}\n  targets:\n  - select: {kind: Kustomization}\n    fieldPaths: [spec.postBuild.substitute.v]\n",
    "k.yaml":
      "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k, namespace: f}\nspec: {path: ./x, sourceRef: {kind: GitRepository, name: g}, postBuild: {substitute: {v: w, o: open}}}\n",
    ".git/config": "",
    "x/r.yaml": release("r", '{a: "${v}", b: "${v:0:3}", c: "${o}"}'),
    "s.yaml": secretFile,
  });
  for (const args of [
    ["explain", "HelmRelease/r"],
    ["explain", "--json"],
    ["values", "HelmRelease/r"],
    ["verify"],
  ]) {
    const text = await run(folder, [...args, "."]);
    expect(text).not.toContain("a-c");
    if (args[0] === "values") expect(text).toContain("c: open");
  }
});

test("a replacement from a ConfigMap hides nothing, whatever Secrets there are", async () => {
  const folder = treeOf({
    "kustomization.yaml":
      "resources: [r.yaml, s.yaml, c.yaml]\nreplacements:\n- source: {kind: ConfigMap, fieldPath: data.one}\n  targets:\n  - select: {kind: HelmRelease}\n    fieldPaths: [spec.values.host]\n    options: {delimiter: '.', index: 1}\n",
    "r.yaml": release("r", "{host: web.PLACE.org, day: 2020-01-01}"),
    "c.yaml": configMapFile,
    "s.yaml": secretFile,
  });
  expect(await run(folder, ["explain", "HelmRelease/r", "."])).toContain("host: web.x.org");
  expect(await run(folder, ["values", "HelmRelease/r", "."])).toContain("host: web.x.org\n");
});

test("what a value of a Secret overrides is no final value", async () => {
  const folder = treeOf({
    "kustomization.yaml":
      "resources: [r.yaml, s.yaml]\nreplacements:\n- source: {kind: Secret, fieldPath: stringData.plain}\n  targets:\n  - select: {kind: HelmRelease}\n    fieldPaths: [spec.values.host]\n    options: {delimiter: '.', index: 1}\n",
    "r.yaml": release("r", "{host: web.PLACE.org, a: 1}"),
    "s.yaml": secretFile,
  });
  const values = await run(folder, ["values", "HelmRelease/r", "."]);
  expect(values).not.toMatch(/PLACE|c4nary/);
  expect(values).toContain("warning[values-missing]: values that a build took from a Secret are left out");
});

const intoToken = (source: string): string =>
  `replacements:\n- source: ${source}\n  targets:\n  - select: {kind: HelmRelease}\n    fieldPaths: [spec.values.token]\n    options: {create: true}\n  - select: {kind: HelmChart}\n    fieldPaths: [spec.set.token]\n    options: {create: true}\n`;
const secretFile = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {plain: a-c4nary}\n";

// Without a proof of another document it is taken for a Secret's.
test.for([
  [
    "a generator",
    `secretGenerator: [{name: s, literals: [plain=c4nary]}]\n${intoToken("{kind: Secret, fieldPath: data.plain}")}`,
  ],
  [
    "a part of a text",
    intoToken("{kind: Secret, fieldPath: stringData.plain, options: {delimiter: '-', index: 1}}"),
  ],
  [
    "a variable",
    "vars: [{name: PW, objref: {apiVersion: v1, kind: Secret, name: s}, fieldref: {fieldpath: stringData.plain}}]\nconfigurations: [v.yaml]\n",
  ],
  [
    "a patch of JSON",
    `patches:\n- target: {name: s}\n  patch: |-\n    - op: add\n      path: /stringData/new\n      value: c4nary\n${intoToken("{kind: Secret, fieldPath: stringData.new}")}`,
  ],
] as const)("a value that comes of %s of a Secret is hidden", async ([what, fields]) => {
  const isMade = what === "a generator";
  const tree = (word: string): string =>
    treeOf({
      "kustomization.yaml": `resources: [r.yaml, c.yaml${isMade ? "" : ", s.yaml"}]\n${fields.replaceAll("c4nary", word)}`,
      "r.yaml": release("r", "{a: 1, token: $(PW)}"),
      "c.yaml": chartOf("{valuesContent: 'a: 1', set: {b: c, token: $(PW)}}"),
      "v.yaml":
        "varReference:\n- {path: spec/values/token, kind: HelmRelease}\n- {path: spec/set/token, kind: HelmChart}\n",
      ...(isMade ? {} : { "s.yaml": secretFile.replace("c4nary", word) }),
    });
  const [folder, other] = [tree("c4nary"), tree("c4naryToo")];
  const spelled = ["c4nary", ...["c4nary", "c4naryToo"].map((each) => Buffer.from(each).toString("base64"))];
  for (const args of [
    ["explain", "HelmRelease/r"],
    ["explain", "HelmChart/r"],
    ["explain", "--json"],
    ["values", "HelmRelease/r"],
    ["values", "HelmChart/r"],
    ["compare", other],
    ["diff", other],
  ]) {
    const text = await run(folder, [...args, "."]);
    for (const each of spelled) expect(text).not.toContain(each);
    if (args[0] !== "values") expect(text).toContain("token");
  }
});

const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: canary}\n";
const quoting = {
  "an inline generator":
    "resources: [r.yaml]\ngenerators:\n- |-\n  apiVersion: builtin\n  kind: SecretGenerator\n  metadata: {name: s}\n  literals: [password canary]\n",
  "an inline transformer":
    "resources: [r.yaml]\ntransformers:\n- |-\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: s}\n  patch: 'stringData: {password: canary'\n",
  "a patch that is no YAML":
    'resources: [r.yaml]\npatchesStrategicMerge: ["{kind: Secret, stringData: {password: canary"]\n',
  "a patch of another kind":
    "resources: [r.yaml, s.yaml]\npatches:\n- target: {name: s}\n  patch: |\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: s}\n    stringData: {a: {x: canary}}\n",
};

test.for(Object.entries(quoting))("no reason quotes %s", async ([, kustomization]) => {
  const folder = treeOf({
    "kustomization.yaml": kustomization,
    "r.yaml": release("r", "{a: 1}"),
    "s.yaml": secret,
  });
  for (const command of ["explain", "verify", "doctor", "values"]) {
    const text = await run(folder, [command, "."]);
    expect(text).toContain("cannot build");
    expect(text).not.toContain("canary");
  }
});

test("nothing is fetched, whatever field names it", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/x.yaml`;
  const fields = [
    `transformers: [${url}]`,
    `patches: [{path: "${url}"}]`,
    `patchesStrategicMerge: [${url}]`,
    `configMapGenerator: [{name: c, files: ["k=${url}"]}]`,
    `configMapGenerator: [{name: c, envs: [${url}]}]`,
    `configurations: [${url}]`,
    `openapi: {path: "${url}"}`,
    `replacements: [{path: "${url}"}]`,
    `crds: [${url}]`,
  ];
  for (const field of fields) {
    const folder = treeOf({
      "kustomization.yaml": `resources: [r.yaml]\n${field}\n`,
      "r.yaml": release("r", "{a: 1}"),
    });
    for (const command of ["explain", "doctor"])
      expect(await run(folder, [command, "."]), field).toContain(
        `\`${field.includes("k=") ? "k=" : ""}${url}\` is not fetched`,
      );
  }
  const git = mkdtempSync(join(tmpdir(), "valuefold-git-"));
  writeFileSync(join(git, "git"), `#!/bin/sh\necho "$GIT_ALLOW_PROTOCOL $*" >>'${git}/log'\nexit 1\n`, {
    mode: 0o755,
  });
  writeFileSync(join(git, "log"), "");
  for (const base of ["user@example.com:a/b.git", "https://example.com/a/b?ref=v1"]) {
    const folder = treeOf({
      "kustomization.yaml": `resources: [r.yaml, "${base}"]\n`,
      "r.yaml": release("r", "{a: 1}"),
    });
    const text = await run(folder, ["explain", "."], { PATH: `${git}:${tools}` });
    expect(text).toContain("is not fetched: what it brings is missing");
  }
  expect(readFileSync(join(git, "log"), "utf8")).toBe("");
  expect(asked).toEqual([]);
  server.close();
});

test("verify says what was not built, and fails for it if it is strict", async () => {
  const files = {
    "kustomization.yaml": 'resources: [r.yaml, "https://example.com/a/b?ref=v1"]\n',
    "r.yaml": release("r", "{a: 1}"),
  };
  expect(await run(treeOf(files), ["verify", "."])).toMatch(/^warning\[not-built\]/);
  expect(await run(treeOf(files), ["verify", "--strict", "."])).toMatch(/^error\[not-built\]/);
});
