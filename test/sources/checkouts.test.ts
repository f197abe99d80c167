// Checkouts of Argo CD with the remote that their Applications name: which directories are listed, and what `diff` says of an edit.
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Checkout, checkoutUrl } from "../support/git-checkout.ts";

const url = checkoutUrl;
const application = (name: string, source: string): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec:\n  ${source}\n`;
const here = (name: string, path: string): string =>
  application(name, `source: {repoURL: ${url}, path: ${path}}`);
const chart = (values: string): string =>
  `{repoURL: https://charts.example, chart: web, targetRevision: 1.0.0, helm: ${values}}`;
const meter = application("meter", `source: ${chart("{valuesObject: {replicas: 2}}")}`);
/** A chart of others, with a values file of this repository. */
const byReference = application(
  "web",
  `sources: [${chart("{valueFiles: [$values/web/base.yaml]}")}, {repoURL: ${url}, ref: values}]`,
);
const other = {
  "other/kustomization.yaml": "resources: [a.yaml]\n",
  "other/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
};

const following = (path: string, source: string): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec: {path: ${path}, sourceRef: {kind: ${source}, name: flux-system}}\n`;

/** As `flux bootstrap` writes it. */
const gitSync = (path: string, name = "flux-system"): string =>
  `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {url: ${url}}\n---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {path: "${path}", sourceRef: {kind: GitRepository, name: ${name}}}\n`;

test.for([
  ["beside what it deploys", "argocd/root.yaml", "argocd/ns.yaml"],
  ["as one of its resources", "argocd/apps/root.yaml", "argocd/ns.yaml"],
] as const)("an Argo CD that deploys itself is listed: its root is %s", async ([, root, resource]) => {
  const checkout = new Checkout({
    ...other,
    [root]: here("root", "argocd/apps"),
    "argocd/kustomization.yaml": `resources: [${resource.replace("argocd/", "")}]\n`,
    [resource]: "apiVersion: v1\nkind: Namespace\nmetadata: {name: argocd}\n",
    "argocd/apps/self.yaml": here("argocd", "argocd"),
    "argocd/apps/meter.yaml": meter,
  });
  const list = await checkout.run("explain");
  expect(list).toMatch(/^argocd(?:\/apps)? +Argo CD\n/);
  expect(list).toMatch(/\nother +kustomization\n/);
});

test("a listed directory leads to its Applications, whatever is built below it", async () => {
  const checkout = new Checkout({ ...other, "root.yaml": here("root", "apps"), "apps/meter.yaml": meter });
  expect(await checkout.run("explain")).toMatch(
    /^\. +Argo CD\n\nnothing here builds these:\nother +kustomization\n/,
  );
  expect(await checkout.run("explain", ".")).toContain("Application/argocd/meter");
  expect(await checkout.run("doctor")).not.toContain("is no build");
});

test("Applications at the top are read alone: what lies below is not deployed by them", async () => {
  const old =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: old}\nspec:\n  values: {a: 1}\n";
  const checkout = new Checkout({ "one.yaml": meter, "docs/old/release.yaml": old });
  expect(await checkout.run("explain")).not.toContain("HelmRelease");
});

const edited = { "web/base.yaml": "replicas: 9\n" };
const byValues = { "apps/web.yaml": byReference, "web/base.yaml": "replicas: 2\n" };

test.for([[["HEAD"]], [["HEAD~1"]], [["HEAD~1", "HEAD"]]] as const)(
  "diff %j: a file that an Application reads by `$values` is compared",
  async ([words]) => {
    const checkout = new Checkout(byValues);
    checkout.write(edited);
    if (words[0] !== "HEAD") checkout.commit();
    const text = await checkout.run("diff", ...words, "--exit-code");
    expect(text).toContain("web/base.yaml:1:11  replicas  2 → 9");
    expect(text).toContain("1 edit; 1 of 1 target changes\nstatus 1");
  },
);

test("another repository: diff says what it did not compare, and its status shows it", async () => {
  const checkout = new Checkout(byValues, "git@git.example:me/other.git");
  checkout.write(edited);
  const text = await checkout.run("diff", "HEAD", "--exit-code");
  expect(text).toContain("not compared: Application/argocd/web; nothing else changes");
  expect(text).not.toContain("no value changes");
  expect(text).toMatch(/status 2\n$/);
});

test("a fork has another URL and the same name: it is read, and that is reported once", async () => {
  const checkout = new Checkout(byValues, "git@git.example:me/deploy.git");
  checkout.write(edited);
  const text = await checkout.run("diff", "HEAD", "--exit-code");
  expect(text).toContain("web/base.yaml:1:11  replicas  2 → 9");
  expect(text).toMatch(/status 1\n$/);
  expect((await checkout.run("explain")).split(`no git remote has the URL ${url}`)).toHaveLength(2);
});

test("an Application that deploys a kustomization reads what that has outside of its folder", async () => {
  const checkout = new Checkout({
    "apps/web.yaml": here("web", "overlays/prod"),
    "overlays/prod/kustomization.yaml": "resources: [../../base]\n",
    "base/kustomization.yaml": "resources: [app.yaml]\n",
    "base/app.yaml": meter,
  });
  checkout.write({ "base/app.yaml": meter.replace("replicas: 2", "replicas: 9") });
  const text = await checkout.run("diff", "HEAD", "--exit-code");
  expect(text).toContain("replicas  2 → 9");
  expect(text).toMatch(/status 1\n$/);
});

test("diff: a file that takes the place of a chart's values is compared, wherever it is", async () => {
  const checkout = new Checkout({
    "clusters/home/sync.yaml": gitSync("clusters/home"),
    "clusters/home/web.yaml":
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: flux-system}\nspec: {chart: {spec: {chart: charts/web, valuesFiles: [prod.yaml], sourceRef: {kind: GitRepository, name: flux-system}}}, values: {a: 1}}\n",
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "prod.yaml": "replicas: 2\n",
  });
  checkout.write({ "prod.yaml": "replicas: 9\n" });
  const text = await checkout.run("diff", "HEAD", "--exit-code");
  expect(text).toContain("prod.yaml:1:11  replicas  2 → 9");
  expect(text).toMatch(/status 1\n$/);
});

const release = (replicas: number): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: web}\nspec: {values: {replicas: ${replicas}}}\n`;
const instance = `apiVersion: fluxcd.controlplane.io/v1
kind: FluxInstance
metadata: {name: flux, namespace: flux-system}
spec:
  distribution: {version: 2.x, registry: ghcr.io/fluxcd}
  sync: {kind: OCIRepository, url: "oci://registry.example/team/fleet", ref: latest, path: clusters/home}
`;
test.for([
  ["at the top", "", url],
  ["in a folder, of which its artifact is made", "kubernetes/", url],
  ["in an example in another repository", "examples/flux/", "https://git.example/any/thing.git"],
] as const)("a FluxInstance is a root, %s", async ([, folder, remote]) => {
  const checkout = new Checkout(
    {
      ...other,
      [`${folder}clusters/home/flux-system/flux.yaml`]: instance,
      [`${folder}clusters/home/apps.yaml`]: following("apps", "OCIRepository"),
      [`${folder}apps/web.yaml`]: release(2),
    },
    remote,
  );
  expect(await checkout.run("explain")).toMatch(
    new RegExp(`^${folder}clusters/home +Flux\n\nnothing here builds these:\nother +kustomization\n`),
  );
  const found = await checkout.run("explain", `${folder}clusters/home`, "web", "replicas");
  expect(found).toMatch(/^ +2 +\S*apps\/web.yaml:4:27/m);
  checkout.write({ [`${folder}apps/web.yaml`]: release(9) });
  expect(await checkout.run("diff", "HEAD", "--exit-code")).toMatch(/2 → 9[^]*status 1\n$/);
});

test("diff of two directories reads each in its own repository", async () => {
  const files = {
    "app.yaml": here("shop", "chart"),
    "chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
  };
  const old = new Checkout({ ...files, "chart/values.yaml": "a: 1\n" });
  const now = new Checkout({ ...files, "chart/values.yaml": "a: 2\n" });
  expect(await now.run("diff", old.folder, ".")).toContain("a  1 → 2");
  const same = new Checkout({ ...files, "chart/values.yaml": "a: 2\n" });
  expect(await now.run("diff", same.folder, ".", "--exit-code")).toMatch(
    /no value changes in 1 target\nstatus 0\n$/,
  );
});

test("files with a list at the top are no values files", async () => {
  const files = {
    "values-hub.yaml": "replicas: 1\n",
    "values-own.yaml": "replicas: 9\n",
    "ci/site.yaml": "- hosts: all\n",
  };
  await expect(new Checkout(files).run("explain")).rejects.toThrow("has 2 values files: name them in order");
});

/** As fluxcd/flux2-kustomize-helm-example has it. */
const byArtifacts = {
  "clusters/home/flux-system/gotk-sync.yaml": gitSync("clusters/home"),
  "clusters/home/artifacts.yaml": `apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: {name: apps, namespace: flux-system}
spec:
  sources: [{alias: git, kind: GitRepository, name: flux-system}]
  artifacts:
    - name: apps
      copy: [{from: "@git/apps/base/**", to: "@artifact/base/"}, {from: "@git/apps/home/**", to: "@artifact/home/"}]
`,
  "clusters/home/apps.yaml": following("./home", "ExternalArtifact").replace(
    "sourceRef: {kind: ExternalArtifact, name: flux-system}",
    "sourceRef: {kind: ExternalArtifact, name: apps}",
  ),
  "apps/home/kustomization.yaml": "resources: [../base]\n",
  "apps/base/kustomization.yaml": "resources: [web.yaml]\n",
  "apps/base/web.yaml": release(2),
};

test("a path that ends like the folder of its file is no sync: an artifact has it", async () => {
  const checkout = new Checkout(byArtifacts);
  expect(await checkout.run("explain", "clusters/home", "web", "replicas")).toMatch(/^ +2 /m);
});

test("artifacts that are made of each other are located nowhere, and once each", async () => {
  const generator = (name: string, from: string): string =>
    `apiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  sources: [{alias: x, kind: ExternalArtifact, name: ${from}}]\n  artifacts: [{name: ${name}, copy: [{from: "@x/a/**", to: "@artifact/a/"}, {from: "@x/b/**", to: "@artifact/b/"}]}]\n`;
  const chain = Array.from({ length: 40 }, (_, index) => generator(`a${index}`, `a${(index + 1) % 40}`));
  const checkout = new Checkout({
    "clusters/home/flux-system/gotk-sync.yaml": gitSync("clusters/home"),
    "clusters/home/all.yaml": chain.join("---\n"),
    "clusters/home/apps.yaml": following("./a", "ExternalArtifact").replace(
      "name: flux-system}}",
      "name: a0}}",
    ),
  });
  expect(await checkout.run("explain", "clusters/home", "--json")).toContain("of ExternalArtifact/a0: ");
});

test("Kustomizations in a circle build each directory once", async () => {
  const checkout = new Checkout({
    "a/b.yaml": following("./b", "GitRepository"),
    "b/a.yaml": following("./a", "GitRepository").replace("name: apps", "name: again"),
    "a/web.yaml": release(2),
  });
  expect(await checkout.run("values", "web")).toMatch(/^replicas: 2$/m);
});

test("a path that a set writes anywhere but in a Kustomization is no directory that it builds", async () => {
  const set = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: all, namespace: flux-system}
spec:
  inputs: [{name: shop}]
  resources:
    - {apiVersion: v1, kind: ConfigMap, metadata: {name: "<< inputs.name >>", namespace: a}, data: {path: "<< inputs.name >>"}}
    - ${JSON.stringify({ apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization", metadata: { name: "<< inputs.name >>", namespace: "flux-system" }, spec: { path: "./teams/<< inputs.name >>", sourceRef: { kind: "GitRepository", name: "flux-system" } } })}
`;
  const one = "resources: [web.yaml]\n";
  const checkout = new Checkout({
    "clusters/home/flux-system/gotk-sync.yaml": gitSync("clusters/home"),
    "clusters/home/set.yaml": set,
    ...Object.fromEntries(
      ["teams/shop", "teams/other", "old"].flatMap((each) => [
        [`${each}/kustomization.yaml`, one],
        [`${each}/web.yaml`, release(2)],
      ]),
    ),
  });
  expect(await checkout.run("explain")).toMatch(
    /^clusters\/home +Flux\n\nnothing here builds these:\nold +kustomization\nteams\/other +kustomization\n/,
  );
});

test.each([
  ["name: shop", "/teams/shop"],
  ["selector: {matchLabels: {of: teams}}", "/teams/shop", "/teams/mail"],
  ["name: none"],
])("directories that a set builds by inputs of providers are no guesses: %s", async (from, ...built) => {
  const set = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: all, namespace: flux-system}
spec:
  inputsFrom: [{kind: ResourceSetInputProvider, ${from}}]
  resources:
    - ${JSON.stringify({ apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization", metadata: { name: "<< inputs.name >>", namespace: "flux-system" }, spec: { path: "./teams/<< inputs.name >>", sourceRef: { kind: "GitRepository", name: "flux-system" } } })}
`;
  const provider = (name: string): string =>
    `apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSetInputProvider\nmetadata: {name: ${name}, namespace: flux-system, labels: {of: teams}}\nspec: {type: Static, defaultValues: {name: ${name}}}\n`;
  const teams = ["shop", "mail", "other"];
  const checkout = new Checkout({
    "clusters/home/flux-system/gotk-sync.yaml": gitSync("clusters/home"),
    "clusters/home/set.yaml": set,
    "clusters/home/inputs.yaml": `${provider("shop")}---\n${provider("mail")}`,
    ...Object.fromEntries(
      teams.flatMap((each) => [
        [`teams/${each}/kustomization.yaml`, "resources: [web.yaml]\n"],
        [`teams/${each}/web.yaml`, release(2)],
      ]),
    ),
  });
  const text = await checkout.run("explain");
  const guesses = teams.map((each) => `/teams/${each}`).filter((each) => !built.includes(each));
  expect(
    [...text.matchAll(/^teams(\/\w+) +kustomization$/gm)].map(([, name]) => `/teams${name}`).toSorted(),
  ).toEqual(guesses.toSorted());
});

test("what a build takes from a Secret is in no message about a set", async () => {
  const set = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: all, namespace: flux-system}
spec:
  commonMetadata: {annotations: {valuefold.dev/priority: "1"}}
  inputsFrom: [{kind: ResourceSetInputProvider, name: some}]
  resources: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: a}}]
`;
  const into = (path: string): string =>
    `{source: {kind: Secret, name: gen, fieldPath: data.nm}, targets: [{select: {kind: ResourceSet}, fieldPaths: [${path}]}]}`;
  for (const path of [
    "spec.inputsFrom.0.name",
    "'spec.commonMetadata.annotations.[valuefold.dev/priority]'",
  ]) {
    const checkout = new Checkout({
      "clusters/home/flux-system/gotk-sync.yaml": gitSync("clusters/home"),
      "clusters/home/kustomization.yaml": `resources: [set.yaml, flux-system/gotk-sync.yaml]\nsecretGenerator: [{name: gen, literals: [nm=c4n4ry]}]\nreplacements: [${into(path)}]\n`,
      "clusters/home/set.yaml": set,
    });
    for (const words of [["explain", "clusters/home"], ["verify"], ["doctor"]]) {
      const text = await checkout.run(...words);
      expect(text).not.toMatch(/c4n4ry|YzRuNHJ5/);
    }
  }
});

test("diff: values in a slot that valuefold leaves to the platform are not compared, where they differ", async () => {
  const app =
    "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: web, namespace: org}\nspec: {catalog: default, name: web, version: 1.0.0, userConfig: {configMap: {name: web-user, namespace: org}}}\n";
  const config = (text: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web-user, namespace: org}\ndata: {values: "a: ${text}"}\n`;
  const checkout = new Checkout({ "all/app.yaml": app, "all/values.yaml": config("1") });
  expect(await checkout.run("diff", "HEAD", "all", "--exit-code")).toMatch(/no value changes[^]*status 0\n$/);
  checkout.write({ "all/values.yaml": config("2") });
  const text = await checkout.run("diff", "HEAD", "all", "--exit-code");
  expect(text).toContain("not compared: ConfigMap/org/web-user");
  expect(text).not.toContain("no value changes");
  expect(text).toMatch(/status 2\n$/);
});

