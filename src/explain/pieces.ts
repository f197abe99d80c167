// In which pieces the layers of a stack reach their consumer: each run folds into one, and what does not fold is a piece of
// its own. Rules hold within a run; the consumer puts one piece over the other without them.
import type { Layer, ReadEntry, Run } from "../core/index.ts";
import { type Said, withoutNulls } from "./elements.ts";

/** What counts at a path, lowest first, and what it lies over, highest first. */
interface Group {
  readonly group: readonly Said[];
  readonly below: readonly Said[];
}

export class Pieces {
  /** What goes into its target becomes one, or is refused. */
  static readonly one = new Pieces(() => 0);
  private readonly runOf: (position: number) => number | undefined;

  /** @param runOf the run of a layer, by its position in the stack; undefined where it does not fold */
  private constructor(runOf: (position: number) => number | undefined) {
    this.runOf = runOf;
  }

  static of(standings: readonly ReadEntry[], runs: readonly Run[] | undefined): Pieces {
    if (runs === undefined) return Pieces.one;
    const byLayer = new Map(
      runs.flatMap(({ layers }, index) => layers.map((layer): [Layer | undefined, number] => [layer, index])),
    );
    const ofStandings = standings.map(({ layer }) => byLayer.get(layer));
    return new Pieces((position) => ofStandings[position]);
  }

  /** True where rules are carried out. */
  folds({ layer }: Said): boolean {
    return this.runOf(layer) !== undefined;
  }

  /** What is left where a null takes away what lies below it in its run, and goes with it. */
  withoutNulls(said: readonly Said[]): readonly Said[] {
    return this.each(said).flatMap((own) => (own.some((each) => this.folds(each)) ? withoutNulls(own) : own));
  }

  /** The uppermost mapping of each run, where it takes the place of those below it. */
  replaced(said: readonly Said[], first: number): Group {
    const group = this.each(said.slice(first)).flatMap((own) => own.slice(-1));
    const counts = new Set(group);
    return { group, below: said.filter((each) => !counts.has(each)).toReversed() };
  }

  /** What the uppermost run says, and what lies below that run. */
  split(said: readonly Said[]): { readonly own: readonly Said[]; readonly others: readonly Said[] } {
    const own = this.each(said).at(-1) ?? [];
    return { own, others: said.slice(0, said.length - own.length) };
  }

  /** Layers of a run are adjacent. */
  private each(said: readonly Said[]): readonly (readonly Said[])[] {
    const pieces: Said[][] = [];
    let last: number | undefined;
    for (const each of said) {
      const run = this.runOf(each.layer);
      if (run !== undefined && run === last) pieces.at(-1)?.push(each);
      else pieces.push([each]);
      last = run;
    }
    return pieces;
  }
}
