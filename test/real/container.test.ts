// The image, built on a local stand-in for its base and run with podman and runc behind a `docker` shim,
// by itself and with the very arguments that kustomize and kpt use.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const image = "localhost/valuefold:test";
const folder = "test/core/cases/config-and-user-config-in-a-resource-list/";

function run(
  command: string,
  args: readonly string[],
  input = "",
  cwd?: string,
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    input,
    encoding: "utf8",
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

function text(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

test("folds as nobody, without network, on a read-only root", () => {
  const args = [
    "run",
    "--rm",
    "-i",
    "--network",
    "none",
    "--user",
    "nobody",
    "--read-only",
    "--security-opt=no-new-privileges",
    image,
  ];
  expect(run("docker", args, text(`${folder}input.yaml`))).toEqual({
    status: 0,
    stdout: text(`${folder}output.yaml`),
    stderr: "",
  });
});

test("an error reaches stderr and the exit status", () => {
  const { status, stdout, stderr } = run(
    "docker",
    ["run", "--rm", "-i", "--network", "none", "--user", "nobody", image],
    "",
  );
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("error[not-a-resource-list]");
});

test("kustomize runs it, and gets the same bytes as from the exec form", async () => {
  const tree = new URL("examples/kustomize-container/overlays/prod", root).pathname;
  const once = run("kustomize", ["build", "--enable-alpha-plugins", tree]);
  expect([once.status, once.stderr]).toEqual([0, ""]);
  expect(run("kustomize", ["build", "--enable-alpha-plugins", tree]).stdout).toBe(once.stdout);
  expect(once.stdout).toBe(text("examples/kustomize-exec/expected/prod.yaml"));
  await expect(once.stdout).toMatchFileSnapshot(
    new URL("examples/kustomize-container/expected.yaml", root).pathname,
  );
});

/** A copy of a tree whose function configs name the image instead of the program. */
function inContainers(tree: string, of = image): string {
  const copy = mkdtempSync(join(tmpdir(), "valuefold-tree-"));
  cpSync(new URL(tree, root).pathname, copy, { recursive: true });
  const files = readdirSync(copy, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("fold.yaml"),
  );
  for (const file of files) {
    const config = readFileSync(join(copy, file), "utf8");
    writeFileSync(
      join(copy, file),
      config.replace(/exec:\n( +)path: valuefold/, `container:\n$1image: ${of}`),
    );
  }
  return copy;
}

test.for([
  ["examples/kustomize-exec", "overlays/prod", "expected/prod.yaml"],
  ["examples/kustomize-exec", "overlays/prod-east", "expected/prod-east.yaml"],
  ["test/real/trees/two-prefixed-copies", "both", "expected.yaml"],
  ["test/real/trees/patched-slot", "top", "expected.yaml"],
  ["test/real/trees/prefix-above", "top", "expected.yaml"],
  ["test/real/trees/component-and-hash", "top", "expected.yaml"],
  ["test/real/trees/base-and-overlay", "overlay-over-folded", "expected.yaml"],
] as const)("%s/%s gives the same bytes from containers", ([tree, top, expected]) => {
  const { status, stdout, stderr } = run("kustomize", [
    "build",
    "--enable-alpha-plugins",
    join(inContainers(tree), top),
  ]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(text(`${tree}/${expected}`));
});

test("with sops beside it, a mounted key opens sealed layers, for nobody else", () => {
  const keys = mkdtempSync(join(tmpdir(), "valuefold-keys-"));
  chmodSync(keys, 0o755);
  cpSync(new URL("examples/sops/throw-away.agekey", root).pathname, join(keys, "ci.agekey"));
  chmodSync(join(keys, "ci.agekey"), 0o644);
  const tree = join(inContainers("examples/sops", "localhost/valuefold-sops:test"), "overlays/prod");
  const how = ["--mount", `type=bind,src=${keys},dst=/keys`, "--env", "SOPS_AGE_KEY_FILE=/keys/ci.agekey"];
  const { status, stdout, stderr } = run("kustomize", ["build", "--enable-alpha-plugins", ...how, tree]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/values\.yaml: ENC\[/);
  expect(stdout).toContain("name: shop-folded\n");
  const without = run("kustomize", ["build", "--enable-alpha-plugins", tree]);
  expect([without.status, without.stderr.includes("error[sops-failed]")]).toEqual([1, true]);
});

test("kpt runs it, and writes the same files as with the exec form", () => {
  const [exec, container] = ["exec: valuefold", `image: ${image}`].map((how) => {
    const copy = mkdtempSync(join(tmpdir(), "valuefold-kpt-"));
    cpSync(new URL("examples/kpt/", root).pathname, copy, { recursive: true });
    const kptfile = readFileSync(join(copy, "Kptfile"), "utf8");
    writeFileSync(join(copy, "Kptfile"), kptfile.replace("exec: valuefold", how));
    const { status, stderr } = run("kpt", ["fn", "render", "--allow-exec", "."], "", copy);
    expect([status, stderr]).toEqual([0, expect.stringContaining("[PASS]")]);
    return copy;
  }) as [string, string];
  expect(readdirSync(container)).toEqual(readdirSync(exec));
  for (const file of readdirSync(exec).filter((name) => name.endsWith(".yaml"))) {
    expect(readFileSync(join(container, file), "utf8")).toBe(readFileSync(join(exec, file), "utf8"));
  }
});

test("the examples' bases are the same", () => {
  for (const file of readdirSync(new URL("examples/kustomize-exec/base", root))) {
    expect(text(`examples/kustomize-container/base/${file}`)).toBe(
      text(`examples/kustomize-exec/base/${file}`),
    );
  }
});
