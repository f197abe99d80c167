// A Kustomization of Flux replaces variables in the Kustomizations that it builds: in their paths and in their patches.
import { describe, expect, test } from "vitest";
import { Checkout, checkoutUrl } from "../support/git-checkout.ts";

const kustomization = (name: string, path: string, more = ""): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  path: ${path}\n  sourceRef: {kind: GitRepository, name: flux-system}\n${more}`;
const release =
  "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: web}\nspec:\n  chartRef: {kind: OCIRepository, name: web}\n  values: {replicas: 2}\n";
const source = `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\nspec: {url: ${checkoutUrl}}\n---\n`;
const substitute = (variables: string): string => `  postBuild: {substitute: {${variables}}}\n`;

describe("a variable in the path of a Kustomization", () => {
  const cluster = (variables: string): Readonly<Record<string, string>> => ({
    "clusters/a/flux-system/gotk-sync.yaml": source + kustomization("flux-system", "./clusters/a/"),
    "clusters/a/apps.yaml": kustomization("apps", "./apps", variables),
    "apps/web.yaml": kustomization("web", "./web/${STAGE}"),
    "web/prod/release.yaml": release,
    "web/prod/kustomization.yaml": "resources: [release.yaml]\n",
    "docs/old.yaml": release,
  });

  test.for([
    ["its parent sets it", substitute("STAGE: prod")],
    [
      "its parent takes it from the cluster",
      "  postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}\n",
    ],
  ])("%s: what it may build is no entry of its own, and not left over", async ([, variables = ""]) => {
    const list = await new Checkout(cluster(variables)).run("explain");
    expect(list).not.toContain("web/prod  ");
    expect(list).toContain("nothing here builds 1 file: docs/old.yaml");
  });

  test.for([
    ["it has a slash", "./web/${STAGE}/app", "eu/prod", "web/eu/prod/app"],
    ["it is in the default of another one", "./web/${NONE:-${STAGE}}/app", "eu", "web/eu/app"],
  ])(
    "its value is in a ConfigMap, and %s: one build has it",
    async ([, path = "", value = "", folder = ""]) => {
      const checkout = new Checkout({
        ...cluster("  postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}\n"),
        "clusters/a/vars.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vars, namespace: flux-system}\ndata: {STAGE: ${value}}\n`,
        "apps/web.yaml": kustomization("web", path),
        [`${folder}/release.yaml`]: release,
        [`${folder}/kustomization.yaml`]: "resources: [release.yaml]\n",
      });
      checkout.write({ [`${folder}/release.yaml`]: release.replace("replicas: 2", "replicas: 3") });
      const text = await checkout.run("diff", "HEAD", "--exit-code");
      expect(text).toContain(
        `${folder}/release.yaml:6:22  replicas  2 → 3\n  changes  HelmRelease/web/web (clusters/a)\n`,
      );
      expect(text).toContain("1 edit; 1 of 1 target changes");
    },
  );

  test("a text of megabytes in many paths is not filled in", async () => {
    const long = `a: ${"a".repeat(4000)}`;
    const paths = Array.from({ length: 20 }, (_, index) =>
      kustomization(`web${index}`, `./web/${"${a}".repeat(1000)}`),
    );
    const checkout = new Checkout({ ...cluster(substitute(long)), "apps/web.yaml": paths.join("---\n") });
    const text = await checkout.run("explain", "clusters/a");
    expect(text).toContain("variables make it too large: it is stopped");
    expect(text.length).toBeLessThan(20_000);
  });

  test("the sync of the cluster sets it: an edit is named once", async () => {
    const checkout = new Checkout({
      ...cluster(""),
      "clusters/a/flux-system/gotk-sync.yaml":
        source + kustomization("flux-system", "./clusters/a/", substitute("STAGE: prod")),
      "clusters/a/apps.yaml": kustomization("web", "web/${STAGE}"),
      "apps/web.yaml": "",
    });
    checkout.write({ "web/prod/release.yaml": release.replace("replicas: 2", "replicas: 3") });
    const text = await checkout.run("diff", "HEAD", "--exit-code");
    expect(text).toContain(
      "web/prod/release.yaml:6:22  replicas  2 → 3\n  changes  HelmRelease/web/web (clusters/a)",
    );
    expect(text).toContain("1 edit; 1 of 1 target changes\nstatus 1");
  });
});

describe("a variable in a patch of a Kustomization", () => {
  const patch = (lines: readonly string[]): string =>
    [
      "  patches:",
      "  - target: {kind: HelmRelease}",
      "    patch: |",
      "      apiVersion: helm.toolkit.fluxcd.io/v2",
      "      kind: HelmRelease",
      "      metadata: {name: any}",
      "      spec:",
      "        values:",
      ...lines.map((each) => `          ${each}`),
      "",
    ].join("\n");
  const cluster = (lines: readonly string[], variables: string): Readonly<Record<string, string>> => ({
    "clusters/a/flux-system/gotk-sync.yaml": source + kustomization("flux-system", "./clusters/a"),
    "clusters/a/apps.yaml": kustomization("apps", "./apps", substitute(variables)),
    "apps/web.yaml": kustomization("web", "./web", patch(lines)),
    "web/release.yaml": release,
  });
  const lines = ["# of ${REGION}", "colour: ${COLOUR}", "size: 1", "${REGION}: {a: 1, b: '${COLOUR}'}"];
  const variables = "COLOUR: red, REGION: north";

  test("each value has its line in the file, and the lines of its variables", async () => {
    const text = await new Checkout(cluster(lines, variables)).run("explain", "web", "clusters/a");
    expect(text).toMatch(
      /^colour: red +B apps\/web\.yaml:16:19\n +with COLOUR of clusters\/a\/apps\.yaml:7$/m,
    );
    expect(text).toMatch(/^size: 1 +B apps\/web\.yaml:17:17$/m);
    // Of several values on one line it is not known which one a variable is in.
    expect(text).toMatch(/^ {2}a: 1 +B apps\/web\.yaml:18\n {2}b: red +B apps\/web\.yaml:18\n/m);
    expect(text).not.toContain("  B  top  a patch  web  ");
  });

  test("where the text has other lines once it is filled, its file alone is known", async () => {
    const more = ["colour: ${COLOUR:-a", "  b}", "size: 1"];
    const text = await new Checkout(cluster(more, variables)).run("explain", "web", "clusters/a");
    expect(text).toMatch(/^colour: red +B apps\/web\.yaml\n/m);
    expect(text).toMatch(/^size: 1 +B apps\/web\.yaml$/m);
  });

  test("diff: an edit of the variable is an edit of the values that are made with it", async () => {
    const checkout = new Checkout(cluster(lines.slice(0, 3), variables));
    checkout.write({
      "clusters/a/apps.yaml": kustomization("apps", "./apps", substitute("COLOUR: blue, REGION: north")),
    });
    const text = await checkout.run("diff", "HEAD", "--exit-code");
    expect(text).toContain(
      "apps/web.yaml:16:19  colour  red → blue\n  with COLOUR of clusters/a/apps.yaml:7\n",
    );
    expect(text).toContain("1 edit; 1 of 1 target changes\nstatus 1");
  });
});
