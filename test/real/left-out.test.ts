// What kustomize leaves out of a build, and what keeps it from one: `explain` and `diff` name it. Containers are never
// started: a `docker` that fails stands in for a machine without one.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
const tools = new URL(".tools/", import.meta.url).pathname;
const sessions = new URL("../cli/sessions/", import.meta.url).pathname;

/** Files by their paths, in a folder of their own. */
function tree(files: { readonly [path: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-left-out-"));
  const docker = "#!/bin/sh\necho 'docker: no daemon here' >&2\nexit 125\n";
  for (const [path, text] of Object.entries({ ...files, "bin/docker": docker })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  }
  return folder;
}

/** All that a user sees: stdout, stderr, and the exit status unless it is 0. */
function valuefold(folder: string, ...args: string[]): string {
  const env = { ...process.env, PATH: `${folder}/bin:${tools}bin:${tools}:${process.env["PATH"] ?? ""}` };
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return stdout + stderr + (status === 0 ? "" : `exit ${status}\n`);
}

function commit(folder: string): void {
  const git = (...args: string[]): void => {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder });
  };
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "edit");
}

function edit(folder: string, path: string, from: string, to: string): void {
  const text = readFileSync(join(folder, path), "utf8");
  expect(text).toContain(from);
  writeFileSync(join(folder, path), text.replace(from, to));
}

function functionOf(kind: string, runs: string): string {
  return `apiVersion: valuefold.dev/v1alpha1
kind: ${kind}
metadata:
  name: own
  annotations:
    config.kubernetes.io/function: |
      ${runs}
`;
}

const container = "container: {image: registry.example/valuefold:0.1.0}";
const exec = "exec: {path: valuefold}";

