// Words as people type them: kinds in any case and by short names, a word that names two things, and names that are nearly there.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import type { Io } from "../../src/cli/io.ts";
import { folderOf } from "../support/folder.ts";
import { worldOf } from "../support/world.ts";

type Files = Readonly<Record<string, string>>;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The answer, or what is wrong with the words. */
async function run(files: Files, ...words: readonly string[]): Promise<string> {
  const directory = folderOf(files, mkdtempSync(join(tmpdir(), "valuefold-words-")));
  folders.push(directory);
  const { PATH = "" } = process.env;
  const world = worldOf("", { directory, env: { PATH }, terminal: { stdin: true, stdout: false } });
  // Schemas are named from where the process runs, and so are missing files.
  const own = words.map((word) => word.replace("@", `${directory}/`));
  return (await answerTo(own, world)).replaceAll(`${relative(".", directory)}/`, "");
}

/** A line breaks sooner where the way to the temporary folder is longer. */
const unwrapped = (text: string): string => text.replaceAll(/\s+/g, " ");

async function answerTo(words: readonly string[], world: Io): Promise<string> {
  try {
    const { output, messages } = await runCommand(words, world);
    return `${Buffer.concat(output).toString("utf8")}${messages}`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `${error.message}\n${"hint" in error ? String(error.hint) : ""}`;
  }
}

const release = (name: string, value: number): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: shop}\nspec: {values: {a: ${value}}}\n`;
const app =
  "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: web}\nspec: {config: {configMap: {name: layer}}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: layer}\ndata: {values: 'a: 5'}\n";
const application =
  "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: {source: {repoURL: https://charts.example, chart: web, helm: {valuesObject: {a: 6}}}}\n";
const layered = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base}\ndata: {values: 'a: 1'}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: over, annotations: {valuefold.dev/into: ConfigMap/base}}\ndata: {values: 'a: 7'}\n`;
const build = (directory: string, name: string, value: number): Files => ({
  [`${directory}/kustomization.yaml`]: "resources: [release.yaml]\n",
  [`${directory}/release.yaml`]: release(name, value),
});

describe("kinds", () => {
  const files = {
    "release.yaml": release("web", 1),
    "app.yaml": app,
    "argo.yaml": application,
    "cm.yaml": layered,
  };

  test.for([
    ["HelmRelease/web", "release.yaml", "a: 1"],
    ["helmrelease/web", "release.yaml", "a: 1"],
    ["HELMRELEASE/web", "release.yaml", "a: 1"],
    ["hr/web", "release.yaml", "a: 1"],
    ["hr/shop/web", "release.yaml", "a: 1"],
    ["app/web", "app.yaml", "a: 5"],
    ["application/web", "argo.yaml", "a: 6"],
    ["app/web", "argo.yaml", "a: 6"],
    ["cm/base", "cm.yaml", "a: 7"],
    ["configmap/base", "cm.yaml", "a: 7"],
  ] as const)("%s of %s", async ([word, file, expected]) => {
    expect(await run(files, "values", word, file)).toContain(expected);
    const [, value = ""] = expected.split(": ");
    expect(await run(files, "explain", word, "a", file)).toContain(` a\n        ${value}  `);
  });

  test.for([
    ["hr/other/web", "no target named `hr/other/web`"],
    ["hr/wbe", "did you mean `HelmRelease/web`?"],
    // kubectl's plurals are names of directories here.
    ["apps/web", "`apps/web` does not exist"],
    ["ks/web", "`ks/web` does not exist"],
  ] as const)("%s is no target", async ([word, message]) => {
    expect(await run(files, "values", word, "release.yaml")).toContain(message);
  });

  test("before `=` in flags", async () => {
    const schema = {
      ...files,
      "s.json": '{"properties": {"a": {"type": "string"}}}',
      "c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n",
      "c/values.yaml": "b: 2\n",
    };
    expect(await run(schema, "verify", "--schema", "hr/web=@s.json", "release.yaml")).toContain(
      "error[schema]",
    );
    expect(await run(schema, "verify", "--schema", "app/web=@s.json", "argo.yaml")).toContain(
      "error[schema]",
    );
    expect(await run(schema, "verify", "--schema", "hr/api=@s.json", "release.yaml")).not.toContain(
      "error[schema]",
    );
    expect(await run(schema, "values", "hr/web", "--chart", "hr/web=c", "release.yaml")).toContain("b: 2");
  });

  test("in init", async () => {
    expect(await run({ "all.yaml": release("web", 1) }, "init", "hr/web")).toContain(
      "a layer of HelmRelease/web",
    );
  });

  test("in compare", async () => {
    const all = { ...build("dev", "web", 1), ...build("prod", "web", 2) };
    expect(await run(all, "compare", "hr/web", "dev", "prod")).toContain("HelmRelease/shop/web");
  });
});

