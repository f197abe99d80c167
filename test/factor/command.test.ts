// What `factor` writes, and when it writes nothing.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runFactor } from "../../src/cli/factor.ts";
import type { FlagValues } from "../../src/cli/flags.ts";
import type { Io } from "../../src/cli/io.ts";
import { renderDiagnostics } from "../../src/report/text.ts";
import { mergeAll } from "../../src/merge/merge-all.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "valuefold-factor-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = {
  "values-dev.yaml": "image: {tag: dev}\nport: 80\nhost: dev.example\nreplicas: 1\n",
  "values-stage.yaml": "image: {tag: v1}\nport: 80\nhost: stage.example\nreplicas: 1\n",
  "values-prod.yaml": "image: {tag: v1}\nport: 80\nhost: example\nreplicas: 5\n",
};
const names = Object.keys(files);

function put(texts: { readonly [name: string]: string }): void {
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function read(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

async function run(
  words: readonly string[],
  flags: FlagValues<"factor"> = {},
  merge?: typeof mergeAll,
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly messages: string }> {
  const io = {
    directory: folder,
    env: process.env,
    stdin: () => new Uint8Array(),
    tidily: (work: (stop: undefined) => unknown) => work(undefined),
  } as unknown as Io;
  const { exitCode, output, diagnostics, account } = await runFactor(words, flags, io, merge);
  const messages = renderDiagnostics(diagnostics) + (account?.().text ?? "");
  return { exitCode, stdout: Buffer.concat(output).toString("utf8"), messages };
}

function git(...args: readonly string[]): void {
  const who = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
  expect(spawnSync("git", ["-C", folder, ...who, ...args]).status).toBe(0);
}

describe("--out", () => {
  test("writes a base and layers, and leaves the files", async () => {
    put(files);
    const { exitCode, stdout } = await run(names, { out: "made" });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("wrote made: base and layers merge back into each of the 3 files\n");
    expect(readdirSync(join(folder, "made")).toSorted()).toEqual(["base.yaml", ...names.toSorted()]);
    expect(read("made/base.yaml")).toBe("image: {tag: v1}\nport: 80\nreplicas: 1\n");
    expect(read("made/values-prod.yaml")).toBe("host: example\nreplicas: 5\n");
    expect(read("values-prod.yaml")).toBe(files["values-prod.yaml"]);
  });

  test("keeps the folders of the files", async () => {
    put({
      "clusters/dev/values.yml": files["values-dev.yaml"],
      "clusters/prod/values.yml": files["values-prod.yaml"],
    });
    await run(["clusters/dev/values.yml", "clusters/prod/values.yml"], { out: "made" });
    expect(readdirSync(join(folder, "made"), { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "base.yaml",
      "dev",
      "dev/values.yml",
      "prod",
      "prod/values.yml",
    ]);
  });

  test.for([
    [
      "a merge that loses the upper layers",
      (roots: Parameters<typeof mergeAll>[0]) => mergeAll(roots.slice(0, 1)),
    ],
    ["a merge that gives nothing", () => undefined],
  ] as const)("%s writes nothing", async ([, merge]) => {
    put(files);
    const { exitCode, stdout, messages } = await run(names, { out: "made" }, merge);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(messages).toContain("error[not-proven]: the layers of `values-dev.yaml`");
    expect(existsSync(join(folder, "made"))).toBe(false);
  });

  test("a directory with something in it is left alone", async () => {
    put({ ...files, "made/notes.txt": "mine" });
    await expect(run(names, { out: "made" })).rejects.toThrow("`made` is not an empty directory");
    expect(readdirSync(join(folder, "made"))).toEqual(["notes.txt"]);
  });

  test("files that share nothing make no files", async () => {
    put({ "a.yaml": "a: 1\n", "b.yaml": "b: 1\n" });
    await expect(run(["a.yaml", "b.yaml"], { out: "made" })).rejects.toThrow("share nothing");
    expect(existsSync(join(folder, "made"))).toBe(false);
  });
});

describe("--in-place", () => {
  test("writes over the files where git has them", async () => {
    put({ ...files, "chart/values.yaml": "port: 80\n", "chart/Chart.yaml": "name: shop\n" });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "files");
    expect((await run(names, { "in-place": true })).exitCode).toBe(0);
    expect(read("values-stage.yaml")).toBe("host: stage.example\n");
    expect(read("chart/values.yaml")).toBe("port: 80\n");
    await expect(run(names, { "in-place": true })).rejects.toThrow("clean git work tree");
    git("add", "-A");
    git("commit", "-qm", "factored");
    await expect(run(names, { "in-place": true })).rejects.toThrow("share nothing");
  });

  test("writes nothing without git, and over no other file", async () => {
    put({ ...files, ".gitignore": "values-dev.yaml\n" });
    await expect(run(names, { "in-place": true })).rejects.toThrow("needs a git work tree");
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "files");
    await expect(run(names, { "in-place": true })).rejects.toThrow("git does not have all of these files");
    put({ "base.yaml": "mine: 1\n" });
    git("add", "-f", "-A", ".");
    git("add", "-f", "values-dev.yaml");
    git("commit", "-qm", "more");
    await expect(run(names, { "in-place": true })).rejects.toThrow("`base.yaml` exists already");
    for (const [name, text] of Object.entries(files)) expect(read(name)).toBe(text);
  });

  test("does not write through a link that leads to nothing", async () => {
    put(files);
    symlinkSync("../outside.yaml", join(folder, "base.yaml"));
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "files");
    await expect(run(names, { "in-place": true })).rejects.toThrow("`base.yaml` exists already");
    expect(existsSync(join(folder, "../outside.yaml"))).toBe(false);
    for (const [name, text] of Object.entries(files)) expect(read(name)).toBe(text);
  });
});

