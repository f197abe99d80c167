// What commits of public checkouts do, and what `diff` said wrong of them.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Comparison } from "../../src/comparison.ts";
import { Checkout, checkoutUrl as url } from "../support/git-checkout.ts";

type Files = Readonly<Record<string, string>>;

/** What `diff` says of a change of some files; of those without a text, that they are gone. */
async function diffOf(
  before: Files,
  after: Readonly<Record<string, string | undefined>>,
  ...words: readonly string[]
): Promise<string> {
  const checkout = new Checkout(before);
  const written = Object.entries(after).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));
  for (const [name, text] of Object.entries(after))
    if (text === undefined) rmSync(join(checkout.folder, name), { recursive: true });
  checkout.write(Object.fromEntries(written) as Files);
  checkout.commit();
  return checkout.run("diff", "HEAD~1", "HEAD", "--exit-code", ...words);
}

const kustomization = (name: string, path: string, source = "flux-system"): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {${path === "" ? "" : `path: ${path}, `}sourceRef: {kind: GitRepository, name: ${source}}}\n`;
const release = (chart: string, version: string, values = "", source = "HelmRepository"): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: web}\nspec:\n  chart: {spec: {chart: ${chart}, version: ${version}, sourceRef: {kind: ${source}, name: r}}}\n${values === "" ? "" : `  values: ${values}\n`}`;
const application = (name: string, helm: string, path = "charts/web"): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec:\n  destination: {namespace: web}\n  source: {repoURL: ${url}, path: ${path}, helm: ${helm}}\n`;
const described = (name: string, version: string, more = ""): string =>
  `apiVersion: v2\nname: ${name}\nversion: ${version}\n${more}`;
const template = 'kind: ConfigMap\nmetadata: {name: c}\ndata: {r: "{{ .Values.replicas }}", other: old}\n';

describe("a chart of the checkout gets another version in the commit that edits", () => {
  const chart = {
    "charts/web/Chart.yaml": described("web", "1.0.0"),
    "charts/web/values.yaml": "replicas: 1\ncolour: red\n",
    "charts/web/values-prod.yaml": "replicas: 3\n",
    "charts/web/templates/c.yaml": template,
    "apps/web.yaml": application("web", "{valueFiles: [values-prod.yaml]}"),
  };
  const bump = { "charts/web/Chart.yaml": described("web", "1.1.0") };

  test("a values file in its folder: that is an edit", async () => {
    const text = await diffOf(chart, { ...bump, "charts/web/values-prod.yaml": "replicas: 5\n" });
    expect(text).toMatch(
      /^charts\/web\/values-prod\.yaml:1:11 {2}replicas {2}3 → 5\n {2}changes {2}Application\/argocd\/web/m,
    );
    expect(text).toContain("1 chart upgrade; 1 edit; 1 of 1 target changes");
  });

  test("its own values: these are a part of the upgrade", async () => {
    const text = await diffOf(chart, { ...bump, "charts/web/values.yaml": "replicas: 1\ncolour: blue\n" });
    expect(text).toContain("1 chart upgrade\n");
    expect(text).not.toContain("→ blue");
  });

  test("its own values, where it does not render: these are edits", async () => {
    const lacking = "dependencies: [{name: loki, version: 2.0.0, repository: 'https://charts.example'}]\n";
    const before = { ...chart, "charts/web/Chart.yaml": described("web", "1.0.0", lacking) };
    const after = {
      "charts/web/Chart.yaml": described("web", "1.1.0", lacking),
      "charts/web/values.yaml": "replicas: 1\ncolour: blue\n",
    };
    expect(await diffOf(before, after)).toMatch(/^charts\/web\/values\.yaml:2:9 {2}colour {2}red → blue$/m);
  });

  test("a template of Applications: their values are edited", async () => {
    const made = (replicas: number): string => application("made", `{valuesObject: {replicas: ${replicas}}}`);
    const before = {
      ...chart,
      "apps/web.yaml": application("web", "{}", "charts/all"),
      "charts/all/Chart.yaml": described("all", "1.0.0"),
      "charts/all/templates/a.yaml": made(3),
    };
    const text = await diffOf(before, {
      "charts/all/Chart.yaml": described("all", "1.1.0"),
      "charts/all/templates/a.yaml": made(5),
    });
    expect(text).toMatch(
      /^charts\/all\/templates\/a\.yaml:6.* replicas {2}3 → 5\n {2}changes {2}Application\/argocd\/made/m,
    );
  });

  test("a template: its objects are listed with `--manifests`, and else that they are not", async () => {
    const after = { ...bump, "charts/web/templates/c.yaml": template.replace("old", "new") };
    expect(await diffOf(chart, after, "--manifests")).toContain("ConfigMap/c  data.other  old → new");
    expect(await diffOf(chart, after)).toContain("objects of charts with another version are not compared");
  });
});

describe("a release that leaves all to its chart", () => {
  const cluster = { "cluster/app.yaml": kustomization("app", "./app") };
  const [bare, valued] = [release("web", "1.0.0"), release("web", "1.0.0", "{a: 1}")];

  test.each([
    [
      "its first value",
      bare,
      valued,
      /^ {2}changes {2}HelmRelease\/web\/web \(cluster\) {2}a {2}\(unset\) → 1, app\/web/m,
    ],
    [
      "its last value",
      valued,
      bare,
      /^ {2}changes {2}HelmRelease\/web\/web \(cluster\) {2}a {2}1 → \(unset\)$/m,
    ],
  ])("%s: nothing is added or removed", async (_, before, after, said) => {
    const text = await diffOf({ ...cluster, "app/web.yaml": before }, { "app/web.yaml": after });
    expect(text).toMatch(said);
    expect(text).not.toMatch(/is added|is removed/);
  });

  test("it is added, or removed", async () => {
    const spare = { ...cluster, "app/spare.yaml": valued.replace("name: web", "name: spare") };
    const [one, two] = [spare, { ...spare, "app/web.yaml": bare }];
    expect(await diffOf(one, two)).toMatch(/^HelmRelease\/web\/web \(cluster\) is added\n[^]*status 1$/m);
    expect(await diffOf(two, { "app/web.yaml": undefined })).toMatch(
      /^HelmRelease\/web\/web \(cluster\) is removed\n/m,
    );
  });

  test("it stays as it is: it is not counted", async () => {
    const before = {
      ...cluster,
      "app/web.yaml": bare,
      "app/spare.yaml": valued.replace("name: web", "name: spare"),
    };
    expect(
      await diffOf(before, { "app/spare.yaml": before["app/spare.yaml"].replace("a: 1", "a: 2") }),
    ).toContain("1 of 1 target changes");
  });
});

describe("a chart of the same version from another source may be another chart", () => {
  const cluster = { "cluster/app.yaml": kustomization("app", "./app") };
  const object = (kind: string, spec: string): string =>
    `---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: ${kind}\nmetadata: {name: r, namespace: web}\nspec: {${spec}}\n`;
  const ofChart = release("web", "1.0.0", "{a: 1}");
  const ofGit = release("charts/web", "1.0.0", "{a: 1}", "GitRepository");
  const referred = ofChart.replace(/ {2}chart: .*/, "  chartRef: {kind: OCIRepository, name: r}");

  test.each([
    [
      "another repository",
      ofChart,
      ofChart.replace("name: r}", "name: s}"),
      "web 1.0.0 → 1.0.0 from another source",
    ],
    [
      "another URL",
      ofChart + object("HelmRepository", "url: https://one.example"),
      ofChart + object("HelmRepository", "url: https://two.example"),
      "web 1.0.0 → 1.0.0 from another source",
    ],
    [
      "another tag of a git repository",
      ofGit + object("GitRepository", "url: https://git.example/o/charts, ref: {tag: v1}"),
      ofGit + object("GitRepository", "url: https://git.example/o/charts, ref: {tag: v2}"),
      "web 1.0.0 → 1.0.0 from another source",
    ],
    ["another artifact", referred, referred.replace("name: r}", "name: s}"), "r → s"],
  ])("%s", async (_, before, after, said) => {
    const text = await diffOf({ ...cluster, "app/web.yaml": before }, { "app/web.yaml": after });
    expect(text).toContain(`chart ${said}`);
    expect(text).toMatch(/^ {2}not compared: it (?:may be|is) another chart$/m);
    expect(text).toMatch(/^status 2$/m);
  });

  test("other fields of the source say nothing of the chart", async () => {
    const [one, two] = ["5m", "6m"].map(
      (each) => ofChart + object("HelmRepository", `url: https://one.example, interval: ${each}`),
    );
    const text = await diffOf({ ...cluster, "app/web.yaml": one ?? "" }, { "app/web.yaml": two });
    expect(text).toMatch(/^no value changes in 1 target\n[^]*status 0$/m);
  });
});