test("a file that a build has by way of a link, and any file where one may have all, is no leftover", async () => {
  const checkout = new Checkout({
    ...other,
    "clusters/home/flux-system/gotk-sync.yaml": gitSync("clusters/home"),
    "clusters/home/apps.yaml": following("./linked", "GitRepository"),
    "apps/web.yaml": release(2),
  });
  symlinkSync("apps", join(checkout.folder, "linked"));
  expect(await checkout.run("explain")).not.toContain("nothing here builds 1 file");
  checkout.write({ "clusters/home/apps.yaml": following("/", "GitRepository") });
  rmSync(join(checkout.folder, "linked"));
  expect(await checkout.run("explain")).not.toContain("nothing here builds 1 file");
});

test("a chain of artifacts that is too long is located nowhere", { tags: "law" }, async () => {
  const count = 5000;
  const numbers = Array.from({ length: count }, (_, index) => index);
  const sources = numbers.map((each) => `{alias: x${each}, kind: ExternalArtifact, name: a${each + 1}}`);
  const artifacts = numbers.map(
    (each) => `{name: a${each}, copy: [{from: "@x${each}/a/**", to: "@artifact/a/"}]}`,
  );
  const checkout = new Checkout({
    "clusters/home/flux-system/gotk-sync.yaml": gitSync("clusters/home"),
    "clusters/home/all.yaml": `apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: {name: all, namespace: flux-system}
spec: {sources: [${sources.join(", ")}], artifacts: [${artifacts.join(", ")}]}
`,
    "clusters/home/apps.yaml": following("./a", "ExternalArtifact").replace(
      "name: flux-system}}",
      "name: a0}}",
    ),
  });
  expect(await checkout.run("explain", "clusters/home", "--json")).toContain("of ExternalArtifact/a0: ");
});