describe.runIf(process.platform === "linux")("a disk without room", () => {
  const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
  const large = (own: string): string =>
    `name: ${own}\n${Array.from({ length: 400 }, (_, index) => `key${index}: ${"x".repeat(60)}\n`).join("")}`;
  const limited = (...args: readonly string[]): ReturnType<typeof spawnSync> =>
    spawnSync("sh", ["-c", 'ulimit -f 8; exec "$@"', "sh", process.execPath, program, "factor", ...args], {
      cwd: folder,
    });

  test("leaves the files as they were, and nothing next to them", () => {
    put({ "a.yaml": large("a"), "b.yaml": large("b") });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "files");
    expect(limited("--in-place", "a.yaml", "b.yaml").status).toBe(1);
    expect(limited("--out", "made", "a.yaml", "b.yaml").status).toBe(1);
    expect(readdirSync(folder).toSorted()).toEqual([".git", "a.yaml", "b.yaml"]);
    expect(read("b.yaml")).toBe(large("b"));
  });
});

describe("--kustomize", () => {
  test.for([
    [["values-eu_1.yaml", "values-eu-1.yaml"], "`values-eu_1.yaml` and `values-eu-1.yaml` get one name"],
    [["values-prod.yaml", "values-prod.yml"], "get one name: `values-prod`"],
    [["a/b/values.yaml", "a-b/values.yaml"], "get one name: `a-b-values`"],
    [["values-a.yaml", "\u6771.yaml"], "no name can be made of `\u6771.yaml`"],
  ] as const)("%j get one name: nothing is written", async ([[one, other], wanted]) => {
    put({ [one]: files["values-dev.yaml"], [other]: files["values-prod.yaml"] });
    await expect(run([one, other], { kustomize: true, out: "made" })).rejects.toThrow(wanted);
    expect(existsSync(join(folder, "made"))).toBe(false);
  });

  test.for([
    [
      ["values-prod.yaml", "values prod.yaml"],
      ["prod", "values-prod"],
    ],
    [
      ["values-middle-1.yaml", "values-dev.yaml"],
      ["values-dev", "values-middle-1"],
    ],
  ] as const)("%j are overlays of their own", async ([[one, other], wanted]) => {
    put({ [one]: "a: 1\nb: 2\nname: one\n", [other]: "a: 1\nb: 2\nname: other\n" });
    await run([one, other], { kustomize: true, out: "made" });
    const overlays = readdirSync(join(folder, "made/overlays")).toSorted();
    expect(overlays).toEqual(wanted);
    const texts = overlays.map((name) => read(`made/overlays/${name}/values.yaml`));
    expect(texts.toSorted()).toEqual(["name: one\n", "name: other\n"]);
  });
});

