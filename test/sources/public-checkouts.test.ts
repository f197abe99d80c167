// What public checkouts have, and what was said wrong of them.
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Checkout, checkoutUrl as url } from "../support/git-checkout.ts";

const release = (name: string, values: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: web}\nspec: {values: ${values}}\n`;
const kustomization = (name: string, path: string, source = "GitRepository", more = ""): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  path: ${path}\n  sourceRef: {kind: ${source}, name: ${source === "ExternalArtifact" ? name : "flux-system"}}\n${more}`;
const sync = (path: string): string =>
  `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\nspec: {url: ${url}}\n---\n${kustomization("flux-system", path)}`;
const application = (name: string, source: string): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec:\n  destination: {namespace: web}\n  source: {repoURL: ${url}, ${source}}\n`;
const chart = (folder: string, values: string): Record<string, string> => ({
  [`${folder}/Chart.yaml`]: `apiVersion: v2\nname: ${folder.split("/").at(-1)}\nversion: 1.0.0\n`,
  [`${folder}/values.yaml`]: values,
});

describe("an instance of which the sync is in a values file", () => {
  const values = (path: string): string =>
    `instance:\n  sync: {kind: GitRepository, url: "${url}", path: ${path}}\n`;
  const files = {
    "platform/instance/release.yaml": `${release("flux-instance", "{}")}  chartRef: {kind: OCIRepository, name: flux-instance}\n`,
    "platform/instance/values.yaml": values("clusters/prod"),
    "clusters/prod/infra/kustomization.yaml": "resources: [sync.yaml]\n",
    "clusters/prod/infra/sync.yaml": kustomization("web", "./apps/web"),
    "clusters/prod/apps/kustomization.yaml": "resources: [sync.yaml]\n",
    "clusters/prod/apps/sync.yaml": kustomization("other", "./apps/other"),
    "apps/web/web.yaml": release("web", "{a: 1}"),
    "apps/other/other.yaml": release("other", "{b: 2}"),
  };

  test("it names the root, wherever the file is", async () => {
    const checkout = new Checkout(files);
    expect(await checkout.run("explain")).toMatch(/^HelmRelease\/web\/other [^]*^HelmRelease\/web\/web /m);
    for (const words of [[], ["clusters/prod"]]) {
      expect(await checkout.run("explain", "web", "a", ...words)).toMatch(/^ +1 +apps\/web\/web.yaml:4:/m);
      expect(await checkout.run("explain", "other", "b", ...words)).toMatch(/^ +2 +apps\/other/m);
    }
    checkout.write({ "apps/web/web.yaml": release("web", "{a: 3}") });
    expect(await checkout.run("diff")).toMatch(/a {2}1 → 3[^]*1 edit; 1 of 1 target changes/);
  });

  test.for([
    ["of another chart", "platform/instance", "instance: {sync: clusters/prod, url: x}\n"],
    ["an object", "platform/instance", `kind: Other\n${values("clusters/prod")}`],
    ["the chart's own", "platform/flux-instance", `instance: {sync: {url: "${url}", path: clusters/prod}}\n`],
    ["without a URL", "platform/instance", 'instance: {sync: {url: "", path: clusters/prod}}\n'],
    ["without a path", "platform/instance", `instance: {sync: {url: "${url}", path: ""}}\n`],
    [
      "of another repository",
      "platform/instance",
      "instance: {sync: {url: https://git.example/team/other.git, path: clusters/prod}}\n",
    ],
  ])("values that are no sync: %s", async ([, folder = "", text = ""]) => {
    const { "platform/instance/values.yaml": _, ...others } = files;
    const own = folder.endsWith("flux-instance") ? { [`${folder}/Chart.yaml`]: "name: flux-instance\n" } : {};
    const checkout = new Checkout({ ...others, ...own, [`${folder}/values.yaml`]: text });
    expect(await checkout.run("explain")).toMatch(/^clusters\/prod\/infra +Flux$/m);
    expect(await checkout.run("explain", "clusters/prod")).toMatch(/^clusters\/prod\/infra +Flux$/m);
    expect(await checkout.run("verify")).toContain("checked 2 targets");
  });

  test("of a directory that has kustomizations alone", async () => {
    const checkout = new Checkout({
      "platform/instance/values.yaml": values("clusters"),
      "clusters/web/kustomization.yaml": "resources: [web.yaml]\n",
      "clusters/web/web.yaml": release("web", "{a: 1}"),
      "other/kustomization.yaml": "resources: []\n",
    });
    expect(await checkout.run("explain")).toMatch(/^clusters +Flux$/m);
    expect(await checkout.run("verify")).toContain("checked 1 target");
    checkout.write({ "clusters/web/web.yaml": release("web", "{a: 2}") });
    expect(await checkout.run("diff")).toContain("a  1 → 2");
  });
});

// source-watcher puts a directory into the target, with its name: Flux builds what the target holds.
test.for([
  ["into a directory of its name", "@git/apps/web/app/", "@artifact/apps/web/app/", "./apps/web/app"],
  ["as it is, into that above", "@git/apps/web/app", "@artifact/apps/web/", "./apps/web/app"],
  ["by its content", "@git/apps/web/**", "@artifact/apps/web/", "./apps/web/app"],
  ["to another place", "@git/apps/web/app", "@artifact/", "./app"],
  ["file by file", "@git/apps/web/app/web.yaml", "@artifact/", "./"],
] as const)("an artifact of a directory that is copied %s", async ([, from, to, path]) => {
  const checkout = new Checkout({
    "clusters/home/flux-system/gotk-sync.yaml": sync("./clusters/home"),
    "clusters/home/artifacts.yaml": `apiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator\nmetadata: {name: all, namespace: flux-system}\nspec:\n  sources: [{alias: git, kind: GitRepository, name: flux-system}]\n  artifacts: [{name: web, copy: [{from: "${from}", to: "${to}"}]}]\n`,
    "clusters/home/web.yaml": kustomization("web", path, "ExternalArtifact"),
    "apps/web/app/web.yaml": release("web", "{a: 1}"),
  });
  const text = await checkout.run("explain", "clusters/home", "web", "a");
  expect(text).toMatch(/^ +1 +apps\/web\/app\/web.yaml:4:/m);
  expect(text).not.toContain("warning");
});

describe("a ConfigMap that a ResourceSet copies", () => {
  const set = `apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: web, namespace: flux-system}\nspec:\n  resources:\n    - apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: own, namespace: flux-system, annotations: {fluxcd.controlplane.io/copyFrom: flux-system/info}}\n    - apiVersion: kustomize.toolkit.fluxcd.io/v1\n      kind: Kustomization\n      metadata: {name: web, namespace: flux-system}\n      spec: {path: ./apps, sourceRef: {kind: GitRepository, name: flux-system}, postBuild: {substituteFrom: [{kind: ConfigMap, name: own}]}}\n`;
  const files = {
    "clusters/home/sync.yaml": sync("./clusters/home"),
    "clusters/home/set.yaml": set,
    "apps/web.yaml": release("web", '{host: "web.${DOMAIN}"}'),
  };
  const info = (domain: string): Record<string, string> => ({
    "clusters/home/info.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: info, namespace: flux-system}\ndata: {DOMAIN: ${domain}}\n`,
  });

  test("has the variables of the other one", async () => {
    const checkout = new Checkout({ ...files, ...info("one.example") });
    expect(await checkout.run("explain", "web", "host")).toMatch(
      /web\.one\.example[^]*with DOMAIN of clusters\/home\/info\.yaml:4/,
    );
    checkout.write(info("two.example"));
    expect(await checkout.run("diff")).toContain("web.one.example → web.two.example");
  });

  test("is one of a set: the annotation of another object says nothing", async () => {
    const map =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: flux-system, annotations: {fluxcd.controlplane.io/copyFrom: flux-system/info}}\ndata: {DOMAIN: own.example}\n";
    const plain = {
      ...info("one.example"),
      "clusters/home/sync.yaml": sync("./clusters/home"),
      "clusters/home/web.yaml": `${map}---\n${kustomization("web", "./apps", "GitRepository", "  postBuild: {substituteFrom: [{kind: ConfigMap, name: own}]}\n")}`,
      "apps/web.yaml": release("web", '{host: "web.${DOMAIN}"}'),
    };
    expect(await new Checkout(plain).run("values", "web")).toContain("host: web.own.example");
  });

  test("has unknown ones where the other one is not here", async () => {
    const text = await new Checkout(files).run("values", "web");
    expect(text).toContain("host: web.${DOMAIN}");
    expect(text).toContain("`valuefold explain` names the object that may have it");
  });
});

