// `valuefold render --root DIR`: no file outside DIR is read, whatever settings, directories and links say.
import { spawnSync } from "node:child_process";
import { copyFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOf } from "../support/folder.ts";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
const schema = {
  variables: [{ name: "app", required: true }],
  layers: [
    {
      id: "all",
      path: { directory: "" },
      templates: {
        path: { directory: "apps/<< app >>" },
        configMap: { name: "values.yaml" },
        secret: { name: "secret.yaml" },
      },
    },
  ],
};

function settings(directory: string, spec: object = {}): string {
  return JSON.stringify({
    apiVersion: "valuefold.dev/v1alpha1",
    kind: "ValueFoldRender",
    metadata: { name: "test", namespace: "org" },
    spec: {
      directory,
      schema,
      scope: { variable: "app", directories: "apps", includes: { regex: [".+"] } },
      destination: { namespace: "org" },
      ...spec,
    },
  });
}

const layers = { "apps/shop/values.yaml": "color: blue\n" };

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function render(folder: string, args: readonly string[], input = ""): Ran {
  const all = [program, "render", "--format", "json", ...args];
  return spawnSync(process.execPath, all, { cwd: folder, input, encoding: "utf8" });
}

function codesOf({ stderr }: Ran): readonly string[] {
  const { diagnostics } = JSON.parse(stderr) as { diagnostics: { code: string }[] };
  return diagnostics.map(({ code }) => code);
}

/** Two folders: the one that is the root, and one next to it. */
function makeFolders(directory: string, spec?: object): { readonly inner: string; readonly outer: string } {
  const outer = folderOf({ "outside/apps/shop/values.yaml": "color: secret\n" });
  const inner = join(outer, "source");
  folderOf({ "render.yaml": settings(directory, spec), ...layers }, inner);
  return { inner, outer };
}

test.each([".", "./apps/.."])("renders a directory in the root: %s", (directory) => {
  const { inner } = makeFolders(directory);
  const ran = render(inner, ["-c", "render.yaml", "--root", "."]);
  expect(ran.status).toBe(0);
  expect(ran.stdout).toContain("color: blue");
});

test.each(["..", "../outside", "/", "/no/such/folder", "../no-such-folder"])(
  "refuses a directory outside of it: %s",
  (directory) => {
    const ran = render(makeFolders(directory).inner, ["-c", "render.yaml", "--root", "."]);
    expect(ran.status).toBe(1);
    expect(ran.stdout).toBe("");
    expect(codesOf(ran)).toEqual(["no-directory"]);
    expect(ran.stderr).toContain("outside of `--root`");
  },
);

test("reads the same directory without it", () => {
  const ran = render(makeFolders("../outside").inner, ["-c", "render.yaml"]);
  expect(ran.stdout).toContain("color: secret");
});

test("refuses a directory that is a link out of it", () => {
  const { inner, outer } = makeFolders("linked");
  symlinkSync(join(outer, "outside"), join(inner, "linked"));
  expect(codesOf(render(inner, ["-c", "render.yaml", "--root", "."]))).toEqual(["no-directory"]);
});

test("refuses a directory on the command line, too", () => {
  const ran = render(makeFolders(".").inner, ["-c", "render.yaml", "--root", ".", "../outside"]);
  expect(codesOf(ran)).toEqual(["no-directory"]);
});

test("settings on stdin start from the working directory", () => {
  const { inner } = makeFolders(".");
  expect(render(inner, ["-c", "-", "--root", "."], settings(".")).stdout).toContain("color: blue");
  expect(codesOf(render(inner, ["-c", "-", "--root", "."], settings("..")))).toEqual(["no-directory"]);
});

test.each(["../render.yaml", "linked.yaml", "../no-such-file"])(
  "refuses settings outside of it: %s",
  (file) => {
    const { inner, outer } = makeFolders(".");
    folderOf({ "render.yaml": settings(".") }, outer);
    symlinkSync(join(outer, "render.yaml"), join(inner, "linked.yaml"));
    const ran = render(inner, ["-c", file, "--root", "."]);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain(`the settings \`${file}\` are outside of \`--root\``);
  },
);

test("refuses a folder of keys outside of it", () => {
  const { inner, outer } = makeFolders(".", { sops: { keys: ".." } });
  const sealed = new URL(
    "../../examples/render/config/installations/gauss/secrets.enc.yaml",
    import.meta.url,
  );
  copyFileSync(sealed, join(inner, "apps/shop/secret.yaml"));
  folderOf({ "key.agekey": "AGE-SECRET-KEY-1" }, outer);
  const ran = render(inner, ["-c", "render.yaml", "--root", "."]);
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain("the folder of `sops.keys` is outside of `--root`");
});

test("says which root does not exist", () => {
  const ran = render(makeFolders(".").inner, ["-c", "render.yaml", "--root", "no-such-folder"]);
  expect(ran.stderr).toContain("the root `no-such-folder` does not exist");
});

test("names the instance of a failure and of a miss as data", () => {
  const scope = { variable: "app", directories: "apps", includes: { exact: ["shop", "shup"] } };
  const { inner } = makeFolders(".", { scope });
  const missed = render(inner, ["-c", "render.yaml", "--root", "."]);
  expect(missed.status).toBe(0);
  expect(JSON.parse(missed.stderr)).toMatchObject({
    diagnostics: [{ code: "scope-miss", severity: "warning", at: { instance: "shup" } }],
  });
  folderOf({ "apps/shop/values.yaml": "{{ .missing }}\n" }, inner);
  expect(JSON.parse(render(inner, ["-c", "render.yaml"]).stderr)).toMatchObject({
    diagnostics: [{ at: { instance: "shup" } }, { code: "template-failed", at: { instance: "shop" } }],
  });
});