describe("a word that names a target and a directory", () => {
  const files = { ...build("web", "web", 1), ...build("other", "web", 2), ...build("dev", "api", 3) };
  const note = (word: string): string =>
    `info[not-built]: \`${word}\` is a target and a directory: the target is meant\n  hint  name the directory \`./${word}\`\n`;

  test("means the target, and the directory is mentioned", async () => {
    const text = await run(files, "explain", "web", "a");
    expect(text).toContain("web a\n  other  2  other/release.yaml:4:20  spec.values\n  web    1  web/");
    expect(text).toContain(note("web"));
    expect(await run(files, "values", "web", "other")).toContain("a: 2");
  });

  test("means the directory where no target of that name has values", async () => {
    const argo = (name: string, source: string): string =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}}\nspec: {source: {repoURL: 'https://charts.example', ${source}}}\n`;
    const all = {
      "root/root.yaml": argo("root", "path: apps"),
      "root/web.yaml": argo("web", "chart: web, targetRevision: 1.0.0, helm: {valuesObject: {a: 1}}"),
      ...build("other", "web", 2),
    };
    const text = await run(all, "explain", "root", "a");
    expect(text).toContain("root/web.yaml:4:");
    expect(text).not.toContain("the target is meant");
    // The target is there, and the directory has another one.
    const other = {
      ...build("web", "third", 1),
      ...build("other", "web", 2),
      "other/release.yaml": release("web", 2).replace("{a: ", "{b: "),
    };
    const unset = await run(other, "explain", "web", "a");
    expect(unset).toContain("error[no-value]");
    expect(unset).toContain("the target is meant");
  });

  test.for([["./web"], ["web/"]] as const)("%s means the directory", async ([word]) => {
    const text = await run(files, "explain", word, "a");
    expect(text).not.toContain("other");
    expect(text).not.toContain("info");
  });

  test("a directory that names no target, and a word after another, is a directory", async () => {
    for (const words of [
      ["dev", "a"],
      ["api", "dev"],
      ["hr/api", "a", "dev"],
    ])
      expect(await run(files, "explain", ...words)).not.toContain("info");
    expect(await run(files, "explain", "hr/web", "web")).not.toContain("other");
  });

  test("a directory of that name with its kind, too", async () => {
    const all = { ...files, ...build("hr/web", "web", 4), ...build("hr/none", "web", 5) };
    const text = await run(all, "explain", "hr/web", "a");
    expect(text).toContain("  other    2  other/release.yaml");
    expect(text).toContain(note("hr/web"));
    expect(await run(all, "explain", "hr/none", "a")).toMatch(/^web a\n +5 {2}hr\/none/);
  });

  test("a layer has no such name", async () => {
    const all = {
      ...build("base", "web", 1),
      "other/kustomization.yaml": "resources: [cm.yaml]\n",
      "other/cm.yaml": layered,
    };
    expect(await run(all, "explain", "base", "a")).toMatch(/^web a\n +1 {2}base/);
  });

  test("in compare it is a build", async () => {
    expect(await run(files, "compare", "web", "other", "--all")).toContain("web");
    expect(await run(files, "compare", "web", "other")).not.toContain("info");
  });
});

describe("what is nearly there", () => {
  const files = { ...build("clusters/production", "web", 1), ...build("clusters/staging", "web", 2) };

  test.for([
    ["clusters/prod", "clusters/production"],
    ["clusters/prodution", "clusters/production"],
    ["clusters/staging-eu", "clusters/staging"],
    ["cluster/production", "clusters/production"],
    ["clusters/production/relase.yaml", "clusters/production/release.yaml"],
  ] as const)("%s suggests %s", async ([word, near]) => {
    for (const words of [
      ["explain", word],
      ["values", "web", word],
      ["verify", word],
      ["doctor", word],
      ["compare", "web", word, "clusters/staging"],
    ])
      expect(unwrapped(await run(files, ...words))).toContain(`did you mean \`${near}\`?`);
  });

  test.for([
    ["replicas", "replicaCount"],
    ["image.tags", "image.tag"],
    ["spec.values.replicaCount", "replicaCount"],
    ["image.repo", "image.repository"],
    ["tolerations", undefined],
  ] as const)("the path %s suggests %s", async ([path, near]) => {
    const own = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web}\nspec: {values: {replicaCount: 1, service: {port: 80}, image: {repository: a, tag: b}}}\n`;
    const text = unwrapped(await run({ "release.yaml": own }, "explain", "web", path));
    expect(text).toContain(near === undefined ? "no layer sets it" : `did you mean \`${near}\`?`);
  });

  test.for([["clusters/xy"], ["clusters/p"], ["none/none"]] as const)(
    "%s suggests nothing",
    async ([word]) => {
      expect(await run(files, "explain", word)).toContain("name a file or directory that exists");
    },
  );
});

describe("a question that finds nothing quotes the command that was meant", () => {
  const files = { ...build("clusters/one", "web", 1), ...build("clusters/two", "web", 2) };
  test.for([
    [["explain", "web.a"], "valuefold explain web a"],
    [["explain", "HelmRelease/web.a"], "valuefold explain HelmRelease/web a"],
    [["explain", "a", "web"], "valuefold explain web a"],
    [["explain", "a", "web", "clusters/one"], "valuefold explain web a clusters/one"],
    [["explain", "HelmRelease", "web"], "valuefold explain HelmRelease/web"],
    [["values", "hr", "web", "clusters/one"], "valuefold values hr/web clusters/one"],
    [["explain", "web", "two"], "valuefold explain web clusters/two"],
    [["explain", "web", "a", "two"], "valuefold explain web a clusters/two"],
    [["values", "web", "two"], "valuefold values web clusters/two"],
  ] as const)("%s", async ([words, command]) => {
    expect(await run(files, ...words)).toContain(`did you mean: ${command}`);
  });

  // What was meant finds nothing, either.
  test.for([["web.b"], ["b", "web"], ["other", "a"], ["web", "three"]] as const)("%s", async (words) => {
    expect(await run(files, "explain", ...words)).not.toContain("valuefold explain");
  });
});

test("a kind with a slip", async () => {
  const text = await run(build("clusters/one", "web", 1), "explain", "Aplication/web");
  expect(text).toContain("did you mean `Application/web`?");
});

test("two swapped letters are the nearest slip", async () => {
  expect(await run({}, "explain", "--htlm", "x")).toContain("did you mean `--html`?");
});