/** A base with a layer, and an overlay with another one. */
const layered = {
  "base/kustomization.yaml":
    "resources: [release.yaml]\nconfigMapGenerator: [{name: low, namespace: apps, files: [values.yaml]}]\n" +
    "generatorOptions: {disableNameSuffixHash: true}\n",
  "base/release.yaml": `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: apps}
spec: {valuesFrom: [{kind: ConfigMap, name: low}]}
`,
  "base/values.yaml": "replicas: 1\nhost: a\n",
  "over/kustomization.yaml": "resources: [../base, high.yaml]\n",
  "over/high.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: high, namespace: apps, annotations: {valuefold.dev/into: HelmRelease/shop}}
data:
  values.yaml: |
    replicas: 2
`,
} as const;

const layers = `
replicas: 2  B over/high.yaml:6:15
  over 1     A base/values.yaml:1:11
host: a      A base/values.yaml:2:7
`;

/** Appends to the kustomizations named. */
function layeredWith(more: { readonly [path: string]: string }): string {
  const files: { [path: string]: string } = { ...layered };
  for (const [path, text] of Object.entries(more)) files[path] = (files[path] ?? "") + text;
  return tree(files);
}

describe("valuefold's own fold is left out of the build", () => {
  test("as a container, in the kustomization itself", () => {
    const folder = layeredWith({
      "over/kustomization.yaml": "transformers: [fold.yaml]\n",
      "over/fold.yaml": functionOf("ValueFold", container),
    });
    expect(valuefold(folder, "explain", "over")).toContain(layers);
  });

  test("as a program, written into the kustomization, and with other fields as they are", () => {
    const inline = functionOf("ValueFold", exec).replaceAll(/^/gm, "    ").trimEnd();
    const folder = layeredWith({
      "over/kustomization.yaml": `namePrefix: pre-\ntransformers:\n  - |-\n${inline}\n`,
    });
    const text = valuefold(folder, "explain", "--enable-exec", "over");
    expect(text).toContain("HelmRelease/apps/pre-shop");
    expect(text).toContain(layers);
  });

  test("in a base of the kustomization", () => {
    const folder = layeredWith({
      "over/kustomization.yaml": "",
      "top/kustomization.yaml": "resources: [../over]\n",
      "base/kustomization.yaml": "transformers: [fold]\n",
      "base/fold/kustomization.yaml": "resources: [fold.yaml]\n",
      "base/fold/fold.yaml": functionOf("ValueFold", container),
    });
    expect(valuefold(folder, "explain", "top")).toContain(layers);
  });

  test("with a validator that would refuse what is not folded", () => {
    const folder = layeredWith({
      "over/kustomization.yaml": "transformers: [fold.yaml]\nvalidators: [check.yaml]\n",
      "over/fold.yaml": functionOf("ValueFold", exec),
      "over/check.yaml": `${functionOf("ValueFold", exec)}spec: {verify: {only: true}}\n`,
    });
    expect(valuefold(folder, "explain", "--enable-exec", "over")).toContain(layers);
  });

  test("unless it shares its file with another function: then a line says that it ran", () => {
    const other = functionOf("Other", "exec: {path: cat}").replace("name: own", "name: other");
    const folder = layeredWith({
      "over/kustomization.yaml": "transformers: [both.yaml]\n",
      "over/both.yaml": `${functionOf("ValueFold", exec)}---\n${other}`,
    });
    const text = valuefold(folder, "explain", "--enable-exec", "over");
    expect(text).toContain("A was folded earlier");
    expect(text).toContain("info[not-built]: `ValueFold/own` has folded the layers already");
  });
});

describe("functions that do not run", () => {
  test("a generator that is a program is named, and nothing is clear until it runs", () => {
    const folder = tree({});
    cpSync(join(sessions, "directory-with-a-render/before"), folder, { recursive: true });
    edit(
      folder,
      "gauss.yaml",
      "namespace: shop }",
      `namespace: shop, annotations: {config.kubernetes.io/function: "${exec}"} }`,
    );
    writeFileSync(
      join(folder, "kustomization.yaml"),
      "resources: [apps/shop.yaml]\ngenerators: [gauss.yaml]\n",
    );
    commit(folder);
    edit(folder, "config/clusters/gauss/apps/shop/values.yaml", "1.1", "1.2");
    const missing =
      "not compared: ValueFoldRender/gauss; nothing else changes\n" +
      "warning[not-built]: kustomize skipped the function `ValueFoldRender/gauss`: what it makes is missing\n" +
      "  at    gauss.yaml\n  hint  it is a program: let kustomize run it by --enable-exec\n";
    expect(valuefold(folder, "diff", "HEAD")).toBe(missing);
    expect(valuefold(folder, "diff", "--exit-code", "HEAD")).toBe(`${missing}exit 2\n`);
    const text = valuefold(folder, "diff", "--exit-code", "--enable-exec", "HEAD");
    expect(text).toContain('image.tag  "1.1" → "1.2"\n  changes  HelmRelease/shop/shop');
    expect(text).toMatch(/exit 1\n$/);
  });

  test("a validator changes nothing, and valuefold's own fold hides nothing: neither is named", () => {
    const folder = layeredWith({
      "over/kustomization.yaml": "transformers: [fold.yaml]\nvalidators: [check.yaml]\n",
      "over/fold.yaml": functionOf("ValueFold", exec),
      "over/check.yaml": functionOf("Check", "exec: {path: 'false'}"),
    });
    const text = valuefold(folder, "explain", "over");
    expect(text).toContain(layers);
    expect(text).not.toContain("not-built");
  });

  test("a container that cannot start is named, and all else is explained", () => {
    const folder = layeredWith({
      "over/kustomization.yaml": "generators: [more.yaml]\ntransformers: [fold.yaml]\n",
      "over/more.yaml": functionOf("More", "container: {image: registry.example/more:1}"),
      "over/fold.yaml": functionOf("ValueFold", container),
    });
    const left = valuefold(folder, "explain", "over");
    expect(left).toContain(layers);
    expect(left).toContain(
      "warning[not-built]: kustomize skipped the function `More/own`: what it makes is missing\n  at    over/more.yaml\n  hint  it is a container: let kustomize run it by --enable-exec\n",
    );
    const text = valuefold(folder, "explain", "--enable-exec", "over");
    expect(text).toContain(layers);
    expect(text).toContain(
      "warning[not-built]: kustomize could not run the container of `More/own`: it is left out\n  at    over/more.yaml\n",
    );
  });

  test("a render among the resources of a build is named", () => {
    const folder = layeredWith({
      "base/kustomization.yaml": "",
      "over/kustomization.yaml": "components: [../part]\n",
      "part/kustomization.yaml":
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [render.yaml]\n",
      "part/render.yaml": functionOf("ValueFoldRender", exec),
    });
    expect(valuefold(folder, "explain", "over")).toContain("`ValueFoldRender/own` is not rendered");
  });
});

describe("why kustomize fails", () => {
  const missing = {
    "over/kustomization.yaml": "resources: [../base]\nreplacements: [{path: c4n4ry.yaml}]\n",
  };

  test("is shown, with paths as the user knows them", () => {
    const folder = layeredWith(missing);
    const text = valuefold(folder, "explain", "over");
    expect(text).toMatch(/^error\[usage\]: kustomize cannot build `over`\n {2}says {2}[^]*c4n4ry/);
    expect(text).not.toContain(folder);
    commit(folder);
    edit(folder, "over/kustomization.yaml", "resources", "# changed\nresources");
    const inRevision = valuefold(folder, "diff", "--exit-code", "HEAD", "over");
    expect(inRevision).toContain("kustomize cannot build `over`, in revision `HEAD`\n  says  ");
    expect(inRevision).not.toContain(tmpdir());
    expect(inRevision).toMatch(/exit 2\n$/);
  });

  test.for([
    { "over/kustomization.yaml": 'patches: [{target: {kind: Secret}, patch: "stringData: {a: c4n4ry"}]\n' },
    // kustomize takes a file that is not read here: it is not the reason.
    {
      "over/kustomization.yaml": 'patches: [{target: {kind: Secret}, patch: "stringData: {a: c4n4ry"}]\n',
      "base/kustomization.yaml": "resources: [deep.yaml]\n",
      "base/deep.yaml": `apiVersion: v1\nkind: Other\nmetadata: {name: a}\nspec: ${"[".repeat(300)}${"]".repeat(300)}\n`,
    },
    {
      "base/kustomization.yaml": "secretGenerator: [{name: a, envs: [a.txt]}]\n",
      "base/a.txt": "password=c4n4ry\n",
    },
    {
      "over/kustomization.yaml":
        'patches: [{target: {kind: Secret, name: "["}, patch: "{apiVersion: v1, kind: SecretList, metadata: {name: a}, items: [{stringData: {a: c4n4ry}}]}"}]\n',
    },
  ] as { readonly [path: string]: string }[])("is not shown where a Secret may be quoted: %o", (more) => {
    const files: { [path: string]: string } = { ...more };
    files["over/kustomization.yaml"] =
      missing["over/kustomization.yaml"] + (more["over/kustomization.yaml"] ?? "");
    const text = valuefold(layeredWith(files), "explain", "over");
    expect(text).toContain("(not shown: it may quote a Secret that the build reads)");
    expect(text).toContain("hint  see why: kustomize build --enable-alpha-plugins over\n");
    expect(text).not.toContain("c4n4ry");
  });

  test("names the line of a Secret that is no YAML, and nothing of it", () => {
    const text = valuefold(
      layeredWith({
        "over/kustomization.yaml": missing["over/kustomization.yaml"],
        "base/kustomization.yaml": "resources: [broken.yaml]\n",
        "base/broken.yaml": "apiVersion: v1\nkind: Secret\nstringData: {a: c4n4ry\n",
      }),
      "explain",
      "over",
    );
    expect(text).toContain("says  base/broken.yaml:3  the bracket that begins here is not closed\n");
    expect(text).not.toContain("c4n4ry");
  });

  test("is said without the patch that kustomize quotes", () => {
    const patch =
      "{target: {kind: Secret}, path: ops.yaml, patch: '[{op: add, path: /spec, value: {a: c4n4ry}}]'}";
    const files = {
      "over/kustomization.yaml": `resources: [../base]\npatches: [${patch}]\n`,
      "over/ops.yaml": "[{op: remove, path: /stringData/a}]\n",
    };
    const text = valuefold(layeredWith(files), "explain", "over");
    expect(text).toContain("patch and path can't be set at the same time");
    expect(text).not.toContain("c4n4ry");
  });

  test("is said at its line for what is not there, for what is no YAML, and for a patch that does not apply", () => {
    const operation =
      "resources: [../base]\npatches:\n- target: {kind: HelmRelease}\n  patch: |\n    - op: replace\n";
    const wrong = {
      "resources: [../base, ../none]\n": "over/kustomization.yaml:2  `../none` does not exist",
      'resources: [../base, "kind: Secret\\nstringData: {a: c4n4ry}"]\n':
        "over/kustomization.yaml:2  an entry that looks like a manifest does not exist",
      'resources: [../base, "{kind: Secret, stringData: {b: c4n4ry}}"]\n':
        "over/kustomization.yaml:2  an entry that looks like a manifest does not exist",
      "resources: [../base]\npatches: [{path: none.yaml}]\n":
        "over/kustomization.yaml:3  `none.yaml` does not exist",
      "resources: [../base\n": "over/kustomization.yaml:2  the bracket that begins here is not closed",
      [`${operation}      path: /spec/none/x\n      value: 1\n`]:
        "over/kustomization.yaml:6  this patch does not apply",
    };
    for (const [text, said] of Object.entries(wrong))
      expect(valuefold(layeredWith({ "over/kustomization.yaml": text }), "explain", "over")).toContain(said);
  });

  test("nothing is fetched: what another repository brings is missing, and is named", () => {
    const files = {
      "over/kustomization.yaml": "resources:\n- ../base\n- https://c4n4ry@example.invalid/a?ref=b\n",
    };
    const text = valuefold(layeredWith(files), "explain", "over");
    expect(text).toContain("`https://example.invalid/a?ref=b` is not fetched: what it brings is missing");
    expect(text).toContain("over/kustomization.yaml:4");
    expect(text).not.toContain("c4n4ry");
  });

  test("is shown without a Secret: kustomize is asked again, with marks in its place", () => {
    const text = valuefold(
      layeredWith({ "base/kustomization.yaml": "secretGenerator: [{name: a, literals: [c4n4ry]}]\n" }),
      "explain",
      "over",
    );
    expect(text).toMatch(/kustomize cannot build `over`\n {2}says {2}.*literal/);
    expect(text).not.toContain("c4n4ry");
  });
});