test("a file with a part of a Kustomization alone is no sync", async () => {
  const part = (name: string): string =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec: {patches: [{target: {kind: ${name}}, patch: ""}]}\n`;
  const checkout = new Checkout({
    "clusters/home/sync.yaml": sync("./clusters/home"),
    "clusters/home/web.yaml": release("web", "{a: 1}"),
    "patches/one.yaml": part("HelmRelease"),
    "patches/two.yaml": part("Deployment"),
  });
  expect(await checkout.run("explain")).not.toContain("patches");
  checkout.write({ "clusters/home/web.yaml": release("web", "{a: 2}") });
  expect(await checkout.run("diff")).toContain("a  1 → 2");
});

test.for(["ApplicationSet", "Application"])(
  "a patch of an %s that no build has is no entry",
  async (kind) => {
    const head = `apiVersion: argoproj.io/v1alpha1\nkind: ${kind}\nmetadata: {name: web, namespace: argocd}\n`;
    const app = `{source: {repoURL: "${url}", path: web, helm: {valuesObject: {a: 1}}}, destination: {namespace: x}}`;
    const set = `{goTemplate: true, generators: [{list: {elements: [{a: b}]}}], template: {metadata: {name: web}, spec: ${app}}}`;
    const checkout = new Checkout({
      "prod/kustomization.yaml": "resources: [all.yaml]\n",
      "prod/all.yaml": `${head}spec: ${kind === "Application" ? app : set}\n`,
      "prod/off.yaml": `${head}spec: {syncPolicy: {}}\n`,
      "web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    });
    expect(await checkout.run("verify")).toContain("1 target in 1 build");
  },
);

describe("an app that is switched off: the file of its Kustomization is commented out", () => {
  const spare = release("spare", "{a: 1}").replace(", namespace: web", "");
  const files = (folder: string): Record<string, string> => ({
    "clusters/prod/flux-system/gotk-sync.yaml": sync("./clusters/prod"),
    "clusters/prod/apps.yaml": kustomization("apps", "./apps"),
    "apps/kustomization.yaml": "resources: [web.yaml]\n",
    "apps/web.yaml": release("web", "{b: 2}"),
    "apps/spare/ks.yaml": kustomization(
      "spare",
      `./apps/spare/${folder}`,
      "GitRepository",
      "  targetNamespace: web\n",
    ),
    "apps/spare/app/spare.yaml": spare,
    "apps/spare/app/deep/more.yaml": spare.replace("spare", "more"),
  });

  const names = async (checkout: Checkout): Promise<readonly string[]> =>
    ((await checkout.run("explain", "-o", "name")).match(/^HelmRelease\S+/gm) ?? []).toSorted();

  test.each([
    [
      "with a kustomization",
      { "apps/spare/app/kustomization.yaml": "resources: [spare.yaml, deep/more.yaml]\n" },
    ],
    ["without one", {}],
  ])("what it builds is there once: a folder %s", async (_, own) => {
    const checkout = new Checkout({ ...files("app"), ...own });
    expect(await names(checkout)).toEqual([
      "HelmRelease/web/more",
      "HelmRelease/web/spare",
      "HelmRelease/web/web",
    ]);
    checkout.write({ "apps/spare/app/spare.yaml": spare.replace("1", "3") });
    expect(await checkout.run("diff")).toMatch(/a {2}1 → 3[^]*1 edit; 1 of 2 targets changes/);
  });

  test("what it does not build is there, too", async () => {
    const checkout = new Checkout({
      ...files("app/deep"),
      "apps/spare/app/deep/kustomization.yaml": "resources: [more.yaml]\n",
    });
    expect(await names(checkout)).toEqual([
      "HelmRelease/spare",
      "HelmRelease/web/more",
      "HelmRelease/web/web",
    ]);
  });

  test("a folder of the same name that is not the one it builds is there, too", async () => {
    const checkout = new Checkout({
      "cluster/ks.yaml": kustomization("apps", "./apps"),
      "cluster/apps/spare.yaml": spare,
      "apps/web.yaml": release("web", "{b: 2}"),
    });
    expect(await names(checkout)).toEqual(["HelmRelease/spare", "HelmRelease/web/web"]);
  });

  test("a sync is below the directory that is named: all of it is built", async () => {
    const checkout = new Checkout({
      "cluster/flux-system/gotk-sync.yaml": sync("./cluster"),
      "cluster/ks.yaml": kustomization("apps", "./cluster/apps", "GitRepository", "  targetNamespace: web\n"),
      "cluster/apps/spare.yaml": spare,
    });
    const text = await checkout.run("explain", "-o", "name", "cluster");
    expect(text).toMatch(/^HelmRelease\/spare$/m);
    expect(text).toMatch(/^HelmRelease\/web\/spare$/m);
  });

  test("a directory that is known to be built is read as Flux builds it", async () => {
    const checkout = new Checkout({
      ...files("app"),
      "clusters/prod/spare.yaml": kustomization("all", "./apps/spare"),
    });
    expect(await names(checkout)).toEqual(
      expect.arrayContaining(["HelmRelease/spare", "HelmRelease/web/spare"]),
    );
    expect(await checkout.run("values", "HelmRelease/spare")).toMatch(/^a: 1$/m);
  });
});

test("what a kustomization does not name is not read: a link that leads out of the repository", async () => {
  const checkout = new Checkout({
    "app/kustomization.yaml": "resources: [web.yaml]\n",
    "app/web.yaml": release("web", "{a: 1}"),
  });
  symlinkSync("/etc/hostname", join(checkout.folder, "app/spare.yaml"));
  expect(await checkout.run("explain", "web", "a", "app")).toMatch(/^ +1 +app\/web\.yaml[^]*status 0$/m);
});

test("a kustomization that nothing builds, and that has no target, is no build that is compared", async () => {
  const cluster = (name: string, value: number): Record<string, string> => ({
    [`clusters/${name}/apps.yaml`]: kustomization("apps", `./apps/${name}`),
    [`apps/${name}/web.yaml`]: release("web", `{a: ${value}}`),
  });
  const settings = {
    "settings/kustomization.yaml": "resources: [settings.yaml]\n",
    "settings/settings.yaml":
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {DOMAIN: a.example}\n",
  };
  const checkout = new Checkout({ ...cluster("one", 1), ...cluster("two", 2), ...settings });
  const text = await checkout.run("compare");
  expect(text).toMatch(/^HelmRelease\/web\/web\n {2}a {2}1 {2}clusters\/one .*\n {5}2 {2}clusters\/two /m);
  expect(text).not.toContain("is not in");
  // What is not fetched may have some.
  checkout.write({
    "settings/kustomization.yaml": "resources: [settings.yaml, 'https://git.example/x.yaml']\n",
  });
  expect(await checkout.run("compare")).toMatch(/is not in settings$[^]*not compared:\n {2}settings: /m);
});

test("a base that each cluster completes by a patch is in their builds", async () => {
  const cluster = (name: string): Record<string, string> => ({
    [`clusters/${name}/kustomization.yaml`]: "resources: [../base]\npatches: [{path: patch.yaml}]\n",
    [`clusters/${name}/patch.yaml`]: kustomization(
      "web",
      "./apps",
      "GitRepository",
      `  postBuild: {substitute: {R: ${name}}}\n`,
    ),
  });
  const checkout = new Checkout({
    "clusters/base/kustomization.yaml": "resources: [web.yaml]\n",
    "clusters/base/web.yaml":
      "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web, namespace: flux-system}\nspec: {prune: true}\n",
    ...cluster("dev"),
    ...cluster("prod"),
    "apps/kustomization.yaml": "resources: [web.yaml]\n",
    "apps/web.yaml": release("web", '{region: "${R}"}'),
  });
  expect(await checkout.run("compare", "web", "region")).toMatch(
    /dev +clusters\/dev[^]*prod +clusters\/prod/,
  );
});

test("of several builds one that the change breaks is an error", async () => {
  const checkout = new Checkout({
    "one/kustomization.yaml": "resources: [web.yaml]\n",
    "one/web.yaml": release("web", "{a: 1}"),
    "two/kustomization.yaml": "resources: [web.yaml]\n",
    "two/web.yaml": release("web", "{a: 1}"),
  });
  checkout.write({ "two/kustomization.yaml": "resources: [web.yaml, none.yaml]\n" });
  const text = await checkout.run("diff");
  expect(text).toContain("error[not-built]: kustomize cannot build `two`");
  expect(text).toContain("not compared: two\n");
  expect(text).toContain("status 1");
});

test("of several builds one that is refused is not compared, and the others are", async () => {
  const checkout = new Checkout({
    "bad/kustomization.yaml": "resources: [none.yaml]\n",
    "good/kustomization.yaml": "resources: [web.yaml]\n",
    "good/web.yaml": release("web", "{a: 1}"),
  });
  checkout.write({
    "bad/kustomization.yaml": "resources: [none.yaml, more.yaml]\n",
    "good/web.yaml": release("web", "{a: 2}"),
  });
  const text = await checkout.run("diff", "--exit-code");
  expect(text).toContain("a  1 → 2");
  expect(text).toContain("1 edit; 1 of 1 target changes; not compared: bad\n");
  expect(text).toContain("kustomize cannot build `bad`");
  expect(text).toContain("status 2");
});

test("a pipe, and a link to a folder, are no manifests, whatever they are called", async () => {
  const checkout = new Checkout({
    "clusters/home/sync.yaml": sync("./clusters/home"),
    "clusters/home/web.yaml": release("web", "{a: 1}"),
    "clusters/home/deep/b.txt": "",
    "apps/all.yaml": application("all", "path: all, directory: {recurse: true}"),
    "all/web.yaml": application("web", "chart: web, helm: {valuesObject: {a: 1}}"),
  });
  for (const folder of ["clusters/home", "all"]) {
    symlinkSync(checkout.folder, join(checkout.folder, folder, "folder.yaml"));
    symlinkSync("nowhere", join(checkout.folder, folder, "nothing.yaml"));
  }
  checkout.commit();
  for (const folder of ["clusters/home", "all"])
    execFileSync("mkfifo", [join(checkout.folder, folder, "pipe.yaml")]);
  expect(await checkout.run("verify")).toContain("checked 2 targets in 2 builds");
  checkout.write({ "clusters/home/web.yaml": release("web", "{a: 2}") });
  expect(await checkout.run("diff")).toContain("1 edit; 1 of 1 target changes");
});

test("a value that is set by `targetPath` has the line of its key, as a block and without one", async () => {
  const config = (data: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: web}\ndata:\n${data}`;
  const from = "{valuesFrom: [{kind: ConfigMap, name: one, valuesKey: h, targetPath: host}]}";
  for (const [data, place] of [
    ["  h: web.example\n", "web.yaml:10:6"],
    ["  h: |-\n    web.example\n", "web.yaml:11:5"],
  ] as const) {
    const own = release("web", "{a: 1}").replace(/spec: .*/, `spec: ${from}`);
    const checkout = new Checkout({ "web.yaml": `${own}---\n${config(data)}` });
    expect(await checkout.run("explain", "web", "host", "web.yaml")).toContain(` ${place} `);
  }
});

