// Charts of another version on two sides: which are found, where both versions come from, and what is said of the values. What the
// engine judges is in engine/testdata/upgrades.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { chartPairs, workspaceOf } from "../../src/cli/here.ts";
import { explainingBy } from "../../src/cli/question.ts";
import type { ChartUpgrade, Difference } from "../../src/difference.ts";
import {
  type Bump,
  bumpsBetween,
  chartUpgrades,
  explained,
  readSides,
  Releases,
} from "../../src/sources/index.ts";
import { worldOf } from "../support/world.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "valuefold-upgrade-"));
  git("init", "-q", "-b", "main");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

function git(...args: readonly string[]): void {
  execFileSync("git", ["-C", folder, ...args]);
}

function write(files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function commit(files: Files): void {
  write(files);
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "x");
}

async function ran(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly text: string; readonly messages: string; readonly status: number }> {
  const { PATH = "" } = process.env;
  const nowhere = { HELM_REPOSITORY_CACHE: join(folder, "no-cache") };
  const terminal = { stdin: true, stdout: false };
  const world = worldOf("", { directory: folder, env: { PATH, ...nowhere, ...env }, terminal });
  const { output, messages, exitCode } = await runCommand(words, world);
  return { text: Buffer.concat(output).toString("utf8"), messages, status: exitCode };
}

async function upgradesIn(...words: readonly string[]): Promise<readonly ChartUpgrade[]> {
  const { text, messages } = await ran([...words, "--json"]);
  expect(messages).not.toContain("error");
  return (JSON.parse(text) as Difference).upgrades ?? [];
}

/** `what path file:line`, of each finding. */
function listed(upgrade: ChartUpgrade | undefined): readonly string[] {
  return (upgrade?.findings ?? []).map(({ what, path, at }) =>
    [what, path.join("."), at === undefined ? "" : `${at.file}:${at.line}`].join(" ").trimEnd(),
  );
}

/** A chart that reads `logs.level` in version 1, and `log.level` in version 2. */
function chart(at: string, version: 1 | 2, name = "web"): Files {
  const [own, key] = [`${at}/Chart.yaml`, version === 1 ? "logs" : "log"];
  return {
    [own]: `apiVersion: v2\nname: ${name}\nversion: ${version}.0.0\nappVersion: "${version}.1"\n`,
    [`${at}/values.yaml`]: `${key}: {level: info}\nreplicas: 1\ngrace: ${version * 30}\n`,
    [`${at}/templates/web.yaml`]: `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  level: {{ .Values.${key}.level }}
  grace: {{ .Values.grace }}
`,
  };
}

const both = "web=kept/old,kept/new";
const kept: Files = { ...chart("kept/old", 1), ...chart("kept/new", 2) };
const found = ["dead logs.level", "default grace"];
const withoutLines = (lines: readonly string[]): readonly string[] =>
  lines.map((each) => each.split(" ").slice(0, 2).join(" "));

const release = (version: string, values = "{logs: {level: debug}, replicas: 3}"): string =>
  `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: shop, namespace: shop}
spec: {url: "https://user:hunter2@charts.example/shop"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  chart: {spec: {chart: web, version: ${version}, sourceRef: {kind: HelmRepository, name: shop}}}
  values: ${values}
`;

test("a chart that is not here is not compared: the commands that bring it are printed, without a password", async () => {
  commit({ "apps/web.yaml": release("1.0.0") });
  commit({ "apps/web.yaml": release("2.0.0") });
  const { text, status } = await ran(["diff", "HEAD^", "HEAD", "--exit-code"]);
  expect(status).toBe(2);
  expect(text).toBe(`chart web 1.0.0 → 2.0.0, in HelmRelease/shop/web
  not compared: 1.0.0 and 2.0.0 are not here
    helm pull web --repo https://charts.example/shop --version 1.0.0
    helm pull web --repo https://charts.example/shop --version 2.0.0

1 chart upgrade; not compared: chart web 1.0.0 → 2.0.0
`);
});

