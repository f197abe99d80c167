// What charts make: an object that is asked for by its name, what becomes of values, and charts that make Applications. What Helm
// renders is in test/real/manifests.test.ts.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import type { Explanation } from "../../src/explanation.ts";
import { folderOf } from "../support/folder.ts";
import { worldOf } from "../support/world.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

/** A checkout of one Application with a chart, below it what a case is about. */
function checkout(files: Files): string {
  const folder = folderOf({ ...chart, ...files });
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
  return { text: Buffer.concat(output).toString("utf8"), messages, status: exitCode };
}

const application = (name: string, path: string, helm: string): string =>
  `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  source: {repoURL: https://git.example/team/deploy.git, path: ${path}, helm: ${helm}}
  destination: {namespace: ${name}}
`;

const chart: Files = {
  "web.yaml": application("web", "charts/web", "{valueFiles: [../../prod.yaml]}"),
  "prod.yaml": "replicas: 3\n",
  "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
  "charts/web/values.yaml": 'replicas: 1\nimage: {tag: "1.0"}\nhpa: {enabled: false}\n',
  "charts/web/templates/_helpers.tpl":
    '{{- define "web.labels" -}}\napp: {{ .Release.Name }}\nversion: {{ .Values.image.tag | quote }}\n{{- end }}\n',
  "charts/web/templates/deployment.yaml": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  labels:
    {{- include "web.labels" . | nindent 4 }}
spec:
  {{- if not .Values.hpa.enabled }}
  replicas: {{ .Values.replicas }}
  {{- end }}
  template:
    spec:
      containers:
        - name: web
          image: "reg/web:{{ .Values.image.tag }}"
`,
  "charts/web/templates/hpa.yaml": `{{- if .Values.hpa.enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .Release.Name }}
spec:
  maxReplicas: 9
{{- end }}
`,
};

test("a field has the line of its template, the values in it, and what these override", async () => {
  const { text, status } = await ran(checkout({}), "explain", "Deployment/web", "spec.replicas");
  expect(text).toBe(
    [
      "Deployment/web  Application/argocd/web, charts/web/templates/deployment.yaml",
      "spec.replicas: 3                     charts/web/templates/deployment.yaml:9  {{ .Values.replicas }}",
      "  replicas: 3                        prod.yaml:1:11",
      "    over 1                           charts/web/values.yaml:1:11             the chart's default",
      "  exists because hpa.enabled: false  charts/web/values.yaml:3:16             the chart's default",
      "",
    ].join("\n"),
  );
  expect(status).toBe(0);
});

test("a field of a helper has its line there, and the lines that include it", async () => {
  const { text } = await ran(checkout({}), "explain", "deploy/web", "metadata.labels", "--json");
  const { manifests = [] } = JSON.parse(text) as Explanation;
  const fields = manifests.flatMap((each) => each.fields);
  expect(
    fields.map(({ path, text: own, at, through, of, values }) => ({ path, own, at, through, of, values })),
  ).toEqual([
    {
      path: ["metadata", "labels", "app"],
      own: "web",
      at: { of: "file", file: "charts/web/templates/_helpers.tpl", line: 2 },
      through: [{ of: "file", file: "charts/web/templates/deployment.yaml", line: 6 }],
      of: ["release name"],
      values: [],
    },
    {
      path: ["metadata", "labels", "version"],
      own: '"1.0"',
      at: { of: "file", file: "charts/web/templates/_helpers.tpl", line: 3 },
      through: [{ of: "file", file: "charts/web/templates/deployment.yaml", line: 6 }],
      of: undefined,
      values: [{ path: ["image", "tag"], how: "carries" }],
    },
  ]);
});

test.for([["{replicas: 3}"], ["\n    # three\n    replicas: 3"]])(
  "values that are in a release alone are those that Helm gets: %s",
  async ([values = ""]) => {
    const release = (secret["web.yaml"] ?? "")
      .replace(/ {2}valuesFrom.*\n/, "")
      .replace("values: {replicas: 3}", `values: ${values}`);
    const { text } = await ran(
      checkout({ "web.yaml": release }),
      "explain",
      "Deployment/web",
      "spec.replicas",
    );
    expect(text).toContain("spec.replicas: 3 ");
  },
);

test("a release without values has those of its chart", async () => {
  const release = (secret["web.yaml"] ?? "").replace(/ {2}valuesFrom.*\n.*\n/, "");
  const folder = checkout({ "web.yaml": release });
  const { text, status } = await ran(folder, "explain", "Deployment/web", "spec.replicas");
  expect(text).toContain("spec.replicas: 1 ");
  expect(text).toMatch(/ {2}replicas: 1 +charts\/web\/values\.yaml:1:11 +the chart's default\n/);
  expect(status).toBe(0);
});

test("a value leads to the fields that have it, and to objects that are there because of it", async () => {
  const { text } = await ran(checkout({}), "explain", "web", "hpa.enabled", "--manifests");
  expect(text).toContain("Application/argocd/web makes of it\n");
  expect(text).toMatch(
    /Deployment\/web +spec\.replicas +charts\/web\/templates\/deployment\.yaml:9 +exists\n/,
  );
  expect(text).toMatch(
    /HorizontalPodAutoscaler\/web +\(with another value\) +charts\/web\/templates\/hpa\.yaml\n/,
  );
});

test("an object that no chart makes, and a field that it does not have, are said to be missing", async () => {
  const { messages, status } = await ran(checkout({}), "explain", "Deployment/wob");
  expect(messages).toContain("no target and no chart here makes `Deployment/wob`");
  expect(status).toBe(1);
  const field = await ran(checkout({}), "explain", "Deployment/web", "spec.replica");
  expect(field.messages).toContain(
    "no target and no chart here makes `Deployment/web` with a field at `spec.replica`",
  );
});

test("diff lists what an edit of a template changes, and reports one that breaks the chart", async () => {
  const folder = folderOf({});
  folders.push(folder);
  const side = (name: string, template: (text: string) => string): void => {
    const path = "charts/web/templates/deployment.yaml";
    folderOf({ ...chart, [path]: template(chart[path] ?? "") }, join(folder, name));
    mkdirSync(join(folder, name, ".git"));
  };
  side("old", (text) => text);
  side("new", (text) => text.replace("name: web", "name: main"));
  side("broken", (template) => `${template}{{ if }}\n`);
  const { text, status } = await ran(folder, "diff", "old", "new", "--exit-code");
  expect(text).toContain("Deployment/web  spec.template.spec.containers[0].name  web → main\n");
  expect(status).toBe(1);
  const broken = await ran(folder, "diff", "old", "broken", "--exit-code");
  expect(broken.messages).toContain("warning[not-built]: Helm cannot render the chart");
  expect(broken.text).toContain("not compared: the manifests of Application/argocd/web");
  expect(broken.status).toBe(2);
  // It did not render before, either.
  side("worse", (template) => `${template}{{ if }}{{ if }}\n`);
  const worse = await ran(folder, "diff", "broken", "worse", "--exit-code");
  expect(worse.messages).toContain("info[not-built]: Helm cannot render the chart");
  expect(worse.status).toBe(0);
});

test("sides that see other versions of Kubernetes are not compared", async () => {
  const folder = folderOf({});
  folders.push(folder);
  for (const version of ["1.30.0", "1.33.0"]) {
    const helm = `{kubeVersion: ${version}, valueFiles: [../../prod.yaml]}`;
    folderOf({ ...chart, "web.yaml": application("web", "charts/web", helm) }, join(folder, version));
    mkdirSync(join(folder, version, ".git"));
  }
  const { messages } = await ran(folder, "diff", "1.30.0", "1.33.0");
  expect(messages.replaceAll(/\s+/g, " ")).toContain("sees other APIs than before");
});

test("a path that cannot be read is a fault of the path", async () => {
  const { messages, status } = await ran(checkout({}), "explain", "Deployment/web", "spec..x");
  expect(messages).toContain("`spec..x` is not a path");
  expect(status).toBe(1);
});

test("a chart that Helm cannot render is a fault with its reason", async () => {
  const fails = { "charts/web/templates/x.yaml": 'kind: Deployment\n{{ fail "set a tag" }}\n' };
  const { messages, status } = await ran(checkout(fails), "explain", "Deployment/web");
  expect(messages).toContain("Helm cannot render the chart `charts/web`");
  expect(messages).toContain("set a tag");
  expect(status).toBe(1);
});

test("the reason is that of the innermost template", async () => {
  const fails = {
    "charts/web/templates/x.yaml":
      'kind: Deployment\n{{ define "one" }}{{ .Values.no.such }}{{ end }}{{ define "two" }}{{ include "one" . }}{{ end }}\na: {{ include "two" . }}\n',
  };
  const { messages } = await ran(checkout(fails), "explain", "Deployment/web");
  expect(messages.replaceAll(/\s+/g, " ")).toContain(
    'why web/templates/x.yaml:2:28 executing "one" at <.Values.no.such>: nil pointer',
  );
});

const versions = '{kubeVersion: "1.27.3", apiVersions: [example.com/v1/Thing]';

test.for([
  ["an Application", { "web.yaml": application("web", "charts/web", `${versions}}`) }, "web.yaml"],
  [
    "a kustomization",
    {
      "top/kustomization.yaml": `helmGlobals: {chartHome: ../charts}\nhelmCharts: [${versions}, name: web, releaseName: web}]\n`,
    },
    "top",
  ],
] as const)("a chart sees the Kubernetes and the APIs that its target names: %s", async ([, files, word]) => {
  const template = `kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  version: {{ .Capabilities.KubeVersion.Version }}
  has: {{ .Capabilities.APIVersions.Has "example.com/v1/Thing" }}
  other: {{ .Capabilities.APIVersions.Has "example.com/v1/Other" }}
