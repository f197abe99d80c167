// Directories as the commands read them, with real kustomize and kpt: the settings of a build's own fold, patches of an
// overlay, builds that only one side has, and directories that are no build.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
const tools = new URL(".tools/", import.meta.url).pathname;
const env = {
  ...process.env,
  PATH: `${tools}bin:${tools}:${process.env["PATH"] ?? ""}`,
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.org",
};

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(folder: string, command: string, ...args: readonly string[]): Ran {
  try {
    const stdout = execFileSync(command, args, {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return { status: 0, stdout, stderr: "" };
  } catch (error) {
    const { status, stdout, stderr } = error as Ran;
    return { status, stdout, stderr };
  }
}

const valuefold = (folder: string, ...args: readonly string[]): Ran =>
  run(folder, process.execPath, program, ...args);

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-test-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function commit(folder: string): void {
  run(folder, "git", "init", "-q", "-b", "main", ".");
  run(folder, "git", "add", "-A");
  run(folder, "git", "commit", "-qm", "1");
}

const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: apps}
spec:
  values:
    replicas: 1
    host: local
  valuesFrom:
    - {kind: ConfigMap, name: base}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: apps}
data:
  values.yaml: |
    image: {tag: "1"}
    env:
      - {name: A, value: 1}
`;

const layer = (values: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: prod
  namespace: apps
  annotations: {valuefold.dev/into: HelmRelease/web}
data:
  values.yaml: |
${values}`;

const fold = `apiVersion: valuefold.dev/v1alpha1
kind: ValueFold
metadata:
  name: fold
  annotations:
    config.kubernetes.io/function: "exec: {path: valuefold}"
spec:
  merge: [{path: env, key: name}]
  protect: [{path: image.tag, above: 50}]
`;

const settings = {
  "app.yaml": release,
  "prod.yaml": layer("    env:\n      - {name: B, value: 2}\n"),
  "fold.yaml": fold,
  "kustomization.yaml": "resources: [app.yaml, prod.yaml]\ntransformers: [fold.yaml]\n",
};

test("explain, diff, values and verify use the settings of the build's own fold", () => {
  const folder = folderOf(settings);
  commit(folder);
  expect(valuefold(folder, "explain", "env", ".").stdout).toMatch(
    /name: A .*\n.*value: 1 .*\n.*name: B .*\n.*value: 2 /,
  );
  expect(valuefold(folder, "explain", "-v", "env", ".").stdout).toContain("  settings fold.yaml\n");
  expect(valuefold(folder, "explain", "--json", ".").stdout).toContain('"settings": "fold.yaml"');
  expect(valuefold(folder, "values", "HelmRelease/web", ".").stdout).toContain("name: A");
  writeFileSync(join(folder, "app.yaml"), release.replace("value: 1}", "value: 9}"));
  const edited = valuefold(folder, "diff", "--exit-code", "HEAD", ".");
  expect({ status: edited.status, names: edited.stdout.includes("env[name=A].value") }).toEqual({
    status: 1,
    names: true,
  });
  writeFileSync(join(folder, "prod.yaml"), layer("    image: {tag: evil}\n"));
  const build = run(folder, "kustomize", "build", "--enable-alpha-plugins", "--enable-exec", ".");
  expect(build.stderr).toContain("protected-path");
  const verified = valuefold(folder, "verify", ".");
  expect({ status: verified.status, codes: verified.stderr.includes("protected-path") }).toEqual({
    status: 1,
    codes: true,
  });
  expect(valuefold(folder, "verify", "-c", "other.yaml", ".").stderr).toContain("other.yaml");
});

test("the settings in a Kptfile count, too", () => {
  const folder = folderOf({
    "app.yaml": release,
    "prod.yaml": settings["prod.yaml"],
    Kptfile:
      "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n    - exec: valuefold\n      configMap: {merge: '[{path: env, key: name}]'}\n",
  });
  expect(valuefold(folder, "explain", "env", ".").stdout).toMatch(/name: A .*\n.*value: 1 /);
});

