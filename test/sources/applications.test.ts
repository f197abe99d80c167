// Applications and ApplicationSets of Argo CD that something is wrong with, and what is not here: a fault at its line, and the
// others go on.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { cpuClock } from "../support/cpu.ts";
import { worldOf } from "../support/world.ts";

type Files = Readonly<Record<string, string>>;

const url = "https://git.example/org/deploy.git";
const chart: Files = {
  ".git/config": `[remote "origin"]\n  url = ${url}\n`,
  "chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
  "chart/values.yaml": "a: 1\nlist: [1, 2]\n",
  "values/prod.yaml": "a: 2\n",
};

function folderOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-applications-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** An Application of the chart. */
function application(name: string, helm: string, source = `{repoURL: ${url}, path: chart`): string {
  return `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec:\n  source: ${source}, helm: ${helm}}\n---\n`;
}

function set(spec: string, helm = "{valueFiles: ['/values/{{.env}}.yaml']}"): string {
  return `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: shops, namespace: argocd}\nspec:\n  goTemplate: true\n  generators:\n${spec}\n  template:\n    metadata: {name: 'shop-{{.env}}'}\n    spec:\n      source: {repoURL: ${url}, path: chart, helm: ${helm}}\n`;
}

async function ran(
  files: Files,
  ...words: readonly string[]
): Promise<{ text: string; messages: string; status: number }> {
  const world = worldOf("", { directory: folderOf({ ...chart, ...files }) });
  const { output, messages, exitCode } = await runCommand(words, world);
  return { text: Buffer.concat(output).toString("utf8"), messages, status: exitCode };
}

const good = application("good", "{valueFiles: [/values/prod.yaml]}");

test.for([
  [
    "no source",
    "kind: Application\napiVersion: argoproj.io/v1alpha1\nmetadata: {name: bad}\nspec: {project: x}\n---\n",
    "has no source",
    1,
  ],
  [
    "no spec",
    "kind: Application\napiVersion: argoproj.io/v1alpha1\nmetadata: {name: bad}\n---\n",
    "has no `spec`",
    1,
  ],
  [
    "a path outside",
    application("bad", "{}", `{repoURL: ${url}, path: ../..`),
    "outside of the repository",
    1,
  ],
  [
    "a path that is not there",
    application("bad", "{}", `{repoURL: ${url}, path: other`),
    "is not in the repository: `other`",
    1,
  ],
  ["a missing file", application("bad", "{valueFiles: [none.yaml]}"), "`none.yaml`: it does not exist", 1],
  ["a pattern that fits nothing", application("bad", "{valueFiles: ['none/*.yaml']}"), "no file fits it", 1],
  ["values that are no YAML", application("bad", "{values: 'a: ['}"), "bad", 1],
  [
    "a parameter that Helm refuses",
    application("bad", "{values: 'list: [1]', parameters: [{name: 'list.x', value: y}]}"),
    "`list` has a value of another type",
    1,
  ],
  [
    "a negative index",
    application("bad", "{parameters: [{name: 'list[-1]', value: y}]}"),
    "a negative index is not allowed",
    1,
  ],
  ["several tools", application("bad", "{}, kustomize: {}"), "names several tools", 1],
  [
    "another repository",
    application("bad", "{}", "{repoURL: 'https://bot:c4n4ry@git.example/other.git', path: chart"),
    "`https://git.example/other.git` is another repository",
    0,
  ],
  [
    "a plugin",
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: bad}\nspec:\n  source: {repoURL: ${url}, path: chart, plugin: {name: x}}\n---\n`,
    "a plugin makes it",
    0,
  ],
  ["a file by URL", application("bad", "{valueFiles: ['https://x.example/v.yaml']}"), "a URL is not read", 0],
  [
    "a revision in a name",
    application("bad", "{valueFiles: ['$ARGOCD_APP_REVISION.yaml']}"),
    "known in the cluster only",
    0,
  ],
] as const)("%s is said, and the other Application is explained", async ([, bad, message, status]) => {
  const found = await ran({ "apps/apps.yaml": bad + good }, "explain", "apps");
  expect(found.messages.replaceAll(/\n +/g, " ")).toContain(message);
  expect(found.status).toBe(status);
  const value = await ran({ "apps/apps.yaml": bad + good }, "explain", "good", "a", "apps");
  expect(value.text).toContain("values/prod.yaml:1:4");
});

test("broken YAML has its line", async () => {
  const bad =
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: bad\nspec:\n  project: x\nx: [\n";
  const { messages } = await ran({ "apps/bad.yaml": bad, "apps/good.yaml": good }, "verify", "apps");
  expect(messages).toMatch(
    /`Application\/bad` cannot be read: the bracket [^`]* not closed\n {2}at {4}apps\/bad.yaml:7:/,
  );
});

