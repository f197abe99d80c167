// What `diff` said wrong of edits in bundles of Fleet, in folders of charts, and in patches of kustomizations.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Checkout, checkoutUrl } from "../support/git-checkout.ts";

type Files = Readonly<Record<string, string>>;

/** What `diff` says of files that change in the work tree; of those without a text, that they are gone. */
async function diffOf(before: Files, after: Readonly<Record<string, string | undefined>>): Promise<string> {
  const checkout = new Checkout(before);
  for (const [name, text] of Object.entries(after))
    if (text === undefined) rmSync(join(checkout.folder, name));
    else checkout.write({ [name]: text });
  return checkout.run("diff", "--exit-code");
}

const described = "apiVersion: v2\nname: shop\nversion: 1.0.0\n";

describe("a null takes away a value of all layers below it", () => {
  const files = {
    "shop/chart/Chart.yaml": described,
    "shop/chart/values.yaml": 'replicas: 1\nimage: {tag: "1", pull: Always}\n',
    "shop/base.yaml": 'replicas: 2\nimage: {tag: "2"}\n',
    "shop/prod.yaml": 'replicas: 3\nimage: {tag: "5"}\n',
    "shop/fleet.yaml": "helm:\n  chart: ./chart\n  valuesFiles: [base.yaml, prod.yaml]\n",
  };

  test("a scalar: the null is the only edit", async () => {
    const text = await diffOf(files, { "shop/prod.yaml": 'replicas: null\nimage: {tag: "5"}\n' });
    expect(text).toMatch(/^shop\/prod\.yaml:1:11 {2}replicas {2}3 → \(removed\)$/m);
    expect(text).toContain("\n1 edit; 1 of 1 target changes\n");
  });

  test("a mapping: what the chart alone has in it is gone by the null, too", async () => {
    const text = await diffOf(files, { "shop/prod.yaml": "replicas: 3\nimage: null\n" });
    expect(text).toMatch(
      /^shop\/prod\.yaml:2:8 {2}image\.pull {2}\(unset\) → \(removed\)\n.*Always → \(unset\)$/m,
    );
    expect(text).not.toContain("shop/chart/values.yaml:");
    expect(text).toContain("\n2 edits; 1 of 1 target changes\n");
  });

  test("one of them is a Secret: its value is not printed, and the null is the only edit", async () => {
    const stream = (values: string, ...kinds: readonly string[]): string =>
      [
        release(values).replace(
          "  chartRef: {kind: OCIRepository, name: web}\n",
          `  chart: {spec: {chart: ./chart, sourceRef: {kind: GitRepository, name: flux-system}}}\n  valuesFrom: [${kinds.map((kind) => `{kind: ${kind}, name: l}`).join(", ")}]\n`,
        ),
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l}\ndata:\n  values.yaml: |\n    pw: low\n",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: l}\nstringData:\n  values.yaml: |\n    pw: hunter2\n",
      ].join("---\n");
    const chart = { "chart/Chart.yaml": described, "chart/values.yaml": "pw: default\n" };
    for (const kinds of [
      ["ConfigMap", "Secret"],
      ["Secret", "ConfigMap"],
    ]) {
      const before = {
        ...chart,
        "apps/kustomization.yaml": "resources: [r.yaml]\n",
        "apps/r.yaml": stream("{own: 1, pw: null}", ...kinds),
      };
      const text = await diffOf(before, { "apps/r.yaml": stream("{own: 1}", ...kinds) });
      expect(text).toMatch(/^apps\/r\.yaml:7:24 {2}pw {2}\(removed\) → \(unset\)$/m);
      expect(text).toContain("1 edit; 1 of 1 target changes");
      const said = await new Checkout(before).run("explain", "web", "apps", "-o", "json");
      expect(`${text}${said}`).not.toContain("hunter2");
    }
  });

  test("a chart whose defaults cannot be read is installed by no one: its target is not compared", async () => {
    const text = await diffOf(files, { "shop/chart/values.yaml": "replicas: *nope\n" });
    expect(text).toMatch(/^not compared: Bundle\/shop, the manifests of Bundle\/shop$/m);
    expect(text).toMatch(/^status 2$/m);
  });
});

