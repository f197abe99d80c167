// Charts of HelmReleases and HelmCharts that make targets: they are rendered with the values of their own stacks, and what they make is
// read like the rest. That of Applications is in manifests.test.ts; random ones are in test/real/made-targets.test.ts.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import type { Explanation, Place } from "../../src/explanation.ts";
import { folderOf } from "../support/folder.ts";
import { worldOf } from "../support/world.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

function checkout(files: Files): string {
  const folder = folderOf(files);
  mkdirSync(join(folder, ".git"));
  folders.push(folder);
  return folder;
}

async function ran(
  folder: string,
  ...words: readonly string[]
): Promise<{ readonly text: string; readonly messages: string; readonly status: number }> {
  const world = worldOf("", { directory: folder, terminal: { stdin: true, stdout: false } });
  const { output, messages, exitCode } = await runCommand(words, world);
  const line = messages.replaceAll(/\s+/g, " ");
  return { text: Buffer.concat(output).toString("utf8"), messages: line, status: exitCode };
}

/** A value with its place, what filled it, and what it overrides. @param more further words, such as files */
async function valueOf(
  folder: string,
  target: string,
  path: string,
  ...more: readonly string[]
): Promise<{ readonly value: string; readonly messages: string }> {
  const { text, messages } = await ran(folder, "explain", target, path, ...more, "--json");
  const { targets } = JSON.parse(text) as Explanation;
  const shown = (at: Place | undefined): string => [at?.file, at?.line, at?.column].filter(Boolean).join(":");
  const all = targets.flatMap(({ kind, namespace, name, stacks }) =>
    stacks.flatMap(({ values }) =>
      values.map((each) =>
        [
          `${kind}/${namespace}/${name} ${each.text} ${shown(each.at)}`,
          ...(each.variables ?? []).map((one) => `with ${one.name} of ${shown(one.at)}`),
          ...each.over.map((one) => `over ${one.text} ${shown(one.at)}`),
        ].join("; "),
      ),
    ),
  );
  return { value: all.join("\n"), messages };
}

const source = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: own, namespace: flux-system}
spec: {url: https://git.example/team/deploy.git}
---
`;

/** @param more further lines of its spec */
function release(name: string, chart: string, more: readonly string[], namespace = "flux-system"): string {
  const place = namespace === "" ? "" : `, namespace: ${namespace}`;
  return `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ${name}${place}}
spec:
  chart:
    spec: {chart: ./charts/${chart}, sourceRef: {kind: GitRepository, name: own, namespace: flux-system}}
${more.map((each) => `  ${each}\n`).join("")}`;
}

const configMap = (name: string, text: string, namespace = "flux-system"): string =>
  `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}${namespace === "" ? "" : `, namespace: ${namespace}`}}
data:
  values.yaml: |
    ${text}