test("files of another checkout have one name on both sides of a diff", async () => {
  const other = new Checkout(
    {
      "apps/kustomization.yaml": "resources: [web.yaml]\npatches: [{path: patch.yaml}]\n",
      "apps/web.yaml": release("web", '{a: 1, b: "${X}"}'),
      "apps/patch.yaml": release("web", "{a: 2}"),
    },
    "https://git.example/team/apps.git",
  );
  const source =
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: apps, namespace: flux-system}\nspec: {url: https://git.example/team/apps.git}\n";
  const cluster = (x: string): Record<string, string> => ({
    "cluster/all.yaml": `${source}---\n${kustomization("web", "./apps", "GitRepository", `  postBuild: {substitute: {X: "${x}"}}\n`).replace("name: flux-system}\n  post", "name: apps}\n  post")}`,
  });
  const own = new Checkout({ "cluster/sync.yaml": sync("./cluster"), ...cluster("one") });
  own.write(cluster("two"));
  const text = await own.run("diff", "--repo", `https://git.example/team/apps.git=${other.folder}`);
  expect(text).toContain("b  one → two");
  expect(text).toContain("1 edit; 1 of 1 target changes\n");
});

test("a path of an Application that ends with a slash, and a chart with a `.helmignore`", async () => {
  const checkout = new Checkout({
    "apps/web.yaml": application("web", "path: web/"),
    ...chart("web", "a: 1\n"),
    "web/.helmignore": "*.tmp\n",
  });
  expect(await checkout.run("values", "web", "apps")).toContain("a: 1\n");
});

