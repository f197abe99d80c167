// Real kustomize over real trees: expected bytes, twice the same; what users see when it fails.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

interface Built {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function build(
  folder: string,
  flags: readonly string[] = ["--enable-alpha-plugins", "--enable-exec"],
): Built {
  const path = new URL(folder, root).pathname;
  const { status, stdout, stderr, error } = spawnSync("kustomize", ["build", ...flags, path], {
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr: stderr.replaceAll(root.pathname, "/") };
}

const trees = [
  ["examples/kustomize-exec/overlays/prod", "examples/kustomize-exec/expected/prod.yaml"],
  ["examples/kustomize-exec/overlays/prod-east", "examples/kustomize-exec/expected/prod-east.yaml"],
  ["examples/helm-release/overlays/prod", "examples/helm-release/expected/prod.yaml"],
  ["examples/configmap-keys/overlays/stage", "examples/configmap-keys/expected/stage.yaml"],
  ["examples/configmap-keys/overlays/prod", "examples/configmap-keys/expected/prod.yaml"],
  ["test/real/trees/two-prefixed-copies/both", "test/real/trees/two-prefixed-copies/expected.yaml"],
  ["test/real/trees/patched-slot/top", "test/real/trees/patched-slot/expected.yaml"],
  ["test/real/trees/prefix-above/top", "test/real/trees/prefix-above/expected.yaml"],
  ["test/real/trees/component-and-hash/top", "test/real/trees/component-and-hash/expected.yaml"],
  ["test/real/trees/base-and-overlay/overlay", "test/real/trees/base-and-overlay/expected.yaml"],
  ["test/real/trees/base-and-overlay/overlay-over-folded", "test/real/trees/base-and-overlay/expected.yaml"],
  // The overlay over what is folded already has no rules of its own.
  ["test/real/trees/rules-of-a-base/overlay", "test/real/trees/rules-of-a-base/expected.yaml"],
  ["test/real/trees/rules-of-a-base/overlay-over-folded", "test/real/trees/rules-of-a-base/expected.yaml"],
] as const;

test.for(trees)("%s", async ([folder, expected]) => {
  const once = build(folder);
  expect([once.status, once.stderr]).toEqual([0, ""]);
  expect(build(folder).stdout).toBe(once.stdout);
  await expect(once.stdout).toMatchFileSnapshot(new URL(expected, root).pathname);
  expect(verify(once.stdout).status).toBe(0);
});

function verify(stream: string): Built {
  const { status, stdout, stderr } = spawnSync("valuefold", ["verify"], { input: stream, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("in a plain pipe a value that changes changes the name, as kustomize's own hash does", () => {
  const tree = mkdtempSync(join(tmpdir(), "valuefold-hash-"));
  cpSync(new URL("test/real/trees/hash-in-a-pipe/", root), tree, { recursive: true });
  const names = (): string[] => {
    const { stdout } = spawnSync("sh", ["-c", "kustomize build . | valuefold fold"], {
      cwd: tree,
      encoding: "utf8",
    });
    return [...stdout.matchAll(/name: "?(shop-folded\S*?)"?\n/g)].map(([, name]) => name ?? "");
  };
  const [configMap, secret, ...references] = names();
  expect(configMap).toMatch(/^shop-folded-[0-9a-f]{10}$/);
  expect(references).toEqual([configMap, secret]);
  writeFileSync(join(tree, "prod.yaml"), "replicas: 3\n");
  const [changed, sameSecret] = names();
  expect(changed).toMatch(/^shop-folded-[0-9a-f]{10}$/);
  expect([changed === configMap, sameSecret]).toEqual([false, secret]);
});

describe("failing", () => {
  test("a broken layer fails the build, and kustomize shows which, where and why", async () => {
    const { status, stdout, stderr } = build("test/real/trees/failing/top");
    expect([status, stdout]).toEqual([1, ""]);
    await expect(stderr).toMatchFileSnapshot(new URL("test/real/trees/failing/stderr.txt", root).pathname);
  });

  test("without --enable-exec kustomize skips the function silently, and verify tells", () => {
    const { status, stdout } = build("examples/kustomize-exec/overlays/prod", ["--enable-alpha-plugins"]);
    expect(status).toBe(0);
    const { status: verified, stderr } = verify(stdout);
    expect(verified).toBe(1);
    expect(stderr).toContain("error[layer-left]");
  });

  test("the local-config recipe leaves the App without its values, which --strict tells as well", () => {
    const folded = build("test/real/trees/fail-loud/top");
    expect(folded.stdout).toContain("name: shop-folded");
    const skipped = build("test/real/trees/fail-loud/top", ["--enable-alpha-plugins"]);
    expect([skipped.status, skipped.stdout.includes("kind: ConfigMap")]).toEqual([0, false]);
    const { status, stderr } = spawnSync("valuefold", ["verify", "--strict"], {
      input: skipped.stdout,
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toContain("error[unresolved-reference]");
  });
});

test("the trees use the name references that are shipped", () => {
  const shipped = readFileSync(new URL("config/name-reference.yaml", root), "utf8");
  for (const tree of [
    "two-prefixed-copies/both",
    "prefix-above/top",
    "component-and-hash/top",
    "hash-in-a-pipe",
  ]) {
    expect(readFileSync(new URL(`test/real/trees/${tree}/name-reference.yaml`, root), "utf8")).toBe(shipped);
  }
});