test(
  "a set that makes itself under another name, again and again, ends in a fault",
  { tags: "law" },
  async () => {
    const template = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: "q<< len inputs.num >>", namespace: flux-system}
spec:
  inputs:
    - {num: "x<< inputs.num >>", txt: << inputs.txt | toJson >>}
  resourcesTemplate: << inputs.txt | toJson >>
`;
    const set = {
      apiVersion: "fluxcd.controlplane.io/v1",
      kind: "ResourceSet",
      metadata: { name: "q", namespace: "flux-system" },
      spec: { inputs: [{ num: "x", txt: template }], resourcesTemplate: template },
    };
    const checkout = new Checkout({
      "clusters/home/flux-system/gotk-sync.yaml": gitSync("clusters/home"),
      "clusters/home/set.yaml": JSON.stringify(set),
    });
    expect(await checkout.run("explain", "clusters/home", "--json")).toContain(
      "sets make it in more than 100 steps",
    );
  },
);

/** As fluxcd/flux2-multi-tenancy has it: a patch gives a Kustomization its path, below another branch of this repository. */
test("a patch is no Kustomization, and nothing but a sync has all of the repository", async () => {
  const checkout = new Checkout({
    "clusters/home/flux-system/gotk-sync.yaml": gitSync("clusters/home"),
    "clusters/home/tenants.yaml": following("./tenants/home", "GitRepository"),
    "clusters/far/tenants.yaml": following("./tenants/home", "GitRepository"),
    "tenants/home/kustomization.yaml": "resources: [../base]\npatches: [{path: patch.yaml}]\n",
    "tenants/home/patch.yaml": following("./home", "GitRepository").replace("name: apps", "name: team"),
    "tenants/base/kustomization.yaml": "resources: [sync.yaml]\n",
    "tenants/base/sync.yaml": gitSync("", "team"),
  });
  expect(await checkout.run("explain")).toMatch(
    /^clusters\/home +Flux\n\nnothing here builds these:\nclusters\/far +Flux\n/,
  );
});

test("a source of Flux is a checkout that the user names, or a folder that the checkout's settings name", async () => {
  const theirs = "https://git.example/team/web.git";
  const named = gitSync("./deploy", "web").replace(url, theirs);
  const cluster = {
    "clusters/home/flux-system/gotk-sync.yaml": gitSync("clusters/home"),
    "clusters/home/web.yaml": named,
  };
  const far = new Checkout({ "deploy/web.yaml": release(2) }, theirs);
  const near = new Checkout(cluster);
  expect(await near.run("explain", "web", "replicas")).toMatch(
    /of GitRepository\/web: it is another repository\n(?: {2}at .*\n)? {2}hint {2}name a checkout of it: --repo https:\/\/git\.example\/team\/web\.git=DIR\n/,
  );
  near.write({ "clusters/home/web.yaml": named.replace(theirs, theirs.replace("//", "//bot:token@")) });
  const secretive = await near.run("explain", "web", "replicas");
  expect(secretive).toContain("--repo https://git.example/team/web.git=DIR\n");
  expect(secretive).not.toContain("token");
  near.write(cluster);
  expect(await near.run("explain", "web", "replicas", "--repo", `${theirs}=${far.folder}`)).toMatch(/^ +2 /m);
  near.write({
    "own/deploy/web.yaml": release(9),
    ".valuefold.yaml": `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {checkout: {sources: [{url: "${theirs}", folder: own}]}}\n`,
  });
  expect(await near.run("explain", "web", "replicas")).toMatch(/^ +9 /m);
});

test("an Application that deploys its own folder is there once", async () => {
  const checkout = new Checkout({ ...other, "apps/all.yaml": here("all", "apps"), "apps/meter.yaml": meter });
  const text = await checkout.run("explain", "apps");
  expect(text).toContain("Application/argocd/meter");
  expect(text).not.toContain("there twice");
});

test("the directories that a set deploys are no entries of their own", async () => {
  const set = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all, namespace: argocd}
spec:
  generators: [{git: {repoURL: ${url}, directories: [{path: "kust/*"}, {path: kust/old, exclude: true}]}}]
  template:
    metadata: {name: "in-{{path.basename}}"}
    spec: {source: {repoURL: ${url}, path: "{{path}}"}}
`;
  const one = "resources: [meter.yaml]\n";
  const checkout = new Checkout({
    "argocd/set.yaml": set,
    "kust/x/kustomization.yaml": one,
    "kust/x/meter.yaml": meter,
    "kust/old/kustomization.yaml": one,
    "kust/old/meter.yaml": meter,
  });
  expect(await checkout.run("explain")).toMatch(
    /^argocd +Argo CD\n\nnothing here builds these:\nkust\/old +Argo CD\n|^argocd +Argo CD\nkust\/old +Argo CD\n/,
  );
});

