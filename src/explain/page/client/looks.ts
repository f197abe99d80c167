// The colour of a layer, which is one in all targets. What binds layers decides: the field of the target that names them
// (`spec.valuesFrom[1]`), their priority, or the folder of values files. So `shop-stage-prod` and `web-stage-dev`, both at 60,
// have one colour, whatever letter each has. Layers of one stack that are bound alike differ by their order.
import type { ExplainedLayer, ExplainedTarget, LayerReason } from "../../../explanation.ts";

/** The class that gives a layer its colour. */
export type LookOf = (layer: ExplainedLayer | undefined) => string;

/** How many colours there are. The next layers have the same ones as outlines. */
const hues = 8;

/** Layers that users name. */
const namedReasons: ReadonlySet<LayerReason> = new Set(["annotation", "label", "reference"]);

export function looksIn(targets: readonly ExplainedTarget[]): LookOf {
  const bindings = new Map<ExplainedLayer, string>();
  for (const { layers } of targets.flatMap(({ stacks }) => stacks)) {
    const counts = new Map<string, number>();
    for (const layer of layers) {
      // A layer without known values has no colour.
      if (layer.state === "unseen") continue;
      const binding = bindingOf(layer);
      const number = counts.get(binding) ?? 0;
      counts.set(binding, number + 1);
      bindings.set(layer, `${binding} ${number}`);
    }
  }
  const numbers = new Map([...new Set(bindings.values())].map((binding, number) => [binding, number]));
  return (layer) => {
    const hue = layer && numbers.get(bindings.get(layer) ?? "");
    return hue === undefined ? "hue-none" : lookOf(hue);
  };
}

function bindingOf({ why, slot, priority, at, name = "" }: ExplainedLayer): string {
  if (why === "file" || why === "patch") return folderOf(at?.file ?? name);
  if (why === "reference" && slot !== undefined && !slot.startsWith("spec.extraConfigs")) return slot;
  return priority === undefined || !namedReasons.has(why) ? why : `priority ${priority}`;
}

/** The folder of a file, or its own name without its ending. */
function folderOf(file: string): string {
  const parts = file.split("/");
  return parts.at(-2) ?? file.replace(/\.\w+$/, "");
}

function lookOf(hue: number): string {
  return `hue-${hue % hues}${Math.floor(hue / hues) % 2 === 1 ? " ring" : ""}`;
}