test("a directory that an Application deploys, with nothing but a file that is no manifest", async () => {
  const checkout = new Checkout({
    "apps/all.yaml": `${application("all", "path: dir")}---\n${application("web", "path: web")}`,
    "dir/values.yaml": "global: {domain: x}\n",
    ...chart("web", "a: 1\n"),
  });
  const text = await checkout.run("values", "web", "apps");
  expect(text).toContain("a: 1\n");
  expect(text).not.toContain("stdin");
});

test.for(['helm: {chart: "", repo: "", values: {a: 2}}', "helm: {values: {a: 2}}"])(
  "an empty field of Fleet counts as unset: %s",
  async (helm) => {
    const checkout = new Checkout({ ...chart("web", "a: 1\nb: 2\n"), "web/fleet.yaml": `${helm}\n` });
    const text = await checkout.run("values", "Bundle/web", "web");
    expect(text).toContain("a: 2\nb: 2\n");
    expect(text).not.toContain("is not here");
  },
);

test("a bundle of Fleet at the top has one name in all revisions", async () => {
  const checkout = new Checkout({ "fleet.yaml": "helm: {values: {a: 1}}\n" });
  checkout.write({ "fleet.yaml": "helm: {values: {a: 2}}\n" });
  const edit = /a {2}1 → 2[^]*1 edit; 1 of 1 target changes/;
  expect(await checkout.run("diff")).toMatch(edit);
  checkout.commit();
  expect(await checkout.run("diff", "HEAD^", "HEAD")).toMatch(edit);
});

