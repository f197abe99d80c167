// In which pieces the layers of a stack reach their consumer: each run folds into one, and a layer that does not fold is a
// piece of its own. Rules apply within a run; the consumer merges the pieces without them.
import type { Layer, Run } from "../layers/index.ts";
import type { ReadEntry } from "../core/index.ts";
import { type LayerNode, withoutNulls } from "./elements.ts";

/** The nodes that apply at a path, lowest first, and those that they override, highest first. */
interface Group {
  readonly group: readonly LayerNode[];
  readonly below: readonly LayerNode[];
}

export class Pieces {
  /** What goes into its target becomes one, or is refused. */
  static readonly one = new Pieces(() => 0);
  private readonly runOf: (position: number) => number | undefined;

  /** @param runOf the run of a layer, by its position in the stack; undefined where it does not fold */
  private constructor(runOf: (position: number) => number | undefined) {
    this.runOf = runOf;
  }

  static of(entries: readonly ReadEntry[], runs: readonly Run[] | undefined): Pieces {
    if (runs === undefined) return Pieces.one;
    const byLayer = new Map(
      runs.flatMap(({ layers }, index) => layers.map((layer): [Layer | undefined, number] => [layer, index])),
    );
    const runOfEntry = entries.map(({ layer }) => byLayer.get(layer));
    return new Pieces((position) => runOfEntry[position]);
  }

  /** True where rules are carried out. */
  folds({ layer }: LayerNode): boolean {
    return this.runOf(layer) !== undefined;
  }

  /** Without what a dropped null removes in its run, and without that null. */
  withoutNulls(nodes: readonly LayerNode[]): readonly LayerNode[] {
    return this.each(nodes).flatMap((own) =>
      own.some((each) => this.folds(each)) ? withoutNulls(own) : own,
    );
  }

  /** The uppermost mapping of each run, where it replaces those below it. */
  replaced(nodes: readonly LayerNode[], first: number): Group {
    const group = this.each(nodes.slice(first)).flatMap((own) => own.slice(-1));
    const counts = new Set(group);
    return { group, below: nodes.filter((each) => !counts.has(each)).toReversed() };
  }

  /** The nodes of the uppermost run, and those below that run. */
  split(nodes: readonly LayerNode[]): {
    readonly own: readonly LayerNode[];
    readonly others: readonly LayerNode[];
  } {
    const own = this.each(nodes).at(-1) ?? [];
    return { own, others: nodes.slice(0, nodes.length - own.length) };
  }

  /** Layers of a run are adjacent. */
  private each(nodes: readonly LayerNode[]): readonly (readonly LayerNode[])[] {
    const pieces: LayerNode[][] = [];
    let last: number | undefined;
    for (const each of nodes) {
      const run = this.runOf(each.layer);
      if (run !== undefined && run === last) pieces.at(-1)?.push(each);
      else pieces.push([each]);
      last = run;
    }
    return pieces;
  }
}
