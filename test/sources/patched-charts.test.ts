// Objects that a chart makes and a kustomization changes: post-renderers of Flux, patches beside `helmCharts`, and Fleet.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import type { Difference } from "../../src/difference.ts";
import type { Explanation, ManifestField } from "../../src/explanation.ts";
import { folderOf } from "../support/folder.ts";
import { worldOf } from "../support/world.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

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

async function fieldsOf(folder: string, ...words: readonly string[]): Promise<readonly string[]> {
  const { text, messages } = await ran(folder, "explain", ...words, "-o", "json");
  if (text === "") throw new Error(messages);
  const { manifests = [] } = JSON.parse(text) as Explanation;
  return manifests.flatMap(({ fields }) => fields.map(shown));
}

function shown({ path, text = "(hidden)", at, by, removed, over }: ManifestField): string {
  const place = at?.line === undefined ? at?.file : `${at.file}:${at.line}`;
  const below = over && ` over ${over.text}`;
  return `${path.join(".")}: ${removed === true ? "(removed)" : text} ${by ?? "chart"} ${place}${below ?? ""}`;
}

const chart: Files = {
  "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
  "charts/web/values.yaml": 'replicas: 1\ntag: "1"\npassword: none\n',
  "charts/web/templates/web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: {{ .Values.replicas }}
  paused: true
  minReadySeconds: 4
  template:
    spec:
      containers:
        - name: web
          image: reg/web:{{ .Values.tag }}
          args: ["--password={{ .Values.password }}"]
      volumes: []
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: gone}
`,
};

const release = (spec: string): string => `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: deploy, namespace: flux-system}
spec: {url: https://git.example/team/deploy.git}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: apps}
spec:
  chart: {spec: {chart: charts/web, sourceRef: {kind: GitRepository, name: deploy, namespace: flux-system}}}
${spec}`;

const renderers = `  values: {replicas: 3}
  commonMetadata: {labels: {team: blue}}
  postRenderers:
    - kustomize:
        patches:
          - patch: |
              apiVersion: apps/v1
              kind: Deployment
              metadata: {name: web}
              spec:
                replicas: 5
                paused: null
                template:
                  spec:
                    containers:
                      - name: side
                        image: side:1
          - target: {kind: Deployment}
            patch: |
              - op: remove
                path: /spec/minReadySeconds
              - op: add
                path: /spec/template/spec/containers/0/command
                value:
                  - run
        images:
          - {name: reg/web, newTag: "9"}
    - kustomize:
        patches:
          - target: {kind: StatefulSet}
            patch: |
              $patch: delete
              apiVersion: apps/v1
              kind: StatefulSet
              metadata: {name: any}
`;

const here = ["--repo", "https://git.example/team/deploy.git=."];

test("a field that a post-renderer sets has the line of the patch, over the line of the template", async () => {
  const folder = checkout({ "release.yaml": release(renderers) });
  const { text } = await ran(folder, "explain", "Deployment/web", "spec.replicas", ".", ...here);
  expect(text).toBe(
    [
      "Deployment/web  HelmRelease/apps/web, charts/web/templates/web.yaml",
      "spec.replicas: 5  release.yaml:21:27               patch",
      "  over 3          charts/web/templates/web.yaml:6  {{ .Values.replicas }}",
      "",
    ].join("\n"),
  );
});

test("what patches leave, set and remove, and what images and common metadata change", async () => {
  const folder = checkout({ "release.yaml": release(renderers) });
  expect(await fieldsOf(folder, "Deployment/web", ".", ...here)).toEqual([
    "apiVersion: apps/v1 chart charts/web/templates/web.yaml:1",
    "kind: Deployment chart charts/web/templates/web.yaml:2",
    "metadata.labels.team: blue kustomization release.yaml:12",
    "metadata.name: web chart charts/web/templates/web.yaml:4",
    "spec.replicas: 5 patch release.yaml:21 over 3",
    "spec.template.spec.containers.[0].command.[0]: run patch release.yaml:35",
    "spec.template.spec.containers.[0].image: side:1 patch release.yaml:27",
    "spec.template.spec.containers.[0].name: side patch release.yaml:26",
    'spec.template.spec.containers.[1].args.[0]: "--password=none" chart charts/web/templates/web.yaml:14',
    'spec.template.spec.containers.[1].image: reg/web:9 kustomization release.yaml:37 over "reg/web:1"',
    "spec.template.spec.containers.[1].name: web chart charts/web/templates/web.yaml:12",
    "spec.template.spec.volumes: [] chart charts/web/templates/web.yaml:15",
    "spec.paused: (removed) patch release.yaml:22 over true",
    "spec.minReadySeconds: (removed) patch release.yaml:30 over 4",
  ]);
});

test("an object that a patch deletes is said to be removed, and where", async () => {
  const folder = checkout({ "release.yaml": release(renderers) });
  const { messages, status } = await ran(folder, "explain", "StatefulSet/gone", ".", ...here);
  expect(messages.replaceAll(/\s+/g, " ")).toContain(
    "error[no-target]: a patch removes `StatefulSet/gone` from what its chart makes",
  );
  expect(messages).toContain("release.yaml:42");
  expect(status).toBe(1);
});

test("an object for an API that nothing names: the API is named below patches, too", async () => {
  const monitor =
    '{{ if .Capabilities.APIVersions.Has "a.example/v1" }}\nkind: Monitor\nmetadata: {name: a}\n{{ end }}\n';
  const folder = checkout({
    "release.yaml": release(renderers),
    "charts/web/templates/monitor.yaml": monitor,
  });
  const { messages, status } = await ran(folder, "explain", "Monitor/a", ".", ...here);
  expect(messages.replaceAll(/\s+/g, " ")).toContain("is rendered without 1 API: a.example/v1");
  expect(status).toBe(1);
});

test("a release that kustomize built: a patch there has its line in the file of its own patch", async () => {
  const folder = checkout({
    "base/kustomization.yaml": "resources: [release.yaml]\n",
    "base/release.yaml": release("  values: {replicas: 3}\n"),
    "over/kustomization.yaml": "resources: [../base]\npatches: [{path: more.yaml}]\n",
    "over/more.yaml": `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: apps}
