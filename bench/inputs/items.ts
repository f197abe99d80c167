// Items as kustomize hands them to a function: keys sorted, sequences compact, values under `|`.

type Marks = Readonly<Record<string, string>>;

interface ConfigMapShape {
  readonly name: string;
  readonly namespace?: string;
  readonly annotations?: Marks;
  readonly labels?: Marks;
  readonly data: Marks;
}

/** The annotation by which a layer names its target. */
export const into = (target: string): Marks => ({ "valuefold.dev/into": target });

export function configMap({ name, namespace = "org", annotations, labels, data }: ConfigMapShape): string {
  const entries = Object.entries(data).map(([key, text]) =>
    text.endsWith("\n") ? `  ${key}: |\n${indented(text, "    ")}` : `  ${key}: ${JSON.stringify(text)}\n`,
  );
  const marks = `${block("annotations", annotations)}${block("labels", labels)}`;
  return `apiVersion: v1\ndata:\n${entries.join("")}kind: ConfigMap\nmetadata:\n${marks}  name: ${name}\n  namespace: ${namespace}\n`;
}

export interface LayerName {
  readonly name: string;
  readonly priority: number;
}

/** An App whose layers stand in the slots that their priorities tell: 50 is `config`, 100 `userConfig`. */
export function app(name: string, layers: readonly LayerName[], namespace = "org"): string {
  const slot = (field: string, priority: number): string =>
    layers
      .filter((layer) => layer.priority === priority)
      .map(
        (layer) => `  ${field}:\n    configMap:\n      name: ${layer.name}\n      namespace: ${namespace}\n`,
      )
      .join("");
  const extras = layers
    .filter(({ priority }) => priority !== 50 && priority !== 100)
    .map(
      (layer) =>
        `  - kind: configMap\n    name: ${layer.name}\n    namespace: ${namespace}\n    priority: ${layer.priority}\n`,
    );
  const extraConfigs = extras.length === 0 ? "" : `  extraConfigs:\n${extras.join("")}`;
  return `apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\nspec:\n  catalog: x\n${slot("config", 50)}${extraConfigs}  kubeConfig:\n    inCluster: true\n${slot("userConfig", 100)}`;
}

export function helmRelease(name: string, layers: readonly string[]): string {
  const entries = layers.map((layer) => `  - kind: ConfigMap\n    name: ${layer}\n`);
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: ${name}\n  namespace: org\nspec:\n  interval: 10m\n  valuesFrom:\n${entries.join("")}`;
}

/** An item of about 3 KB that is no layer and no target. */
export function stranger(index: number): string {
  const lines = times(65, (at) => `    field${at}: some text of no interest ${index}\n`);
  return `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web${index}\n  namespace: org\nspec:\n  template:\n${lines.join("")}`;
}

/** A ResourceList, with settings if there are any. */
export function listOf(items: readonly string[], settings = ""): string {
  const config = `functionConfig:\n  apiVersion: valuefold.dev/v1alpha1\n  kind: ValueFold\n  metadata:\n    name: fold\n  spec:\n${indented(settings, "    ")}`;
  const entries = items.map((item) => `- ${indented(item, "  ").slice(2)}`);
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n${settings === "" ? "" : config}items:\n${entries.join("")}`;
}

export function streamOf(items: readonly string[]): string {
  return items.join("---\n");
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_none, index) => make(index));
}

function block(name: string, marks: Marks | undefined): string {
  if (marks === undefined) return "";
  return `  ${name}:\n${Object.entries(marks)
    .map(([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`)
    .join("")}`;
}

function indented(text: string, margin: string): string {
  return text.replaceAll(/^(?=.)/gm, margin);
}
