// The edits that a comparison of two stacks found, by layer and path: asked once for every value that changes, so each answer
// costs the steps of its path, however many edits there are.
import type { Held } from "./side.ts";

/** An edit that a comparison of two stacks found. */
export interface Made {
  /** Key among all edits. */
  readonly edit: string;
  readonly held: Held;
}

/** The edits between two stacks, by layer and path. */
export class MadeEdits {
  private readonly byLayer = new Map<string, EditTree>();
  private readonly ofAny = new EditTree();
  private readonly byHeld = new Map<Held, Made>();

  /** @param layer a name of the layer: it may have another one on the other side */
  add(layer: string, made: Made): void {
    const own = this.byLayer.get(layer) ?? new EditTree();
    this.byLayer.set(layer, own);
    own.add(made);
    this.ofAny.add(made);
    this.byHeld.set(made.held, made);
  }

  values(): Iterable<Made> {
    return this.byHeld.values();
  }

  /** The edit behind a change at a path: of the layer that holds it now, else of the one that held it. */
  find(path: readonly string[], ...layers: readonly (string | undefined)[]): string | undefined {
    for (const layer of layers) {
      const found = layer === undefined ? undefined : this.byLayer.get(layer)?.along(path);
      if (found !== undefined) return found.edit;
    }
    // A mapping in one layer is a change at a path of another.
    return this.ofAny.around(path)?.edit;
  }
}

/** A place in the tree of paths. */
interface Place {
  /** What was edited here, and the first that was below. */
  here: Ranked | undefined;
  below: Ranked | undefined;
  readonly next: Map<string, Place>;
}

/** An edit, and how many were added before it. */
interface Ranked {
  readonly made: Made;
  readonly rank: number;
}

class EditTree {
  private readonly root: Place = emptyPlace();
  private count = 0;

  add(made: Made): void {
    const ranked = { made, rank: this.count++ };
    let place = this.root;
    for (const step of made.held.path) {
      place.below ??= ranked;
      const next = place.next.get(step) ?? emptyPlace();
      place.next.set(step, next);
      place = next;
    }
    place.here ??= ranked;
  }

  /** What was edited at a path, nearest above it, or first below it: what was a mapping is none now, or the other way about. */
  along(path: readonly string[]): Made | undefined {
    const { at, above } = this.walk(path);
    // A text that is no mapping is told where it stands.
    const nearest = above.slice(1).findLast(({ here }) => here !== undefined);
    return (at?.here ?? nearest?.here ?? at?.below)?.made;
  }

  /** The first of what was edited above a path and below it. */
  around(path: readonly string[]): Made | undefined {
    const { at, above } = this.walk(path);
    const found = [...above.map(({ here }) => here), at?.below].filter((each) => each !== undefined);
    return found.toSorted((a, b) => a.rank - b.rank)[0]?.made;
  }

  /** The places above a path, the root first, as far as there are any; and its own. */
  private walk(path: readonly string[]): {
    readonly at: Place | undefined;
    readonly above: readonly Place[];
  } {
    const above: Place[] = [];
    let place: Place | undefined = this.root;
    for (const step of path) {
      if (place === undefined) break;
      above.push(place);
      place = place.next.get(step);
    }
    return { at: place, above };
  }
}

function emptyPlace(): Place {
  return { here: undefined, below: undefined, next: new Map() };
}