test("both versions are named: each value has its line, and what the chart reads in its place", async () => {
  commit({ "apps/web.yaml": release("1.0.0"), ...kept });
  commit({ "apps/web.yaml": release("2.0.0") });
  const words = ["diff", "HEAD^", "HEAD", "apps", "--chart", both];
  const [upgrade] = await upgradesIn(...words);
  expect(listed(upgrade)).toEqual(["dead logs.level apps/web.yaml:11", "default grace"]);
  expect(upgrade?.findings[0]?.near).toEqual({ path: ["log", "level"], at: "values.yaml" });
  expect(upgrade).toMatchObject({ same: 1, versions: [{ of: "app", from: "1.1", to: "2.1" }] });
  expect((await ran([...words, "--exit-code"])).status).toBe(1);
  expect((await ran([...words, "--format", "markdown"])).text).toContain(
    "| **dead** | `logs.level` | `apps/web.yaml:11:26` | nothing reads it now; the chart reads log.level |",
  );
});

test("a release without values has an upgrade, too", async () => {
  const bare = (version: string): string => release(version).replace(/^ {2}values: .*\n/m, "");
  commit({ "apps/web.yaml": bare("1.0.0"), ...kept });
  commit({ "apps/web.yaml": bare("2.0.0") });
  const [upgrade] = await upgradesIn("diff", "HEAD^", "HEAD", "apps", "--chart", both);
  expect(listed(upgrade)).toEqual(["default grace"]);
  const { text } = await ran(["upgrade", "web", "kept/old", "apps"]);
  expect(text).toContain("chart web 2.0.0 → 1.0.0, in HelmRelease/shop/web");
});

test("diff warns of a key that an edit adds and no chart reads, and not of one that was there", async () => {
  commit({ "apps/web.yaml": release("1.0.0", "{stray: 1, replicas: 3}"), ...kept });
  commit({ "apps/web.yaml": release("1.0.0", "{stray: 2, replicas: 4, logs: {levle: debug}, other: 1}") });
  const words = ["diff", "HEAD^", "HEAD", "apps", "--chart", "kept/old"];
  const { messages } = await ran(words);
  expect(messages).toBe(`warning[unknown-key]: the chart \`web\` reads no \`logs.levle\`
  at    apps/web.yaml:11:49
  hint  it reads \`level\`, kept/old/values.yaml
warning[unread-key]: the chart \`web\` reads no \`other\`
  at    apps/web.yaml:11:64
  hint  remove it, or correct it
`);
  const lints = "{unknown-key: off, unread-key: off}";
  write({
    "off.yaml": `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {verify: {lints: ${lints}}}\n`,
  });
  expect((await ran([...words, "-c", join(folder, "off.yaml")])).messages).toBe("");
});

test(
  "after a chart that takes too much, diff reports once what it does not look at",
  { tags: "law" },
  async () => {
    const slow = "{{ range until 1000000000 }}{{ end }}\n";
    const two = (...values: readonly [string, string]): string =>
      values.map((each, index) => release("1.0.0", each).replaceAll("web", `web${index}`)).join("---\n");
    const charts = { ...chart("kept/web0", 1, "web0"), ...chart("kept/web1", 1, "web1") };
    commit({ "apps/a.yaml": two("{a: 1}", "{a: 1}"), ...charts, "kept/web0/templates/slow.yaml": slow });
    commit({ "apps/a.yaml": two("{a: 1, b: 1}", "{a: 1, b: 1}") });
    const words = ["diff", "HEAD^", "HEAD", "apps", "--chart", "kept/web0", "--chart", "kept/web1"];
    const { messages } = await ran(words);
    expect(
      messages.replaceAll(/\s+/g, " ").match(/a chart exceeds the limits of rendering: [^:]* for/g),
    ).toEqual([
      "a chart exceeds the limits of rendering: the others are not rendered, and no added key is looked for",
    ]);
  },
);

test(
  "all upgrades of a diff have a time together: what is left then is not compared, and that is one line",
  { tags: "law" },
  async () => {
    const cluster = (name: string, version: string): Files => ({
      [`clusters/${name}/web.yaml`]: release(version, `{name: ${name}}`),
    });
    const all = (version: string): Files => ({ ...cluster("dev", version), ...cluster("prod", version) });
    const slow = { "kept/new/templates/slow.yaml": "{{ range until 1000000000 }}{{ end }}\n" };
    commit({ ...all("1.0.0"), ...kept, ...slow });
    commit(all("2.0.0"));
    const { PATH = "" } = process.env;
    const world = worldOf("", { directory: folder, env: { PATH } });
    const workspace = {
      ...workspaceOf(world),
      seesAbsentCharts: true,
      chartPairs: chartPairs([both], folder),
    };
    const bumps: Bump[] = [];
    for (const { before, after, build } of (await readSides(["HEAD^", "HEAD", "clusters/*"], workspace))
      .sides) {
      const [old, now] = [new Releases(), new Releases()];
      const sides = [];
      for (const [releases, input] of [
        [old, before],
        [now, after],
      ] as const)
        sides.push({
          releases,
          ...(input && (await explained(releases.in(input), explainingBy({}, world)))),
        });
      const [first, second] = sides;
      if (first && second) bumps.push(...bumpsBetween(first, second, build));
    }
    const { upgrades } = await chartUpgrades(bumps, workspace, 500);
    expect(upgrades[0]?.notCompared).toMatchObject([
      { reason: "the charts take too long, or too much memory", in: [{}, {}] },
    ]);
  },
);

