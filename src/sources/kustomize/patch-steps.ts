// The steps of kustomizations that change objects: each patch, image, label and so on, and how a copy is built without it.
import { join } from "node:path";
import type { PatchingStep } from "../../explain/index.ts";
import type { Place } from "../../explanation.ts";
import { lineIndex, type Node } from "../../yaml/index.ts";
import type { KustomizationCopy } from "./copy.ts";
import { takesFromSecrets } from "./secret-sources.ts";
import type { Kustomization, KustomizationTree } from "./tree.ts";
import { asFields, asList, type Fields } from "../plain.ts";

export interface PatchStep extends PatchingStep {
  readonly without: (copy: KustomizationCopy) => KustomizationCopy;
}

const patchLists: readonly string[] = ["patchesStrategicMerge", "patches", "patchesJson6902"];
const otherLists: readonly string[] = [
  "images",
  "replicas",
  "labels",
  "transformers",
  "replacements",
  "vars",
];
const mappings: readonly string[] = ["commonLabels", "commonAnnotations"];
const texts: readonly string[] = ["namespace", "namePrefix", "nameSuffix"];

export function stepsOf(tree: KustomizationTree, shown: (path: string) => string): readonly PatchStep[] {
  const isSecret = takesFromSecrets(tree);
  return tree.all.flatMap((each) => ownSteps(each, shown, isSecret));
}

function ownSteps(
  kustomization: Kustomization,
  shown: (path: string) => string,
  isSecret: boolean,
): readonly PatchStep[] {
  const { directory, fileName, fields, root } = kustomization;
  const file = shown(join(directory, fileName));
  const placed = root && lineIndex(root.doc.bytes);
  const placeOf = (node: Node | undefined): Place => ({
    of: "file",
    file,
    ...(node && placed?.(node.offset)),
  });
  const step = (field: string, at: Node | undefined, rest: (value: unknown) => unknown): PatchStep => ({
    is: patchLists.includes(field) ? "patch" : "kustomization",
    at: placeOf(at),
    ...(isSecret && { isSecret }),
    without: (copy) => withField(copy, kustomization, field, rest),
  });
  return Object.keys(fields).flatMap((field): readonly PatchStep[] => {
    const node = root?.get(field);
    if (texts.includes(field)) return [step(field, node, () => undefined)];
    if (mappings.includes(field)) return keysOf(node).map(([key, at]) => step(field, at, without(key)));
    if (![...patchLists, ...otherLists].includes(field)) return [];
    const entries = root?.list(field) ?? [];
    return entries.flatMap((entry, index) => {
      const pairs = field === "labels" ? keysOf(entry.get("pairs")) : [];
      const own = pairs.map(([key, at]) =>
        step(field, at, (all) =>
          replaced(all, index, (each) => ({ ...each, pairs: without(key)(each["pairs"]) })),
        ),
      );
      return own.length > 0 ? own : [step(field, entry, (all) => dropped(all, index))];
    });
  });
}

function keysOf(node: Node | undefined): readonly (readonly [string, Node])[] {
  return node?.value.isMapping === true ? [...node.value.entries()] : [];
}

function without(key: string): (value: unknown) => Fields {
  return (value) => Object.fromEntries(Object.entries(asFields(value)).filter(([each]) => each !== key));
}

/** The list without an element: those after it keep their places. */
export function dropped(all: unknown, index: number): readonly unknown[] {
  return asList(all).filter((_, own) => own !== index);
}

function replaced(all: unknown, index: number, made: (each: Fields) => Fields): readonly unknown[] {
  return asList(all).map((each, own) => (own === index ? made(asFields(each)) : each));
}

export function withField(
  copy: KustomizationCopy,
  of: Kustomization,
  field: string,
  made: (value: unknown) => unknown,
): KustomizationCopy {
  const all = copy.fields.get(of);
  if (all === undefined) return copy;
  const { [field]: value, ...rest } = all;
  const own = made(value);
  const fields = own === undefined ? rest : { ...rest, [field]: own };
  return { ...copy, fields: new Map(copy.fields).set(of, fields) };
}
