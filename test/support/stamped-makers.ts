// Random charts that make Applications and HelmReleases, in a checkout with the object that deploys the topmost one. Each value is the
// file and the line where it is written: `charts/top/templates/a.yaml#12`. One that a template fills has both: `root.yaml#9 at …#12`.

export interface StampedMakers {
  readonly files: ReadonlyMap<string, string>;
  /** The object whose chart is rendered first, and the values files that Helm gets for it. */
  readonly root: { readonly kind: "Application" | "HelmRelease"; readonly given: readonly string[] };
}

const url = "https://git.example/team/deploy.git";
/** The namespace of all that is made: Helm prints none. */
export const namespace = "apps";
const places = ["first", "second", "third"];

export function stampedMakers(random: () => number): StampedMakers {
  return new Makers(random).made();
}

class Makers {
  private readonly files = new Map<string, string>();
  private readonly random: () => number;
  private count = 0;

  constructor(random: () => number) {
    this.random = random;
  }

  made(): StampedMakers {
    this.leaf();
    const depth = this.below(2);
    for (let level = 0; level <= depth; level++) this.maker(level, depth);
    return { files: this.files, root: this.root() };
  }

  private below(most: number): number {
    return Math.floor(this.random() * most);
  }

  private chance(of: number): boolean {
    return this.random() < of;
  }

  private pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  /** `@` in a text is where it is written. */
  private write(file: string, lines: readonly string[]): void {
    const text = lines.join("\n").split("\n");
    const stamped = text.map((line, index) => line.replaceAll("@", `${file}#${index + 1}`));
    this.files.set(file, `${stamped.join("\n")}\n`);
  }

  private chart(name: string, values: readonly string[]): void {
    this.write(`charts/${name}/Chart.yaml`, ["apiVersion: v2", `name: ${name}`, "version: 1.0.0"]);
    this.write(`charts/${name}/values.yaml`, values);
  }

  /** What makes no targets. */
  private leaf(): void {
    this.chart("leaf", ["size: '@'", "deep:", "  tag: '@'", "  kept: '@'"]);
    this.write("charts/leaf/templates/a.yaml", ["kind: ConfigMap", "metadata: {name: a}"]);
  }

  private maker(level: number, depth: number): void {
    const name = `level${level}`;
    const values = [
      "one: '@'",
      "two: '@'",
      "block:",
      "  inner: '@'",
      "  other: '@'",
      `isOn: ${this.chance(0.7)}`,
      "list:",
      ...places.slice(0, 1 + this.below(3)).flatMap((each) => [`  - name: ${each}`, "    size: '@'"]),
    ];
    this.chart(name, values);
    this.write(`charts/${name}/templates/_parts.tpl`, [
      '{{- define "part" -}}',
      "tag: '{{ .Values.two }} at @'",
      "kept: '@'",
      "{{- end }}",
    ]);
    const templates = 1 + this.below(3);
    for (let each = 0; each < templates; each++)
      this.write(`charts/${name}/templates/t${each}.yaml`, this.template(level));
    if (level < depth)
      this.write(
        `charts/${name}/templates/more.yaml`,
        this.object(`more-${level}`, `level${level + 1}`, [
          "one: '@'",
          "block: {inner: '{{ .Values.one }} at @'}",
        ]),
      );
  }

  /** One object, several, or one for each element of a list. */
  private template(level: number): readonly string[] {
    const name = `app-${level}-${this.count++}`;
    const one = (): readonly string[] => this.object(name, "leaf", this.values());
    switch (this.below(5)) {
      case 0:
        return [
          "{{- range .Values.list }}",
          "---",
          ...this.object(`${name}-{{ .name }}`, "leaf", ["size: '{{ .size }} at @'", "deep: {tag: '@'}"]),
          "{{- end }}",
        ];
      case 1:
        return ["{{- if .Values.isOn }}", ...one(), "{{- end }}"];
      case 2:
        return ["# a comment", ...one(), "---", ...this.object(`${name}-b`, "leaf", this.values())];
      case 3:
        return [
          "{{- with .Values.block }}",
          ...this.object(name, "leaf", ["size: '{{ .inner }} at @'"]),
          "{{- end }}",
        ];
      default:
        return one();
    }
  }

