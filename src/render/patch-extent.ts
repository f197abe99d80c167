// How large and how deep values are that a patch works on, and how much its operations have looked at in all: each of them
// may look at a whole document, and there may be thousands.
import type { Tree } from "../core/index.ts";
import { opened, type Value } from "./patch-value.ts";

/** How much a value holds: itself and all in it; and how many mappings and lists lie within one another in it. */
export interface Extent {
  readonly size: number;
  readonly depth: number;
}

/** Values looked at by all operations of a patch: above it there is no honest use. */
const mostLooked = 10_000_000;

/** So many places of a list are moved in the time of one look. */
const placesPerLook = 32;

export class Extents {
  private readonly known = new WeakMap<Tree, Extent>();
  private looked = 0;

  /** What no operation has touched is measured once. */
  of(value: Value): Extent {
    const tree = value.type === "tree" ? value.tree : undefined;
    const known = tree === undefined ? undefined : this.known.get(tree);
    this.looked++;
    const extent = known ?? this.measured(value);
    if (tree !== undefined) this.known.set(tree, extent);
    return extent;
  }

  /** Counts that a value is read as a whole. */
  read(value: Value): void {
    this.looked += this.of(value).size;
  }

  /** Counts that elements of a list change their places. */
  shift(length: number): void {
    this.looked += length / placesPerLook;
  }

  /** Undefined as long as operations may go on. */
  get excess(): { readonly failed: string; readonly cure: string } | undefined {
    if (this.looked <= mostLooked) return undefined;
    const failed = `the operations so far look at more than ${mostLooked} values in all`;
    return { failed, cure: "move and test less at a time: name what is meant by its whole path" };
  }

  private measured(value: Value): Extent {
    const open = opened(value);
    if (open === undefined) return { size: 1, depth: 0 };
    let [size, depth] = [1, 0];
    for (const inner of open.type === "mapping" ? open.members.values() : open.items) {
      const extent = this.of(inner);
      size += extent.size;
      depth = Math.max(depth, extent.depth);
    }
    return { size, depth: depth + 1 };
  }
}
