// An explanation in short: a line per target, with what folds and what does not.
import type { ExplainedLayer, ExplainedStack, ExplainedTarget, Explanation } from "../explanation.ts";
import { count } from "../core/index.ts";
import { type Cell, columns } from "./columns.ts";
import { type Paint, painted, plain } from "./paint.ts";
import { canFold, titleOf } from "./titles.ts";
import type { ViewOptions } from "./view.ts";

export function renderOverview({ targets }: Explanation, { colour, width }: ViewOptions): string {
  const paint = colour ? painted : plain;
  const builds = [...new Set(targets.map(({ build }) => build))];
  const parts = builds.map((build) => {
    const own = targets.filter((target) => target.build === build);
    const indent = build === undefined ? "" : "  ";
    const head = build === undefined ? [] : [paint.bold(build)];
    return [
      ...head,
      ...columns(
        own.map((target) => cellsOf(target, indent, paint)),
        { width },
      ),
    ]
      .map((line) => `${line}\n`)
      .join("");
  });
  return parts.join("\n");
}

function cellsOf(target: ExplainedTarget, indent: string, paint: Paint): Cell[] {
  const { stacks } = target;
  const layers = stacks.flatMap((stack) => stack.layers);
  const values = stacks.flatMap((stack) => stack.values.filter(({ mapping }) => mapping !== true));
  const lost = layers.reduce((sum, { overridden = 0 }) => sum + overridden, 0);
  return [
    { text: `${indent}${titleOf(target)}` },
    { text: count(layers.length, "layer") },
    { text: `${count(values.length, "value")}${lost === 0 ? "" : `, ${lost} overridden`}`, paint: paint.dim },
    canFold(target) ? resultOf(stacks, layers, paint) : unknownCell(layers, paint),
  ];
}

function unknownCell(layers: readonly ExplainedLayer[], paint: Paint): Cell {
  return { text: unknownIn(layers).join("; "), paint: paint.warn };
}

/** What folds; else why nothing does, or what stays apart. */
function resultOf(stacks: readonly ExplainedStack[], layers: readonly ExplainedLayer[], paint: Paint): Cell {
  const into = stacks.flatMap(({ runs }) => runs.map((run) => run.into));
  const folds = into.length === 0 ? "nothing folds" : `folds into ${into.join(", ")}`;
  const reasons = [
    ...unknownIn(layers),
    ...stacks.flatMap(({ splits }) => splits.map(({ reason }) => reason)),
  ];
  return reasons.length === 0
    ? { text: folds }
    : { text: `${folds}; ${[...new Set(reasons)].join("; ")}`, paint: paint.warn };
}

/** Why the values of a layer are not known, by its state. */
export const unknownWords = {
  late: "bound in the cluster",
  unseen: "not seen",
  sealed: "encrypted",
  unreadable: "cannot be read",
} as const;

function unknownIn(layers: readonly ExplainedLayer[]): string[] {
  return Object.entries(unknownWords).flatMap(([state, word]) => {
    // What the platform may bind is there for every App.
    const { length } = layers.filter((layer) => layer.state === state && layer.why !== "platform");
    return length === 0 ? [] : [`${length} ${word}`];
  });
}
