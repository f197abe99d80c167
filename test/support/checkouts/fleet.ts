// Bundles of Rancher Fleet: each `fleet.yaml` is a root, with a chart beside it or elsewhere, and customizations for clusters.
import { type Draft, type Layer, type Place, yamlOf } from "./draft.ts";

export function fleetCheckout(draft: Draft, { top }: Place): void {
  draft.traits.push("fleet");
  for (const name of ["meter", "relay"].slice(0, 1 + draft.random.below(2)))
    bundle(draft, `${top}bundles/${name}`, name);
}

function bundle(draft: Draft, directory: string, name: string): void {
  const file = `${directory}/fleet.yaml`;
  const chart = draft.has("chart beside a fleet.yaml", 2) ? [draft.chart(directory, name)] : [];
  const own = draft.layer(file);
  const lines = [
    "helm:",
    ...(chart.length > 0
      ? ["  chart: ./"]
      : ["  repo: https://charts.example", `  chart: ${name}`, "  version: 1.0.0"]),
    "  values:",
    ...yamlOf(own, "    "),
  ];
  const layers = [...chart, own, ...valuesFile("shared", "  ")];
  draft.releases.push({ root: directory, target: `Bundle//${name}`, layers });
  if (draft.has("customization", 2)) {
    const over = draft.layer(file);
    lines.push("targetCustomizations:", "- name: prod", "  clusterSelector: {matchLabels: {env: prod}}");
    lines.push("  helm:", "    values:", ...yamlOf(over, "      "));
    const all = [...layers, over, ...valuesFile("prod", "    ")];
    draft.releases.push({ root: directory, target: `Bundle//${name}@prod`, layers: all });
  }
  if (draft.has("kustomize over a chart", 3)) {
    lines.push("kustomize: {dir: overlay}");
    const patch =
      "patches:\n- patch: |\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web}\n    spec: {paused: true}";
    draft.write(`${directory}/overlay/kustomization.yaml`, patch);
  }
  draft.write(file, lines.join("\n"));
  draft.roots.push({ name: directory, kind: "Fleet" });

  function valuesFile(of: string, indent: string): readonly Layer[] {
    if (!draft.random.once(2)) return [];
    lines.push(`${indent}valuesFiles: [${of}.yaml]`);
    return [draft.valuesFile(`${directory}/${of}.yaml`)];
  }
}
