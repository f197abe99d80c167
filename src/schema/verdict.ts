// Three-valued judgement. Values that are still to be completed from below (a chart's defaults) are valid if every
// completion is, invalid if none is, and else undecided. Kleene's logic, ordered: `and` is the least, `or` the greatest.

export const Verdict = { invalid: 0, undecided: 1, valid: 2 } as const;
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

export function both(a: Verdict, b: Verdict): Verdict {
  return a < b ? a : b;
}

export function either(a: Verdict, b: Verdict): Verdict {
  return a > b ? a : b;
}

export function opposite(verdict: Verdict): Verdict {
  return (2 - verdict) as Verdict;
}

export function decided(isValid: boolean): Verdict {
  return isValid ? Verdict.valid : Verdict.invalid;
}

/** Which properties and items of one value its schema has looked at: what `unevaluatedProperties` and its like ask. */
export class Seen {
  readonly properties = new Set<string>();
  /** How many items from the first on. */
  items = 0;
  /** Items that `contains` found. */
  readonly found = new Set<number>();
  /** True if some of it counts only where an undecided schema turns out valid. */
  isUnsure = false;

  /** Takes over what a schema of the same value has seen, unless it turned out invalid. */
  take(other: Seen, verdict: Verdict): void {
    if (verdict === Verdict.invalid) return;
    for (const property of other.properties) this.properties.add(property);
    for (const item of other.found) this.found.add(item);
    this.items = Math.max(this.items, other.items);
    this.isUnsure ||= other.isUnsure || verdict === Verdict.undecided;
  }
}