describe("files", () => {
  test("a link counts as the file that it leads to, and an empty file is left out", async () => {
    put({ ...files, "values-empty.yaml": "# nothing\n" });
    symlinkSync("values-prod.yaml", join(folder, "values-link.yaml"));
    const { messages, stdout } = await run([...names, "values-link.yaml", "values-empty.yaml"]);
    expect(messages).toBe(
      "note: `values-link.yaml` is the file `values-prod.yaml`, so it is left out\nnote: `values-empty.yaml` has no values, so it is left out\n",
    );
    expect(stdout).toContain("3 files");
  });

  test("of a key that is there twice the last one counts", async () => {
    put({ "a.yaml": "port: 1\nport: 80\na: 1\n", "b.yaml": "port: 80\nb: 1\n" });
    const { messages } = await run(["a.yaml", "b.yaml"], { out: "made" });
    expect(messages).toBe("note: `a.yaml` has keys twice: the last one of each counts\n");
    expect(read("made/base.yaml")).toBe("port: 80\n");
    expect(read("made/a.yaml")).toBe("a: 1\n");
  });

  test("the values of a chart stay the chart's", async () => {
    put({ ...files, "values.yaml": "port: 80\n", "Chart.yaml": "name: shop\n" });
    await expect(run([...names, "values.yaml"])).rejects.toThrow("has the defaults of a chart");
    expect((await run(names, { below: ["values.yaml"], out: "made" })).exitCode).toBe(0);
    expect(read("made/base.yaml")).not.toContain("port");
  });

  test.for([
    ["sealed.yaml", "a: ENC[AES256_GCM,data:x]\nsops:\n  mac: ENC[AES256_GCM,data:x]\n", "is encrypted"],
    ["two.yaml", "a: 1\n---\nb: 1\n", "a second YAML document"],
    ["template.yaml", "{{ if .x }}\na: 1\n{{ end }}\n", "template.yaml:2:1"],
    ["list.yaml", "- a\n", "expected a mapping"],
    ["variable.yaml", 'url: "http://${HOST}/"\na: [1\n', "variable.yaml:2:4"],
  ] as const)("%s is refused with its place", async ([name, text, wanted]) => {
    put({ ...files, [name]: text });
    const { exitCode, stdout, messages } = await run([...names, name], { out: "made" });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(messages).toContain(wanted);
    expect(existsSync(join(folder, "made"))).toBe(false);
  });

  test("UTF-16 is refused", async () => {
    put(files);
    writeFileSync(join(folder, "wide.yaml"), Buffer.from("\ufeffa: 1\n", "utf16le"));
    const { exitCode, messages } = await run([...names, "wide.yaml"]);
    expect(exitCode).toBe(1);
    expect(messages).toContain("wide.yaml:1:1");
  });

  test("a manifest is refused, and its values are not shown", async () => {
    put({
      ...files,
      "secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: hunter2}\n",
    });
    await expect(run([...names, "secret.yaml"])).rejects.toThrow("`secret.yaml` holds manifests");
  });
});

describe("--list-key", () => {
  const lists = {
    "a.yaml": "env:\n  - {name: A, value: 1}\n  - {name: A, value: 2}\n",
    "b.yaml": "env:\n  - {name: B, value: 1}\n",
  };

  test("a list that does not fit is an error with its place", async () => {
    put(lists);
    const { exitCode, messages } = await run(["a.yaml", "b.yaml"], { "list-key": ["env=name"] });
    expect(exitCode).toBe(1);
    expect(messages).toContain("in the list `env`, element 2 has the `name` of element 1\n  at    a.yaml:3:");
  });

  test.for([
    ["other=name", "no file has a list at `other`"],
    ["env=value", "the list `env` would merge with the one below it"],
  ] as const)("%s is refused", async ([key, wanted]) => {
    put({ ...lists, "below.yaml": "env:\n  - {name: X, value: 7}\n" });
    const { exitCode, messages } = await run(["a.yaml", "b.yaml"], {
      "list-key": [key],
      below: ["below.yaml"],
    });
    expect(exitCode).toBe(1);
    expect(messages).toContain(wanted);
  });

  test.for(["env", "=name", "env=", "a..b=name"])("%s is no rule", async (word) => {
    put(lists);
    await expect(run(["a.yaml", "b.yaml"], { "list-key": [word] })).rejects.toThrow(
      "expected `auto` or PATH=KEY",
    );
  });
});

