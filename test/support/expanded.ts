// Layers as if each held, where a rule holds, what the rule makes of the layers so far: what consumers merge as they
// always do then comes to what folding by rules comes to. Values are plain, paths hold keys only.
import type { MergeRule } from "../../src/merge/rules.ts";
import { isObject, mergePlain, type Plain } from "./list-model.ts";

type Mapping = { [key: string]: Plain };

/** The layers of one run, lowest first. */
export function expanded(layers: readonly Plain[], rules: readonly MergeRule[]): Plain[] {
  const done: Plain[] = [];
  let sofar: Plain = {};
  for (const layer of layers) {
    sofar = mergePlain(sofar, layer, rules) ?? {};
    done.push(expand(layer, sofar, done, rules, []));
  }
  return done;
}

function expand(
  layer: Plain,
  sofar: Plain | undefined,
  below: Plain[],
  rules: readonly MergeRule[],
  path: readonly string[],
): Plain {
  if (!isObject(layer)) return layer;
  const own: Mapping = {};
  for (const [key, value] of Object.entries(layer)) {
    const at = [...path, key];
    const here = rules.filter((rule) => rule.path === at.join("."));
    const now = isObject(sofar) ? sofar[key] : undefined;
    const isWhole = isObject(value) && here.some(({ mapping }) => mapping === "replace");
    const isDropped = value === null && here.some((rule) => rule.null === "drop");
    if (isWhole || isDropped) below.splice(0, below.length, ...below.map((each) => without(each, at)));
    if (isDropped) continue;
    own[key] =
      Array.isArray(value) && here.length > 0 && now !== undefined
        ? now
        : expand(value, now, below, rules, at);
  }
  return own;
}

function without(layer: Plain, [key, ...rest]: readonly string[]): Plain {
  if (!isObject(layer) || key === undefined || !Object.hasOwn(layer, key)) return layer;
  const { [key]: value, ...others } = layer;
  return rest.length === 0 ? others : { ...others, [key]: without(value ?? null, rest) };
}
