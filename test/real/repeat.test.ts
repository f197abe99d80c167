// Repeats in real kustomize (groups, generators and hashes, prefixes, overlays with instances of their own) and in real
// kpt, which writes the output over the input.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
    const verified = spawnSync("valuefold", ["verify", "-q"], { input: stdout, encoding: "utf8" });
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

  test("kustomize skips the function silently, and verify reports it", () => {
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
  /** A package under git that no function ran on. */
  function packaged(change: (repeat: string) => string = (repeat) => repeat): string {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-repeat-"));
    cpSync(new URL("repeat-kpt/", trees).pathname, folder, { recursive: true });
    rmSync(join(folder, "expected.txt"), { force: true });
    const repeat = join(folder, "repeat.yaml");
    writeFileSync(repeat, change(readFileSync(repeat, "utf8")));
    git(folder, "init", "-q");
    commit(folder);
    return folder;
  }

  const changes = (folder: string): string[] => git(folder, "status", "--short").split("\n").filter(Boolean);

  const verify = (folder: string): Ran => run(folder, "sh", "-c", "valuefold verify *.yaml");

  const filesIn = (folder: string): string[] =>
    readdirSync(folder)
      .filter((file) => file.endsWith(".yaml"))
      .toSorted();

  test("with `once`, clones take the place of the Repeat and its templates; a second render changes nothing", async () => {
    const folder = packaged();
    expect(verify(folder).stderr).toContain("error[repeat-left]: `Repeat/proxies` was not repeated");
    expect(render(folder)).toMatchObject({ status: 0 });
    const text = filesIn(folder)
      .map((file) => `# ${file}\n${readFileSync(join(folder, file), "utf8")}`)
      .join("---\n");
    expect(text).not.toMatch(/kind: Repeat|^ {2}name: (?:proxy|kafka)$/m);
    await expect(text).toMatchFileSnapshot(new URL("repeat-kpt/expected.txt", trees).pathname);
    expect(verify(folder)).toMatchObject({ status: 0 });
    commit(folder);
    expect(render(folder)).toMatchObject({ status: 0 });
    expect(changes(folder)).toEqual([]);
  });

  test("without it nothing is written, and the message names both cures", () => {
    const folder = packaged((repeat) => repeat.replace(/ +once: true.*\n/, ""));
    const { status, stderr } = render(folder);
    expect(status).not.toBe(0);
    expect(stderr).toContain("repeat-in-place");
    expect(stderr).toContain("run it where the input stays");
    expect(stderr).toContain("once: true");
    expect(changes(folder)).toEqual([]);
  });

  test("a clone is an item like any other: it is edited and deleted for good", () => {
    const folder = packaged();
    expect(render(folder).status).toBe(0);
    const file = join(folder, "deployment_proxy-http.yaml");
    const edited = readFileSync(file, "utf8").replace("image: nginx", "image: mine");
    expect(edited).toContain("image: mine");
    writeFileSync(file, edited);
    rmSync(join(folder, "deployment_proxy-https.yaml"));
    commit(folder);
    expect(render(folder)).toMatchObject({ status: 0 });
    expect(changes(folder)).toEqual([]);
  });

  test("what an earlier version left in a package is refused, and its cure works", () => {
    const folder = packaged();
    expect(render(folder).status).toBe(0);
    const [clone, template] = ["deployment_proxy-http.yaml", "template.yaml"].map((file) =>
      join(folder, file),
    );
    const marked = readFileSync(clone ?? "", "utf8")
      .replace("name: proxy-http", "name: proxy")
      .replace(/valuefold.dev\/repeated-from: .*/, `valuefold.dev/template-of: '{"repeat":"proxies"}'`);
    writeFileSync(template ?? "", marked);
    commit(folder);
    const { status, stderr } = render(folder);
    expect(status).not.toBe(0);
    expect(stderr).toContain("`Deployment/proxy` is a template that an earlier version kept in place");
    expect(changes(folder)).toEqual([]);
    rmSync(template ?? "");
    commit(folder);
    expect(render(folder)).toMatchObject({ status: 0 });
    expect(changes(folder)).toEqual([]);
  });
});
