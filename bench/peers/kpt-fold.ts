// The fold as a function of the TypeScript SDK, written as its author would: the SDK reads and writes the
// wire, deepmerge merges, and a YAML library does the values. Exact on the bench's inputs only.
import deepmerge from "deepmerge";
import { type Configs, type KubernetesObject, run } from "kpt-functions";

/** What a YAML library does for values. */
export interface Dialect {
  readonly parse: (text: string) => object | undefined;
  readonly stringify: (values: object) => string;
}

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

interface Reference {
  readonly kind?: string;
  readonly name: string;
  readonly namespace?: string;
  readonly priority?: number;
  readonly valuesKey?: string;
}

interface Slot {
  configMap?: Reference;
}

interface App extends KubernetesObject {
  spec: { config?: Slot; extraConfigs?: readonly Reference[]; userConfig?: Slot };
}

interface HelmRelease extends KubernetesObject {
  spec: { valuesFrom?: readonly Reference[] };
}

interface Layer {
  readonly id: string;
  readonly key: string;
  readonly priority: number;
}

const isConfigMap = (item: KubernetesObject): item is ConfigMap => item.kind === "ConfigMap";
const isApp = (item: KubernetesObject): item is App => item.kind === "App";
const isHelmRelease = (item: KubernetesObject): item is HelmRelease => item.kind === "HelmRelease";
const idOf = (namespace: string | undefined, name: string): string => `${namespace ?? ""}/${name}`;

/** Runs as a KRM function until stdin is folded. */
export function foldWith(dialect: Dialect): void {
  const fold = async (configs: Configs): Promise<void> => {
    const found = new Map(
      configs
        .get(isConfigMap)
        .map(({ metadata: { namespace, name }, data }) => [idOf(namespace, name), data ?? {}]),
    );
    const merged = (layers: readonly Layer[]): object =>
      layers
        .toSorted((a, b) => a.priority - b.priority)
        .map(({ id, key }) => dialect.parse(found.get(id)?.[key] ?? "") ?? {})
        .reduce((under, over) =>
          deepmerge(under, over, { clone: false, arrayMerge: (_under, list) => list }),
        );
    const fresh: ConfigMap[] = [];
    const emit = ({ namespace, name }: KubernetesObject["metadata"], layers: readonly Layer[]): Reference => {
      const to = { name: `${name}-folded`, ...(namespace === undefined ? {} : { namespace }) };
      const data = { [layers[0]?.key ?? "values"]: dialect.stringify(merged(layers)) };
      fresh.push({ apiVersion: "v1", kind: "ConfigMap", metadata: to, data });
      return to;
    };
    for (const app of configs.get(isApp)) foldApp(app, emit);
    for (const release of configs.get(isHelmRelease)) foldHelmRelease(release, emit);
    configs.insert(...fresh);
  };
  void run(Object.assign(fold, { usage: "Folds layered values into one document per app." }));
}

type Emit = (metadata: KubernetesObject["metadata"], layers: readonly Layer[]) => Reference;

function foldApp({ metadata, spec }: App, emit: Emit): void {
  const layer = ({ namespace, name }: Reference, priority: number): Layer => {
    return { id: idOf(namespace, name), key: "values", priority };
  };
  const layers = [
    ...(spec.extraConfigs ?? []).map((entry) => layer(entry, entry.priority ?? 25)),
    ...(spec.config?.configMap ? [layer(spec.config.configMap, 50)] : []),
    ...(spec.userConfig?.configMap ? [layer(spec.userConfig.configMap, 100)] : []),
  ];
  if (layers.length < 2) return;
  spec.userConfig = { configMap: emit(metadata, layers) };
  spec.extraConfigs = [];
  delete spec.config;
}

function foldHelmRelease({ metadata, spec }: HelmRelease, emit: Emit): void {
  const layers = (spec.valuesFrom ?? []).map(({ name, valuesKey = "values.yaml" }) => {
    return { id: idOf(metadata.namespace, name), key: valuesKey, priority: 0 };
  });
  if (layers.length < 2) return;
  spec.valuesFrom = [{ kind: "ConfigMap", name: emit(metadata, layers).name }];
}
