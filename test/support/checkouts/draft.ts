// A checkout while it is made: what is written, and what follows from it, its roots and its releases with their layers.
import type { Random } from "../nasty-yaml.ts";

export interface Root {
  readonly name: string;
  readonly kind: "Flux" | "Argo CD" | "Fleet" | "kustomization";
  /** Nothing names it. */
  readonly isGuess?: true;
}

/** A value in a file: its text is nowhere else in the checkout. */
interface Leaf {
  readonly path: string;
  readonly text: string;
}

/** Values in one file. */
export interface Layer {
  readonly file: string;
  readonly leaves: readonly Leaf[];
  /** Paths that it takes away from the values of the release itself. */
  readonly removes?: readonly string[];
  /** Variables that are replaced before it is a layer: those of what builds the object that has it. */
  readonly variables?: Readonly<Record<string, string>>;
  /** True for an object of its own: what takes away values of the release leaves it as it is. */
  readonly isApart?: true;
}

/** The layer that has the value at a path. */
export function winnerOf(layers: readonly Layer[], path: string): Layer | undefined {
  const has = ({ leaves }: Layer): boolean => leaves.some((own) => own.path === path);
  const top = layers.findLast((each) => has(each) || each.removes?.includes(path) === true);
  return top === undefined || has(top) ? top : layers.findLast((each) => each.isApart === true && has(each));
}

/** A release as it is made: its layers, lowest first. */
export interface Made {
  readonly root: string;
  /** `Kind/namespace/name`. */
  readonly target: string;
  readonly layers: readonly Layer[];
  /** Variables that are replaced in it; absent where none are. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Where a layout is, and the repository that its objects name. */
export interface Place {
  /** Empty, or a folder with `/` at its end. */
  readonly top: string;
  /** What the paths of its objects begin with: empty where the source is the top. */
  readonly start: string;
  readonly repository: string;
}

const paths = ["alpha", "beta.one", "beta.two", "gamma.deep.er"];

export class Draft {
  readonly random: Random;
  readonly files = new Map<string, string>();
  readonly traits: string[] = [];
  readonly roots: Root[] = [];
  readonly releases: Made[] = [];
  /** Layers of what nothing deploys. */
  readonly loose: Layer[] = [];
  /** Files with releases that no root has. */
  readonly unbuilt: string[] = [];
  private count = 0;

  constructor(random: Random) {
    this.random = random;
  }

  write(file: string, text: string): void {
    this.files.set(file, `${text.trimEnd()}\n`);
  }

  has(trait: string, times: number): boolean {
    if (!this.random.once(times)) return false;
    this.traits.push(trait);
    return true;
  }

  /** One of the spellings of a repository's URL. */
  url(repository: string): string {
    const end = this.random.pick(["", ".git"]);
    const host = "git.example";
    return this.random.pick([
      `ssh://git@${host}/${repository}${end}`,
      `git@${host}:${repository}${end}`,
      `https://${host}/${repository}${end}`,
    ]);
  }

  /** Values at some paths, each with a text of its own. */
  layer(file: string, isWithVariables = false): Layer {
    const some = paths.filter(() => this.random.once(2));
    const leaves = (some.length === 0 ? ["alpha"] : some).map((path) => {
      const variable = isWithVariables && this.random.once(3) ? "-${site}" : "";
      return { path, text: `v${++this.count}x${variable}` };
    });
    return { file, leaves };
  }

  /** A file of values. */
  valuesFile(file: string, isWithVariables = false): Layer {
    const layer = this.layer(file, isWithVariables);
    this.write(file, yamlOf(layer).join("\n"));
    return layer;
  }

  chart(directory: string, name: string): Layer {
    this.write(`${directory}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0`);
    this.write(`${directory}/templates/a.yaml`, "{{ toYaml .Values }}");
    return this.valuesFile(`${directory}/values.yaml`);
  }
}

/** Lines of YAML of a layer. */
export function yamlOf({ leaves }: Layer, indent = ""): string[] {
  const lines: string[] = [];
  const open: string[] = [];
  for (const { path, text } of leaves) {
    const keys = path.split(".");
    for (const [depth, key] of keys.entries()) {
      const own = keys.slice(0, depth + 1).join(".");
      if (open.includes(own)) continue;
      open.push(own);
      lines.push(`${indent}${"  ".repeat(depth)}${key}:${depth === keys.length - 1 ? ` ${text}` : ""}`);
    }
  }
  return lines;
}

export function helmRelease(
  name: string,
  namespace: string,
  layer: Layer,
  valuesFrom: readonly string[] = [],
): string {
  return [
    "apiVersion: helm.toolkit.fluxcd.io/v2",
    "kind: HelmRelease",
    `metadata: {name: ${name}, namespace: ${namespace}}`,
    "spec:",
    "  interval: 5m",
    `  chart: {spec: {chart: ${name}, sourceRef: {kind: HelmRepository, name: charts}}}`,
    ...(valuesFrom.length === 0
      ? []
      : ["  valuesFrom:", ...valuesFrom.map((each) => `  - {kind: ConfigMap, name: ${each}}`)]),
    "  values:",
    ...yamlOf(layer, "    "),
  ].join("\n");
}
