// Three-valued verdicts. Lower layers, such as a chart's defaults, may still complete the values. They are valid if every
// completion is valid, invalid if no completion is, and else undecided. Kleene's logic: `and` is the minimum, `or` the
// maximum.

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

/** The properties and items of one value that keywords have evaluated: `unevaluated…` applies to all others. */
export class Evaluated {
  readonly properties = new Set<string>();
  /** How many items, counted from the first. */
  items = 0;
  /** Items that match `contains`. */
  readonly found = new Set<number>();
  /** True if part of it applies only if an undecided schema turns out valid. */
  isUnsure = false;

  /** Adds what another schema of the same value has evaluated, unless the value is invalid by it. */
  take(other: Evaluated, verdict: Verdict): void {
    if (verdict === Verdict.invalid) return;
    for (const property of other.properties) this.properties.add(property);
    for (const item of other.found) this.found.add(item);
    this.items = Math.max(this.items, other.items);
    this.isUnsure ||= other.isUnsure || verdict === Verdict.undecided;
  }
}
