// Items as users write them, in several styles.
import type { Random } from "../support/nasty-yaml.ts";
import type { LayerKind } from "./repository.ts";

export interface LayerShape {
  readonly kind: LayerKind;
  readonly name: string;
  readonly namespace: string;
  readonly notes: Readonly<Record<string, string>>;
  readonly key: string;
  readonly text: string;
}

export function layerText({ kind, name, namespace, notes, key, text }: LayerShape, random: Random): string {
  const encoded = kind === "Secret" && random.once(2);
  const part = kind === "ConfigMap" || encoded ? "data" : "stringData";
  const value = encoded ? JSON.stringify(Buffer.from(text, "utf8").toString("base64")) : quoted(text, random);
  const head = random.once(6) ? `# why ${name} is here\n` : "";
  return `${head}apiVersion: v1\nkind: ${kind}\n${metadata(name, namespace, notes, random)}${part}:\n  ${key}: ${value}\n`;
}

/** A literal where one can say the text. */
function quoted(text: string, random: Random): string {
  const isLiteral = /^[^\s#][^\t\r]*[^\n]\n$/.test(text) && !random.once(3);
  return isLiteral ? `|\n${text.replaceAll(/^(?=.)/gm, "    ").trimEnd()}` : JSON.stringify(text);
}

function metadata(
  name: string,
  namespace: string,
  notes: Readonly<Record<string, string>>,
  random: Random,
): string {
  const lines = Object.entries(notes).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  if (random.once(6)) {
    const annotations = lines.length === 0 ? "" : `, annotations: {${lines.join(", ")}}`;
    return `metadata: {name: ${name}, namespace: ${namespace}${annotations}}\n`;
  }
  const annotations =
    lines.length === 0 ? "" : `  annotations:\n${lines.map((line) => `    ${line}\n`).join("")}`;
  return `metadata:\n  name: ${name} # the name\n  namespace: ${namespace}\n${annotations}`;
}

export function appText(name: string, namespace: string, random: Random): string {
  const list = random.pick(["", "  extraConfigs: []\n", "  extraConfigs: [] # filled by stages\n"]);
  const cluster = random.once(3) ? "  kubeConfig:\n    inCluster: true\n" : "";
  return `apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\nspec:\n  catalog: ${random.pick(["giantswarm", "giantswarm", "giantswarm", "default"])} # whose\n${list}${cluster}  name: ${name}\n`;
}

export function releaseText(name: string, namespace: string, inline: string, random: Random): string {
  const list = random.pick(["", "  valuesFrom: []\n"]);
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\nspec:\n  interval: 5m # often\n${list}${inline}`;
}

/** @param own data it has of its own, which kpt could not tell from what is folded into it */
export function configText(kind: LayerKind, name: string, own: string | undefined): string {
  const part = kind === "Secret" ? "stringData" : "data";
  const more = own === undefined ? "" : `  values.yaml: ${JSON.stringify(own)}\n`;
  return `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  namespace: org\n${part}:\n  own.txt: "0755" # stays\n${more}`;
}

export function deploymentText(name: string, namespace: string, kind: LayerKind, of: string): string {
  const volume = kind === "ConfigMap" ? `configMap: {name: ${of}}` : `secret: {secretName: ${of}}`;
  // What it mounts once more, so that the naive consumer need not know Deployments.
  return `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\nspec:\n  mounts: [{kind: ${kind}, name: ${of}}]\n  template:\n    spec:\n      volumes:\n      - name: config\n        ${volume}\n`;
}

export function catalogText(kind: LayerKind, of: string): string {
  const slot = kind === "ConfigMap" ? "configMap" : "secret";
  return `apiVersion: application.giantswarm.io/v1alpha1\nkind: Catalog\nmetadata:\n  name: giantswarm\n  namespace: default\nspec:\n  title: x\n  config:\n    ${slot}:\n      name: ${of}\n      namespace: default\n`;
}

/** Items that nobody asked to change. */
export const bystanders: readonly string[] = [
  "apiVersion: apps/v1\nkind: StatefulSet # inline\nmetadata: {name: web}\nspec:\n    replicas: 0o3   # odd\n\n    text: |\n        kept\n          as it is\n",
  'kind: Stranger\n# in between\napiVersion: example.com/v1\nmetadata:\n  name: "x"\nspec: {a: 1E400, c: &anchor 0755, d: *anchor}\n',
  "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: unrelated\n  annotations:\n    a: 'b'\ndata: {values: \"not: [valid\"}\n",
  "apiVersion: v1\nkind: Secret\nmetadata:\n  name: unrelated\nstringData:\n  big: 12345678901234567890\n",
  '{"apiVersion": "v1", "kind": "Thing", "metadata": {"name": "json"}}\n',
];