test("values files beside an empty one are no stack", async () => {
  const files = { "values-a.yaml": "a: 1\n", "values-b.yaml": "a: 2\n", "values-c.yaml": "# none\n" };
  await expect(new Checkout(files).run("explain")).rejects.toThrow(
    "`.` has 2 values files: name them in order",
  );
});

test("a file of clusters that the user names may be anywhere", async () => {
  const other = new Checkout({ "clusters.yaml": "- {name: eu, server: https://eu.example}\n" });
  const template =
    "{metadata: {name: 'web-{{.name}}'}, spec: {destination: {name: '{{.name}}'}, source: {repoURL: x, path: web, helm: {valuesObject: {a: 1}}}}}";
  const checkout = new Checkout({
    "sets/set.yaml": `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: web, namespace: argocd}\nspec:\n  goTemplate: true\n  generators: [{clusters: {}}]\n  template: ${template.replace("repoURL: x", `repoURL: ${url}`)}\n`,
    ...chart("web", "a: 0\n"),
  });
  const text = await checkout.run("values", "--clusters", `${other.folder}/clusters.yaml`, "web-eu", "sets");
  expect(text).toContain("a: 1\n");
});

describe("a chart of Applications that nothing here deploys", () => {
  const files = {
    ...chart("charts/web", "replicas: 1\n"),
    "charts/apps/Chart.yaml": "apiVersion: v2\nname: apps\nversion: 1.0.0\n",
    "charts/apps/values.yaml": "replicas: 2\n",
    "charts/apps/templates/web.yaml": application(
      "web",
      "path: charts/web, helm: {valuesObject: {replicas: {{ .Values.replicas }}}}",
    ),
  };
  const stages = {
    "charts/apps/values-prod.yaml": "replicas: 5\n",
    "charts/apps/values-test.yaml": "replicas: 3\n",
  };

  test("is one for each values file beside it", async () => {
    const checkout = new Checkout({ ...files, ...stages });
    expect(await checkout.run("explain")).toMatch(
      /^charts\/apps\/values-prod.yaml {2}chart\ncharts\/apps\/values-test.yaml {2}chart\nname one/,
    );
    const prod = ["Application/argocd/web", "replicas", "charts/apps/values-prod.yaml"];
    expect(await checkout.run("explain", ...prod)).toMatch(
      /^ +5 +charts\/apps\/templates\/web.yaml:6 .*\n.*replicas of charts\/apps\/values-prod.yaml:1/m,
    );
    expect(await checkout.run("verify")).not.toContain("exists twice");
    checkout.write({ "charts/apps/values-test.yaml": "replicas: 4\n" });
    const changed = await checkout.run("diff");
    expect(changed).toMatch(/replicas {2}3 → 4\n.*values-test[^]*changes {2}Application\/argocd\/web/);
    expect(changed).not.toContain("(charts/apps/values-prod");
    expect(await checkout.run("compare", ...Object.keys(stages))).toMatch(
      /Application\/argocd\/web[^]*5[^]*4/,
    );
  });

  test("a stack of values files in its folder is a stack", async () => {
    const checkout = new Checkout({
      "Chart.yaml": files["charts/apps/Chart.yaml"],
      "templates/web.yaml": files["charts/apps/templates/web.yaml"],
      "values-a.yaml": "replicas: 9\n",
      "values-b.yaml": "replicas: 5\n",
    });
    expect(await checkout.run("explain", "replicas", "values-a.yaml,values-b.yaml")).toMatch(
      /^ +5 +values-b.yaml[^]*over +9 +values-a.yaml/m,
    );
  });

  test("a file that its Applications read is one of it", async () => {
    const checkout = new Checkout({ ...files, ...stages });
    checkout.write({ "charts/web/values.yaml": "replicas: 1\nimage: web\n" });
    expect(await checkout.run("diff")).toMatch(/image[^]*2 of 4 targets change/);
  });

  test("has its own values where it is named, and is reported where all is read", async () => {
    const checkout = new Checkout({ ...files, "loose/kustomization.yaml": "resources: []\n" });
    expect(await checkout.run("explain", "web", "replicas", "charts/apps")).toMatch(
      /^ +2 +charts\/apps\/templates\/web.yaml:6 /m,
    );
    checkout.write({ "charts/apps/values.yaml": "replicas: 4\n" });
    for (const command of ["explain", "verify", "diff"])
      expect(await checkout.run(command)).toContain("valuefold explain charts/apps");
  });
});