test("archives in Helm's cache are found by name and version", async () => {
  commit({ "apps/web.yaml": release("1.0.0") });
  commit({ "apps/web.yaml": release("2.0.0") });
  write({ ...chart("cache/1/web", 1), ...chart("cache/2/web", 2) });
  for (const version of ["1", "2"]) {
    const archive = join(folder, `cache/web-${version}.0.0.tgz`);
    execFileSync("tar", ["czf", archive, "-C", join(folder, "cache", version), "web"]);
  }
  const env = { HELM_REPOSITORY_CACHE: join(folder, "cache") };
  const { text } = await ran(["diff", "HEAD^", "HEAD", "apps"], env);
  expect(text).toContain("dead      logs.level");
  const home = await ran(["diff", "HEAD^", "HEAD", "apps"], {
    HELM_REPOSITORY_CACHE: "",
    HELM_CACHE_HOME: folder,
  });
  expect(home.text).toContain("not compared");
});

test("--fetch runs helm pull for what is missing, and nothing runs it without", async () => {
  commit({ "apps/web.yaml": release("1.0.0") });
  commit({ "apps/web.yaml": release("2.0.0") });
  write({ ...chart("pulled/1/web", 1), ...chart("pulled/2/web", 2) });
  for (const version of ["1", "2"]) {
    const archive = join(folder, `pulled/web-${version}.0.0.tgz`);
    execFileSync("tar", ["czf", archive, "-C", join(folder, "pulled", version), "web"]);
  }
  // Helm, but for the network: what it is asked for, and the archive.
  const helm = join(folder, "bin/helm");
  write({
    "bin/helm": `#!/bin/sh
echo "$@ \${SECRET_TOKEN:-}" >> "${folder}/asked"
[ "$1" = pull ] && cp "${folder}/pulled/$2-$6.tgz" "$8"
`,
  });
  chmodSync(helm, 0o755);
  const env = { PATH: `${dirname(helm)}:${process.env["PATH"]}`, SECRET_TOKEN: "token" };
  expect((await ran(["diff", "HEAD^", "HEAD", "apps"], env)).text).toContain("not compared");
  expect(existsSync(join(folder, "asked"))).toBe(false);
  expect((await ran(["diff", "HEAD^", "HEAD", "apps", "--fetch"], env)).text).toContain(
    "dead      logs.level",
  );
  const asked = readFileSync(join(folder, "asked"), "utf8").split("\n");
  expect(asked).toHaveLength(3);
  expect(asked[0]).toMatch(
    /^pull web --repo https:\/\/user:hunter2@charts\.example\/shop --version 1\.0\.0 --destination \S+ $/,
  );
});

test.for([
  ["a version that leads to another folder", "../../kept"],
  ["a version that is a flag", "--post-renderer"],
])("%s is not looked for", async ([, version = ""]) => {
  commit({ "apps/web.yaml": release("1.0.0"), ...kept });
  commit({ "apps/web.yaml": release(version) });
  const env = { HELM_REPOSITORY_CACHE: folder };
  expect((await ran(["diff", "HEAD^", "HEAD", "apps", "--fetch"], env)).text).toContain("not compared");
});

