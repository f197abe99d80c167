// What a build takes from a Secret may be in any field of any object. No command prints it, whatever the field is for.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const canary = "c4n4ry";

/** An object of each kind that is read, and the fields that a build takes from a Secret, one at a time. */
const objects: Readonly<Record<string, { readonly text: string; readonly fields: readonly string[] }>> = {
  Application: {
    text: `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  project: a
  destination: {namespace: shop}
  source: {repoURL: "https://git.example/a", path: charts/shop, targetRevision: "1.0.0", helm: {releaseName: a, valueFiles: [a.yaml], valuesObject: {a: b}}}
`,
    fields: [
      "spec.project",
      "spec.destination.namespace",
      "spec.source.repoURL",
      "spec.source.path",
      "spec.source.targetRevision",
      "spec.source.helm.releaseName",
      "spec.source.helm.valueFiles.0",
      "spec.source.helm.valuesObject.a",
    ],
  },
  "Application of sources": {
    text: `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  destination: {namespace: shop}
  sources: [{repoURL: "https://git.example/a", chart: shop, targetRevision: "1.0.0", helm: {values: "a: 1"}}, {repoURL: "https://git.example/b", ref: more}]
`,
    fields: [
      "spec.sources.0.repoURL",
      "spec.sources.0.chart",
      "spec.sources.0.targetRevision",
      "spec.sources.0.helm.values",
      "spec.sources.1.repoURL",
      "spec.sources.1.ref",
    ],
  },
  ApplicationSet: {
    text: `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all, namespace: argocd}
spec:
  generators: [{git: {repoURL: "https://git.example/a", files: [{path: "*.json"}]}}, {list: {elements: [{name: n1}]}}]
  template:
    metadata: {name: "app-{{name}}"}
    spec: {source: {repoURL: "https://git.example/{{name}}", path: x, helm: {valuesObject: {a: b}}}}
`,
    fields: [
      "spec.generators.0.git.repoURL",
      "spec.generators.0.git.files.0.path",
      "spec.generators.1.list.elements.0.name",
      "spec.template.metadata.name",
      "spec.template.spec.source.repoURL",
      "spec.template.spec.source.helm.valuesObject.a",
    ],
  },
  HelmChart: {
    text: `apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: {name: redis, namespace: kube-system}
spec: {chart: redis, repo: "https://charts.example", version: "1.0.0", targetNamespace: a, set: {a: "1"}, values: {b: c}}
`,
    fields: [
      "spec.chart",
      "spec.repo",
      "spec.version",
      "spec.targetNamespace",
      "spec.set.a",
      "spec.values.b",
    ],
  },
  HelmRelease: {
    text: `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: flux-system, annotations: {valuefold.dev/into: a}}
spec:
  releaseName: web
  targetNamespace: web
  chart: {spec: {chart: web, version: "1.0.0", sourceRef: {kind: HelmRepository, name: charts}}}
  valuesFrom: [{kind: ConfigMap, name: web, valuesKey: a.yaml}]
  values: {a: b}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: charts, namespace: flux-system}
spec: {url: "https://charts.example"}
`,
    fields: [
      "metadata.annotations.[valuefold.dev/into]",
      "spec.releaseName",
      "spec.targetNamespace",
      "spec.chart.spec.chart",
      "spec.chart.spec.version",
      "spec.chart.spec.sourceRef.name",
      "spec.valuesFrom.0.kind",
      "spec.valuesFrom.0.name",
      "spec.valuesFrom.0.valuesKey",
      "spec.values.a",
    ],
  },
  Kustomization: {
    text: `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {path: ./apps, targetNamespace: apps, sourceRef: {kind: GitRepository, name: repo}, postBuild: {substitute: {a: b}}}
`,
    fields: [
      "spec.path",
      "spec.targetNamespace",
      "spec.sourceRef.kind",
      "spec.sourceRef.name",
      "spec.postBuild.substitute.a",
    ],
  },
  "HelmRelease of an instance": {
    text: `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: flux, namespace: flux-system}
spec:
  chartRef: {kind: OCIRepository, name: flux-instance}
  values: {instance: {sync: {kind: GitRepository, name: a, url: "https://git.example/a", path: apps}}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: gone, namespace: flux-system}
spec: {path: ./gone, sourceRef: {kind: GitRepository, name: a}}
`,
    fields: [
      "spec.chartRef.name",
      "spec.values.instance.sync.kind",
      "spec.values.instance.sync.name",
      "spec.values.instance.sync.url",
      "spec.values.instance.sync.path",
    ],
  },
  GitRepository: {
    text: `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: repo, namespace: flux-system}
spec: {url: "https://git.example/a"}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {path: ./apps, sourceRef: {kind: GitRepository, name: repo}}
`,
    fields: ["spec.url"],
  },
};

function checkoutWith(text: string, kind: string, field: string): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-taken-"));
  folders.push(folder);
  const replacement = {
    source: { kind: "Secret", name: "s", fieldPath: "stringData.word" },
    targets: [{ select: { kind }, fieldPaths: [field] }],
  };
  const files = {
    "object.yaml": text,
    "secret.yaml": `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {word: ${canary}}\n`,
    "kustomization.yaml": JSON.stringify({
      resources: ["object.yaml", "secret.yaml"],
      replacements: [replacement],
    }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  execFileSync("git", ["-C", folder, "init", "-q"]);
  return folder;
}

const cases = Object.entries(objects).flatMap(([name, { text, fields }]) =>
  fields.map((field) => ({ name, kind: name.split(" ")[0] ?? "", text, field })),
);

test.for(cases)("$name $field", async ({ kind, text, field }) => {
  const directory = checkoutWith(text, kind, field);
  for (const words of [["explain"], ["explain", ".", "--json"], ["verify", ".", "--strict"], ["doctor"]]) {
    const { output, messages } = await runCommand(words, worldOf("", { directory }));
    const printed = Buffer.concat(output).toString("utf8") + messages;
    expect(printed).not.toContain("kustomize cannot build");
    expect(printed).not.toMatch(/c4n4ry|YzRuNHJ5/);
  }
});

const source = new URL("../../src/sources/", import.meta.url);

/** The operations that give what a Secret set, and the files that use them: these guard what they make of it. */
const users: { readonly [operation: string]: readonly string[] } = {
  opened: [
    "argo/generator-scene.ts",
    "argo/generators.ts",
    "argo/kustomize-source.ts",
    "argo/parameters.ts",
    "argo/sets.ts",
    "argo/template.ts",
    "flux/post-renderers.ts",
    "helm/helm-charts.ts",
    "helm/inline-values.ts",
  ],
  plainIn: [
    "argo/applications.ts",
    "argo/kustomize-source.ts",
    "argo/parameters-of-sets.ts",
    "flux/post-renderers.ts",
  ],
  valuesIn: ["helm/inline-values.ts", "helm/value-tree.ts"],
  spelledIn: ["helm/over-chart.ts"],
};

test.for(Object.entries(users))("%s is used where it is meant to be", ([operation, files]) => {
  const asks = new RegExp(`import \\{[^}]*\\b${operation}\\b[^}]*\\} from "\\.\\./placed\\.ts"`);
  const found = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && asks.test(readFileSync(new URL(file, source), "utf8")))
    .toSorted();
  expect(found).toEqual(files);
});