`;
  const folder = checkout({ ...files, "charts/web/templates/deployment.yaml": template });
  const { text } = await ran(folder, "explain", "Deployment/web", word);
  expect(text).toMatch(/spec\.version: v1\.27\.3 /);
  expect(text).toMatch(/spec\.has: true /);
  expect(text).toMatch(/spec\.other: false /);
});

const apps: Files = {
  "web.yaml": application("root", "apps", "{valuesObject: {replicas: 5}}"),
  "apps/Chart.yaml": "apiVersion: v2\nname: apps\nversion: 1.0.0\n",
  "apps/values.yaml": "replicas: 2\n",
  "apps/templates/web.yaml": application(
    "web",
    "charts/web",
    "{valuesObject: {replicas: {{ .Values.replicas }}}}",
  ),
};

test("what a chart makes is read: Applications have the lines of their template", async () => {
  const { text, messages } = await ran(checkout(apps), "explain", "web", "replicas");
  expect(text).toContain(
    "web replicas\n        5  apps/templates/web.yaml:5    spec.source.helm.valuesObject\n        with replicas of web.yaml:5\n  over  1  charts/web/values.yaml:1:11  the chart's default\n",
  );
  expect(messages).not.toContain("Helm is not run");
});

test("a chart that makes Applications of itself ends", { tags: "law" }, async () => {
  const own = { "apps/templates/self.yaml": application("again-{{ .Release.Name }}", "apps", "{}") };
  const { messages } = await ran(checkout({ ...apps, ...own }), "explain", "web", "replicas");
  expect(messages).toContain("charts that make targets with charts are too many");
});

const secret: Files = {
  "web.yaml": `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: own, namespace: web}