describe("a schema of a chart that refers to another host", () => {
  const schema = (reference: string): string =>
    JSON.stringify({ properties: { replicas: { type: "integer" }, more: { $ref: reference } } });
  const checkout = (reference: string, values: string): Checkout =>
    new Checkout({
      ...chart("charts/web", "replicas: 1\nmore: {a: 1}\n"),
      "charts/web/templates/a.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: '{{ .Values.replicas }}{{ .Values.more }}'}\n",
      "charts/web/values.schema.json": schema(reference),
      "apps/web.yaml": application("web", `path: charts/web, helm: {valuesObject: ${values}}`),
    });
  const other = "https://schemas.example/a.json";
  const unchecked = "schemas not checked in full: chart charts/web refers to other hosts";

  test("takes any value there, and what it says itself holds", async () => {
    const found = await checkout(other, "{replicas: 3, more: {b: x}}").run("verify");
    expect(found).toContain(unchecked);
    expect(found).not.toContain("error");
    expect(await checkout(other, "{replicas: many}").run("verify")).toMatch(
      /replicas[^]*got string, want integer/,
    );
  });

  test("refuses nothing that only that may be the cause of", async () => {
    for (const more of [{ oneOf: [{ $ref: other }, { type: "string" }] }, { not: { $ref: other } }]) {
      const own = checkout(other, "{more: none}");
      own.write({ "charts/web/values.schema.json": JSON.stringify({ properties: { more } }) });
      expect(await own.run("verify")).not.toContain("error");
    }
  });

  test("is passed over where it refers to a part of that", async () => {
    const own = checkout(`${other}#/definitions/more`, "{replicas: 3}");
    expect(await own.run("explain", "ConfigMap/web", "data.a")).toContain("replicas: 3");
    expect(await own.run("verify", "--strict")).toContain(`error[not-built]: ${unchecked}`);
  });

  test("is no schema where it is a file of the machine, as for Helm", async () => {
    expect(await checkout("file:///etc/hostname", "{replicas: 3}").run("verify")).toContain(
      "no file is read here: file:///etc/hostname",
    );
  });

  test("is not compared in an upgrade", async () => {
    const own = checkout(other, "{replicas: 3}");
    own.write({
      ...chart("new", "replicas: 2\nmore: {a: 1}\n"),
      "new/Chart.yaml": "apiVersion: v2\nname: web\nversion: 2.0.0\n",
      "new/templates/a.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: '{{ .Values.replicas }}'}\n",
    });
    expect(await own.run("upgrade", "web", "new")).toContain("not compared: a schema is on another host");
  });
});