  /** Values of an object that is made. */
  private values(): readonly string[] {
    const size = this.pick([
      "size: '@'",
      "size: '{{ .Values.one }} at @'",
      "size: '{{ .Values.block.inner }} at @'",
      'size: {{ printf "%s at @" .Values.one | quote }}',
    ]);
    const deep = this.pick([
      ["deep: {tag: '@'}"],
      ["deep:", "  tag: '@'", "  kept: '{{ .Values.two }} at @'"],
      ["deep:", '  {{- include "part" . | nindent <in> }}'],
      ["deep:", "  {{- toYaml .Values.block | nindent <in> }}"],
      [],
    ]);
    return [size, ...deep];
  }

  private object(name: string, chart: string, values: readonly string[]): readonly string[] {
    return this.chance(0.5) ? this.application(name, chart, values) : this.release(name, chart, values);
  }

  private application(name: string, chart: string, values: readonly string[]): readonly string[] {
    const isText = this.chance(0.3);
    return [
      "apiVersion: argoproj.io/v1alpha1",
      "kind: Application",
      `metadata: {name: "${name}"}`,
      "spec:",
      `  destination: {namespace: ${namespace}}`,
      "  source:",
      `    repoURL: ${url}`,
      `    path: charts/${chart}`,
      "    helm:",
      isText ? "      values: |" : "      valuesObject:",
      ...indented(values, 8),
    ];
  }

  private release(name: string, chart: string, values: readonly string[]): readonly string[] {
    return [
      "apiVersion: helm.toolkit.fluxcd.io/v2",
      "kind: HelmRelease",
      "metadata:",
      `  name: "${name}"`,
      ...(this.chance(0.5) ? [`  namespace: ${namespace}`] : []),
      "spec:",
      `  chart: {spec: {chart: ./charts/${chart}, sourceRef: {kind: GitRepository, name: own, namespace: ${namespace}}}}`,
      "  values:",
      ...indented(values, 4),
    ];
  }

  private root(): StampedMakers["root"] {
    const given = [
      ...(this.chance(0.7) ? ["one: '@'"] : []),
      ...(this.chance(0.5) ? ["two: '@'"] : []),
      ...(this.chance(0.5) ? ["block:", "  inner: '@'"] : []),
      ...(this.chance(0.3) ? ["list:", "  - name: own", "    size: '@'"] : []),
    ];
    const source = [
      "apiVersion: source.toolkit.fluxcd.io/v1",
      "kind: GitRepository",
      `metadata: {name: own, namespace: ${namespace}}`,
      `spec: {url: ${url}}`,
      "---",
    ];
    const kind = this.pick(["Application", "HelmRelease"] as const);
    const above = kind === "Application" ? this.rootApplication(given) : this.rootRelease(given);
    this.write("root.yaml", [...source, ...above]);
    return { kind, given: ["values/given.yaml"] };
  }

  /** Its values are a file of their own, which Helm gets, too. */
  private rootApplication(given: readonly string[]): readonly string[] {
    this.write("values/given.yaml", given.length === 0 ? ["{}"] : given);
    return [
      "apiVersion: argoproj.io/v1alpha1",
      "kind: Application",
      "metadata: {name: root, namespace: argocd}",
      "spec:",
      `  destination: {namespace: ${namespace}}`,
      `  source: {repoURL: ${url}, path: charts/level0, helm: {valueFiles: [../../values/given.yaml]}}`,
    ];
  }

  /** Helm gets the lines of the ConfigMap: their stamps are those of the manifest. */
  private rootRelease(given: readonly string[]): readonly string[] {
    const layer = [
      "apiVersion: v1",
      "kind: ConfigMap",
      `metadata: {name: given, namespace: ${namespace}}`,
      "data:",
      "  values.yaml: |",
      ...indented(given.length === 0 ? ["{}"] : given, 4),
    ];
    this.write("layer.yaml", layer);
    const text = this.files.get("layer.yaml") ?? "";
    this.files.set(
      "values/given.yaml",
      text.slice(text.indexOf("values.yaml: |\n") + 15).replaceAll(/^ {4}/gm, ""),
    );
    return [
      "apiVersion: helm.toolkit.fluxcd.io/v2",
      "kind: HelmRelease",
      `metadata: {name: root, namespace: ${namespace}}`,
      "spec:",
      "  chart: {spec: {chart: ./charts/level0, sourceRef: {kind: GitRepository, name: own}}}",
      "  valuesFrom: [{kind: ConfigMap, name: given}]",
    ];
  }
}

function indented(lines: readonly string[], step: number): readonly string[] {
  return lines.map((line) => " ".repeat(step) + line.replace("<in>", String(step + 2)));
}
