// An Application of a random checkout: of the chart here or of one elsewhere, with values files by a path, from the top, or by `$ref`.
import { type Draft, type Layer, type Place, yamlOf } from "./draft.ts";

/** What the Applications of one checkout have in common. */
export interface Root {
  readonly draft: Draft;
  readonly place: Place;
  /** Its name. */
  readonly root: string;
  readonly chart: Layer;
  /** Values of all of them. */
  readonly shared: Layer;
  readonly put: (name: string, text: string) => void;
  readonly fileOf: (name: string) => string;
}

interface Sources {
  readonly lines: readonly string[];
  /** Without the inline values. */
  readonly layers: readonly Layer[];
}

export function application(root: Root, name: string): void {
  const { draft, place } = root;
  const env = draft.valuesFile(`${place.top}envs/${name}.yaml`);
  const inline = draft.random.once(2) ? draft.layer(root.fileOf(name)) : undefined;
  const own = inline === undefined ? [] : ["valuesObject:", ...yamlOf(inline, "  ")];
  const isMulti = draft.has("multi-source", 2);
  const { lines, layers } = isMulti ? multiSource(root, env, own) : singleSource(root, env, own);
  // A chart of its own, in front: its values are apart from the others.
  const other = isMulti && draft.has("two charts", 2) ? draft.layer(root.fileOf(name)) : undefined;
  root.put(name, argoObject(name, other === undefined ? lines : withChart(lines, other)));
  if (other !== undefined)
    draft.releases.push({ root: root.root, target: `Application/argocd/${name}`, layers: [other] });
  const all = inline === undefined ? layers : [...layers, inline];
  draft.releases.push({ root: root.root, target: `Application/argocd/${name}`, layers: all });
}

function singleSource({ draft, place, chart, shared }: Root, env: Layer, own: readonly string[]): Sources {
  const files = [shared, env].map((layer) => {
    const path = layer.file.slice(place.top.length);
    return draft.random.pick([`../../${path}`, `/${place.start}${path}`]);
  });
  const named = draft.has("values.yaml named", 3) ? ["values.yaml", ...files] : files;
  const helm = [`valueFiles: [${named.join(", ")}]`, ...own];
  const lines = [
    "  source:",
    `    repoURL: ${draft.url(place.repository)}`,
    `    path: ${place.start}charts/shop`,
    "    targetRevision: main",
    "    helm:",
    ...helm.map((line) => `      ${line}`),
  ];
  return { lines, layers: [chart, shared, env] };
}

function multiSource({ draft, place, chart, shared }: Root, env: Layer, own: readonly string[]): Sources {
  const isLocal = draft.random.once(3);
  const ref = draft.random.pick(["values", "env-files"]);
  const files = [shared, env].map(({ file }) => `$${ref}/${place.start}${file.slice(place.top.length)}`);
  const helm = [`valueFiles: [${files.join(", ")}]`, ...own];
  const first = isLocal
    ? [
        `- repoURL: ${draft.url(place.repository)}`,
        `  path: ${place.start}charts/shop`,
        "  targetRevision: main",
      ]
    : ["- repoURL: https://charts.example", "  chart: shop", "  targetRevision: 1.0.0"];
  const all = [
    ...first,
    "  helm:",
    ...helm.map((line) => `    ${line}`),
    `- repoURL: ${draft.url(place.repository)}`,
    "  targetRevision: main",
    `  ref: ${ref}`,
  ];
  const lines = ["  sources:", ...all.map((line) => `    ${line}`)];
  return { lines, layers: [...(isLocal ? [chart] : []), shared, env] };
}

function withChart([sources = "", ...lines]: readonly string[], values: Layer): readonly string[] {
  const chart = ["- repoURL: https://charts.example", "  chart: other", "  targetRevision: 1.0.0", "  helm:"];
  const helm = ["    valuesObject:", ...yamlOf(values, "      ")];
  return [sources, ...[...chart, ...helm].map((line) => `    ${line}`), ...lines];
}

/** @param source the lines of its sources */
export function argoObject(name: string, source: readonly string[]): string {
  return [
    "apiVersion: argoproj.io/v1alpha1",
    "kind: Application",
    `metadata: {name: ${name}, namespace: argocd}`,
    "spec:",
    "  project: default",
    ...source,
    `  destination: {server: https://kubernetes.default.svc, namespace: ${name}}`,
  ].join("\n");
}