describe("variables of a Secret that another Kustomization builds, later in the list", () => {
  const from = (secret: string): string =>
    `  postBuild: {substituteFrom: [{kind: Secret, name: ${secret}}]}\n`;
  const secret =
    "apiVersion: v1\nkind: Secret\nmetadata: {name: settings, namespace: flux-system}\nstringData: {DOMAIN: canary}\n";
  const app = kustomization("app", "./app", "GitRepository", from("settings"));
  const files = {
    "flux/apps.yaml": `${app}---\n${kustomization("config", "./config")}`,
    "config/secret.yaml": secret,
    "app/web.yaml": `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: web}\nspec:\n  chartRef: {kind: OCIRepository, name: web}\n  values: {host: "a.\${DOMAIN}", other: "x\${UNSET}", port: "\${PORT:=8080}"}\n`,
  };

  test("it is here: what it lacks is not set, and what it has is not shown", async () => {
    const text = await new Checkout(files).run("explain", "web", "flux");
    expect(text).toMatch(
      /^host: a\.\$\{DOMAIN\} .*\n {2}\$\{DOMAIN\} stays: it is that of Secret\/flux-system\/settings$/m,
    );
    expect(text).toMatch(/^other: x {2}/m);
    expect(text).toMatch(/^port: ("8080"|8080) {2}/m);
    expect(text).not.toContain("canary");
  });

  test("it needs one that is not here itself: what is not known stays", async () => {
    const config = kustomization("config", "./config", "GitRepository", from("gone"));
    const text = await new Checkout({ ...files, "flux/apps.yaml": `${app}---\n${config}` }).run(
      "explain",
      "web",
      "flux",
    );
    expect(text).toContain("it is that of Secret/flux-system/settings");
    const none = await new Checkout({ ...files, "flux/apps.yaml": app }).run("explain", "web", "flux");
    expect(none).toContain("Secret/flux-system/settings is not here, and may set it");
  });
});