test.for([
  ["the files of a build", { "apps/kustomization.yaml": "resources: [app.yaml]\n" }],
  [
    "a patch",
    {
      "apps/kustomization.yaml":
        "resources: [app.yaml]\npatches:\n- target: {kind: Application}\n  patch: |\n    - {op: replace, path: /spec/source/helm/valuesObject/a, value: 6}\n",
    },
  ],
  ["no build", {}],
] as const)("what a directory overrides is over the values of %s", async ([, build]) => {
  const files = {
    "apps/app.yaml": application("web", "{valuesObject: {a: 5, b: 7}}"),
    "chart/.argocd-source-web.yaml": "helm:\n  valuesObject:\n    a: 8\n",
    ...build,
  };
  const { text } = await ran(files, "values", "Application/web", "apps");
  expect(text).toBe("a: 8\nlist: [1, 2]\nb: 7\n");
  const found = await ran(files, "explain", "web", "a", "apps");
  expect(found.text).toContain("chart/.argocd-source-web.yaml:3:8");
});

test("what is not seen may override: it is a layer, and its place is said", async () => {
  const helm = "{valueFiles: [values.yaml, '$other/x.yaml'], valuesObject: {b: 1}}";
  const sources = `sources:\n    - {repoURL: ${url}, path: chart, helm: ${helm}}\n    - {repoURL: https://git.example/other.git, ref: other}\n`;
  const app = `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec:\n  ${sources}`;
  const { text, messages } = await ran({ "apps/a.yaml": app }, "explain", "Application/a", "apps");
  expect(text).toContain("$other/x.yaml");
  expect(text).toContain("not seen");
  expect(messages).toContain("--repo https://git.example/other.git=DIR");
});

test.for([
  [
    "a template that fails",
    set("    - list: {elements: [{env: prod}, {env: dev}]}", "{values: '{{ fail \"x\" }}'}"),
    "fail",
  ],
  [
    "a missing parameter",
    set("    - list: {elements: [{env: prod}]}", "{values: 'a: {{ .none }}'}").replace(
      "goTemplate: true",
      "goTemplate: true\n  goTemplateOptions: [missingkey=error]",
    ),
    "cannot be made",
  ],
  [
    "a generator file that is not YAML",
    set(`    - git: {repoURL: ${url}, files: [{path: bad.yaml}]}`),
    "bad.yaml:1:",
  ],
  [
    "two of one name",
    set("    - list: {elements: [{env: prod}, {env: dev}, {env: prod}]}"),
    "makes several Applications `shop-prod`",
  ],
  ["an unknown generator", set("    - weather: {}"), "the kind of the generator is not known"],
  ["a generator of the cluster", set("    - clusters: {}"), "--clusters FILE"],
  ["a matrix of one", set("    - matrix: {generators: [{list: {elements: []}}]}"), "takes two generators"],
] as const)("%s is said, and the other set is made", async ([, bad, message]) => {
  const other = set("    - list: {elements: [{env: prod}]}")
    .replace("name: shops", "name: others")
    .replaceAll("shop-", "other-");
  const files = { "sets/bad.yaml": bad, "sets/other.yaml": other, "bad.yaml": "a: [\n" };
  const { text, messages } = await ran(files, "explain", "sets");
  expect(messages).toContain(message);
  expect(text).toContain("other-prod");
});

test("of several Applications of one name a set makes none", async () => {
  const files = {
    "sets/set.yaml": set("    - list: {elements: [{env: prod}, {env: dev}, {env: prod}]}", "{}"),
  };
  const { text, status } = await ran(files, "explain", "-o", "name", "sets");
  expect([text, status]).toEqual(["Application/argocd/shop-dev\n", 0]);
});

