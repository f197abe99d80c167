// The same outputs for kustomize, which reads no file above its own folder: the base is a kustomization, a layer that several
// files share is a component, and each file is an overlay that folds its layers.
import { factsOf } from "../kinds.ts";
import { quote } from "../yaml/index.ts";
import type { Factored } from "./factor.ts";
import type { ValuesKind } from "./objects.ts";
import { type OutputFile, settingsName, settingsWith } from "./outputs.ts";

/** What receives the values. */
export interface KustomizeTarget {
  readonly kind: ValuesKind;
  /** Undefined where an overlay may say it. */
  readonly namespace: string | undefined;
  readonly name: string;
  readonly dataKey: string;
}

/** @param names of the overlays, one for each file */
export function kustomizeOutputs(
  made: Factored,
  names: readonly string[],
  target: KustomizeTarget,
): readonly OutputFile[] {
  const { middles } = made;
  const top = factsOf(target.kind)?.defaultPriority ?? 0;
  const middle = (index: number): string => `middle-${index + 1}`;
  const rules = made.listKeys.map(({ rule }) => rule);
  const settings = Buffer.from(settingsWith(rules, functionAnnotation));
  return [
    ...folder("base", made.base.text, target, {
      kind: "Kustomization",
      ...(isItself(target) ? { name: target.name } : { name: "base", priority: top - middles.length - 1 }),
    }),
    ...middles.flatMap(({ text }, index) =>
      folder(middle(index), text, target, {
        kind: "Component",
        name: middle(index),
        priority: top - middles.length + index,
      }),
    ),
    ...made.own.flatMap(({ text }, file) => {
      const name = names[file] ?? "";
      const components = middles.flatMap(({ files }, index) => (files.includes(file) ? middle(index) : []));
      const kind = isItself(target) ? "Kustomization" : "Component";
      const path = `overlays/${name}`;
      const layer = folder(path, text, target, {
        kind,
        name,
        priority: top,
        resources: ["base"],
        components,
      });
      return isItself(target) ? [...layer, { path: `${path}/${settingsName}`, text: settings }] : layer;
    }),
    ...(isItself(target) ? [] : [{ path: settingsName, text: settings }]),
  ];
}

/** A ConfigMap is made of its base; a HelmRelease is somewhere else, and its overlay folds. */
function isItself({ kind }: KustomizeTarget): boolean {
  return kind === "ConfigMap";
}

interface WrittenKustomization {
  readonly kind: "Kustomization" | "Component";
  readonly name: string;
  /** Absent for the target itself. */
  readonly priority?: number;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
}

function folder(
  path: string,
  text: Uint8Array,
  target: KustomizeTarget,
  kustomization: WrittenKustomization,
): readonly OutputFile[] {
  const lines = textOf(kustomization, target);
  return [
    { path: `${path}/kustomization.yaml`, text: Buffer.from(lines) },
    { path: `${path}/${target.dataKey}`, text },
  ];
}

function textOf(kustomization: WrittenKustomization, target: KustomizeTarget): string {
  const { kind, name, priority, resources = [], components = [] } = kustomization;
  const version = kind === "Component" ? "v1alpha1" : "v1beta1";
  const isFolding = resources.length > 0 && kind === "Kustomization";
  return [
    `apiVersion: kustomize.config.k8s.io/${version}\nkind: ${kind}\n`,
    listed(
      "resources",
      resources.map((each) => `../../${each}`),
    ),
    listed(
      "components",
      components.map((each) => `../../${each}`),
    ),
    `configMapGenerator:\n  - name: ${priority === undefined ? name : `${target.name}-${name}`}\n`,
    target.namespace === undefined ? "" : `    namespace: ${quote(target.namespace)}\n`,
    `    files: [${target.dataKey}]\n`,
    priority === undefined ? "" : layerOptions(target, priority),
    listed("transformers", isFolding ? [settingsName] : []),
  ].join("");
}

function layerOptions({ kind, name }: KustomizeTarget, priority: number): string {
  return `    options:
      disableNameSuffixHash: true
      annotations:
        valuefold.dev/into: ${kind}/${name}
        valuefold.dev/priority: "${priority}"
`;
}

function listed(key: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `${key}:\n${items.map((item) => `  - ${item}\n`).join("")}`;
}

const functionAnnotation =
  "  annotations:\n    config.kubernetes.io/function: |\n      exec:\n        path: valuefold\n";