describe("two Kustomizations build one directory", () => {
  const values = (replicas: number): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: v, namespace: web}\ndata:\n  values.yaml: |\n    replicas: ${replicas}\n`;
  const files = {
    "clusters/a/sync.yaml": sync("./clusters/a"),
    "clusters/a/hook/ks.yaml": kustomization("hook", "./clusters/a/hook/app"),
    "clusters/a/hook/app/kustomization.yaml": "resources: [web.yaml, v.yaml]\n",
    "clusters/a/hook/app/web.yaml": release("web", "{own: 1}").replace(
      "spec: {",
      "spec: {chartRef: {kind: OCIRepository, name: web}, valuesFrom: [{kind: ConfigMap, name: v}], ",
    ),
    "clusters/a/hook/app/v.yaml": values(2),
  };

  test("what is alike in both is there once", async () => {
    const checkout = new Checkout(files);
    expect(await checkout.run("explain")).toMatch(/^replicas: 2 [^]*status 0$/m);
    expect(await checkout.run("values", "web")).toBe("replicas: 2\nown: 1\nstatus 0\n");
    checkout.write({ "clusters/a/hook/app/v.yaml": values(3) });
    const text = await checkout.run("diff", "HEAD");
    expect(text).toMatch(/replicas {2}2 → 3\n {2}changes {2}HelmRelease\/web\/web/);
    expect(text).toContain("1 edit; 1 of 1 target changes");
  });

  test("what is another one in each is there twice", async () => {
    const patched = kustomization(
      "hook",
      "./clusters/a/hook/app",
      "GitRepository",
      "  patches: [{target: {kind: HelmRelease}, patch: '- {op: replace, path: /spec/values/own, value: 2}'}]\n",
    );
    const text = await new Checkout({ ...files, "clusters/a/hook/ks.yaml": patched }).run("values", "web");
    expect(text).toContain("2 targets are named `web`");
  });
});
