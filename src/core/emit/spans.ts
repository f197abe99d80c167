// Parts of the input, looked up by an offset in them.
import type { Span } from "../../krm/index.ts";

/** Spans of which none reaches out of another: whether one holds a given span is found by halving. */
export class Spans<S extends Span> {
  private readonly outer: S[] = [];

  constructor(spans: readonly S[]) {
    for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
      const last = this.outer.at(-1);
      if (last === undefined || span.end > last.end) this.outer.push(span);
    }
  }

  /** The outermost span that holds another. */
  around({ start, end }: Span): S | undefined {
    let [low, high] = [0, this.outer.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.outer[middle] as S).start <= start) low = middle + 1;
      else high = middle;
    }
    const found = this.outer[low - 1];
    return found !== undefined && end <= found.end ? found : undefined;
  }
}
