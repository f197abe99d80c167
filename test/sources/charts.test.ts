// Charts below values: found, named, and refused with a reason. What Helm computes is in test/real/chart-values.test.ts.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import type { Explanation } from "../../src/explanation.ts";
import { cpuClock } from "../support/cpu.ts";
import { typed } from "../support/reader-shell.ts";
import { worldOf } from "../support/world.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

const chart: Files = {
  "shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
  "shop/values.yaml": "replicas: 1\nimage:\n  tag: a\n  repo: r\n",
  "prod.yaml": "replicas: 3\nimage:\n  repo: null\n",
};

async function ran(
  files: Files,
  ...words: readonly string[]
): Promise<{ text: string; messages: string; status: number }> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-chart-"));
  for (const [name, content] of Object.entries({ ...chart, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const { output, messages, exitCode } = await runCommand(words, worldOf("", { directory: folder }));
  return { text: Buffer.concat(output).toString("utf8"), messages, status: exitCode };
}

/** One entry of an archive. */
function entry(name: string, content: string, { type = "0", size = content.length } = {}): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write(type, 156);
  header.write("ustar\u000000", 257);
  header.fill(" ", 148, 156);
  const sum = header.reduce((all, each) => all + each, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content, "latin1");
  return Buffer.concat([header, body]);
}

function archive(...entries: readonly Buffer[]): Uint8Array {
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
}

const packed = archive(
  entry("shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"),
  entry("shop/values.yaml", "replicas: 1\nimage: {tag: a, repo: r}\n"),
);

test("defaults are below values files, and a null takes one away", async () => {
  const { text, status } = await ran({}, "explain", "--chart", "shop", "prod.yaml");
  expect(status).toBe(0);
  expect(text).toContain("replicas: 3  B prod.yaml:1:11\n  over 1     A shop/values.yaml:1:11\n");
  expect(text).toContain("image.repo  removed by prod.yaml:3:9  was r  shop/values.yaml:4:9");
});

const subchart: Files = {
  "shop/charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
  "shop/charts/sub/values.yaml": "x: 1\n",
};

test.for([
  ["no rule", "", ["replicas", "sub.x"]],
  ["a subchart", "charts/sub/\n", ["replicas"]],
  ["a file of a subchart", "# not here\n\ncharts/sub/values.yaml\n", ["replicas"]],
  ["the values of all charts", "values.yaml\n", []],
  ["its own values alone", "/values.yaml\n", ["sub.x"]],
  ["all charts, but for one", "!charts/sub\n", []],
] as const)("`.helmignore` of a chart in a directory: %s", async ([, rules, paths]) => {
  const files = { ...subchart, "shop/.helmignore": rules, "prod.yaml": "own: 1\n" };
  const { text } = await ran(files, "explain", "--json", "--chart", "shop", "prod.yaml");
  const { targets } = JSON.parse(text) as Explanation;
  const found = targets.flatMap(({ stacks }) =>
    stacks.flatMap(({ values }) => values.map(({ path }) => path.join("."))),
  );
  expect(found.filter((each) => /^(?:replicas|sub\.)/.test(each)).toSorted()).toEqual(paths);
});

test.for([["a/**"], ["[a"]] as const)("Helm refuses `%s` in a `.helmignore`", async ([rule]) => {
  const { messages, status } = await ran(
    { "shop/.helmignore": `${rule}\n` },
    "explain",
    "--chart",
    "shop",
    "prod.yaml",
  );
  const text = messages.replaceAll(/\s+/g, " ");
  expect(text).toContain("the chart `shop` cannot be read: its `.helmignore` is refused: ");
  expect(text).toContain("at shop/.helmignore");
  expect(status).toBe(1);
});

test("values are with the defaults, and with the nulls that Helm needs", async () => {
  const { text } = await ran({}, "values", "--chart", "shop", "prod.yaml");
  expect(text).toBe("replicas: 3\nimage:\n  tag: a\n  repo: null\n");
});

test.for([
  ["of an archive", { "shop.tgz": packed }, "shop.tgz"],
  [
    "of a nested archive",
    { "top/Chart.yaml": "name: top\nversion: 1.0.0\n", "top/charts/shop-1.0.0.tgz": packed },
    "top",
  ],
  [
    "of a link in an archive",
    {
      "shop.tgz": archive(
        entry("shop/Chart.yaml", "name: shop\n"),
        entry("shop/values.yaml", "", { type: "2" }),
      ),
    },
    "shop.tgz",
  ],
] as const)("defaults %s are read", async ([, files, path]) => {
  const { status, messages } = await ran(files, "explain", "--chart", path, "prod.yaml");
  expect([status, messages]).toEqual([0, ""]);
});

test.for([
  ["no chart", { "other/values.yaml": "a: 1\n" }, "other", "has no `Chart.yaml`"],
  ["no archive", { "shop.tgz": "text" }, "shop.tgz", "it is no archive"],
  [
    "an absolute name",
    { "shop.tgz": archive(entry("shop//etc/passwd", "x")) },
    "shop.tgz",
    "chart illegally contains absolute paths",
  ],
  [
    "a name that leads out",
    { "shop.tgz": archive(entry("shop/../../x", "x")) },
    "shop.tgz",
    "chart illegally references parent directory",
  ],
  [
    "a file of 6 MiB",
    { "shop.tgz": archive(entry("shop/a", "x".repeat(6 * 1024 * 1024))) },
    "shop.tgz",
    'decompressed chart file "shop/a" is larger',
  ],
  [
    "200 MiB when unpacked",
    { "shop.tgz": gzipSync(Buffer.alloc(200 * 1024 * 1024)) },
    "shop.tgz",
    "unpacks to more than 100 MiB",
  ],
  [
    "an archive that ends early",
    { "shop.tgz": gzipSync(entry("shop/a", "x", { size: 9000 })) },
    "shop.tgz",
    "it is no archive (unexpected EOF)",
  ],
  ["an archive without files", { "shop.tgz": archive() }, "shop.tgz", "no files in chart archive"],
  ["a Chart.yaml that is no YAML", { "shop/Chart.yaml": "a: [" }, "shop", "`shop/Chart.yaml` cannot be read"],
  ["values that are no YAML", { "shop/values.yaml": "a: [" }, "shop", "shop/values.yaml"],
  [
    "a subchart's name that is no mapping",
    { "shop/charts/db/Chart.yaml": "name: db\nversion: 1.0.0\n", "prod.yaml": "db: 1\n" },
    "shop",
    "`db` is a chart, and has no mapping of values",
  ],
  [
    "a chart that depends on itself",
    { "shop/Chart.yaml": "name: shop\nversion: 1.0.0\ndependencies: [{name: me, repository: 'file://.'}]\n" },
    "shop",
    "depends on itself",
  ],
] as const)("%s is a fault with a place", async ([, files, path, message]) => {
  const { status, messages } = await ran(files, "explain", "--chart", path, "prod.yaml");
  expect([status, messages]).toEqual([1, expect.stringContaining(message)]);
});

const umbrella: Files = {
  "shop/values.yaml":
    "global: {sql: {source: {host: main, port: null}}}\ntop: {}\ndb:\n  own: {a: 1}\n  gone: null\n",
  "shop/charts/db/Chart.yaml": "name: db\nversion: 1.0.0\n",
  "shop/charts/db/values.yaml":
    "own: {}\ngone: 5\nkeep: {}\nexports: {c: {x: {global: {deep: 1}, none: {}}}}\n",
};

test.for([
  ["4", "  gone: 5\n"],
  ["3", ""],
] as const)(
  "a subchart takes no global and no empty mapping from its parent in Helm %s",
  async ([helm, gone]) => {
    const files = { ...umbrella, "prod.yaml": "extra: {}\n" };
    const { text } = await ran(files, "values", "--helm", helm, "--chart", "shop", "prod.yaml");
    expect(text).toContain("global:\n  sql:\n    source:\n      host: main\n");
    expect(text).toContain(`  own:\n    a: 1\n${gone}  keep: {}\n`);
    expect(text).toContain("top: {}\nextra: {}\n");
    const explained = await ran(files, "explain", "--helm", helm, "--chart", "shop", "prod.yaml");
    expect(explained.text).toMatch(/own:\n {4}a: 1 +B shop\/values.yaml:4:12\n/);
  },
);

test.for([
  ["a HelmChart", "HelmChart/kube-system/shop"],
  ["a HelmChart with a version of Helm", "HelmChart/kube-system/old"],
  ["a Bundle", "Bundle/prod"],
] as const)("%s has Helm 4", async ([, target]) => {
  const helmChart = (name: string, more: string): string =>
    `apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: ${name}, namespace: kube-system}\nspec: {chart: shop, ${more}valuesContent: "extra: {}"}\n`;
  const files = {
    ...umbrella,
    "prod/all.yaml": `${helmChart("shop", "")}---\n${helmChart("old", "helmVersion: v3, ")}`,
    "prod/fleet.yaml": "helm: {chart: ../shop, values: {extra: {}}}\n",
  };
  const place = target.startsWith("Bundle") ? "prod" : "prod/all.yaml";
  const { text } = await ran(files, "values", target, place, "--chart", "shop");
  expect(text).toContain("  gone: 5\n");
});

test("what a chart imports may have globals and empty mappings in it", async () => {
  const head =
    "name: shop\nversion: 1.0.0\ndependencies: [{name: db, version: 1.0.0, import-values: [{child: exports.c, parent: at}]}]\n";
  const files = { ...umbrella, "shop/Chart.yaml": head };
  const { text } = await ran(files, "values", "--chart", "shop", "prod.yaml");
  expect(text).toContain("at:\n  x:\n    none: {}\n    global:\n      deep: 1\n");
});

/** An archive that has archives in it. */
function nested(levels: number, width: number): Uint8Array {
  const below = levels === 0 ? [] : Array<Uint8Array>(width).fill(nested(levels - 1, width));
  const subcharts = below.map((each, index) =>
    entry(`shop/charts/c${index}.tgz`, Buffer.from(each).toString("latin1")),
  );
  return archive(entry("shop/Chart.yaml", "name: shop\nversion: 1.0.0\n"), ...subcharts);
}

function folders(levels: number, aliases: number): Files {
  const all = Array.from({ length: levels }, (_, level): [string, string] => {
    const own = Array.from(
      { length: aliases },
      (__, index) => `{name: c${level + 1}, version: 1.0.0, alias: a${index}}`,
    );
    const path = [
      "shop",
      ...Array.from({ length: level }, (__, at) => `charts/c${at + 1}`),
      "Chart.yaml",
    ].join("/");
    return [
      path,
      `name: c${level}\nversion: 1.0.0\ndependencies: [${level + 1 === levels ? "" : own.join(", ")}]\n`,
    ];
  });
  return Object.fromEntries(all);
}

const half = archive(
  entry("shop/Chart.yaml", "name: shop\nversion: 1.0.0\n"),
  ...Array.from({ length: 12 }, (_, index) => entry(`shop/f${index}`, "x".repeat(5 * 1024 * 1024))),
);

test.for([
  [
    "archives of 60 MiB each in a folder",
    { "shop/charts/a.tgz": half, "shop/charts/b.tgz": half, "shop/charts/c.tgz": half },
    "shop",
    "shop/charts/b.tgz` cannot be read: the whole chart unpacks to more than 100 MiB",
  ],
  [
    "10 archives in each of 6 levels",
    { "shop.tgz": nested(6, 10) },
    "shop.tgz",
    "the whole chart has more than 20,000 files",
  ],
  [
    "archives in 30 levels",
    { "shop.tgz": nested(30, 1) },
    "shop.tgz",
    "the whole chart has more than 20 levels",
  ],
  ["charts in 30 levels of folders", folders(30, 1), "shop", "the whole chart has more than 20 levels"],
  ["10 aliases in each of 7 levels", folders(7, 10), "shop", "the chart has too many charts below it"],
] as const)(
  "%s are refused at once, and one fault names the file",
  { tags: "law" },
  async ([, files, path, message]) => {
    const { status, messages, text } = await ran(files, "explain", "--chart", path, "prod.yaml");
    expect([status, messages.replaceAll(/\s+/g, " ")]).toEqual([1, expect.stringContaining(message)]);
    expect(messages.match(/^error/gm)).toHaveLength(1);
    expect(text).toMatch(/replicas: 3 +A prod.yaml:1:11/);
  },
);

test.for([
  ["a values file", {}, ["--chart", "shop", "shop/values.yaml", "prod.yaml"]],
  [
    "a file of `fleet.yaml`",
    { "shop/fleet.yaml": "helm:\n  chart: .\n  valuesFiles: [values.yaml, ../prod.yaml]\n" },
    ["shop"],
  ],
] as const)("the chart's own values are one layer where they are %s, too", async ([, files, words]) => {
  const { text } = await ran(files, "explain", ...words);
  expect(text).toMatch(/ B {2}prod.yaml .*\n {2}A {2}shop\/values.yaml {2}its defaults .*\n\n/);
  expect(text.match(/over 1/g)).toHaveLength(1);
  expect(text).toContain("image.repo  removed by prod.yaml:3:9  was r  shop/values.yaml:4:9");
});

test("the chart's own values over others of the user are where the user puts them", async () => {
  const { text } = await ran({}, "explain", "--chart", "shop", "prod.yaml", "shop/values.yaml");
  expect(text).toMatch(/replicas: 1 +B shop\/values.yaml:1:11\n {2}over 3 +A prod.yaml:1:11\n/);
});

test("another file with the values of the chart is a layer", async () => {
  const files = { "copy.yaml": chart["shop/values.yaml"] ?? "" };
  const { text } = await ran(files, "explain", "--chart", "shop", "copy.yaml", "prod.yaml");
  expect(text).toContain(" C  prod.yaml ");
});

test.for([["values"], ["explain"], ["verify"]] as const)(
  "a values file of comments only is an empty layer over a chart: %s",
  async ([command]) => {
    const files = { "empty.yaml": "# nothing is set\n", "blank.yaml": "" };
    const { status, text } = await ran(files, command, "--chart", "shop", "empty.yaml", "blank.yaml");
    expect(status).toBe(0);
    if (command !== "verify") expect(text).toMatch(/replicas: 1/);
  },
);

const encrypted =
  "token: ENC[AES256_GCM,data:c4n4ry,iv:aa,tag:bb,type:str]\nsops:\n  age: []\n  mac: ENC[AES256_GCM,data:y,iv:a,tag:b,type:str]\n  version: 3.9.0\n";

test("an encrypted file of `fleet.yaml` is no plain values", async () => {
  const files = {
    "shop/fleet.yaml": "helm:\n  chart: .\n  valuesFiles: [enc.yaml]\n",
    "shop/enc.yaml": encrypted,
  };
  const { text } = await ran(files, "explain", "shop");
  expect(text).toMatch(/ B {2}shop\/enc.yaml +encrypted\n/);
  expect(text).not.toMatch(/c4n4ry|sops/);
});

test.for([["shop"], ["HelmChart/kube-system/web=shop"]] as const)(
  "a HelmChart of k3s has the chart of its name below it: %s",
  async ([chartFlag]) => {
    const web =
      "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: web, namespace: kube-system}\nspec:\n  chart: shop\n  valuesContent: |\n    replicas: 7\n";
    const { text, messages } = await ran(
      { "web.yaml": web },
      "explain",
      "web",
      "web.yaml",
      "--chart",
      chartFlag,
    );
    expect(messages).toBe("");
    expect(text).toMatch(/replicas: 7 +B web.yaml:7:15\n {2}over 1 +A shop\/values.yaml:1:11\n/);
  },
);

test("dependencies that are not there are named once, with the cure", async () => {
  const files = {
    "shop/Chart.yaml":
      "name: shop\nversion: 1.0.0\ndependencies: [{name: db, version: 1.x.x, repository: 'https://x'}, {name: cache}]\n",
  };
  const { status, messages } = await ran(files, "explain", "--chart", "shop", "prod.yaml");
  expect(status).toBe(0);
  expect(messages).toContain("the chart `shop` depends on 2 missing charts: db, cache");
  expect(messages).toContain("run: helm dependency build shop");
});

test("a chart that is not there is a usage error", async () => {
  await expect(ran({}, "explain", "--chart", "none", "prod.yaml")).rejects.toThrow("`none` does not exist");
});

const release = (spec: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: a}\nspec:\n  chart: {spec: ${spec}}\n  values: {replicas: 5}\n`;

test.for([
  ["a path of this repository", "{chart: ./shop, sourceRef: {kind: GitRepository, name: x}}", []],
  [
    "a directory of charts",
    "{chart: shop, version: 1.0.0, sourceRef: {kind: HelmRepository, name: x}}",
    ["--chart", "pulled"],
  ],
  ["a chart of that name", "{chart: shop, sourceRef: {kind: HelmRepository, name: x}}", ["--chart", "shop"]],
  [
    "a chart that is named for it",
    "{chart: other, sourceRef: {kind: HelmRepository, name: x}}",
    ["--chart", "HelmRelease/web=shop"],
  ],
] as const)("a HelmRelease has the defaults of %s", async ([, spec, flags]) => {
  const files = { ".git/config": "", "web.yaml": release(spec), "pulled/shop-1.0.0.tgz": packed };
  const { text } = await ran(files, "explain", "web", "replicas", "web.yaml", ...flags);
  expect(text).toMatch(
    /^ +5 .*\n {2}over {2}1 +(?:shop\/|pulled\/shop-1\.0\.0\.tgz:)values\.yaml:1:11 +the chart's default/m,
  );
  expect((await ran(files, "values", "web", "web.yaml", ...flags)).text).toContain("tag: a");
});

test("files of a HelmRelease take the place of the chart's values", async () => {
  const spec =
    "{chart: ./shop, valuesFiles: [shop/values-eu.yaml], sourceRef: {kind: GitRepository, name: x}}";
  const files = { ".git/config": "", "web.yaml": release(spec), "shop/values-eu.yaml": "replicas: 2\n" };
  const { text } = await ran(files, "explain", "web", "web.yaml");
  expect(text).toContain("replicas: 5  B web.yaml:6:22\n  over 2     A shop/values-eu.yaml:1:11");
  expect(text).not.toContain("tag: a");
});

test("a file of `valuesFiles` that is not there is an error, as Flux builds no chart then", async () => {
  const spec = (more: string): string =>
    `{chart: ./shop, valuesFiles: [shop/none.yaml], sourceRef: {kind: GitRepository, name: x}${more}}`;
  const verified = (more: string): ReturnType<typeof ran> =>
    ran({ ".git/config": "", "web.yaml": release(spec(more)) }, "verify", "web.yaml");
  expect((await verified("")).messages).toContain(
    "`shop/none.yaml`, a file of `valuesFiles`, does not exist",
  );
  expect((await verified(", ignoreMissingValuesFiles: true")).messages).not.toContain("does not exist");
});

test("what the chart of a HelmRelease makes is named as missing where the release is there twice", async () => {
  const spec = "{chart: ./shop, sourceRef: {kind: GitRepository, name: x}}";
  const own = {
    ".git/config": "",
    "web.yaml": `${release(spec)}---\n${release(spec)}`,
    "shop/templates/b.yaml":
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: b}\n",
  };
  const { messages } = await ran(own, "explain", "web", "web.yaml");
  expect(messages).toContain("Helm is not run: what the chart `shop` makes is missing");
});

test("a chart of another name is not taken", async () => {
  const spec = "{chart: other, sourceRef: {kind: HelmRepository, name: x}}";
  const { text } = await ran({ "web.yaml": release(spec) }, "explain", "web", "web.yaml", "--chart", "shop");
  expect(text).not.toContain("over 1");
});

const read: Files = {
  "shop/values.yaml": "replicaCount: 1\nimage:\n  tag: a\nannotations: {}\nlabels: {}\nextra: null\n",
  "shop/templates/a.yaml":
    "a: {{ .Values.replicaCount }}\nb: {{ (.Values.config).appLinks }}\nc: {{ toJson .Values.resources }}\n{{ with .Values.service }}d: {{ .port }}{{ end }}\n{{ range .Values.hosts }}{{ .name }}{{ end }}\n",
  "shop/charts/db/Chart.yaml": "name: db\nversion: 1.0.0\n",
  "shop/charts/db/values.yaml": "size: 1\n",
};

test.for([
  ["another case", "replicacount: 3", "`replicacount`", "it reads `replicaCount`, shop/values.yaml"],
  ["a letter too many", "image: {tagss: b}", "`image.tagss`", undefined],
  [
    "what a template reads",
    "config: {applinks: 1}",
    "`config.applinks`",
    "it reads `appLinks`, shop/templates/a.yaml:2",
  ],
  ["two swapped letters", "iamge: {tag: b}", "`iamge`", "it reads `image`, shop/values.yaml"],
  ["a letter that a short one lacks", "image: {tg: b}", "`image.tg`", "it reads `tag`, shop/values.yaml"],
  ["a subchart", "db: {sizes: 2}", "`db.sizes`", "it reads `size`, shop/charts/db/values.yaml"],
] as const)("a key that no chart reads is reported for %s", async ([, values, key, hint]) => {
  const { messages } = await ran(
    { ...read, "prod.yaml": `${values}\n` },
    "verify",
    "--chart",
    "shop",
    "prod.yaml",
  );
  if (hint === undefined) return expect(messages).toBe("checked prod.yaml; nothing found\n");
  expect(messages).toContain(`warning[unknown-key]: the chart \`shop\` reads no ${key}`);
  expect(messages).toContain(hint);
});