`;

const application = (name: string, path: string, helm: string): string =>
  `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  source: {repoURL: https://git.example/team/deploy.git, path: ${path}, helm: ${helm}}
  destination: {namespace: ${name}}
`;

const chart = (name: string, files: Files): Files => ({
  [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
  ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`charts/${name}/${path}`, text])),
});

/** A chart whose template is a release of the chart `web`. */
const platform: Files = {
  ...chart("platform", {
    "values.yaml": "replicas: 2\n",
    "templates/web.yaml": release("web", "web", ["values:", "  replicas: {{ .Values.replicas }}"], ""),
  }),
  ...chart("web", { "values.yaml": "replicas: 1\n" }),
};

test("what the chart of a HelmRelease makes has its lines, and the values of the release behind them", async () => {
  const folder = checkout({
    ...platform,
    "all.yaml": source + release("platform", "platform", ["targetNamespace: apps", "values: {replicas: 5}"]),
  });
  const { value, messages } = await valueOf(folder, "web", "replicas");
  expect(value).toBe(
    "HelmRelease/apps/web 5 charts/platform/templates/web.yaml:8; with replicas of all.yaml:13:22; over 1 charts/web/values.yaml:1:11",
  );
  expect(messages).not.toContain("Helm is not run");
});

test("a line of a text that a chart makes has the values behind it, too", async () => {
  const made = application("web", "charts/web", "").replace(
    "helm: }",
    'helm: {values: "replicas: {{ .Values.replicas }}"}}',
  );
  const literal = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: two, namespace: argocd}
spec:
  source:
    repoURL: https://git.example/team/deploy.git
    path: charts/web
    helm:
      values: |
        other: 1
        replicas: {{ .Values.replicas }}
  destination: {namespace: two}
`;
  const folder = checkout({
    ...chart("apps", { "templates/a.yaml": `${made}---\n${literal}` }),
    ...chart("web", { "values.yaml": "replicas: 1\n" }),
    "root.yaml": application("root", "charts/apps", "{valuesObject: {replicas: 7}}"),
  });
  const root = ["root.yaml", "--repo", "https://git.example/team/deploy.git=."];
  expect((await valueOf(folder, "two", "replicas", ...root)).value).toContain(
    "7 charts/apps/templates/a.yaml:18; with replicas of root.yaml:5:",
  );
  expect((await valueOf(folder, "Application/web", "replicas", ...root)).value).toContain(
    "with replicas of root.yaml:5:",
  );
});

test("the list has what charts make, and names no chart that a release has as not followed", async () => {
  const folder = checkout({
    ...platform,
    "all.yaml": source + release("platform", "platform", ["values: {a: 1}"]),
  });
  const { text, messages, status } = await ran(folder, "explain");
  expect(text).toContain("HelmRelease/flux-system/platform");
  expect(text).toContain("HelmRelease/flux-system/web");
  expect(messages).not.toContain("Helm is not run");
  expect(messages).not.toContain("nothing here builds");
  expect(status).toBe(0);
});

test("values and verify have what charts make", async () => {
  const files = { ...platform, "all.yaml": source + release("platform", "platform", []) };
  const values = await ran(checkout(files), "values", "web");
  expect(values.text).toBe("replicas: 2\n");
  const wrong = {
    ...files,
    "charts/platform/templates/web.yaml": release("web", "web", ["values: {replica: 2}"], ""),
  };
  const read = {
    "charts/web/templates/d.yaml": "kind: Deployment\nspec: {replicas: {{ .Values.replicas }}}\n",
  };
  const { messages } = await ran(checkout({ ...wrong, ...read }), "verify");
  expect(messages).toContain("the chart `web` reads no `replica` at charts/platform/templates/web.yaml:7");
});

