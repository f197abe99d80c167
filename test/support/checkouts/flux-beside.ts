// What is beside the clusters of a random checkout of Flux: Kustomizations of another repository, circles, and what is left of old ones.
import { type Draft, helmRelease } from "./draft.ts";
import type { Cluster } from "./flux.ts";
import type { FluxSource } from "./flux-source.ts";

/** What these name is of another repository, or of another branch: no build has it. */
export const unseen = ["Kustomization/flux-system/policy", "Kustomization/flux-system/team"];

/** A Kustomization of another repository, and its source in a file of its own. */
export function foreign(draft: Draft, source: FluxSource): void {
  const kind = draft.random.pick(["OCIRepository", "GitRepository"]);
  const url = kind === "OCIRepository" ? "oci://registry.example/policy" : "https://git.example/other/policy";
  const path = draft.random.pick(["./", "./deploy"]);
  const metadata = "metadata: {name: policy, namespace: flux-system}";
  draft.write(
    source.at("infra/source.yaml"),
    `apiVersion: source.toolkit.fluxcd.io/v1\nkind: ${kind}\n${metadata}\nspec: {interval: 5m, url: "${url}"}`,
  );
  draft.write(
    source.at("infra/sync.yaml"),
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n${metadata}\nspec: {interval: 5m, path: ${path}, prune: true, sourceRef: {kind: ${kind}, name: policy}}`,
  );
  draft.write(source.at("infra/kustomization.yaml"), "resources: [source.yaml, sync.yaml]");
}

/** The cluster builds a folder with a Kustomization that builds the cluster. */
export function circle(draft: Draft, source: FluxSource, cluster: Cluster): void {
  const path = `tenants/${cluster.name}`;
  const back = source.sync("back", source.spelled(cluster.directory), cluster.sourceName);
  draft.write(source.at(`${path}/back.yaml`), back);
  cluster.put("tenants.yaml", source.sync("tenants", source.spelled(path), cluster.sourceName));
}

/** A cluster that nothing syncs. */
export function leftCluster(draft: Draft, source: FluxSource): void {
  const layer = draft.layer(source.at("old-apps/release.yaml"));
  draft.write(layer.file, helmRelease("gone", "gone", layer));
  draft.write(source.at("old-cluster/apps.yaml"), source.sync("old-apps", "./old-apps", "flux-system"));
  const root = source.at("old-cluster");
  draft.roots.push({ name: root, kind: "Flux", isGuess: true });
  draft.releases.push({ root, target: "HelmRelease/gone/gone", layers: [layer] });
}

/** Two folders that build each other: the first one is shown. */
export function leftCircle(draft: Draft, source: FluxSource): void {
  const layer = draft.layer(source.at("ring-b/release.yaml"));
  draft.write(layer.file, helmRelease("ring", "ring", layer));
  draft.write(source.at("ring-a/b.yaml"), source.sync("ring-b", "./ring-b", "flux-system"));
  draft.write(source.at("ring-b/a.yaml"), source.sync("ring-a", "./ring-a", "flux-system"));
  const root = source.at("ring-a");
  draft.roots.push({ name: root, kind: "Flux", isGuess: true });
  draft.releases.push({ root, target: "HelmRelease/ring/ring", layers: [layer] });
}

/** All apps by one path of an artifact, which is the name of the cluster, too: it builds another directory than the one that has it. */
export function artifact(draft: Draft, source: FluxSource, cluster: Cluster): void {
  const generator = [
    "apiVersion: source.extensions.fluxcd.io/v1beta1",
    "kind: ArtifactGenerator",
    "metadata: {name: fleet, namespace: flux-system}",
    "spec:",
    `  sources: [{alias: fleet, kind: ${source.kind}, name: ${cluster.sourceName}}]`,
    '  artifacts: [{name: apps, copy: [{from: "@fleet/apps/**", to: "@artifact/"}]}]',
  ];
  cluster.put("artifacts.yaml", generator.join("\n"));
  const sync = source.sync("apps", draft.random.pick([`./${cluster.name}`, cluster.name]), "apps");
  cluster.put("apps.yaml", sync.replace(`kind: ${source.kind}`, "kind: ExternalArtifact"));
}

/** A Kustomization of another branch: a patch gives it the path, and that is the name of the directory of the patch, too. */
export function team(draft: Draft, source: FluxSource, cluster: Cluster): void {
  const base = source.at("teams/base");
  const object = `${source.object("team").replace("main", "team")}\n---\n${source.sync("team", ".", "team").replace("  path: .\n", "")}`;
  draft.write(`${base}/sync.yaml`, object);
  draft.write(`${base}/kustomization.yaml`, "resources: [sync.yaml]");
  const own = source.at(`teams/${cluster.name}`);
  const patch =
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: team, namespace: flux-system}";
  draft.write(`${own}/patch.yaml`, `${patch}\nspec: {path: ./${cluster.name}}`);
  draft.write(`${own}/kustomization.yaml`, "resources: [../base]\npatches: [{path: patch.yaml}]");
  cluster.put(
    "team.yaml",
    source.sync("team-of", source.spelled(`teams/${cluster.name}`), cluster.sourceName),
  );
}