test("of two objects of one name the last is read, as Argo CD does, and the first is named", async () => {
  const files = {
    "apps/a.yaml": application("web", "{valuesObject: {x: 1}}"),
    "apps/b.yaml": application("web", "{valuesObject: {x: 2}}"),
  };
  const { text, messages } = await ran(files, "explain", "web", "x", "apps");
  expect(text).toContain("2  apps/b.yaml:");
  expect(messages).toContain("exists twice: this one is not read\n  at    apps/a.yaml:1:1");
});

test("a patch of which a condition leaves nothing changes nothing", async () => {
  const patch =
    '  templatePatch: |\n    {{- if eq .env "prod" }}\n    spec: {project: special}\n    {{- end }}\n';
  const files = { "sets/set.yaml": set("    - list: {elements: [{env: prod}, {env: dev}]}", "{}") + patch };
  const { text, status } = await ran(files, "explain", "-o", "name", "sets");
  expect([text, status]).toEqual(["Application/argocd/shop-prod\nApplication/argocd/shop-dev\n", 0]);
});

test.for([
  ["", "expected a list"],
  ["name: a\n", "expected a list"],
  ["- {server: a}\n", "a cluster needs `name`"],
  ["- {name: a, server: a, label: {env: prod}}\n", "a cluster has no field `label`"],
  ["- {name: a, server: a, labels: prod}\n", "`labels`: expected a mapping"],
] as const)("clusters of a file: %j is refused", async ([clusters, message]) => {
  const files = { "sets/set.yaml": set("    - clusters: {}"), "clusters.yaml": clusters };
  const { messages, status } = await ran(files, "explain", "--clusters", "clusters.yaml", "sets");
  expect(messages).toContain(`error[not-built]: the clusters of a file: ${message}`);
  expect(messages).toContain("at    clusters.yaml:1:");
  expect(status).toBe(1);
});

test("a file of clusters that does not exist is refused, whatever is read", async () => {
  await expect(ran({ "a.yaml": "a: 1\n" }, "explain", "--clusters", "none.yaml", "a.yaml")).rejects.toThrow(
    "`--clusters none.yaml` does not exist",
  );
});

test("verify: values that are ignored, parameters in any order, a parameter that changes nothing", async () => {
  const helm =
    "{valuesObject: {b: 1}, values: 'c: 1', parameters: [{name: a, value: '1'}, {name: 'd.e', value: x}, {name: 'd.e.f', value: x}]}";
  const { messages } = await ran({ "apps/a.yaml": application("a", helm) }, "verify", "apps");
  expect(messages).toContain("`values` is ignored");
  expect(messages).toContain("`d.e` and `d.e.f` set the same value");
  const { messages: idle } = await ran(
    { "apps/a.yaml": application("a", "{parameters: [{name: a, value: '1'}]}") },
    "verify",
    "apps",
  );
  expect(idle).toContain("set `a` again");
});