describe("two builds in one folder", () => {
  const shop = {
    "shop/Chart.yaml": described,
    "shop/values.yaml": "replicas: 1\n",
    "shop/fleet.yaml": "helm:\n  values: {a: 1}\n",
  };

  test("a bundle and a chart with values files: each is compared with its like", async () => {
    const before = { ...shop, "shop/values-prod.yaml": "replicas: 2\n" };
    const text = await diffOf(before, { "shop/fleet.yaml": "helm:\n  values: {a: 3}\n" });
    expect(text).toMatch(/^shop\/fleet\.yaml:2:15 {2}a {2}1 → 3\n {2}changes {2}Bundle\/shop \(shop\)$/m);
    expect(text).toMatch(/^1 edit; 1 of \d targets? changes$/m);
    expect(text).toMatch(/^status 1$/m);
  });

  test("a values file makes the chart a build: the bundle stays", async () => {
    const text = await diffOf(shop, { "shop/values-x.yaml": "replicas: 2\n" });
    expect(text).toContain("Chart/shop@x (shop) is added");
    expect(text).not.toContain("is removed");
  });

  test("a kustomization and a chart with values files", async () => {
    const before = {
      "shop/Chart.yaml": described,
      "shop/values.yaml": "replicas: 1\n",
      "shop/values-prod.yaml": "replicas: 2\n",
      "shop/kustomization.yaml": "configMapGenerator: [{name: a, literals: [a=b]}]\n",
    };
    const text = await diffOf(before, { "shop/values-prod.yaml": "replicas: 3\n" });
    expect(text).toMatch(/^shop\/values-prod\.yaml:1:11 {2}replicas {2}2 → 3$/m);
    expect(text).toMatch(/^status 1$/m);
  });

  test("a Kustomization in the folder of a chart does not make a build of its templates", async () => {
    const checkout = new Checkout({
      "shop/Chart.yaml": described,
      "shop/templates/a.yaml": "{{ if .Values.a }}\na: {{ .Values.a }}\n{{ end }}\n",
      "shop/sync.yaml": flux["clusters/a/apps.yaml"],
      "x/release.yaml": release("{a: 2}"),
      "x/kustomization.yaml": "resources: [release.yaml]\n",
    });
    expect(await checkout.run("explain")).toMatch(/^a: 2 +A x\/release\.yaml:6:15\n[^]*status 0$/m);
  });

  test("an Application in the folder of the chart that it deploys is a target", async () => {
    const application = (a: number): string =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: argocd}\nspec:\n  destination: {namespace: shop}\n  source:\n    repoURL: ${checkoutUrl}\n    path: shop\n    helm: {valueFiles: [values-prod.yaml], valuesObject: {a: ${a}}}\n`;
    const before = {
      "shop/Chart.yaml": described,
      "shop/values.yaml": "replicas: 1\n",
      "shop/values-prod.yaml": "replicas: 2\n",
      "shop/app.yaml": application(1),
    };
    const text = await diffOf(before, { "shop/app.yaml": application(3) });
    expect(text).toMatch(
      /^shop\/app\.yaml:9:62 {2}a {2}1 → 3\n {2}changes {2}Application\/argocd\/shop \(shop\)$/m,
    );
    expect(text).toMatch(/^status 1$/m);
  });
});

const release = (values: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web}\nspec:\n  chartRef: {kind: OCIRepository, name: web}\n  values: ${values}\n`;
const flux = {
  "clusters/a/apps.yaml":
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec:\n  path: ./apps/prod\n  sourceRef: {kind: GitRepository, name: flux-system}\n  postBuild: {substitute: {region: eu-1}}\n",
};

describe("a patch that is gone uncovers values, and edits none", () => {
  test("of which some have variables, or words that kustomize takes for texts", async () => {
    const before = {
      ...flux,
      "apps/base/r.yaml": release(
        '{plain: a, list: ["${region}"], scalar: "${region}", dead: yes, gone: "${region}"}',
      ),
      "apps/base/kustomization.yaml": "resources: [r.yaml]\n",
      "apps/prod/kustomization.yaml": "resources: [../base]\npatches: [{path: patch.yaml}]\n",
      "apps/prod/patch.yaml": release("{plain: b, list: [c], scalar: d, dead: null, gone: null}").replace(
        / {2}chartRef.*\n/,
        "",
      ),
    };
    const text = await diffOf(before, {
      "apps/prod/patch.yaml": undefined,
      "apps/prod/kustomization.yaml": "resources: [../base]\n",
    });
    expect(text).toMatch(/^apps\/prod\/patch\.yaml is no longer a layer$/m);
    expect(text).toMatch(/ {2}scalar {2}d → eu-1, apps\/base\/r\.yaml:6:/);
    expect(text).toMatch(/ {2}dead {2}\(unset\) → "yes", apps\/base\/r\.yaml:6:/);
    expect(text).toContain("\n1 edit; 1 of 1 target changes\n");
  });
});

describe("patches in one file", () => {
  const kustomization = (...patches: readonly string[]): string =>
    `resources: [r.yaml]\npatches:\n${patches.map((each) => `- target: {kind: HelmRelease}\n  patch: |\n    ${each}\n`).join("")}`;
  const add = (path: string, value: number): string =>
    `- {op: add, path: /spec/values/${path}, value: ${value}}\n    - {op: add, path: /spec/values/also${path}, value: 7}`;
  const before = {
    "apps/r.yaml": release("{x: 1}"),
    "apps/kustomization.yaml": kustomization(add("a", 1), add("b", 2)),
  };

  test("the first one is gone: the second one is not edited", async () => {
    const text = await diffOf(before, { "apps/kustomization.yaml": kustomization(add("b", 2)) });
    expect(text).toMatch(/^apps\/kustomization\.yaml:5:46 {2}a {2}1 → \(unset\)$/m);
    expect(text).not.toMatch(/ b {2}/);
    expect(text).toContain("\n2 edits; 1 of 1 target changes\n");
  });

  test("the second one is edited at the same time: it is compared with what it was", async () => {
    const text = await diffOf(before, { "apps/kustomization.yaml": kustomization(add("b", 3)) });
    expect(text).toMatch(/^apps\/kustomization\.yaml:5:46 {2}b {2}2 → 3$/m);
    expect(text).toContain("\n3 edits; 1 of 1 target changes\n");
  });

  test("another one comes first", async () => {
    const text = await diffOf(before, {
      "apps/kustomization.yaml": kustomization(add("c", 1), add("a", 1), add("b", 2)),
    });
    expect(text).toMatch(/^apps\/kustomization\.yaml:5:46 {2}c {2}\(unset\) → 1$/m);
    expect(text).toContain("\n2 edits; 1 of 1 target changes\n");
  });
});

test("a patch that takes away the only values is the only edit", async () => {
  const before = { "apps/r.yaml": release("{x: 1}"), "apps/kustomization.yaml": "resources: [r.yaml]\n" };
  const operations = "- {op: remove, path: /spec/values/x}\n    - {op: add, path: /spec/values/y, value: 2}";
  const text = await diffOf(before, {
    "apps/kustomization.yaml": `resources: [r.yaml]\npatches:\n- target: {kind: HelmRelease}\n  patch: |\n    ${operations}\n`,
  });
  expect(text).toMatch(/^apps\/kustomization\.yaml is a layer now\n {2}changes .* x {2}1 → \(unset\)/m);
  expect(text).toContain("1 edit; 1 of 1 target changes");
});

test("a ConfigMap that is named once and no more twice is not edited", async () => {
  const named = (count: number): string =>
    release("{own: 1}").replace(
      "  values:",
      `  valuesFrom: [${Array(count).fill("{kind: ConfigMap, name: v}").join(", ")}]\n  values:`,
    );
  const configMap =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: v}\ndata:\n  values.yaml: |\n    a: 1\n    b: 2\n";
  const files = {
    "apps/r.yaml": named(2),
    "apps/v.yaml": configMap,
    "apps/kustomization.yaml": "resources: [r.yaml, v.yaml]\n",
  };
  const text = await diffOf(files, { "apps/r.yaml": named(1) });
  expect(text).toMatch(/^ConfigMap\/v \(2\) is no longer a layer$/m);
  expect(text).not.toMatch(/^apps\/v\.yaml:/m);
});

test("what a replacement sets in a build of Flux has the kustomization that does it", async () => {
  const files = {
    ...flux,
    "apps/base/r.yaml": release("{mode: quiet, a: '${region}'}"),
    "apps/base/kustomization.yaml": "resources: [r.yaml]\n",
    "apps/mid/kustomization.yaml":
      "resources: [../base]\nconfigMapGenerator: [{name: dbg, literals: [mode=verbose]}]\nreplacements:\n- source: {kind: ConfigMap, name: dbg, fieldPath: data.mode}\n  targets: [{select: {kind: HelmRelease}, fieldPaths: [spec.values.mode]}]\n",
    "apps/prod/kustomization.yaml": "resources: [../mid]\n",
  };
  const text = await new Checkout(files).run("explain", "web", "mode", "clusters/a");
  expect(text).toMatch(/ {2}verbose {2}apps\/mid\/kustomization\.yaml {2}a patch$/m);
});

test("a variable between brackets in the text of a ConfigMap is named, as all others are", async () => {
  const files = {
    "clusters/a/apps.yaml": flux["clusters/a/apps.yaml"].replace("apps/prod", "apps"),
    "apps/r.yaml": `${release("{own: 1}").replace("  values:", "  valuesFrom: [{kind: ConfigMap, name: v}]\n  values:")}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: v}\ndata:\n  values.yaml: |\n    deep: \${region}\n    m: {x: \${region}, text: "a \${zone:=\${region}} b", z: "$\${region}"}\n    plain: 1\n`,
  };
  const text = await new Checkout(files).run("explain", "web", "clusters/a");
  expect(text).toMatch(/^deep: eu-1 +A apps\/r\.yaml:14:11$/m);
  expect(text).toMatch(/^ {2}x: eu-1 +A apps\/r\.yaml:15:12$/m);
  // Of what follows on the line the column is another one in the file.
  expect(text).toMatch(/^ {2}text: "a eu-1 b" +A apps\/r\.yaml:15$/m);
  expect(text).toMatch(/^ {2}x: eu-1 .*\n +with region of clusters\/a\/apps\.yaml:7$/m);
  expect(text).toMatch(/^ {2}z: \S+ +A apps\/r\.yaml:15\n(?! +with)/m);
  expect(text).toMatch(/^plain: 1 +A apps\/r\.yaml:16:12\n(?! +with)/m);
  const own = { ...files, "apps/r.yaml": files["apps/r.yaml"].replace("plain: 1", "plain: vfv0v") };
  expect(await new Checkout(own).run("explain", "web", "clusters/a")).toMatch(
    /^plain: vfv0v +A apps\/r\.yaml:16:12\n(?! +with)/m,
  );
});

test("one line of a file that is a layer by several names is one edit", async () => {
  const overlay = (name: string): Files => ({
    [`clusters/a/${name}.yaml`]: flux["clusters/a/apps.yaml"]
      .replace("name: apps", `name: ${name}`)
      .replace("apps/prod", name),
    [`${name}/kustomization.yaml`]: `namePrefix: ${name}-\nresources: [../base]\nconfigurations: [names.yaml]\n`,
    [`${name}/names.yaml`]:
      "nameReference: [{kind: ConfigMap, fieldSpecs: [{path: spec/valuesFrom/name, kind: HelmRelease}]}]\n",
  });
  const files = {
    ...overlay("dev"),
    ...overlay("prod"),
    "base/r.yaml": release("{own: 1}").replace(
      "  values:",
      "  valuesFrom: [{kind: ConfigMap, name: v}]\n  values:",
    ),
    "base/values.yaml": "replicas: 1\n",
    "base/kustomization.yaml":
      "resources: [r.yaml]\ngeneratorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator: [{name: v, files: [values.yaml]}]\n",
  };
  const text = await diffOf(files, { "base/values.yaml": "replicas: 2\n" });
  expect(text).toMatch(
    /^base\/values\.yaml:1:11 {2}replicas {2}1 → 2\n {2}changes .*dev-web.*\n {2}changes .*prod-web/m,
  );
  expect(text).toContain("\n1 edit; 2 of 2 targets change\n");
});

test("a target in a version that is not known here is not compared", async () => {
  const files = {
    "apps/r.yaml": release("{replicas: 1}"),
    "apps/kustomization.yaml": "resources: [r.yaml]\n",
  };
  const text = await diffOf(files, { "apps/r.yaml": release("{replicas: 1}").replace("/v2", "/v3") });
  expect(text).toMatch(/^not compared: HelmRelease\/web$/m);
  expect(text).toMatch(/^status 2$/m);
});

test("whether two Secrets on one line are equal cannot be read off the edits", async () => {
  const stream = (first: string, second: string): string =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "List",
      items: ["one", "two"].flatMap((name, index) => [
        {
          apiVersion: "helm.toolkit.fluxcd.io/v2",
          kind: "HelmRelease",
          metadata: { name },
          spec: {
            chartRef: { kind: "OCIRepository", name: "web" },
            valuesFrom: [{ kind: "Secret", name: `s-${name}` }],
          },
        },
        {
          apiVersion: "v1",
          kind: "Secret",
          metadata: { name: `s-${name}` },
          stringData: { "values.yaml": `pw: ${index === 0 ? first : second}\n` },
        },
      ]),
    });
  const edits = async (...now: readonly [string, string]): Promise<string> => {
    const text = await diffOf({ "a.yaml": stream("old", "old") }, { "a.yaml": stream(...now) });
    return text.replaceAll(/:\d+:\d+/g, "");
  };
  expect(await edits("new", "new")).toContain("2 edits");
  expect(await edits("new", "new")).toBe(await edits("new", "neu"));
});