test.for<[string, (version: string) => Files]>([
  [
    "an Application",
    (version) => ({
      "apps/a.yaml": `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  source: {repoURL: https://charts.example, chart: web, targetRevision: ${version}, helm: {valuesObject: {logs: {level: debug}}}}
  destination: {namespace: web}
`,
    }),
  ],
  [
    "an OCIRepository",
    (version) => ({
      "apps/a.yaml": `apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: shop, namespace: shop}
spec: {url: oci://charts.example/shop/web, ref: {tag: ${version}}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec: {chartRef: {kind: OCIRepository, name: shop}, values: {logs: {level: debug}}}
`,
    }),
  ],
  [
    "a HelmChart of k3s",
    (version) => ({
      "apps/a.yaml": `apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: {name: web, namespace: kube-system}
spec: {chart: web, repo: https://charts.example, version: ${version}, valuesContent: "logs: {level: debug}"}
`,
    }),
  ],
  [
    "a fleet.yaml",
    (version) => ({
      "apps/fleet.yaml": `helm: {chart: web, repo: https://charts.example, version: ${version}, values: {logs: {level: debug}}}\n`,
    }),
  ],
  [
    "helmCharts of a kustomization",
    (version) => ({
      "apps/kustomization.yaml": `helmCharts:
- {name: web, repo: https://charts.example, version: ${version}, valuesInline: {logs: {level: debug}}}
`,
    }),
  ],
])("the chart of %s has another version", async ([, files]) => {
  commit({ ...files("1.0.0"), ...kept });
  commit(files("2.0.0"));
  const [upgrade, second] = await upgradesIn("diff", "HEAD^", "HEAD", "apps", "--chart", both);
  expect(withoutLines(listed(upgrade))).toEqual(found);
  expect(second).toBeUndefined();
});

