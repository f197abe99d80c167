// Comparisons for tests of the matrix: a small one by hand that has everything once, and one of any size.
import type {
  ComparedCell,
  ComparedGroup,
  ComparedRow,
  ComparedTarget,
  Comparison,
} from "../../src/comparison.ts";
import type { OverriddenValue, Place } from "../../src/explanation.ts";
import { hostileTexts } from "./explanations.ts";
import { Random } from "./nasty-yaml.ts";

function at(file: string, line: number, column = 1): Place {
  return { of: "file", file, line, column };
}

const baseTag: OverriddenValue = {
  by: "ConfigMap/web/base",
  text: '"1.26"',
  at: at("base/values.yaml", 7, 8),
  effect: "replaced",
};

const shopRows: readonly ComparedRow[] = [
  {
    stack: "ConfigMap",
    path: ["image", "tag"],
    groups: [
      {
        text: '"1.27"',
        cells: [
          { builds: [0, 1, 3], by: "ConfigMap/web/prod", at: at("prod/values.yaml", 4, 8), over: [baseTag] },
        ],
      },
      {
        text: '"1.28-rc.1"',
        cells: [
          {
            builds: [2],
            by: "ConfigMap/web/us-1",
            at: at("clusters/us-1/values.yaml", 4, 8),
            over: [
              {
                by: "ConfigMap/web/prod",
                text: '"1.27"',
                at: at("prod/values.yaml", 4, 8),
                effect: "replaced",
              },
              baseTag,
            ],
          },
        ],
      },
    ],
  },
  {
    stack: "ConfigMap",
    path: ["controller", "replicas"],
    groups: [
      {
        text: "3",
        cells: [
          { builds: [0, 1], by: "ConfigMap/web/prod", at: at("prod/values.yaml", 6, 13), over: [] },
          {
            builds: [4],
            by: "ConfigMap/web/us-2",
            at: at("clusters/us-2/values.yaml", 9, 13),
            over: [
              { by: "ConfigMap/web/prod", text: "3", at: at("prod/values.yaml", 6, 13), effect: "same" },
            ],
          },
        ],
      },
      {
        text: "5",
        cells: [{ builds: [2], by: "ConfigMap/web/us-1", at: at("clusters/us-1/values.yaml", 9, 13) }],
      },
      { unset: true, cells: [{ builds: [3] }] },
    ],
  },
  {
    stack: "ConfigMap",
    path: ["annotations", "example.org/owner"],
    groups: [
      { unset: true, cells: [{ builds: [0, 1, 3, 4] }] },
      { text: "team-shop", cells: [{ builds: [2], by: "ConfigMap/web/us-1" }] },
    ],
  },
  {
    stack: "ConfigMap",
    path: ["env", "[name=LOG]", "value"],
    elements: [1],
    groups: [
      {
        text: "info",
        cells: [
          { builds: [0, 1, 2, 3, 4], by: "ConfigMap/web/base", at: at("base/values.yaml", 12, 12), over: [] },
        ],
      },
    ],
  },
  {
    stack: "Secret",
    path: ["database", "password"],
    groups: [
      {
        secret: true,
        cells: [{ builds: [0, 1, 3], by: "Secret/web/prod", at: at("prod/secrets.yaml", 5, 13) }],
      },
      {
        secret: true,
        cells: [
          {
            builds: [2, 4],
            by: "Secret/web/us",
            at: { of: "text", line: 2, column: 13 },
            over: [{ by: "Secret/web/prod", at: at("prod/secrets.yaml", 5, 13), effect: "replaced" }],
          },
        ],
      },
    ],
  },
];

const monitoring: ComparedTarget = {
  kind: "HelmRelease",
  namespace: "flux",
  name: "monitoring",
  absentIn: [3, 4],
  equal: 4,
  rows: [
    {
      path: ["grafana"],
      groups: [
        {
          text: "{enabled: true}",
          cells: [
            {
              builds: [0, 2],
              by: "ConfigMap/flux/defaults",
              at: { of: "file", file: "flux.yaml", key: "grafana" },
              over: [
                {
                  by: "the chart",
                  mapping: true,
                  effect: "nulled",
                  at: { of: "file", file: "chart/values.yaml" },
                },
              ],
            },
          ],
        },
        {
          text: "null",
          cells: [
            { builds: [1], by: "clusters/eu-2/values.yaml", at: at("clusters/eu-2/values.yaml", 2, 10) },
          ],
        },
      ],
    },
    {
      path: ["alertmanager", "resources", "requests", "memory"],
      groups: [
        {
          text: "512Mi",
          cells: [
            { builds: [2], by: "clusters/us-1/values.yaml", at: at("clusters/us-1/values.yaml", 3, 10) },
          ],
        },
        {
          text: "1Gi",
          cells: [
            { builds: [0], by: "clusters/eu-1/values.yaml", at: at("clusters/eu-1/values.yaml", 3, 10) },
          ],
        },
        {
          text: "2Gi",
          cells: [
            { builds: [1], by: "clusters/eu-2/values.yaml", at: at("clusters/eu-2/values.yaml", 3, 10) },
          ],
        },
      ],
    },
  ],
};