test("what Flux leaves out by `.sourceignore` is read: an edit of that file is not compared", async () => {
  const files = {
    "cluster/app.yaml": kustomization("app", "./app"),
    "app/web.yaml": release("web", "1.0.0"),
  };
  const text = await diffOf({ ...files, ".sourceignore": "*.md\n" }, { ".sourceignore": "/app/web.yaml\n" });
  expect(text).toMatch(/^not compared: \.sourceignore\n[^]*status 2$/m);
});

test("a second Kustomization brings a release again: which one Flux applies is not known", async () => {
  const [one, two] = [release("web", "1.0.0", "{a: 1}"), release("web", "1.0.0", "{a: 2}")];
  const once = { "cluster/app.yaml": kustomization("app", "./app"), "app/web.yaml": one };
  const twice = { ...once, "cluster/more.yaml": kustomization("more", "./more"), "more/web.yaml": two };
  const said = /^not compared: cluster: HelmRelease\/web\/web \(2 of this name\)[^]*status 2$/m;
  expect(await diffOf(once, twice)).toMatch(said);
  expect(await diffOf(twice, { "cluster/more.yaml": undefined })).toMatch(said);
  const text = await diffOf(twice, { "more/web.yaml": release("web", "1.0.0", "{a: 3}") });
  expect(text).toMatch(
    /^more\/web\.yaml:6:15 {2}a {2}2 → 3\n {2}changes {2}HelmRelease\/web\/web \(cluster\)$/m,
  );
  expect(text).toMatch(/^1 edit; 1 of 2 targets changes$[^]*status 1$/m);
});

