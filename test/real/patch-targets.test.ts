// Patches whose target matches nothing: `verify` names them, and is silent where it is not certain. Each case is a tree of
// files, and the places that are named.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";
import { tools } from "./stamps.ts";

type Files = Readonly<Record<string, string>>;

async function verify(files: Files, ...words: string[]): Promise<{ status: number; messages: string }> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-targets-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(join(folder, ".git"));
  const world = worldOf("", {
    directory: folder,
    env: { PATH: tools },
    terminal: { stdin: true, stdout: false },
  });
  const own = words.map((word) => (word in files ? join(folder, word) : word));
  const { exitCode, messages } = await runCommand(["verify", ...own], world);
  return { status: exitCode, messages };
}

/** The places that the lint names. */
function placesIn(messages: string): readonly string[] {
  const entries = messages.split(/\n(?=\w)/).filter((entry) => entry.includes("[patch-without-target]"));
  return entries.flatMap((entry) => [...entry.matchAll(/^ {2}at {4}(.*)$/gm)].map(([, place = ""]) => place));
}

const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: apps, labels: {tier: web}, annotations: {team: a}}
spec: {values: {replicas: 1}}
`;

/** A kustomization of a release and a generated ConfigMap, with one patch of a target. */
function patched(target: string, more = ""): Files {
  return {
    "kustomization.yaml": `resources: [release.yaml]
configMapGenerator: [{name: made, literals: [a=b]}]
patches:
  - target: ${target}
    patch: '{apiVersion: v1, kind: Any, metadata: {name: any, labels: {x: "y"}}}'
${more}`,
    "release.yaml": release,
  };
}

test.each([
  "{kind: HelmRelease, name: shopp}",
  "{kind: HelmRelese}",
  "{kind: HelmRelease, namespace: other}",
  "{group: apps, kind: HelmRelease}",
  "{version: v1, kind: HelmRelease}",
  '{name: "sho|hop"}',
  "{kind: HelmRelease, labelSelector: tier=db}",
  "{kind: HelmRelease, annotationSelector: team=b}",
  "{kind: ConfigMap, name: made, namespace: apps}",
])("nothing matches %s", async (target) => {
  const { status, messages } = await verify(patched(target));
  expect(placesIn(messages)).toEqual([expect.stringMatching(/^kustomization.yaml:4:\d+$/)]);
  expect(status).toBe(0);
});

test.each([
  "{kind: HelmRelease, name: shop}",
  '{kind: Helm.*, name: "sh.p"}',
  "{labelSelector: tier in (web)}",
  "{annotationSelector: team=a}",
  "{kind: ConfigMap, name: made}",
  "{group: helm.toolkit.fluxcd.io, version: v2, kind: HelmRelease, namespace: apps}",
])("something matches %s", async (target) => {
  const { messages } = await verify(patched(target));
  expect(placesIn(messages)).toEqual([]);
});

test("the message names the target, its place and the near name", async () => {
  const { messages } = await verify(patched("{kind: HelmRelease, name: shopp}"));
  expect(messages)
    .toBe(`warning[patch-without-target]: nothing matches the target of this patch: \`HelmRelease/shopp\`
  at    kustomization.yaml:4:39
  why   kustomize ignores such a patch silently
  hint  did you mean \`shop\`?
checked 1 target in 1 build; 1 warning
`);
});

test("patches of any form, in any kustomization, are named together", async () => {
  const files = {
    "kustomization.yaml": `resources: [base]
namePrefix: my-
patches:
  - path: one.yaml
    target: {kind: HelmRelease, name: my-shop}
  - path: one.yaml
    target: {kind: HelmRelease, name: shop}
patchesJson6902:
  - target: {group: helm.toolkit.fluxcd.io, version: v2, kind: HelmRelease, name: gone}
    patch: '- {op: remove, path: /spec/values/replicas}'
`,
    "one.yaml": "apiVersion: v1\nkind: Any\nmetadata: {name: any}\nspec: {values: {replicas: 2}}\n",
    "base/kustomization.yaml": `resources: [../release.yaml]
patches:
  - patch: '{apiVersion: v1, kind: Any, metadata: {name: any}, spec: {values: {a: 1}}}'
    target:
      kind: HelmRelease
      name: none
`,
    "release.yaml": release,
  };
  // kustomize does not read files above a base.
  const { "release.yaml": own, ...rest } = files;
  const base = rest["base/kustomization.yaml"].replace("../release.yaml", "release.yaml");
  const { messages } = await verify({ ...rest, "base/kustomization.yaml": base, "base/release.yaml": own });
  expect(placesIn(messages).toSorted()).toEqual([
    "base/kustomization.yaml:6:13",
    "kustomization.yaml:5:39",
    "kustomization.yaml:9:83",
  ]);
});

