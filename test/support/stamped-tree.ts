// Random trees of kustomizations in which each value is the file and the line where it stands: `base/release.yaml#12`. What
// kustomize builds of them then says itself where its values are from.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface StampedTree {
  readonly files: ReadonlyMap<string, string>;
  /** The directory that is built. */
  readonly top: string;
  /** Places of operations that edit a list: the list is theirs, though its elements are from elsewhere. */
  readonly edits: ReadonlySet<string>;
  /** True where a part of the build changes values so that no file can be named for some. */
  readonly isOpaque: boolean;
}

export function writeTree({ files }: Pick<StampedTree, "files">, folder: string): void {
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

type PickOne = <T>(choices: readonly T[]) => T;

/** A value before it is known where it stands: `@` is a stamp. */
type Value = "@" | null | readonly Value[] | { readonly [key: string]: Value };

const release = { apiVersion: "helm.toolkit.fluxcd.io/v2", kind: "HelmRelease" };

/** Numbers from 0 to 1 that a seed gives (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function stampedTree(random: () => number): StampedTree {
  return new Tree(random).made();
}

/** The same, built by Kustomizations of Flux in `clusters/prod`, one perhaps patched by its parent, with variables. */
export function stampedFluxTree(random: () => number): StampedTree {
  return new Tree(random, true).madeByFlux();
}

class Tree {
  private readonly files = new Map<string, string>();
  private readonly edits = new Set<string>();
  private isOpaque = false;
  private readonly random: () => number;
  private readonly hasVariables: boolean;
  /** kustomize merges nothing into an object with an empty key: operations change it. */
  private readonly hasEmptyKeys: boolean;
  private patches = 0;
  /** Files with a resource each: a patch may be one of them, too. */
  private readonly single: string[] = [];

  constructor(random: () => number, hasVariables = false) {
    this.random = random;
    this.hasVariables = hasVariables;
    this.hasEmptyKeys = this.is(0.15);
  }

  madeByFlux(): StampedTree {
    const names = ["shop", "blog", "mail"].slice(0, 1 + this.upTo(3));
    this.base("base", names);
    if (this.is(0.7)) this.overlay("stage", "base", names);
    const below = this.files.has("stage/kustomization.yaml") ? "stage" : "base";
    if (this.is(0.3)) this.files.delete("base/kustomization.yaml");
    if (below === "stage" && !this.files.has("base/kustomization.yaml")) this.kustomizationOf("base");
    const child = this.kustomization("apps", `./${below}`, this.fluxPatches(names), names);
    if (this.is(0.5)) this.write("clusters/prod/apps.yaml", child.join("\n"));
    else {
      this.write("flux/apps.yaml", child.join("\n"));
      const target = ["  - target: {kind: Kustomization}"];
      const lines = [
        "    patch: |",
        "      apiVersion: kustomize.toolkit.fluxcd.io/v1",
        "      kind: Kustomization",
      ];
      const nested = ["      metadata: {name: any}", "      spec:"];
      const inner = this.fluxPatches(names).map((line) => `      ${line}`);
      const patches = inner.length === 0 ? [] : ["  patches:", ...target, ...lines, ...nested, ...inner];
      this.write("clusters/prod/parent.yaml", this.kustomization("parent", "./flux", patches, []).join("\n"));
    }
    const { files, edits, isOpaque } = this;
    return { files, top: "clusters/prod", edits, isOpaque };
  }

  private kustomizationOf(directory: string): void {
    const files = [...this.files.keys()].filter((name) => name.startsWith(`${directory}/`));
    const own = files
      .map((name) => name.slice(directory.length + 1))
      .filter((name) => !name.includes("-text."));
    this.write(`${directory}/kustomization.yaml`, `resources: [${own.join(", ")}]`);
  }

  private kustomization(
    name: string,
    path: string,
    patches: readonly string[],
    names: readonly string[],
  ): string[] {
    const variables = ["  postBuild:", "    substitute:", "      WHO: @", "      TEAM: @", "      KEY: k"];
    const isComponent = names.length > 0 && this.is(0.3);
    return [
      "apiVersion: kustomize.toolkit.fluxcd.io/v1",
      "kind: Kustomization",
      `metadata: {name: ${name}, namespace: flux-system}`,
      "spec:",
      "  sourceRef: {kind: GitRepository, name: flux-system}",
      `  path: ${path}`,
      ...(names.length > 0 && this.is(0.3) ? ["  targetNamespace: apps"] : []),
      ...(names.length > 0 && this.is(0.2) ? ["  namePrefix: of-"] : []),
      ...(isComponent ? [`  components: [../${this.component("flux", names)}]`] : []),
      ...patches,
      ...(names.length > 0 ? variables : []),
    ];
  }

  private fluxPatches(names: readonly string[]): string[] {
    const patches: string[] = [];
    for (let left = this.upTo(3); left > 0; left--) {
      const [kind, text] = this.isMerge()
        ? ["name", this.merge(this.pick(names))]
        : ["any", this.operations()];
      patches.push("  - target: {kind: HelmRelease}", `    patch: ${kind === "name" ? "|" : "|-"}`);
      patches.push(...text.map((line) => `      ${line}`));
    }
    return patches.length === 0 ? [] : ["  patches:", ...patches];
  }

  made(): StampedTree {
    const names = ["shop", "blog", "mail"].slice(0, 1 + this.upTo(3));
    this.base("base", names);
    let top = "base";
    for (const level of ["stage", "region", "prod"].slice(0, 1 + this.upTo(3))) {
      this.overlay(level, top, names);
      top = level;
    }
    if (this.is(0.15)) top = this.twice(top);
    const { files, edits, isOpaque } = this;
    return { files, top, edits, isOpaque };
  }

  private readonly pick: PickOne = (choices) => choices[this.upTo(choices.length)] as never;

  private upTo(end: number): number {
    return Math.floor(this.random() * end);
  }

  private is(chance: number): boolean {
    return this.random() < chance;
  }

  private base(directory: string, names: readonly string[]): void {
    const resources: string[] = [];
    const isOneFile = this.is(0.3);
    const documents = names.map((name) => this.release(name));
    if (isOneFile) this.write(`${directory}/all.yaml`, documents.join("\n---\n"));
    if (isOneFile) resources.push("all.yaml");
    else
      for (const [index, text] of documents.entries()) {
        this.write(`${directory}/${names[index]}.yaml`, (this.is(0.3) ? "# a comment\n---\n" : "") + text);
        this.single.push(`${directory}/${names[index]}.yaml`);
        resources.push(`${names[index]}.yaml`);
      }
    const lines = this.layers(directory, names, resources);
    this.write(
      `${directory}/kustomization.yaml`,
      ["kind: Kustomization", `resources: [${resources.join(", ")}]`, ...lines].join("\n"),
    );
  }

  /** ConfigMaps that the releases read: as manifests or from generators. */
  private layers(directory: string, names: readonly string[], resources: string[]): string[] {
    const generated: string[] = [];
    for (const name of names) {
      const values = block(this.values(), "", this.random);
      if (this.is(0.5)) {
        const data = ["data:", "  values.yaml: |", ...values.map((line) => `    ${line}`)];
        this.write(
          `${directory}/${name}-values.yaml`,
          [`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}-values}`, ...data].join("\n"),
        );
        resources.push(`${name}-values.yaml`);
      } else {
        this.write(`${directory}/${name}-text.yaml`, values.join("\n"));
        generated.push(`- name: ${name}-values`, `  files: [values.yaml=${name}-text.yaml]`);
      }
    }
    if (generated.length === 0) return [];
    return ["configMapGenerator:", ...generated, "generatorOptions: {disableNameSuffixHash: true}"];
  }

  private release(name: string): string {
    const lines = [
      `apiVersion: ${release.apiVersion}`,
      `kind: ${release.kind}`,
      "metadata:",
      `  name: ${name}`,
      ...(this.is(0.3) ? ["  annotations: {a: b}"] : []),
      ...(this.is(0.5) ? ["  labels: {app: yes-it-is}"] : []),
      "spec:",
      "  valuesFrom:",
      `  - {kind: ConfigMap, name: ${name}-values, valuesKey: values.yaml}`,
      "  values:",
      ...block({ ...this.values(), always: { there: "@", list: ["@", "@"] } }, "    ", this.random),
    ];
    return lines.join("\n");
  }

  private overlay(directory: string, below: string, names: readonly string[]): void {
    const resources = [`../${below}`];
    const parts: string[] = [];
    const patches: string[] = [];
    for (let left = this.upTo(4); left > 0; left--) patches.push(...this.patch(directory, names));
    const legacy: string[] = [];
    if (!this.hasEmptyKeys && this.is(0.2)) legacy.push(this.mergeFile(directory, this.pick(names)));
    if (this.is(0.25)) parts.push("components:", `- ../${this.component(directory, names)}`);
    if (this.is(0.25)) parts.push(...this.generator(directory, this.pick(names)));
    if (this.is(0.2)) parts.push(...this.replacement(names));
    if (patches.length > 0) parts.push("patches:", ...patches);
    if (legacy.length > 0) parts.push("patchesStrategicMerge:", ...legacy.map((each) => `- ${each}`));
    if (this.is(0.2)) parts.push(`namePrefix: ${directory}-`);
    if (this.is(0.2)) parts.push(`namespace: ${directory}`);
    if (this.is(0.15)) parts.push("buildMetadata: [transformerAnnotations]");
    const own = [`resources:`, ...resources.map((each) => `- ${each}`), ...parts];
    this.write(`${directory}/kustomization.yaml`, own.join("\n"));
  }

  private component(directory: string, names: readonly string[]): string {
    const name = `${directory}-extra`;
    const patches = this.patch(name, names);
    this.write(
      `${name}/kustomization.yaml`,
      ["apiVersion: kustomize.config.k8s.io/v1alpha1", "kind: Component", "patches:", ...patches].join("\n"),
    );
    return name;
  }

  /** One entry of `patches`. */
  private patch(directory: string, names: readonly string[]): string[] {
    const name = this.pick(names);
    const isMerge = this.isMerge();
    const target = this.pick([
      [`  target: {kind: HelmRelease, name: ${name}}`],
      [`  target: {kind: HelmRelease, name: "${name.slice(0, 2)}.*"}`],
      ["  target: {kind: HelmRelease, labelSelector: app=yes-it-is}"],
      ["  target: {kind: HelmRelease, annotationSelector: a=b}"],
      ["  target: {kind: HelmRelease}"],
    ]);
    if (isMerge && this.single.length > 0 && this.is(0.1))
      return [`- path: ../${this.pick(this.single)}`, ...target];
    const text = isMerge ? this.merge(name) : this.operations();
    const isNamed = isMerge && this.is(0.5);
    if (this.is(0.5)) {
      const file = `patch-${++this.patches}.yaml`;
      this.write(`${directory}/${file}`, text.join("\n"));
      return [`- path: ${file}`, ...(isNamed ? [] : target)];
    }
    return [
      `- patch: ${this.pick(["|", "|-"])}`,
      ...text.map((line) => `    ${line}`),
      ...(isNamed ? [] : target),
    ];
  }

  private isMerge(): boolean {
    return !this.hasEmptyKeys && this.is(0.6);
  }

  private mergeFile(directory: string, name: string): string {
    const file = `merge-${++this.patches}.yaml`;
    this.write(`${directory}/${file}`, this.merge(name).join("\n"));
    return file;
  }

  private merge(name: string): string[] {
    const values = block(this.values(true), "    ", this.random);
    return [
      `apiVersion: ${release.apiVersion}`,
      `kind: ${release.kind}`,
      `metadata: {name: ${name}}`,
      "spec:",
      "  values:",
      ...values,
    ];
  }

  /** Operations that always apply: they add below what is there, or make it. */
  private operations(): string[] {
    const lines: string[] = [];
    for (let left = 1 + this.upTo(2); left > 0; left--) {
      const [op, path, value] = this.pick([
        ["add", "/spec/values/added", { x2: "@", y2: ["@"] }],
        ["add", "/spec/values/e", "@"],
        ["add", "/spec/values/list", ["@", "@"]],
        ["add", "/spec/values/always/more", "@"],
        ["replace", "/spec/values/always/there", "@"],
        ["add", "/spec/values/always/list/-", "@"],
        ["add", "/spec/values/always/list/0", "@"],
        ["replace", "/spec/values/always", { there: "@", list: ["@"] }],
        ["remove", "/spec/values/always/list/0", undefined],
        ["copy", "/spec/values/e", "/spec/values/always/there"],
        ["copy", "/spec/values/always/there", "/spec/values/always/list/0"],
        ["copy", "/spec/values/copied", "/spec/values/always/there"],
        ...(this.hasEmptyKeys ? [["add", "/spec/values/", "@"]] : []),
      ] as [string, string, Value | undefined][]);
      lines.push(`- op: ${op}${["remove", "copy"].includes(op) ? " #EDIT" : ""}`, `  path: ${path}`);
      if (op === "copy" && typeof value === "string") lines.push(`  from: ${value}`);
      else if (value === "@") lines.push("  value: @");
      else if (value !== undefined) lines.push("  value:", ...block(value, "    ", this.random));
    }
    return lines;
  }

  private generator(directory: string, name: string): string[] {
    const file = `${name}-more.yaml`;
    this.write(`${directory}/${file}`, block(this.values(), "", this.random).join("\n"));
    return [
      "configMapGenerator:",
      `- name: ${name}-values`,
      `  behavior: ${this.pick(["merge", "replace"])}`,
      `  files: [values.yaml=${file}]`,
      "generatorOptions: {disableNameSuffixHash: true}",
    ];
  }

  private replacement(names: readonly string[]): string[] {
    const [from, to] = [this.pick(names), this.pick(names)];
    this.isOpaque = true;
    return [
      "replacements:",
      `- source: {kind: HelmRelease, name: ${from}, fieldPath: ${this.pick(["spec.values.always.there", "metadata.name"])}}`,
      "  targets:",
      `  - select: {kind: HelmRelease, name: ${to}}`,
      `    fieldPaths: [${this.pick(["spec.values.taken", "spec.values.always.there"])}]`,
      "    options: {create: true}",
    ];
  }

  /** One tree, with two prefixes. */
  private twice(below: string): string {
    for (const side of ["left", "right"])
      this.write(`${side}/kustomization.yaml`, `resources: [../${below}]\nnamePrefix: ${side}-`);
    this.write("both/kustomization.yaml", "resources: [../left, ../right]");
    return "both";
  }

  private values(isPatch = false): { readonly [key: string]: Value } {
    const own: Record<string, Value> = {};
    const keys = [
      "a",
      "b",
      "c",
      "d",
      ...(this.hasVariables ? ["${KEY}", "of-${KEY}"] : []),
      ...(this.hasEmptyKeys ? [""] : []),
    ];
    for (const key of keys) if (this.is(0.6)) own[key] = this.value(2, isPatch);
    return Object.keys(own).length === 0 ? { a: { x2: { x1: "@" } } } : own;
  }

  /** What a key may hold is the same everywhere: kustomize refuses a mapping over a scalar, and a scalar over a list. */
  private value(depth: number, isPatch: boolean, isList = false): Value {
    if (this.is(isPatch ? 0.12 : 0.04)) return null;
    if (depth <= 0) return isList ? (["@", "@"].slice(0, 1 + this.upTo(2)) as Value) : "@";
    const nested: Record<string, Value> = {};
    for (const key of ["x", "y"])
      if (this.is(0.7)) nested[`${key}${depth}`] = this.value(depth - 1, isPatch, key === "y");
    return nested;
  }

  private variable(): string {
    if (!this.hasVariables || this.is(0.7)) return "";
    const usual = [" ${WHO}", " ${TEAM}", " ${GONE:=nothing}", " ${TEAM/a/b}", " $${WHO}", " ${GONE}."];
    return this.pick([...usual, " ${GONE}", "${GONE}", ' ${GONE:=\\"4\\"}', "${GONE:= }"]);
  }

  /** Each `@` becomes the file and its line. */
  private write(file: string, text: string): void {
    const lines = `${text}\n`.split("\n").map((line, index) => {
      if (line.includes("#EDIT")) this.edits.add(`${file}#${index + 1}`);
      const variable = file.startsWith("clusters/") || file.startsWith("flux/") ? "" : this.variable();
      const start = variable === "" || this.is(0.8) ? "" : "${GONE} ";
      return line.replace(" #EDIT", "").replaceAll("@", `"${start}${file}#${index + 1}${variable}"`);
    });
    this.files.set(file, lines.join("\n"));
  }
}

/** Lines of YAML, in block or in bracket style, with comments and anchors here and there. */
function block(value: Value, indent: string, random: () => number): string[] {
  if (value === "@" || value === null) return [`${indent}${value === null ? "null" : "@"}`];
  if (Array.isArray(value)) return value.map((each) => `${indent}- ${inBrackets(each as Value)}`);
  return Object.entries(value).flatMap(([key, inner]: [string, Value]): string[] => {
    const more = random() < 0.15 ? [`${indent}# ${key}`] : [];
    const isShort = inner === null || inner === "@" || random() < 0.2 || Object.keys(inner).length === 0;
    // A null may be written, or be what is not there.
    if (inner === null) return [...more, `${indent}${keyed(key)}:${random() < 0.5 ? "" : " null"}`];
    return isShort
      ? [...more, `${indent}${keyed(key)}: ${inBrackets(inner)}`]
      : [...more, `${indent}${keyed(key)}:`, ...block(inner, `${indent}  `, random)];
  });
}

function inBrackets(value: Value): string {
  if (value === null) return "null";
  if (value === "@") return "@";
  if (Array.isArray(value)) return `[${value.map((each) => inBrackets(each as Value)).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([key, inner]: [string, Value]) => `${keyed(key)}: ${inBrackets(inner)}`)
    .join(", ")}}`;
}

function keyed(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}
