// Explanations for tests of the page: a small one by hand that has everything once, and one of any size.
import type {
  ExplainedLayer,
  ExplainedStack,
  ExplainedTarget,
  ExplainedValue,
  Explanation,
  OverriddenValue,
  Place,
} from "../../src/explanation.ts";
import { Random } from "./nasty-yaml.ts";

function at(file: string, line: number, column: number): Place {
  return { of: "file", file, line, column };
}

const base: ExplainedLayer = {
  id: "A",
  kind: "ConfigMap",
  namespace: "org",
  name: "shop-base",
  key: "values.yaml",
  priority: 50,
  isDefaultPriority: true,
  why: "reference",
  slot: "spec.config",
  state: "folded",
  at: at("base/values.yaml", 1, 1),
  sets: 10,
  overridden: 6,
};

const stage: ExplainedLayer = {
  id: "B",
  kind: "ConfigMap",
  namespace: "org",
  name: "shop-stage-prod",
  key: "values.yaml",
  priority: 60,
  why: "annotation",
  state: "folded",
  at: at("stages/prod.yaml", 1, 1),
  sets: 4,
  overridden: 1,
};

const region: ExplainedLayer = {
  id: "C",
  kind: "ConfigMap",
  namespace: "org",
  name: "shop-region-east",
  key: "values.yaml",
  priority: 70,
  why: "annotation",
  state: "folded",
  foldedFrom: ["shop-region", "shop-east"],
  at: at("regions/east.yaml", 1, 1),
  sets: 3,
};

const catalog: ExplainedLayer = {
  id: "D",
  name: "giantswarm",
  priority: 0,
  why: "catalog",
  state: "unseen",
};

const credentials: ExplainedLayer = {
  id: "E",
  kind: "Secret",
  namespace: "org",
  name: "shop-credentials",
  key: "values.yaml",
  priority: 50,
  why: "reference",
  slot: "spec.userConfig",
  state: "folded",
  secret: true,
  at: at("base/credentials.yaml", 1, 1),
  sets: 2,
  overridden: 1,
};

const stageCredentials: ExplainedLayer = {
  id: "F",
  kind: "Secret",
  namespace: "org",
  name: "shop-stage-credentials",
  key: "values.yaml",
  priority: 60,
  why: "annotation",
  state: "folded",
  secret: true,
  at: at("stages/prod.yaml", 24, 1),
  sets: 1,
};

function value(
  path: string,
  by: string,
  text: string,
  place: Place,
  ...under: OverriddenValue[]
): ExplainedValue {
  return { path: path.split("."), by, text, at: place, over: under };
}

function over(
  by: string,
  text: string,
  place: Place,
  effect: OverriddenValue["effect"] = "replaced",
): OverriddenValue {
  return { by, text, at: place, effect };
}

const shopValues: ExplainedStack = {
  kind: "ConfigMap",
  layers: [catalog, base, stage, region],
  runs: [{ layers: ["A", "B", "C"], into: "ConfigMap/org/shop-folded" }],
  splits: [
    {
      below: "D",
      above: "A",
      reason: "the cluster merges the catalog's values below the App's, and nobody can see them here",
      cure: "nothing to do: the folded item stays above them",
    },
  ],
  values: [
    value(
      "controller.replicas",
      "C",
      "5",
      at("regions/east.yaml", 9, 15),
      over("B", "3", at("stages/prod.yaml", 9, 15)),
      over("A", "1", at("base/values.yaml", 9, 15)),
    ),
    value("controller.image.repository", "A", "registry.example.org/shop", at("base/values.yaml", 11, 19)),
    value("controller.image.tag", "A", '"4.2.1"', at("base/values.yaml", 12, 12)),
    value("controller.resources.requests.cpu", "A", "100m", at("base/values.yaml", 15, 14)),
    value(
      "controller.resources.requests.memory",
      "B",
      "512Mi",
      at("stages/prod.yaml", 12, 17),
      over("A", "128Mi", at("base/values.yaml", 16, 17)),
    ),
    value(
      "controller.service.allowedRanges",
      "C",
      "[10.1.0.0/16, 192.0.2.0/24]",
      at("regions/east.yaml", 11, 20),
      over("A", "[10.0.0.0/8]", at("base/values.yaml", 18, 20)),
    ),
    value("controller.metrics", "B", "null", at("stages/prod.yaml", 13, 12), {
      by: "A",
      mapping: true,
      at: at("base/values.yaml", 19, 3),
      effect: "nulled",
    }),
    value(
      "logLevel",
      "B",
      "info",
      at("stages/prod.yaml", 14, 11),
      over("A", "info", at("base/values.yaml", 21, 11), "same"),
    ),
    {
      path: ["annotations", "example.org/owner"],
      by: "A",
      text: "team-shop",
      at: at("base/values.yaml", 23, 22),
      over: [],
    },
    {
      path: ["ingress"],
      by: "C",
      mapping: true,
      at: at("regions/east.yaml", 14, 1),
      over: [over("A", "false", at("base/values.yaml", 24, 10))],
    },
    value("ingress.host", "C", "shop.east.example.org", at("regions/east.yaml", 15, 9)),
  ],
};

