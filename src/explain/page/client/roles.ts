// Roles of layers: base, stage, region and the like. A role has one colour in all targets, whatever letter its layers have.
//
// What binds layers makes a role: the field of the target that names them (`spec.valuesFrom[1]`), their priority, or the
// folder of values files. So `shop-stage-prod` and `web-stage-dev`, both at 60, have one role. The word for it is the first
// word of their names without the names of targets, if all have the same: `stage`. Roles with one word are one, unless
// layers of one stack would share it: then the next word that distinguishes them is theirs.
import type { ExplainedLayer, ExplainedTarget, LayerReason } from "../../../explanation.ts";
import { titleOf } from "./words.ts";

export interface Role {
  readonly word: string;
  /** The class that gives its colour. */
  readonly look: string;
}

export type Roles = (layer: ExplainedLayer | undefined) => Role;

/** How many colours there are. The next roles have the same ones as outlines. */
const hues = 8;

/** Layers that users name, each for its role. */
const namedReasons: ReadonlySet<LayerReason> = new Set(["annotation", "label", "reference"]);

export function rolesIn(targets: readonly ExplainedTarget[]): Roles {
  const owners = new Set(targets.map(({ name }) => name));
  const stacks = targets.flatMap((target) => target.stacks.map(({ layers }) => layers));
  const words = commonWords(stacks.flat(), owners);
  const shared = new Set(stacks.flatMap((layers) => sharing(layers, words)).map(bindingOf));
  for (const layer of words.keys()) if (shared.has(bindingOf(layer))) words.set(layer, bindingOf(layer));
  for (const wordOf of [ownWord, wholeName])
    for (const layer of stacks.flatMap((layers) => sharing(layers, words)))
      words.set(layer, wordOf(layer, owners));
  return lookup(words);
}

/** By layer: the first word that the names of all layers that are bound alike have, or what binds them. */
function commonWords(
  layers: readonly ExplainedLayer[],
  owners: ReadonlySet<string>,
): Map<ExplainedLayer, string> {
  const byBinding = new Map<string, Set<string>>();
  for (const layer of layers) {
    const binding = bindingOf(layer);
    const found = byBinding.get(binding) ?? new Set();
    byBinding.set(binding, found);
    const { name, why } = layer;
    if (name !== undefined && namedReasons.has(why)) found.add(wordsOf(name, owners)[0] ?? name);
  }
  return new Map(
    layers.map((layer) => {
      const [first, second] = byBinding.get(bindingOf(layer)) ?? [];
      return [layer, first === undefined || second !== undefined ? bindingOf(layer) : first];
    }),
  );
}

/** The layers of a stack that share their word with another. Layers without known values have no colour anyway. */
function sharing(
  layers: readonly ExplainedLayer[],
  words: ReadonlyMap<ExplainedLayer, string>,
): ExplainedLayer[] {
  const all = layers.filter(isKnown).map((layer) => words.get(layer));
  return layers.filter((layer) => {
    const word = words.get(layer);
    return isKnown(layer) && all.indexOf(word) !== all.lastIndexOf(word);
  });
}

function isKnown({ state }: ExplainedLayer): boolean {
  return state !== "unseen";
}

function lookup(words: ReadonlyMap<ExplainedLayer, string>): Roles {
  const known = [...words].flatMap(([layer, word]) => (isKnown(layer) ? [word] : []));
  const numbers = new Map([...new Set(known)].map((word, number) => [word, number]));
  return (layer) => {
    const word = (layer && words.get(layer)) ?? "";
    const hue = numbers.get(word);
    return { word, look: hue === undefined ? "hue-none" : lookOf(hue) };
  };
}

/** What binds a layer, in words. */
function bindingOf({ why, slot, priority, at, name = "" }: ExplainedLayer): string {
  if (why === "file" || why === "patch") return folderOf(at?.file ?? name);
  if (why === "reference" && slot !== undefined && !slot.startsWith("spec.extraConfigs"))
    return slot.replace("spec.", "");
  return priority === undefined || !namedReasons.has(why) ? why : `priority ${priority}`;
}

function ownWord({ why, name = "", at }: ExplainedLayer, owners: ReadonlySet<string>): string {
  return why === "file" || why === "patch"
    ? (at?.file ?? name).replace(/.*\//, "")
    : wordsOf(name, owners).join("-");
}

function wholeName(layer: ExplainedLayer): string {
  return layer.why === "file" || layer.why === "patch"
    ? (layer.at?.file ?? layer.name ?? "")
    : titleOf(layer);
}

/** The folder of a file, or its own name without its ending. */
function folderOf(file: string): string {
  const parts = file.split("/");
  return parts.at(-2) ?? file.replace(/\.\w+$/, "");
}

/** The words of a layer's name after the name of a target. */
function wordsOf(name: string, owners: ReadonlySet<string>): string[] {
  const words = name.split("-");
  for (let end = words.length - 1; end > 0; end--)
    if (owners.has(words.slice(0, end).join("-"))) return words.slice(end);
  return words;
}

function lookOf(hue: number): string {
  return `hue-${hue % hues}${Math.floor(hue / hues) % 2 === 1 ? " ring" : ""}`;
}