test.each([
  ["HelmRelease", release("promtail", "6.15.0", "{a: 1}"), release("alloy", "1.0.0", "{a: 1}")],
  [
    "Application",
    application("web", "{values: 'a: 1'}").replace(
      "path: charts/web",
      "chart: promtail, targetRevision: 6.15.0",
    ),
    application("web", "{values: 'a: 1'}").replace("path: charts/web", "chart: alloy, targetRevision: 1.0.0"),
  ],
])("another chart is named, and not compared: %s", async (_, before, after) => {
  const text = await diffOf({ "app/web.yaml": before }, { "app/web.yaml": after });
  expect(text).toMatch(
    /^chart promtail 6\.15\.0 → alloy 1\.0\.0, in .*\n {2}not compared: it is another chart\n/m,
  );
  expect(text).not.toContain("no value changes");
  expect(text).toContain("status 2");
});

test("another chart, where both are here: their objects are compared", async () => {
  const chart = (name: string): Files => ({
    [`charts/${name}/Chart.yaml`]: described(name, "1.0.0"),
    [`charts/${name}/templates/c.yaml`]: template.replace("name: c", `name: ${name}`),
  });
  const of = (name: string): Files => ({
    "apps/web.yaml": application("web", "{values: 'replicas: 1'}", `charts/${name}`),
  });
  const text = await diffOf({ ...chart("old"), ...chart("new"), ...of("old") }, of("new"));
  expect(text).toMatch(/^ {2}ConfigMap\/old is removed\n {2}ConfigMap\/new is added\n[^]*status 1$/m);
  expect(text).not.toContain("not compared");
});

describe("an Application with several sources", () => {
  const charts = Object.fromEntries(
    ["one", "two"].flatMap((name) => [
      [`charts/${name}/Chart.yaml`, described(name, "1.0.0")],
      [`charts/${name}/values.yaml`, "a: 1\n"],
    ]),
  ) as Files;
  const of = (one: string, two: string): string =>
    application("web", "{}").replace(
      /source: .*/,
      `sources:\n    - {repoURL: ${url}, path: charts/one, helm: ${one}}\n    - {repoURL: ${url}, path: charts/two, helm: ${two}}`,
    );

  test.each([
    ["a value of the second one", "{valuesObject: {b: 1}}", "{valuesObject: {b: 2}}", "b  1 → 2"],
    ["the first value of it", "{}", "{valuesObject: {a: 2}}", "a  1 → 2"],
  ])("%s is edited", async (_, before, after, said) => {
    const first = "{valuesObject: {b: 5}}";
    const text = await diffOf(
      { ...charts, "apps/web.yaml": of(first, before) },
      { "apps/web.yaml": of(first, after) },
    );
    expect(text).toContain(said);
    expect(text).toMatch(/1 edit; 1 of 1 target changes\n[^]*status 1$/m);
  });

  test("values of two sources at one path are compared apart", async () => {
    const build = (name: string, two: string): Files => ({
      [`${name}/kustomization.yaml`]: "resources: [web.yaml]\n",
      [`${name}/web.yaml`]: of("{valuesObject: {b: 1}}", `{valuesObject: {b: ${two}}}`),
    });
    const checkout = new Checkout({ ...charts, ...build("x", "2"), ...build("y", "3") });
    const text = await checkout.run("compare", "x", "y", "-o", "json");
    const [target] = (JSON.parse(text.slice(0, text.lastIndexOf("}") + 1)) as Comparison).targets;
    expect(target?.rows.map(({ stack, path }) => [stack, path.join(".")])).toEqual([["two", "b"]]);
    expect(target?.equal).toBe(3);
  });
});

