// The hooks of `.pre-commit-hooks.yaml`, run by pre-commit itself: it installs this repository from its last commit.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";

const root = new URL("../../", import.meta.url).pathname;
const tools = new URL(".tools/", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "valuefold-pre-commit-"));

const environment = {
  ...process.env,
  PATH: `${tools}:${process.env["PATH"] ?? ""}`,
  PYTHONPATH: `${tools}pre-commit.d`,
  PRE_COMMIT_HOME: join(folder, "cache"),
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};
const repository = join(folder, "shop");

function write(path: string, text: string): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), text);
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: repository, env: environment, encoding: "utf8" });
}

/** All that pre-commit prints, with its exit status. */
function preCommit(...args: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync("python3", ["-m", "pre_commit", ...args], {
    cwd: repository,
    env: environment,
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
}

const layer = (replicas: string): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: shop-prod, annotations: {valuefold.dev/into: HelmRelease/shop}}
data:
  values.yaml: |
    replicas: ${replicas}
`;

beforeAll(() => {
  mkdirSync(repository);
  const rev = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  write(
    ".pre-commit-config.yaml",
    `repos:
  - repo: ${root}
    rev: ${rev}
    hooks:
      - { id: valuefold-verify, args: [prod] }
      - { id: valuefold-diff, args: [prod] }
`,
  );
  write("prod/kustomization.yaml", "resources: [../base, layer.yaml]\n");
  write("prod/layer.yaml", layer("2"));
  write("base/kustomization.yaml", "resources: [release.yaml]\n");
  write(
    "base/release.yaml",
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop}\nspec: {}\n",
  );
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "start");
  // It clones the repository, and builds the program in its own cache.
  const { status, text } = preCommit("install-hooks");
  if (status !== 0) throw new Error(text);
}, 600_000);

test("a commit that changes a value passes, and shows what changes where", () => {
  write("prod/layer.yaml", layer("3"));
  git("add", "-A");
  const { status, text } = preCommit("run");
  expect([status, text]).toEqual([0, expect.stringContaining("replicas  2 → 3")]);
  expect(text).toContain("prod/layer.yaml:6:15");
  expect(text).toMatch(/valuefold verify\.+Passed/);
});

test("a broken layer fails, with its line and what to do", () => {
  write("prod/layer.yaml", layer("[3"));
  git("add", "-A");
  const { status, text } = preCommit("run", "valuefold-verify");
  expect([status, text]).toEqual([1, expect.stringContaining("error[layer-unreadable]")]);
  expect(text).toContain("prod/layer.yaml:");
  expect(text).toContain("  hint  close it");
});

test("a commit without manifests runs neither", () => {
  git("checkout", "-q", "--", ".");
  git("reset", "-q", "--hard");
  write("notes.txt", "nothing\n");
  git("add", "-A");
  const { status, text } = preCommit("run");
  expect([status, text.match(/Skipped/g)]).toEqual([0, ["Skipped", "Skipped"]]);
});

test("the version that is documented is one that exists in the package", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(readFileSync(join(root, "docs/ci.md"), "utf8")).toContain(`rev: v${version}`);
});