test.for([
  ["a mapping without defaults", "annotations: {anything: 1}\nlabels: {label: 1}"],
  ["a mapping that is handed on", "resources: {limit: 1}"],
  ["a null default", "extra: {a: 1}"],
  ["globals", "global: {anything: 1}"],
  ["elements of a list", "hosts: [{nam: 1}]"],
  ["a key without a near name", "other: 1"],
  ["a short key with another letter", "image: {tab: 1, a: 1}"],
  ["what is read", "service: {port: 1}"],
])("%s is no unknown key", async ([, values]) => {
  const { messages } = await ran(
    { ...read, "prod.yaml": `${values}\n` },
    "verify",
    "--chart",
    "shop",
    "prod.yaml",
  );
  expect(messages).toBe("checked prod.yaml; nothing found\n");
});

test.for([
  [
    "the checksum of another template",
    'sum: {{ include (print $.Template.BasePath "/a.yaml") . | sha256sum }}\n',
    ["replicacount", "fromlist"],
  ],
  [
    "a list that is handed on",
    '{{ define "x" }}{{ $all := index . 0 }}{{ $all.Values.fromList }}{{ end }}{{ include "x" (list . 1) }}\n',
    ["replicacount", "fromlist"],
  ],
  ["a template in a file", '{{ tpl (.Files.Get "files/a.conf") . }}\n', ["fromlist"]],
  [
    "a list that is gone through",
    "r: {{ range (list .) }}{{ .Values.replicacount }}{{ end }}\n",
    ["fromlist"],
  ],
] as const)("what keys are read is known in spite of %s", async ([, template, unknown]) => {
  const files = {
    ...read,
    "shop/templates/b.yaml": template,
    "shop/files/a.conf": "a: {{ .Values.replicacount }}\n",
    "shop/templates/c.yaml": "c: {{ .Values.fromList }}\n",
  };
  const values = "replicacount: 1\nfromlist: 1\n";
  const { messages } = await ran({ ...files, "prod.yaml": values }, "verify", "--chart", "shop", "prod.yaml");
  const found = [...messages.matchAll(/reads no `(\w+)`/g)].map(([, key]) => key);
  expect(found).toEqual(unknown);
});