spec:
  postRenderers:
    - kustomize:
        patches:
          - patch: |
              apiVersion: apps/v1
              kind: Deployment
              metadata: {name: web}
              spec: {replicas: 7}
`,
  });
  expect(await fieldsOf(folder, "Deployment/web", "spec.replicas", "over", ...here)).toEqual([
    "spec.replicas: 7 patch over/more.yaml:12 over 3",
  ]);
});

const beside: Files = {
  "base/kustomization.yaml": `namePrefix: p-
helmGlobals: {chartHome: ../charts}
helmCharts:
  - {name: web, releaseName: web, valuesInline: {replicas: 4}}
labels:
  - pairs:
      tier: front
patches:
  - path: patch.yaml
`,
  "base/patch.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      volumes: [{name: tmp, emptyDir: {}}]
`,
  "over/kustomization.yaml": `resources: [../base, own.yaml]
namespace: prod
commonAnnotations: {note: x}
images: [{name: reg/web, newName: other/web}]
replicas: [{name: web, count: 7}]
replacements:
  - source: {kind: ConfigMap, name: own, fieldPath: data.word}
    targets:
      - select: {kind: Deployment}
        fieldPaths: [spec.template.spec.containers.0.args.0]
`,
  "over/own.yaml": 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\ndata: {word: "yes"}\n',
};

