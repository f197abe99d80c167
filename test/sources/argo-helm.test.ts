// The Helm of Argo CD: that of the version in the checkout, else 4; said once, where an answer depends on it.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";

type Files = Readonly<Record<string, string>>;

const url = "https://git.example/org/deploy.git";

/** A null of the chart takes the subchart's value away in Helm 3, and nothing in Helm 4. */
function checkout(values: string, defaults = "db: {port: null}\nreplicas: 1\n"): Files {
  const apps = ["one", "two"].map(
    (name) =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec:\n  source: {repoURL: ${url}, path: chart, helm: {version: v3, valuesObject: ${values}}}\n`,
  );
  return {
    ".git/config": `[remote "origin"]\n  url = ${url}\n`,
    "chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
    "chart/values.yaml": defaults,
    "chart/charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.0.0\n",
    "chart/charts/db/values.yaml": "port: 5432\n",
    "apps/apps.yaml": apps.join("---\n"),
  };
}

interface Ran {
  readonly text: string;
  readonly messages: string;
  readonly exitCode: number;
}

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

async function ranIn(directory: string, words: readonly string[]): Promise<Ran> {
  const { PATH } = process.env;
  const { output, messages, exitCode } = await runCommand(words, worldOf("", { directory, env: { PATH } }));
  return { text: Buffer.concat(output).toString("utf8"), messages, exitCode };
}

async function ran(files: Files, ...words: readonly string[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-argo-helm-"));
  write(folder, files);
  return ranIn(folder, words);
}

const differing = checkout("{replicas: 2}");
const deployment = (image: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: argocd-server}\nspec:\n  template:\n    spec:\n      containers: [{name: server, image: '${image}'}]\n`;
const application = (version: string): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: argocd}\nspec:\n  source: {repoURL: https://charts.example, chart: argo-cd, targetRevision: ${version}}\n`;

test.for([
  ["nothing", {}, 4],
  ["an image", { "argocd/server.yaml": deployment("quay.io/argoproj/argocd:v3.4.5") }, 3],
  ["a later image", { "argocd/server.yaml": deployment("quay.io/argoproj/argocd:v3.5.0") }, 4],
  ["an image of version 10", { "argocd/server.yaml": deployment("quay.io/argoproj/argocd:v10.0.1") }, 4],
  ["an image without a version", { "argocd/server.yaml": deployment("quay.io/argoproj/argocd:latest") }, 4],
  [
    "a kustomization's image",
    { "argocd/kustomization.yaml": "images:\n  - {name: quay.io/argoproj/argocd, newTag: v2.14.3}\n" },
    3,
  ],
  [
    "another registry's image",
    {
      "argocd/kustomization.yaml":
        "images:\n  - name: quay.io/argoproj/argocd\n    newName: mirror.example/argoproj/argocd\n    newTag: v3.4.1\n",
    },
    3,
  ],
  [
    "manifests by URL",
    {
      "argocd/kustomization.yaml":
        "resources:\n  - https://raw.githubusercontent.com/argoproj/argo-cd/v3.3.2/manifests/install.yaml\n",
    },
    3,
  ],
  [
    "a remote base",
    {
      "argocd/kustomization.yaml":
        "resources:\n  - github.com/argoproj/argo-cd//manifests/cluster-install?ref=v3.4.0\n",
    },
    3,
  ],
  ["a chart", { "argocd/app.yaml": application("9.4.10") }, 3],
  ["a chart of the same major version", { "argocd/app.yaml": application("10.2.1") }, 3],
  ["a later chart", { "argocd/app.yaml": application("10.3.3") }, 4],
  ["charts of a range", { "argocd/app.yaml": application("9.x") }, 3],
  ["charts of a range with later ones", { "argocd/app.yaml": application("^10.2.0") }, 4],
  [
    "a chart, and an image without a version",
    {
      "argocd/app.yaml": application("9.4.10"),
      "argocd/values.yaml": "global: {image: {repository: quay.io/argoproj/argocd, tag: latest}}\n",
    },
    3,
  ],
  ["a chart of any version", { "argocd/app.yaml": application("'*'") }, 4],
  [
    "a dependency",
    {
      "argocd/Chart.yaml":
        "apiVersion: v2\nname: argocd\nversion: 0.1.0\ndependencies:\n  - {name: argo-cd, version: 9.1.0, repository: 'https://charts.example'}\n",
    },
    3,
  ],
  [
    "another chart of that name",
    { "argocd/Chart.yaml": "apiVersion: v2\nname: argo-cd\nversion: 0.1.0\nappVersion: 1.16.0\n" },
    4,
  ],
  [
    "a later chart with an image of its own",
    {
      "argocd/app.yaml": application("10.3.3"),
      "argocd/values.yaml": "global: {image: {repository: quay.io/argoproj/argocd, tag: v3.4.5}}\n",
    },
    3,
  ],
  [
    "two versions",
    {
      "eu/server.yaml": deployment("quay.io/argoproj/argocd:v3.4.5"),
      "us/server.yaml": deployment("quay.io/argoproj/argocd:v3.5.1"),
    },
    4,
  ],
] as const)("with %s in the checkout", async ([, files, version]) => {
  const all = { ...differing, ...files };
  const { text, messages } = await ran(all, "values", "one", "apps");
  expect(text.includes("5432")).toBe(version === 4);
  expect(messages).toContain(`values are read as Helm ${version} does`);
  for (const named of [3, 4]) {
    const own = await ran(all, "values", "one", "apps", "--helm", String(named));
    expect(own.text.includes("5432")).toBe(named === 4);
    expect(own.messages).toBe("");
  }
});

test("it is said once for all Applications, with the place", async () => {
  const files = { ...differing, "argocd/server.yaml": deployment("quay.io/argoproj/argocd:v3.4.5") };
  const { messages } = await ran(files, "explain", "apps");
  expect(messages.match(/are read as Helm/g)).toHaveLength(1);
  expect(messages).toMatch(
    /info\[not-built\]: values are read as Helm 3 does: here is Argo CD v3.4.5\n +at +argocd\/server.yaml\n/,
  );
});

test("it is said once for all directories", async () => {
  const more = (differing["apps/apps.yaml"] ?? "").replaceAll(/one|two/g, (each) => `more-${each}`);
  const { messages } = await ran({ ...differing, "more/apps.yaml": more }, "verify", ".");
  expect(messages.match(/are read as Helm/g)).toHaveLength(1);
});

test.for([
  ["no null", "{replicas: 2}", "replicas: 1\n"],
  ["a null of the user", "{replicas: null}", "replicas: 1\n"],
  ["a null that nothing is below", "{replicas: 2}", "replicas: 1\nnodeSelector:\n"],
] as const)("nothing is said where both Helms come to the same values: %s", async ([, values, defaults]) => {
  const { text, messages } = await ran(checkout(values, defaults), "values", "one", "apps");
  expect(text).not.toBe("");
  expect(messages).toBe("");
});

const before = { "argocd/server.yaml": deployment("quay.io/argoproj/argocd:v3.4.5") };

test.for([
  ["another Helm", { "argocd/server.yaml": deployment("quay.io/argoproj/argocd:v3.5.0") }, [], 1],
  ["the same Helm", { "argocd/server.yaml": deployment("quay.io/argoproj/argocd:v3.4.6") }, [], 0],
  ["no Argo CD any more", { "argocd/server.yaml": "" }, [], 1],
  ["an older one beside it", { "us/server.yaml": deployment("quay.io/argoproj/argocd:v3.3.0") }, [], 0],
  ["a later one beside it", { "us/server.yaml": deployment("quay.io/argoproj/argocd:v3.5.0") }, [], 1],
  [
    "a Helm that is named",
    { "argocd/server.yaml": deployment("quay.io/argoproj/argocd:v3.5.0") },
    ["--helm", "3"],
    0,
  ],
] as const)(
  "diff reads all Applications where Argo CD gets another Helm: %s",
  async ([, after, more, status]) => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-argo-helm-"));
    const git = (...args: readonly string[]): void => void execFileSync("git", ["-C", folder, ...args]);
    git("init", "-q");
    write(folder, { ...differing, ...before });
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "x");
    write(folder, after);
    const { text, exitCode } = await ranIn(folder, ["diff", "--exit-code", "HEAD", ...more]);
    expect([exitCode, text]).toEqual([
      status,
      expect.stringContaining(status === 1 ? "5432, chart/charts/db/values.yaml:1:7" : "no value changes"),
    ]);
  },
);