const shopSecrets: ExplainedStack = {
  kind: "Secret",
  layers: [credentials, stageCredentials],
  runs: [{ layers: ["E", "F"], into: "Secret/org/shop-folded" }],
  splits: [],
  values: [
    {
      path: ["database", "password"],
      by: "F",
      at: at("stages/prod.yaml", 32, 13),
      over: [{ by: "E", at: at("base/credentials.yaml", 11, 13), effect: "replaced" }],
    },
    { path: ["database", "user"], by: "E", at: at("base/credentials.yaml", 10, 9), over: [] },
  ],
};

const shop: ExplainedTarget = {
  kind: "App",
  namespace: "org",
  name: "shop",
  at: at("apps/shop.yaml", 1, 1),
  stacks: [shopValues, shopSecrets],
};

function reference(id: string, name: string, more: Partial<ExplainedLayer>): ExplainedLayer {
  const index = id.charCodeAt(0) - 65;
  return {
    id,
    kind: "ConfigMap",
    namespace: "flux",
    name,
    key: "values.yaml",
    why: "reference",
    slot: `spec.valuesFrom[${index}]`,
    state: "folded",
    ...more,
  };
}

function inText(line: number, column: number): Place {
  return { of: "text", line, column };
}

/** Flux: entries that the cluster binds, one that is sealed, one that stays apart, and values in the release itself. */
const release: ExplainedTarget = {
  kind: "HelmRelease",
  namespace: "flux",
  name: "monitoring",
  at: { of: "file", file: "release.yaml", line: 40, column: 1 },
  stacks: [
    {
      layers: [
        reference("A", "shop-base", {
          namespace: "org",
          sets: 2,
          overridden: 1,
          at: at("base/values.yaml", 1, 1),
        }),
        reference("B", "cluster-settings", { state: "late" }),
        reference("C", "monitoring", {
          sets: 2,
          at: { of: "file", file: "release.yaml", line: 61, column: 1 },
        }),
        reference("D", "monitoring-tokens", {
          kind: "Secret",
          state: "sealed",
          secret: true,
          at: at("tokens.yaml", 1, 1),
        }),
        reference("E", "broken", { state: "unreadable" }),
        reference("F", "monitoring-limits", { state: "apart", sets: 1, overridden: 1 }),
        {
          id: "G",
          why: "own",
          slot: "spec.values",
          state: "apart",
          sets: 1,
          at: { of: "file", file: "release.yaml", line: 52, column: 3 },
        },
      ],
      runs: [{ layers: ["C"], into: "ConfigMap/flux/monitoring-folded" }],
      splits: [
        {
          below: "A",
          above: "C",
          reason: "`cluster-settings` lies between them, and only the cluster knows what it holds",
          cure: "add it to what is read, or move it to an end of `valuesFrom`",
        },
      ],
      values: [
        value(
          "alertmanager.retention",
          "G",
          "240h",
          { of: "file", file: "release.yaml", line: 54, column: 18 },
          over("F", "120h", { ...inText(2, 14) }),
          over("C", "48h", { of: "file", file: "release.yaml", line: 66, column: 18 }),
        ),
        value("controller.replicas", "A", "1", at("base/values.yaml", 9, 15)),
        value(
          "grafana",
          "C",
          "{}",
          { of: "file", file: "release.yaml", line: 68, column: 14 },
          over("A", "null", inText(30, 4)),
        ),
      ],
    },
  ],
};

/** A ConfigMap that takes its result in a data key, as Kyma's overrides do; and one without anything. */
const overrides: ExplainedTarget = {
  kind: "ConfigMap",
  namespace: "kyma",
  name: "overrides",
  stacks: [
    {
      key: "values",
      layers: [
        {
          id: "A",
          kind: "ConfigMap",
          namespace: "kyma",
          name: "gateway",
          why: "label",
          state: "folded",
          sets: 1,
          at: { of: "file", file: "kyma.yaml" },
        },
      ],
      runs: [{ layers: ["A"], into: "the target itself" }],
      splits: [],
      values: [
        value("global.domain", "A", "example.org", {
          of: "file",
          file: "kyma.yaml",
          line: 9,
          column: 3,
          key: "global.domain",
        }),
      ],
    },
  ],
};

const empty: ExplainedTarget = {
  kind: "App",
  namespace: "org",
  name: "empty",
  stacks: [{ kind: "ConfigMap", layers: [catalog], runs: [], splits: [], values: [] }],
};

