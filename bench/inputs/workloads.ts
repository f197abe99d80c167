// The workloads that are timed beside the peers, and beside a copy loop alone.
import { app, configMap, helmRelease, listOf, stranger, streamOf, times } from "./items.ts";

export interface Workload {
  readonly name: string;
  readonly make: () => string;
  /** How many targets are folded. */
  readonly targets: number;
  /** Set for what the plot shows: how many Apps of three layers each. */
  readonly apps?: number;
  /** The layers of its only App: what `yq` merges as files. */
  readonly layers?: () => readonly string[];
  /** Our output on the input is what is timed; no peer knows how to fold again. */
  readonly again?: "fold" | "verify";
  /** Set where no peer knows what is asked for. */
  readonly alone?: true;
}

/** Values of 1.1 to 1.5 KB; every layer has keys of its own and overrides some of the others. */
function values(index: number, layer: number): string {
  const keys = times(
    12,
    (at) =>
      `  key${at}:\n    enabled: ${(at + layer) % 3 > 0}\n    value${layer}: "${index}-${at}"\n    level: ${layer * at}\n    list: [1, 2, ${layer}]\n`,
  );
  return `app:\n${keys.join("")}  replicas: ${layer}\n`;
}

/** Apps with as many layers each: `config`, entries of `extraConfigs` between, `userConfig`. */
export function apps(count: number, layers = 3): string[] {
  return times(count, (index) => {
    const names = times(layers, (at) => ({
      name: `app${index}-${at}`,
      priority: at === 0 ? 50 : at === layers - 1 ? 100 : 75,
    }));
    const maps = names.map(({ name }, at) => configMap({ name, data: { values: values(index, at + 1) } }));
    return [...maps, app(`app${index}`, names)];
  }).flat();
}

function helmReleases(count: number): string[] {
  return times(count, (index) => {
    const names = [`release${index}-base`, `release${index}-stage`];
    const maps = names.map((name, at) => configMap({ name, data: { "values.yaml": values(index, at + 1) } }));
    return [...maps, helmRelease(`release${index}`, names)];
  }).flat();
}

function appsRow(name: string, count: number): Workload {
  return { name, make: () => listOf(apps(count)), targets: count, apps: count };
}

/** Rules by wildcard for what the layers hold, and for what they might. */
export const listRules =
  'merge:\n  - { path: "app.*.list", list: append }\n  - { path: "**.env", key: name }\n  - { path: "**.hosts", list: set }\n';

/** A schema that asks something of every value of the layers. */
export const schemaOfValues = `schemas:
  - schema:
      type: object
      required: [app]
      properties:
        app:
          type: object
          properties: { replicas: { type: integer, minimum: 1 } }
          patternProperties:
            "^key[0-9]+$":
              type: object
              required: [enabled]
              properties:
                enabled: { type: boolean }
                level: { type: integer }
                list: { type: array, items: { type: integer } }
`;

const layersOf = (count: number) => () => times(count, (at) => values(0, at + 1));

export const workloads: readonly Workload[] = [
  { ...appsRow("cold: 1 App × 3", 1), layers: layersOf(3) },
  appsRow("100 Apps × 3", 100),
  appsRow("1,000 Apps × 3", 1000),
  appsRow("3,000 Apps × 3", 3000),
  appsRow("10,000 Apps × 3", 10_000),
  { name: "2,000 HelmReleases × 2", make: () => listOf(helmReleases(2000)), targets: 2000 },
  {
    name: "10,000 items, 20 of them layers",
    make: () => listOf([...times(9975, stranger), ...apps(5, 4)]),
    targets: 5,
  },
  { name: "1 App × 200", make: () => listOf(apps(1, 200)), targets: 1, layers: layersOf(200) },
  { name: "1,000 Apps × 3, folded again", make: () => listOf(apps(1000)), targets: 1000, again: "fold" },
  { name: "1,000 Apps × 3, verified", make: () => streamOf(apps(1000)), targets: 1000, again: "verify" },
  {
    name: "1,000 Apps × 3, three list rules",
    make: () => listOf(apps(1000), listRules),
    targets: 1000,
    alone: true,
  },
  {
    name: "1,000 Apps × 3, a schema",
    make: () => listOf(apps(1000), schemaOfValues),
    targets: 1000,
    alone: true,
  },
];

/** What `--quick` times. */
export const quickWorkloads = new Set(["cold: 1 App × 3", "100 Apps × 3", "1,000 Apps × 3"]);

/** Next to nothing to do. */
export const smallest = (): string => listOf(apps(1));