test.each<[string, Files]>([
  [
    "what a patch deletes",
    patched(
      "{kind: HelmRelease, name: shop}",
      "  - target: {kind: HelmRelease}\n    patch: '{$patch: delete, apiVersion: v1, kind: Any, metadata: {name: any}}'\n",
    ),
  ],
  [
    "what a generator of an overlay replaces",
    {
      "kustomization.yaml":
        "resources: [base]\nconfigMapGenerator: [{name: made, behavior: replace, literals: [a=c]}]\npatches: [{target: {kind: ConfigMap}, patch: '{$patch: delete, apiVersion: v1, kind: Any, metadata: {name: any}}'}]\n",
      "base/kustomization.yaml": patched("{kind: ConfigMap, name: made}")["kustomization.yaml"] ?? "",
      "base/release.yaml": release,
    },
  ],
  [
    "what loses its annotations",
    patched(
      "{kind: HelmRelease, name: shop}",
      "  - target: {kind: HelmRelease}\n    patch: '- {op: replace, path: /metadata/annotations, value: {}}'\n",
    ),
  ],
  [
    "what is no part of the output",
    {
      ...patched("{kind: HelmRelease, name: shop}"),
      "release.yaml": release.replace("team: a", 'config.kubernetes.io/local-config: "true"'),
    },
  ],
  ["what may be in a base that is not fetched", remote("https://example.org/base.yaml")],
  [
    "what a chart may make",
    { ...patched("{kind: Deployment}", "helmCharts: [{name: shop, repo: 'https://example.org'}]\n") },
  ],
  [
    "what a generator may make",
    {
      ...patched("{kind: Deployment}", "generators: [made.yaml]\n"),
      "made.yaml": `apiVersion: example.org/v1
kind: Maker
metadata:
  name: maker
  annotations: {config.kubernetes.io/function: "exec: {path: maker}"}
`,
    },
  ],
  [
    "a component that is read by itself",
    {
      "kustomization.yaml":
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{target: {kind: HelmRelease}, patch: '- {op: remove, path: /spec/values}'}]\n",
    },
  ],
])("silent about %s", async (_, files) => {
  const { messages } = await verify(files, ".");
  expect(placesIn(messages)).toEqual([]);
});

const gone =
  "$patch: delete\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: apps}\n";

test.each<[string, Files]>([
  [
    "a patch without a target",
    {
      ...patched("{kind: HelmRelease, name: shop}", "patchesStrategicMerge: [gone.yaml]\n"),
      "gone.yaml": gone,
    },
  ],
  [
    "a patch with one",
    {
      ...patched("{kind: HelmRelease, name: shop}"),
      "kustomization.yaml": `resources: [release.yaml]
patches:
  - target: {kind: HelmRelease}
    patch: '{$patch: delete, apiVersion: v1, kind: Any, metadata: {name: any}}'
  - target: {kind: HelmRelease, name: shop}
    patch: '- {op: add, path: /metadata/labels/x, value: "y"}'
`,
    },
  ],
])("what %s deletes before is there no more", async (_, files) => {
  const { messages } = await verify(files, ".");
  expect(placesIn(messages)).toHaveLength(1);
  expect(messages).toMatch(/or a patch deletes it\s+before/);
});

function remote(url: string): Files {
  const files = patched("{kind: Deployment}");
  return {
    ...files,
    "kustomization.yaml": (files["kustomization.yaml"] ?? "").replace(
      "[release.yaml]",
      `[release.yaml, '${url}']`,
    ),
  };
}

/** A component that two overlays have, of which one has what it patches. */
const shared = {
  "ha/kustomization.yaml": `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
  - target: {kind: HelmRelease, name: shop}
    patch: '- {op: add, path: /spec/values/replicas, value: 3}'
`,
  "one/kustomization.yaml": "resources: [release.yaml]\ncomponents: [../ha]\n",
  "one/release.yaml": release,
  "two/kustomization.yaml": "resources: [release.yaml]\ncomponents: [../ha]\n",
  "two/release.yaml": release.replace("name: shop", "name: other"),
};

test("a patch that several builds have is idle if it is in all of them", async () => {
  expect(placesIn((await verify(shared)).messages)).toEqual([]);
  const misspelt = { ...shared, "one/release.yaml": release.replace("name: shop", "name: shops") };
  expect(placesIn((await verify(misspelt)).messages)).toEqual(["ha/kustomization.yaml:4:39"]);
});

test("the settings of a verification say how grave it is", async () => {
  const lints = (level: string): string =>
    `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: own}\nspec: {verify: {lints: {patch-without-target: "${level}"}}}\n`;
  const files = patched("{kind: HelmRelease, name: shopp}");
  for (const [level, status, count] of [
    ["off", 0, 0],
    ["error", 1, 1],
  ] as const) {
    const { status: own, messages } = await verify(
      { ...files, "config.yml": lints(level) },
      "-c",
      "config.yml",
      ".",
    );
    expect([own, placesIn(messages).length]).toEqual([status, count]);
  }
});

/** A cluster of Flux in which a Kustomization patches what it builds. */
function cluster(target: string): Files {
  return {
    "cluster/apps.yaml": `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  patches:
    - patch: |
        apiVersion: helm.toolkit.fluxcd.io/v2
        kind: HelmRelease
        metadata: {name: any}
        spec: {values: {replicas: 2}}
      target:
        kind: HelmRelease
        name: ${target}
`,
    "apps/release.yaml": release,
  };
}

test("patches of a Kustomization of Flux have targets, too", async () => {
  expect(placesIn((await verify(cluster("shop"), "cluster")).messages)).toEqual([]);
  const { messages } = await verify(cluster("shpo"), "cluster");
  expect(placesIn(messages)).toEqual(["cluster/apps.yaml:15"]);
  expect(messages).toContain("did you mean `shop`?");
});

test("patches of an Application have targets, too", async () => {
  const application = (name: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop}
spec:
  source:
    repoURL: https://example.org/repo.git
    path: apps
    kustomize:
      patches:
        - target: {kind: Application, name: ${name}}
          patch: '- {op: add, path: /metadata/labels, value: {a: b}}'
`;
  const inner = (application("none").split("    kustomize")[0] ?? "")
    .replace("name: shop", "name: inner")
    .replace("path: apps", "path: none");
  const files = (name: string): Files => ({
    "argo/shop.yaml": application(name),
    "apps/kustomization.yaml": "resources: [inner.yaml]\n",
    "apps/inner.yaml": inner,
  });
  expect(placesIn((await verify(files("inner"), "argo")).messages)).toEqual([]);
  expect(placesIn((await verify(files("iner"), "argo")).messages)).toEqual(["argo/shop.yaml:10:45"]);
});