test("of what a schema refuses and no template reads, the key that is meant is named", async () => {
  const schema = {
    properties: {
      annotations: { additionalProperties: false, properties: { owner: { type: "string" } } },
      labels: { properties: { owner: {} } },
      resources: { additionalProperties: false, properties: { limits: {} } },
    },
  };
  const files = { ...read, "shop/values.schema.json": JSON.stringify(schema) };
  const values = "annotations: {ownr: me}\nlabels: {ownr: me}\nresources: {limit: 1}\n";
  const { messages } = await ran({ ...files, "prod.yaml": values }, "verify", "--chart", "shop", "prod.yaml");
  expect(messages).toContain("the chart `shop` reads no `annotations.ownr`");
  expect(messages).toContain("it reads `owner`, shop/values.schema.json");
  expect(messages).toContain("reads no `labels.ownr`");
  // Templates hand this one on: only Helm's reason has it.
  expect(messages).not.toContain("reads no `resources.limit`");
  expect(messages).toMatch(/'limit'\s+not allowed/);
});

test("the comment above a default documents it, with -v", async () => {
  const values = "# -- How many pods\n#   run at once.\nreplicas: 1\n\nimage: {tag: a}\n";
  const files = { "shop/values.yaml": values, "prod.yaml": "replicas: 3\nimage: {tag: b}\n" };
  const { text } = await ran(files, "explain", "-v", "--chart", "shop", "prod.yaml");
  expect(text).toContain("  # How many pods run at once.\n");
  expect(text.match(/#/g)).toHaveLength(1);
  const plain = await ran(files, "explain", "--chart", "shop", "prod.yaml");
  expect(plain.text).not.toContain("#");
});

test("a line of a block text is no comment of the next default", async () => {
  const values = "script: |\n  # do not edit\nreplicas: 1\na:\n  text: |\n    # nor this\n  b: 1\n";
  const files = { "shop/values.yaml": values, "prod.yaml": "replicas: 3\na: {b: 2}\n" };
  const { text } = await ran(files, "explain", "-v", "--json", "--chart", "shop", "prod.yaml");
  expect(text).not.toContain('"comment"');
});

test("a value that equals the chart's default is an info", async () => {
  const files = { "prod.yaml": "replicas: 1\nimage: {tag: b}\n" };
  const words = ["verify", "--chart", "shop", "prod.yaml"] as const;
  const silent = await ran(files, ...words);
  expect([silent.status, silent.messages]).toEqual([0, "checked prod.yaml; nothing found\n"]);
  const { status, messages } = await ran(files, ...words, "-v");
  expect(status).toBe(0);
  expect(messages).toContain("info[equals-default]: this layer of the merged values sets `replicas` again");
});

test("an App has the chart of its name below its ConfigMaps", async () => {
  const app = `apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: web, namespace: org}\nspec:\n  name: shop\n  version: 1.0.0\n  catalog: apps\n  userConfig: {configMap: {name: own, namespace: org}, secret: {name: keys, namespace: org}}\n`;
  const layer = (kind: string, name: string, text: string): string =>
    `---\napiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: org}\n${kind === "Secret" ? "stringData" : "data"}: {values: ${JSON.stringify(text)}}\n`;
  const list = `${app}${layer("ConfigMap", "own", "replicas: 3\n")}${layer("Secret", "keys", "image: {tag: x}\n")}`;
  const files = { "list.yaml": list };
  const explained = await ran(files, "explain", "--chart", ".", "list.yaml");
  expect(explained.text).toContain("shop/values.yaml");
  expect(explained.text.match(/its defaults/g)).toHaveLength(1);
  const { text } = await ran(files, "values", "App/web", "--chart", ".", "list.yaml", "--secrets");
  expect(text).toBe("replicas: 3\nimage:\n  tag: x\n  repo: r\n");
});

test.for([
  ["a layer", "", ["x"]],
  ["inline values", "\n  values: {a: '${y}'}", ["x", "y"]],
] as const)(
  "variables in %s are named, and the status shows them under --strict",
  async ([, inline, names]) => {
    const list = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web}\nspec:\n  valuesFrom: [{kind: ConfigMap, name: base}]${inline}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: base}\ndata: {values.yaml: "b: '\${x}'"}\n`;
    const { status, messages } = await ran({ "list.yaml": list }, "values", "web", "list.yaml", "--strict");
    expect(status).toBe(3);
    for (const name of names) expect(messages).toContain(`\`\${${name}}\` of`);
  },
);