test("a render in a plain directory is rendered in every revision", () => {
  const folder = tree({});
  cpSync(join(sessions, "directory-with-a-render/before"), folder, { recursive: true });
  commit(folder);
  edit(folder, "config/clusters/gauss/apps/shop/values.yaml", "1.1", "1.2");
  commit(folder);
  expect(valuefold(folder, "diff", "--exit-code", "HEAD^", "HEAD")).toBe(
    'clusters/gauss/apps/shop/values.yaml:2  image.tag  "1.1" → "1.2"\n  changes  HelmRelease/shop/shop\n\n' +
      "1 edit; 1 of 1 target changes\nexit 1\n",
  );
  edit(folder, "gauss.yaml", "schema.yaml", "no-schema.yaml");
  commit(folder);
  const failing = valuefold(folder, "diff", "--exit-code", "HEAD^", "HEAD");
  expect(failing).toContain("not compared: ConfigMap/shop/shop, Secret/shop/shop, ValueFoldRender/gauss\n");
  expect(failing).not.toContain(tmpdir());
  expect(failing).toMatch(/exit 2\n$/);
});

test("what is not built of a cluster is named where another cluster has the target", () => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-left-out-"));
  cpSync(new URL("../../examples/flux-checkout", import.meta.url), folder, { recursive: true });
  commit(folder);
  expect(valuefold(folder, "values", "podinfo", ".")).toContain("`podinfo` is in 2 builds");
  edit(folder, "apps/production/kustomization.yaml", "podinfo.yaml", "nope.yaml");
  for (const words of [
    ["explain", "podinfo", "replicaCount", "."],
    ["values", "podinfo", "."],
  ]) {
    const text = valuefold(folder, ...words);
    expect(text).toMatch(/replicaCount: 2|^podinfo replicaCount\n.* 2 /);
    expect(text).toMatch(/warning\[not-built\]: .*\n {2}at {4}clusters\/production\/apps.yaml:1\n/);
  }
  expect(valuefold(folder, "values", "--strict", "podinfo", ".")).toMatch(/exit 3\n$/);
  const changes = valuefold(folder, "diff", "HEAD");
  expect(changes).toContain("not compared: clusters/production: HelmRelease/podinfo/podinfo, Kustomization/");
  expect(changes).not.toContain("is removed");
});

