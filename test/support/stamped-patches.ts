// Random charts with random kustomizations over them, in which each text is the file and the line where it is written:
// `base/patch-0.yaml#5`. What kustomize makes of a chart then says itself where its texts are from.
export interface StampedPatches {
  readonly files: Map<string, string>;
  /** What a release of Flux has in the place of the kustomizations. */
  readonly renderers: string;
}

type Random = (below: number) => number;

/** Lines of a file: `@` is the place of its line. */
function stamped(file: string, text: string, before = 0): string {
  return text
    .split("\n")
    .map((line, index) => line.replaceAll("@", `${file}#${index + 1 + before}`))
    .join("\n");
}

const indented = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, " ".repeat(by));

export function stampedPatches(random: Random): StampedPatches {
  return new Patches(random).made();
}

/** One patch of a kustomization. */
interface Patch {
  /** The lines before its text. */
  readonly target: string;
  readonly text: string;
}

class Patches {
  private readonly random: Random;
  private readonly files = new Map<string, string>();

  constructor(random: Random) {
    this.random = random;
  }

  made(): StampedPatches {
    const add = (name: string, text: string): void => void this.files.set(name, stamped(name, text));
    add("charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
    add("charts/web/values.yaml", "replicas: 2\nword: @\nlist:\n  - @\n  - @\n");
    add("charts/web/templates/all.yaml", this.templates());
    const own = this.patches(1 + this.random(4));
    const [base, over] = [this.fields(), this.fields()];
    const chart = "helmCharts:\n  - name: web\n    releaseName: web\nhelmGlobals:\n  chartHome: ../charts\n";
    add("base/kustomization.yaml", chart + base + this.listed("base", own));
    add(
      "over/kustomization.yaml",
      `resources:\n  - ../base\n${over}${this.listed("over", this.patches(this.random(3)))}`,
    );
    return { files: this.files, renderers: this.renderers(own) };
  }

  private templates(): string {
    const containers = Array.from({ length: 1 + this.random(3) }, (_, index) => this.container(index)).join(
      "",
    );
    const extras = [
      "paused: true",
      "strategy:\n    type: @",
      "revision: {}",
      "odd: [@, @]",
      "minReadySeconds: 4",
      "note: null",
    ];
    const spec = extras.filter(() => this.random(2) === 0).map((each) => `  ${each}\n`);
    return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
    team: @
${this.random(2) === 0 ? "  annotations:\n    note: @\n" : ""}spec:
  replicas: {{ .Values.replicas }}
${spec.join("")}  template:
    spec:
      containers:
${containers}      volumes:${this.random(2) === 0 ? " []" : "\n        - name: tmp\n          emptyDir: {}"}
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  type: ClusterIP
  ports:
    - port: 80
      name: http
      targetPort: @
    - port: 81
      name: more
      targetPort: @
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: conf
data:
  one: @
  {{- range $i, $each := .Values.list }}
  k{{ $i }}: {{ $each }}
  {{- end }}
---
apiVersion: example.org/v1
kind: Widget
metadata:
  name: wid
spec:
  word: {{ .Values.word }}
  parts:
    - name: a
      text: @
    - name: b
      text: @
`;
  }

  private container(index: number): string {
    const env =
      this.random(3) === 0
        ? ""
        : "          env:\n            - name: A\n              value: @\n            - name: B\n              value: @\n";
    const args = this.random(2) === 0 ? "" : "          args:\n            - @\n            - @\n";
    return `        - name: c${index}\n          image: reg/c${index}:1\n${env}${args}`;
  }

  private patches(count: number): readonly Patch[] {
    return Array.from({ length: count }, () => this.patch());
  }

  private patch(): Patch {
    return this.random(2) === 0 ? this.merge() : this.operations();
  }

  /** A strategic merge. */
  private merge(): Patch {
    const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n";
    const ofContainer = (text: string): string =>
      `${deployment}spec:\n  template:\n    spec:\n      containers:\n        - name: c0\n${indented(text, 10)}`;
    const service = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n";
    const texts = [
      `${deployment}spec:\n  replicas: 5\n  more: @\n`,
      `${deployment}  labels:\n    team: @\n    fresh: @\n`,
      `${deployment}  annotations:\n    note: @\n`,
      `${deployment}spec:\n  paused: null\n  strategy:\n    type: @\n`,
      `${deployment}spec:\n  strategy: null\n`,
      `${deployment}spec:\n  odd:\n    - @\n`,
      `${deployment}spec:\n  template:\n    spec:\n      volumes:\n        - name: extra\n          emptyDir: {}\n`,
      ofContainer("image: @\n"),
      ofContainer("env:\n  - name: A\n    value: @\n  - name: C\n    value: @\n"),
      ofContainer("env:\n  - name: B\n    $patch: delete\n"),
      ofContainer("args:\n  - @\n"),
      `${deployment}spec:\n  template:\n    spec:\n      containers:\n        - name: side\n          image: @\n`,
      `${service}spec:\n  ports:\n    - port: 80\n      targetPort: @\n`,
      `${service}spec:\n  type: @\n  ports:\n    - port: 90\n      targetPort: @\n`,
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf\ndata:\n  one: @\n  k0: null\n  two: @\n",
      "apiVersion: example.org/v1\nkind: Widget\nmetadata:\n  name: wid\nspec:\n  word: @\n  parts:\n    - name: z\n      text: @\n",
    ];
    return { target: "", text: this.one(texts) };
  }

  private operations(): Patch {
    const [kind, lines] = this.one([
      ["Deployment", "- op: replace\n  path: /spec/replicas\n  value: 6\n"],
      ["Deployment", "- op: add\n  path: /metadata/annotations\n  value:\n    made: @\n"],
      ["Deployment", "- op: remove\n  path: /metadata/labels/team\n"],
      [
        "Deployment",
        "- op: add\n  path: /spec/template/spec/containers/0\n  value:\n    name: first\n    image: @\n",
      ],
      ["Deployment", "- op: replace\n  path: /spec/template/spec/containers/0/image\n  value: @\n"],
      [
        "Deployment",
        "- op: add\n  path: /spec/template/spec/containers/-\n  value:\n    name: last\n    args:\n      - @\n",
      ],
      ["Deployment", "- op: copy\n  from: /metadata/labels/team\n  path: /spec/copied\n"],
      ["Deployment", "- op: remove\n  path: /spec/template/spec/containers/0/image\n"],
      ["Service", "- op: move\n  from: /spec/ports/0/targetPort\n  path: /spec/moved\n"],
      ["Service", "- op: remove\n  path: /spec/ports/0\n"],
      [
        "Widget",
        "- op: replace\n  path: /spec/parts/1/text\n  value: @\n- op: remove\n  path: /spec/parts/0\n",
      ],
      [
        "ConfigMap",
        "- op: test\n  path: /metadata/name\n  value: conf\n- op: add\n  path: /data/three\n  value: @\n",
      ],
    ] as const);
    return { target: `kind: ${kind}\n`, text: lines };
  }

  /** Patches as a list of a kustomization: texts in it, or files beside it. */
  private listed(folder: string, patches: readonly Patch[]): string {
    if (patches.length === 0) return "";
    const entries = patches.map(({ target, text }, index) => {
      const of = target === "" ? "" : `    target:\n${indented(target, 6)}`;
      if (this.random(2) === 0) return `  - patch: |\n${indented(text, 6)}${of}`;
      const name = `patch-${index}.yaml`;
      this.files.set(`${folder}/${name}`, stamped(`${folder}/${name}`, text));
      return `  - path: ${name}\n${of}`;
    });
    return `patches:\n${entries.join("")}`;
  }

  private fields(): string {
    const all = [
      "namePrefix: p-\n",
      "nameSuffix: -s\n",
      "namespace: prod\n",
      "commonAnnotations:\n  note: @\n  common: @\n",
      "labels:\n  - pairs:\n      tier: front\n      kept: l\n",
      "images:\n  - name: reg/c0\n    newTag: t9\n",
      "replicas:\n  - name: web\n    count: 9\n",
    ];
    return all.filter(() => this.random(4) === 0).join("");
  }

  private renderers(patches: readonly Patch[]): string {
    const entries = patches.map(
      ({ target, text }) =>
        `          - patch: |\n${indented(text, 14)}${target === "" ? "" : `            target:\n${indented(target, 14)}`}`,
    );
    const cut = this.random(entries.length + 1);
    const of = (part: readonly string[]): string =>
      part.length === 0 ? "" : `    - kustomize:\n        patches:\n${part.join("")}`;
    const images =
      this.random(2) === 0
        ? ""
        : "    - kustomize:\n        images:\n          - name: reg/c0\n            newTag: t9\n";
    const metadata =
      this.random(2) === 0
        ? ""
        : "  commonMetadata:\n    labels:\n      common: @\n    annotations:\n      note: @\n";
    return `${metadata}  postRenderers:\n${of(entries.slice(0, cut))}${images}${of(entries.slice(cut))}`;
  }

  private one<T>(all: readonly T[]): T {
    return all[this.random(all.length)] as T;
  }
}

/** A release of Flux with such renderers. */
export function stampedRelease(renderers: string): string {
  return stamped(
    "release.yaml",
    `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: deploy, namespace: flux-system}
spec: {url: https://git.example/team/deploy.git}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: apps}
spec:
  chart: {spec: {chart: charts/web, sourceRef: {kind: GitRepository, name: deploy, namespace: flux-system}}}
${renderers}`,
  );
}
