// Inputs on which a careless program needs the square of the time. Each grows in one respect only; sizes are
// such that a program whose time grows with its input needs 100 to 300 ms of CPU for four times the size.
import { app, configMap, into, listOf, streamOf, times } from "./items.ts";

export interface Growth {
  readonly name: string;
  /** The smallest of three sizes: then twice, then four times as much. */
  readonly size: number;
  readonly make: (size: number) => string;
  /** The input is a plain stream and this the command; else a ResourceList and the function. */
  readonly command?: "fold" | "verify";
  /** What else is done with the output: folding it again, or `verify`. */
  readonly after?: readonly ("fold" | "verify")[];
}

const layer = (
  name: string,
  text: string,
  more: { namespace?: string; annotations?: Record<string, string> } = {},
): string => configMap({ name, data: { values: text }, ...more });

/** One App over layers in list order. */
function stack(texts: readonly string[]): string {
  const names = texts.map((_text, at) => ({ name: `layer${at}`, priority: 75 }));
  return listOf([...names.map(({ name }, at) => layer(name, texts[at] ?? "")), app("shop", names)]);
}

const lines = (count: number, make: (at: number) => string): string => times(count, make).join("");

function lateBound(count: number): string {
  const items = times(count, (at) => [
    layer(`shop-${at}-values`, `replicas: ${at}\n`),
    app(`shop-${at}`, [
      { name: `shop-${at}-values`, priority: 50 },
      { name: `shop-${at}-of-the-cluster`, priority: 100 },
    ]),
  ]);
  return streamOf(items.flat());
}

function namesakes(count: number, settings = ""): string {
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

function annotated(count: number): string {
  const items = times(count, (at) => [
    layer(`shop-${at}-values`, `replicas: 1\nname: shop-${at}\n`),
    layer(`shop-${at}-prod`, "replicas: 3\n", { annotations: into(`App/shop-${at}`) }),
    app(`shop-${at}`, [{ name: `shop-${at}-values`, priority: 50 }]),
  ]);
  return listOf(items.flat(), "layers: prune\n");
}

function wildcards(count: number): string {
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

function inPlace(count: number): string {
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

function dataKeys(count: number): string {
  const keys = (value: number): Record<string, string> =>
    Object.fromEntries(times(count, (at) => [`key${at}.yaml`, `value${value}: ${at}\n`]));
  return listOf([
    configMap({ name: "target", data: keys(1) }),
    configMap({ name: "layer", annotations: into("ConfigMap/target"), data: keys(2) }),
  ]);
}

function kyma(count: number): string {
  const items = times(count, (at) =>
    configMap({
      name: `override-${at}`,
      labels: { component: `component-${Math.floor(at / 2)}`, installer: "overrides" },
      data: { [`global.key${at}`]: "text", [`section.part${at % 2}.enabled`]: "true" },
    }),
  );
  return listOf(items, "targets:\n- kind: Kyma\n");
}

const json = (count: number, value: number): string =>
  `${JSON.stringify(Object.fromEntries(times(count, (at) => [`key${at}`, { name: `value ${at}`, list: [value, at] }])))}\n`;

export const growth: readonly Growth[] = [
  { name: "late-bound references, verify", size: 800, make: lateBound, command: "verify" },
  { name: "one name in many namespaces", size: 800, make: (n) => namesakes(n), after: ["fold", "verify"] },
  {
    name: "one name in many namespaces, prune",
    size: 800,
    make: (n) => namesakes(n, "layers: prune\n"),
    after: ["verify"],
  },
  { name: "many Apps with annotated layers, prune", size: 800, make: annotated, after: ["fold"] },
  {
    name: "a script with tabs",
    size: 6000,
    make: (n) =>
      stack([`script: |\n${lines(n, (at) => `  if true; then\n  \techo\t${at}\n`)}`, "replicas: 3\n"]),
  },
  {
    name: "a stack of layers with keys of their own",
    size: 2500,
    make: (n) => stack(times(n, (at) => `key${at}: ${at}\n`)),
    after: ["fold", "verify"],
  },
  { name: "data keys of one ConfigMap", size: 2000, make: dataKeys, after: ["fold", "verify"] },
  { name: "Kyma overrides", size: 800, make: kyma, after: ["verify"] },
  { name: "JSON in one line", size: 12_000, make: (n) => stack([json(n, 1), json(n, 2)]) },
  {
    name: "duplicate keys",
    size: 5000,
    make: (n) => stack([lines(2 * n, (at) => `key${at % n}: ${at}\n`), "replicas: 3\n"]),
  },
  { name: "layers by wildcard, 100 in each namespace", size: 15, make: wildcards, after: ["fold", "verify"] },
  {
    name: "one mapping of many keys, twice",
    size: 12_500,
    make: (n) => stack([lines(n, (at) => `key${at}: 1\n`), lines(n, (at) => `key${at}: 2\n`)]),
    after: ["fold"],
  },
  {
    name: "layers over a growing document",
    size: 50,
    make: (n) =>
      stack([
        lines(60 * n, (at) => `part${at}:\n  name: some text of no interest ${at}\n  list: [1, 2]\n`),
        ...times(n, (at) => `part${at}:\n  name: ${at}\n`),
      ]),
  },
  { name: "ConfigMap targets", size: 2500, make: inPlace, after: ["fold", "verify"] },
  {
    name: "line breaks in a value",
    size: 50_000,
    make: (n) =>
      stack([`text: "a${"\\n".repeat(n)}"\nrest: |\n  a\n${"\n".repeat(n)}  b\n`, "replicas: 3\n"]),
  },
];
