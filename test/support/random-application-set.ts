// Random ApplicationSets of Argo CD, with the repository that their generators read.
export interface RandomSet {
  readonly files: ReadonlyMap<string, string>;
  readonly set: object;
  readonly clusters: readonly object[];
}

type Random = () => number;
type Fields = Record<string, unknown>;

const url = "https://git.example/org/repo.git";

class SetMaker {
  readonly isGo: boolean;
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
    this.isGo = this.chance(0.6);
  }

  chance(of: number): boolean {
    return this.random() < of;
  }

  pick<T>(among: readonly T[]): T {
    return among[Math.floor(this.random() * among.length)] as T;
  }

  some<T>(among: readonly T[], least = 1): readonly T[] {
    const found = among.filter(() => this.chance(0.5));
    return found.length >= least ? found : among.slice(0, least);
  }

  /** A parameter in a template. */
  tag(name: string): string {
    if (!this.isGo) return this.pick([`{{${name}}}`, `{{ ${name} }}`]);
    const path =
      name.includes("[") || name.includes("-") ? `index .${name.replace(/\.([^.]*)$/, ' "$1"')}` : `.${name}`;
    return this.pick([`{{${path}}}`, `{{ ${path} }}`, `{{ ${path} | upper | lower }}`]);
  }

  list(): Fields {
    const elements = this.some(["dev", "prod", "qa"]).map((env, index) => ({
      env,
      region: this.pick(["eu", "us"]),
      replicas: this.isGo ? index + 1 : String(index + 1),
      ...(this.chance(0.5) ? { values: { tier: this.pick(["gold", "basic"]) } } : {}),
      ...(this.isGo ? { deep: { zone: this.pick(["a", "b"]), big: 1234567 } } : {}),
    }));
    return { list: { elements } };
  }

  directories(): Fields {
    const all = [
      { path: "apps/*" },
      { path: "apps/x*", exclude: true },
      { path: "envs/*/*" },
      { path: "apps/shop" },
    ];
    return { git: { repoURL: url, revision: "HEAD", directories: this.some(all), ...this.extras("path") } };
  }

  gitFiles(): Fields {
    const all = [
      { path: "envs/**/config.json" },
      { path: "envs/*/eu/*.json" },
      { path: "envs/qa" },
      { path: "envs/prod/us/config.json", exclude: true },
    ];
    return { git: { repoURL: url, revision: "HEAD", files: this.some(all), ...this.extras("env") } };
  }

  clusters(): Fields {
    const selector = this.pick([
      {},
      { matchLabels: { env: "prod" } },
      { matchExpressions: [{ key: "env", operator: "In", values: ["prod", "dev"] }] },
      { matchExpressions: [{ key: "region", operator: "DoesNotExist" }] },
    ]);
    return { clusters: { ...(this.chance(0.3) ? {} : { selector }), ...this.extras("name") } };
  }

  private extras(name: string): Fields {
    if (this.chance(0.7)) return {};
    return { values: { note: `n-${this.tag(name === "path" && this.isGo ? "path.basename" : name)}` } };
  }

  generator(depth: number): Fields {
    const make = this.pick([
      () => this.list(),
      () => this.list(),
      () => this.directories(),
      () => this.gitFiles(),
      () => this.clusters(),
      () => (depth > 0 ? this.matrix(depth) : this.list()),
      () => (depth > 0 ? this.merge(depth) : this.list()),
    ]);
    const made = make();
    if (!this.chance(0.2)) return made;
    const selector = this.pick([
      { matchLabels: { env: "prod" } },
      { matchExpressions: [{ key: "env", operator: "NotIn", values: ["qa"] }] },
      { matchExpressions: [{ key: "region", operator: "Exists" }] },
    ]);
    return { ...made, selector };
  }

  private matrix(depth: number): Fields {
    const first = this.generator(depth - 1);
    const second = this.chance(0.5)
      ? this.generator(depth - 1)
      : { list: { elements: [{ kind: `k-${this.tag("env")}` }, { kind: "plain" }] } };
    return { matrix: { generators: [first, second] } };
  }

  private merge(depth: number): Fields {
    const lists = [this.list(), this.list()];
    const more = this.chance(0.3) ? [this.generator(depth - 1)] : [];
    return {
      merge: {
        mergeKeys: this.pick([["env"], ["env", "region"], ["values.tier"]]),
        generators: [...lists, ...more],
      },
    };
  }
}