test("values on one line are edits of their own, and so are those of Secrets, whether they are equal or not", async () => {
  const layer = (name: string, kind: string, pw: string): readonly object[] => [
    { apiVersion: "v1", kind, metadata: { name }, [kind === "Secret" ? "stringData" : "data"]: { pw: "x" } },
    {
      apiVersion: "v1",
      kind,
      metadata: { name: `l${name}`, annotations: { "valuefold.dev/into": `${kind}/${name}` } },
      [kind === "Secret" ? "stringData" : "data"]: { pw },
    },
  ];
  const list = (kind: string, first: string, second: string): string =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "List",
      items: [...layer("a", kind, first), ...layer("b", kind, second)],
    });
  for (const kind of ["Secret", "ConfigMap"]) {
    const files = { "old.json": list(kind, "one", "one"), "new.json": list(kind, "two", "two") };
    expect(await new Checkout(files).run("diff", "old.json", "new.json")).toContain(
      "2 edits; 2 of 2 targets change",
    );
  }
});

test("two releases of one name, each in its own file, are compared whatever their order is", async () => {
  const kustomization = (name: string): string =>
    flux["clusters/a/apps.yaml"]
      .replace("name: apps", `name: ${name}`)
      .replace("apps/prod", `dir-${name[0]}`);
  const files = {
    "clusters/a/x.yaml": kustomization("x"),
    "clusters/a/y.yaml": kustomization("y"),
    "dir-x/r.yaml": release("{a: 1}"),
    "dir-y/r.yaml": release("{a: 2}"),
  };
  const renamed = kustomization("x").replace("name: x", "name: z");
  const text = await diffOf(files, { "clusters/a/x.yaml": renamed });
  expect(text).toMatch(/^no value changes in 2 targets\n/m);
});

test("what an overridden value says in files of values is no variable", async () => {
  const files = {
    "app/Chart.yaml": described,
    "app/fleet.yaml": "helm:\n  chart: .\n  valuesFiles: [base.yaml, prod.yaml]\n",
    "app/base.yaml": "cmd: ${HOME}\n",
    "app/prod.yaml": "cmd: foo\n",
  };
  const text = await diffOf(files, { "app/base.yaml": "cmd: bar\n" });
  expect(text).toMatch(/^app\/base\.yaml:1:6 {2}cmd {2}\$\{HOME\} → bar\n {2}hidden /m);
});
