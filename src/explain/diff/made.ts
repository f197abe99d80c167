// The edits that a comparison of two stacks found, by layer and path: asked once for every value that changes, so each answer
// costs the steps of its path, however many edits there are.
import type { SideValue } from "./side.ts";
import { remembered } from "../../remembered.ts";

/** An edit that a comparison of two stacks found. */
export interface Made {
  /** Key among all edits. */
  readonly edit: string;
  readonly held: SideValue;
}

/** The edits between two stacks, by layer and path. */
export class MadeEdits {
  private readonly byLayer = new Map<string, EditTree>();
  private readonly ofAny = new EditTree();
  /** What patches take away: the value of a lower layer is seen in its place. */
  private readonly removals = new EditTree();
  private readonly byHeld = new Map<SideValue, Made>();

  /** @param layer a name of the layer: it may have another one on the other side */
  add(layer: string, made: Made): void {
    remembered(this.byLayer, layer, () => new EditTree()).add(made);
    this.ofAny.add(made);
    if (made.held.isRemoved === true) this.removals.add(made);
    this.byHeld.set(made.held, made);
  }

  values(): Iterable<Made> {
    return this.byHeld.values();
  }

  /** The edit that caused a change at a path: of the layer that has the value now, else of the one that had it. */
  find(path: readonly string[], ...layers: readonly (string | undefined)[]): string | undefined {
    for (const layer of layers) {
      const found = layer === undefined ? undefined : this.byLayer.get(layer)?.along(path);
      if (found !== undefined) return found.edit;
    }
    // A mapping in one layer is a change at a path of another.
    return (this.removals.along(path) ?? this.ofAny.around(path))?.edit;
  }
}

/** A node of the tree of paths. */
interface PathNode {
  /** What was edited here, and the first that was below. */
  here: RankedEdit | undefined;
  below: RankedEdit | undefined;
  readonly next: Map<string, PathNode>;
}

/** An edit, and how many were added before it. */
interface RankedEdit {
  readonly made: Made;
  readonly rank: number;
}

class EditTree {
  private readonly root: PathNode = emptyPlace();
  private count = 0;

  add(made: Made): void {
    const ranked = { made, rank: this.count++ };
    let place = this.root;
    for (const step of made.held.path) {
      place.below ??= ranked;
      place = remembered(place.next, step, emptyPlace);
    }
    place.here ??= ranked;
  }

  /** What was edited at a path, nearest above it, or first below it, if a mapping became a text or a text a mapping. */
  along(path: readonly string[]): Made | undefined {
    const { at, above } = this.walk(path);
    // The root is no place of an edit: a text that is not a mapping has its own place.
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
    readonly at: PathNode | undefined;
    readonly above: readonly PathNode[];
  } {
    const above: PathNode[] = [];
    let place: PathNode | undefined = this.root;
    for (const step of path) {
      if (place === undefined) break;
      above.push(place);
      place = place.next.get(step);
    }
    return { at: place, above };
  }
}

function emptyPlace(): PathNode {
  return { here: undefined, below: undefined, next: new Map() };
}