/** Everything once. */
export const small: Explanation = {
  kind: "Explanation",
  version: 1,
  targets: [shop, release, overrides, empty],
};

/** Strings that mean something to HTML, JavaScript, JSON, addresses or the eye. */
export const hostileTexts = [
  "</script><script>globalThis.hit = 1</script>",
  "<!--<script>",
  "<img src=x onerror=globalThis.hit=1>",
  '" onmouseover="globalThis.hit=1',
  "javascript:globalThis.hit=1",
  "__proto__",
  "constructor",
  "a\u2028b\u2029c",
  "half of a pair \ud83d",
  "\u202eright to left",
  "${globalThis.hit=1}",
  "]]>&lt;&#60;",
  "",
  ".",
  "a/b#c%2E?d",
];

/** Every string that may come from outside is hostile, each in turn. */
export const hostile: Explanation = {
  kind: "Explanation",
  version: 1,
  targets: hostileTexts.map((bad) => ({
    kind: bad,
    namespace: bad,
    name: bad,
    at: at(bad, 1, 1),
    stacks: [
      {
        kind: "ConfigMap",
        key: bad,
        layers: [
          {
            id: "A",
            kind: bad,
            name: bad,
            key: bad,
            why: "reference",
            slot: bad,
            state: "folded",
            at: at(bad, 1, 1),
            sets: 3,
          },
          { id: "B", kind: bad, name: `${bad}2`, foldedFrom: [bad], why: "annotation", state: "sealed" },
        ],
        runs: [{ layers: ["A"], into: bad }],
        splits: [{ below: "A", above: "B", reason: bad, cure: bad }],
        values: [
          value("plain", "A", bad, at(bad, 2, 1), over("A", bad, at(bad, 3, 1))),
          { path: [bad], by: "A", text: bad, over: [] },
          { path: ["in", bad, bad], by: "A", text: bad, at: { of: "file", file: bad, key: bad }, over: [] },
        ],
      },
    ],
  })),
};

/** Of an App's chart: the same paths in all its targets. */
function bigPath(app: number, index: number): string[] {
  const component = `component${Math.floor(index / 20)}`;
  return [`app${app % 20}`, component, `group${Math.floor(index / 5) % 4}`, `setting${index % 5}`];
}

/**
 * The hardest form: every layer sets every value, so all of them are in it. Targets share base and stage as fleets do;
 * each has a region of its own.
 */
export function bigExplanation(targets: number, values: number): Explanation {
  const random = new Random(1);
  const pick = (): string => {
    const number = random.below(8000);
    return number % 3 === 0 ? `${number}` : number % 3 === 1 ? `text-${number}` : `"quoted ${number}"`;
  };
  const known = new Map<string, string[]>();
  const textsOf = (layer: string): string[] => {
    const found = known.get(layer) ?? Array.from({ length: values }, pick);
    known.set(layer, found);
    return found;
  };
  const layersOf = (target: number): ExplainedLayer[] =>
    [`app${target % 20}-base`, `app${target % 20}-stage${target % 3}`, `region${target}`].map(
      (name, place) => ({
        id: "ABC".charAt(place),
        kind: "ConfigMap",
        namespace: "org",
        name,
        key: "values.yaml",
        priority: 50 + 10 * place,
        why: place === 0 ? "reference" : "annotation",
        state: "folded",
        at: at(`fleet/${name}.yaml`, 1, 1),
        sets: values,
        overridden: place === 2 ? 0 : values,
      }),
    );
  const targetAt = (target: number): ExplainedTarget => {
    const layers = layersOf(target);
    const cell = (place: number, index: number): { by: string; text: string; at: Place } => {
      const { id, name = "" } = layers[place] as ExplainedLayer;
      return {
        by: id,
        text: textsOf(name)[index] ?? "",
        at: at(`fleet/${name}.yaml`, 8 + index + Math.floor(index / 5), 9 + (index % 7)),
      };
    };
    return {
      kind: "App",
      namespace: `org-${target % 50}`,
      name: `app${target % 20}-${target}`,
      at: at(`fleet/app-${target}.yaml`, 1, 1),
      stacks: [
        {
          kind: "ConfigMap",
          layers,
          runs: [{ layers: ["A", "B", "C"], into: `app${target % 20}-${target}-folded` }],
          splits: [],
          values: Array.from({ length: values }, (_, index) => ({
            path: bigPath(target, index),
            ...cell(2, index),
            over: [1, 0].map((place) => ({ ...cell(place, index), effect: "replaced" as const })),
          })),
        },
      ],
    };
  };
  return {
    kind: "Explanation",
    version: 1,
    targets: Array.from({ length: targets }, (_, target) => targetAt(target)),
  };
}