test("patches beside a chart of a kustomization, and what an overlay changes, have their lines", async () => {
  const folder = checkout(beside);
  expect(await fieldsOf(folder, "Deployment/p-web", "over")).toEqual([
    "apiVersion: apps/v1 chart charts/web/templates/web.yaml:1",
    "kind: Deployment chart charts/web/templates/web.yaml:2",
    "metadata.annotations.note: x kustomization over/kustomization.yaml:3",
    "metadata.labels.tier: front kustomization base/kustomization.yaml:7",
    "metadata.name: p-web kustomization base/kustomization.yaml:1 over web",
    "spec.minReadySeconds: 4 chart charts/web/templates/web.yaml:8",
    "spec.paused: true chart charts/web/templates/web.yaml:7",
    "spec.replicas: 7 kustomization over/kustomization.yaml:5 over 4",
    "spec.template.metadata.annotations.note: x kustomization over/kustomization.yaml:3",
    'spec.template.spec.containers.[0].args.[0]: "yes" kustomization over/kustomization.yaml:7 over "--password=none"',
    'spec.template.spec.containers.[0].image: other/web:1 kustomization over/kustomization.yaml:4 over "reg/web:1"',
    "spec.template.spec.containers.[0].name: web chart charts/web/templates/web.yaml:12",
    "spec.template.spec.volumes.[0].emptyDir: {} patch base/patch.yaml:7",
    "spec.template.spec.volumes.[0].name: tmp patch base/patch.yaml:7",
  ]);
});

test("the kustomization of Fleet over a chart", async () => {
  const folder = checkout({
    "bundle/fleet.yaml": "helm: {chart: ../charts/web, values: {replicas: 2}}\nkustomize: {dir: over}\n",
    "bundle/over/kustomization.yaml": "patches:\n  - path: patch.yaml\n",
    "bundle/over/patch.yaml":
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 8\n",
  });
  const words = ["Deployment/web", "spec.replicas", "bundle/fleet.yaml"];
  expect(await fieldsOf(folder, ...words)).toEqual([
    "spec.replicas: 8 patch bundle/over/patch.yaml:5 over 2",
  ]);
});

test("the chart of a kustomization is named as missing only where it is not here", async () => {
  const folder = checkout(beside);
  expect((await ran(folder, "explain", "over")).messages).not.toContain("missing");
  rmSync(join(folder, "charts"), { recursive: true });
  expect((await ran(folder, "explain", "over")).messages).toContain(
    "the chart `web` is not here: what it makes is missing",
  );
});

test("with a value of a Secret nothing is shown that no patch is proven to set", async () => {
  const sealed = `  valuesFrom: [{kind: Secret, name: creds}]
  postRenderers:
    - kustomize:
        images: [{name: reg/web, newTag: "9"}]
        patches:
          - target: {kind: Deployment}
            patch: |
              - op: move
                from: /spec/template/spec/containers/0/args
                path: /spec/template/spec/containers/0/command
              - {op: replace, path: /spec/replicas, value: 6}
`;
  const creds = `---
apiVersion: v1
kind: Secret
metadata: {name: creds, namespace: apps}
stringData: {values.yaml: "password: hunter2"}
`;
  const folder = checkout({ "release.yaml": `${release(sealed)}${creds}` });
  const all = await fieldsOf(folder, "Deployment/web", ".", ...here);
  expect(all.join("\n")).not.toContain("hunter2");
  expect(all).toContain("spec.replicas: 6 patch release.yaml:21 over 1");
  expect(all).toContain(
    "spec.template.spec.containers.[0].command.[0]: (hidden) chart charts/web/templates/web.yaml:14",
  );
});

test("the answer is a table in Markdown; other values have none", async () => {
  const folder = checkout({ "release.yaml": release(renderers) });
  const words = ["explain", "Deployment/web", "spec.replicas", ".", ...here, "-o", "markdown"];
  const { text } = await ran(folder, ...words);
  expect(text).toBe(
    [
      "**Deployment/web**, HelmRelease/apps/web, charts/web/templates/web.yaml",
      "",
      "| Field | Where | What |",
      "|---|---|---|",
      "| `spec.replicas: 5` | `release.yaml:21:27` | `patch` |",
      "| &nbsp;&nbsp;`over 3` | `charts/web/templates/web.yaml:6` | `{{ .Values.replicas }}` |",
      "",
    ].join("\n"),
  );
  const page = ran(folder, "explain", "Deployment/web", ".", ...here, "-o", "html");
  await expect(page).rejects.toMatchObject({ hint: expect.stringContaining("`-o markdown`") as string });
  await expect(ran(folder, "explain", "web", ".", ...here, "-o", "markdown")).rejects.toThrow(
    "and no values",
  );
});