/** A cluster of Flux: the release is in one Kustomization, its values are in another one. */
const cluster = (values: string): Files => {
  const sync = (name: string): string =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {path: ./${name}, sourceRef: {kind: GitRepository, name: own}}
---
`;
  return {
    ...platform,
    "cluster/all.yaml": source + sync("releases") + sync("values"),
    "releases/platform.yaml": release("platform", "platform", [
      "valuesFrom: [{kind: ConfigMap, name: platform-values}]",
    ]),
    "releases/web.yaml": release("web", "web", ["values: {replicas: 1}"], "other"),
    "values/all.yaml": configMap("platform-values", values),
  };
};

test("a question about one target reads all that the values of a chart are from", async () => {
  const folder = checkout(cluster("replicas: 9"));
  const { value } = await valueOf(folder, "HelmRelease/flux-system/web", "replicas", "cluster");
  expect(value).toContain(
    "/web 9 charts/platform/templates/web.yaml:8; with replicas of values/all.yaml:6:15;",
  );
  const { messages } = await ran(folder, "explain", "web", "replicas", "cluster");
  expect(messages).toContain("2 targets are named `web`");
  expect(messages).toContain("name one of them: `HelmRelease/other/web`, `HelmRelease/flux-system/web`");
});

/** What `diff` prints of an edit of a cluster with a third Kustomization, in git. */
async function diffOf(before: Files, after: Files): Promise<string> {
  const folder = folderOf(before);
  folders.push(folder);
  const git = (...args: readonly string[]): void => void execFileSync("git", ["-C", folder, ...args]);
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "x");
  for (const name of Object.keys(before)) rmSync(join(folder, name));
  folderOf(after, folder);
  const { PATH = "" } = process.env;
  const terminal = { stdin: true, stdout: false };
  const world = worldOf("", { directory: folder, env: { PATH }, terminal });
  const { output, messages } = await runCommand(["diff", "HEAD", "cluster"], world);
  return `${Buffer.concat(output).toString("utf8")}${messages}`;
}

test("diff shows what an edit of a layer changes in what a chart makes", async () => {
  const text = await diffOf(cluster("replicas: 3"), cluster("replicas: 4"));
  expect(text).toContain("HelmRelease/flux-system/web");
  expect(text).toMatch(/replicas.*3 → 4/);
});

test("an edit of a value that a chart makes is shown once, and other fields as what the chart renders", async () => {
  const files = (values: string, interval: string): Files => ({
    ...cluster(values),
    "charts/platform/templates/web.yaml": release(
      "web",
      "web",
      [`interval: ${interval}`, "values:", "  replicas: {{ .Values.replicas }}"],
      "",
    ),
  });
  const text = await diffOf(files("replicas: 3", "1m"), files("replicas: 4", "2m"));
  expect(text).toMatch(/replicas +3 → 4/);
  expect(text).not.toContain("spec.values.replicas");
  expect(text).toMatch(/spec\.interval +"1m" → "2m"/);
});

test("diff shows an edit of a layer that only a template names", async () => {
  const template = release("web", "web", ["valuesFrom: [{kind: ConfigMap, name: web-values}]"], "");
  const files = (values: string): Files => ({
    ...cluster("replicas: 2"),
    "charts/platform/templates/web.yaml": template,
    "cluster/web.yaml": configMap("web-values", values),
  });
  const text = await diffOf(files("replicas: 3"), files("replicas: 4"));
  expect(text).toMatch(/replicas +3 → 4/);
  expect(text).toContain("HelmRelease/flux-system/web");
});

test("diff reads both sides wholly where a chart that makes targets is removed", async () => {
  const files: Files = {
    ...cluster("replicas: 2"),
    "values/more.yaml": release("more", "web", ["values: {replicas: 1}"], "other"),
  };
  const { "releases/platform.yaml": _gone, ...rest } = files;
  const text = await diffOf(files, rest);
  expect(text).toContain("HelmRelease/flux-system/platform is removed");
  expect(text).toContain("HelmRelease/flux-system/web is removed");
  expect(text).not.toContain("other/");
});

test("a chart whose values another chart makes is rendered after it", async () => {
  const files = {
    ...platform,
    ...chart("settings", {
      "templates/all.yaml": `${configMap("platform-values", "replicas: 8", "")}---\n${release("extra", "web", [], "")}`,
    }),
    "all.yaml":
      source +
      release("platform", "platform", ["valuesFrom: [{kind: ConfigMap, name: platform-values}]"]) +
      `---\n${release("settings", "settings", [])}`,
  };
  const { value, messages } = await valueOf(checkout(files), "web", "replicas");
  expect(value).toContain("/web 8 charts/platform/templates/web.yaml:8;");
  expect(messages).not.toContain("without the values");
});

test("each of several lines that an action writes has its line", async () => {
  const template = release(
    "web",
    "web",
    ["values:", "  all:", "    {{- toYaml .Values.all | nindent 6 }}"],
    "",
  );
  const files = {
    ...platform,
    "charts/platform/templates/web.yaml": template,
    "all.yaml": source + release("platform", "platform", ["values: {all: {a: 1, b: 2}}"]),
  };
  const { text } = await ran(checkout(files), "explain", "web");
  expect(text).toMatch(/ {2}a: 1 +B charts\/platform\/templates\/web\.yaml:9\n/);
  expect(text).toMatch(/ {2}b: 2 +B charts\/platform\/templates\/web\.yaml:9\n/);
});

test("a layer that only the cluster has is named: what the chart makes may be otherwise there", async () => {
  const files = {
    ...platform,
    "all.yaml":
      source + release("platform", "platform", ["valuesFrom: [{kind: ConfigMap, name: of-cluster}]"]),
  };
  const { value, messages } = await valueOf(checkout(files), "web", "replicas");
  expect(value).toContain("/web 2 charts/platform/templates/web.yaml:8;");
  expect(messages).toContain(
    "`HelmRelease/flux-system/platform` is rendered without the values of `ConfigMap/flux-system/of-cluster`",
  );
});

test("the chart of an Application makes a HelmRelease, whose chart makes an Application", async () => {
  const files = {
    ...chart("apps", {
      "values.yaml": "replicas: 1\n",
      "templates/all.yaml":
        source + release("between", "between", ["values:", "  size: {{ .Values.replicas }}"], ""),
    }),
    ...chart("between", {
      "templates/web.yaml": application(
        "web",
        "charts/web",
        "{valuesObject: {replicas: {{ .Values.size }}}}",
      ),
    }),
    ...chart("web", { "values.yaml": "replicas: 1\n" }),
    "root.yaml": application("root", "charts/apps", "{valuesObject: {replicas: 6}}"),
  };
  const { value, messages } = await valueOf(checkout(files), "web", "replicas");
  expect(value).toContain(
    "Application/argocd/web 6 charts/between/templates/web.yaml:5; with size of charts/apps/templates/all.yaml:13;",
  );
  const between = await valueOf(checkout(files), "HelmRelease/root/between", "size");
  expect(between.value).toContain(
    "/between 6 charts/apps/templates/all.yaml:13; with replicas of root.yaml:5",
  );
  expect(messages).not.toContain("Helm is not run");
});

test("what builds more is followed: a Kustomization that a chart makes", async () => {
  const made = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: more}
spec:
  path: {{ .Values.path }}
  sourceRef: {kind: GitRepository, name: own, namespace: flux-system}
`;
  const files = {
    ...cluster("path: ./more"),
    ...chart("platform", { "templates/more.yaml": made, "templates/web.yaml": "" }),
    "more/app.yaml": release("deep", "web", ["values: {replicas: 4}"]),
  };
  const { value } = await valueOf(checkout(files), "deep", "replicas", "cluster");
  expect(value).toContain("/deep 4 more/app.yaml:7:22;");
  const alone = {
    ...files,
    "cluster/all.yaml": source + release("platform", "platform", ["values: {path: ./more}"]),
  };
  const { messages } = await ran(checkout(alone), "explain", "web", "cluster");
  expect(messages).toContain("`Kustomization/flux-system/more` is not followed");
});