describe("overlays", () => {
  const configMap = (name: string, text: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  values.yaml: |\n${text.replaceAll(/^(?=.)/gm, "    ")}`;
  const release = (text: string): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: shop\nspec:\n  interval: 5m\n  values:\n${text.replaceAll(/^(?=.)/gm, "    ")}`;
  const secret =
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\nstringData:\n  values.yaml: 'password: hunter2'\n";
  const overlay = (text: string): string =>
    [configMap("shop-values", text), release(text), secret, configMap("other", "just a text\n")].join(
      "---\n",
    );

  test("objects of one name are taken apart, and Secrets are not read", async () => {
    put({
      "overlays/dev/all.yaml": overlay(files["values-dev.yaml"]),
      "overlays/prod/all.yaml": overlay(files["values-prod.yaml"]),
    });
    const { exitCode, stdout, messages } = await run(["overlays/dev", "overlays/prod"], {
      out: "made",
      list: true,
    });
    expect(exitCode).toBe(0);
    expect(messages).toBe(
      "note: 2 Secrets in these builds stay as they are\n" +
        "note: the values of `ConfigMap/other` are encrypted, or cannot be read, so it is left out\n",
    );
    const made = readdirSync(join(folder, "made"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".yaml"),
    );
    expect(made.toSorted()).toEqual(
      ["configmap-shop-values", "helmrelease-shop"].flatMap((name) => [
        `${name}/base.yaml`,
        `${name}/dev.yaml`,
        `${name}/prod.yaml`,
      ]),
    );
    expect(read("made/helmrelease-shop/base.yaml")).toBe("port: 80\n");
    for (const text of [stdout, messages, ...made.map((name) => read(`made/${name}`))])
      expect(text).not.toContain("hunter2");
  });

  const inNamespace = (namespace: string, text: string): string =>
    configMap("app", text).replace("  name: app", `  name: app\n  namespace: ${namespace}`);

  test("objects of one name in two namespaces are two objects", async () => {
    for (const build of ["dev", "prod"] as const)
      put({
        [`${build}/all.yaml`]: ["n1", "n2"]
          .map((each) => inNamespace(each, `a: 1\nb: 2\nname: ${build}-${each}\n`))
          .join("---\n"),
      });
    const { stdout } = await run(["dev", "prod"], { out: "made", kustomize: true });
    expect(stdout).toContain("ConfigMap/n1/app: 2 files");
    expect(stdout).toContain("ConfigMap/n2/app: 2 files");
    expect(read("made/configmap-n2-app/overlays/prod/values.yaml")).toBe("name: prod-n2\n");
    for (const name of ["base", "overlays/prod"])
      expect(read(`made/configmap-n2-app/${name}/kustomization.yaml`)).toContain("    namespace: n2\n");
  });

  test("the namespace may follow from the build; where it does not say which object is meant, that is noted", async () => {
    put({
      "dev/all.yaml": inNamespace("dev", files["values-dev.yaml"]),
      "prod/all.yaml": inNamespace("prod", files["values-prod.yaml"]),
      "both/all.yaml": [inNamespace("x", "a: 1\n"), inNamespace("y", "a: 2\n")].join("---\n"),
    });
    expect((await run(["dev", "prod"])).stdout).toContain("ConfigMap/app: 2 files");
    await expect(run(["dev", "both"])).rejects.toThrow("`ConfigMap/app` is in other namespaces");
  });

  test("values that cannot be read are noted", async () => {
    const other = configMap("shop-values", "{{ if }}\na: 1\n");
    put({
      "dev/all.yaml": overlay(files["values-dev.yaml"]),
      "prod/all.yaml": [release(files["values-prod.yaml"]), other].join("---\n"),
    });
    const { messages } = await run(["dev", "prod"]);
    expect(messages).toContain("the values of `ConfigMap/shop-values` are encrypted, or cannot be read");
  });

  test("a layer has the namespace of its HelmRelease", async () => {
    for (const build of ["values-dev.yaml", "values-prod.yaml"] as const)
      put({
        [`${build}/all.yaml`]: release(files[build]).replace("name: shop", "name: shop\n  namespace: apps"),
      });
    await run(
      Object.keys(files).filter((name) => !name.includes("stage")),
      { out: "made", kustomize: true },
    );
    expect(read("made/helmrelease-shop/base/kustomization.yaml")).toContain("    namespace: apps\n");
  });

  test("no build takes the name of what all share", async () => {
    for (const [build, file] of [
      ["base", "values-dev.yaml"],
      ["prod", "values-prod.yaml"],
    ] as const)
      put({ [`${build}/all.yaml`]: release(files[file]) });
    await run(["base", "prod"], { out: "made" });
    expect(readdirSync(join(folder, "made/helmrelease-shop")).toSorted()).toEqual([
      "base.yaml",
      "build-base.yaml",
      "build-prod.yaml",
    ]);
  });

  test("an object's name leads nowhere else", async () => {
    for (const build of ["dev", "prod"])
      put({ [`${build}/all.yaml`]: configMap("../../../x", `a: 1\nb: 2\nname: ${build}\n`) });
    await expect(run(["dev", "prod"], { out: "made" })).rejects.toThrow("cannot be written");
    expect(readdirSync(folder).toSorted()).toEqual(["dev", "prod"]);
  });

  test("directories of one name have their paths as names", async () => {
    put({
      "a/prod/all.yaml": overlay(files["values-dev.yaml"]),
      "b/prod/all.yaml": overlay(files["values-prod.yaml"]),
    });
    await run(["a/prod", "b/prod"], { out: "made" });
    expect(readdirSync(join(folder, "made/helmrelease-shop")).toSorted()).toEqual([
      "a-prod.yaml",
      "b-prod.yaml",
      "base.yaml",
    ]);
  });

  test("cannot be written in place", async () => {
    put({
      "overlays/dev/all.yaml": overlay(files["values-dev.yaml"]),
      "overlays/prod/all.yaml": overlay(files["values-prod.yaml"]),
    });
    await expect(run(["overlays/dev", "overlays/prod"], { "in-place": true })).rejects.toThrow(
      "for values files",
    );
  });
});