spec: {url: https://git.example/team/deploy.git}
---
apiVersion: v1
kind: Secret
metadata: {name: creds, namespace: web}
stringData:
  values.yaml: |
    password: CANARYpw
    user: admin
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: web}
spec:
  chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: own}}}
  valuesFrom: [{kind: Secret, name: creds}]
  values: {replicas: 3}
`,
  "charts/web/values.yaml": 'replicas: 1\npassword: ""\nuser: bob\n',
  "charts/web/templates/deployment.yaml": `kind: Deployment
metadata:
  name: {{ .Release.Name }}
  annotations:
    sum: {{ .Values.password | sha256sum }}
    {{ .Values.password }}: x
spec:
  replicas: {{ .Values.replicas }}
  pw: {{ .Values.password | lower }}
  both: "{{ .Values.user }}-{{ .Values.password | b64enc }}"
  {{- if eq .Values.user "admin" }}
  admin: true
  {{- end }}
---
kind: Secret
metadata: {name: {{ .Release.Name }}}
stringData: {b: fixed-CANARY}
---
kind: ConfigMap
metadata: {name: cm-{{ .Values.password | lower }}}
data: {a: b}
`,
  "charts/web/templates/hpa.yaml": "",
};

const hashed = /canary|Q0FOQVJZ|50505e40/i;

test.for([
  ["Deployment/web"],
  ["Deployment/web", "--json"],
  ["Secret/web", "--json"],
  ["web", "password", "--manifests"],
  ["web", "--manifests", "--json"],
])("a value of a Secret is in no field, key or name that is printed: %s", async (words) => {
  const { text, messages, status } = await ran(checkout(secret), "explain", ...words, "web.yaml");
  expect(`${text}${messages}`).not.toMatch(hashed);
  expect(text).toContain("web");
  expect(status).toBe(0);
});

test("nor in a namespace or a kind, of what is there or would be", async () => {
  const template = `kind: Service