test("Applications go into a folder of their folder: what is built of both is the same", async () => {
  const own = (value: number): string => application("web", `{valuesObject: {a: ${value}}}`);
  const before = {
    "apps/web.yaml": own(1),
    "apps/api.yaml": application("api", "{valuesObject: {b: 1}}"),
    "charts/web/Chart.yaml": described("web", "1.0.0"),
  };
  const text = await diffOf(before, {
    "apps/web.yaml": undefined,
    "apps/api.yaml": undefined,
    "apps/one/web.yaml": own(2),
    "apps/one/api.yaml": before["apps/api.yaml"],
  });
  expect(text).toMatch(/ a {2}1 → 2$/m);
  expect(text).toContain("1 edit; 1 of 1 target changes");
});

test("a folder that no kustomization above names is no part of what they build", async () => {
  const hr = (name: string, value: number): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: x}\nspec: {values: {a: ${value}}}\n`;
  const before = {
    "prod/kustomization.yaml": "resources: [../apps, own.yaml]\n",
    "prod/own.yaml": hr("own", 1),
    "apps/kustomization.yaml": "resources: [web.yaml]\n",
    "apps/web.yaml": hr("web", 1),
    "apps/extra/kustomization.yaml": "resources: [extra.yaml]\n",
    "apps/extra/extra.yaml": hr("extra", 1),
  };
  const text = await diffOf(before, {
    "prod/kustomization.yaml": "resources: [own.yaml]\n",
    "apps/extra": undefined,
  });
  expect(text).toContain("HelmRelease/x/extra (apps/extra) is removed, with 1 value");
});

test("an Application that the kustomization of its directory does not name has a name of its own", async () => {
  const own = (name: string, value: number): string => application(name, `{valuesObject: {a: ${value}}}`);
  const files = {
    "charts/web/Chart.yaml": described("web", "1.0.0"),
    "apps/kustomization.yaml": "resources: [web.yaml]\n",
    "apps/web.yaml": own("web", 1),
    "apps/old.yaml": own("old", 1),
    "other/x.yaml": own("x", 1),
  };
  const text = await diffOf(files, { "apps/old.yaml": own("old", 2) });
  expect(text).toMatch(/ a {2}1 → 2\n {2}changes {2}Application\/argocd\/old \(apps\/old\.yaml\)$/m);
  const compared = await new Checkout(files).run("compare");
  expect(compared).toContain("3 builds, 3 targets");
});

test("a kustomization that a plugin builds is a build of its own: it is read", async () => {
  const app = application("web", "{}", "infra/web").replace("helm: {}", "plugin: {name: any}");
  const files = {
    "apps/web.yaml": app,
    "infra/web/kustomization.yaml":
      "helmCharts: [{name: web, repo: 'https://charts.example', version: 1.0.0, valuesFile: values.yaml}]\n",
    "infra/web/values.yaml": "a: 1\n",
  };
  const text = await diffOf(files, { "infra/web/values.yaml": "a: 2\n" });
  expect(text).toMatch(/ a {2}1 → 2\n {2}changes {2}Chart\/web \(infra\/web\)$/m);
  expect(text).toContain("a plugin makes it");
});

describe("sources of an Application change their places", () => {
  const remote = (chart: string, replicas: number, version = "1.0.0"): string =>
    `{repoURL: 'https://charts.example', chart: ${chart}, targetRevision: ${version}, helm: {valuesObject: {replicas: ${replicas}}}}`;
  const [local, other] = ["web", "api"].map(
    (name) =>
      `{repoURL: ${url}, path: charts/${name}, helm: {valueFiles: [$values/values/${name}.yaml], valuesObject: {colour: red}}}`,
  );
  const values = `{repoURL: ${url}, ref: values}`;
  const withSources = (...sources: readonly string[]): Files => ({
    "apps/web.yaml": `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: argocd}\nspec:\n  destination: {namespace: web}\n  sources:\n${sources.map((each) => `    - ${each}\n`).join("")}`,
  });
  const files = Object.fromEntries(
    ["web", "api"].flatMap((name) => [
      [`charts/${name}/Chart.yaml`, described(name, "1.0.0")],
      [`charts/${name}/values.yaml`, `replicas: 1\nown: ${name}\n`],
      [`charts/${name}/templates/c.yaml`, template],
      [`values/${name}.yaml`, `replicas: 2\nfile: ${name}\n`],
    ]),
  );
  const moved = (before: readonly string[], after: readonly string[]): Promise<string> =>
    diffOf({ ...files, ...withSources(...before) }, withSources(...after));

  test("they are the same: no value changes", async () => {
    const nothing = /^no value changes in 1 target$/m;
    expect(await moved([local ?? "", other ?? "", values], [values, other ?? "", local ?? ""])).toMatch(
      nothing,
    );
    expect(await moved([remote("a", 1), remote("b", 2)], [remote("b", 2), values, remote("a", 1)])).toMatch(
      nothing,
    );
  });

  test("one comes first, or goes: its own values are added or removed", async () => {
    const [both, one] = [[remote("a", 1), remote("b", 2)], [remote("b", 2)]] as const;
    const added = await moved(one, both);
    expect(added).toMatch(/^spec\.sources\[0\]\.helm\.valuesObject is a layer now$/m);
    expect(added).toContain("replicas  (unset) → 1");
    expect(added).toContain("1 edit; 1 of 1 target changes");
    const removed = await moved(both, one);
    expect(removed).toMatch(/^spec\.sources\[0\]\.helm\.valuesObject is no longer a layer$/m);
    expect(removed).toContain("replicas  1 → (unset)");
    expect(removed).toContain("1 edit; 1 of 1 target changes");
  });

  test("the only source becomes one of two", async () => {
    const single = application("web", "{valuesObject: {colour: red}}");
    const text = await diffOf(
      { ...files, "apps/web.yaml": single },
      withSources(
        remote("a", 1),
        `{repoURL: ${url}, path: charts/web, helm: {valuesObject: {colour: blue}}}`,
      ),
    );
    expect(text).toMatch(/ colour {2}red → blue$/m);
    expect(text).toContain("replicas  (unset) → 1");
    expect(text).toContain("2 edits; 1 of 1 target changes");
  });

  test("one gets another version, and another place", async () => {
    const text = await moved([remote("a", 1), remote("b", 2)], [remote("b", 2, "2.0.0"), remote("a", 1)]);
    expect(text).toMatch(/^chart b 1\.0\.0 → 2\.0\.0/m);
    expect(text).not.toContain("another chart");
  });

  test("builds with other sources, or in another order, are compared by charts", async () => {
    const built = (...sources: readonly string[]): string => {
      const [text = ""] = Object.values(withSources(...sources));
      return text;
    };
    const builds = {
      "x/kustomization.yaml": "resources: [web.yaml]\n",
      "x/web.yaml": built(remote("a", 1), remote("b", 2)),
      "y/kustomization.yaml": "resources: [web.yaml]\n",
    };
    const turned = new Checkout({ ...builds, "y/web.yaml": built(remote("b", 2), remote("a", 1)) });
    expect(await turned.run("compare", "x", "y")).toContain("no value differs in 2 builds, 1 target");
    const changed = new Checkout({ ...builds, "y/web.yaml": built(remote("c", 5), remote("b", 3)) });
    const text = await changed.run("compare", "x", "y");
    expect(text).toMatch(/^ {2}b: replicas +2 +x .*\n +3 +y /m);
    expect(text).toMatch(/^ {2}a: replicas +1 +x .*\n +\(unset\) +y$/m);
  });

  test("a source without values comes or goes: its objects are not compared", async () => {
    const bare = (chart: string): string =>
      `{repoURL: 'https://charts.example', chart: ${chart}, targetRevision: 1.0.0}`;
    const text = await moved([bare("a"), bare("b")], [bare("b"), bare("c")]);
    expect(text).toMatch(
      /^not compared: Application\/argocd\/web: chart a, Application\/argocd\/web: chart c;/m,
    );
    expect(text).toContain("status 2");
    const only = `{repoURL: ${url}, path: charts/web}`;
    expect(await moved([only, `{repoURL: ${url}, path: charts/api}`], [only])).toMatch(
      /not compared: Application\/argocd\/web: chart api[^]*status 2/,
    );
  });

  test("a chart that a target has twice is known by its place", async () => {
    const text = await moved([remote("a", 1), remote("a", 2)], [remote("a", 1), remote("a", 5)]);
    expect(text).toContain("replicas  2 → 5");
    expect(text).toContain("1 edit; 1 of 1 target changes");
  });
});

test("a digest is no version of `helm pull`", async () => {
  const source = (ref: string): string =>
    `apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: third, namespace: web}\nspec: {url: oci://ghcr.example/x/third, ref: {${ref}}}\n`;
  const own = release("x", "1.0.0", "{a: 1}").replace(
    / {2}chart: .*\n/,
    "  chartRef: {kind: OCIRepository, name: third}\n",
  );
  const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
  const text = await diffOf(
    {
      "cluster/app.yaml": kustomization("app", "./app"),
      "app/web.yaml": own,
      "app/source.yaml": source("tag: 2.1.0"),
    },
    { "app/source.yaml": source(`digest: "${digest}"`) },
  );
  expect(text).toContain("helm pull oci://ghcr.example/x/third --version 2.1.0\n");
  expect(text).toContain(`helm pull oci://ghcr.example/x/third@${digest}\n`);
});