test("an edit is one of its own file, and a new hash of a generated Secret is no edit", () => {
  const release = (namespace: string): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: ${namespace}}\nspec:\n  valuesFrom: [{kind: Secret, name: s}]\n  values: {tag: 1}\n`;
  const own = "resources: [hr.yaml]\nconfigurations: [../names.yaml]\n";
  const secret = "secretGenerator: [{name: s, files: [values.yaml=s.yaml]}]\n";
  const folder = tree({
    "names.yaml":
      "nameReference:\n- kind: Secret\n  fieldSpecs: [{kind: HelmRelease, path: spec/valuesFrom/name}]\n",
    "a/kustomization.yaml": `namespace: a\n${own}${secret}`,
    "a/s.yaml": "pw: c4n4ry\nuser: c4n4ryuser\n",
    "a/hr.yaml": release("a"),
    "b/kustomization.yaml": own,
    "b/hr.yaml": release("b"),
  });
  commit(folder);
  for (const each of ["a", "b"]) edit(folder, `${each}/hr.yaml`, "tag: 1", "tag: 2");
  edit(folder, "a/s.yaml", "c4n4ry\n", "c4n4ry-too\n");
  expect(valuefold(folder, "diff", "HEAD")).toBe(
    "a/s.yaml:1  pw  (secret) changes\n  changes  HelmRelease/a/web (a)\n\n" +
      "a/hr.yaml:6:17  tag  1 → 2\n  changes  HelmRelease/a/web (a)\n\n" +
      "b/hr.yaml:6:17  tag  1 → 2\n  changes  HelmRelease/b/web (b)\n\n" +
      "3 edits; 2 of 2 targets change\n",
  );
});

test("what Flux applies to another cluster is not mixed with this one's objects", () => {
  const kustomization = (name: string): string =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: f}\nspec: {path: ./apps, kubeConfig: {secretRef: {name: x}}, sourceRef: {kind: GitRepository, name: g}}\n`;
  const folder = tree({
    "hub/k.yaml": `${kustomization("a")}---\n${kustomization("b")}`,
    "apps/r.yaml":
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r}\nspec: {values: {a: 1}}\n",
  });
  commit(folder);
  const text = valuefold(folder, "explain", "hub");
  expect(text).toContain(
    "`spec.kubeConfig` applies it to another cluster\n  hint  name its directory: ./apps\n",
  );
  expect(text).not.toContain("HelmRelease/r");
  expect(valuefold(folder, "explain", "apps")).toContain("a: 1");
});