test("a ResourceSet that a chart makes is filled in, where no cluster of Flux is read", async () => {
  const set = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: many}
spec:
  inputs: [{team: one}, {team: two}]
  resources:
    - apiVersion: helm.toolkit.fluxcd.io/v2
      kind: HelmRelease
      metadata: {name: << inputs.team >>, namespace: apps}
      spec:
        values:
          replicas: {{ .Values.replicas }}
`;
  const folder = checkout({
    ...platform,
    "charts/platform/templates/set.yaml": set,
    "all.yaml": source + release("platform", "platform", ["values: {replicas: 5}"]),
  });
  const { value } = await valueOf(folder, "two", "replicas");
  expect(value).toBe("HelmRelease/apps/two 5 charts/platform/templates/set.yaml:12");
});

test("a HelmChart has such a chart, and is made by one", async () => {
  const helmChart = (name: string, of: string, values: string): string =>
    `apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: {name: ${name}, namespace: kube-system}
spec:
  chart: ${of}
  targetNamespace: apps
  valuesContent: |
    ${values}
`;
  const files = {
    ...chart("nodes", {
      "values.yaml": "size: 1\n",
      "templates/all.yaml": helmChart("agent", "agent", "size: {{ .Values.size }}"),
    }),
    ...chart("agent", { "values.yaml": "size: 0\n" }),
    "all.yaml": helmChart("nodes", "nodes", "size: 7"),
  };
  const charts = ["--chart", "charts/nodes", "--chart", "charts/agent"];
  const { value } = await valueOf(checkout(files), "HelmChart/agent", "size", "all.yaml", ...charts);
  expect(value).toContain(
    "/agent 7 charts/nodes/templates/all.yaml:8; with size of all.yaml:8:11; over 0 charts/agent/values.yaml:1:7",
  );
});

test("a chart that makes releases of itself ends; one that makes its own release is read once", async () => {
  const again = {
    ...platform,
    "charts/platform/templates/self.yaml": release("again-{{ .Release.Name }}", "platform", [], ""),
    "all.yaml": source + release("platform", "platform", []),
  };
  const { messages } = await ran(checkout(again), "explain", "HelmRelease/flux-system/platform");
  expect(messages).toContain("charts that make targets with charts are too many");
  const own = { ...again, "charts/platform/templates/self.yaml": release("platform", "platform", [], "") };
  const { value, messages: twice } = await valueOf(checkout(own), "web", "replicas");
  expect(value).toContain("/web 2 charts/platform/templates/web.yaml:8;");
  expect(twice).toContain("`HelmRelease/flux-system/platform` exists twice: only the first is read");
  expect(twice).toContain("charts/platform/templates/self.yaml:1");
});

test.for([["web"], ["HelmRelease/platform", "--json"], ["--json"], ["Deployment/web"]])(
  "a chart with values of a Secret is not rendered, and no value of it is printed: %s",
  async (words) => {
    const files = {
      ...platform,
      "charts/platform/templates/x.yaml": '{{ fail (printf "no %s" .Values.password) }}\n',
      "all.yaml":
        source +
        `apiVersion: v1
kind: Secret
metadata: {name: creds, namespace: flux-system}
stringData: {values.yaml: "password: CANARY"}
---
${release("platform", "platform", ["valuesFrom: [{kind: Secret, name: creds}]"])}`,
    };
    const { text, messages } = await ran(checkout(files), "explain", ...words, "all.yaml");
    expect(text + messages).not.toContain("CANARY");
    expect(messages).toContain(
      "what the chart `charts/platform` makes is missing: its values have some of a Secret",
    );
  },
);

test("a variable that a Secret sets stays as it is written in what a chart makes", async () => {
  const files = cluster("replicas: 2");
  const from = "postBuild: {substituteFrom: [{kind: Secret, name: vars}]}";
  const secret = `apiVersion: v1
kind: Secret
metadata: {name: vars, namespace: flux-system}
stringData: {pw: CANARY}
`;
  const folder = checkout({
    ...files,
    "cluster/all.yaml": `${(files["cluster/all.yaml"] ?? "").replace("path: ./releases,", `path: ./releases, ${from},`)}${secret}`,
    "releases/platform.yaml": release("platform", "platform", ['values: {replicas: "${pw}"}']),
  });
  for (const words of [["HelmRelease/flux-system/web"], ["--json"], ["Deployment/web"]]) {
    const { text, messages } = await ran(folder, "explain", ...words, "cluster");
    expect(text + messages).not.toContain("CANARY");
  }
  const { value } = await valueOf(folder, "HelmRelease/flux-system/web", "replicas", "cluster");
  expect(value).toContain("/web ${pw} charts/platform/templates/web.yaml:8;");
});

test("a chart that does not render is a fault with Helm's reason, and the rest is explained", async () => {
  const files = {
    ...platform,
    "charts/platform/templates/x.yaml": '{{ fail "set a size" }}\n',
    "all.yaml": `${source}${release("platform", "platform", [])}---\n${release("other", "web", ["values: {replicas: 2}"])}`,
  };
  const { text, messages, status } = await ran(checkout(files), "explain");
  expect(text).toContain("HelmRelease/flux-system/other");
  expect(messages).toContain("Helm cannot render the chart `charts/platform`");
  expect(messages).toContain("set a size");
  expect(status).toBe(1);
});