test("of what cannot be read no chart is said to be unused", async () => {
  const { messages } = await ran({ "prod.yaml": "a:\n\tb: 1\n" }, "verify", "--chart", "shop", "prod.yaml");
  expect(messages).toContain("a tab cannot indent");
  expect(messages).not.toContain("no target names");
});

test("a mapping of the chart that a value hides has its line", async () => {
  const files = {
    "shop/values.yaml": "replicas: 1\nimage:\n  tag: a\nredis:\n  enabled: false\n  tag: b\n",
    "prod.yaml": "replicas: 2\nimage: {tag: null}\nredis: true\n",
  };
  const { messages } = await ran(files, "verify", "--chart", "shop", "prod.yaml");
  expect(messages).toMatch(/at {4}prod.yaml:3:8\n {2}also {2}shop\/values.yaml:5:12\n/);
});

test.for([
  ["values", ["values", "HelmRelease/web", "web.yaml", "--strict"], 3],
  ["verify", ["verify", "web.yaml", "--strict"], 1],
  ["diff", ["diff", "web.yaml", "same.yaml", "--exit-code"], 2],
  ["values without --strict", ["values", "HelmRelease/web", "web.yaml"], 0],
] as const)("a chart that no target names shows in the status of %s", async ([, words, expected]) => {
  const web = release("{chart: other, sourceRef: {kind: HelmRepository, name: x}}");
  const { status, messages } = await ran({ "web.yaml": web, "same.yaml": web }, ...words, "--chart", "shop");
  expect([status, messages]).toEqual([expected, expect.stringContaining("no target names a chart")]);
});