test("a copy of a repository is found by its name, also where nothing but a values file is named", async () => {
  const theirs = "https://git.example/others/bank.git";
  const checkout = new Checkout({
    ...other,
    "examples/bank/apps/web.yaml": byReference.replace(url, theirs),
    "examples/bank/web/base.yaml": "replicas: 2\n",
  });
  checkout.write({ "examples/bank/web/base.yaml": "replicas: 9\n" });
  const text = await checkout.run("diff", "HEAD", "--exit-code");
  expect(text).toContain("examples/bank/web/base.yaml:1:11  replicas  2 → 9");
  expect(text).toMatch(/status 1\n$/);
});

test("releases that no build has are named, and are no targets", async () => {
  const checkout = new Checkout({ ...other, "apps/meter.yaml": meter, "docs/old/release.yaml": release(2) });
  const text = await checkout.run("explain");
  expect(text).toContain("info[not-built]: nothing here builds 1 file: docs/old/release.yaml, with targets");
  expect(text).toMatch(/status 0\n$/);
  expect(await checkout.run("explain", "--json")).not.toContain('"HelmRelease"');
});

test("in a source that is a folder `..` ends at the folder, also in paths of components", async () => {
  const sync = (name: string, path: string, more = ""): string =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {path: ${path}, sourceRef: {kind: OCIRepository, name: flux-system}${more}}\n`;
  const all = [
    sync("flux-system", "./flux/home"),
    sync("web", "../../web"),
    sync("api", "./api", ", components: [../../../parts]"),
  ];
  const one = "resources: [a.yaml]\n";
  const checkout = new Checkout({
    ...other,
    "kubernetes/flux/home/sync.yaml": all.join("---\n"),
    "kubernetes/web/kustomization.yaml": one,
    "kubernetes/web/a.yaml": meter,
    "kubernetes/api/a.yaml": meter,
    "kubernetes/parts/kustomization.yaml": one,
    "kubernetes/parts/a.yaml": meter,
  });
  expect(await checkout.run("explain")).toMatch(
    /^kubernetes\/flux\/home +Flux\n\nnothing here builds these:\nother +kustomization\n\S/,
  );
});

test("a directory that only `source` names is not deployed where an Application has `sources`", async () => {
  const both = application(
    "web",
    `source: {repoURL: ${url}, path: old}\n  sources: [{repoURL: ${url}, path: other}]`,
  );
  const old = { "old/kustomization.yaml": "resources: [a.yaml]\n", "old/a.yaml": other["other/a.yaml"] };
  const text = await new Checkout({ ...other, ...old, "argocd/web.yaml": both }).run("explain");
  expect(text).toMatch(/^old +kustomization$/m);
  expect(text).not.toMatch(/^other +kustomization$/m);
});