test("of two folds with different settings the upper one's are used, and that is said", () => {
  const folder = folderOf({
    "base/app.yaml": release,
    "base/fold.yaml": fold.replace(/spec:[^]*/, "spec: {layers: keep}\n"),
    "base/kustomization.yaml": "resources: [app.yaml]\ntransformers: [fold.yaml]\n",
    "prod/prod.yaml": settings["prod.yaml"],
    "prod/fold.yaml": fold,
    "prod/kustomization.yaml": "resources: [../base, prod.yaml]\ntransformers: [fold.yaml]\n",
  });
  commit(folder);
  const { stdout } = valuefold(folder, "explain", "env", "prod");
  expect(stdout).toMatch(/name: A .*\n.*value: 1 /);
  const diffed = (): { status: number | null; unread: boolean } => {
    const { status, stdout: text } = valuefold(folder, "diff", "--exit-code", "HEAD", "prod");
    return { status, unread: text.includes("not compared") };
  };
  expect(diffed()).toEqual({ status: 0, unread: false });
  writeFileSync(join(folder, "prod/prod.yaml"), `# changed\n${settings["prod.yaml"]}`);
  expect(diffed()).toEqual({ status: 2, unread: true });
});

test("a file is named only for what it sets, and inline values have lines", () => {
  const folder = folderOf({
    "base/app.yaml": release,
    "base/kustomization.yaml": "resources: [app.yaml]\n",
    "prod/kustomization.yaml": "resources: [../base]\npatches: [{path: patch.yaml}, {path: data.yaml}]\n",
    "prod/patch.yaml": `${release.slice(0, release.indexOf("spec:"))}spec: {values: {host: prod, replicas: null}}\n`,
    "prod/data.yaml":
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: apps}\ndata:\n  values.yaml: "image: {tag: 9}\\n"\n',
  });
  const { stdout } = valuefold(folder, "explain", "--json", "prod");
  const [{ stacks } = { stacks: [] }] = (
    JSON.parse(stdout) as { targets: { stacks: { values: Found[]; removed?: Found[] }[] }[] }
  ).targets;
  const places = stacks
    .flatMap(({ values }) => values)
    .map(({ path, at }) => [path.join("."), at?.file, at?.line]);
  expect(Object.fromEntries(places.map(([path, ...place]) => [path, place]))).toEqual({
    host: ["prod/patch.yaml", 4],
    "image.tag": ["prod/data.yaml", 1],
  });
  expect(stacks.flatMap(({ removed = [] }) => removed)).toMatchObject([
    { path: ["replicas"], at: { file: "prod/patch.yaml", line: 4 }, was: { file: "base/app.yaml", line: 6 } },
  ]);
});

interface Found {
  readonly path: readonly string[];
  readonly at?: { readonly file?: string; readonly line?: number };
}

test("an overlay that was deleted is a change: quoted patterns are expanded on both sides", () => {
  const overlay = "resources: [app.yaml]\n";
  const folder = folderOf({
    "overlays/a/app.yaml": release,
    "overlays/a/kustomization.yaml": overlay,
    "overlays/b/app.yaml": release,
    "overlays/b/kustomization.yaml": overlay,
  });
  commit(folder);
  rmSync(join(folder, "overlays/b"), { recursive: true });
  const { status, stdout } = valuefold(folder, "diff", "--exit-code", "HEAD", "overlays/*");
  expect(status).toBe(1);
  expect(stdout).toContain("HelmRelease/apps/web (overlays/b) is removed");
  expect(valuefold(folder, "diff", "HEAD", "nothing/*").stderr).toContain("is on neither side");
});

test("a directory above several builds is all of them, and one with several values files is no build", () => {
  const folder = folderOf({
    "overlays/a/app.yaml": release,
    "overlays/a/kustomization.yaml": "resources: [app.yaml]\n",
    "overlays/b/app.yaml": release,
    "overlays/b/kustomization.yaml": "resources: [app.yaml]\n",
    "values/dev.yaml": "a: 1\n",
    "values/prod.yaml": "a: 2\n",
  });
  commit(folder);
  expect(valuefold(folder, "explain", "overlays").stdout).toBe(
    "overlays/a  kustomization\noverlays/b  kustomization\n",
  );
  expect(valuefold(folder, "verify", ".")).toMatchObject({ status: 0 });
  expect(valuefold(folder, "diff", "--exit-code", "HEAD")).toMatchObject({
    status: 0,
    stdout: "no value changes: no build reads a changed file\n",
  });
  const named = (target: string): string => valuefold(folder, "values", target, ".").stderr;
  expect(named("HelmRelease/shop")).toContain("no build has the target `HelmRelease/shop`");
  expect(named("web")).toContain("`web` is in 2 builds");
  expect(named("web")).toContain("overlays/a, overlays/b");
  expect(valuefold(folder, "values", "web", "overlays/b").stdout).toContain("tag");
  expect(valuefold(folder, "explain", "values").stderr).toContain("has 2 values files: name them in order");
});