test("verify names the charts of which it knows no keys, once", async () => {
  const of = (name: string): string =>
    release(`{chart: ${name}, sourceRef: {kind: HelmRepository, name: x}}`);
  const named = (name: string): string => of(name).replace("{name: web}", `{name: ${name}}`);
  const referring = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: own}
spec: {chartRef: {kind: OCIRepository, name: podinfo}, values: {a: 1}}
`;
  const without = referring.replace(", values: {a: 1}", "").replace("podinfo", "none");
  const many = ["a", "b", "c", "d", "e"].map(named).join("---\n");
  const config =
    "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: c}\nspec: {verify: {lints: {unknown-key: off}}}\n";
  const settings = join(mkdtempSync(join(tmpdir(), "valuefold-settings-")), "c.yaml");
  writeFileSync(settings, config);
  const files = { "web.yaml": of("other"), "ref.yaml": referring, "none.yaml": without, "many.yaml": many };
  const said = async (...words: string[]): Promise<readonly [number, string]> => {
    const { status, messages } = await ran(files, "verify", "-q", ...words);
    return [status, messages];
  };
  const one = "keys not checked: chart other is not here (--chart)\n";
  expect(await said("web.yaml")).toEqual([0, `info[not-built]: ${one}`]);
  expect(await said("web.yaml", "--strict")).toEqual([1, `error[not-built]: ${one}`]);
  expect(await said("ref.yaml")).toEqual([0, `info[not-built]: ${one.replace("other", "podinfo")}`]);
  expect(await said("none.yaml", "--strict")).toEqual([0, ""]);
  expect(await said("web.yaml", "--strict", "-c", settings)).toEqual([0, ""]);
  expect(await said("many.yaml")).toEqual([
    0,
    "info[not-built]: keys not checked: charts a, b, c and 2 more are not here (--chart; -v names all)\n",
  ]);
});

test("a null over a chart is the edit where a Secret is in the stack, too", async () => {
  const secret =
    "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {values.yaml: 'other: c4n4ry'}\n";
  const list = (values: string): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web}\nspec:\n  chart: {spec: {chart: shop, sourceRef: {kind: HelmRepository, name: x}}}\n  valuesFrom: [{kind: Secret, name: s}]\n  values: ${values}\n${secret}`;
  const files = { "old.yaml": list("{replicas: 3}"), "new.yaml": list("{replicas: 3, image: {repo: null}}") };
  const { text } = await ran(files, "diff", "--chart", "shop", "old.yaml", "new.yaml");
  expect(text).toMatch(/^new.yaml:7:\d+ {2}image.repo {2}\(unset\) → \(removed\)\n/);
  expect(text).not.toMatch(/shop\/values.yaml|c4n4ry/);
});

