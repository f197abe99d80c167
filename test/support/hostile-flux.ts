// A cluster of Flux whose Kustomizations, releases and charts lead out of the checkout.
import { join, relative } from "node:path";
import { chartAt } from "./hostile-charts.ts";
import { type Draft, type Fields, push } from "./hostile-draft.ts";
import { kustomized } from "./hostile-kustomize.ts";
import { release } from "./hostile-outside.ts";

export function flux(draft: Draft): void {
  const { turn } = draft;
  draft.turn = undefined;
  const cluster = draft.place("clusters/c");
  const apps = draft.next("apps");
  kustomized(draft, apps);
  const sound = {
    path: `./${apps}`,
    prune: true,
    interval: "1m",
    sourceRef: { kind: "GitRepository", name: "flux-system" },
  };
  const attacks: Readonly<Record<string, () => object>> = {
    none: () => ({}),
    path: () => ({ path: draft.out(".", "app") }),
    dots: () => ({ path: `../../${relative("/", join(draft.outside.folder, "app"))}` }),
    fluxComponents: () => ({ components: [draft.out(apps, "component")] }),
    substituteFrom: () => ({
      postBuild: {
        substitute: { x: "y" },
        substituteFrom: [{ kind: "ConfigMap", name: "v", optional: true }],
      },
    }),
    strategic: () => ({
      patches: [{ patch: release("shop", { leak: "${env}" }), target: { kind: "HelmRelease" } }],
      postBuild: { substituteFrom: [{ kind: "ConfigMap", name: "v" }] },
    }),
    artifact: () => {
      const from = draft.random.pick([
        "@repo/../../out/**",
        `@repo/${draft.out(".", "app")}/**`,
        "@repo/.git/**",
      ]);
      draft.change(
        `${cluster}/artifact.yaml`,
        JSON.stringify({
          apiVersion: "source.extensions.fluxcd.io/v1beta1",
          kind: "ArtifactGenerator",
          metadata: { name: "g", namespace: "flux-system" },
          spec: {
            sources: [{ alias: "repo", kind: "GitRepository", name: "flux-system" }],
            artifacts: [{ name: "copied", copy: [{ from, to: "@artifact/" }] }],
          },
        }),
      );
      return { path: "./", sourceRef: { kind: "ExternalArtifact", name: "copied" } };
    },
    source: () => {
      const { folder } = draft.outside;
      draft.change(
        `${cluster}/source.yaml`,
        JSON.stringify({
          apiVersion: "source.toolkit.fluxcd.io/v1",
          kind: "GitRepository",
          metadata: { name: "flux-system", namespace: "flux-system" },
          spec: {
            url: draft.random.pick([`file://${folder}`, folder, draft.address("r.git")]),
            interval: "1m",
          },
        }),
      );
      return { path: draft.random.pick(["./app", "./", "../out/app"]) };
    },
    variables: () => {
      const many = Array.from({ length: 200 }, (_, index) =>
        JSON.stringify({
          apiVersion: "kustomize.toolkit.fluxcd.io/v1",
          kind: "Kustomization",
          metadata: { name: `k${index}`, namespace: "flux-system" },
          spec: {
            ...sound,
            path: draft.random.pick([`./\${A}/\${B${index}}`, "${A}", "./${A}${A}/app"]),
            postBuild: { substitute: { A: draft.out(".", "app"), [`B${index}`]: "../../../out" } },
          },
        }),
      );
      draft.change(`${cluster}/many.yaml`, many.join("\n---\n"));
      return {
        postBuild: { substitute: { A: `../../${relative("/", join(draft.outside.folder, "app"))}` } },
      };
    },
    decryption: () => ({ decryption: { provider: "sops", secretRef: { name: "s" } } }),
  };
  draft.turn = turn;
  const name = draft.attack("flux", attacks);
  const sync = (spec: object): string =>
    JSON.stringify({
      apiVersion: "kustomize.toolkit.fluxcd.io/v1",
      kind: "Kustomization",
      metadata: { name: "apps", namespace: "flux-system" },
      spec,
    });
  draft.before.set(`${cluster}/ks.yaml`, sync(sound));
  draft.change(`${cluster}/ks.yaml`, sync({ ...sound, ...attacks[name]?.() }));
  if (draft.random.once(2)) fluxChart(draft, apps);
  if (draft.random.once(4)) {
    draft.note("linked cluster");
    draft.links.set(`${cluster}/more.yaml`, join(draft.outside.folder, "hr.yaml"));
  }
  draft.commands.push(["explain", "shop", "**", cluster], ["values", "shop", cluster], ["explain", "outer"]);
}

/** A release whose chart is here. */
function fluxChart(draft: Draft, apps: string): void {
  draft.note("flux chart");
  const chart = draft.next("charts/c");
  chartAt(draft, chart);
  const spec = {
    chart: draft.random.pick([() => `./${chart}`, () => draft.out(".", "chart")])(),
    valuesFiles: [
      draft.random.pick([
        () => draft.out(chart, "v.yaml"),
        () => draft.out(".", "v.yaml"),
        () => draft.text("."),
      ])(),
    ],
    sourceRef: { kind: "GitRepository", name: "flux-system", namespace: "flux-system" },
  };
  const hr = {
    apiVersion: "helm.toolkit.fluxcd.io/v2",
    kind: "HelmRelease",
    metadata: { name: "charted" },
    spec: { chart: { spec }, values: { a: 2 } },
  };
  const file = join(apps, "charted.yaml");
  draft.change(file, JSON.stringify(hr));
  const path = join(apps, "kustomization.yaml");
  const own = JSON.parse(String(draft.files.get(path))) as Fields;
  push(own, "resources", "charted.yaml");
  draft.change(path, JSON.stringify(own));
}