const names = [
  "env",
  "region",
  "replicas",
  "values.tier",
  "values.note",
  "path",
  "path.basename",
  "path.basenameNormalized",
  "name",
  "server",
  "kind",
  "deep.zone",
  "deep.big",
  "metadata.labels.env",
];

export function randomSet(random: Random): RandomSet {
  const made = new SetMaker(random);
  const tag = (): string => made.tag(made.pick(names));
  const name = `x-${["env", "region", "path.basenameNormalized", "name", "kind", "values.tier"].map((each) => fallback(made, each)).join("-")}`;
  const helm = {
    valueFiles: [`/values/${tag()}.yaml`, "/values/base.yaml"],
    ignoreMissingValueFiles: true,
    parameters: [{ name: "p.q", value: tag() }],
    ...(made.chance(0.6)
      ? {
          valuesObject: {
            a: tag(),
            b: { c: `${tag()}-${tag()}`, [made.chance(0.3) ? `k${tag()}` : "d"]: [tag(), 5, true] },
          },
        }
      : {}),
    ...(made.chance(0.5)
      ? { values: `v: ${JSON.stringify(tag())}\nw:\n  - ${JSON.stringify(tag())}\n` }
      : {}),
  };
  const set = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "ApplicationSet",
    metadata: { name: "set", namespace: "argocd" },
    spec: {
      ...(made.isGo ? { goTemplate: true } : {}),
      ...(made.isGo && made.chance(0.4)
        ? { goTemplateOptions: [made.pick(["missingkey=error", "missingkey=zero", "missingkey=default"])] }
        : {}),
      generators: Array.from({ length: made.pick([1, 1, 1, 2]) }, () => made.generator(2)),
      template: {
        metadata: { name },
        spec: {
          project: "default",
          source: { repoURL: url, path: "charts/shop", targetRevision: "HEAD", helm },
          destination: { server: "https://kubernetes.default.svc", namespace: "x" },
        },
      },
      ...(made.isGo && made.chance(0.1)
        ? { templatePatch: '{{- if eq "a" "b" }}\nspec: {}\n{{- end }}\n' }
        : {}),
      ...(made.chance(0.25)
        ? {
            templatePatch: `spec:\n  source:\n    helm:\n      parameters:\n        - name: patched\n          value: ${JSON.stringify(tag())}\n${made.chance(0.5) ? `      valuesObject:\n        z: ${JSON.stringify(tag())}\n` : ""}`,
          }
        : {}),
    },
  };
  return { files: repository(), set, clusters: clustersOf() };
}

/** A name must fit into that of an object, whatever parameters there are. */
function fallback(made: SetMaker, name: string): string {
  if (!made.isGo) return `{{${name}}}`;
  const steps = name.split(".");
  const opened = steps.map((step) => `{{ with .${step} }}`).join("");
  return `${opened}{{ . | toString | normalize }}${"{{ end }}".repeat(steps.length)}`;
}

function repository(): ReadonlyMap<string, string> {
  const files = new Map([
    ["charts/shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"],
    ["charts/shop/values.yaml", "a: chart\np: {q: chart}\n"],
    ["values/base.yaml", "a: base\nbase: true\n"],
    ["values/prod.yaml", "a: prod\n"],
    ["values/eu.yaml", "a: eu\n"],
    ["apps/shop/x.yaml", "x: 1\n"],
    ["apps/Web_App/x.yaml", "x: 1\n"],
    ["apps/xy/x.yaml", "x: 1\n"],
    ["envs/qa/config.json", '{"env": "qa", "region": "us", "replicas": 3, "list": [1, {"a": "b"}]}'],
    [
      "envs/prod/config.json",
      '[{"env": "prod", "region": "eu"}, {"env": "prod", "region": "us", "deep": {"zone": "z"}}]',
    ],
  ]);
  for (const region of ["eu", "us"])
    files.set(
      `envs/prod/${region}/config.json`,
      `{"env": "prod", "region": "${region}", "values": {"tier": "gold"}}`,
    );
  return files;
}

function clustersOf(): readonly object[] {
  return [
    {
      name: "west",
      server: "https://west.example",
      labels: { env: "prod", region: "us" },
      annotations: { note: "a" },
    },
    { name: "east", server: "https://east.example", labels: { env: "dev" } },
  ];
}