test("a chart that no target names is a warning", async () => {
  const { status, messages } = await ran(
    { "web.yaml": release("{chart: other, sourceRef: {kind: HelmRepository, name: x}}") },
    "explain",
    "--chart",
    "shop",
    "web.yaml",
  );
  expect(status).toBe(0);
  expect(messages).toContain("`--chart shop`: no target names a chart of that name");
});

test("a revision is compared over the chart that is named, and a null is the one edit", () => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-chart-"));
  for (const [name, content] of Object.entries({ ...chart, "prod.yaml": "replicas: 3\n" })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const commands = [
    "git init -q -b main && git add -A && git commit -qm start",
    "printf 'replicas: 3\\nimage:\\n  repo: null\\n' > prod.yaml",
    "valuefold diff HEAD --chart shop prod.yaml",
  ];
  const { output: text } = typed(commands.join("\n"), folder);
  expect(text).toMatch(/^prod.yaml:3:9 {2}image.repo {2}\(unset\) → \(removed\)\n {2}changes /);
  expect(text).toContain("\n1 edit; ");
  expect(text).not.toContain("..");
});

test("a scalar over a mapping of the chart is reported with both lines", async () => {
  const { messages } = await ran({ "prod.yaml": "image: x\n" }, "verify", "--chart", "shop", "prod.yaml");
  expect(messages).toMatch(
    /this value replaces the whole mapping `image` of the merged values\n {2}at {4}prod.yaml:1:8\n {2}also {2}shop\/values.yaml:3:3\n/,
  );
});