test("an app of apps is followed: through a directory, and through another Application", async () => {
  const parent = (path: string, name: string): string =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}}\nspec:\n  source: {repoURL: ${url}, path: ${path}}\n`;
  const files = {
    "root.yaml": parent("apps", "root"),
    "apps/mid.yaml": parent("more", "mid"),
    "more/leaf.yaml": good,
  };
  expect((await ran(files, "explain", "good", "a", "root.yaml")).text).toContain("values/prod.yaml:1:4");
  const list = await ran(
    {
      ...files,
      "x/kustomization.yaml": "resources: [a.yaml]\n",
      "x/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    },
    "explain",
    ".",
  );
  // The word names the Applications there, and not what is below.
  expect(list.text).toContain("Application/argocd/good");
});

test("an Application that a chart makes without a name is refused", async () => {
  const files = {
    "root.yaml": application("root", "{valueFiles: [values.yaml]}"),
    "chart/templates/app.yaml": good.replace(/---\n$/, "").replace("name: good", "name: '{{ .Values.env }}'"),
  };
  const { messages, status } = await ran(files, "verify", "--strict", "root.yaml");
  expect(messages).toContain("`Application/` has no name");
  // The chart's own values, listed once more, are no layer that is listed twice, or idle.
  expect(messages).not.toMatch(/listed-twice|idle-layer/);
  expect(status).toBe(1);
});

test("what is below a directory is deployed by its Application, where that reads it", async () => {
  const parent = `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: root}\nspec:\n  source: {repoURL: ${url}, path: apps, directory: {recurse: true}}\n`;
  const files = {
    "root/root.yaml": parent,
    "apps/one.yaml": good,
    "apps/team/two.yaml": good.replace("good", "two"),
  };
  expect((await ran(files, "explain", ".")).text).not.toContain("apps/team ");
  expect((await ran(files, "values", "two", ".")).messages).not.toContain("is in 2 builds");
});

test("an encrypted file of a generator is no parameters", async () => {
  const enc =
    "env: ENC[AES256_GCM,data:c4n4ry,iv:aa,tag:bb,type:str]\nsops:\n  age: []\n  mac: ENC[AES256_GCM,data:y,iv:a,tag:b,type:str]\n  version: 3.9.0\n";
  const files = {
    "set.yaml": set(`  - git: {repoURL: ${url}, files: [{path: 'env/*.yaml'}]}`),
    "env/a.yaml": enc,
    "env/b.yaml": "env: prod\n",
  };
  const { text, messages } = await ran(files, "explain", "set.yaml");
  expect(messages).toContain("warning[not-built]: an encrypted file is not read\n  at    env/a.yaml");
  expect(text).toContain("Application/argocd/shop-prod");
  expect(text).not.toMatch(/c4n4ry|ENC/);
});

test("a `$name` that no source has is an error with the near name", async () => {
  const app = `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: argocd}\nspec:\n  sources:\n  - {repoURL: ${url}, ref: values}\n  - {repoURL: https://charts.example, chart: c, helm: {valueFiles: [$value/values/prod.yaml]}}\n`;
  const { messages, status } = await ran({ "app.yaml": app }, "verify", "app.yaml");
  expect(status).toBe(1);
  expect(messages.replaceAll(/\s+/g, " ")).toContain("no source has `ref: value`: did you mean `$values`?");
});

function listOf(name: string, count: number): string {
  return `{list: {elements: [${Array.from({ length: count }, (_, index) => `{${name}: "x${index}"}`).join(", ")}]}}`;
}

test.for([
  ["a matrix", `  - matrix: {generators: [${listOf("env", 200)}, ${listOf("other", 200)}]}`],
  ["a list", `  - ${listOf("env", 10_001)}`],
  ["many generators", `  - ${listOf("env", 6000)}\n  - ${listOf("env", 6000)}`],
] as const)(
  "%s with more than 10,000 results is a fault that names the set",
  { tags: "law" },
  async ([, generators]) => {
    const { status, messages } = await ran({ "set.yaml": set(generators) }, "verify", "set.yaml");
    expect(status).toBe(1);
    expect(messages).toMatch(
      /^error\[not-built\]: the generators of `ApplicationSet\/shops` have more than 10,000 results\n {2}at {4}set.yaml:/m,
    );
  },
);

test("10,000 results of a matrix are allowed", { tags: "law" }, async () => {
  const generators = `  - matrix: {generators: [${listOf("env", 100)}, ${listOf("other", 100)}]}`;
  const template = set(generators, "{}").replace("shop-{{.env}}", "shop-{{.env}}-{{.other}}");
  const { text } = await ran({ "set.yaml": template }, "explain", "shop-x99-x99", "set.yaml");
  expect(text).toContain("Application/argocd/shop-x99-x99");
});

test("texts that open braces without an end are read in no more than their length", async () => {
  const long = "{{".repeat(50_000);
  const app = application(
    "good",
    `{valueFiles: ['${"${".repeat(50_000)}'], parameters: [{name: a, value: '${"${".repeat(50_000)}'}]}`,
  );
  const files = {
    "app.yaml": app,
    "set.yaml": set(`  - list: {elements: [{env: prod}]}`, `{values: "a: '${long}'"}`),
  };
  expect((await ran(files, "explain", "app.yaml", "set.yaml")).messages).toContain("it is a directory");
});

test("a thousand Applications of one set are read within seconds", { tags: "law" }, async () => {
  const elements = Array.from({ length: 1000 }, (_, index) => `{env: prod, id: 'n${index}'}`).join(", ");
  const many = set(`    - list: {elements: [${elements}]}`).replace("'shop-{{.env}}'", "'shop-{{.id}}'");
  const elapsed = cpuClock();
  const { text } = await ran({ "sets/many.yaml": many }, "explain", "sets");
  expect(text.split("\n").length).toBeGreaterThan(1000);
  expect(elapsed()).toBeLessThan(120);
});
