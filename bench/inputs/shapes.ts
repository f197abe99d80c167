// The shapes of inputs that grow, each by a size.
import { app, configMap, helmRelease, into, listOf, streamOf, times } from "./items.ts";

const layer = (
  name: string,
  text: string,
  more: { namespace?: string; annotations?: Record<string, string> } = {},
): string => configMap({ name, data: { values: text }, ...more });

/** One App over layers in list order. */
export function stack(texts: readonly string[]): string {
  const names = texts.map((_text, at) => ({ name: `layer${at}`, priority: 75 }));
  return listOf([...names.map(({ name }, at) => layer(name, texts[at] ?? "")), app("shop", names)]);
}

export const lines = (count: number, make: (at: number) => string): string => times(count, make).join("");

export function lateBound(count: number): string {
  const items = times(count, (at) => [
    layer(`shop-${at}-values`, `replicas: ${at}\n`),
    app(`shop-${at}`, [
      { name: `shop-${at}-values`, priority: 50 },
      { name: `shop-${at}-of-the-cluster`, priority: 100 },
    ]),
  ]);
  return streamOf(items.flat());
}

export function namesakes(count: number, settings = ""): string {
  const items = times(count, (at) => {
    const namespace = `org-${at}`;
    const names = [
      { name: "shop-values", priority: 50 },
      { name: "shop-user", priority: 100 },
    ];
    return [
      ...names.map(({ name }) => layer(name, `${name}: ${at}\n`, { namespace })),
      app("shop", names, namespace),
    ];
  });
  return listOf(items.flat(), settings);
}

export function annotated(count: number): string {
  const items = times(count, (at) => [
    layer(`shop-${at}-values`, `replicas: 1\nname: shop-${at}\n`),
    layer(`shop-${at}-prod`, "replicas: 3\n", { annotations: into(`App/shop-${at}`) }),
    app(`shop-${at}`, [{ name: `shop-${at}-values`, priority: 50 }]),
  ]);
  return listOf(items.flat(), "layers: prune\n");
}

/** One App, named by all of its layers. */
export function annotatedStack(count: number): string {
  const annotations = into("App/shop");
  const layers = times(count, (at) => layer(`layer-${at}`, `key${at}: ${at}\n`, { annotations }));
  return listOf([...layers, app("shop", [])]);
}

export function wildcards(count: number): string {
  const items = times(count, (at) => {
    const namespace = `org-${at}`;
    const annotations = { ...into("App/*"), "valuefold.dev/priority": "60" };
    const base = layer("base", "replicas: 1\n", { namespace });
    const layers = times(100, (index) =>
      layer(`layer-${at}-${index}`, `key${index}: ${at}\n`, { namespace, annotations }),
    );
    return [base, ...layers, app(`shop-${at}`, [{ name: "base", priority: 50 }], namespace)];
  });
  return listOf(items.flat());
}

/** Every layer goes into each of 20 Apps. */
export function wildcard(count: number): string {
  const annotations = { ...into("App/*"), "valuefold.dev/priority": "60" };
  const layers = times(count, (at) => layer(`layer-${at}`, `key${at}: 1\n`, { annotations }));
  const apps = times(20, (at) => app(`shop-${at}`, [{ name: "base", priority: 50 }]));
  return listOf([layer("base", "replicas: 1\n"), ...layers, ...apps]);
}

/** Spaces behind a value, in an item that kpt hands over: it is searched for comments. */
export function spaces(count: number): string {
  const annotations = { "internal.config.kubernetes.io/id": "1", ...into("HelmRelease/shop") };
  const data = { "values.yaml": "key: 1", other: "text" };
  const item = configMap({ name: "layer", annotations, data }).replace('"key: 1"', `$&${" ".repeat(count)}`);
  return listOf([item, helmRelease("shop", ["base"])]);
}

/** A target that is not there, by a name that no cluster would take. */
export function longName(count: number): string {
  return streamOf([
    app("shop", [{ name: "a".repeat(count), priority: 50 }]),
    layer("b".repeat(count), "replicas: 1\n"),
  ]);
}

export function inPlace(count: number): string {
  const items = times(count, (at) => [
    configMap({ name: `target-${at}`, data: { "app.yaml": `replicas: 1\nname: target-${at}\n` } }),
    configMap({
      name: `layer-${at}`,
      annotations: into(`ConfigMap/target-${at}`),
      data: { "app.yaml": "replicas: 3\n" },
    }),
  ]);
  return listOf(items.flat());
}

export function dataKeys(count: number): string {
  const keys = (value: number): Record<string, string> =>
    Object.fromEntries(times(count, (at) => [`key${at}.yaml`, `value${value}: ${at}\n`]));
  return listOf([
    configMap({ name: "target", data: keys(1) }),
    configMap({ name: "layer", annotations: into("ConfigMap/target"), data: keys(2) }),
  ]);
}

export function kyma(count: number): string {
  const items = times(count, (at) =>
    configMap({
      name: `override-${at}`,
      labels: { component: `component-${Math.floor(at / 2)}`, installer: "overrides" },
      data: { [`global.key${at}`]: "text", [`section.part${at % 2}.enabled`]: "true" },
    }),
  );
  return listOf(items, "targets:\n- kind: Kyma\n");
}

export const json = (count: number, value: number): string =>
  `${JSON.stringify(Object.fromEntries(times(count, (at) => [`key${at}`, { name: `value ${at}`, list: [value, at] }])))}\n`;

/** A group of five resources, and as many instances of it. */
export function repeated(count: number): string {
  const kinds = ["Deployment", "Service", "ServiceAccount", "ConfigMap", "Secret"];
  const clones = kinds.map(
    (kind) =>
      `    - kind: ${kind}\n      name: web\n      as: "web-{name}"\n      set: { metadata.labels.instance: "{name}" }\n`,
  );
  const instances = lines(count, (at) => `    i${at}: { port: ${at + 1000} }\n`);
  const templates = kinds.map(
    (kind) =>
      `apiVersion: ${kind === "Deployment" ? "apps/v1" : "v1"}\nkind: ${kind}\nmetadata:\n  name: web\n  labels: { app: web }\n`,
  );
  return listOf([
    `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata:\n  name: webs\n  annotations: { internal.config.kubernetes.io/id: "1" }\nspec:\n  once: true\n  instances:\n${instances}  clone:\n${clones.join("")}`,
    ...templates,
  ]);
}