metadata: {name: pub, namespace: {{ .Values.password }}}
---
kind: {{ .Values.password }}
metadata: {name: k}
spec: {x: {{ .Values.replicas }}}
{{- if .Values.more }}
---
kind: Service
metadata: {name: new, namespace: {{ .Values.password }}}
---
kind: {{ .Values.password }}
metadata: {name: more}
{{- end }}
`;
  const values = { "charts/web/values.yaml": 'replicas: 1\npassword: ""\nuser: bob\nmore: false\n' };
  const folder = checkout({ ...secret, ...values, "charts/web/templates/x.yaml": template });
  for (const words of [["Service/pub"], ["web", "replicas", "--manifests"], ["web", "more", "--manifests"]]) {
    const { text, messages } = await ran(folder, "explain", ...words, "web.yaml", "--json");
    expect(`${text}${messages}`).not.toMatch(hashed);
    expect(text).toContain("(secret)");
  }
});

test("a template that fails does not show a value of a Secret that it quotes", async () => {
  const fails = {
    "charts/web/templates/x.yaml": 'kind: Deployment\n{{ fail (printf "no %s" .Values.password) }}\n',
  };
  const { messages, text, status } = await ran(
    checkout({ ...secret, ...fails }),
    "explain",
    "Deployment/web",
    "web.yaml",
  );
  expect(messages).toContain("Helm cannot render the chart `charts/web`");
  expect(`${text}${messages}`).not.toMatch(hashed);
  expect(messages).toContain("x.yaml:2:");
  expect(status).toBe(1);
});

test.for(["{{ .Values.password }}", "a: {{ .Values.password }}: b", "kind: {{ .Values.password }}: ["])(
  "nor does what is no YAML with it: %s",
  async (template) => {
    const folder = checkout({ ...secret, "charts/web/templates/x.yaml": `${template}\n` });
    for (const words of [
      ["verify", "web.yaml"],
      ["explain", "Deployment/web", "web.yaml"],
    ]) {
      const { text, messages, status } = await ran(folder, ...words);
      expect(messages).toContain("Helm cannot render the chart `charts/web`");
      expect(`${text}${messages}`).not.toMatch(hashed);
      expect(status).toBe(1);
    }
  },
);

test("what a chart renders is YAML, or a fault", async () => {
  const folder = checkout({
    "prod.yaml": 'greeting: "hi: there"\n',
    "charts/web/templates/x.yaml": "kind: A\nmetadata: {name: a}\ngreeting: {{ .Values.greeting }}\n",
  });
  const { messages, status } = await ran(folder, "verify");
  expect(messages).toContain("YAML parse error on web/templates/x.yaml");
  expect(status).toBe(1);
});

test("an object that is there because of a key of a mapping has that as its reason", async () => {
  const folder = checkout({
    "prod.yaml": "accounts: {app: {}, job: {a: 1, b: 2}}\n",
    "charts/web/templates/x.yaml":
      "{{ range $name, $_ := .Values.accounts }}\nkind: Account\nmetadata: {name: {{ $name }}}\n---\n{{ end }}\n",
  });
  expect((await ran(folder, "explain", "Account/app")).text).toMatch(
    /^ {2}exists because accounts\.app: \{\} +prod\.yaml:1:17/m,
  );
  expect((await ran(folder, "explain", "Account/job")).text).toMatch(
    /^ {2}exists because accounts\.job: 2 values +prod\.yaml:1/m,
  );
  expect((await ran(folder, "explain", "web", "accounts.app", "--manifests")).text).toMatch(
    /Account\/app +\(exists\) +charts\/web\/templates\/x\.yaml/,
  );
  expect((await ran(folder, "explain", "web", "accounts.job", "--manifests")).text).toMatch(
    /Account\/job +\(exists\) +charts\/web\/templates\/x\.yaml/,
  );
  expect((await ran(folder, "explain", "web", "accounts", "--manifests")).text).toMatch(
    /Account\/app +\(exists\)[^]*Account\/job +\(exists\)/,
  );
});

test.each(["3", "4"])(
  "Helm %s: an API that the chart asks for is named, and may be among the settings",
  async (helm) => {
    const api = "monitoring.coreos.com/v1";
    const monitor = (has: string): string =>
      `{{- if .Capabilities.APIVersions.Has ${has} }}\nkind: ServiceMonitor\nmetadata: {name: web}\npath: {{ .Values.path }}\n{{- end }}\n`;
    const folder = checkout({
      "prod.yaml": "path: /metrics\n",
      "charts/web/templates/x.yaml": `${monitor(`"${api}"`)}---\n${monitor('"policy/v9"')}`,
    });
    const words = ["explain", "ServiceMonitor/web", "--helm", helm];
    const absent = await ran(folder, ...words);
    expect(absent.status).toBe(1);
    expect(absent.messages).toContain(`the chart \`charts/web\` is rendered without 1 API: ${api}`);
    expect((await ran(folder, "explain", "web", "path", "--manifests")).messages).toContain(api);
    // Another chart may lack it: what is asked for is there.
    expect((await ran(folder, "explain", "Deployment/web")).messages).not.toContain(api);
    writeFileSync(
      join(folder, ".valuefold.yaml"),
      `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {checkout: {apiVersions: [${api}]}}\n`,
    );
    expect((await ran(folder, ...words)).text).toContain('path: "/metrics"');
    const { text } = await ran(folder, "explain", "web", "path", "--manifests");
    expect(text).toMatch(/ServiceMonitor\/web +path +charts\/web\/templates\/x\.yaml:4/);
  },
);