/** Everything once. */
export const smallComparison: Comparison = {
  kind: "Comparison",
  version: 1,
  builds: ["clusters/eu-1", "clusters/eu-2", "clusters/us-1", "clusters/staging", "clusters/us-2"],
  targets: [
    { kind: "App", namespace: "org", name: "shop", equal: 12, rows: shopRows },
    monitoring,
    { kind: "App", name: "cart", absentIn: [4], equal: 7, rows: [] },
    { kind: "App", name: "search", equal: 9, rows: [] },
  ],
  unread: ["clusters/us-2: Secret/web/tokens is encrypted", "clusters/broken: layer `base` cannot be read"],
};

/** Every string that may come from outside is hostile, each in turn. */
export const hostileComparison: Comparison = {
  kind: "Comparison",
  version: 1,
  builds: hostileTexts,
  targets: hostileTexts.map((bad, index) => ({
    kind: bad,
    namespace: bad,
    name: bad,
    absentIn: [index],
    equal: 1,
    rows: [
      {
        stack: bad,
        path: ["plain", bad],
        groups: [
          {
            text: bad,
            cells: [
              {
                builds: [...hostileTexts.keys()].filter((build) => build !== index),
                by: bad,
                at: { of: "file", file: bad, key: bad, line: 1, column: 1 },
                over: [{ by: bad, text: bad, effect: "replaced", at: at(bad, 2) }],
              },
            ],
          },
        ],
      },
      { path: [bad], groups: [] },
    ],
  })),
  unread: hostileTexts,
};

/** From where a build may have a value, highest first. */
function layersOf(build: number): readonly string[] {
  return [`clusters/c-${build}`, `regions/r-${build % 10}`, `stages/s-${build % 3}`, "base"];
}

interface Fleet {
  readonly builds: number;
  readonly targets: number;
  readonly rows: number;
  /** Every build sets every value, each to a value of its own. */
  readonly isWorst?: boolean;
}

/**
 * A fleet: all builds share a base, a third shares a stage, a tenth a region, and each has a layer of its own. Of ten
 * paths, six differ by stage or region, three in single builds, and one in every build.
 */
export function bigComparison({ builds, targets, rows, isWorst = false }: Fleet): Comparison {
  const random = new Random(1);
  const rowAt = (target: number, row: number): ComparedRow => {
    const kind = isWorst ? 9 : row % 10;
    const setBy = (layer: string): boolean => {
      if (layer.startsWith("clusters/")) return kind === 9 || (kind > 5 && random.once(20));
      if (layer.startsWith("regions/")) return isWorst || (kind < 3 && random.once(2));
      return layer === "base" || kind < 6 || isWorst;
    };
    const own = new Map<string, OverriddenValue | undefined>();
    const valueOf = (layer: string): OverriddenValue | undefined => {
      if (!own.has(layer))
        own.set(layer, setBy(layer) ? bigValue(layer, { target, row, isWorst }, random) : undefined);
      return own.get(layer);
    };
    const chains = Array.from({ length: builds }, (_, build) =>
      layersOf(build).flatMap((layer) => valueOf(layer) ?? []),
    );
    return { path: bigPath(row), groups: groupsOf(chains) };
  };
  return {
    kind: "Comparison",
    version: 1,
    builds: Array.from({ length: builds }, (_, build) => `clusters/c-${build}`),
    targets: Array.from({ length: targets }, (_, target) => ({
      kind: "App",
      namespace: "org",
      name: `app-${target}`,
      equal: 40 + target,
      rows: Array.from({ length: rows }, (_each, row) => rowAt(target, row)),
    })),
    unread: [],
  };
}

function bigPath(row: number): string[] {
  return [
    `component${Math.floor(row / 20)}`,
    `group${Math.floor(row / 5) % 4}`,
    row % 7 === 0 ? "tag" : `setting${row % 5}`,
  ];
}

function bigValue(
  layer: string,
  { target, row, isWorst }: { target: number; row: number; isWorst: boolean },
  random: Random,
): OverriddenValue {
  const isOwn = layer.startsWith("clusters/") && (isWorst || row % 10 === 9);
  const text = isOwn
    ? `app-${target}.${layer.slice(9)}.example.org`
    : `${random.below(9)}${random.pick(["", "00m", "Mi", "-rc.1"])}`;
  return {
    by: `${layer}/values.yaml`,
    text,
    at: at(`${layer}/values.yaml`, 8 + target * 120 + row, 9 + (row % 7)),
    effect: "replaced",
  };
}

/** Builds by equal values, and each group by origin, most builds first. */
function groupsOf(chains: readonly (readonly OverriddenValue[])[]): ComparedGroup[] {
  const groups = new Map<string, Map<string, ComparedCell & { builds: number[] }>>();
  for (const [build, [top, ...over]] of chains.entries()) {
    const { by = "", text = "", at: place } = top ?? {};
    const cells = groups.get(text) ?? new Map<string, ComparedCell & { builds: number[] }>();
    groups.set(text, cells);
    const key = JSON.stringify([by, over.map((each) => each.by)]);
    const cell = cells.get(key) ?? { builds: [], by, ...(place && { at: place }), over };
    cells.set(key, cell);
    cell.builds.push(build);
  }
  const sizeOf = ({ cells }: ComparedGroup): number =>
    cells.reduce((sum, { builds }) => sum + builds.length, 0);
  return [...groups]
    .map(([text, cells]) => ({
      text,
      cells: [...cells.values()].toSorted((a, b) => b.builds.length - a.builds.length),
    }))
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
}