test("a mapping of which nulls leave nothing is an empty one, at its first key", async () => {
  const own = {
    "shop/values.yaml": "teams:\n  read: null\n  write: null\n",
    "prod.yaml": "top: 1\n",
  };
  const { text } = await ran(own, "explain", "--chart", "shop", "prod.yaml", "-o", "json");
  const [stack] = (JSON.parse(text) as Explanation).targets[0]?.stacks ?? [];
  const values = stack?.values.map(({ path, text: each, at }) => [path.join("."), each, at?.file, at?.line]);
  expect(values).toContainEqual(["teams", "{}", "shop/values.yaml", 2]);
  const given = { "shop/values.yaml": "teams: {read: 1}\n", "prod.yaml": "teams: {read: null}\n" };
  expect((await ran(given, "explain", "--chart", "shop", "teams", "prod.yaml")).text).toMatch(
    /^ {2}teams: \{\} +prod\.yaml:1:15\n {2}teams\.read: removed +prod\.yaml:1:15 +was 1 /m,
  );
  expect((await ran(own, "values", "--chart", "shop", "prod.yaml")).text).toContain("teams: {}\n");
});

test("a null of the chart's own is no final value, as Helm drops it", async () => {
  const own = { "shop/values.yaml": "top: {b: null, c: 1}\ntn: null\n", "prod.yaml": "zz: 1\n" };
  const { text } = await ran(own, "values", "--chart", "shop", "prod.yaml");
  expect(text).not.toContain("null");
  expect(text).toContain("c: 1");
});

test("a file that removes a default is not idle, nor is what it removes", async () => {
  const own = { "prod.yaml": "image: {tag: b}\n", "last.yaml": "image: null\n" };
  const { messages } = await ran(own, "verify", "--chart", "shop", "prod.yaml", "last.yaml");
  expect(messages).not.toContain("idle-layer");
});

test("200 subcharts take less than a second of CPU", async () => {
  const names = Array.from({ length: 200 }, (_, index) => `part${index}`);
  const dependencies = names.map(
    (name) => `  - {name: ${name}, version: 1.0.0, condition: ${name}.enabled}\n`,
  );
  const files = Object.fromEntries(
    names.flatMap((name) => [
      [`shop/charts/${name}/Chart.yaml`, `name: ${name}\nversion: 1.0.0\n`],
      [
        `shop/charts/${name}/values.yaml`,
        `enabled: true\nglobal: {}\nimage: {tag: a, repo: r}\nports: [1, 2]\n`,
      ],
    ]),
  );
  const elapsed = cpuClock();
  const { text, status } = await ran(
    {
      ...files,
      "shop/Chart.yaml": `name: shop\nversion: 1.0.0\ndependencies:\n${dependencies.join("")}`,
      "shop/values.yaml": "global: {domain: x}\npart7: {image: {tag: b}}\n",
    },
    "explain",
    "--chart",
    "shop",
    "prod.yaml",
  );
  expect(status).toBe(0);
  expect(text).toContain("tag: b");
  expect(elapsed()).toBeLessThan(10);
});

test("with -v all keys that no chart reads are reported, but not what a mapping with an anchor shares", async () => {
  const values = "other: 1\nx-common: &common {a: 1}\nresources: *common\n";
  const { status, messages } = await ran(
    { ...read, "prod.yaml": values },
    "verify",
    "-v",
    "--chart",
    "shop",
    "prod.yaml",
  );
  expect([status, messages]).toEqual([
    0,
    expect.stringMatching(
      /^info\[unread-key\]: the chart `shop` reads no `other`\n  at    prod\.yaml:1:8\n  hint  remove it, or correct it\nchecked/,
    ),
  ]);
});

