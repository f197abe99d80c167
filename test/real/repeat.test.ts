// Repeats in real kustomize (groups, generators and hashes, prefixes, overlays with instances of their own) and in real
// kpt, rendered again and again with edits and deletions between.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commit, git, type Ran, render, run } from "./kpt-package.ts";

const trees = new URL("trees/", import.meta.url);

describe("kustomize", () => {
  const build = (overlay: string): Ran =>
    run(
      new URL(`repeat/${overlay}`, trees).pathname,
      "kustomize",
      "build",
      "--enable-alpha-plugins",
      "--enable-exec",
      ".",
    );

  test.for(["base", "prod", "stage", "both", "patched"])("%s", async (overlay) => {
    const { status, stdout, stderr } = build(overlay);
    expect([status, stderr]).toEqual([0, ""]);
    await expect(stdout).toMatchFileSnapshot(new URL(`repeat/expected/${overlay}.yaml`, trees).pathname);
    const verified = spawnSync("valuefold", ["verify"], { input: stdout, encoding: "utf8" });
    expect([verified.status, verified.stderr]).toEqual([0, ""]);
  });

  test.for(["base", "prod"])(
    "HelmReleases with layers of their own, in a base and in an overlay: %s",
    async (overlay) => {
      const folder = new URL(`repeat-releases/${overlay}`, trees).pathname;
      const { status, stdout, stderr } = run(
        folder,
        "kustomize",
        "build",
        "--enable-alpha-plugins",
        "--enable-exec",
        ".",
      );
      expect([status, stderr]).toEqual([0, ""]);
      await expect(stdout).toMatchFileSnapshot(
        new URL(`repeat-releases/expected/${overlay}.yaml`, trees).pathname,
      );
      expect(spawnSync("valuefold", ["verify"], { input: stdout, encoding: "utf8" }).status).toBe(0);
    },
  );

  test("references inside a group name the clones of their own instance, hashes and prefixes included", () => {
    const { stdout } = build("prod");
    const names = [...stdout.matchAll(/^ {2}name: (prod-proxy-config-\w+-\w{10})$/gm)].map(
      ([, name]) => name,
    );
    const used = [...stdout.matchAll(/configMapRef:\n +name: (\S+)/g)].map(([, name]) => name);
    expect(names).toHaveLength(3);
    expect(used).toEqual(names);
  });

  test("kustomize skips the function without a word, and verify tells", () => {
    const folder = new URL("repeat/base", trees).pathname;
    const skipped = run(folder, "kustomize", "build", "--enable-alpha-plugins", ".");
    expect(skipped.status).toBe(0);
    const { status, stderr } = spawnSync("valuefold", ["verify"], {
      input: skipped.stdout,
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toContain("error[repeat-left]: `Repeat/proxies` was not repeated");
  });
});

describe("kpt", () => {
  /** A package that was rendered once, under git. */
  function rendered(): string {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-repeat-"));
    cpSync(new URL("repeat-kpt/", trees).pathname, folder, { recursive: true });
    git(folder, "init", "-q");
    expect(render(folder).status).toBe(0);
    commit(folder);
    return folder;
  }

  const changes = (folder: string): string[] => git(folder, "status", "--short").split("\n").filter(Boolean);

  function edit(folder: string, file: string, from: string, to: string): void {
    const text = readFileSync(join(folder, file), "utf8");
    expect(text).toContain(from);
    writeFileSync(
      join(folder, file),
      text.replace(from, () => to),
    );
  }

  test("renders what was rendered to the same bytes", async () => {
    const folder = rendered();
    const all = readdirSync(folder)
      .filter((file) => file.endsWith(".yaml"))
      .toSorted();
    const text = all.map((file) => `# ${file}\n${readFileSync(join(folder, file), "utf8")}`).join("---\n");
    await expect(text).toMatchFileSnapshot(new URL("repeat-kpt/expected.txt", trees).pathname);
    expect(render(folder).status).toBe(0);
    expect(changes(folder)).toEqual([]);
  });

  test("an instance more and one less: files come and go, others stay", () => {
    const folder = rendered();
    edit(folder, "repeat.yaml", "    https:\n      port: 443\n", "    admin:\n      port: 9000\n");
    expect(render(folder).status).toBe(0);
    const files = readdirSync(folder);
    expect(files.filter((file) => file.includes("https"))).toEqual([]);
    expect(files.filter((file) => file.includes("admin")).toSorted()).toEqual([
      "configmap_kafka-admin-folded.yaml",
      "configmap_kafka-admin-values.yaml",
      "deployment_proxy-admin.yaml",
      "helmrelease_kafka-admin.yaml",
    ]);
    expect(git(folder, "diff", "--stat", "--", "*http.yaml", "*http-folded.yaml")).toBe("");
    expect(readFileSync(join(folder, "proxy.yaml"), "utf8")).toContain("host: admin.example # name");
    commit(folder);
    expect(render(folder).status).toBe(0);
    expect(changes(folder)).toEqual([]);
  });

  test("a template that changes is taken to its clones, in place", () => {
    const folder = rendered();
    edit(folder, "proxy.yaml", "image: nginx", "image: nginx:2");
    edit(
      folder,
      "proxy.yaml",
      "- kind: ConfigMap\n      name: kafka-base\n",
      "- kind: ConfigMap\n      name: kafka-base\n    - kind: ConfigMap\n      name: more\n",
    );
    expect(render(folder)).toMatchObject({ status: 0 });
    expect(readFileSync(join(folder, "deployment_proxy-http.yaml"), "utf8")).toContain("image: nginx:2\n");
    expect(readFileSync(join(folder, "helmrelease_kafka-http.yaml"), "utf8")).toContain("name: more\n");
    commit(folder);
    expect(render(folder).status).toBe(0);
    expect(changes(folder)).toEqual([]);
  });

  test("a value that changes is folded into its clone alone", () => {
    const folder = rendered();
    edit(folder, "repeat.yaml", "port: 443", "port: 8443");
    expect(render(folder).status).toBe(0);
    expect(readFileSync(join(folder, "configmap_kafka-https-folded.yaml"), "utf8")).toContain("port: 8443\n");
    expect(git(folder, "diff", "--stat", "--", "*http.yaml", "*http-folded.yaml")).toBe("");
  });

  test.for([
    ["deployment_proxy-http.yaml", "image: nginx", "image: mine"],
    ["proxy.yaml", "host: http.example", "host: mine.example"],
  ] as const)(
    "a clone that a user edited stays while its inputs do, and is refused then: %s",
    ([file, from, to]) => {
      const folder = rendered();
      edit(folder, file, from, to);
      commit(folder);
      expect(render(folder)).toMatchObject({ status: 0 });
      expect(changes(folder)).toEqual([]);
      edit(folder, "proxy.yaml", "image: nginx", "image: nginx:2");
      edit(folder, "repeat.yaml", "    https:\n      port: 443\n", "    admin:\n      port: 9000\n");
      commit(folder);
      const { status, stderr } = render(folder);
      expect(status).not.toBe(0);
      expect(stderr).toContain("repeat-edited");
      expect(changes(folder)).toEqual([]);
    },
  );

  test("a clone that was deleted comes back as it was", () => {
    const folder = rendered();
    rmSync(join(folder, "deployment_proxy-http.yaml"));
    rmSync(join(folder, "helmrelease_kafka-https.yaml"));
    expect(render(folder)).toMatchObject({ status: 0 });
    expect(changes(folder)).toEqual([]);
    expect(existsSync(join(folder, "deployment_proxy-http.yaml"))).toBe(true);
  });

  test("a package that was not rendered is told by verify, and so is one whose instances changed since", () => {
    const verify = (folder: string): Ran => run(folder, "sh", "-c", "valuefold verify *.yaml");
    const folder = rendered();
    expect(verify(folder)).toMatchObject({ status: 0 });
    edit(folder, "repeat.yaml", "    https:\n      port: 443\n", "    admin:\n      port: 9000\n");
    const { status, stderr } = verify(folder);
    expect(status).toBe(1);
    expect(stderr).toContain(
      "error[repeat-stale]: `HelmRelease/kafka-https` is a clone for instance `https`, which is gone",
    );
    expect(stderr).toContain("error[repeat-left]: the clone `HelmRelease/kafka-admin`");
  });
});