describe("a folder of a generator is renamed, and its chart depends on one that is not here", () => {
  const set = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps, namespace: argocd}
spec:
  generators: [{git: {repoURL: ${url}, revision: main, directories: [{path: apps/*}]}}]
  template:
    metadata: {name: "{{path.basename}}"}
    spec:
      destination: {namespace: "{{path.basename}}"}
      source: {repoURL: ${url}, path: "{{path}}"}
`;
  const app = (name: string, dependency = "base"): Files => ({
    [`apps/${name}/Chart.yaml`]: described(
      name,
      "1.0.0",
      `dependencies: [{name: ${dependency}, version: 2.0.0, repository: 'https://charts.example'}]\n`,
    ),
    [`apps/${name}/values.yaml`]: "base: {a: 1}\n",
  });

  test("one is removed, and one is added", async () => {
    const text = await diffOf(
      { "root/set.yaml": set, ...app("old") },
      { "apps/old": undefined, ...app("new") },
    );
    expect(text).toMatch(/^Application\/argocd\/old \(root\) is removed, with 1 value$/m);
    expect(text).toMatch(/^Application\/argocd\/new \(root\) is added, with 1 value$/m);
  });

  test("one that depends on more is removed: what is new may have been in that", async () => {
    const own = `dependencies: [{name: base}, {name: more}]\n`;
    const before: Files = {
      "root/set.yaml": set,
      ...app("old"),
      "apps/old/Chart.yaml": described("old", "1.0.0", own),
    };
    const text = await diffOf(before, { "apps/old": undefined, ...app("new") });
    expect(text).toMatch(/^Application\/argocd\/old \(root\) is removed, with 1 value$/m);
    expect(text).toMatch(/not compared: .*Application\/argocd\/new/);
  });

  test("it depends on another chart now: that may have made what is new", async () => {
    const text = await diffOf(
      { "root/set.yaml": set, ...app("old") },
      { "apps/old": undefined, ...app("new", "other") },
    );
    expect(text).not.toMatch(/is removed|is added/);
    expect(text).toMatch(/not compared: .*Application\/argocd\/new/);
  });
});

describe("a null among a chart's defaults is no value", () => {
  const files = (helm: string): Files => ({
    "charts/web/Chart.yaml": described("web", "1.0.0"),
    "charts/web/values.yaml": "sa:\n  create: false\n  name:\n",
    "charts/web/templates/c.yaml": template,
    "apps/web.yaml": application("web", helm),
  });

  test.each([
    [
      "begins to set it",
      "{valuesObject: {x: 1}}",
      "{valuesObject: {x: 1, sa: {name: abc}}}",
      "sa.name  (unset) → abc",
    ],
    [
      "sets it no more",
      "{valuesObject: {x: 1, sa: {name: abc}}}",
      "{valuesObject: {x: 1}}",
      "sa.name  abc → (unset)",
    ],
    ["says null", "{valuesObject: {x: 1}}", "{valuesObject: {x: 1, new: null}}", "new  (unset) → null"],
  ])("a layer %s", async (_, before, after, said) => {
    const text = await diffOf(files(before), files(after));
    expect(text).toContain(said);
    expect(text).toContain("1 edit; 1 of 1 target changes");
    expect(text).not.toContain("charts/web/values.yaml");
  });
});

describe("a layer has another name, and holds the same", () => {
  const files = (name: string, order: string): Files => ({
    "charts/web/Chart.yaml": described("web", "1.0.0"),
    [`charts/web/${name}.yaml`]: "a: 1\nb: {c: 2, d: [1]}\n",
    "charts/web/prod.yaml": "a: 2\n",
    "charts/web/templates/c.yaml": template,
    "apps/web.yaml": application("web", `{valueFiles: [${order}]}`),
  });
  const before = files("base", "base.yaml, prod.yaml");
  const gone = { "charts/web/base.yaml": undefined };

  test("nothing changes", async () => {
    const text = await diffOf(before, { ...gone, ...files("common", "common.yaml, prod.yaml") });
    expect(text).toMatch(/^no value changes in 1 target\n[^]*status 0$/m);
  });

  test("its place is another, too", async () => {
    const text = await diffOf(before, { ...gone, ...files("common", "prod.yaml, common.yaml") });
    expect(text).toMatch(
      /^charts\/web\/common\.yaml has another place in the stack\n {2}changes .* a {2}2 → 1, /m,
    );
  });

  test("it is a Secret: whether it holds the same is not said", async () => {
    const secret = (name: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}, namespace: web}\nstringData: {values.yaml: "a: 1"}\n`;
    const own = (name: string): string =>
      release("web", "1.0.0").replace(/$/, `  valuesFrom: [{kind: Secret, name: ${name}}]\n`);
    const text = await diffOf(
      { "app/web.yaml": `${own("one")}---\n${secret("one")}` },
      { "app/web.yaml": `${own("two")}---\n${secret("two")}` },
    );
    expect(text).toContain("Secret/web/two is a layer now");
  });
});

describe("a side has nothing to build", () => {
  const built = {
    "apps/prod/kustomization.yaml": "resources: [web.yaml]\n",
    "apps/prod/web.yaml": release("web", "1.0.0", "{a: 1}"),
  };

  test("a first commit", async () => {
    expect(await diffOf({ "README.md": "x\n" }, built)).toMatch(
      /^HelmRelease\/web\/web \(apps\/prod\) is added, with 1 value\n[^]*status 1$/m,
    );
    const both = { ...built, "README.md": "x\n" };
    expect(await diffOf(both, { apps: undefined })).toMatch(
      /^HelmRelease\/web\/web \(apps\/prod\) is removed, with 1 value\n[^]*status 1$/m,
    );
  });

  test("a chart becomes a kustomization", async () => {
    const chart = {
      "app/Chart.yaml": described("app", "1.0.0"),
      "app/templates/c.yaml": template,
      "web/web.yaml": release("web", "1.0.0", "{a: 1}"),
    };
    const text = await diffOf(chart, {
      "app/Chart.yaml": undefined,
      "app/templates": undefined,
      "app/c.yaml": template,
      "app/kustomization.yaml": "resources: [c.yaml]\n",
      "web/web.yaml": undefined,
    });
    expect(text).not.toContain("neither a kustomization nor manifests");
  });

  test("both sides: that is an error", async () => {
    const both = diffOf({ "README.md": "x\n" }, { "README.md": "y\n" });
    await expect(both).rejects.toThrow("neither a kustomization nor manifests, in revision `HEAD~1`");
  });
});

describe("a patch takes away a value that a ConfigMap has, too", () => {
  const configMap = (host: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: v, namespace: web}\ndata:\n  values.yaml: |\n    host: ${host}\n`;
  const from = "  valuesFrom: [{kind: ConfigMap, name: v}]\n";
  const plain = {
    "app/web.yaml": release("web", "1.0.0", "{host: own, x: 1}"),
    "app/v.yaml": configMap("low"),
  };
  const own = (more: string): Files => ({ "app/web.yaml": `${plain["app/web.yaml"]}${more}` });
  const resources = "resources: [web.yaml, v.yaml]\n";
  const strategic =
    "kind: HelmRelease\n    apiVersion: helm.toolkit.fluxcd.io/v2\n    metadata: {name: web, namespace: web}\n    spec: {values: {host: null}}";
  const patches = {
    "a JSON patch": "- op: remove\n      path: /spec/values/host",
    "a strategic merge patch": strategic,
  };
  const built = (patch?: string): Files => ({
    "app/kustomization.yaml": `${resources}${patch === undefined ? "" : `patches:\n- target: {kind: HelmRelease}\n  patch: |\n    ${patch}\n`}`,
  });
  const whole = { ...plain, ...own(from), ...built() };

  test.for(Object.entries(patches))(
    "%s comes or goes: the patch is named, and the value is that of the ConfigMap",
    async ([, patch]) => {
      const added = await diffOf(whole, built(patch));
      expect(added).toMatch(
        /^app\/kustomization\.yaml is a layer now\n {2}changes {2}HelmRelease\/web\/web \(app\) {2}host {2}own → low, app\/v\.yaml:6:11\n\n1 edit; 1 of 1 target changes$/m,
      );
      const gone = await diffOf({ ...whole, ...built(patch) }, built());
      expect(gone).toMatch(
        /^app\/kustomization\.yaml is no longer a layer\n {2}changes {2}HelmRelease\/web\/web \(app\) {2}host {2}low → own, app\/web\.yaml/m,
      );
      const alone = await diffOf({ ...plain, ...built() }, built(patch));
      expect(alone).toMatch(
        /^app\/kustomization\.yaml is a layer now\n {2}changes .* {2}host {2}own → \(unset\), app\/kustomization\.yaml/m,
      );
    },
  );

  test.for(Object.entries(patches))(
    "%s stays: an edit of the ConfigMap changes the value, and without it there is none",
    async ([, patch]) => {
      const patched = { ...whole, ...built(patch) };
      expect(await diffOf(patched, { "app/v.yaml": configMap("other") })).toMatch(
        /^app\/v\.yaml:6:11 {2}host {2}low → other\n {2}changes {2}HelmRelease\/web\/web \(app\)\n\n1 edit; 1 of 1 target changes$/m,
      );
      expect(await diffOf(patched, own(""))).toMatch(
        /^ConfigMap\/web\/v is no longer a layer\n {2}changes {2}HelmRelease\/web\/web \(app\) {2}host {2}low → \(unset\)/m,
      );
    },
  );

  test("it takes away the only value, and then sets another one", async () => {
    const only = { ...plain, "app/web.yaml": release("web", "1.0.0", "{host: own}") };
    const text = await diffOf(
      { ...only, ...built(strategic) },
      built(strategic.replace("host: null", "b: 1")),
    );
    expect(text).toMatch(/^app\/kustomization\.yaml:8:24 {2}b {2}\(unset\) → 1$/m);
    expect(text).toMatch(
      /^app\/kustomization\.yaml:8:27 {2}host {2}\(removed\) → \(unset\)\n {2}changes {2}HelmRelease\/web\/web \(app\) {2}\(unset\) → own, app\/web/m,
    );
    expect(text).toContain("2 edits; 1 of 1 target changes");
  });

  test("with a variable in it, the file that it is in is not edited", async () => {
    const synced = {
      ...whole,
      ...built(),
      "app/web.yaml": `${release("web", "1.0.0", "{host: 'a.${DOMAIN}', x: 1}")}${from}`,
      "flux/app.yaml": kustomization("app", "./app").replace(
        "spec: {",
        "spec: {postBuild: {substitute: {DOMAIN: example.org}}, ",
      ),
    };
    const text = await diffOf(synced, built(patches["a JSON patch"]));
    expect(text).toMatch(
      /^app\/kustomization\.yaml is a layer now\n {2}changes .* {2}host {2}a\.example\.org → low/m,
    );
    expect(text).toContain("1 edit; 1 of 1 target changes");
  });
});

test("an edit of a Kustomization that changes no build: no value changes, and targets are not denied", async () => {
  const files = {
    "flux/app.yaml": kustomization("app", "./app"),
    "app/web.yaml": release("web", "1.0.0", "{a: 1}"),
  };
  const edited = {
    "flux/app.yaml": kustomization("app", "./app").replace("spec: {", "spec: {interval: 6m, "),
  };
  expect(await diffOf(files, edited)).toMatch(
    /^no value changes: no target has values in 1 build that is compared\n[^]*status 0$/m,
  );
});

describe("a release that cannot be read on one side is not compared", () => {
  const values = '{motd: "say ${MOTD}", a: 1}';
  const files = (motd: string, more = ""): Files => ({
    "flux/app.yaml": kustomization("app", "./app").replace(
      "spec: {",
      `spec: {postBuild: {substitute: {MOTD: ${motd}}}, `,
    ),
    "app/web.yaml": `${release("web", "1.0.0", values)}${more}`,
  });
  const notCompared =
    /^not compared: (?:.*, )?HelmRelease\/web\/web(?:; nothing else changes)?\n[^]*status 2$/m;

  test("a variable ends its text", async () => {
    const text = await diffOf(files("hello"), files('"note: hello"'));
    expect(text).toMatch(notCompared);
    expect(text).not.toContain("(unset)");
    expect(await diffOf(files('"note: hello"'), files("hello"))).toMatch(notCompared);
  });

  test("it comes or goes as it is: that is known", async () => {
    const typo = files("hello", "  valuesFrom: [{kind: Configmap, name: v}]\n");
    const other = {
      "app/other.yaml": release("other", "1.0.0", "{a: 1}").replace("name: web", "name: other"),
    };
    const without = { ...other, "flux/app.yaml": typo["flux/app.yaml"] ?? "" };
    expect(await diffOf(without, typo)).toMatch(/^HelmRelease\/web\/web.* is added, with 2 values$/m);
    const gone = await diffOf({ ...typo, ...other }, { "app/web.yaml": undefined });
    expect(gone).toMatch(/^HelmRelease\/web\/web.* is removed, with 2 values$/m);
  });

  test("it refers to a kind that there is not", async () => {
    const typo = files("hello", "  valuesFrom: [{kind: Configmap, name: v}]\n");
    expect(await diffOf(files("hello"), typo)).toMatch(notCompared);
    // On both sides it is: what is known is compared.
    const both = await diffOf(typo, { "app/web.yaml": (typo["app/web.yaml"] ?? "").replace("a: 1", "a: 2") });
    expect(both).toContain("a  1 → 2");
  });
});