test("a key of a file for two charts is reported if neither reads it", async () => {
  const app = (name: string): string =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}}\nspec:\n  source: {repoURL: https://x, path: ${name}, helm: {valueFiles: [../values.yaml]}}\n`;
  const files = {
    ".git/config": '[remote "origin"]\n  url = https://x\n',
    "apps/one.yaml": app("one"),
    "apps/two.yaml": app("two"),
    "one/Chart.yaml": "apiVersion: v2\nname: one\nversion: 1.0.0\n",
    "one/templates/a.yaml": "a: {{ .Values.replicas }}\n",
    "two/Chart.yaml": "apiVersion: v2\nname: two\nversion: 1.0.0\n",
    "two/templates/a.yaml": "a: {{ .Values.replica }}\n",
    "values.yaml": "replica: 1\nstray: 1\n",
  };
  const { messages } = await ran(files, "verify", "-v", "apps");
  expect([...messages.matchAll(/reads no `(\w+)`/g)].map(([, key]) => key)).toEqual(["stray"]);
});

test("a setting has all keys that no chart reads reported, as errors", async () => {
  const settings =
    "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {verify: {lints: {unread-key: error}}}\n";
  const file = join(mkdtempSync(join(tmpdir(), "valuefold-settings-")), "v.yaml");
  writeFileSync(file, settings);
  const files = { ...read, "prod.yaml": "other: 1\n" };
  const { status, messages } = await ran(files, "verify", "-c", file, "--chart", "shop", "prod.yaml");
  expect([status, messages]).toEqual([
    1,
    expect.stringContaining("error[unread-key]: the chart `shop` reads no `other`"),
  ]);
});

test("keys of a HelmRelease and of an Application are looked at, too", async () => {
  const spec = "{chart: ./shop, sourceRef: {kind: GitRepository, name: x}}";
  const web = release(spec).replace("replicas: 5", "replicacount: 5");
  const app = `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec:\n  source: {repoURL: https://x, path: shop, helm: {valuesObject: {replicacount: 1}}}\n`;
  const files = {
    ...read,
    ".git/config": '[remote "origin"]\n  url = https://x\n',
    "apps/web.yaml": web,
    "apps/app.yaml": app,
  };
  const { messages } = await ran(files, "verify", "apps");
  expect(messages).toMatch(
    /reads no `replicacount`\n {2}at {4}apps\/web\.yaml:6:26\n {2}at {4}apps\/app\.yaml:5/,
  );
});

test("values that only the cluster has are named, and the status shows them under --strict", async () => {
  const text = `apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: web, namespace: a}\nspec:\n  valuesContent: "a: 1"\n  valuesSecrets: [{name: extra, keys: [x]}]\n`;
  const all = await Promise.all(
    [[], ["--strict"]].map((flags) =>
      ran({ "web.yaml": text }, "values", "HelmChart/web", "web.yaml", ...flags),
    ),
  );
  expect(all.map(({ status, text: values }) => [status, values])).toEqual([
    [0, "a: 1\n"],
    [3, "a: 1\n"],
  ]);
  expect(all[1]?.messages).toContain("`Secret/a/extra` is not here, so its values are not among these");
});

test("values files beside a chart are targets of an entry, which is called a guess", async () => {
  const files = {
    ".git/config": "",
    "charts/shop/Chart.yaml": "name: shop\nversion: 1.0.0\n",
    "charts/shop/values.yaml": "replicas: 1\nlabels: {}\n",
    "charts/shop/values-eu.yaml": "replicas: 2\n",
    "charts/shop/values-us.yaml": "replicas: 3\n",
  };
  const found = await ran(files, "explain", "shop@eu", ".");
  expect(found.text).toContain(
    "replicas: 2  B charts/shop/values-eu.yaml:1:11\n  over 1     A charts/shop/values.yaml:1:11\nlabels: {}   A charts/shop/values.yaml:2:9\n",
  );
  expect(found.messages).toContain("assuming that each");
  const { text } = await ran(files, "compare", "shop@*", ".");
  expect(text).toMatch(/replicas +2 +shop@eu .*\n +3 +shop@us/);
});

const inflated = (name: string): string =>
  `helmCharts: [{name: web, releaseName: web, valuesFile: ${name}}]\n`;

test("a values file that a kustomization names is read as any values file: as it is spelled", async () => {
  const values = 'global: {tag: "1.0"} # pinned\nhosts:\n  - a.example\n';
  const files = { "kustomization.yaml": inflated("own.yaml"), "own.yaml": values };
  const { text, status } = await ran(files, "values", "--", ".", "Chart/web");
  expect([text, status]).toEqual([values, 0]);
});

test.for([
  ["a: 1\na: 2\n", "warning[duplicate-key]: a key is set twice", "own.yaml:2:1", 0],
  ["a: [\n", "error[layer-unreadable]", "own.yaml:1:", 1],
] as const)("what is wrong in it has its line: %j", async ([values, message, place, exitCode]) => {
  const files = { "kustomization.yaml": inflated("own.yaml"), "own.yaml": values };
  const { messages, status } = await ran(files, "explain", ".");
  expect(messages).toContain(message);
  expect(messages).toContain(place);
  expect(status).toBe(exitCode);
});