test("a chart in the repository is read at both revisions; its own files are no edits", async () => {
  const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  source: {repoURL: https://git.example/a.git, path: charts/web, helm: {valuesObject: {logs: {level: debug}}}}
  destination: {namespace: web}
`;
  commit({ "apps/a.yaml": application, ...chart("charts/web", 1) });
  commit(chart("charts/web", 2));
  const { text } = await ran(["diff", "HEAD^", "HEAD", "apps"]);
  expect(text).toContain("chart web 1.0.0 → 2.0.0, in apps\n");
  expect(text).toMatch(/^ {2}dead +logs\.level +apps\/a\.yaml:5:/m);
  expect(text).not.toContain("charts/web/values.yaml");
});

test("a chart that depends on one of another version", async () => {
  const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  source: {repoURL: https://git.example/a.git, path: charts/shop, helm: {valuesObject: {web: {logs: {level: debug}}}}}
  destination: {namespace: web}
`;
  const parent = (version: 1 | 2): Files => ({
    "charts/shop/Chart.yaml": `apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies:\n- {name: web, version: ${version}.x.x, repository: "https://charts.example"}\n`,
    "charts/shop/Chart.lock": `dependencies:\n- {name: web, version: ${version}.0.0, repository: "https://charts.example"}\n`,
  });
  commit({ "apps/a.yaml": application, ...parent(1), ...kept });
  commit(parent(2));
  const [absent] = await upgradesIn("diff", "HEAD^", "HEAD", "apps");
  expect(absent).toMatchObject({ chart: "web", from: "1.0.0", to: "2.0.0" });
  expect(absent?.notCompared[0]?.commands).toHaveLength(2);
  const [upgrade] = await upgradesIn("diff", "HEAD^", "HEAD", "apps", "--chart", both);
  expect(withoutLines(listed(upgrade))).toEqual([
    "dead web.logs.level",
    "default web.grace",
    "default web.log.level",
  ]);
});

test("clusters with other values: what is not in all names those that have it", async () => {
  const cluster = (name: string, version: string, values: string): Files => ({
    [`clusters/${name}/kustomization.yaml`]: "resources: [web.yaml]\n",
    [`clusters/${name}/web.yaml`]: release(version, values),
  });
  const all = (version: string): Files => ({
    ...cluster("dev", version, "{replicas: 2}"),
    ...cluster("prod", version, "{logs: {level: debug}, replicas: 3}"),
  });
  commit({ ...all("1.0.0"), ...kept });
  commit(all("2.0.0"));
  const [upgrade] = await upgradesIn("diff", "HEAD^", "HEAD", "clusters/*", "--chart", both);
  expect(upgrade?.targets.map(({ build }) => build)).toEqual(["clusters/dev", "clusters/prod"]);
  const dead = upgrade?.findings.find(({ what }) => what === "dead");
  expect(dead?.in).toMatchObject([{ target: "HelmRelease/shop/web", build: "clusters/prod" }]);
  expect(upgrade?.findings.find(({ what }) => what === "default")?.in).toBeUndefined();
});

test("what breaks has Helm's reason; with a value of a Secret only its place", async () => {
  const breaks = { "kept/new/templates/web.yaml": '{{ fail (printf "no %v" .Values.password) }}\n' };
  const plain = (version: string): string => release(version, "{password: plain-text, replicas: 3}");
  commit({ "apps/web.yaml": plain("1.0.0"), ...kept, ...breaks });
  commit({ "apps/web.yaml": plain("2.0.0") });
  const words = ["diff", "HEAD^", "HEAD", "apps", "--chart", both];
  expect((await ran(words)).text).toContain("no plain-text");
  const secret = (version: string): string =>
    release(version, "{replicas: 3}").replace(
      "  values:",
      "  valuesFrom: [{kind: Secret, name: s}]\n  values:",
    ) +
    `---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\nstringData: {values.yaml: "password: hunter3"}\n`;
  commit({ "apps/web.yaml": secret("1.0.0") });
  commit({ "apps/web.yaml": secret("2.0.0") });
  for (const form of ["text", "json", "markdown"]) {
    const { text, messages } = await ran([...words, "--format", form]);
    expect(text).toContain("web/templates/web.yaml:1:3");
    expect(`${text}${messages}`).not.toContain("hunter3");
  }
});

test("upgrade tries a version on the work tree: a path, what is absent, and a name that is nearly one", async () => {
  commit({ "apps/web.yaml": release("1.0.0"), ...kept });
  const words = ["upgrade", "web", "kept/new", "apps", "--chart", both, "--exit-code"];
  const { text, status } = await ran(words);
  expect(text).toContain("chart web 1.0.0 → 2.0.0, in HelmRelease/shop/web\n  dead      logs.level");
  expect(status).toBe(1);
  expect((await ran(["upgrade", "web", "3.0.0", "apps", "--exit-code"])).status).toBe(2);
  expect((await ran(["upgrade", "web", "3.0.0", "apps"])).status).toBe(0);
  await expect(ran(["upgrade", "wob", "2.0.0", "apps"])).rejects.toThrow("no target has the chart `wob`");
});

test("inline values of a HelmRelease are what its chart is rendered with", async () => {
  commit({ "apps/web.yaml": release("1.0.0"), ...kept });
  const { text } = await ran(["explain", "Deployment/web", "spec.replicas", "apps", "--chart", "kept/old"]);
  expect(text).toContain("spec.replicas: 3");
});

test.for([
  ["the chart's own schema refuses a value", "{replicas: two}", "got string, want integer", "error"],
  ["a template refuses a value", "{logs: none}", "can't evaluate field level", "error"],
])("verify: %s", async ([, values = "", reason = "", severity = ""]) => {
  const schema = '{"properties": {"replicas": {"type": "integer"}}}';
  commit({ "values.yaml": values, ...chart("web", 1), "web/values.schema.json": schema });
  const { messages, status } = await ran(["verify", "values.yaml", "--chart", "web"]);
  expect(messages.replaceAll(/\n +/g, " ")).toContain(reason);
  expect(messages).toContain(`${severity}[not-built]: Helm cannot render the chart \`web\``);
  expect(status).toBe(1);
});

test("verify: what the cluster adds may be missing to render a chart, and that is no error", async () => {
  const late = release("1.0.0", "{logs: none}").replace(
    "  values:",
    "  valuesFrom: [{kind: ConfigMap, name: of-the-cluster}]\n  values:",
  );
  commit({ "apps/web.yaml": late, ...kept });
  const { messages } = await ran(["verify", "apps", "--chart", "kept/old", "-v"]);
  expect(messages).toContain("info[not-built]: Helm cannot render");
});

test.for([
  ["prot", "port"],
  ["tpye", "type"],
  ["enabeld", "enabled"],
])("verify: %s has two letters exchanged, and the chart reads %s", async ([key = "", meant = ""]) => {
  const own = { ...chart("web", 1), "web/values.yaml": `${meant}: 1\nlogs: {level: info}\nlast: {}\n` };
  commit({ "values.yaml": `${key}: 1\n`, ...own });
  const { messages } = await ran(["verify", "values.yaml", "--chart", "web"]);
  expect(messages).toContain(`[unknown-key]: the chart \`web\` reads no \`${key}\``);
  expect(messages).toContain(`it reads \`${meant}\``);
});

test("no command is printed that a shell reads as another one", async () => {
  const from = (version: string): string =>
    release(version).replace(
      "https://user:hunter2@charts.example/shop",
      "https://charts.example/$(touch x);y",
    );
  commit({ "apps/web.yaml": from("1.0.0") });
  commit({ "apps/web.yaml": from("2.0.0") });
  const { text } = await ran(["diff", "HEAD^", "HEAD"]);
  expect(text).toContain("not compared: 1.0.0 and 2.0.0 are not here\n\n");
  expect(text).not.toContain("touch");
});

test("a value of a Secret has a path and no text, whatever the new version does with it", async () => {
  const secret =
    "---\napiVersion: v1\nkind: Secret\nmetadata: {name: creds, namespace: shop}\nstringData:\n  values.yaml: |\n    logs: {level: c4n4ry}\n    replicas: c4n4ry\n";
  const from = (version: string): string =>
    `${release(version, "{grace: 5}")}  valuesFrom: [{kind: Secret, name: creds}]\n${secret}`;
  commit({ "apps/web.yaml": from("1.0.0"), ...kept });
  commit({ "apps/web.yaml": from("2.0.0") });
  for (const form of [["-v"], ["--json"], ["--format", "markdown"]]) {
    const { text, messages } = await ran(["diff", "HEAD^", "HEAD", "apps", "--chart", both, ...form]);
    expect(text).toContain("level");
    expect(text + messages).not.toContain("c4n4ry");
  }
});

test("a chart at a path of git is pulled from nowhere; a path that is not there is a mistake", async () => {
  commit({
    ...chart("charts/web", 1),
    "apps/web.yaml": `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec: {project: x, destination: {namespace: web}, source: {repoURL: https://git.example/a.git, path: charts/web}}
`,
  });
  const repo = ["--repo", "https://git.example/a.git=."];
  const { text } = await ran(["upgrade", "web", "9.0.0", "apps", ...repo]);
  expect(text).toContain("not compared: 9.0.0 is not here\n\n");
  await expect(ran(["upgrade", "web", "no/such", "apps", ...repo])).rejects.toThrow(
    "`no/such` does not exist",
  );
});

test("where the new chart does not render at all, no value is blamed, and none is called the same", async () => {
  const broken = { "kept/new/templates/b.yaml": '{{ fail "never" }}\n' };
  commit({ "apps/web.yaml": release("1.0.0"), ...kept, ...broken });
  commit({ "apps/web.yaml": release("2.0.0") });
  const { text, status } = await ran(["diff", "HEAD^", "HEAD", "apps", "--chart", both, "--exit-code"]);
  expect(text).toMatch(/not compared: it does not render\n {2}breaks +\(chart\) +the render fails: .*never/);
  expect(text).toContain("\n1 chart upgrade; not compared: chart web 1.0.0 → 2.0.0\n");
  expect(text).not.toContain("same ");
  expect(status).toBe(2);
});

test("`--chart NAME=PATH` takes the name of a target or of its chart, and reports a name that neither has", async () => {
  commit({ "apps/web.yaml": release("1.0.0"), ...chart("kept/old", 1) });
  const words = ["explain", "Deployment/web", "spec.replicas", "apps", "--chart"];
  for (const name of ["web", "HelmRelease/web"])
    expect((await ran([...words, `${name}=kept/old`])).text).toContain("replicas: 3");
  const { messages, status } = await ran([...words, "wob=kept/old"]);
  expect(status).toBe(1);
  expect(messages).toContain("`--chart wob=kept/old`: no target and no chart has that name");
});

test("a ConfigMap that a chart may make is not found: the chart that is not here is named", async () => {
  commit({ "apps/web.yaml": release("1.0.0") });
  const { messages, status } = await ran(["explain", "ConfigMap/web-settings", "apps"]);
  expect(status).toBe(1);
  expect(messages).toContain("the charts of 1 target: web are not here");
});

test("`upgrade` with the name of a target names its chart", async () => {
  commit({ "apps/web.yaml": release("1.0.0").replace("name: web, namespace", "name: shop-web, namespace") });
  await expect(ran(["upgrade", "shop-web", "2.0.0", "apps"])).rejects.toMatchObject({
    hint: "`shop-web` is a target: name its chart, `web`",
  });
});