test("--manifests lists the fields that patches leave to a value, where they are in the end", async () => {
  const folder = checkout({ "release.yaml": release(renderers) });
  const fields = async (path: string): Promise<readonly string[]> => {
    const { text, messages } = await ran(
      folder,
      "explain",
      "web",
      path,
      ".",
      ...here,
      "--manifests",
      "-o",
      "json",
    );
    expect(messages).not.toContain("may change that");
    const { manifests = [] } = JSON.parse(text) as Explanation;
    return manifests.flatMap((each) => each.fields.map(({ path: at }) => `${each.kind} ${at.join(".")}`));
  };
  expect(await fields("replicas")).toEqual([]);
  expect(await fields("password")).toEqual(["Deployment spec.template.spec.containers.[1].args.[0]"]);
});

/** What `diff` lists of objects between two releases, as one text each. */
async function changesBetween(
  old: string,
  now: string,
): Promise<{ readonly changes: readonly string[]; readonly messages: string }> {
  const sides = checkout({ "old/release.yaml": release(old), "new/release.yaml": release(now) });
  const words = ["diff", "old/release.yaml", "new/release.yaml", ...here, "-o", "json"];
  const { text, messages } = await ran(sides, ...words);
  const { manifests = [] } = JSON.parse(text) as Difference;
  const changes = manifests.flatMap(({ kind, name, what, fields }) =>
    fields.length === 0
      ? [`${what} ${kind}/${name}`]
      : fields.map(
          ({ path, from, to, secret }) =>
            `${kind}/${name} ${path.join(".")} ${from} → ${to}${secret ? " (hidden)" : ""}`,
        ),
  );
  return { changes, messages };
}

test("diff compares the objects in the end: a patch hides a value, and an edit of a patch counts", async () => {
  const hidden = await changesBetween(renderers, renderers.replace("replicas: 3", "replicas: 4"));
  expect(hidden).toEqual({ changes: [], messages: "" });
  const edited = renderers.replace("replicas: 5", "replicas: 6").replace("side:1", "side:2");
  expect((await changesBetween(renderers, edited)).changes).toEqual([
    "Deployment/web spec.replicas 5 → 6",
    'Deployment/web spec.template.spec.containers.[0].image "side:1" → "side:2"',
  ]);
  const { changes } = await changesBetween("  values: {replicas: 3}\n", renderers);
  expect(changes).toEqual([
    "Deployment/web spec.replicas 3 → 5",
    "Deployment/web spec.paused true → undefined",
    "Deployment/web spec.minReadySeconds 4 → undefined",
    'Deployment/web spec.template.spec.containers.[1].image "reg/web:1" → "reg/web:9"',
    "Deployment/web metadata.labels.team undefined → blue",
    "Deployment/web spec.template.spec.containers.[0].command.[0] undefined → run",
    'Deployment/web spec.template.spec.containers.[0].image undefined → "side:1"',
    "Deployment/web spec.template.spec.containers.[0].name undefined → side",
    "removed StatefulSet/gone",
  ]);
});

test("diff says where patches are not in what it shows: something of a Secret may be in a name", async () => {
  const secret = (replicas: number): string =>
    `  valuesFrom: [{kind: Secret, name: creds}]\n${renderers.replace("replicas: 3", `replicas: ${replicas}`)}---\napiVersion: v1\nkind: Secret\nmetadata: {name: creds, namespace: apps}\nstringData: {values.yaml: "password: c4n4ry"}\n`;
  const { changes, messages } = await changesBetween(secret(3), secret(4));
  expect(changes).toContain("Deployment/web spec.replicas 3 → 4");
  expect(messages).toContain("is shown without the patches");
  expect(changes.join(" ") + messages).not.toContain("c4n4ry");
});
