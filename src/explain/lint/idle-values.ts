// Values of a layer that the layers below it give already. An entry counts only if that is so wherever the layer is used.
import { pathText } from "../../merge/index.ts";
import type { ExplainedStack, ExplainedValue } from "../../explanation.ts";

/** A layer in one stack, by its id there. */
interface UseOfLayer {
  readonly stack: ExplainedStack;
  readonly id: string;
}

/** Which layer has the value already: another layer, or the chart. */
export type GivenBy = "layer" | "chart";

/** Paths, as users type them. */
export function idleValues(uses: readonly UseOfLayer[], by: GivenBy): readonly string[] {
  const [first, ...others] = uses.map((each) => idleIn(each, by));
  return [...(first ?? [])].filter((path) => others.every((each) => each.has(path)));
}

function idleIn({ stack: { layers, values }, id }: UseOfLayer, by: GivenBy): ReadonlySet<string> {
  const ranks = new Map(layers.map((layer, rank) => [layer.id, rank]));
  const isUnknown = (rank: number): boolean => layers[rank]?.sets === undefined;
  const paths = values.flatMap((value) => {
    const below = valueBelow(value, id);
    if (below === undefined || isKeyOfElement(value)) return [];
    const [upper, lower] = [ranks.get(id) ?? 0, ranks.get(below) ?? 0];
    if ((layers[lower]?.why === "chart") !== (by === "chart")) return [];
    const between = Array.from({ length: Math.max(0, upper - lower - 1) }, (_, index) => lower + 1 + index);
    return between.some(isUnknown) ? [] : pathText(value.path);
  });
  return new Set(paths);
}

/** The layer with the next lower value, if the two are equal; values of Secrets have no text. */
function valueBelow({ by, text, mapping, over }: ExplainedValue, id: string): string | undefined {
  const all = [{ by, text, mapping }, ...over];
  const at = all.findIndex((each) => each.by === id);
  const [own, lower] = [all[at], all[at + 1]];
  const isSame = own?.text !== undefined && own.text === lower?.text && own.mapping !== true;
  return isSame ? lower?.by : undefined;
}

/** An element cannot do without its keys. */
function isKeyOfElement({ path, elements = [] }: ExplainedValue): boolean {
  const key = path.at(-1);
  const label = elements.includes(path.length - 2) ? (path.at(-2) ?? "") : "";
  return label
    .slice(1)
    .split(",")
    .some((part) => part.startsWith(`${key}=`));
}
