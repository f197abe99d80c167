// The charts that are rendered while an input is read, because they make targets. Those that make themselves, again and again, end.
import type { ChartRelease } from "../../explain/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { ObjectId } from "../../object-id.ts";
import { notBuilt } from "../not-built.ts";
import { type ChartStream, madeStream, nothingMade } from "./made-stream.ts";

const mostRendered = 500;

export class RenderedCharts {
  private count = 0;

  /** @param item whose chart it is @param isThere true for an object that the list has */
  async stream(
    release: ChartRelease,
    item: NonNullable<Diagnostic["item"]>,
    isThere?: (object: ObjectId) => boolean,
  ): Promise<ChartStream> {
    this.count++;
    if (this.count > mostRendered) return nothingMade([tooMany(item)]);
    const made = await madeStream(release, item, isThere);
    if (made.isCut === true) this.count = mostRendered;
    return made;
  }
}

export function tooMany(item: NonNullable<Diagnostic["item"]>): Diagnostic {
  const message =
    "charts that make targets with charts are too many, or take too long: the others are not read";
  return notBuilt({ message, item, severity: "error" });
}