test("an API whose name is of a Secret is not named", async () => {
  const folder = checkout({
    ...secret,
    "charts/web/templates/x.yaml":
      "{{ if .Capabilities.APIVersions.Has .Values.password }}\nkind: Token\nmetadata: {name: a}\n{{ end }}\n# canary.example/v1\n",
    "web.yaml": (secret["web.yaml"] ?? "").replace("CANARYpw", "canary.example/v1"),
  });
  for (const words of [["Token/a"], ["web", "replicas", "--manifests"]]) {
    const { messages, text } = await ran(folder, "explain", ...words);
    expect(messages + text).not.toContain("canary.example");
  }
});

test("what may be otherwise in the cluster is named: layers that it binds, patches over the chart", async () => {
  const release = (secret["web.yaml"] ?? "")
    .replace("name: creds}]", "name: other}]")
    .replace("  values: {", "  postRenderStrategy: nohooks\n  postRenderers: [{kustomize: {}}]\n  values: {");
  const { messages } = await ran(checkout({ "web.yaml": release }), "explain", "Deployment/web", "web.yaml");
  expect(messages).toContain("`HelmRelease/web/web` is rendered without the values of `Secret/web/other`");
  expect(messages.replaceAll(/\s+/g, " ")).toContain("spec.postRenderers may change that");
});

test("verify reports the charts that it does not look at, as one takes too much before them", async () => {
  const { "web.yaml": web = "" } = chart;
  const folder = checkout({
    "one/aaa.yaml": application("aaa", "charts/slow", "{values: 'misspelt: 1'}"),
    "one/web.yaml": web,
    "two/bbb.yaml": application("bbb", "charts/slow", "{values: 'other: 1'}"),
    "two/ccc.yaml": application("ccc", "charts/named", "{values: 'other: 1'}"),
    "charts/named/Chart.yaml": "apiVersion: v2\nname: named\nversion: 1.0.0\n",
    "charts/named/templates/name.yaml": '{{ required "a name is wanted" .Values.name }}\n',
    "charts/slow/Chart.yaml": "apiVersion: v2\nname: slow\nversion: 1.0.0\n",
    "charts/slow/templates/slow.yaml": "{{ range until 1000000000 }}{{ end }}\n",
  });
  const words = ["one", "two", "--repo", "https://git.example/team/deploy.git=."];
  const { messages, status } = await ran(folder, "verify", "--strict", "-o", "text", ...words);
  const line = messages.replaceAll(/\s+/g, " ");
  expect(line.match(/error\[not-built\]: the charts of .*? of rendering/g)).toEqual([
    "error[not-built]: the charts of 1 target are not checked: an earlier one exceeds the limits of rendering",
  ]);
  // In the second build the slow chart is not tried again, and the other is checked.
  expect(messages).toContain("a name is wanted");
  expect(status).toBe(1);
});
